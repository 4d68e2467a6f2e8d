// What happened to the inventory: new, changed and reported resources, kept longer than the resources themselves.
import { query, template, type Database, type Reader, type Transaction } from '../../storage/index.ts'

export type EventKind =
  | 'script.new'
  | 'script.changed'
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
  const rows = await db.all(wanted.selectAll().orderBy('number', 'desc').offset(offset).limit(limit))
  const counted = await db.first(wanted.select(({ fn }) => fn.countAll<number>().as('count')))
  return { events: rows.map(fromRow), totalCount: counted?.count ?? 0 }
}

/** Deletes events older than `before`, and the oldest of too many. @returns how many. */
export async function deleteOldEvents(tx: Transaction, zoneId: string, before: string): Promise<number> {
  const own = () => query.deleteFrom('page_shield_events').where('zone_id', '=', zoneId)
  const old = await tx.run(own().where('at', '<', before))
  const tooMany = query
    .selectFrom('page_shield_events')
    .select('number')
    .where('zone_id', '=', zoneId)
    .orderBy('number', 'desc')
    .offset(MAX_EVENTS)
    .limit(1)
  const newestToGo = (await tx.first(tooMany))?.number
  return newestToGo === undefined ? old : old + (await tx.run(own().where('number', '<=', newestToGo)))
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
