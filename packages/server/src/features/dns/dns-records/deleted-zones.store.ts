// Records of deleted zones: a few are deleted with the zone, larger numbers are left for the sweeper.
import { appendOps } from '../../changes/index.ts'
import { oneRow, query, type Reader, RECORD_JSON, sql, tables, type Transaction } from '@zonereeve/storage'
import type { ZoneContents } from '../../zones/index.ts'
import { deleteRecords } from './dns-records.store.ts'

/**
 * Maximum number of records deleted in the zone's own transaction. If the zone has more, the sweeper deletes them
 * all.
 */
export const MAX_DELETED_WITH_ZONE = 500
/** Records per transaction of the sweeper. Other writers wait for that long. */
const SWEEP_CHUNK_SIZE = 250

/** A deleted zone whose records are not all swept yet. */
interface DeletedZone {
  readonly zoneId: string
  /** Position of the change set that deleted it. */
  readonly position: number
}

const deletedZones = tables.deleted_zones.of<DeletedZone>()

/**
 * In the end, the change set that deletes the zone contains each of its records. Record reads filter out records of
 * deleted zones.
 */
export const zoneRecords: ZoneContents = {
  name: 'DNS records',
  operations: () => Promise.resolve([]), // appended with each chunk that is deleted
  async remove(tx, zoneId, position) {
    if ((await countRecords(tx, zoneId)) > MAX_DELETED_WITH_ZONE)
      await deletedZones.insert(tx, { zoneId, position })
    else await deleteSome(tx, { zoneId, position }, MAX_DELETED_WITH_ZONE + 1)
  },
}

export async function firstDeletedZone(db: Reader): Promise<DeletedZone | undefined> {
  return deletedZones.first(db, query.selectFrom('deleted_zones').selectAll().orderBy('position').limit(1))
}

/**
 * Deletes some of the remaining records of a zone, and the zone's entry with the last of them. @returns the number of
 * deleted records.
 */
export async function sweepSome(tx: Transaction, zone: DeletedZone): Promise<number> {
  const swept = await deleteSome(tx, zone, SWEEP_CHUNK_SIZE)
  if (swept < SWEEP_CHUNK_SIZE) await deletedZones.remove(tx, { zoneId: zone.zoneId })
  return swept
}

/**
 * Deletes up to `limit` records and appends each to the change set first. The counts are deleted with the last
 * record.
 */
async function deleteSome(
  tx: Transaction,
  { zoneId, position }: DeletedZone,
  limit: number,
): Promise<number> {
  const some = query
    .selectFrom('dns_records')
    .select(['id', RECORD_JSON.as('body')])
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
    .select(sql<number>`coalesce(sum(count), 0)`.as('count'))
    .where('zone_id', '=', zoneId)
  return Number((await oneRow(db, counts)).count)
}
