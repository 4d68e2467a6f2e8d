// One side of a copy between databases; see copy-database.ts.

/** A table that a database has while rows are copied to it. */
export const COPY_TABLE = 'unfinished_copy'

export type Value = string | number | bigint | Uint8Array | null

export interface CopyTable {
  readonly name: string
  readonly columns: readonly string[]
  /** In the order of their columns. */
  readonly key: readonly string[]
}

/** One side of a copy. */
export interface CopySide {
  /** Identity of the database whose rows these are. */
  identity(): Promise<string>
  /** Identity of the database that is being copied here; undefined if none is. */
  copied(): Promise<string | undefined>
  setCopied(identity: string | undefined): Promise<void>
  /** Rows after a key, in its order; their values in the order of the columns. */
  rows(
    table: CopyTable,
    after: readonly Value[] | undefined,
    limit: number,
  ): Promise<readonly (readonly Value[])[]>
  lastKey(table: CopyTable): Promise<readonly Value[] | undefined>
  insert(table: CopyTable, rows: readonly (readonly Value[])[]): Promise<void>
  /** Rows that migrations put in. */
  clear(table: CopyTable): Promise<void>
  count(table: CopyTable): Promise<number>
  /** The number after which the next row of a table is numbered; undefined if its rows are not. */
  lastNumber(table: CopyTable): Promise<number | undefined>
  setLastNumber(table: CopyTable, number: number): Promise<void>
  close(): Promise<void>
}

export const quoteNames = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')
