// One side of a copy between databases; see copy-database.ts.
import type { Move } from './database-move.ts'

/** A table that a database has while rows are copied to it. */
export const COPY_TABLE = 'unfinished_copy'

export const UNFINISHED = 'a copy to this database is not finished: run zonereeve migrate-database again'
export const NO_TABLES = 'it is not a database of zonereeve'

export type Value = string | number | bigint | Uint8Array | null

export interface CopyTable {
  readonly name: string
  readonly columns: readonly string[]
  /** In the order of their columns. */
  readonly key: readonly string[]
}

/** One side of a copy. */
export interface CopySide {
  /** Of this database to another one; undefined if it is not being moved. */
  move(): Promise<Move | undefined>
  /** From then on, no server writes; with undefined, servers write again. @returns false if the move is another one than expected */
  setMove(move: Move | undefined, expected: Move | undefined): Promise<boolean>
  /** Whether exactly the migrations of this program were applied. */
  hasThisSchema(): Promise<boolean>
  /** ID of the unfinished move of another database to this one. */
  copyId(): Promise<string | undefined>
  /** @param cleared their rows are deleted. */
  beginCopy(id: string, cleared: readonly CopyTable[]): Promise<void>
  endCopy(): Promise<void>
  /** Rows after a key, in its order; their values in the order of the columns. */
  rows(
    table: CopyTable,
    after: readonly Value[] | undefined,
    limit: number,
  ): Promise<readonly (readonly Value[])[]>
  lastKey(table: CopyTable): Promise<readonly Value[] | undefined>
  insert(table: CopyTable, rows: readonly (readonly Value[])[]): Promise<void>
  count(table: CopyTable): Promise<number>
  /** The number after which the next row of a table is numbered; undefined if its rows are not. */
  lastNumber(table: CopyTable): Promise<number | undefined>
  setLastNumber(table: CopyTable, number: number): Promise<void>
  close(): Promise<void>
}

export const quoteNames = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')
