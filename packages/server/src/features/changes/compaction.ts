// Compaction of the change log: deletes history older than the retention, oldest first and in chunks. The floor of a
// scope moves before anything below it is deleted, so that no reader sees half a change set, and an interrupted run
// is completed by the next one.
import type { Clock } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'
import {
  deleteChangesBelow,
  deleteBlocks,
  deleteOps,
  firstBlocks,
  firstOps,
  moveFloor,
  readOldChanges,
  type OldChunk,
} from './history-floors.store.ts'

const DAY_MILLIS = 86_400_000
/** Change sets, or operations, per transaction: other writers run in between. */
const COMPACTION_CHUNK_SIZE = 250
/** Blocks of operations of large change sets per transaction. */
const BLOCKS_IN_CHUNK = 20

export interface CompactionDeps {
  readonly storage: Storage
  readonly clock: Clock
  /** Retention of history in days; 0: forever. */
  readonly historyDays: number
}

/** @returns the number of deleted operations. */
export async function compactHistory(
  { storage, clock, historyDays }: CompactionDeps,
  signal?: AbortSignal,
): Promise<number> {
  if (historyDays === 0) return 0
  const before = new Date(clock.now() - historyDays * DAY_MILLIS).toISOString()
  let deleted = 0
  let after = 0
  while (signal?.aborted !== true) {
    const chunk = await readOldChanges(storage, { after, before, limit: COMPACTION_CHUNK_SIZE })
    if (chunk === undefined) break
    deleted += await compactChunk(storage, chunk, signal)
    after = chunk.lastPosition
  }
  return deleted
}

async function compactChunk(
  storage: Storage,
  { changes, lastPosition }: OldChunk,
  signal: AbortSignal | undefined,
): Promise<number> {
  const floors = new Map<string, number>()
  for (const { scopeId, number, floor } of changes)
    floors.set(scopeId, Math.max(floors.get(scopeId) ?? floor, number + 1))
  const moved = new Set(changes.filter(({ number, floor }) => number >= floor).map(({ scopeId }) => scopeId))
  if (moved.size > 0)
    await storage.write(async (tx) => {
      for (const scopeId of moved) await moveFloor(tx, scopeId, floors.get(scopeId) ?? 1)
    })

  const positions = changes.map(({ position }) => position)
  let deleted = 0
  for (;;) {
    const places = await firstOps(storage, positions, COMPACTION_CHUNK_SIZE)
    if (places.length === 0) break
    if (signal?.aborted === true) return deleted
    await storage.write((tx) => deleteOps(tx, places))
    deleted += places.length
  }
  for (;;) {
    const blocks = await firstBlocks(storage, positions, BLOCKS_IN_CHUNK)
    if (blocks.length === 0) break
    if (signal?.aborted === true) return deleted
    await storage.write((tx) => deleteBlocks(tx, blocks))
    deleted += blocks.reduce((sum, { operations }) => sum + operations, 0)
  }

  // The change set below the floor is kept without its operations: it dates the earliest restore point, and numbering
  // continues from it.
  const superseded = changes.filter(({ scopeId, number }) => number < (floors.get(scopeId) ?? 1) - 1)
  const scopes = new Set([...moved, ...superseded.map(({ scopeId }) => scopeId)])
  if (scopes.size > 0)
    await storage.write(async (tx) => {
      for (const scopeId of scopes)
        await deleteChangesBelow(tx, scopeId, { number: (floors.get(scopeId) ?? 1) - 1, lastPosition })
    })
  return deleted
}
