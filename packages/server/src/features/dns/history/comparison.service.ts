// The records of a zone after two change sets, and what differs.
import { createYieldIfDue, runInChunks } from '@zonereeve/cooperate'
import { DomainError } from '@zonereeve/platform'
import type { Reader, Storage } from '@zonereeve/storage'
import {
  countRange,
  findChangeHeader,
  historyFloor,
  lastChangeNumber,
  opsOfRange,
  type ChangeRange,
  type NumberedChange,
} from '../../changes/index.ts'
import {
  compareOp,
  damagedIds,
  differencesOf,
  isRecordOp,
  type Difference,
  type Target,
} from './history.rules.ts'
import { throwDeleted, throwUnknownChange } from './refusals.rules.ts'

/** Operations between two states: their texts are in memory together, 0.5 kB each. */
const MAX_COMPARED_OPS = 200_000

/** What differs between the states after two change sets. */
export interface Compared {
  readonly from: ChangeHeader
  readonly to: ChangeHeader
  readonly records: readonly Difference[]
  /** Operations on anything other than records in between, by their kind. */
  readonly others: ReadonlyMap<string, number>
}

type ChangeHeader = Omit<NumberedChange, 'ops'>

/** Numbers of change sets. */
interface Points {
  readonly from: number
  readonly to: number
}

/**
 * Compares the records after a change set with those after another, older or newer one. @throws DomainError:
 * change.unknown, change.deleted, change.range.
 */
export async function compareStates(
  storage: Pick<Storage, 'offload'>,
  scopeId: string,
  { from, to }: Points,
  signal: AbortSignal,
  maxOps = MAX_COMPARED_OPS,
): Promise<Compared> {
  const db = storage.offload
  const headers = {
    from: await requireHeader(db, scopeId, from, '/from'),
    to: await requireHeader(db, scopeId, to, '/to'),
  }
  const range = { scopeId, after: Math.min(from, to), last: Math.max(from, to) }
  const counted = await countRange(db, range, maxOps + 1)
  if (counted.operations > maxOps)
    throw new DomainError({
      reason: 'change.range',
      values: { limit: maxOps, older: range.after, newer: range.last },
    })
  const targets = new Map<string, Target>()
  const others = new Map<string, number>()
  const pause = createPause(signal)
  for await (const chunk of opsOfRange(db, range)) {
    for (const op of chunk)
      if (isRecordOp(op)) compareOp(targets, op)
      else others.set(op.kind, (others.get(op.kind) ?? 0) + 1)
    await pause()
  }
  // Read last: the floor moves before operations are deleted, so change sets above it were read completely.
  const floor = await historyFloor(db, scopeId)
  requireKept(floor, from, '/from')
  requireKept(floor, to, '/to')
  if (counted.changes !== range.last - range.after)
    throw new Error(`a change of ${scopeId} after ${range.after} is not in the log`)
  const damaged = await runInChunks(damagedIds(targets), signal)
  const earlier = { scopeId, after: floor - 1, last: range.after }
  const logged = await lastContents(db, earlier, damaged, pause, maxOps)
  const records = await runInChunks(differencesOf(targets, logged, from > to), signal)
  return { ...headers, records, others }
}

/** The last contents of these records in a range; those that its last `maxOps` operations do not have are absent. */
async function lastContents(
  db: Reader,
  range: ChangeRange,
  ids: readonly string[],
  pause: () => Promise<void>,
  maxOps: number,
): Promise<Map<string, string>> {
  const contents = new Map<string, string>()
  const unresolved = new Set(ids)
  let read = 0
  if (unresolved.size > 0)
    for await (const chunk of opsOfRange(db, range)) {
      for (const { objectId, after } of chunk)
        if (unresolved.delete(objectId) && after !== null) contents.set(objectId, after)
      read += chunk.length
      if (unresolved.size === 0 || read >= maxOps) break
      await pause()
    }
  return contents
}

/** The operations from the floor on are kept: they lead from the state below it to all later ones. */
function requireKept(floor: number, number: number, pointer: string): void {
  if (number < floor - 1) throwDeleted(floor, pointer)
}

async function requireHeader(
  db: Reader,
  scopeId: string,
  number: number,
  pointer: string,
): Promise<ChangeHeader> {
  const header = await findChangeHeader(db, scopeId, number)
  if (header !== undefined) return header
  requireKept(await historyFloor(db, scopeId), number, pointer)
  if (number > (await lastChangeNumber(db, scopeId))) throwUnknownChange(number, pointer)
  throw new Error(`change ${number} of ${scopeId} is not in the log`)
}

function createPause(signal: AbortSignal): () => Promise<void> {
  const yieldIfDue = createYieldIfDue()
  return async () => {
    signal.throwIfAborted()
    await yieldIfDue()
  }
}
