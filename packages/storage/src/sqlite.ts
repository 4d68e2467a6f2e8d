// SQLite behind the Storage interface: WAL, full synchronous, one writer; waiting units share a commit.
import { MIGRATIONS } from './migrations/registry.ts'
import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DomainError, type Log } from '@zonereeve/platform'
import { createYieldIfDue, yieldNow } from '@zonereeve/cooperate'
import { COPY_TABLE, UNFINISHED } from './copy-side.ts'
import { createMoveCheck, createMoveReader, MoveRefusal } from './database-move.ts'
import { createExecutor, type Executor, type TransactionGuard } from './executor.ts'
import { appliedMigrations, migrate, NEWEST_SCHEMA } from './migrate.ts'
import { readAll, type Reader, type Storage, type Transaction } from './storage.ts'
import { isTemporary, storageFailure } from './failures.ts'
import { tryLock } from './file-lock.ts'
import { watchFiles } from './file-watch.ts'
import {
  isCheckedAtStart,
  positionReader,
  stateOf,
  throwIfBroken,
  throwIfMissing,
  throwIfOlder,
} from './loss-check.ts'
import { openMarker, type OpenMarker } from './marker.ts'
import { createReadOnlyStorage } from './read-only.ts'
import { createOffloadReader, type OffloadReader } from './offload-reader.ts'
import { createLogFlush, type LogFlush } from './log-flush.ts'
import { makeFolder } from './make-folder.ts'
import { hasTable, inTransaction, openSqlite, type SqliteConnection } from './sqlite-driver.ts'
import { createWaitingUnit, type Hook, runHooks, type WaitingUnit } from './units.ts'

/** Maximum units per commit: limits how long the first of them waits for the last. */
const UNITS_PER_COMMIT = 256
/** Maximum time that units of one commit run before other work of the program gets its turn. */
const MAX_STRETCH_MILLIS = 20
// Small on purpose: the OS page cache is as fast, and does not count toward the program's memory.
const WRITER_CACHE_KIB = 32_768
const READER_CACHE_KIB = 16_384
/** Rows of a commit from which on another process checkpoints the WAL instead of the committing one. */
const LARGE_COMMIT_ROWS = 5_000
/** WAL pages from which on normal commits checkpoint it: SQLite's default, takes some milliseconds. */
const LOG_PAGES = 1_000
/** Writes a page of the file even if the number (which nothing reads) is unchanged. */
const WRITE_CHECK = `PRAGMA user_version = ${MIGRATIONS.length}`

interface DatabaseFile {
  readonly offload: OffloadReader
  readonly flush: LogFlush
  /** Whether the database file and its WAL still exist in place. */
  isThere(): boolean
  /** Called after each commit. */
  noteCommit(): void
  close(): void
}

const GONE =
  'its file was removed or replaced while the server was running (put it back, or stop, restore a backup and start)'

export const IN_MEMORY = ':memory:'

export interface StorageOptions {
  /** Holds the database's lock and updates its marker: only one server at a time. */
  readonly isServer?: boolean
  /** Code of an error whose loss is accepted. */
  readonly acceptLoss?: string | undefined
}

/**
 * Opens (and migrates) the database at `path`; `:memory:` is a database that lives as long as the process. If
 * the disk is full or read-only, it is opened for reading until it can be written.
 */
export async function openSqliteStorage(
  path: string,
  log: Log,
  options: StorageOptions = {},
): Promise<Storage> {
  if (path === IN_MEMORY) {
    const connection = await openWriter(await openSqlite(path))
    return createSqliteStorage(connection, connection, undefined, log)
  }
  const reopen = (): Promise<Storage> => openFile(path, log, options)
  try {
    makeFolder(dirname(path))
    return await reopen()
  } catch (failure) {
    const reader = isTemporary(failure) ? await openReadOnly(path) : undefined
    if (reader !== undefined) return createReadOnlyStorage({ reader, failure, reopen, log })
    throw withPath(path, failure)
  }
}

const withPath = (path: string, failure: unknown): Error =>
  new Error(`database ${path}: ${failure instanceof Error ? failure.message : String(failure)}`, {
    cause: failure,
  })

async function openFile(path: string, log: Log, options: StorageOptions): Promise<Storage> {
  const { isServer = false, acceptLoss } = options
  const closers: (() => void)[] = []
  const connect = async () => {
    const connection = await openSqlite(path)
    closers.push(() => connection.close())
    return connection
  }
  try {
    requireWritable(path)
    if (isServer) closers.push(await lock(path))
    const checked = { path, acceptLoss }
    throwIfMissing(checked)
    const connection = await connect()
    if (isServer && isCheckedAtStart(path)) throwIfBroken(checked, connection)
    throwIfOlder(checked, connection)
    if (isServer && hasTable(connection, COPY_TABLE)) throw new Error(UNFINISHED)
    const writer = await openWriter(connection)
    const reader = await openReader(connect)
    const marker = isServer ? openMarker(path, stateOf(writer)) : undefined
    if (marker !== undefined) closers.push(marker.close)
    const file = {
      offload: createOffloadReader(path),
      flush: createLogFlush(path),
      isThere: watchFiles([path, `${path}-wal`]),
      noteCommit: marker === undefined ? () => {} : notePosition(writer, marker),
      close: () => closeAll(closers),
    }
    return createSqliteStorage(writer, reader, file, log)
  } catch (failure) {
    closeAll(closers)
    throw failure
  }
}

/** In reverse order: the lock is released last. Each only once, because file descriptors are reused. */
function closeAll(closers: (() => void)[]): void {
  for (const close of closers.splice(0).toReversed()) close()
}

async function lock(path: string): Promise<() => void> {
  const unlock = await tryLock(`${path}.lock`)
  if (unlock === undefined) throw new Error(`another server is using ${path}`)
  return unlock
}

function notePosition(writer: SqliteConnection, marker: OpenMarker): () => void {
  const position = positionReader(writer)
  return () => marker.note(position())
}

/**
 * A connection that fails on a read-only disk keeps its files open until its statements are collected: check
 * before creating one.
 * @throws Error of the system.
 */
function requireWritable(path: string): void {
  try {
    accessSync(path, constants.W_OK)
  } catch (failure) {
    if (failure instanceof Error && 'code' in failure && failure.code === 'ENOENT') return
    throw failure
  }
}

function isWritable(path: string): boolean {
  try {
    requireWritable(path)
    return true
  } catch {
    return false
  }
}

/** @returns undefined if the database cannot be read either, or not by this version. */
async function openReadOnly(path: string): Promise<(Reader & { close(): void }) | undefined> {
  // An existing WAL contains commits, and its index is next to it; without a WAL the file is complete, and
  // SQLite must be prevented from creating the two.
  const hasLog = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
  const url = pathToFileURL(path)
  if (!hasLog) url.searchParams.set('immutable', '1')
  // All connections of a process share the index. One opened on a read-only disk stays read-only for all of
  // them, so the index is kept in memory instead: no other process can write there.
  const isReadOnly = !isWritable(path)
  if (hasLog && isReadOnly) url.searchParams.set('vfs', 'unix-none')
  try {
    const connection = await openSqlite(url.href, { readOnly: true })
    try {
      if (hasLog && isReadOnly) connection.exec('PRAGMA locking_mode = EXCLUSIVE')
      if (appliedMigrations(connection).has(NEWEST_SCHEMA))
        return { ...createExecutor(connection), close: () => connection.close() }
    } catch (failure) {
      connection.close()
      throw failure
    }
    connection.close()
    return undefined
  } catch {
    return undefined // the caller reports the failure of opening it for writing, which says more
  }
}

async function openWriter(writer: SqliteConnection): Promise<SqliteConnection> {
  writer.exec('PRAGMA journal_mode = WAL')
  writer.exec('PRAGMA synchronous = FULL')
  writer.exec('PRAGMA foreign_keys = ON')
  writer.exec(`PRAGMA cache_size = -${WRITER_CACHE_KIB}`)
  writer.exec('PRAGMA temp_store = MEMORY')
  migrate(writer)
  optimize(writer)
  // Detects a read-only database now, not at the first write.
  inTransaction(writer, () => writer.exec(WRITE_CHECK))
  return writer
}

async function openReader(connect: () => Promise<SqliteConnection>): Promise<SqliteConnection> {
  const reader = await connect()
  reader.exec('PRAGMA query_only = 1')
  reader.exec(`PRAGMA cache_size = -${READER_CACHE_KIB}`)
  return reader
}

function createSqliteStorage(
  writer: SqliteConnection,
  reader: SqliteConnection,
  file: DatabaseFile | undefined,
  log: Log,
): Storage {
  const transaction = watchTransaction(writer)
  const writing = createExecutor(writer, transaction)
  const reading = reader === writer ? writing : createExecutor(reader)
  const waiting: WaitingUnit[] = []
  let committing: Promise<void> | undefined
  let closed = false
  let failing = false
  let proving = false
  const currentMove = createMoveReader(writer)
  const throwIfMoving = createMoveCheck(log)
  const totalChanges = writer.prepare('SELECT total_changes() AS count')
  let committedChanges = 0
  let flushedChanges = 0

  const direct: Reader = {
    // An in-memory database has one connection: its readers wait while a transaction is open on it. Commit
    // hooks read, too.
    async all(compilable) {
      if (reader === writer && writer.isTransaction) await committing
      return reading.all(compilable)
    },
    async first(compilable) {
      if (reader === writer && writer.isTransaction) await committing
      return reading.first(compilable)
    },
    async each(compilable, take) {
      if (reader === writer && writer.isTransaction) await committing
      return reading.each(compilable, take)
    },
  }

  return {
    ...direct,
    engine: 'sqlite',
    offload: file?.offload ?? readerInChunks(reading, write),
    write,
    async healthy() {
      if (failing) proveWriting()
      failing ||= file?.isThere() === false
      return !closed && !failing && reader.prepare('SELECT 1 AS one').get() !== undefined
    },
    async close() {
      while (committing !== undefined || waiting.length > 0) await yieldNow().then(() => committing)
      closed = true
      await file?.offload.close()
      optimize(writer)
      if (file === undefined) writer.close()
      else file.close()
    },
  }

  function write<Result>(unit: (tx: Transaction) => Promise<Result>): Promise<Result> {
    if (closed) return Promise.reject(new Error('the database is closed'))
    const { waiting: entry, result } = createWaitingUnit(unit)
    waiting.push(entry)
    wake()
    return result
  }

  /** Tries a separate commit, because clients that see an unhealthy storage may stop sending writes. */
  function proveWriting(): void {
    if (closed || proving) return
    proving = true
    waiting.push({
      rehearsed: false,
      run: async () => writer.exec(WRITE_CHECK),
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
      // Lets responses be sent and requests be received between two commits.
      if (waiting.length > 0) await yieldNow()
    }
  }

  async function commit(units: readonly WaitingUnit[]): Promise<void> {
    const failures = new Map<WaitingUnit, unknown>()
    const hooks: Hook[] = []
    try {
      writer.exec('BEGIN IMMEDIATE')
      transaction.begin()
      throwIfMoving(currentMove())
      let began = performance.now()
      for (const unit of units) {
        if (performance.now() - began > MAX_STRETCH_MILLIS) {
          await yieldNow()
          began = performance.now()
        }
        await runInSavepoint(unit, failures, hooks)
      }
      await end()
      if (file !== undefined && failures.size < units.length) requireThere(file)
      // If every unit failed, nothing was written that could have failed.
      if (failures.size < units.length) failing = false
    } catch (failure) {
      // What can be read, is: load balancers must not take this server out.
      if (!(failure instanceof MoveRefusal)) failing = true
      // Nothing of this transaction is durable: all its units failed, even those that ran to their end.
      if (writer.isTransaction) writer.exec('ROLLBACK')
      for (const unit of units) failures.set(unit, failures.get(unit) ?? storageFailure(failure))
      hooks.length = 0
    } finally {
      transaction.forget()
    }
    await runHooks(hooks, log)
    for (const unit of units) unit.settle(failures.get(unit))
  }

  /** Commits; after a large commit another process checkpoints the WAL, while requests are answered. */
  async function end(): Promise<void> {
    const changes = countChanges()
    const isLarge = changes - committedChanges > LARGE_COMMIT_ROWS
    committedChanges = flushedChanges = changes
    if (file === undefined || !isLarge) return writer.exec('COMMIT')
    const { offload, flush } = file
    await flush.finish()
    writer.exec('PRAGMA wal_autocheckpoint = 0')
    try {
      writer.exec('COMMIT')
    } finally {
      void fold(offload)
    }
  }

  function countChanges(): number {
    return (totalChanges.get() as { readonly count: number }).count // as selected
  }

  /** Flushes the WAL of very large units while they are still running. */
  function flushLarge(): void {
    const changes = countChanges()
    if (changes - flushedChanges > LARGE_COMMIT_ROWS) {
      flushedChanges = changes
      file?.flush.begin()
    }
  }

  async function fold(by: OffloadReader): Promise<void> {
    try {
      await by.checkpoint()
    } catch (failure) {
      // The next commit does it: slower for waiting writers, but equivalent.
      if (!closed) log.warn({ err: failure }, 'offloaded checkpoint failed')
    }
    if (!closed) writer.exec(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`)
  }

  async function runInSavepoint(
    unit: WaitingUnit,
    failures: Map<WaitingUnit, unknown>,
    hooks: Hook[],
  ): Promise<void> {
    const ownHooks: Hook[] = []
    writing.exec('SAVEPOINT unit')
    try {
      await unit.run({
        engine: 'sqlite',
        isWriter: true,
        async submit(compilable) {
          await writing.run(compilable)
        },
        onCommit: (hook) => void ownHooks.push(hook),
        yieldIfDue: createYieldIfDue(flushLarge),
        ...writing, // last: a copy that gets further members has a hidden class of its own (ADR 151)
      })
      if (unit.rehearsed) writing.exec('ROLLBACK TO unit')
      else hooks.push(...ownHooks)
      writing.exec('RELEASE unit')
    } catch (failure) {
      failures.set(unit, storageFailure(failure ?? new Error('unit failed')))
      transaction.throwIfEnded() // there is no savepoint to roll back to
      writing.exec('ROLLBACK TO unit')
      writing.exec('RELEASE unit')
    }
  }
}

interface WatchedTransaction extends TransactionGuard {
  begin(): void
  forget(): void
}

/**
 * SQLite ends a transaction by itself if the disk is full or fails; each later statement would then be stored
 * on its own.
 */
function watchTransaction(writer: SqliteConnection): WatchedTransaction {
  let isOpen = false
  let endedBy: unknown
  return {
    begin() {
      isOpen = true
    },
    forget() {
      isOpen = false
      endedBy = undefined
    },
    throwIfEnded() {
      if (endedBy !== undefined) throw endedBy
    },
    noteFailure(failure) {
      if (isOpen && !writer.isTransaction) endedBy = failure
    },
  }
}

/** Reads rows in chunks. There is only one connection: writers wait until the last row is read. */
function readerInChunks({ eachInChunks }: Executor, write: Storage['write']): Reader {
  const each: Reader['each'] = (compilable, take) => write(() => eachInChunks(compilable, take))
  return {
    each,
    all: (compilable) => readAll({ each }, compilable),
    first: async (compilable) => (await readAll({ each }, compilable))[0],
  }
}

/** Analyses what has changed much, also tables that this connection has not read, from some rows of each. */
const OF_ALL_TABLES_IN_SHORT = 0x1_0012

/**
 * Renews statistics of tables that have grown or shrunk much. With those of a few rows, each query of a zone's records
 * would read the records of all zones. Fails if the disk is full or the file is gone.
 */
function optimize(writer: SqliteConnection): void {
  try {
    writer.exec(`PRAGMA optimize = ${OF_ALL_TABLES_IN_SHORT}`)
  } catch {
    // Queries are slower, and it is repeated at the next start and shutdown.
  }
}

/**
 * A commit into deleted files is lost.
 * @throws DomainError: storage.unwritable.
 */
function requireThere(file: DatabaseFile): void {
  if (!file.isThere()) throw new DomainError({ reason: 'storage.unwritable', values: { problem: GONE } })
  file.noteCommit()
}
