// Exchanges the counts of rate limits with other edges, through the server: each edge adds what the others have counted.
// Without the server an edge counts alone.
import type { EdgeLog } from './edge-log.ts'
import type { EdgeServer } from './edge-server.ts'

const EXCHANGE_MILLIS = 500
/** Maximum counts that wait for the next exchange; further ones are not shared. */
const MAX_WAITING = 1_000

/** What was counted under a key since the last exchange. */
export interface CountedAmount {
  readonly zoneId: string
  readonly key: string
  readonly periodMillis: number
  readonly amount: number
}

export interface SharedCountsDeps {
  readonly server: Pick<EdgeServer, 'exchangeCounts'>
  readonly log: EdgeLog
  /** Whether any zone has rate limits: otherwise nothing is exchanged. */
  readonly isNeeded: () => boolean
  /** Adds what another edge has counted. */
  readonly add: (count: CountedAmount) => void
}

export function createSharedCounts({ server, log, isNeeded, add }: SharedCountsDeps) {
  const waiting = new Map<string, CountedAmount>()
  let cursor: number | undefined
  let exchanging: Promise<void> | undefined
  let isReported = false
  const stopping = new AbortController()
  const timer = setInterval(() => void exchange(), EXCHANGE_MILLIS).unref()
  return { note, exchange, close }

  function note(count: CountedAmount): void {
    if (count.amount <= 0) return
    const known = waiting.get(count.key)
    if (known === undefined && waiting.size === MAX_WAITING) return
    const amount = (known === undefined ? 0 : known.amount) + count.amount
    waiting.set(count.key, { ...count, amount })
  }

  /** One at a time. A failure is logged once, until an exchange succeeds. */
  function exchange(): Promise<void> {
    if (!isNeeded() && waiting.size === 0) return Promise.resolve()
    exchanging ??= exchangeOnce()
      .then(() => {
        isReported = false
      })
      .catch((error: unknown) => {
        if (!isReported && !stopping.signal.aborted)
          log.warn({ problem: String(error) }, 'counts of rate limits not shared')
        isReported = true
      })
      .finally(() => {
        exchanging = undefined
      })
    return exchanging
  }

  /** What cannot be delivered is not sent again: it would be too old to matter. */
  async function exchangeOnce(): Promise<void> {
    const counts = [...waiting.values()]
    waiting.clear()
    const found = await server.exchangeCounts(cursor, counts, stopping.signal)
    ;({ cursor } = found)
    for (const count of found.counts) add(count)
  }

  async function close(): Promise<void> {
    clearInterval(timer)
    stopping.abort()
    await exchanging
  }
}
