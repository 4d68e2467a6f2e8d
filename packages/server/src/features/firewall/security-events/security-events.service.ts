// Security events of a zone: stored before the decision is returned, listed, and deleted by age and number.
import { type Clock, DomainError, type Ids, throwIfIssues } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'
import { requireZone, findZone } from '../../zones/index.ts'
import {
  readCursor,
  readFilter,
  writeCursor,
  type EventFilter,
  type SecurityEvent,
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
  return { record, recordAll, newRayId, list, sweep }

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
    conditions: EventFilter,
    cursor: string | undefined,
    limit: number,
  ): Promise<EventPage> {
    await requireZone(storage, zoneId)
    const { filter, issues } = readFilter(conditions)
    throwIfIssues(issues)
    const after = cursor === undefined ? undefined : readCursor(cursor)
    if (after !== undefined && 'reason' in after) throw new DomainError(after)
    // A combination of filters may scan very many rows: read offloaded, so that other requests do not wait.
    const desired = { filter, keptSince: keptSince(), after, limit: limit + 1 }
    const found = await listEvents(storage.offload, zoneId, desired)
    const events = found.slice(0, limit)
    const last = events.at(-1)
    return { events, after: last === undefined || found.length <= limit ? undefined : writeCursor(last) }
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
