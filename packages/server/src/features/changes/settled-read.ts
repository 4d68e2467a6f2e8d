// Reads of what belongs together, without waiting among the writers: every write moves the number of its scope, so what
// was read while no number moved is of one moment.
import type { Reader, Storage } from '../../storage/index.ts'
import { lastChangeNumber } from './changes.store.ts'

/** Reads that a writer may spoil before the next one waits in the row of the writers. */
const MAX_SPOILED = 3

export interface Settled<Value> {
  readonly value: Value
  /** The last change of each scope, in their order. */
  readonly numbers: readonly number[]
}

/**
 * Reads through `read` until no scope changed meanwhile.
 *
 * @param read uses the reader that it is given and no other, and may be called several times.
 */
export async function readSettled<Value>(
  storage: Storage,
  scopeIds: readonly string[],
  read: (db: Reader) => Promise<Value>,
): Promise<Settled<Value>> {
  for (let spoiled = 0; spoiled < MAX_SPOILED; spoiled++) {
    const numbers = await lastNumbers(storage, scopeIds)
    const value = await read(storage)
    if (isSame(numbers, await lastNumbers(storage, scopeIds))) return { value, numbers }
  }
  return storage.write(async (tx) => ({ value: await read(tx), numbers: await lastNumbers(tx, scopeIds) }))
}

/** The last change of each scope, in their order. */
export async function lastNumbers(db: Reader, scopeIds: readonly string[]): Promise<readonly number[]> {
  const numbers: number[] = []
  for (const scopeId of scopeIds) numbers.push(await lastChangeNumber(db, scopeId))
  return numbers
}

const isSame = (a: readonly number[], b: readonly number[]): boolean =>
  a.every((number, index) => number === b[index])
