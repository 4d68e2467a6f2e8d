// A connection that waits for notifications. They only wake: what they are about is read from the database.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { connectTo } from './hosts.ts'
import { CHANNEL } from './lease.ts'

/** After a broken connection. */
const PAUSE_MILLIS = 1_000
/** A server that does not answer is as good as one that refuses: another host may have taken its place. */
const ANSWER_MILLIS = 5_000
/** The end of a connection is not waited for longer. */
const CLOSE_MILLIS = 1_000

/** Calls `wake` at each notification, and after each connection: some may have been missed before. */
export function listenFor(url: string, wake: () => void): { close(): Promise<void> } {
  let client: pg.Client | undefined
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
    while (!ending.signal.aborted) {
      await listenOnce()
      await sleep(PAUSE_MILLIS, undefined, { signal: ending.signal, ref: false }).catch(() => {}) // closed
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
      await opened.query(`LISTEN ${CHANNEL}`)
      if (ending.signal.aborted) return
      wake()
      await ended
    } catch {
      // The nodes look for changes by themselves.
    } finally {
      await client?.end().catch(() => {}) // as good as ended
      client = undefined
    }
  }
}
