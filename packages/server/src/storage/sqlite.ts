// SQLite behind the Storage interface: WAL, full synchronous, one writer whose waiting units share a commit.
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Compilable } from 'kysely'
import type { Log } from '../platform/log.ts'
import { pause } from '../platform/pause.ts'
import { MIGRATIONS } from './migrations/registry.ts'
import type { Reader, Storage, Transaction } from './storage.ts'
import { createAsideReader, type AsideReader } from './aside-reader.ts'
import { createLogFlush, type LogFlush } from './log-flush.ts'
import { captureSurroundings } from './rehearsal.ts'
import { openSqlite, type SqliteConnection, type Statement } from './sqlite-driver.ts'

/** Units in one commit, at most: bounds how long the first of them waits for the last. */
const UNITS_PER_COMMIT = 256
const STATEMENTS_KEPT = 500
// Small on purpose: the operating system's own cache is as near, and is not counted against the program.
const WRITER_CACHE_KIB = 32_768
const READER_CACHE_KIB = 16_384
/** Rows written by a commit from which on the log is folded into the file by another process, and not by whoever commits. */
const LARGE_COMMIT_ROWS = 5_000
/** Pages in the log from which on the commit of usual units folds it: SQLite's own figure, some milliseconds. */
const LOG_PAGES = 1_000
/** Writes a page of the file, also where the number (which nothing reads) is the same as before. */
const PROOF_OF_WRITING = `PRAGMA user_version = ${MIGRATIONS.length}`

interface WaitingUnit {
  /** Undone although it succeeds: a dry run. */
  readonly rehearsed: boolean
  run(tx: Transaction): Promise<void>
  settle(failure: unknown): void
}

type Hook = Parameters<Transaction['onCommit']>[0]

export const IN_MEMORY = ':memory:'

/** Opens (and migrates) the database at `path`, `:memory:` for one that lives as long as the process. */
export async function openSqliteStorage(path: string, log: Log): Promise<Storage> {
  if (path !== IN_MEMORY) mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const opened: SqliteConnection[] = []
  const connect = async () => {
    const connection = await openSqlite(path)
    opened.push(connection)
    return connection
  }
  try {
    const writer = await openWriter(connect)
    const reader = path === IN_MEMORY ? writer : await openReader(connect)
    const large =
      path === IN_MEMORY ? undefined : { aside: createAsideReader(path), flush: createLogFlush(path) }
    return createSqliteStorage(writer, reader, large, log)
  } catch (failure) {
    for (const connection of opened) connection.close()
    throw new Error(`database ${path}: ${failure instanceof Error ? failure.message : String(failure)}`, {
      cause: failure,
    })
  }
}

type Connect = () => Promise<SqliteConnection>

async function openWriter(connect: Connect): Promise<SqliteConnection> {
  const writer = await connect()
  writer.exec('PRAGMA journal_mode = WAL')
  writer.exec('PRAGMA synchronous = FULL')
  writer.exec('PRAGMA foreign_keys = ON')
  writer.exec(`PRAGMA cache_size = -${WRITER_CACHE_KIB}`)
  writer.exec('PRAGMA temp_store = MEMORY')
  migrate(writer)
  // A database that can only be read is found out now, not by the first who writes.
  writer.exec('BEGIN IMMEDIATE')
  writer.exec(PROOF_OF_WRITING)
  writer.exec('COMMIT')
  return writer
}

async function openReader(connect: Connect): Promise<SqliteConnection> {
  const reader = await connect()
  reader.exec('PRAGMA query_only = 1')
  reader.exec(`PRAGMA cache_size = -${READER_CACHE_KIB}`)
  return reader
}

function createSqliteStorage(
  writer: SqliteConnection,
  reader: SqliteConnection,
  file: { readonly aside: AsideReader; readonly flush: LogFlush } | undefined,
  log: Log,
): Storage {
  const writing = createExecutor(writer)
  const reading = reader === writer ? writing : createExecutor(reader)
  const waiting: WaitingUnit[] = []
  let committing: Promise<void> | undefined
  let closed = false
  let failing = false
  let proving = false
  const totalChanges = writer.prepare('SELECT total_changes() AS count')
  let committedChanges = 0
  let flushedChanges = 0

  const direct: Reader = {
    // A database in memory has one connection: its readers wait while a transaction is open on it.
    async all(compilable) {
      if (reader === writer && committing !== undefined) await committing
      return reading.all(compilable)
    },
    async first(compilable) {
      if (reader === writer && committing !== undefined) await committing
      return reading.first(compilable)
    },
    async each(compilable, take) {
      if (reader === writer && committing !== undefined) await committing
      return reading.each(compilable, take)
    },
  }

  return {
    ...direct,
    aside: file?.aside ?? direct,
    write,
    async healthy() {
      if (failing) proveWriting()
      return !closed && !failing && reader.prepare('SELECT 1 AS one').get() !== undefined
    },
    async close() {
      while (committing !== undefined || waiting.length > 0) await pause().then(() => committing)
      closed = true
      await file?.aside.close()
      if (reader !== writer) reader.close()
      writer.exec('PRAGMA optimize')
      writer.close()
    },
  }

  function write<Result>(unit: (tx: Transaction) => Promise<Result>): Promise<Result> {
    if (closed) return Promise.reject(new Error('the database is closed'))
    const { isRehearsal: rehearsed, within } = captureSurroundings()
    return new Promise<Result>((resolve, reject) => {
      let outcome: Result
      waiting.push({
        rehearsed,
        async run(tx) {
          outcome = await within(() => unit(tx))
        },
        settle: (failure) => (failure === undefined ? resolve(outcome) : reject(failure)),
      })
      wake()
    })
  }

  /** Tries a commit of its own: who is told that the storage is not healthy may stop to send writes. */
  function proveWriting(): void {
    if (closed || proving) return
    proving = true
    waiting.push({
      rehearsed: false,
      run: async () => writer.exec(PROOF_OF_WRITING),
      settle() {
        proving = false
      },
    })
    wake()
  }

  function wake(): void {
    if (waiting.length === 1 && committing === undefined) setImmediate(() => void drain())
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      committing = commit(waiting.splice(0, UNITS_PER_COMMIT))
      await committing
      committing = undefined
      // Lets replies leave and requests come in between two commits.
      if (waiting.length > 0) await pause()
    }
  }

  async function commit(units: readonly WaitingUnit[]): Promise<void> {
    const failures = new Map<WaitingUnit, unknown>()
    const hooks: Hook[] = []
    try {
      writer.exec('BEGIN IMMEDIATE')
      for (const unit of units) await runInSavepoint(unit, failures, hooks)
      await end()
      // Where every unit failed, nothing was written that could have failed.
      if (failures.size < units.length) failing = false
    } catch (failure) {
      failing = true
      // Nothing of this transaction is durable: every unit of it failed, whatever it thought.
      if (writer.isTransaction) writer.exec('ROLLBACK')
      for (const unit of units) failures.set(unit, failures.get(unit) ?? failure)
      hooks.length = 0
    }
    for (const hook of hooks) {
      const rest = runHook(hook)
      // Most have none: they follow each other without a turn for anything else between them.
      if (rest !== undefined) await rest
    }
    for (const unit of units) unit.settle(failures.get(unit))
  }

  /** Commits; what a large commit leaves in the log is folded into the file aside, while others are answered. */
  async function end(): Promise<void> {
    const changes = countChanges()
    const isLarge = changes - committedChanges > LARGE_COMMIT_ROWS
    committedChanges = flushedChanges = changes
    if (file === undefined || !isLarge) return writer.exec('COMMIT')
    const { aside, flush } = file
    await flush.finish()
    writer.exec('PRAGMA wal_autocheckpoint = 0')
    try {
      writer.exec('COMMIT')
    } finally {
      void fold(aside)
    }
  }

  function countChanges(): number {
    return (totalChanges.get() as { readonly count: number }).count // as selected
  }

  /** Of units that write very much, what is written already goes to the disk on the way. */
  function pauseUnit(): Promise<void> {
    const changes = countChanges()
    if (changes - flushedChanges > LARGE_COMMIT_ROWS) {
      flushedChanges = changes
      file?.flush.begin()
    }
    return pause()
  }

  async function fold(by: AsideReader): Promise<void> {
    try {
      await by.checkpoint()
    } catch (failure) {
      // The next commit does it: slower for those who wait, and as good.
      if (!closed) log.warn({ err: failure }, 'checkpoint aside failed')
    }
    if (!closed) writer.exec(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`)
  }

  function runHook(hook: Hook): Promise<void> | undefined {
    // The write is durable, so its caller is told of success; what follows from it is out of step: wake someone.
    const tell = (failure: unknown) => log.error({ err: failure }, 'commit hook failed')
    try {
      return hook()?.catch(tell)
    } catch (failure) {
      tell(failure)
      return undefined
    }
  }

  async function runInSavepoint(
    unit: WaitingUnit,
    failures: Map<WaitingUnit, unknown>,
    hooks: Hook[],
  ): Promise<void> {
    const ownHooks: Hook[] = []
    writing.exec('SAVEPOINT unit')
    try {
      await unit.run({ ...writing, onCommit: (hook) => void ownHooks.push(hook), pause: pauseUnit })
      if (unit.rehearsed) writing.exec('ROLLBACK TO unit')
      else hooks.push(...ownHooks)
      writing.exec('RELEASE unit')
    } catch (failure) {
      failures.set(unit, failure ?? new Error('unit failed'))
      writing.exec('ROLLBACK TO unit')
      writing.exec('RELEASE unit')
    }
  }
}

interface Executor extends Reader {
  run(query: Compilable<unknown>): Promise<number>
  exec(sql: string): void
}

/** Runs compiled queries on one connection, keeping their prepared statements, oldest out first. */
function createExecutor(connection: SqliteConnection): Executor {
  const statements = new Map<string, Statement>()
  return {
    async all<Result>(compilable: Compilable<Result>) {
      const { sql, parameters } = compilable.compile()
      return prepared(sql).all(...(parameters as never[])) as Result[] // rows have the columns that were selected
    },
    async first<Result>(compilable: Compilable<Result>) {
      const { sql, parameters } = compilable.compile()
      return prepared(sql).get(...(parameters as never[])) as Result | undefined // as above
    },
    async each<Result>(compilable: Compilable<Result>, take: (row: Result) => void) {
      const { sql, parameters } = compilable.compile()
      for (const row of prepared(sql).iterate(...(parameters as never[]))) take(row as Result) // as above
    },
    async run(compilable) {
      const { sql, parameters } = compilable.compile()
      return Number(prepared(sql).run(...(parameters as never[])).changes) // as above
    },
    exec(sql) {
      prepared(sql).run()
    },
  }

  function prepared(sql: string): Statement {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = connection.prepare(sql)
    statements.set(sql, statement)
    if (statements.size > STATEMENTS_KEPT) {
      const [oldest] = statements.keys()
      if (oldest !== undefined) statements.delete(oldest)
    }
    return statement
  }
}

function migrate(connection: SqliteConnection): void {
  connection.exec(
    'CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT',
  )
  const rows = connection.prepare('SELECT version FROM schema_migrations').all() as { version: number }[] // as selected
  const applied = new Set(rows.map(({ version }) => version))
  const current = Math.max(0, ...applied)
  const newest = MIGRATIONS.at(-1)?.version ?? 0
  if (current > newest) {
    throw new Error(`the database has schema ${current}, this program knows ${newest}: use a newer version`)
  }
  // Whatever is missing, not only what is newer: steps that do not touch each other may come in any order.
  for (const migration of MIGRATIONS.filter(({ version }) => !applied.has(version))) {
    connection.exec('BEGIN IMMEDIATE')
    for (const statement of migration.sqlite) connection.exec(statement)
    connection
      .prepare('INSERT INTO schema_migrations (version, name) VALUES (?, ?)')
      .run(migration.version, migration.name)
    connection.exec('COMMIT')
  }
}
