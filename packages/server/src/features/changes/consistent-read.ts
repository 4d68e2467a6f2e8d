// Consistent reads without waiting in the writers' queue: every write increments the number of its scope, so
// everything read while no number changed belongs to one state.
import type { Reader, Storage } from '@zonereeve/storage'
import { lastChangeNumber } from './changes.store.ts'

/** Number of disturbed reads after which the next one waits in the writers' queue. */
const MAX_SPOILED = 3

export interface ConsistentRead<Value> {
  readonly value: Value
  /** Number of the last change of each scope, in their order. */
  readonly numbers: readonly number[]
}

/**
 * Calls `read` until no scope has changed meanwhile.
 *
 * @param read must use only the reader that it is given, and may be called several times.
 */
export async function readConsistently<Value>(
  storage: Storage,
  scopeIds: readonly string[],
  read: (db: Reader) => Promise<Value>,
): Promise<ConsistentRead<Value>> {
  for (let spoiled = 0; spoiled < MAX_SPOILED; spoiled++) {
    const numbers = await lastNumbers(storage, scopeIds)
    const value = await read(storage)
    if (isSame(numbers, await lastNumbers(storage, scopeIds))) return { value, numbers }
  }
  return storage.write(async (tx) => ({ value: await read(tx), numbers: await lastNumbers(tx, scopeIds) }))
}

/** Number of the last change of each scope, in their order. */
export async function lastNumbers(db: Reader, scopeIds: readonly string[]): Promise<readonly number[]> {
  const numbers: number[] = []
  for (const scopeId of scopeIds) numbers.push(await lastChangeNumber(db, scopeId))
  return numbers
}

const isSame = (a: readonly number[], b: readonly number[]): boolean =>
  a.every((number, index) => number === b[index])
