// Lists of a zone's records: filters, order, pages. The items are the stored JSON texts, joined by the database.
import type { StringChunks } from '@zonereeve/platform'
import { isWholeText, requireWholeBody, throwDamagedRecord } from './record-body.store.ts'
import type { PageStarts, SortKey } from './page-starts.ts'
import { SIGNER_TYPES } from './types/opaque.ts'
import type { Zone } from '../../zones/index.ts'
import { TextError, txtFromText } from '@zonereeve/dns'
import {
  byEngine,
  countRows,
  type Database,
  type ExpressionBuilder,
  naturalKeyOf,
  oneRow,
  placeOf,
  query,
  type Reader,
  RECORD_JSON,
  sql,
  textMatch,
} from '@zonereeve/storage'

export type TextOperator = 'exact' | 'contains' | 'startswith' | 'endswith'

export interface TextFilter {
  readonly operator: TextOperator
  /** In lower case. */
  readonly value: string
}

export type TagFilter =
  | { readonly kind: 'present' | 'absent'; readonly name: string }
  | { readonly kind: TextOperator; readonly name: string; readonly value: string }

export interface RecordQuery {
  readonly types: readonly string[] | undefined
  readonly name: readonly TextFilter[]
  readonly content: readonly TextFilter[]
  readonly comment: readonly TextFilter[]
  /** True: with a comment; false: without one. Both if the query has both. */
  readonly commentPresence: readonly boolean[]
  readonly tags: readonly TagFilter[]
  readonly tagMatch: 'any' | 'all'
  readonly proxied: boolean | undefined
  readonly match: 'any' | 'all'
  /** Words, separated by single spaces. */
  readonly search: string | undefined
  readonly order: 'type' | 'name' | 'natural_name' | 'content' | 'ttl' | 'proxied'
  readonly descending: boolean
  /** From 1. */
  readonly page: number
  readonly perPage: number
}

export interface RecordPage {
  /** JSON texts joined by commas, in UTF-8; in chunks if there are very many. */
  readonly items: Uint8Array | StringChunks
  readonly count: number
  readonly totalCount: number
}

type Expressions = ExpressionBuilder<Database, 'dns_records'>

// Each order ends in columns that make it total; the first two are served from an index.
/** `position`: see {@link columnOf}. */
const ORDERS = {
  type: ['type', 'name', 'position'],
  name: ['name', 'type', 'identity'],
  natural_name: ['name', 'type', 'identity'],
  content: ['content', 'name', 'type', 'id'],
  ttl: ['ttl', 'type', 'name', 'id'],
  proxied: ['proxied', 'type', 'name', 'id'],
} as const

/** All others sort the whole list. */
const INDEXED_ORDERS: ReadonlySet<RecordQuery['order']> = new Set(['type', 'name'])

/** Computed for each row, and the rows sorted: an index would cost every write. */
const NATURAL_NAME = naturalKeyOf(sql.ref<string>('name'))

/** The index by type ends in the row's position in SQLite, and in the ID in PostgreSQL. */
const POSITION = byEngine({
  sqlite: sql<string | number>`dns_records.rowid`,
  postgres: sql<string | number>`id`,
})

const columnOf = (name: (typeof ORDERS)[keyof typeof ORDERS][number]) =>
  name === 'position' ? POSITION : sql<string | number>`${sql.ref(name)}`

/** Largest OFFSET that the database accepts; no zone has as many rows. */
const FARTHEST_ROW = Number.MAX_SAFE_INTEGER

const CONTROL = /\p{Cc}/u

/**
 * The zone whose records are listed: its count answers lists without filters, its serial versions the page starts.
 */
export interface ListedZone {
  readonly id: string
  readonly type: Zone['type']
  readonly serial: number
  readonly recordCount: number
}

/** Rows that may be scanned on the main thread, which takes some ten milliseconds. */
const FEW_ROWS = 20_000
/** Records of a larger list that are sent before yielding. */
const CHUNK_SIZE = 500

/** Whether a list may scan so many rows that it should be read off the main thread. */
export function walksManyRows(zone: ListedZone, desired: RecordQuery): boolean {
  const byName = desired.match === 'all' && desired.name.some(({ operator }) => operator === 'exact')
  const walksAll = (hasFilters(desired) && !byName) || !INDEXED_ORDERS.has(desired.order)
  const walked = walksAll ? zone.recordCount : desired.page * desired.perPage
  return Math.min(walked, zone.recordCount) > FEW_ROWS
}

/** Returns a page, and the number of records that match the filters. */
export async function listRecords(
  db: Reader,
  zone: ListedZone,
  desired: RecordQuery,
  starts: PageStarts,
  signal: AbortSignal,
): Promise<RecordPage> {
  const filtered = selectRecords().where((eb) => passes(eb, zone, desired))
  const list = JSON.stringify([zone.id, zone.serial, { ...desired, page: 0 }])
  const start = starts.get(list, desired.page)
  // The subquery scans index entries only; only the rows of the page itself are read.
  const from = start === undefined ? filtered : filtered.where(atOrAfter(start, desired))
  const skipped = start === undefined ? Math.min((desired.page - 1) * desired.perPage, FARTHEST_ROW) : 0
  const rows = bodiesOf(inOrder(from, desired), desired.perPage, skipped)
  const isLarge = Math.min(desired.perPage, zone.recordCount) > FEW_ROWS
  const { count, items } = await (isLarge ? readInChunks(db, rows, signal) : readJoined(db, rows))
  // With filters, finding the next page's start would take as long as the page itself.
  if (count === desired.perPage && !hasFilters(desired) && desired.order !== 'natural_name') {
    const next = await keyOfRow(db, from, desired, skipped + desired.perPage)
    if (next !== undefined) starts.set(list, desired.page + 1, next)
  }
  return { items, count, totalCount: await countRecords(db, zone, desired, filtered) }
}

type Bodies = ReturnType<typeof bodiesOf>
type ReadPage = Pick<RecordPage, 'items' | 'count'>

const bodiesOf = (selection: Selection, limit: number, offset: number) =>
  selection
    .select(['id', RECORD_JSON.as('body'), 'body_checksum'])
    .limit(limit)
    .offset(offset)

const joinedBodies = byEngine({
  sqlite: sql<Uint8Array>`cast(coalesce(group_concat(body, ','), '') as blob)`,
  postgres: sql<Uint8Array>`convert_to(coalesce(string_agg(body, ','), ''), 'UTF8')`,
})

/** What the checks of a page need of each row; PostgreSQL checks its own pages. */
const listOf = (value: string) =>
  byEngine({ sqlite: sql<string>`json_group_array(${sql.raw(value)})`, postgres: sql<string>`'[]'` })

/** Reads the page as one string joined by the database, and checks each record in it. */
async function readJoined(db: Reader, rows: Bodies): Promise<ReadPage> {
  const page = query
    .selectFrom(rows.as('page'))
    .select([
      sql<number>`count(*)`.as('count'),
      joinedBodies.as('items'),
      listOf('id').as('ids'),
      listOf('octet_length(body)').as('lengths'),
      listOf('body_checksum').as('sums'),
    ])
  const { count, items, ...parts } = await oneRow(db, page)
  const ids = JSON.parse(parts.ids) as readonly string[] // as selected, like the others
  const lengths = JSON.parse(parts.lengths) as readonly number[]
  const sums = JSON.parse(parts.sums) as readonly (number | null)[] // as above
  let start = 0
  for (const [index, id] of ids.entries()) {
    const end = start + (lengths[index] ?? 0) // each has one
    if (!isWholeText(id, items.subarray(start, end), sums[index] ?? null)) throwDamagedRecord(id)
    start = end + COMMA_BYTES
  }
  return { items, count }
}

const COMMA_BYTES = 1

/**
 * A single string of a hundred thousand records would block the event loop when it is created and again when it is
 * freed.
 */
async function readInChunks(db: Reader, rows: Bodies, signal: AbortSignal): Promise<ReadPage> {
  const items: string[] = []
  let chunk: string[] = []
  let count = 0
  const endChunk = (): void => {
    if (chunk.length > 0) items.push(`${items.length === 0 ? '' : ','}${chunk.join(',')}`)
    chunk = []
  }
  await db.each(rows, (row) => {
    signal.throwIfAborted()
    requireWholeBody(row)
    count += 1
    if (chunk.push(row.body) === CHUNK_SIZE) endChunk()
  })
  endChunk()
  return { items, count }
}

type Selection = ReturnType<typeof selectRecords>

function inOrder(selection: Selection, { order, descending }: RecordQuery): Selection {
  const direction = descending ? 'desc' : 'asc'
  let ordered = order === 'natural_name' ? selection.orderBy(NATURAL_NAME, direction) : selection
  for (const column of ORDERS[order]) ordered = ordered.orderBy(columnOf(column), direction)
  return ordered
}

function atOrAfter(start: SortKey, { order, descending }: RecordQuery) {
  const columns = sql.join(ORDERS[order].map(columnOf))
  return sql<boolean>`(${columns}) ${sql.raw(descending ? '<=' : '>=')} (${sql.join(start)})`
}

async function keyOfRow(
  db: Reader,
  selection: Selection,
  desired: RecordQuery,
  position: number,
): Promise<SortKey | undefined> {
  const row = await db.first(
    inOrder(selection, desired)
      .select(ORDERS[desired.order].map((column) => columnOf(column).as(column)))
      .limit(1)
      .offset(position),
  )
  return row && Object.values(row)
}

async function countRecords(
  db: Reader,
  zone: ListedZone,
  desired: RecordQuery,
  filtered: Selection,
): Promise<number> {
  if (!hasFilters(desired)) {
    if (desired.types === undefined) return zone.recordCount
    const counted = await oneRow(
      db,
      query
        .selectFrom('record_counts')
        .select(({ fn }) => fn.coalesce(fn.sum<number>('count'), sql<number>`0`).as('count'))
        .where('zone_id', '=', zone.id)
        .where('type', 'in', desired.types)
        .where('type', 'not in', SIGNER_TYPES),
    )
    return Number(counted.count)
  }
  return countRows(db, filtered)
}

const selectRecords = () => query.selectFrom('dns_records')

/** Whether any filter but the type narrows the list. */
function hasFilters(desired: RecordQuery): boolean {
  return (
    [desired.name, desired.content, desired.comment, desired.commentPresence, desired.tags].some(
      (list) => list.length > 0,
    ) ||
    desired.proxied !== undefined ||
    desired.search !== undefined
  )
}

function passes(eb: Expressions, { id: zoneId, type }: ListedZone, desired: RecordQuery) {
  const tags = desired.tags.map((filter) => tagPasses(eb, filter))
  const conditions = [
    ...(desired.types === undefined ? [] : [eb('type', 'in', desired.types)]),
    ...desired.name.map((filter) => namePasses(eb, filter)),
    ...desired.content.map((filter) => contentPasses(eb, filter)),
    ...desired.comment.map((filter) => textPasses(eb.ref('comment_search'), filter)),
    ...desired.commentPresence.map((present) => eb('comment', present ? 'is not' : 'is', null)),
    ...(tags.length === 0 ? [] : [desired.tagMatch === 'any' ? eb.or(tags) : eb.and(tags)]),
    ...(desired.proxied === undefined ? [] : [eb('proxied', '=', desired.proxied ? 1 : 0)]),
  ]
  const combined =
    conditions.length === 0 ? [] : [desired.match === 'any' ? eb.or(conditions) : eb.and(conditions)]
  const searched = desired.search === undefined ? [] : [searchPasses(eb, desired.search)]
  const listed = type === 'secondary' ? [eb('type', 'not in', SIGNER_TYPES)] : []
  return eb.and([eb('zone_id', '=', zoneId), ...listed, ...combined, ...searched])
}

function textPasses(subject: Parameters<typeof textMatch>[0], { operator, value }: TextFilter) {
  switch (operator) {
    case 'exact':
      return sql<boolean>`${subject} = ${value}`
    case 'contains':
      return textMatch(subject, value, 'anywhere')
    case 'startswith':
      return textMatch(subject, value, 'at-start')
    case 'endswith':
      return textMatch(subject, value, 'at-end')
  }
}

/** Names are compared ignoring case and one trailing dot. */
function namePasses(eb: Expressions, { operator, value }: TextFilter) {
  const name = operator === 'exact' || operator === 'endswith' ? value.replace(/\.$/, '') : value
  return operator === 'exact' ? eb('name', '=', name) : textPasses(eb.ref('name'), { operator, value: name })
}

/** Content is compared as stored and, for TXT, also without its quotes; runs of whitespace count as one space. */
function contentPasses(eb: Expressions, { operator, value }: TextFilter) {
  const text = searchForm(value)
  const host = operator === 'exact' && text.length > 1 ? text.replace(/\.$/, '') : text
  // A value of control characters only would become the empty string, which matches all content.
  const isLost = text === '' && CONTROL.test(value)
  const stored = isLost ? eb.lit(false) : textPasses(CONTENT_SEARCH, { operator, value: host })
  const bare = textPasses(eb.ref('text_search'), { operator, value: unquote(value) })
  return eb.or([
    stored,
    bare,
    ...(host === text ? [] : [textPasses(CONTENT_SEARCH, { operator, value: text })]),
  ])
}

/** The form of content in which it is compared; stored only if it differs. */
const CONTENT_SEARCH = sql<string>`case content_search when '' then content else content_search end`

/** What is stored as `content_search`. */
export function storedSearchForm(content: string): string {
  if (IN_SEARCH_FORM.test(content)) return ''
  const form = searchForm(content)
  return form === content ? '' : form
}

const IN_SEARCH_FORM = /^[!-@[-~]*$/

/** Form in which content is compared: lower case, runs of whitespace as one space. */
const searchForm = (content: string): string => content.trim().toLowerCase().replace(/\s+/g, ' ')

function unquote(value: string): string {
  if (!value.startsWith('"')) return value
  try {
    return Buffer.concat(txtFromText(value)).toString('utf8')
  } catch (error) {
    if (error instanceof TextError) return value // a fragment of quoted text is compared as it is
    throw error
  }
}

/** `tags_search` is `\n`, then each tag followed by `\n`: tag names and values cannot contain a line break. */
function tagPasses(eb: Expressions, filter: TagFilter) {
  const tags = eb.ref('tags_search')
  // A value with line breaks would match across tags.
  const strings = 'value' in filter ? [filter.name, filter.value] : [filter.name]
  if (strings.some((text) => CONTROL.test(text))) return eb.lit(filter.kind === 'absent')
  switch (filter.kind) {
    case 'present':
      return hasTagNamed(eb, filter.name)
    case 'absent':
      return eb.not(hasTagNamed(eb, filter.name))
    case 'exact':
      return textMatch(tags, `\n${filter.name}:${filter.value}\n`, 'anywhere')
    case 'startswith':
      return textMatch(tags, `\n${filter.name}:${filter.value}`, 'anywhere')
    case 'contains':
    case 'endswith':
      return tagValuePasses(eb, filter.kind, filter.name, filter.value)
  }
}

const hasTagNamed = (eb: Expressions, name: string) =>
  eb.or([
    textMatch(eb.ref('tags_search'), `\n${name}\n`, 'anywhere'),
    textMatch(eb.ref('tags_search'), `\n${name}:`, 'anywhere'),
  ])

/** Searches the value of one tag: from its name to the end of its line. */
function tagValuePasses(eb: Expressions, kind: 'contains' | 'endswith', name: string, value: string) {
  const start = `\n${name}:`
  const rest = sql<string>`substr(tags_search, ${placeOf(sql.ref('tags_search'), start)} + ${sql.lit(start.length)})`
  const own = sql<string>`substr(${rest}, 1, ${placeOf(rest, '\n')} - 1)`
  return eb.and([hasTagNamed(eb, name), textMatch(own, value, kind === 'contains' ? 'anywhere' : 'at-end')])
}

/** Requires each word to occur in name, content, comment or tags. */
function searchPasses(eb: Expressions, text: string) {
  return eb.and(
    text.split(' ').map((word) =>
      eb.or([
        textMatch(eb.ref('name'), word, 'anywhere'),
        textMatch(CONTENT_SEARCH, word, 'anywhere'),
        textMatch(eb.ref('text_search'), word, 'anywhere'),
        textMatch(eb.ref('comment_search'), word, 'anywhere'),
        // Line breaks occur between tags, not in them.
        CONTROL.test(word) ? eb.lit(false) : textMatch(eb.ref('tags_search'), word, 'anywhere'),
      ]),
    ),
  )
}
