// The interface between stores and a database: queries in, rows out, writes in units. SQLite and
// PostgreSQL implement it.
import type { Compilable } from 'kysely'
import type { Engine } from './engine.ts'
import type { Memory } from './row-memory.ts'

export interface Reader {
  all<Row>(query: Compilable<Row>): Promise<Row[]>
  first<Row>(query: Compilable<Row>): Promise<Row | undefined>
  /** Calls `take` with each row in turn, for results that are too large to hold in memory. */
  each<Row>(query: Compilable<Row>, take: (row: Row) => void): Promise<void>
  /** What units of the same transaction know; undefined where reading is as fast. */
  readonly memory?: Memory
}

export async function readAll<Row>(reader: Pick<Reader, 'each'>, query: Compilable<Row>): Promise<Row[]> {
  const rows: Row[] = []
  await reader.each(query, (row) => void rows.push(row))
  return rows
}

export interface Transaction extends Reader {
  readonly engine: Engine
  /** Whether it may append to the change log. Of several nodes with one database, one does. */
  readonly isWriter: boolean
  /** @returns the number of rows written. */
  run(query: Compilable<unknown>): Promise<number>
  /**
   * Writes rows whose number nothing needs. It may resolve before they are written. If they cannot be, the unit fails:
   * catch nothing.
   */
  submit(query: Compilable<unknown>): Promise<void>
  /**
   * Calls `hook` once the unit is durable, before its caller resumes; never if it is not. It must not throw.
   * The next hook, the caller and all writers wait for an asynchronous hook. It must not wait for any of them.
   */
  onCommit(hook: () => void | Promise<void>): void
  /** Between the steps of long units: lets other work run when the time of a chunk is used up. Other writers wait. */
  yieldIfDue(): Promise<void>
}

export interface Storage extends Reader {
  readonly engine: Engine
  /** Reads what was durable when each read began, in a separate process: for queries that may scan very many rows. */
  readonly offload: Reader
  /**
   * Runs `unit` in a transaction and resolves when its writes are durable.
   *
   * Units run one after another. Units that wait at the same time share one commit, and a failing unit rolls back only
   * itself. With PostgreSQL, units may run again if another one of their commit fails. A unit may await only its
   * transaction: while it waits for anything else, every other writer waits, too.
   *
   * @param readAhead reads what `unit` will read, by `readAt` or by keys: for all units that wait, before the first of
   * them runs. It is left out where nothing is gained, and no unit fails because it does.
   */
  write<Result>(
    unit: (tx: Transaction) => Promise<Result>,
    readAhead?: (tx: Reader) => Promise<unknown>,
  ): Promise<Result>
  /** True if the database answers. */
  healthy(): Promise<boolean>
  close(): Promise<void>
}
