// Security events of a zone: stored before the decision is returned, listed, and deleted by age and number.
import { type Clock, DomainError, type Ids, throwIfIssues } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'
import { requireZone, findZone } from '../../zones/index.ts'
import { barSeconds, barsOf, barStart, unitDigits, type Bar } from './event-bars.rules.ts'
import { countByTime, topValues, type CountedRange, type TopValues } from './event-counts.store.ts'
import {
  readCursor,
  readExclusions,
  readFilter,
  writeCursor,
  type EventFilter,
  type SecurityEvent,
  type SentExclusions,
} from './security-event.rules.ts'
import {
  deleteOldest,
  insertEvent,
  listEvents,
  nextZoneWithEvents,
  surplusSince,
} from './security-events.store.ts'

export interface SecurityEventsDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
  readonly eventRetention: EventRetention
}

/** Retention per zone. */
export interface EventRetention {
  readonly days: number
  /** 0 = nothing is recorded. */
  readonly maxEvents: number
}

export interface EventPage {
  readonly events: readonly SecurityEvent[]
  /** Cursor of the next page; undefined on the last. */
  readonly after: string | undefined
}

/** Conditions as they were sent. */
export type SentFilter = Omit<EventFilter, 'not'> & { readonly not: SentExclusions }

export interface EventSummary {
  /** Start of the first bar. */
  readonly since: string
  readonly until: string
  /** Length of a bar. */
  readonly seconds: number
  readonly bars: Bar[]
  readonly top: TopValues
}

export type SecurityEvents = ReturnType<typeof createSecurityEvents>
export type NewEvent = Omit<SecurityEvent, 'rayId' | 'at'>
/** An event of an edge, which has drawn the ray ID itself. */
export type SentEvent = SecurityEvent

const RAY_ID_DIGITS = 16
const DAY_MILLIS = 86_400_000
/** Maximum events that a sweep deletes per transaction, so that other writes can run in between. */
export const DELETED_PER_TRANSACTION = 1_000
/** Sorts after all times. */
const EVER = 'A'

export function createSecurityEvents({ storage, clock, ids, eventRetention }: SecurityEventsDeps) {
  return { record, recordAll, newRayId, list, summarize, newest, sweep }

  /** A random ray ID; `record` draws another one if it is taken. */
  function newRayId(): string {
    return ids.id().slice(-RAY_ID_DIGITS)
  }

  /**
   * Stores an event; it is durable when the promise resolves. Events recorded at the same time share a commit.
   *
   * @returns its ray ID; undefined if events are not recorded.
   */
  async function record(zoneId: string, event: NewEvent): Promise<string | undefined> {
    if (eventRetention.maxEvents === 0) return undefined
    return storage.write(async (tx) => {
      for (;;) {
        const rayId = newRayId()
        if (await insertEvent(tx, zoneId, { ...event, rayId, at: clock.timestamp() })) return rayId
      }
    })
  }

  /**
   * Stores the events of an edge; they are durable when the promise resolves. Those whose ray ID is known are skipped.
   *
   * @returns the number of stored events: 0 if events are not recorded.
   */
  async function recordAll(zoneId: string, sent: readonly SentEvent[]): Promise<number> {
    if (eventRetention.maxEvents === 0 || sent.length === 0) return 0
    return storage.write(async (tx) => {
      let stored = 0
      for (const event of sent) if (await insertEvent(tx, zoneId, event)) stored += 1
      return stored
    })
  }

  /** Newest first. @throws DomainError: zone.unknown, request.invalid. */
  async function list(
    zoneId: string,
    conditions: SentFilter,
    cursor: string | undefined,
    limit: number,
  ): Promise<EventPage> {
    const { filter } = await rangeOf(zoneId, conditions)
    const after = cursor === undefined ? undefined : readCursor(cursor)
    if (after !== undefined && 'reason' in after) throw new DomainError(after)
    // A combination of filters may scan very many rows: read offloaded, so that other requests do not wait.
    const desired = { filter, keptSince: keptSince(), after, limit: limit + 1 }
    const found = await listEvents(storage.offload, zoneId, desired)
    const events = found.slice(0, limit)
    const last = events.at(-1)
    return { events, after: last === undefined || found.length <= limit ? undefined : writeCursor(last) }
  }

  /** Newest first. @throws DomainError as `list` does. */
  async function newest(
    zoneId: string,
    conditions: SentFilter,
    limit: number,
  ): Promise<readonly SecurityEvent[]> {
    const range = await rangeOf(zoneId, conditions)
    return listEvents(storage.offload, zoneId, { ...range, after: undefined, limit })
  }

  /** @param count maximum number of bars. @throws DomainError as `list` does. */
  async function summarize(zoneId: string, conditions: SentFilter, count: number): Promise<EventSummary> {
    const range = await rangeOf(zoneId, conditions)
    const until = range.filter.until ?? clock.timestamp()
    const oldest = range.filter.since ?? until
    const since = oldest > range.keptSince && oldest < until ? oldest : range.keptSince
    const seconds = barSeconds(Date.parse(since), Date.parse(until), count)
    const counted = await countByTime(storage.offload, zoneId, range, unitDigits(seconds))
    return {
      since: barStart(Date.parse(since), seconds),
      until,
      seconds,
      bars: barsOf(counted, seconds),
      top: await topValues(storage.offload, zoneId, range),
    }
  }

  async function rangeOf(zoneId: string, { not: sent, ...conditions }: SentFilter): Promise<CountedRange> {
    await requireZone(storage, zoneId)
    const { filter, issues } = readFilter(conditions)
    const { not, issues: wrong } = readExclusions(sent)
    throwIfIssues([...issues, ...wrong])
    return { filter: { ...filter, not }, keptSince: keptSince() }
  }

  /**
   * Deletes events that are too old or too many, and those of deleted zones, until `signal` aborts it.
   *
   * @returns the number of deleted events.
   */
  async function sweep(signal?: AbortSignal): Promise<number> {
    let deleted = 0
    let zoneId = await nextZoneWithEvents(storage, '')
    while (zoneId !== undefined && signal?.aborted !== true) {
      deleted += await sweepZone(zoneId, signal)
      zoneId = await nextZoneWithEvents(storage, zoneId)
    }
    return deleted
  }

  async function sweepZone(zoneId: string, signal: AbortSignal | undefined): Promise<number> {
    if ((await findZone(storage, zoneId)) === undefined) return deleteUntil(zoneId, EVER, false, signal)
    const old = await deleteUntil(zoneId, keptSince(), false, signal)
    const surplus = await surplusSince(storage.offload, zoneId, eventRetention.maxEvents)
    return surplus === undefined ? old : old + (await deleteUntil(zoneId, surplus, true, signal))
  }

  async function deleteUntil(
    zoneId: string,
    until: string,
    isInclusive: boolean,
    signal: AbortSignal | undefined,
  ): Promise<number> {
    let deleted = 0
    for (;;) {
      const some = await storage.write((tx) =>
        deleteOldest(tx, zoneId, { until, isInclusive, limit: DELETED_PER_TRANSACTION }),
      )
      deleted += some
      if (some < DELETED_PER_TRANSACTION || signal?.aborted === true) return deleted
    }
  }

  function keptSince(): string {
    return new Date(clock.now() - eventRetention.days * DAY_MILLIS).toISOString()
  }
}
