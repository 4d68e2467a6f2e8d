// Rows of records, with the JSON text for replies stored beside the columns.
import { hash } from 'node:crypto'
import { chunksOf } from '@zonereeve/cooperate'
import { decodeRdata, rdataToText, type Name } from '@zonereeve/dns'
import {
  checksum,
  byEngine,
  type Database,
  type Place,
  placeIn,
  prepare,
  query,
  readAt,
  type Reader,
  RECORD_JSON,
  sql,
  type Transaction,
  writeAt,
} from '@zonereeve/storage'
import type { DnsRecord } from './dns-record.ts'
import { joinedStrings, type RecordFields } from './dns-records.rules.ts'
import type { IndexedRecord } from './neighbors.rules.ts'
import { type RecordRow, requireWholeBody } from './record-body.store.ts'
import { parseSettings, servedChecksum } from './served-rows.store.ts'
import { SIGNATURE_TYPE } from './types/opaque.ts'

/** Longest identity stored in plain; longer values are hashed. */
const PLAIN_IDENTITY_BYTES = 40

/**
 * Identity of a record within its name and type: its value. For TXT the joined text, however it is split into
 * strings.
 */
export function identityOf({ type, rdata }: Pick<RecordFields, 'type' | 'rdata'>): string {
  const value = type === 'TXT' ? joinedStrings(rdata) : Buffer.from(rdata)
  return value.length <= PLAIN_IDENTITY_BYTES ? value.toString('hex') : hash('sha256', value, 'hex')
}

/** Finds a record with all its columns. Its body may be damaged or disagree with the columns. */
export const findRecordRow = (db: Reader, zoneId: string, id: string): Promise<RecordRow | undefined> =>
  readAt(db, placeIn('dns_records', 'id', id, zoneId), () => db.first(rowOf({ zoneId, id })))

const rowOf = prepare(({ zoneId, id }: { zoneId: string; id: string }) =>
  query
    .selectFrom('dns_records')
    .selectAll()
    .select(RECORD_JSON.as('body'))
    .where('id', '=', id)
    .where('zone_id', '=', zoneId),
)

/** Where this record is read, of all that {@link findRecordRow} and {@link recordsAt} read. */
export const placesOf = ({ zoneId, id, name }: Pick<DnsRecord, 'zoneId' | 'id' | 'name'>) =>
  [placeIn('dns_records', 'id', id, zoneId), placeIn('dns_records', zoneId, name)] as const

export async function findRecordText(db: Reader, zoneId: string, id: string): Promise<string | undefined> {
  const row = await db.first(
    query
      .selectFrom('dns_records')
      .select([RECORD_JSON.as('body'), 'body_checksum'])
      .where('id', '=', id)
      .where('zone_id', '=', zoneId)
      // Records of a deleted zone may exist until they are swept.
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('zones').select('zones.id').where('zones.id', '=', zoneId)),
      ),
  )
  if (row === undefined) return undefined
  requireWholeBody({ id, body: row.body, body_checksum: row.body_checksum })
  return row.body
}

const VALUES_PER_STATEMENT = 1_000

/** Returns the records at these names, with the fields needed for coexistence checks. */
export async function recordsAt(
  db: Reader,
  zoneId: string,
  names: readonly Name[],
): Promise<IndexedRecord[]> {
  const [name, ...others] = names
  if (name !== undefined && others.length === 0)
    return readAt(db, placeIn('dns_records', zoneId, name), () =>
      indexedOf(db, indexedAtName({ zoneId, name })),
    )
  const indexed: IndexedRecord[] = []
  for (const some of chunksOf(names, VALUES_PER_STATEMENT))
    indexed.push(...(await indexedOf(db, indexedRows(zoneId).where('name', 'in', some))))
  return indexed
}

async function indexedOf(db: Reader, rows: ReturnType<typeof indexedAtName>): Promise<IndexedRecord[]> {
  const indexed: IndexedRecord[] = []
  await db.each(rows, (row) =>
    indexed.push({
      ...row,
      name: row.name as Name, // only Names are stored
      proxied: row.proxied === 1,
      settings: parseSettings(row.settings),
    }),
  )
  return indexed
}

const indexedRows = (zoneId: string) =>
  query
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

const indexedAtName = prepare(({ zoneId, name }: { zoneId: string; name: Name }) =>
  indexedRows(zoneId).where('name', '=', name),
)

/** Returns the other records at this name, except the one with id `exceptId`. */
export async function siblingsOf(
  db: Reader,
  zoneId: string,
  name: Name,
  exceptId?: string,
): Promise<IndexedRecord[]> {
  return (await recordsAt(db, zoneId, [name])).filter(({ id }) => id !== exceptId)
}

/** Converts a record to what {@link recordsAt} returns for it. */
export function indexedRecord(
  id: string,
  fields: RecordFields,
  identity = identityOf(fields),
): IndexedRecord {
  const { name, type, proxied, settings, rdata } = fields
  return {
    id,
    name,
    type,
    identity,
    searchText: searchTextOf(fields),
    proxied,
    settings,
    rdataBytes: rdata.length,
  }
}

/** A stored record, mostly as columns. */
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

/**
 * For queries by id: the unary plus stops the database from scanning the whole zone instead of looking up each id.
 */
const inZone = (zoneId: string) =>
  byEngine({
    sqlite: sql<boolean>`+zone_id = ${zoneId}`,
    postgres: sql<boolean>`zone_id = ${zoneId}`,
  })

/** The name and value of a stored record, without the columns that only full reads need. */
export type RowOutline = Omit<StoredRow, 'rdata' | 'body'>

/** Records of one type ordered by name: at most `limit`, starting behind `after`. */
function rowsOfType(
  zoneId: string,
  type: string,
  after: Pick<StoredRow, 'name' | 'id'> | undefined,
  limit: number,
) {
  const all = query.selectFrom('dns_records').where('zone_id', '=', zoneId).where('type', '=', type)
  const rows = all.orderBy('name').orderBy('id').limit(limit)
  return after === undefined ? rows : rows.where(sql<boolean>`(name, id) > (${after.name}, ${after.id})`)
}

export const pageOfType = async (db: Reader, ...page: Parameters<typeof rowsOfType>): Promise<StoredRow[]> =>
  (await db.all(rowsOfType(...page).select(STORED_COLUMNS))).map(toStoredRow)

/** Like {@link pageOfType}, without the columns that most readers of a whole zone do not need. */
export const outlinesOfType = async (
  db: Reader,
  ...page: Parameters<typeof rowsOfType>
): Promise<RowOutline[]> => (await db.all(rowsOfType(...page).select(OUTLINE_COLUMNS))).map(toOutline)

/** Returns the records with these ids, in no particular order. */
export async function rowsOfIds(db: Reader, zoneId: string, ids: readonly string[]): Promise<StoredRow[]> {
  const rows = query
    .selectFrom('dns_records')
    .select(STORED_COLUMNS)
    .where('id', 'in', ids)
    .where(inZone(zoneId))
  return (await db.all(rows)).map(toStoredRow)
}

/** Returns all records at these names. */
export async function rowsAtNames(db: Reader, zoneId: string, names: readonly Name[]): Promise<StoredRow[]> {
  const found: StoredRow[] = []
  for (const some of chunksOf(names, VALUES_PER_STATEMENT))
    found.push(...(await db.all(storedRows(zoneId).where('name', 'in', some))).map(toStoredRow))
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
const STORED_COLUMNS = [...OUTLINE_COLUMNS, 'rdata', RECORD_JSON.as('body'), 'body_checksum'] as const

const storedRows = (zoneId: string) =>
  query.selectFrom('dns_records').select(STORED_COLUMNS).where('zone_id', '=', zoneId)

type StoredColumn = (typeof OUTLINE_COLUMNS)[number] | 'rdata' | 'body' | 'body_checksum'

function toStoredRow(row: Pick<RecordRow, StoredColumn>): StoredRow {
  requireWholeBody(row)
  return { ...toOutline(row), rdata: row.rdata, body: row.body }
}

function toOutline(row: Pick<Database['dns_records'], (typeof OUTLINE_COLUMNS)[number]>): RowOutline {
  const { id, type, identity, ttl, comment } = row
  return {
    id,
    name: row.name as Name, // only Names are stored
    type,
    identity,
    ttl,
    proxied: row.proxied === 1,
    settings: parseSettings(row.settings),
    comment,
    hasTags: row.tags_search !== '',
  }
}

/** Returns the records at these names. */
export async function rowsAt(
  db: Reader,
  zoneId: string,
  names: readonly Name[],
): Promise<Pick<StoredRow, 'id' | 'name' | 'type' | 'identity' | 'ttl'>[]> {
  const rows: Pick<StoredRow, 'id' | 'name' | 'type' | 'identity' | 'ttl'>[] = []
  for (const some of chunksOf(names, VALUES_PER_STATEMENT)) {
    const found = query
      .selectFrom('dns_records')
      .select(['id', 'name', 'type', 'identity', 'ttl'])
      .where('zone_id', '=', zoneId)
      .where('name', 'in', some)
    await db.each(found, (row) => rows.push({ ...row, name: row.name as Name })) // only Names are stored
  }
  return rows
}

/** Returns the types that the zone has records of. */
export async function typesOf(db: Reader, zoneId: string): Promise<string[]> {
  const counts = query.selectFrom('record_counts').select('type').where('zone_id', '=', zoneId)
  return (await db.all(counts.where('count', '>', 0))).map(({ type }) => type)
}

const countOfType = prepare(({ zoneId, type }: { zoneId: string; type: string }) =>
  query.selectFrom('record_counts').select('count').where('zone_id', '=', zoneId).where('type', '=', type),
)

/** Returns whether the zone has records of a type. */
export function hasType(db: Reader, zoneId: string, type: string): Promise<boolean> {
  return readAt(db, placeIn('record_counts', zoneId, type), async () => {
    const row = await db.first(countOfType({ zoneId, type }))
    return row !== undefined && row.count > 0
  })
}

/** Whether the zone has the signatures of its primary. */
export const isSignedByPrimary = (db: Reader, zoneId: string): Promise<boolean> =>
  hasType(db, zoneId, SIGNATURE_TYPE)

/** Names read before yielding to the event loop. */
const OWNERS_CHUNK_SIZE = 5_000

/** Calls `take` with each name that has records, and their number. Parked records are skipped. */
export async function eachOwner(
  tx: Transaction,
  zoneId: string,
  take: (name: Name, records: number) => void,
): Promise<void> {
  const owners = query
    .selectFrom('dns_records')
    .select(({ fn }) => ['name', fn.countAll<number>().as('records')])
    .where('zone_id', '=', zoneId)
    .groupBy('name')
    .orderBy('name')
    .limit(OWNERS_CHUNK_SIZE)
  let last = ''
  for (let read = OWNERS_CHUNK_SIZE; read === OWNERS_CHUNK_SIZE;) {
    const chunk = await tx.all(owners.where('name', '>', last))
    for (const { name, records } of chunk) take(name as Name, records) // only Names are stored
    read = chunk.length
    last = chunk.at(-1)?.name ?? last
    await tx.yieldIfDue()
  }
}

/**
 * Parks records: removes them from their names for the rest of the transaction, which must give each a name again.
 * Records restored together can so take each other's names.
 */
export async function parkRecords(tx: Transaction, zoneId: string, ids: readonly string[]): Promise<void> {
  for (const some of chunksOf(ids, VALUES_PER_STATEMENT)) {
    await tx.run(
      query
        .updateTable('dns_records')
        // The JSON is made of the name. The checksum is written together with the new name.
        .set(({ ref }) => ({ name: '', identity: ref('id'), stored_body: RECORD_JSON }))
        .where('id', 'in', some)
        .where(inZone(zoneId)),
    )
    await tx.yieldIfDue()
  }
}

/** Deletes records. The caller must call `addToCounts`. @param places where all of them are, if that is known */
export async function deleteRecords(
  tx: Transaction,
  ids: readonly string[],
  ...places: readonly Place[]
): Promise<void> {
  for (const some of chunksOf(ids, VALUES_PER_STATEMENT)) {
    const deletion = query.deleteFrom('dns_records').where('id', 'in', some)
    await tx.submit(places.length === 0 ? deletion : writeAt(deletion, ...places))
    await tx.yieldIfDue()
  }
}

/** The proxied records of a zone that have an address or name of an origin, by name. */
export async function proxiedRecords(
  db: Reader,
  zoneId: string,
): Promise<readonly { readonly name: string; readonly type: ProxiedType; readonly content: string }[]> {
  const rows = await db.all(
    query
      .selectFrom('dns_records')
      .select(['name', 'type', 'rdata'])
      .where('zone_id', '=', zoneId)
      .where('proxied', '=', 1)
      .where('type', 'in', PROXIED_TYPES)
      .orderBy('name')
      .orderBy('id'),
  )
  return rows.map(({ name, type: stored, rdata }) => {
    const type = stored as ProxiedType // selected by it
    return { name, type, content: rdataToText(type, decodeRdata(type, rdata)) }
  })
}

const PROXIED_TYPES = ['A', 'AAAA', 'CNAME'] as const
type ProxiedType = (typeof PROXIED_TYPES)[number]

/** Whether the row has both checksums, and they match. */
export const areChecksumsRight = (row: RecordRow): boolean =>
  row.served_checksum === servedChecksum(row) && row.body_checksum === checksum(row.id, row.body)

/** Form of a TXT for filters; null for other types. */
export const searchTextOf = ({ text }: RecordFields): string | null => text?.toLowerCase() ?? null
