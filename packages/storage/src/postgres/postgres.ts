// PostgreSQL behind the Storage interface: one writer, as with SQLite, so that units run one after another and
// changes are committed in the order of their positions. Units that wait share a commit. What they will read is read for
// all of them at once, writes are not waited for, and units have no savepoints: in the rare case that one fails after it
// has written, the transaction is run again with more care.
import { setTimeout as sleep } from 'node:timers/promises'
import { createYieldIfDue, yieldNow } from '@zonereeve/cooperate'
import { DomainError, type Log } from '@zonereeve/platform'
import { UNFINISHED } from '../copy-side.ts'
import { createMoveCheck, MoveRefusal, parseMove } from '../database-move.ts'
import { rawQuery } from '../engine.ts'
import { sql } from '../query.ts'
import { type Memory, openMemory } from '../row-memory.ts'
import type { Storage, Transaction } from '../storage.ts'
import { createWaitingUnit, type Hook, runHooks, type WaitingUnit } from '../units.ts'
import { createConnection, type Connection } from './connection.ts'
import { createCommitMarks } from './commit-marks.ts'
import {
  isLost,
  isSerialization,
  isUnknownTransaction,
  postgresFailure,
  RETRY_AFTER_SECONDS,
} from './failures.ts'
import { createLease, type Lease, LEASE_TIMES, type LeaseTimes, takeLease } from './lease.ts'
import { type ListenDeps, listenFor } from './listen.ts'
import { isUnfinishedCopy, layFoundation, migrate } from './migrate.ts'
import { createNode, join, type Node, type NodeRole, proofOf } from './node.ts'
import { losesSessions } from './pooler.ts'
import { createReaders, type Readers } from './readers.ts'
import { createSentStatements, type SentStatements } from './sent-statements.ts'
import { type Care, createUnitRunner, RolledBack, throwFailure, UnitFailed } from './shared-transaction.ts'

/** Maximum units per commit: limits how long the first of them waits for the last. */
const UNITS_PER_COMMIT = 256
/** Of the event loop, if units wait already. */
const TURNS_BETWEEN_COMMITS = 2
/** How long units have savepoints after one had to be run again without. */
const CAREFUL_MILLIS = 1_000
const READERS = 4
const OFFLOADED_READERS = 2
/** Offloaded reads may scan very many rows, but not forever. */
const OFFLOADED_MILLIS = 100_000
const READ_ONLY = 'SET default_transaction_read_only = on'
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED'
/** Waits for the writer of another process, and shows whether this one still holds the lease. */
const LOCK =
  'SELECT holder, move, pg_current_xact_id()::text AS transaction FROM server_lock WHERE id = 1 FOR UPDATE'
interface Locked {
  readonly holder: string | null
  /** JSON. */
  readonly move: string | null
  readonly transaction: string
}
const ONE = rawQuery(sql<object>`select 1 as one`)
/** Maximum wait for the outcome of a commit whose connection broke; later, its callers get an error. */
const OUTCOME_MILLIS = 5_000
const OUTCOME_PAUSE_MILLIS = 250
const PROOF_PAUSE_MILLIS = 1_000

export interface PostgresOptions {
  /** Holds the lease of the database: only one server at a time. */
  readonly isServer?: boolean
  /** This server is one of several nodes; all have the same secret. */
  readonly node?: { readonly secret: string; readonly onlyFollows?: boolean } | undefined
  readonly times?: LeaseTimes
  /** Maximum time of an offloaded read. */
  readonly offloadedMillis?: number
}

/** A database, and which part this server has among its nodes. */
export interface PostgresStorage extends Storage {
  readonly node: NodeRole | undefined
}

/** A commit whose connection broke before its reply: it is durable, or nothing of it is. */
interface OpenCommit {
  readonly transaction: string
  readonly mark: number
  readonly hooks: readonly Hook[]
}

/**
 * Opens (and migrates) the database.
 * @throws Error: the server does not answer, the database has another encoding or a newer schema, or another
 * server uses it
 */
export async function openPostgres(
  givenUrl: string,
  log: Log,
  {
    isServer = false,
    node: nodeOptions,
    times = LEASE_TIMES,
    offloadedMillis = OFFLOADED_MILLIS,
  }: PostgresOptions = {},
): Promise<PostgresStorage> {
  const { url, keepsStatements, listens } = await usableOptions(readOptions(givenUrl), log)
  const writer = createConnection({ url, keepsStatements, sendsAhead: true })
  let node: Node | undefined
  const proof = nodeOptions && proofOf(nodeOptions.secret)
  const onlyFollows = nodeOptions?.onlyFollows === true
  // Queries of a connection whose other end is gone without notice would wait for minutes.
  let resetAll = (): void => {}
  const lease = isServer
    ? createLease({ url, log, times, proof, lost: () => node?.noteLoss(), cutOff: () => resetAll() })
    : undefined
  try {
    await layFoundation(writer)
    if (isServer && (await isUnfinishedCopy(writer))) throw new Error(UNFINISHED)
    if (lease !== undefined && proof !== undefined) await join(lease, writer, { proof, onlyFollows })
    else {
      if (lease !== undefined) await takeLease(lease)
      await migrate(writer)
    }
  } catch (failure) {
    await lease?.release()
    await writer.close()
    throw explainFailure(url, failure)
  }
  if (lease !== undefined && proof !== undefined) {
    const listen = listens ? (deps: Omit<ListenDeps, 'url'>) => listenFor({ url, ...deps }) : undefined
    node = createNode({ lease, log, listen, onlyFollows })
  }
  // A pooler gives a connection to others: it keeps no settings.
  const [readOnly, limited] = keepsStatements
    ? [READ_ONLY, `${READ_ONLY}; SET statement_timeout = ${offloadedMillis}`]
    : []
  const readers = createReaders({ url, keepsStatements, ...(readOnly && { setup: readOnly }) }, READERS)
  const offloaded = createReaders(
    { url, keepsStatements, ...(limited && { setup: limited }) },
    OFFLOADED_READERS,
  )
  resetAll = () => [writer, readers, offloaded].forEach((one) => one.reset())
  return createPostgresStorage({ writer, readers, offloaded, lease, node, log })
}

/** Parameters of ours, which the driver must not see. */
function readOptions(given: string): Options {
  const url = new URL(given)
  const isOff = (name: string): boolean => {
    const value = url.searchParams.get(name)
    url.searchParams.delete(name)
    return value === 'off'
  }
  const keepsStatements = !isOff('prepared_statements')
  return { keepsStatements, listens: !isOff('listen'), url: url.href }
}

interface Options {
  readonly url: string
  readonly keepsStatements: boolean
  readonly listens: boolean
}

/** Behind a pooler that changes connections, what sessions keep is switched off. @throws Error: as openPostgres */
async function usableOptions(options: Options, log: Log): Promise<Options> {
  const { url, keepsStatements, listens } = options
  if (!keepsStatements && !listens) return options
  const isChanging = await losesSessions(url).catch((failure: unknown) => {
    throw explainFailure(url, postgresFailure(failure))
  })
  if (!isChanging) return options
  log.info(
    { remedy: 'prepared_statements=off&listen=off' },
    'a pooler changes connections between transactions: no prepared statements, and no notifications',
  )
  return { url, keepsStatements: false, listens: false }
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
  readonly readers: Readers
  readonly offloaded: Readers
  readonly lease: Lease | undefined
  readonly node: Node | undefined
  readonly log: Log
}

function createPostgresStorage({
  writer,
  readers,
  offloaded,
  lease,
  node,
  log,
}: StorageDeps): PostgresStorage {
  const waiting: WaitingUnit[] = []
  let committing: Promise<void> | undefined
  let open: OpenCommit | undefined
  let closed = false
  let failing = false
  let proving = false
  const { readAhead, runUnit, sendDeferred } = createUnitRunner(writer)
  /** Until then, units have savepoints: one that fails late may come again. */
  let carefulUntil = 0
  // A node that is stopped or cut off in a transaction must not keep its successor waiting.
  const idleMillis = node === undefined || lease === undefined ? 0 : lease.times.silenceMillis
  const marks = createCommitMarks()
  const throwIfMoving = createMoveCheck(log)

  return {
    ...readers,
    engine: 'postgres',
    node: node?.role,
    offload: offloaded,
    write,
    healthy,
    async close() {
      while (committing !== undefined || waiting.length > 0) await yieldNow().then(() => committing)
      closed = true
      await node?.close()
      await lease?.release()
      await writer.exec(marks.forget).catch(() => {}) // forgotten later by another server
      await Promise.all([writer.close(), readers.close(), offloaded.close()])
    },
  }

  function write<Result>(
    unit: (tx: Transaction) => Promise<Result>,
    readAhead?: WaitingUnit['readAhead'],
  ): Promise<Result> {
    if (closed) return Promise.reject(new Error('the database is closed'))
    const { waiting: entry, result } = createWaitingUnit(unit, readAhead)
    enqueue(entry)
    return result
  }

  async function healthy(): Promise<boolean> {
    if (failing) proveWriting()
    if (closed || failing) return false
    return readers.first(ONE).then(
      () => true,
      () => false,
    )
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

  function mayGather(): boolean {
    return waiting.length > 0 && waiting.length < UNITS_PER_COMMIT
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      committing = commit(waiting.splice(0, UNITS_PER_COMMIT))
      await committing
      committing = undefined
      // Requests that have arrived meanwhile are read, and share the next commit. Units that wait are never taken away:
      // as long as there is one, `enqueue` begins nothing.
      for (let turn = 0; turn < TURNS_BETWEEN_COMMITS && mayGather(); turn++) await yieldNow()
    }
  }

  async function commit(units: readonly WaitingUnit[]): Promise<void> {
    let tried = await tryCommit(units, performance.now() < carefulUntil ? 'savepoints' : 'together')
    // Nothing of this transaction is stored.
    while (tried.next !== undefined) tried = await tryCommit(units, tried.next)
    const { failures, hooks } = tried
    if (open === undefined) await runHooks(hooks, log)
    for (const unit of units) unit.settle(failures.get(unit))
    if (failures.size < units.length) node?.noteCommit()
  }

  /** @returns in `next` how to repeat it, if that can help. */
  async function tryCommit(units: readonly WaitingUnit[], care: Care) {
    const failures = new Map<WaitingUnit, unknown>()
    const hooks: Hook[] = []
    const sent = createSentStatements()
    let next: Care | undefined
    try {
      if (open !== undefined) await finish(open)
      const memory = openMemory()
      memory.unitsAfter = units.length
      const { isWriter, ...started } = await beginReading(care === 'replies' ? [] : units, memory)
      const beganAt = performance.now()
      const shared = {
        units: units.length,
        failures,
        hooks,
        isWriter,
        sent,
        care,
        beganAt,
        deferred: new Map(),
        written: 0,
        memory,
      }
      const yieldIfDue = createYieldIfDue()
      for (const [index, unit] of units.entries()) {
        shared.memory.unitsAfter = units.length - index - 1
        await runUnit(unit, shared)
        await yieldIfDue()
      }
      // If every unit failed, there is nothing to store.
      if (failures.size === units.length) await writer.exec('ROLLBACK')
      else {
        sendDeferred(shared)
        await end({ ...started, hooks }, sent)
      }
      noteSuccess()
    } catch (failure) {
      next = await nextCare(failure, care, sent)
      // What can be read, is: load balancers must not take this server out.
      const isOutage = !isSerialization(failure) && !(failure instanceof MoveRefusal)
      if (next === undefined && isOutage) noteFailure(failure)
      for (const unit of units) failures.set(unit, failures.get(unit) ?? failure)
      if (open === undefined) hooks.length = 0
    } finally {
      writer.release()
    }
    return { failures, hooks, next }
  }

  /** Ends the transaction that failed. */
  async function nextCare(failure: unknown, care: Care, sent: SentStatements): Promise<Care | undefined> {
    if (failure instanceof UnitFailed) {
      carefulUntil = performance.now() + CAREFUL_MILLIS
      await writer.exec('ROLLBACK').catch(() => writer.reset())
      return 'savepoints'
    }
    if (failure instanceof MoveRefusal) {
      await writer.exec('ROLLBACK').catch(() => writer.reset())
      return undefined
    }
    writer.reset()
    if (care === 'replies') return undefined
    // Another one was in the way, or a write failed, or a read whose failure a unit has concealed.
    const isOfUnit = failure instanceof RolledBack || (failure === (await sent.failure()) && !isLost(failure))
    return isOfUnit || isSerialization(failure) ? 'replies' : undefined
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

  /** Begins a transaction, and reads ahead, without a wait between the two. */
  async function beginReading(units: readonly WaitingUnit[], memory: Memory) {
    await writer.open()
    writer.hold()
    const [begun, read] = await Promise.allSettled([begin(), readAhead(units, memory)])
    if (begun.status === 'rejected') throw begun.reason
    if (read.status === 'rejected') throw read.reason
    return begun.value
  }

  async function begin(): Promise<Omit<OpenCommit, 'hooks'> & { readonly isWriter: boolean }> {
    const { mark, statement } = marks.next()
    const [, , locked] = await Promise.all([
      writer.command(BEGIN),
      writer.command(`SET LOCAL idle_in_transaction_session_timeout = ${idleMillis}`),
      writer.command(LOCK),
      writer.command(statement),
    ])
    const [row] = locked.rows as readonly Locked[] // as selected
    if (row === undefined) throw new Error('server_lock has no row')
    const { holder, transaction } = row
    throwIfMoving(parseMove(row.move))
    // While a node takes the lease, it has not applied all changes of the node before.
    if (lease === undefined || holder === lease.holder)
      return { transaction, mark, isWriter: node?.role.isWriter() ?? true }
    // A node that follows writes what is not in the change log, in turn with the others.
    if (node !== undefined && !lease.isHeld()) return { transaction, mark, isWriter: false }
    lease.noteLoss()
    throw new DomainError({
      reason: 'storage.unwritable',
      values: { problem: 'another server uses this database now; stop one of them' },
    })
  }

  async function end(last: OpenCommit, sent: SentStatements): Promise<void> {
    // The server does not know of a statement that could not be sent, and would commit the others.
    sent.throwKnown()
    open = last
    let tag: string
    try {
      ;({ tag } = await writer.command('COMMIT'))
    } catch (failure) {
      writer.release()
      // An error of the server is its reply: of the commit, or of a write before it.
      const outcome = isLost(failure) ? await waitForOutcome(last) : 'aborted'
      if (outcome !== undefined) open = undefined
      if (outcome === 'aborted') throw (await sent.failure()) ?? failure
      if (outcome === undefined)
        throw unavailable('the connection broke during the commit: the change may be stored')
      return
    }
    open = undefined
    // If a statement failed, the commit was a rollback.
    await throwFailure(sent)
    if (tag !== 'COMMIT') throw new RolledBack('the database has rolled the transaction back')
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
  async function outcomeOf({ transaction, mark }: OpenCommit): Promise<'committed' | 'aborted' | undefined> {
    try {
      // Two statements: the second sees all that had ended when the first was run.
      const [first, second] = (await writer.exec(
        `SELECT pg_xact_status('${transaction}'::xid8) AS status; ${marks.last}`,
      )) as [{ status: string | null }, { mark: number }?] // as selected
      if (first.status === 'in progress') return undefined
      return first.status === 'committed' && second?.mark === mark ? 'committed' : 'aborted'
    } catch (failure) {
      if (isUnavailable(failure)) return undefined
      if (isUnknownTransaction(failure)) return 'aborted'
      log.error({ err: failure, transaction }, 'outcome of a commit unknown: restart the server')
      return 'aborted'
    }
  }

  /** Before anything else is written: the hooks of a commit run before those of the next. */
  async function finish(last: OpenCommit): Promise<void> {
    const outcome = await outcomeOf(last)
    if (outcome === undefined) throw unavailable('the outcome of the last commit is not known yet')
    open = undefined
    if (outcome === 'committed') await runHooks(last.hooks, log)
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
