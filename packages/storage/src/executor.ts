// Runs compiled queries on one connection, and separates disk and file errors from query errors.
import { BoundedMap, CHUNK_SIZE, yieldNow } from '@zonereeve/cooperate'
import type { Compilable } from 'kysely'
import { storageFailure } from './failures.ts'
import { iterateRows, type SqliteConnection, type Statement } from './sqlite-driver.ts'
import type { Reader } from './storage.ts'

const STATEMENTS_KEPT = 500

export interface Executor extends Reader {
  /** {@link Reader.each} in chunks. Nothing may be written on the connection in the meantime. */
  eachInChunks<Row>(query: Compilable<Row>, take: (row: Row) => void): Promise<void>
  run(query: Compilable<unknown>): Promise<number>
  exec(sql: string): void
}

/** Tracks whether the transaction of the statements still exists. */
export interface TransactionGuard {
  /**
   * Called before each statement.
   * @throws the failure that ended the transaction.
   */
  throwIfEnded(): void
  /** Called for each failed statement. */
  noteFailure(failure: unknown): void
}

const NO_TRANSACTION: TransactionGuard = { throwIfEnded: () => {}, noteFailure: () => {} }

/** Runs compiled queries on one connection and caches their prepared statements; the oldest is evicted first. */
export function createExecutor(connection: SqliteConnection, guard = NO_TRANSACTION): Executor {
  const statements = new BoundedMap<string, Statement>(STATEMENTS_KEPT)
  return {
    async all<Result>(compilable: Compilable<Result>) {
      const { sql, parameters } = compilable.compile()
      return attempt(() => prepareCached(sql).all(...(parameters as never[])) as Result[]) // rows have the selected columns
    },
    async first<Result>(compilable: Compilable<Result>) {
      const { sql, parameters } = compilable.compile()
      return attempt(() => prepareCached(sql).get(...(parameters as never[])) as Result | undefined) // as above
    },
    async each<Result>(compilable: Compilable<Result>, take: (row: Result) => void) {
      const { sql, parameters } = compilable.compile()
      attempt(() => {
        for (const row of iterateRows(prepareCached(sql), parameters)) take(row as Result) // as above
      })
    },
    async eachInChunks<Result>(compilable: Compilable<Result>, take: (row: Result) => void) {
      const { sql, parameters } = compilable.compile()
      // A separate statement: a shared one could be run again during a pause.
      const statement = connection.prepare(sql)
      let count = 0
      for (const row of iterateRows(statement, parameters)) {
        take(row as Result) // as above
        if ((count += 1) % CHUNK_SIZE === 0) await yieldNow()
      }
    },
    async run(compilable) {
      const { sql, parameters } = compilable.compile()
      return attempt(() => Number(prepareCached(sql).run(...(parameters as never[])).changes)) // as above
    },
    exec(sql) {
      prepareCached(sql).run()
    },
  }

  function prepareCached(sql: string): Statement {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = connection.prepare(sql)
    statements.set(sql, statement)
    return statement
  }

  /** @throws DomainError for disk and file errors. */
  function attempt<Result>(work: () => Result): Result {
    guard.throwIfEnded()
    try {
      return work()
    } catch (error) {
      const failure = storageFailure(error)
      guard.noteFailure(failure)
      throw failure
    }
  }
}
