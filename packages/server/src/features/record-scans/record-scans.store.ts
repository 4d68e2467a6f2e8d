// Rows of scans, and of found records that wait for review.
import {
  query,
  sql,
  type Database,
  type Reader,
  type SqlBool,
  type Transaction,
} from '../../storage/index.ts'

export interface Scan {
  readonly state: Database['record_scans']['state']
  readonly isComplete: boolean
  readonly hasVaryingWildcard: boolean
  readonly unusable: readonly string[]
  readonly startedOn: string
}

export interface FoundRecord {
  readonly id: string
  readonly zoneId: string
  readonly type: string
  readonly name: string
  readonly identity: string
  readonly foundOn: string
  /** As the API shows it, JSON. */
  readonly text: string
}

export async function findScan(db: Reader, zoneId: string): Promise<Scan | undefined> {
  const row = await db.first(query.selectFrom('record_scans').selectAll().where('zone_id', '=', zoneId))
  return (
    row && {
      state: row.state,
      isComplete: row.is_complete === 1,
      hasVaryingWildcard: row.has_varying_wildcard === 1,
      unusable: JSON.parse(row.unusable) as string[], // written by saveScan
      startedOn: row.started_on,
    }
  )
}

/** Zones whose scan has begun and not ended. */
export async function runningScans(db: Reader): Promise<readonly string[]> {
  const rows = await db.all(query.selectFrom('record_scans').select('zone_id').where('state', '=', 'running'))
  return rows.map(({ zone_id }) => zone_id)
}

export async function saveScan(tx: Transaction, zoneId: string, scan: Scan): Promise<void> {
  const columns = {
    state: scan.state,
    is_complete: scan.isComplete ? 1 : 0,
    has_varying_wildcard: scan.hasVaryingWildcard ? 1 : 0,
    unusable: JSON.stringify(scan.unusable),
    started_on: scan.startedOn,
  }
  await tx.run(
    query
      .insertInto('record_scans')
      .values({ zone_id: zoneId, ...columns })
      .onConflict((conflict) => conflict.column('zone_id').doUpdateSet(columns)),
  )
}

/** A record that waits already keeps its id and waits from now on. */
export async function saveFound(tx: Transaction, found: FoundRecord): Promise<void> {
  await tx.run(
    query
      .insertInto('found_records')
      .values({
        id: found.id,
        zone_id: found.zoneId,
        type: found.type,
        name: found.name,
        identity: found.identity,
        found_on: found.foundOn,
        body: found.text,
      })
      .onConflict((conflict) =>
        conflict.columns(['zone_id', 'type', 'name', 'identity']).doUpdateSet({ found_on: found.foundOn }),
      ),
  )
}

/** What waits for review since `notBefore` and does not stand in the zone by now. */
export async function waitingRecords(
  db: Reader,
  zoneId: string,
  notBefore: string,
): Promise<readonly FoundRecord[]> {
  const isThere = sql<SqlBool>`EXISTS (SELECT 1 FROM dns_records WHERE dns_records.zone_id = found_records.zone_id
    AND dns_records.name = found_records.name AND dns_records.type = found_records.type
    AND dns_records.identity = found_records.identity)`
  const rows = await db.all(
    query
      .selectFrom('found_records')
      .selectAll()
      .where('zone_id', '=', zoneId)
      .where('found_on', '>=', notBefore)
      .where(({ not }) => not(isThere))
      .orderBy('type')
      .orderBy('name')
      .orderBy('identity'),
  )
  return rows.map((row) => ({
    id: row.id,
    zoneId: row.zone_id,
    type: row.type,
    name: row.name,
    identity: row.identity,
    foundOn: row.found_on,
    text: row.body,
  }))
}

export async function deleteFound(tx: Transaction, zoneId: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await tx.run(query.deleteFrom('found_records').where('zone_id', '=', zoneId).where('id', '=', id))
  }
}

/** Forgets what nobody has reviewed in time. */
export async function deleteFoundBefore(tx: Transaction, zoneId: string, notBefore: string): Promise<void> {
  await tx.run(
    query.deleteFrom('found_records').where('zone_id', '=', zoneId).where('found_on', '<', notBefore),
  )
}
