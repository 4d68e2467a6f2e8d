// What happened to the inventory: new, changed and reported resources, kept longer than the resources themselves.
import { query, template, type Database, type Reader, type Transaction } from '../../storage/index.ts'
import type { Cutoffs } from './life-cycle.rules.ts'

export type EventKind =
  | 'script.new'
  | 'script.changed'
  | 'script.bytes_changed'
  | 'script.unfetched'
  | 'script.inactive'
  | 'script.analysis_ended'
  | 'script.reported'
  | 'script.cleared'
  | 'connection.new'
  | 'connection.reported'
  | 'connection.cleared'

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

/** Events of a zone that are kept, whatever their age: bounds what hostile reports can pile up. */
export const MAX_EVENTS = 100_000

const insertion = template(
  query.insertInto('page_shield_events').values({
    zone_id: '',
    at: '',
    kind: '',
    resource_id: '',
    url: '',
    host: '',
    page_url: '',
    previous_hash: null,
    hash: null,
  }),
)

export async function insertEvent(tx: Transaction, event: InventoryEvent): Promise<void> {
  const { zoneId, at, kind, resourceId, url, host, pageUrl, previousHash, hash } = event
  await tx.run(insertion([zoneId, at, kind, resourceId, url, host, pageUrl, previousHash, hash]))
}

export interface EventQuery {
  readonly kind: EventKind | undefined
  readonly offset: number
  readonly limit: number
}

/** Newest first, and how many there are. */
export async function listEvents(
  db: Reader,
  zoneId: string,
  { kind, offset, limit }: EventQuery,
): Promise<{ readonly events: readonly NumberedEvent[]; readonly totalCount: number }> {
  const own = query.selectFrom('page_shield_events').where('zone_id', '=', zoneId)
  const wanted = kind === undefined ? own : own.where('kind', '=', kind)
  const events: NumberedEvent[] = []
  const page = wanted.selectAll().orderBy('number', 'desc').offset(offset).limit(limit)
  await db.each(page, (row) => void events.push(fromRow(row)))
  const counted = await db.first(wanted.select(({ fn }) => fn.countAll<number>().as('count')))
  return { events, totalCount: counted?.count ?? 0 }
}

/** The oldest events behind a number. */
export async function eventsAfter(
  db: Reader,
  zoneId: string,
  number: number,
  limit: number,
): Promise<readonly NumberedEvent[]> {
  const own = query.selectFrom('page_shield_events').selectAll().where('zone_id', '=', zoneId)
  return (await db.all(own.where('number', '>', number).orderBy('number').limit(limit))).map(fromRow)
}

/** 0 where a zone has no events. */
export async function lastEventNumber(db: Reader, zoneId: string): Promise<number> {
  const own = query.selectFrom('page_shield_events').where('zone_id', '=', zoneId)
  return (await db.first(own.select(({ fn }) => fn.max('number').as('number'))))?.number ?? 0
}

/** Hashes that browsers reported of a script and that events told of, as they were never fetched. */
export async function toldUnfetched(
  db: Reader,
  zoneId: string,
  scriptId: string,
): Promise<ReadonlySet<string>> {
  const rows = await db.all(ofScript(zoneId, scriptId, 'script.unfetched').select('hash').distinct())
  return new Set(rows.flatMap(({ hash }) => hash ?? []))
}

/** When it was last noticed that a browser ran a content of a script that was never fetched; undefined = never. */
export async function lastUnfetched(
  db: Reader,
  zoneId: string,
  scriptId: string,
): Promise<string | undefined> {
  const own = ofScript(zoneId, scriptId, 'script.unfetched').select(({ fn }) => fn.max('at').as('at'))
  return (await db.first(own))?.at ?? undefined
}

/** The same of every script of a zone. */
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

/** Contents of a script that others took the place of without being another version: SHA-256, the latest of them. */
export async function replacedContents(db: Reader, zoneId: string, scriptId: string): Promise<string[]> {
  const replaced = ofScript(zoneId, scriptId, 'script.bytes_changed').select('previous_hash')
  const rows = await db.all(replaced.orderBy('number', 'desc').limit(REPLACED_KNOWN))
  return rows.flatMap(({ previous_hash: hash }) => hash ?? [])
}

/** Browsers keep what they loaded for months; a content that changes with each fetch is no reason to read them all. */
const REPLACED_KNOWN = 100

const ofScript = (zoneId: string, scriptId: string, kind: EventKind) =>
  query
    .selectFrom('page_shield_events')
    .where('zone_id', '=', zoneId)
    .where('resource_id', '=', scriptId)
    .where('kind', '=', kind)

/** Scripts that became inactive, and that no event told of since a browser met them last. */
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

/** Deletes up to `limit` events that are older than `before`, or the oldest of too many. @returns how many. */
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

const fromRow = (
  row: Omit<Database['page_shield_events'], 'number'> & { number: number },
): NumberedEvent => ({
  number: row.number,
  zoneId: row.zone_id,
  at: row.at,
  kind: row.kind as EventKind, // written by insertEvent
  resourceId: row.resource_id,
  url: row.url,
  host: row.host,
  pageUrl: row.page_url,
  previousHash: row.previous_hash,
  hash: row.hash,
})
