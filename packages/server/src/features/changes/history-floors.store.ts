// Compaction in the database: the start of a scope's history, and the deletion of everything below.
import { query, type Reader, tables, type Transaction } from '@zonereeve/storage'

interface HistoryFloor {
  readonly scopeId: string
  readonly number: number
}

const floors = tables.history_floors.of<HistoryFloor>()

/** The oldest change set of the scope that has its operations; 1 if none was deleted. */
export async function historyFloor(db: Reader, scopeId: string): Promise<number> {
  return (await floors.find(db, { scopeId }))?.number ?? 1
}

/** A change set that may be deleted, with the floor of its scope. */
interface OldChange {
  readonly position: number
  readonly scopeId: string
  readonly number: number
  readonly floor: number
}

/** A chunk of the log and its last position; undefined if nothing old is left. */
export interface OldChunk {
  readonly changes: readonly OldChange[]
  readonly lastPosition: number
}

/**
 * Reads up to `limit` change sets after a position, up to the first that is not older than `before`. Zones whose
 * records are still being deleted are skipped: their last change set still grows.
 */
export async function readOldChanges(
  db: Reader,
  { after, before, limit }: { readonly after: number; readonly before: string; readonly limit: number },
): Promise<OldChunk | undefined> {
  const rows = await db.all(
    query
      .selectFrom('changes')
      .leftJoin('history_floors', 'history_floors.scope_id', 'changes.scope_id')
      .select(['position', 'changes.scope_id', 'changes.number', 'at', 'history_floors.number as floor'])
      .where('position', '>', after)
      .orderBy('position')
      .limit(limit),
  )
  const end = rows.findIndex(({ at }) => at >= before)
  const old = end === -1 ? rows : rows.slice(0, end)
  const last = old.at(-1)
  if (last === undefined) return undefined
  const unswept = await db.all(query.selectFrom('deleted_zones').select('zone_id'))
  const growing = new Set(unswept.map(({ zone_id }) => zone_id))
  const changes = old
    .filter(({ scope_id }) => !growing.has(scope_id))
    .map(({ position, scope_id, number, floor }) => ({
      position,
      scopeId: scope_id,
      number,
      floor: floor ?? 1,
    }))
  return { changes, lastPosition: last.position }
}

export const moveFloor = (tx: Transaction, scopeId: string, number: number): Promise<void> =>
  floors.save(tx, { scopeId, number })

/** An operation's place in the log. */
interface OpPlace {
  readonly position: number
  readonly ordinal: number
}

export function firstOps(db: Reader, positions: readonly number[], limit: number): Promise<OpPlace[]> {
  const ops = query
    .selectFrom('change_ops')
    .select(['position', 'ordinal'])
    .where('position', 'in', positions)
  return db.all(ops.orderBy('position').orderBy('ordinal').limit(limit))
}

/** Deletes what {@link firstOps} returned. */
export async function deleteOps(tx: Transaction, places: readonly OpPlace[]): Promise<void> {
  const lastOrdinals = new Map(places.map(({ position, ordinal }) => [position, ordinal]))
  for (const [position, ordinal] of lastOrdinals) {
    const ops = query.deleteFrom('change_ops').where('position', '=', position)
    await tx.run(ops.where('ordinal', '<=', ordinal))
  }
}

export function firstBlocks(db: Reader, positions: readonly number[], limit: number) {
  const blocks = query
    .selectFrom('change_op_blocks')
    .select(['position', 'ordinal', 'operations'])
    .where('position', 'in', positions)
  return db.all(blocks.orderBy('position').orderBy('ordinal').limit(limit))
}

/** Deletes what {@link firstBlocks} returned. */
export async function deleteBlocks(tx: Transaction, places: readonly OpPlace[]): Promise<void> {
  for (const { position, ordinal } of places)
    await tx.run(
      query.deleteFrom('change_op_blocks').where('position', '=', position).where('ordinal', '=', ordinal),
    )
}

/** Deletes change sets of the scope below a number, up to a position of the log. */
export async function deleteChangesBelow(
  tx: Transaction,
  scopeId: string,
  { number, lastPosition }: { readonly number: number; readonly lastPosition: number },
): Promise<void> {
  const below = query.deleteFrom('changes').where('scope_id', '=', scopeId).where('number', '<', number)
  await tx.run(below.where('position', '<=', lastPosition))
}
