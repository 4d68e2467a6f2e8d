// Rows of scans, and of found records that wait for review.
import {
  type Database,
  query,
  type Reader,
  sql,
  type SqlBool,
  tables,
  type Transaction,
} from '@zonereeve/storage'

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
  /** JSON, as the API shows it. */
  readonly text: string
}

const scans = tables.record_scans.beside('zone_id').of<Scan>()
const foundRecords = tables.found_records.of<FoundRecord>()

export const findScan = (db: Reader, zoneId: string): Promise<Scan | undefined> => scans.find(db, { zoneId })

/** Zones with a started, unfinished scan. */
export async function runningScans(db: Reader): Promise<readonly string[]> {
  const rows = await db.all(query.selectFrom('record_scans').select('zone_id').where('state', '=', 'running'))
  return rows.map(({ zone_id }) => zone_id)
}

export const saveScan = (tx: Transaction, zoneId: string, scan: Scan): Promise<void> =>
  scans.save(tx, { ...scan, zoneId })

/** Saves a found record. One that is saved already keeps its id and gets a new time. */
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

/** Records found since `notBefore` that wait for review and are not in the zone by now. */
export async function waitingRecords(
  db: Reader,
  zoneId: string,
  notBefore: string,
): Promise<readonly FoundRecord[]> {
  const isThere = sql<SqlBool>`EXISTS (SELECT 1 FROM dns_records WHERE dns_records.zone_id = found_records.zone_id
    AND dns_records.name = found_records.name AND dns_records.type = found_records.type
    AND dns_records.identity = found_records.identity)`
  return foundRecords.all(
    db,
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
}

export async function deleteFound(tx: Transaction, zoneId: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) await foundRecords.remove(tx, { zoneId, id })
}

/** Deletes records that were not reviewed in time. */
export async function deleteFoundBefore(tx: Transaction, zoneId: string, notBefore: string): Promise<void> {
  await tx.run(
    query.deleteFrom('found_records').where('zone_id', '=', zoneId).where('found_on', '<', notBefore),
  )
}
