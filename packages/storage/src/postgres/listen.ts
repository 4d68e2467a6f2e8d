// A connection that waits for notifications. They only wake: what they are about is read from the database.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { isNotPermitted, isUnsupported } from './failures.ts'
import { connectTo } from './hosts.ts'
import { CHANNEL } from './lease.ts'

/** After a broken connection. */
const PAUSE_MILLIS = 1_000
/** After LISTEN or NOTIFY was not permitted: rights may be given while a server runs. */
export const NOT_PERMITTED_MILLIS = 10_000
/** A server that does not answer is as good as one that refuses: another host may have taken its place. */
const ANSWER_MILLIS = 5_000
/** The end of a connection is not waited for longer. */
const CLOSE_MILLIS = 1_000

export interface ListenDeps {
  readonly url: string
  /** Called at each notification, and after each connection: some may have been missed before. */
  readonly wake: () => void
  /** Sends a notification, over another connection. */
  readonly notify: () => Promise<unknown>
  /** Called once, if the database has no notifications, or they do not arrive. */
  readonly noteMissing: (problem: string) => void
  /** A notification that has not arrived in this time is lost: there is something in between. */
  readonly arrivalMillis?: number
  /** Pause after LISTEN was not permitted. */
  readonly notPermittedMillis?: number
}

export interface Listener {
  close(): Promise<void>
}

export function listenFor(deps: ListenDeps): Listener {
  const { url, wake, notify, arrivalMillis = ANSWER_MILLIS, notPermittedMillis = NOT_PERMITTED_MILLIS } = deps
  let client: pg.Client | undefined
  let isMissed = false
  let isRefused = false
  let pauseMillis = PAUSE_MILLIS
  const ending = new AbortController()
  const running = run()
  return {
    async close() {
      ending.abort()
      client?.end().catch(() => {}) // it is not used any more
      await Promise.race([running, sleep(CLOSE_MILLIS, undefined, { ref: false })])
    },
  }

  async function run(): Promise<void> {
    while (!ending.signal.aborted && !isRefused) {
      pauseMillis = PAUSE_MILLIS
      await listenOnce()
      await sleep(pauseMillis, undefined, { signal: ending.signal, ref: false }).catch(() => {}) // closed
    }
  }

  /** Resolves when the connection has ended. */
  async function listenOnce(): Promise<void> {
    try {
      const opened = await connectTo(url, {
        connectionTimeoutMillis: ANSWER_MILLIS,
        query_timeout: ANSWER_MILLIS,
        keepAlive: true,
        application_name: 'zonereeve listener',
      })
      client = opened
      const ended = new Promise<void>((resolve) => {
        opened.on('error', () => resolve()) // connected again
        opened.on('end', () => resolve())
      })
      opened.on('notification', () => {
        if (!ending.signal.aborted) wake()
      })
      if (ending.signal.aborted) return
      await subscribe(opened)
      if (ending.signal.aborted) return
      wake()
      if (!isMissed) void probe(opened, ended)
      await ended
    } catch {
      // Connected again, unless LISTEN is refused: the nodes look for changes by themselves.
    } finally {
      await client?.end().catch(() => {}) // as good as ended
      client = undefined
    }
  }

  /** Only this statement can be refused for good. A right may be given later. */
  async function subscribe(opened: pg.Client): Promise<void> {
    try {
      await opened.query(`LISTEN ${CHANNEL}`)
    } catch (failure) {
      isRefused = isUnsupported(failure)
      const isDenied = isNotPermitted(failure)
      if (isDenied) pauseMillis = notPermittedMillis
      if ((isRefused || isDenied) && failure instanceof Error) miss(`LISTEN is refused: ${failure.message}`)
      throw failure
    }
  }

  async function probe(opened: pg.Client, ended: Promise<void>): Promise<void> {
    const arrival = Promise.race([
      new Promise<void>((resolve) => opened.once('notification', () => resolve())),
      ended,
    ]).then(() => true)
    try {
      await notify()
      const limit = sleep(arrivalMillis, false, { signal: ending.signal, ref: false })
      if (!(await Promise.race([arrival, limit]))) miss('notifications do not arrive')
    } catch {
      // The database is away, or listening ends.
    }
  }

  function miss(problem: string): void {
    if (!isMissed) deps.noteMissing(problem)
    isMissed = true
  }
}
