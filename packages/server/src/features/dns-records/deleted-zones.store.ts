// Records of zones that are deleted: few of them go with the zone, more are left for the sweeper.
import { appendOps } from '../changes/index.ts'
import { query, type Reader, type Transaction } from '../../storage/index.ts'
import { deleteRecords } from './dns-records.store.ts'

/** Records that go with their zone, in its transaction; of a zone that has more, all are swept. */
export const MAX_RECORDS_AT_ONCE = 500
/** Records in one transaction of the sweeper: for so long others wait. */
const SWEPT_AT_ONCE = 250

/** A zone that is gone. */
interface DeletedZone {
  readonly zoneId: string
  /** Of the change set that deleted it. */
  readonly position: number
}

/**
 * Lets the records of a zone go that is deleted by the change set at `position`, in which each of them stands in the end.
 * Whoever looks for records finds none of a zone that is not there.
 */
export async function releaseZoneRecords(tx: Transaction, zoneId: string, position: number): Promise<void> {
  const zone = { zoneId, position }
  if ((await countRecords(tx, zoneId)) > MAX_RECORDS_AT_ONCE)
    await tx.run(query.insertInto('deleted_zones').values({ zone_id: zoneId, position }))
  else await deleteSome(tx, zone, MAX_RECORDS_AT_ONCE + 1)
}

export async function firstDeletedZone(db: Reader): Promise<DeletedZone | undefined> {
  const row = await db.first(query.selectFrom('deleted_zones').selectAll().orderBy('position').limit(1))
  return row && { zoneId: row.zone_id, position: row.position }
}

/** Deletes some of what a zone has left behind; the last of it, and the zone is forgotten. @returns how many records. */
export async function sweepSome(tx: Transaction, zone: DeletedZone): Promise<number> {
  const swept = await deleteSome(tx, zone, SWEPT_AT_ONCE)
  if (swept < SWEPT_AT_ONCE)
    await tx.run(query.deleteFrom('deleted_zones').where('zone_id', '=', zone.zoneId))
  return swept
}

/** Deletes up to `limit` records, writing each to the change set first; with the last one go the counts. */
async function deleteSome(
  tx: Transaction,
  { zoneId, position }: DeletedZone,
  limit: number,
): Promise<number> {
  const some = query
    .selectFrom('dns_records')
    .select(['id', 'body'])
    .where('zone_id', '=', zoneId)
    .orderBy('type')
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
  const rows = await tx.all(some)
  const ops = rows.map(({ id, body }) => ({
    kind: 'dns_record.delete',
    objectId: id,
    before: body,
    after: null,
  }))
  await appendOps(tx, position, ops)
  await deleteRecords(
    tx,
    rows.map(({ id }) => id),
  )
  if (rows.length < limit) await tx.run(query.deleteFrom('record_counts').where('zone_id', '=', zoneId))
  return rows.length
}

async function countRecords(db: Reader, zoneId: string): Promise<number> {
  const counts = query
    .selectFrom('record_counts')
    .select(({ fn }) => fn.sum<number | null>('count').as('count'))
    .where('zone_id', '=', zoneId)
  return Number((await db.first(counts))?.count ?? 0)
}
