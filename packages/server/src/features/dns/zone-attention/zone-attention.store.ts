// Zones with stored problems, each kind by an index of its own: nothing else is read.
import { chunksOf } from '@zonereeve/cooperate'
import { query, type Reader } from '@zonereeve/storage'

/** IDs that one statement looks for. */
const IDS_IN_A_STATEMENT = 500

/** Zones of which a script, connection, frame, image or form target is malicious. */
export async function zonesWithMalicious(db: Reader, limit: number): Promise<string[]> {
  const rows = query
    .selectFrom('page_shield_resources')
    .select('zone_id')
    .distinct()
    // A literal: for a parameter, the index would not be used.
    .where((eb) => eb('is_malicious', '=', eb.lit(1)))
    .limit(limit)
  return (await db.all(rows)).map((row) => row.zone_id)
}

/** Secondary zones whose last transfer failed. What was stored about primaries that were removed does not count. */
export async function zonesWithFailedTransfer(db: Reader, limit: number): Promise<string[]> {
  const rows = query
    .selectFrom('followed_zones')
    .innerJoin('incoming_transfers', 'incoming_transfers.zone_id', 'followed_zones.zone_id')
    .select('followed_zones.zone_id')
    .where('followed_zones.problem', 'is not', null)
    .limit(limit)
  return (await db.all(rows)).map((row) => row.zone_id)
}

export interface NamedZone {
  readonly id: string
  readonly accountId: string
  readonly name: string
}

/** Names and accounts of these zones. Those that do not exist are left out. */
export async function namesOf(db: Reader, ids: readonly string[]): Promise<NamedZone[]> {
  const found: NamedZone[] = []
  for (const some of chunksOf(ids, IDS_IN_A_STATEMENT)) {
    const rows = query
      .selectFrom('zones')
      .select(['id', 'account_id as accountId', 'name'])
      .where('id', 'in', some)
    found.push(...(await db.all(rows)))
  }
  return found
}
