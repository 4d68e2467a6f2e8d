// Many rows deleted in one transaction, without anybody who only reads having to wait.
import type { Compilable } from 'kysely'
import type { Transaction } from './storage.ts'

/** Rows that one statement deletes, with what hangs on them. */
export const ROWS_IN_PORTION = 250

/**
 * Runs `portion`, which deletes {@link ROWS_IN_PORTION} rows at most, until none is left; between two of them, the rest of the
 * program works.
 *
 * @returns how many rows went.
 */
export async function deleteInPortions(tx: Transaction, portion: Compilable<unknown>): Promise<number> {
  let total = 0
  for (;;) {
    const deleted = await tx.run(portion)
    total += deleted
    if (deleted < ROWS_IN_PORTION) return total
    await tx.pause()
  }
}
