// What stores know of a database: queries in, rows out, writes in units. Two executors can stand behind it.
import type { Compilable } from 'kysely'

export interface Reader {
  all<Row>(query: Compilable<Row>): Promise<Row[]>
  first<Row>(query: Compilable<Row>): Promise<Row | undefined>
  /** Calls `take` with each row in turn, for results that are too large to be held as rows. */
  each<Row>(query: Compilable<Row>, take: (row: Row) => void): Promise<void>
}

export interface Transaction extends Reader {
  /** @returns how many rows were written. */
  run(query: Compilable<unknown>): Promise<number>
  /**
   * Calls `hook` once the unit is durable, before its caller learns of it; never when it is not. Must not throw. One that
   * takes its time is waited for: by the next hook, by the caller, and by all writers. It must not wait for any of them.
   */
  onCommit(hook: () => void | Promise<void>): void
  /** Lets the rest of the program work between one write and the next, for units of thousands; other writers wait. */
  pause(): Promise<void>
}

export interface Storage extends Reader {
  /** Reads what is durable when they begin, in a process of its own: for queries that may walk very many rows. */
  readonly aside: Reader
  /**
   * Runs `unit` in a transaction and resolves when its writes are durable.
   *
   * Units run one after another; those that wait at the same time share one commit, each in its own savepoint, so a
   * unit that throws undoes itself alone. A unit may await nothing but its transaction: while it waits for anything
   * else, every other writer waits with it.
   */
  write<Result>(unit: (tx: Transaction) => Promise<Result>): Promise<Result>
  /** True when the database answers. */
  healthy(): Promise<boolean>
  close(): Promise<void>
}
