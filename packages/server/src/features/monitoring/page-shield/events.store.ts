// Events of the inventory: new, changed and reported resources. They are kept longer than the resources.
import { countRows, query, type Reader, tables, type Transaction } from '@zonereeve/storage'
import type { Cutoffs } from './life-cycle.rules.ts'
import type { ResourceKind } from './resources.rules.ts'

export type EventKind =
  | `${ResourceKind}.${'new' | 'reported' | 'cleared'}`
  | 'script.changed'
  | 'script.bytes_changed'
  | 'script.unfetched'
  | 'script.inactive'
  | 'script.analysis_ended'
  | 'page.headers_changed'
  | 'page.scripts_changed'
  | 'page.policy_drift'
  | 'page.failed'

export interface InventoryEvent {
  readonly zoneId: string
  readonly at: string
  readonly kind: EventKind
  readonly resourceId: string
  readonly url: string
  readonly host: string
  readonly pageUrl: string
  readonly previousHash: string | null
  readonly hash: string | null
}

export interface NumberedEvent extends InventoryEvent {
  readonly number: number
}

/** Maximum events stored per zone, whatever their age: limits what hostile reports can pile up. */
export const MAX_EVENTS = 100_000

const events = tables.page_shield_events.of<InventoryEvent>()

export const insertEvent = (tx: Transaction, event: InventoryEvent): Promise<void> => events.insert(tx, event)

const toNumberedEvent = (event: InventoryEvent, { number }: { readonly number: number }): NumberedEvent => ({
  number,
  ...event,
})

export interface EventQuery {
  readonly kind: EventKind | undefined
  readonly offset: number
  readonly limit: number
}

/** A page of events, newest first, and the total. */
export async function listEvents(
  db: Reader,
  zoneId: string,
  { kind, offset, limit }: EventQuery,
): Promise<{ readonly events: readonly NumberedEvent[]; readonly totalCount: number }> {
  const own = query.selectFrom('page_shield_events').where('zone_id', '=', zoneId)
  const desired = kind === undefined ? own : own.where('kind', '=', kind)
  const page = desired.selectAll().orderBy('number', 'desc').offset(offset).limit(limit)
  return {
    events: await events.readable(db, page, toNumberedEvent),
    totalCount: await countRows(db, desired),
  }
}

/** The oldest events after a number. */
export async function eventsAfter(
  db: Reader,
  zoneId: string,
  number: number,
  limit: number,
): Promise<readonly NumberedEvent[]> {
  const own = query.selectFrom('page_shield_events').selectAll().where('zone_id', '=', zoneId)
  return events.all(db, own.where('number', '>', number).orderBy('number').limit(limit), toNumberedEvent)
}

/** 0 if the zone has no events. */
export async function lastEventNumber(db: Reader, zoneId: string): Promise<number> {
  const own = query.selectFrom('page_shield_events').where('zone_id', '=', zoneId)
  const newest = await db.first(own.select('number').orderBy('number', 'desc').limit(1))
  return newest === undefined ? 0 : newest.number
}

/** Reported hashes of a script that were never fetched and that an event was already emitted for. */
export async function reportedUnfetched(
  db: Reader,
  zoneId: string,
  scriptId: string,
): Promise<ReadonlySet<string>> {
  const rows = await db.all(ofScript(zoneId, scriptId, 'script.unfetched').select('hash').distinct())
  return new Set(rows.map(({ hash }) => hash).filter((hash) => hash !== null))
}

/** When a browser was last reported to run never-fetched content of a script; undefined = never. */
export async function lastUnfetched(
  db: Reader,
  zoneId: string,
  scriptId: string,
): Promise<string | undefined> {
  const own = ofScript(zoneId, scriptId, 'script.unfetched').select('at')
  return (await db.first(own.orderBy('at', 'desc').limit(1)))?.at
}

/** The same for every script of a zone. */
export async function unfetchedTimes(db: Reader, zoneId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db.all(
    query
      .selectFrom('page_shield_events')
      .select('resource_id')
      .select(({ fn }) => fn.max('at').as('at'))
      .where('zone_id', '=', zoneId)
      .where('kind', '=', 'script.unfetched')
      .groupBy('resource_id'),
  )
  return new Map(rows.map(({ resource_id: id, at }) => [id, at]))
}

/** SHA-256 digests of contents of a script that were replaced without a new version; latest only. */
export async function replacedContents(db: Reader, zoneId: string, scriptId: string): Promise<string[]> {
  const replaced = ofScript(zoneId, scriptId, 'script.bytes_changed').select('previous_hash')
  const rows = await db.all(replaced.orderBy('number', 'desc').limit(REPLACED_KNOWN))
  return rows.map((row) => row.previous_hash).filter((hash) => hash !== null)
}

/** Browsers cache scripts for months; the limit is for contents that change with each fetch. */
const REPLACED_KNOWN = 100

const ofScript = (zoneId: string, scriptId: string, kind: EventKind) =>
  query
    .selectFrom('page_shield_events')
    .where('zone_id', '=', zoneId)
    .where('resource_id', '=', scriptId)
    .where('kind', '=', kind)

/** Inactive scripts without an event since a browser last reported them. */
export async function silentScripts(
  db: Reader,
  zoneId: string,
  cutoffs: Cutoffs,
  limit: number,
): Promise<readonly SilentScript[]> {
  return db.all(
    query
      .selectFrom('page_shield_resources')
      .select(['id', 'url', 'host', 'first_page_url as firstPageUrl', 'hash'])
      .where('zone_id', '=', zoneId)
      .where('kind', '=', 'script')
      .where('page_views', '>=', cutoffs.activePageViews)
      .where('last_seen_at', '<', cutoffs.inactiveBefore)
      .where('last_seen_at', '>=', cutoffs.eventsForgottenBefore)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('page_shield_events')
              .select('number')
              .whereRef('resource_id', '=', 'page_shield_resources.id')
              .where('page_shield_events.kind', '=', 'script.inactive')
              .whereRef('at', '>', 'last_seen_at'),
          ),
        ),
      )
      .limit(limit),
  )
}

export interface SilentScript {
  readonly id: string
  readonly url: string
  readonly host: string
  readonly firstPageUrl: string
  readonly hash: string | null
}

/**
 * Deletes up to `limit` events older than `before` or beyond the maximum, oldest first.
 * @returns how many.
 */
export async function deleteOldEvents(
  tx: Transaction,
  zoneId: string,
  before: string,
  limit: number,
): Promise<number> {
  const own = () => query.selectFrom('page_shield_events').select('number').where('zone_id', '=', zoneId)
  const remove = (numbers: ReturnType<typeof own>) =>
    tx.run(query.deleteFrom('page_shield_events').where('number', 'in', numbers))
  const old = await remove(own().where('at', '<', before).limit(limit))
  const tooMany = own().orderBy('number', 'desc').offset(MAX_EVENTS).limit(1)
  const newestToGo = (await tx.first(tooMany))?.number
  if (newestToGo === undefined) return old
  return (
    old +
    (await remove(
      own()
        .where('number', '<=', newestToGo)
        .limit(limit - old),
    ))
  )
}
