// Rows of records, with the JSON text that replies carry kept in step.
import { hash } from 'node:crypto'
import type { Name } from '@zonereeve/dns'
import {
  insertInto,
  query,
  sql,
  updateRecordById,
  type Database,
  type Reader,
  type Transaction,
} from '../../storage/index.ts'
import type { DnsRecord } from './dns-record.ts'
import { joinedStrings, type RecordFields } from './dns-records.rules.ts'
import type { PlacedRecord } from './places.rules.ts'
import { searchForm } from './record-list.store.ts'

/** Longest identity that is kept as it is; longer values are hashed. */
const PLAIN_IDENTITY_BYTES = 40

/** What makes two records of one name and type the same: their value; for TXT the text, however it is cut into strings. */
export function identityOf({ type, rdata }: Pick<RecordFields, 'type' | 'rdata'>): string {
  const value = type === 'TXT' ? joinedStrings(rdata) : Buffer.from(rdata)
  return value.length <= PLAIN_IDENTITY_BYTES ? value.toString('hex') : hash('sha256', value, 'hex')
}

export async function findRecordText(db: Reader, zoneId: string, id: string): Promise<string | undefined> {
  const row = await db.first(
    query
      .selectFrom('dns_records')
      .select('body')
      .where('id', '=', id)
      .where('zone_id', '=', zoneId)
      // Records of a zone that is gone may be there until they are swept.
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('zones').select('zones.id').where('zones.id', '=', zoneId)),
      ),
  )
  return row?.body
}

const VALUES_PER_STATEMENT = 1_000

/** The records at these names, as far as their neighbours are concerned. */
export async function recordsAt(db: Reader, zoneId: string, names: readonly Name[]): Promise<PlacedRecord[]> {
  const placed: PlacedRecord[] = []
  for (let from = 0; from < names.length; from += VALUES_PER_STATEMENT) {
    const some = names.slice(from, from + VALUES_PER_STATEMENT)
    const rows = query
      .selectFrom('dns_records')
      .select([
        'id',
        'name',
        'type',
        'identity',
        'text_search as searchText',
        'proxied',
        'settings',
        sql<number>`length(rdata)`.as('rdataBytes'),
      ])
      .where('zone_id', '=', zoneId)
    const atNames =
      some.length === 1 ? rows.where('name', '=', some[0] ?? '') : rows.where('name', 'in', some)
    await db.each(atNames, (row) =>
      placed.push({
        ...row,
        name: row.name as Name, // only Names are stored
        proxied: row.proxied === 1,
        settings: parseSettings(row.settings),
      }),
    )
  }
  return placed
}

/** Other records at this name; without the one of id `exceptId`. */
export async function siblingsOf(
  db: Reader,
  zoneId: string,
  name: Name,
  exceptId?: string,
): Promise<PlacedRecord[]> {
  return (await recordsAt(db, zoneId, [name])).filter(({ id }) => id !== exceptId)
}

/** A record as {@link recordsAt} would find it. */
export function placedRecord(id: string, fields: RecordFields): PlacedRecord {
  const { name, type, proxied, settings, rdata } = fields
  return {
    id,
    name,
    type,
    identity: identityOf(fields),
    searchText: searchTextOf(fields),
    proxied,
    settings,
    rdataBytes: rdata.length,
  }
}

/** A stored record, most of it as columns. */
export interface StoredRow {
  readonly id: string
  readonly name: Name
  readonly type: string
  readonly identity: string
  readonly ttl: number
  readonly rdata: Uint8Array
  readonly proxied: boolean
  readonly settings: Readonly<Record<string, boolean>>
  readonly comment: string | null
  readonly hasTags: boolean
  readonly body: string
}

/** Records of one type in the order of their names: at most `limit`, those behind `after`. */
export async function pageOfType(
  db: Reader,
  zoneId: string,
  type: string,
  after: Pick<StoredRow, 'name' | 'id'> | undefined,
  limit: number,
): Promise<StoredRow[]> {
  const rows = storedRows(zoneId).where('type', '=', type).orderBy('name').orderBy('id').limit(limit)
  const page =
    after === undefined ? rows : rows.where(sql<boolean>`(name, id) > (${after.name}, ${after.id})`)
  return (await db.all(page)).map(toStoredRow)
}

/** Beside ids: without the plus, the database would rather walk all of the zone than look for each id. */
const inZone = (zoneId: string) => sql<boolean>`+zone_id = ${zoneId}`

/** What a stored record stands at and is, without what only a closer look needs. */
export type RowOutline = Omit<StoredRow, 'rdata' | 'body'>

/** As {@link pageOfType}, without what most callers of a whole zone need not hold. */
export async function outlinesOfType(
  db: Reader,
  zoneId: string,
  type: string,
  after: Pick<StoredRow, 'name' | 'id'> | undefined,
  limit: number,
): Promise<RowOutline[]> {
  const rows = query
    .selectFrom('dns_records')
    .select(OUTLINE_COLUMNS)
    .where('zone_id', '=', zoneId)
    .where('type', '=', type)
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
  const page =
    after === undefined ? rows : rows.where(sql<boolean>`(name, id) > (${after.name}, ${after.id})`)
  return (await db.all(page)).map(toOutline)
}

/** The records of these ids, in no order. */
export async function rowsOfIds(db: Reader, zoneId: string, ids: readonly string[]): Promise<StoredRow[]> {
  const rows = query
    .selectFrom('dns_records')
    .select(STORED_COLUMNS)
    .where('id', 'in', ids)
    .where(inZone(zoneId))
  return (await db.all(rows)).map(toStoredRow)
}

/** All records at these names. */
export async function rowsAtNames(db: Reader, zoneId: string, names: readonly Name[]): Promise<StoredRow[]> {
  const found: StoredRow[] = []
  for (let from = 0; from < names.length; from += VALUES_PER_STATEMENT) {
    const some = names.slice(from, from + VALUES_PER_STATEMENT)
    found.push(...(await db.all(storedRows(zoneId).where('name', 'in', some))).map(toStoredRow))
  }
  return found
}

const OUTLINE_COLUMNS = [
  'id',
  'name',
  'type',
  'identity',
  'ttl',
  'proxied',
  'settings',
  'comment',
  'tags_search',
] as const
const STORED_COLUMNS = [...OUTLINE_COLUMNS, 'rdata', 'body'] as const

const storedRows = (zoneId: string) =>
  query.selectFrom('dns_records').select(STORED_COLUMNS).where('zone_id', '=', zoneId)

function toStoredRow(row: Pick<Database['dns_records'], (typeof STORED_COLUMNS)[number]>): StoredRow {
  return { ...toOutline(row), rdata: row.rdata, body: row.body }
}

function toOutline({
  tags_search: tags,
  ...row
}: Pick<Database['dns_records'], (typeof OUTLINE_COLUMNS)[number]>): RowOutline {
  return {
    ...row,
    name: row.name as Name, // only Names are stored
    proxied: row.proxied === 1,
    settings: parseSettings(row.settings),
    hasTags: tags !== '',
  }
}

/** The records at these names. */
export async function rowsAt(
  db: Reader,
  zoneId: string,
  names: readonly Name[],
): Promise<Pick<StoredRow, 'id' | 'name' | 'type' | 'identity' | 'ttl'>[]> {
  const rows: Pick<StoredRow, 'id' | 'name' | 'type' | 'identity' | 'ttl'>[] = []
  for (let from = 0; from < names.length; from += VALUES_PER_STATEMENT) {
    const some = query
      .selectFrom('dns_records')
      .select(['id', 'name', 'type', 'identity', 'ttl'])
      .where('zone_id', '=', zoneId)
      .where('name', 'in', names.slice(from, from + VALUES_PER_STATEMENT))
    await db.each(some, (row) => rows.push({ ...row, name: row.name as Name })) // only Names are stored
  }
  return rows
}

/** The types that a zone has records of. */
export async function typesOf(db: Reader, zoneId: string): Promise<string[]> {
  const counts = query.selectFrom('record_counts').select('type').where('zone_id', '=', zoneId)
  return (await db.all(counts.where('count', '>', 0))).map(({ type }) => type)
}

const COLUMNS = [
  'zone_id',
  'name',
  'type',
  'content',
  'content_search',
  'text_search',
  'identity',
  'rdata',
  'ttl',
  'proxied',
  'settings',
  'comment',
  'comment_search',
  'tags_search',
  'created_on',
  'modified_on',
  'body',
] as const
const insertRow = insertInto('dns_records', ['id', ...COLUMNS])
const updateRow = updateRecordById(COLUMNS)

/** Inserts a record; {@link addToCounts} is the caller's. */
export async function insertRecord(
  tx: Transaction,
  record: DnsRecord,
  body: string,
  identity = identityOf(record),
): Promise<void> {
  await tx.run(insertRow({ id: record.id, ...columns(record, body), identity }))
}

/** The type of a record does not change. */
export async function updateRecord(
  tx: Transaction,
  record: DnsRecord,
  body: string,
  identity = identityOf(record),
): Promise<void> {
  await tx.run(updateRow(record.id, { ...columns(record, body), identity }))
}

/**
 * Takes records from their places for the rest of the transaction, which must give each a place again: records that
 * come back together can then take each other's.
 */
export async function parkRecords(tx: Transaction, zoneId: string, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += VALUES_PER_STATEMENT) {
    const some = ids.slice(from, from + VALUES_PER_STATEMENT)
    await tx.run(
      query
        .updateTable('dns_records')
        .set(({ ref }) => ({ name: '', identity: ref('id') }))
        .where('id', 'in', some)
        .where(inZone(zoneId)),
    )
  }
}

/** Deletes records; {@link addToCounts} is the caller's. */
export async function deleteRecords(tx: Transaction, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += VALUES_PER_STATEMENT) {
    const some = ids.slice(from, from + VALUES_PER_STATEMENT)
    await tx.run(query.deleteFrom('dns_records').where('id', 'in', some))
    if (ids.length > VALUES_PER_STATEMENT) await tx.pause()
  }
}

/** Moves the zone's counts by type. */
export async function addToCounts(
  tx: Transaction,
  zoneId: string,
  counts: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [type, by] of counts) if (by !== 0) await addToCount(tx, zoneId, type, by)
}

export interface ServedRow {
  readonly id: string
  readonly name: Name
  readonly type: string
  readonly ttl: number
  readonly rdata: Uint8Array
  readonly proxied: boolean
  readonly settings: Readonly<Record<string, boolean>>
}

/** Walks all records of a zone as the nameserver needs them. */
export async function eachServedRow(
  db: Reader,
  zoneId: string,
  take: (row: ServedRow) => void,
): Promise<void> {
  const columns = ['id', 'name', 'type', 'ttl', 'rdata', 'proxied', 'settings'] as const
  const rows = query.selectFrom('dns_records').select(columns).where('zone_id', '=', zoneId)
  // Few different texts stand for the settings of many records.
  const settings = new Map<string, Readonly<Record<string, boolean>>>()
  await db.each(rows, (row) => {
    let parsed = settings.get(row.settings)
    if (parsed === undefined) settings.set(row.settings, (parsed = parseSettings(row.settings)))
    take({ ...row, proxied: row.proxied === 1, settings: parsed, name: row.name as Name }) // only Names are stored
  })
}

const parseSettings = (text: string): Readonly<Record<string, boolean>> =>
  JSON.parse(text) as Record<string, boolean> // written by columns

async function addToCount(tx: Transaction, zoneId: string, type: string, by: number): Promise<void> {
  await tx.run(
    query
      .insertInto('record_counts')
      .values({ zone_id: zoneId, type, count: by })
      .onConflict((conflict) =>
        conflict
          .columns(['zone_id', 'type'])
          .doUpdateSet({ count: sql<number>`record_counts.count + ${by}` }),
      ),
  )
}

const searchTextOf = ({ text }: RecordFields): string | null => text?.toLowerCase() ?? null

function columns(
  record: DnsRecord,
  body: string,
): Omit<Pick<Database['dns_records'], (typeof COLUMNS)[number]>, 'identity'> {
  return {
    zone_id: record.zoneId,
    name: record.name,
    type: record.type,
    content: record.content,
    content_search: searchForm(record.content),
    text_search: searchTextOf(record),
    rdata: record.rdata,
    ttl: record.ttl,
    proxied: record.proxied ? 1 : 0,
    settings: JSON.stringify(record.settings),
    comment: record.comment,
    comment_search: record.comment?.toLowerCase() ?? '',
    tags_search: record.tags.length === 0 ? '' : `\n${record.tags.join('\n').toLowerCase()}\n`,
    created_on: record.createdOn,
    modified_on: record.modifiedOn,
    body,
  }
}
