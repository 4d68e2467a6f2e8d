// PostgreSQL behind the Storage interface: one writer, as with SQLite, so that units run one after another and
// changes are committed in the order of their positions. Units that wait share a commit.
import { setTimeout as sleep } from 'node:timers/promises'
import { createYieldIfDue, yieldNow } from '@zonereeve/cooperate'
import { DomainError, type Log } from '@zonereeve/platform'
import { rawQuery } from '../engine.ts'
import { sql } from '../query.ts'
import type { Reader, Storage, Transaction } from '../storage.ts'
import { createWaitingUnit, type Hook, runHook, type WaitingUnit } from '../units.ts'
import { createConnection, type Connection } from './connection.ts'
import { RETRY_AFTER_SECONDS } from './failures.ts'
import { type Lease, takeLease } from './lease.ts'
import { migrate } from './migrate.ts'
import { createReaders, readerOf } from './readers.ts'

/** Maximum units per commit: limits how long the first of them waits for the last. */
const UNITS_PER_COMMIT = 256
const READERS = 4
const OFFLOADED_READERS = 2
/** Offloaded reads may scan very many rows, but not forever. */
const OFFLOADED_MILLIS = 100_000
const READ_ONLY = 'SET default_transaction_read_only = on'
/** Waits for the writer of another process, and shows whether this one still holds the lease. */
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED;
  SELECT holder, pg_current_xact_id()::text AS transaction FROM server_lock WHERE id = 1 FOR UPDATE;
  SAVEPOINT unit`
const NEXT_UNIT = 'RELEASE SAVEPOINT unit; SAVEPOINT unit'
const ROLL_BACK_UNIT = 'ROLLBACK TO SAVEPOINT unit'
const ONE = rawQuery(sql<object>`select 1 as one`)
/** Maximum wait for the outcome of a commit whose connection broke; later, its callers get an error. */
const OUTCOME_MILLIS = 5_000
const OUTCOME_PAUSE_MILLIS = 250
const PROOF_PAUSE_MILLIS = 1_000

export interface PostgresOptions {
  /** Holds the lease of the database: only one server at a time. */
  readonly isServer?: boolean
}

/** A commit whose connection broke before its reply: it is durable, or nothing of it is. */
interface OpenCommit {
  readonly transaction: string
  readonly hooks: readonly Hook[]
}

/**
 * Opens (and migrates) the database.
 * @throws Error: the server does not answer, the database has another encoding or a newer schema, or another
 * server uses it
 */
export async function openPostgres(
  url: string,
  log: Log,
  { isServer = false }: PostgresOptions = {},
): Promise<Storage> {
  const keepsStatements = new URL(url).searchParams.get('prepared_statements') !== 'off'
  const writer = createConnection({ url, keepsStatements })
  let lease: Lease | undefined
  try {
    await migrate(writer)
    lease = isServer ? await takeLease({ url, log }) : undefined
  } catch (failure) {
    await writer.close()
    throw explainFailure(url, failure)
  }
  const readers = createReaders({ url, keepsStatements, setup: READ_ONLY }, READERS)
  const setup = `${READ_ONLY}; SET statement_timeout = ${OFFLOADED_MILLIS}`
  const offloaded = createReaders({ url, keepsStatements, setup }, OFFLOADED_READERS)
  return createPostgresStorage({ writer, readers, offloaded, lease, log })
}

/** Without the password. */
function explainFailure(url: string, failure: unknown): Error {
  const { host, pathname } = new URL(url)
  const problem =
    failure instanceof DomainError
      ? String(failure.issues[0].values?.['problem'] ?? failure.message)
      : failure instanceof Error
        ? failure.message
        : String(failure)
  return new Error(`database postgres://${host}${pathname}: ${problem}`, { cause: failure })
}

interface StorageDeps {
  readonly writer: Connection
  readonly readers: Reader & { close(): Promise<void> }
  readonly offloaded: Reader & { close(): Promise<void> }
  readonly lease: Lease | undefined
  readonly log: Log
}

function createPostgresStorage({ writer, readers, offloaded, lease, log }: StorageDeps): Storage {
  const waiting: WaitingUnit[] = []
  let committing: Promise<void> | undefined
  let open: OpenCommit | undefined
  let closed = false
  let failing = false
  let proving = false
  const writing = readerOf(writer)

  return {
    ...readers,
    engine: 'postgres',
    offload: offloaded,
    write,
    async healthy() {
      if (failing) proveWriting()
      return (
        !closed &&
        !failing &&
        (await readers.first(ONE).then(
          () => true,
          () => false,
        ))
      )
    },
    async close() {
      while (committing !== undefined || waiting.length > 0) await yieldNow().then(() => committing)
      closed = true
      await lease?.release()
      await Promise.all([writer.close(), readers.close(), offloaded.close()])
    },
  }

  function write<Result>(unit: (tx: Transaction) => Promise<Result>): Promise<Result> {
    if (closed) return Promise.reject(new Error('the database is closed'))
    const { waiting: entry, result } = createWaitingUnit(unit)
    enqueue(entry)
    return result
  }

  /** Clients that see an unhealthy storage may stop sending writes. */
  function proveWriting(): void {
    if (closed || proving) return
    proving = true
    enqueue({
      rehearsed: false,
      run: async () => {},
      settle() {
        proving = false
      },
    })
  }

  function enqueue(unit: WaitingUnit): void {
    waiting.push(unit)
    if (waiting.length === 1 && committing === undefined) setImmediate(() => void drain())
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      committing = commit(waiting.splice(0, UNITS_PER_COMMIT))
      await committing
      committing = undefined
    }
  }

  async function commit(units: readonly WaitingUnit[]): Promise<void> {
    const failures = new Map<WaitingUnit, unknown>()
    const hooks: Hook[] = []
    try {
      if (open !== undefined) await finish(open)
      const transaction = await begin()
      for (const [index, unit] of units.entries()) {
        if (index > 0) await writer.exec(NEXT_UNIT)
        await runUnit(unit, failures, hooks)
      }
      // If every unit failed, there is nothing to store.
      if (failures.size === units.length) await writer.exec('ROLLBACK')
      else await end({ transaction, hooks })
      noteSuccess()
    } catch (failure) {
      writer.reset()
      noteFailure(failure)
      for (const unit of units) failures.set(unit, failures.get(unit) ?? failure)
      if (open === undefined) hooks.length = 0
    } finally {
      writer.release()
    }
    if (open === undefined) await runHooks(hooks)
    for (const unit of units) unit.settle(failures.get(unit))
  }

  function noteSuccess(): void {
    if (failing) log.info({}, 'database can be written again')
    failing = false
  }

  function noteFailure(failure: unknown): void {
    if (!failing) log.error({ err: failure }, 'database cannot be written')
    failing = true
    // Hooks of a commit whose outcome is unknown must not wait for the next change.
    if (open !== undefined) setTimeout(proveWriting, PROOF_PAUSE_MILLIS).unref()
  }

  async function begin(): Promise<string> {
    const [row] = (await writer.exec(BEGIN)) as { holder: string | null; transaction: string }[] // as selected
    writer.hold()
    if (row === undefined) throw new Error('server_lock has no row')
    if (lease !== undefined && row.holder !== lease.holder)
      throw new DomainError({
        reason: 'storage.unwritable',
        values: { problem: 'another server uses this database now; stop one of them' },
      })
    return row.transaction
  }

  async function runUnit(
    unit: WaitingUnit,
    failures: Map<WaitingUnit, unknown>,
    hooks: Hook[],
  ): Promise<void> {
    const ownHooks: Hook[] = []
    try {
      await unit.run({
        ...writing,
        run: async (compilable) => (await writer.query(compilable)).count,
        onCommit: (hook) => void ownHooks.push(hook),
        yieldIfDue: createYieldIfDue(),
      })
      if (unit.rehearsed) await writer.exec(ROLL_BACK_UNIT)
      else hooks.push(...ownHooks)
    } catch (failure) {
      failures.set(unit, failure ?? new Error('unit failed'))
      await writer.exec(ROLL_BACK_UNIT)
    }
  }

  async function end(last: OpenCommit): Promise<void> {
    open = last
    try {
      await writer.exec('COMMIT')
      open = undefined
    } catch (failure) {
      writer.release()
      const outcome = isUnavailable(failure) ? await waitForOutcome(last) : 'aborted'
      if (outcome !== undefined) open = undefined
      if (outcome === 'aborted') throw failure
      if (outcome === undefined)
        throw unavailable('the connection broke during the commit: the change may be stored')
    }
  }

  /** The database knows whether a commit whose reply was lost is durable. */
  async function waitForOutcome(last: OpenCommit): Promise<'committed' | 'aborted' | undefined> {
    for (let waited = 0; waited < OUTCOME_MILLIS; waited += OUTCOME_PAUSE_MILLIS) {
      const outcome = await outcomeOf(last)
      if (outcome !== undefined) return outcome
      await sleep(OUTCOME_PAUSE_MILLIS)
    }
    return undefined
  }

  /** @returns undefined if the database does not answer, or the transaction has not ended yet. */
  async function outcomeOf({ transaction }: OpenCommit): Promise<'committed' | 'aborted' | undefined> {
    try {
      const [row] = await writer.exec(`SELECT pg_xact_status('${transaction}'::xid8) AS status`)
      const { status } = row as { status: string | null } // as selected
      return status === 'in progress' ? undefined : status === 'committed' ? 'committed' : 'aborted'
    } catch (failure) {
      if (isUnavailable(failure)) return undefined
      log.error({ err: failure, transaction }, 'outcome of a commit unknown: restart the server')
      return 'aborted'
    }
  }

  /** Before anything else is written: the hooks of a commit run before those of the next. */
  async function finish(last: OpenCommit): Promise<void> {
    const outcome = await outcomeOf(last)
    if (outcome === undefined) throw unavailable('the outcome of the last commit is not known yet')
    open = undefined
    if (outcome === 'committed') await runHooks(last.hooks)
  }

  async function runHooks(hooks: readonly Hook[]): Promise<void> {
    for (const hook of hooks) {
      const rest = runHook(hook, log)
      if (rest !== undefined) await rest
    }
  }
}

const unavailable = (problem: string): DomainError =>
  new DomainError({
    reason: 'storage.unavailable',
    values: { problem },
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })

const isUnavailable = (failure: unknown): boolean =>
  failure instanceof DomainError && failure.issues[0].reason === 'storage.unavailable'
