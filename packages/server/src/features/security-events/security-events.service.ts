// Security events of a zone: stored before anybody is told of the decision, listed, and forgotten by age and number.
import type { Clock } from '../../platform/clock.ts'
import { DomainError, refuse } from '../../platform/domain-error.ts'
import type { Ids } from '../../platform/ids.ts'
import type { Storage } from '../../storage/index.ts'
import { demandZone, findZone } from '../zones/index.ts'
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

/** What is kept of each zone. */
export interface EventRetention {
  readonly days: number
  /** 0: nothing is recorded. */
  readonly maxEvents: number
}

export interface EventPage {
  readonly events: readonly SecurityEvent[]
  /** Where the next page starts; undefined on the last. */
  readonly after: string | undefined
}

export type SecurityEvents = ReturnType<typeof createSecurityEvents>
export type NewEvent = Omit<SecurityEvent, 'rayId' | 'at'>

const RAY_ID_DIGITS = 16
const DAY_MILLIS = 86_400_000
/** Events that one transaction of a sweep deletes: others write in between. */
export const DELETED_AT_ONCE = 1_000
/** Later than all times. */
const EVER = 'A'

export function createSecurityEvents({ storage, clock, ids, eventRetention }: SecurityEventsDeps) {
  return { record, newRayId, list, sweep }

  /** Random, and none that an event of any zone has when it is recorded. */
  function newRayId(): string {
    return ids.id().slice(-RAY_ID_DIGITS)
  }

  /**
   * Stores an event; it is durable when the promise resolves. Those that are recorded at the same time share a commit.
   *
   * @returns its ray id; undefined where events are not kept.
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

  /** Newest first. @throws DomainError: zone.unknown, request.invalid. */
  async function list(
    zoneId: string,
    asked: EventFilter,
    cursor: string | undefined,
    limit: number,
  ): Promise<EventPage> {
    await demandZone(storage, zoneId)
    const { filter, issues } = readFilter(asked)
    refuse(issues)
    const after = cursor === undefined ? undefined : readCursor(cursor)
    if (after !== undefined && 'reason' in after) throw new DomainError(after)
    // Several filters together may walk very many rows: aside, where nobody else waits for it.
    const wanted = { filter, keptSince: keptSince(), after, limit: limit + 1 }
    const found = await listEvents(storage.aside, zoneId, wanted)
    const events = found.slice(0, limit)
    const last = events.at(-1)
    return { events, after: last === undefined || found.length <= limit ? undefined : writeCursor(last) }
  }

  /**
   * Deletes what is too old or too much, and what zones that are gone have left, until `signal` ends it.
   *
   * @returns how many events.
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
    const surplus = await surplusSince(storage.aside, zoneId, eventRetention.maxEvents)
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
        deleteOldest(tx, zoneId, { until, isInclusive, limit: DELETED_AT_ONCE }),
      )
      deleted += some
      if (some < DELETED_AT_ONCE || signal?.aborted === true) return deleted
    }
  }

  function keptSince(): string {
    return new Date(clock.now() - eventRetention.days * DAY_MILLIS).toISOString()
  }
}
