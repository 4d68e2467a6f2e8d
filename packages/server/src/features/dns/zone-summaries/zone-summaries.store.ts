// What a list of zones says of each zone: the columns of several tables in one query.
import { query, type Reader } from '@zonereeve/storage'

export interface ZoneSummary {
  readonly id: string
  readonly accountId: string
  readonly serial: number
  readonly records: number
  /** Undefined for a zone that was never signed. */
  readonly dnssec: string | undefined
  /** Time of the last change set; undefined if there is none. */
  readonly changedOn: string | undefined
}

/** Unknown zones are left out; the order is that of the ids. */
export async function findSummaries(db: Reader, ids: readonly string[]): Promise<ZoneSummary[]> {
  const rows = await db.all(
    query
      .selectFrom('zones')
      .leftJoin('zone_dnssec', 'zone_dnssec.zone_id', 'zones.id')
      .select(['zones.id', 'zones.account_id', 'zones.serial', 'zones.record_count', 'zone_dnssec.status'])
      .select(({ selectFrom }) =>
        selectFrom('changes')
          .select('at')
          .whereRef('changes.scope_id', '=', 'zones.id')
          .orderBy('number', 'desc')
          .limit(1)
          .as('changed_on'),
      )
      .where('zones.id', 'in', ids),
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    if (row === undefined) return []
    return {
      id,
      accountId: row.account_id,
      serial: row.serial,
      records: row.record_count,
      dnssec: row.status ?? undefined,
      changedOn: row.changed_on ?? undefined,
    }
  })
}
