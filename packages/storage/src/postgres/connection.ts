// One connection to PostgreSQL that is opened when it is needed, and again after it broke. Its queries run one
// after another.
import pg from 'pg'
import type { CompiledQuery, Compilable } from 'kysely'
import { compileFor } from '../engine.ts'
import { Batch, endNow, nothingPrepared, type Result, type Statement, TakeError } from './batch.ts'
import { isLost, isOfOldPlan, postgresFailure } from './failures.ts'
import { connectTo } from './hosts.ts'
import { TYPES } from './values.ts'

/** A server that does not answer is as good as one that refuses. */
const CONNECT_MILLIS = 5_000
/** A connection whose other end is gone without notice never fails by itself. */
const QUERY_MILLIS = 120_000
/** Rows that arrive before the next are requested, unless queries are sent ahead: those arrive all at once. */
const ROWS_IN_TRANSIT = 500
/** With so many, a batch is sent: the server works while the program makes the next ones. */
const STATEMENTS_TOGETHER = 32
/**
 * After so many, statements are planned again: the server keeps plans that it made for tables without rows until its
 * autovacuum collects statistics (`autovacuum_naptime`), and these may read whole zones in the meantime.
 */
const PLANNED_AGAIN: ReadonlySet<number> = new Set([2_000, 20_000, 200_000])
/** Statements that a connection keeps prepared; further ones are prepared each time. */
const STATEMENTS_KEPT = 500

export interface ConnectionOptions {
  readonly url: string
  /** Statements that a new connection runs first. */
  readonly setup?: string
  /** A pooler that changes connections between transactions cannot keep prepared statements. */
  readonly keepsStatements: boolean
  /** A query without an answer for so long has failed, and the connection with it. */
  readonly limitMillis?: number
  /** While it is held, queries are sent without waiting for the replies to those before them. */
  readonly sendsAhead?: boolean
}

export interface Connection {
  query(query: Compilable<unknown> | CompiledQuery, take?: (row: object) => void): Promise<Result>
  /** Runs statements without parameters in one round trip. @returns the rows of all of them. */
  exec(statements: string): Promise<readonly object[]>
  /** Runs a statement without parameters, together with the queries that are sent before and after it: not at all if one failed. */
  command(statement: string): Promise<Result>
  /** Opens the connection, unless it is open. */
  open(): Promise<void>
  /** From now on, queries fail if the connection breaks: their transaction has ended with it. */
  hold(): void
  /** From now on, the next query opens a new connection if this one broke. */
  release(): void
  /** Ends the connection, which rolls back its transaction. */
  reset(): void
  close(): Promise<void>
}

export function createConnection(options: ConnectionOptions): Connection {
  const { url, setup, keepsStatements, limitMillis = QUERY_MILLIS, sendsAhead = false } = options
  const nameOf = createStatementNames()
  let client: pg.Client | undefined
  let prepared = nothingPrepared()
  let batch: Batch | undefined
  let turn: Promise<unknown> = Promise.resolve()
  let isHeld = false
  let isClosed = false
  let statements = 0

  return {
    open: () => inTurn(async () => {}),
    hold() {
      isHeld = true
    },
    release() {
      isHeld = false
    },
    async query(query, take) {
      const compiled = 'sql' in query ? query : compileFor('postgres', query)
      return inTurn((to) => send(to, compiled, take))
    },
    exec: (statements) =>
      inTurn(async (to) => {
        flush()
        return rowsOf(await to.query(limitTime({ text: statements }, limitMillis)))
      }),
    command: (text) => inTurn((to) => submit(to, plainStatement(text))),
    reset,
    async close() {
      isClosed = true
      await turn.catch(() => {}) // reported to its caller
      const ended = client
      client = undefined
      await ended?.end().catch(() => {}) // it is not used any more
    },
  }

  function inTurn<Value>(work: (to: pg.Client) => Promise<Value>): Promise<Value> {
    if (isClosed) return Promise.reject(new Error('the database is closed'))
    const done = isHeld && sendsAhead ? attempt(work) : turn.then(() => attempt(work))
    turn = done.catch(() => {}) // reported to its caller
    return done
  }

  async function attempt<Value>(work: (to: pg.Client) => Promise<Value>): Promise<Value> {
    let used: pg.Client | undefined
    try {
      if (client === undefined && isHeld) throw new Error('the connection broke during the transaction')
      used = client ??= await open()
      return await work(used)
    } catch (failure) {
      // Of several queries, the last may fail when there is a new connection.
      if (!(failure instanceof TakeError) && isLost(failure) && client === used) reset()
      // Nothing was read yet, and a new connection has no old plans. A transaction is repeated by its owner.
      if (isOfOldPlan(failure) && !isHeld) {
        reset()
        return work((client = await open()))
      }
      throw failure instanceof TakeError ? failure.cause : postgresFailure(failure)
    }
  }

  async function open(): Promise<pg.Client> {
    const opened = await connectTo(
      url,
      {
        connectionTimeoutMillis: CONNECT_MILLIS,
        keepAlive: true,
        application_name: 'zonereeve',
        pipeline: sendsAhead,
        types: TYPES,
      },
      limitMillis,
    )
    opened.on('error', () => {
      // Broken while idle; a query in progress fails on its own.
      if (client === opened) reset()
    })
    if (setup !== undefined) await opened.query(setup)
    prepared = nothingPrepared()
    statements = 0
    return opened
  }

  function reset(): void {
    const broken = client
    client = undefined
    if (broken !== undefined) endNow(broken)
  }

  async function send(
    to: pg.Client,
    { sql: text, parameters }: CompiledQuery,
    take: ((row: object) => void) | undefined,
  ): Promise<Result> {
    const name = keepsStatements ? nameOf(text) : undefined
    statements += 1
    if (keepsStatements && PLANNED_AGAIN.has(statements)) planAgain(to)
    if (sendsAhead || take === undefined) return submit(to, { text, name, values: parameters, take })
    // The driver has a list of its own of what is prepared: these have other names.
    const named = name === undefined ? {} : { name: `${name}_streamed` }
    return stream(to, { text, values: [...parameters], rows: ROWS_IN_TRANSIT, ...named }, take)
  }

  function planAgain(to: pg.Client): void {
    submit(to, plainStatement('DISCARD PLANS')).catch(() => {}) // the statement after it fails, too
  }

  /** With others in a batch, if queries are sent ahead. */
  function submit(to: pg.Client, statement: Statement): Promise<Result> {
    const used = batchFor(to)
    const reply = used.add(statement)
    if (!sendsAhead || used.size === STATEMENTS_TOGETHER) flush()
    return reply
  }

  /** What is sent before the next wait for a reply leaves together. */
  function batchFor(to: pg.Client): Batch {
    if (batch !== undefined) return batch
    batch = new Batch({ to, prepared, limitMillis })
    // After the promises that are settled already, and with them the unit that sends.
    process.nextTick(flush)
    return batch
  }

  function flush(): void {
    const ready = batch
    batch = undefined
    ready?.send()
  }
}

/** The driver knows this member; its types do not. */
const limitTime = (config: pg.QueryConfig, limitMillis: number) => ({ ...config, query_timeout: limitMillis })

/**
 * Without the driver's time limit: with it, the driver collects all rows, and reports no failure. The connection is
 * ended instead.
 */
function stream(
  to: pg.Client,
  config: pg.QueryConfig & { readonly rows: number },
  take: (row: object) => void,
): Promise<Result> {
  let failure: Error | undefined
  let count = 0
  const running = new pg.Query<object>(config)
  let reject: (reason: Error) => void = () => {}
  const silence = setTimeout(() => {
    endNow(to)
    reject(new Error('the database sends no more rows'))
  }, QUERY_MILLIS)
  running.on('row', (row: object) => {
    silence.refresh()
    if (failure !== undefined) return
    try {
      take(row)
      count += 1
    } catch (thrown) {
      failure = new TakeError('', { cause: thrown })
    }
  })
  const ended = new Promise<Result>((resolve, rejectIt) => {
    reject = rejectIt
    running.on('error', (thrown: Error) => {
      // The driver sends none after an error while it asks for rows: without, the server would wait for it forever.
      to.connection.sync()
      rejectIt(thrown)
    })
    running.on('end', () => {
      if (failure === undefined) resolve({ rows: [], count, tag: 'SELECT' })
      else rejectIt(failure)
    })
  })
  to.query(running)
  return ended.finally(() => clearTimeout(silence))
}

const plainStatement = (text: string): Statement => ({ text, name: undefined, values: [], take: undefined })

/** The name of a statement as a connection prepares it; undefined if it has enough others. */
function createStatementNames() {
  const names = new Map<string, string>()
  return (text: string): string | undefined => {
    const known = names.get(text)
    if (known !== undefined || names.size >= STATEMENTS_KEPT) return known
    const name = `zonereeve_${names.size}`
    names.set(text, name)
    return name
  }
}

const rowsOf = (result: unknown): readonly object[] =>
  [result].flat().flatMap((one) => (one as pg.QueryResult<object>).rows) // one for each statement
