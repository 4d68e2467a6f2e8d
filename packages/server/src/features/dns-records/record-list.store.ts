// Lists of a zone's records: filters, order, pages. The items are the stored JSON texts, joined by the database.
import type { PageStarts, SortKey } from './page-starts.ts'
import { TextError, txtFromText } from '@zonereeve/dns'
import {
  query,
  sql,
  textMatch,
  type Database,
  type ExpressionBuilder,
  type Reader,
} from '../../storage/index.ts'

export type TextOperator = 'exact' | 'contains' | 'startswith' | 'endswith'

export interface TextFilter {
  readonly operator: TextOperator
  /** Lower case. */
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
  /** With a comment, without one; both where both are asked for. */
  readonly commentPresence: readonly boolean[]
  readonly tags: readonly TagFilter[]
  readonly tagMatch: 'any' | 'all'
  readonly proxied: boolean | undefined
  readonly match: 'any' | 'all'
  /** Words, one blank apart. */
  readonly search: string | undefined
  readonly order: 'type' | 'name' | 'content' | 'ttl' | 'proxied'
  readonly descending: boolean
  /** From 1. */
  readonly page: number
  readonly perPage: number
}

export interface RecordPage {
  /** JSON texts, joined by commas, in UTF-8. */
  readonly items: Uint8Array
  readonly count: number
  readonly totalCount: number
}

type Expressions = ExpressionBuilder<Database, 'dns_records'>

// Each order ends in columns that make it total; the first two are delivered by an index.
const ORDERS = {
  type: ['type', 'name', 'id'],
  name: ['name', 'type', 'identity'],
  content: ['content', 'name', 'type', 'id'],
  ttl: ['ttl', 'type', 'name', 'id'],
  proxied: ['proxied', 'type', 'name', 'id'],
} as const

/** Rows that the database can be told to skip; no zone has as many. */
const FARTHEST_ROW = Number.MAX_SAFE_INTEGER

const CONTROL = /\p{Cc}/u

/** The zone whose records are listed: its own count answers for lists without filters, its serial dates page starts. */
export interface ListedZone {
  readonly id: string
  readonly serial: number
  readonly recordCount: number
}

/** Rows that may be walked before others have waited long enough: some ten milliseconds. */
const FEW_ROWS = 20_000

/** Whether a list may walk so many rows that it should be read where nobody else waits for it. */
export function walksManyRows(zone: ListedZone, wanted: RecordQuery): boolean {
  const byName = wanted.match === 'all' && wanted.name.some(({ operator }) => operator === 'exact')
  const walked = hasFilters(wanted) && !byName ? zone.recordCount : wanted.page * wanted.perPage
  return Math.min(walked, zone.recordCount) > FEW_ROWS
}

/** A page, and how many records pass the filters in all. */
export async function listRecords(
  db: Reader,
  zone: ListedZone,
  wanted: RecordQuery,
  starts: PageStarts,
): Promise<RecordPage> {
  const filtered = selectRecords().where((eb) => passes(eb, zone.id, wanted))
  const list = JSON.stringify([zone.id, zone.serial, { ...wanted, page: 0 }])
  const start = starts.get(list, wanted.page)
  // Below a page, the database walks index entries only, and touches the rows of the page itself.
  const from = start === undefined ? filtered : filtered.where(atOrAfter(start, wanted))
  const skipped = start === undefined ? Math.min((wanted.page - 1) * wanted.perPage, FARTHEST_ROW) : 0
  const rows = inOrder(from, wanted).select(['id', 'body']).limit(wanted.perPage).offset(skipped)
  const page = query
    .selectFrom(rows.as('page'))
    .select([
      sql<number>`count(*)`.as('count'),
      sql<Uint8Array>`cast(coalesce(group_concat(body, ','), '') as blob)`.as('items'),
    ])
  const { count, items } = (await db.first(page)) ?? { count: 0, items: new Uint8Array() }
  // Filters would make the database look for the next page's start as long as for the page.
  if (count === wanted.perPage && !hasFilters(wanted)) {
    const next = await keyOfRow(db, from, wanted, skipped + wanted.perPage)
    if (next !== undefined) starts.set(list, wanted.page + 1, next)
  }
  return { items, count, totalCount: await countRecords(db, zone, wanted, filtered) }
}

type Selection = ReturnType<typeof selectRecords>

function inOrder(selection: Selection, { order, descending }: RecordQuery): Selection {
  let ordered = selection
  for (const column of ORDERS[order]) ordered = ordered.orderBy(column, descending ? 'desc' : 'asc')
  return ordered
}

function atOrAfter(start: SortKey, { order, descending }: RecordQuery) {
  const columns = sql.join(ORDERS[order].map((column) => sql.ref(column)))
  return sql<boolean>`(${columns}) ${sql.raw(descending ? '<=' : '>=')} (${sql.join(start)})`
}

async function keyOfRow(
  db: Reader,
  selection: Selection,
  wanted: RecordQuery,
  position: number,
): Promise<SortKey | undefined> {
  const row = await db.first(
    inOrder(selection, wanted).select(ORDERS[wanted.order]).limit(1).offset(position),
  )
  return row && Object.values(row)
}

async function countRecords(
  db: Reader,
  zone: ListedZone,
  wanted: RecordQuery,
  filtered: Selection,
): Promise<number> {
  if (!hasFilters(wanted)) {
    if (wanted.types === undefined) return zone.recordCount
    const counted = await db.first(
      query
        .selectFrom('record_counts')
        .select(({ fn }) => fn.coalesce(fn.sum<number>('count'), sql<number>`0`).as('count'))
        .where('zone_id', '=', zone.id)
        .where('type', 'in', wanted.types),
    )
    return Number(counted?.count ?? 0)
  }
  const counted = await db.first(filtered.select(({ fn }) => fn.countAll<number>().as('count')))
  return counted?.count ?? 0
}

const selectRecords = () => query.selectFrom('dns_records')

/** Whether anything but the type narrows the list. */
function hasFilters(wanted: RecordQuery): boolean {
  return (
    [wanted.name, wanted.content, wanted.comment, wanted.commentPresence, wanted.tags].some(
      (list) => list.length > 0,
    ) ||
    wanted.proxied !== undefined ||
    wanted.search !== undefined
  )
}

function passes(eb: Expressions, zoneId: string, wanted: RecordQuery) {
  const tags = wanted.tags.map((filter) => tagPasses(eb, filter))
  const conditions = [
    ...(wanted.types === undefined ? [] : [eb('type', 'in', wanted.types)]),
    ...wanted.name.map((filter) => namePasses(eb, filter)),
    ...wanted.content.map((filter) => contentPasses(eb, filter)),
    ...wanted.comment.map((filter) => textPasses(eb.ref('comment_search'), filter)),
    ...wanted.commentPresence.map((present) => eb('comment', present ? 'is not' : 'is', null)),
    ...(tags.length === 0 ? [] : [wanted.tagMatch === 'any' ? eb.or(tags) : eb.and(tags)]),
    ...(wanted.proxied === undefined ? [] : [eb('proxied', '=', wanted.proxied ? 1 : 0)]),
  ]
  const combined =
    conditions.length === 0 ? [] : [wanted.match === 'any' ? eb.or(conditions) : eb.and(conditions)]
  const searched = wanted.search === undefined ? [] : [searchPasses(eb, wanted.search)]
  return eb.and([eb('zone_id', '=', zoneId), ...combined, ...searched])
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

/** Names are compared without regard to case and to one trailing dot. */
function namePasses(eb: Expressions, { operator, value }: TextFilter) {
  const name = operator === 'exact' || operator === 'endswith' ? value.replace(/\.$/, '') : value
  return operator === 'exact' ? eb('name', '=', name) : textPasses(eb.ref('name'), { operator, value: name })
}

/** Content is compared as stored and, for TXT, without its quotes too; any run of blanks is one blank. */
function contentPasses(eb: Expressions, { operator, value }: TextFilter) {
  const text = searchForm(value)
  const host = operator === 'exact' && text.length > 1 ? text.replace(/\.$/, '') : text
  // Of blanks that are control characters nothing would be left, which is in every content.
  const isLost = text === '' && CONTROL.test(value)
  const stored = isLost ? eb.lit(false) : textPasses(eb.ref('content_search'), { operator, value: host })
  const bare = textPasses(eb.ref('text_search'), { operator, value: unquoted(value) })
  return eb.or([
    stored,
    bare,
    ...(host === text ? [] : [textPasses(eb.ref('content_search'), { operator, value: text })]),
  ])
}

/** What content is compared in: lower case, runs of blanks as one. */
export const searchForm = (content: string): string => content.trim().toLowerCase().replace(/\s+/g, ' ')

function unquoted(value: string): string {
  if (!value.startsWith('"')) return value
  try {
    return Buffer.concat(txtFromText(value)).toString('utf8')
  } catch (error) {
    if (error instanceof TextError) return value // a fragment of quoted text, compared as it is
    throw error
  }
}

/** `tags_search` is `\n`, then each tag followed by `\n`: names and values cannot have a line break. */
function tagPasses(eb: Expressions, filter: TagFilter) {
  const tags = eb.ref('tags_search')
  // Line breaks in what is looked for would reach from one tag into the next.
  const texts = 'value' in filter ? [filter.name, filter.value] : [filter.name]
  if (texts.some((text) => CONTROL.test(text))) return eb.lit(filter.kind === 'absent')
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

/** Looks within the value of one tag: from its name to the end of its line. */
function tagValuePasses(eb: Expressions, kind: 'contains' | 'endswith', name: string, value: string) {
  const start = `\n${name}:`
  const rest = sql<string>`substr(tags_search, instr(tags_search, ${start}) + ${start.length})`
  const own = sql<string>`substr(${rest}, 1, instr(${rest}, ${'\n'}) - 1)`
  return eb.and([hasTagNamed(eb, name), textMatch(own, value, kind === 'contains' ? 'anywhere' : 'at-end')])
}

/** Every word somewhere in name, content, comment or tags. */
function searchPasses(eb: Expressions, text: string) {
  return eb.and(
    text.split(' ').map((word) =>
      eb.or([
        textMatch(eb.ref('name'), word, 'anywhere'),
        textMatch(eb.ref('content_search'), word, 'anywhere'),
        textMatch(eb.ref('text_search'), word, 'anywhere'),
        textMatch(eb.ref('comment_search'), word, 'anywhere'),
        // Line breaks stand between tags, not in them.
        CONTROL.test(word) ? eb.lit(false) : textMatch(eb.ref('tags_search'), word, 'anywhere'),
      ]),
    ),
  )
}
