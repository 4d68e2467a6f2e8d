// Writing the rows of records: most records of a change differ in few of their columns.
import {
  checksum,
  createBlockInsert,
  prepare,
  query,
  sql,
  tables,
  type Transaction,
  writeAt,
} from '@zonereeve/storage'
import { type DnsRecord, settingsText } from './dns-record.ts'
import { identityOf, placesOf, searchTextOf } from './dns-records.store.ts'
import { shortBody } from './record-body.store.ts'
import { storedSearchForm } from './record-list.store.ts'
import { shownTime } from './record-time.ts'
import { servedChecksum } from './served-rows.store.ts'

type StoredFields = 'id' | 'zoneId' | 'name' | 'type' | 'content' | 'rdata' | 'ttl' | 'proxied' | 'settings'

interface StoredRecord extends Pick<DnsRecord, StoredFields | 'comment' | 'createdOn' | 'modifiedOn'> {
  readonly contentSearch: string
  readonly textSearch: string | null
  readonly identity: string
  readonly commentSearch: string
  readonly tagsSearch: string
  readonly storedBody: string
  readonly zoneNameLength: number
  readonly shownType: string
  readonly shownSettings: string
  readonly servedChecksum: number | null
  readonly bodyChecksum: number | null
}

const records = tables.dns_records.of<StoredRecord>()

/** Inserts a record. The caller must call `addToCounts`. */
export function insertRecord(
  tx: Transaction,
  record: DnsRecord,
  body: string,
  identity = identityOf(record),
): Promise<void> {
  return insertStored(tx, storedRecord(record, body, identity))
}

function insertStored(tx: Transaction, stored: StoredRecord): Promise<void> {
  const insert = isPlain(stored) ? insertOf(stored) : undefined
  const places = placesOf(stored)
  return insert === undefined
    ? records.insert(tx, stored, ...places)
    : tx.submit(writeAt(insert(stored), ...places))
}

/** A record to insert, with its JSON for replies. */
export interface NewRecord {
  readonly record: DnsRecord
  readonly body: string
  readonly identity: string
}

/** Inserts records in their order. The caller must call `addToCounts`. */
export async function insertRecords(tx: Transaction, added: readonly NewRecord[]): Promise<void> {
  let plain: StoredRecord[] = []
  for (const { record, body, identity } of added) {
    const stored = storedRecord(record, body, identity)
    if (isPlain(stored)) {
      plain.push(stored)
      continue
    }
    await insertPlain(tx, plain)
    plain = []
    await records.insert(tx, stored)
  }
  await insertPlain(tx, plain)
}

/**
 * Updates a record. Its type does not change.
 * @param before what its columns hold, if that is known
 */
export async function updateRecord(
  tx: Transaction,
  record: DnsRecord,
  body: string,
  identity = identityOf(record),
  before?: DnsRecord,
): Promise<void> {
  const places = before === undefined ? [] : [...placesOf(before), ...placesOf(record)]
  await records.update(tx, storedRecord(record, body, identity), ...places)
}

/** Most records: those created without comment and tags, and not proxied. */
const isPlain = ({ comment, tagsSearch, modifiedOn, proxied }: StoredRecord): boolean =>
  comment === null && tagsSearch === '' && modifiedOn === '' && !proxied

const hasSearchForms = ({ textSearch, contentSearch }: StoredRecord): boolean =>
  textSearch !== null || contentSearch !== ''

type Insert = ReturnType<typeof prepareInsert>

/** The database keeps statements, too: there are as many as types and options in use, and never more than this. */
const MAX_STATEMENTS = 50
const statements = new Map<string, Insert>()

/** @returns undefined for records that are too rare for a statement of their own. */
function insertOf(stored: StoredRecord): Insert | undefined {
  const hasSearch = hasSearchForms(stored)
  const kind = `${stored.type} ${hasSearch} ${stored.shownSettings}`
  const known = statements.get(kind)
  if (known !== undefined || statements.size >= MAX_STATEMENTS) return known
  const insert = prepareInsert(stored, hasSearch)
  statements.set(kind, insert)
  return insert
}

/**
 * Has the values that records of one type and with the same options have in common: passing 23 values takes longer than
 * all that the database does with them.
 */
const prepareInsert = ({ type, shownSettings }: StoredRecord, hasSearch: boolean) =>
  prepare((record: StoredRecord) =>
    query.insertInto('dns_records').values({
      id: record.id,
      zone_id: record.zoneId,
      name: record.name,
      type: sql.lit(type),
      content: record.content,
      content_search: hasSearch ? record.contentSearch : sql.lit(''),
      text_search: hasSearch ? record.textSearch : sql.lit(null),
      identity: record.identity,
      rdata: record.rdata,
      ttl: record.ttl,
      proxied: sql.lit(0),
      settings: sql.lit(shownSettings === '' ? NO_SETTINGS : shownSettings),
      comment: sql.lit(null),
      comment_search: sql.lit(''),
      tags_search: sql.lit(''),
      created_on: record.createdOn,
      modified_on: sql.lit(''),
      stored_body: record.storedBody,
      zone_name_length: record.zoneNameLength,
      shown_type: sql.lit(type),
      shown_settings: sql.lit(shownSettings),
      served_checksum: record.servedChecksum,
      body_checksum: record.bodyChecksum,
    }),
  )

const NO_SETTINGS = '{}'

/** Of plain records. */
const insertPlain = createBlockInsert<StoredRecord>({
  table: 'dns_records',
  columns: {
    id: { form: 'text', member: 'id' },
    zone_id: { form: 'shared', member: 'zoneId' },
    name: { form: 'text', member: 'name' },
    type: { form: 'text', member: 'type' },
    content: { form: 'text', member: 'content' },
    content_search: { form: 'text', member: 'contentSearch' },
    text_search: { form: 'text or null', member: 'textSearch' },
    identity: { form: 'text', member: 'identity' },
    rdata: { form: 'octets', member: 'rdata' },
    ttl: { form: 'number', member: 'ttl' },
    proxied: { form: 'shared', member: 'modifiedOn', written: () => '0' },
    settings: {
      form: 'text', // not shared: a CNAME has others, and would end a block
      member: 'shownSettings',
      written: (value) => `case ${value} when '' then '${NO_SETTINGS}' else ${value} end`,
    },
    comment_search: { form: 'shared', member: 'commentSearch' },
    tags_search: { form: 'shared', member: 'tagsSearch' },
    created_on: { form: 'shared', member: 'createdOn' },
    modified_on: { form: 'shared', member: 'modifiedOn' },
    stored_body: { form: 'text', member: 'storedBody' },
    zone_name_length: { form: 'shared', member: 'zoneNameLength' },
    shown_type: { form: 'text', member: 'type' },
    shown_settings: { form: 'text', member: 'shownSettings' },
    served_checksum: { form: 'number', member: 'servedChecksum' },
    body_checksum: { form: 'number', member: 'bodyChecksum' },
  },
  one: insertStored,
})

/** Member by member: spreading the record takes several times as long. */
function storedRecord(record: DnsRecord, body: string, identity: string): StoredRecord {
  const { id, zoneId, name, type, content, rdata, ttl, proxied, comment, tags } = record
  const settings = settingsText(record.settings)
  const createdOn = shownTime(record.createdOn)
  const modifiedOn = shownTime(record.modifiedOn)
  return {
    id,
    zoneId,
    name,
    type,
    content,
    rdata,
    ttl,
    proxied,
    settings: record.settings,
    comment,
    createdOn,
    modifiedOn: modifiedOn === createdOn ? '' : modifiedOn,
    contentSearch: storedSearchForm(content),
    textSearch: searchTextOf(record),
    identity,
    commentSearch: comment === null ? '' : comment.toLowerCase(),
    tagsSearch: tags.length === 0 ? '' : `\n${tags.join('\n').toLowerCase()}\n`,
    storedBody: shortBody(record, settings, body),
    zoneNameLength: record.zoneName.length,
    shownType: type,
    shownSettings: settings === NO_SETTINGS ? '' : settings,
    servedChecksum: servedChecksum({ name, type, ttl, proxied: proxied ? 1 : 0, settings, rdata }),
    bodyChecksum: checksum(id, body),
  }
}
