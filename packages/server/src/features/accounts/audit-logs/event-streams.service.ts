// Streams of the audit log: entries after a number, then each new one. Open streams share one timer, which looks for new
// entries in the database: so they see those of every process, and a stream that reads slowly does not delay others.
import { createChangeSignal } from '@zonereeve/cooperate'
import { DomainError, type Log } from '@zonereeve/platform'
import type { LinkedEntry } from '@zonereeve/audit'
import type { Storage } from '@zonereeve/storage'
import { entriesOf, lastEntry, logStart } from '../../changes/index.ts'

export const MAX_STREAMS = 100
/** A stream ends, and its client connects again: a token that was revoked meanwhile is refused then. */
const STREAM_MILLIS = 5 * 60_000
const POLL_MILLIS = 200
/** Proxies and clients take a connection without any data for dead. */
const HEARTBEAT_MILLIS = 15_000
const CHUNK_SIZE = 200

/** What a stream sends: an entry; the number after which entries exist; or a sign of life. */
type Step = { readonly entry: LinkedEntry } | { readonly gapBefore: number } | { readonly alive: true }

export interface EventStreamsDeps {
  readonly storage: Storage
  readonly log: Log
}

export type EventStreams = ReturnType<typeof createEventStreams>

export function createEventStreams({ storage, log }: EventStreamsDeps) {
  const changes = createChangeSignal()
  let openStreams = 0
  let isClosed = false
  let newest = 0
  let poll: NodeJS.Timeout | undefined
  return { follow, close }

  /**
   * All entries after a number, or those about changes of a zone, without the addresses of their clients. Without a
   * number, those that are appended from now on.
   *
   * @throws DomainError: audit.streams.
   */
  function follow(
    zoneId: string | undefined,
    after: number | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<Step> {
    if (openStreams >= MAX_STREAMS)
      throw new DomainError({ reason: 'audit.streams', values: { limit: MAX_STREAMS } })
    return steps(zoneId, after, signal)
  }

  async function* steps(
    zoneId: string | undefined,
    after: number | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<Step> {
    const endsAt = performance.now() + STREAM_MILLIS
    openStreams += 1
    poll ??= setInterval(() => void look(), POLL_MILLIS).unref()
    try {
      const { first, end } = await bounds()
      let number = after ?? end
      if (number > end || number < first) {
        number = number > end ? end : first
        yield { gapBefore: number }
      } else yield { alive: true }
      for (;;) {
        // Read before the entries: what is appended meanwhile ends the wait at once.
        const seen = Math.max(newest, (await lastEntry(storage)).number)
        for (;;) {
          const entries = await entriesOf(storage.offload, zoneId, number, CHUNK_SIZE)
          for (const entry of entries)
            yield { entry: zoneId === undefined ? entry : { ...entry, address: null } }
          const last = entries.at(-1)
          if (last !== undefined) number = last.number
          if (last === undefined || isClosed) break
        }
        if (isClosed || signal.aborted || performance.now() >= endsAt) return
        number = Math.max(number, seen)
        if (newest <= number && !(await changes.changeWithin(HEARTBEAT_MILLIS, signal))) yield { alive: true }
      }
    } finally {
      openStreams -= 1
      if (openStreams === 0) {
        clearInterval(poll)
        poll = undefined
      }
    }
  }

  async function bounds(): Promise<{ readonly first: number; readonly end: number }> {
    return { first: (await logStart(storage)).number, end: (await lastEntry(storage)).number }
  }

  async function look(): Promise<void> {
    try {
      const { number } = await lastEntry(storage)
      if (number === newest) return
      newest = number
      changes.announce()
    } catch (failure) {
      log.debug({ err: failure }, 'events not read') // streams wait until the database answers again
    }
  }

  /** Ends all streams. */
  function close(): void {
    isClosed = true
    changes.announce()
  }
}
