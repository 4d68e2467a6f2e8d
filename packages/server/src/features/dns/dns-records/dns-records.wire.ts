// Records between wire and domain form.
import type { RecordBatch, RecordDraft, RecordListQuery, RecordPatch, WireRecord } from '@zonereeve/contract'
import { DomainError, type Issue, throwIfIssues } from '@zonereeve/platform'
import type { RecordInput } from './dns-records.rules.ts'
import type { Batch, BatchStrings } from './dns-records.service.ts'
import { type DnsRecord, settingsText } from './dns-record.ts'
import { asciiName } from './record-name.rules.ts'
import { shownTime } from './record-time.ts'
import type { StoredText } from './record-states.service.ts'
import type { RecordEdit, RecordStep } from './record-writer.service.ts'
import type { RecordQuery, TagFilter, TextFilter, TextOperator } from './record-list.store.ts'

const META = {
  auto_added: false,
  managed_by_apps: false,
  managed_by_service_tunnel: false,
  source: 'primary',
}

/** Types whose comment must be a string in strict clients; for all others, null = no comment. `hasNoExtras` knows them, too. */
const NO_NULL_COMMENT: ReadonlySet<string> = new Set(['OPENPGPKEY'])

const META_TEXT = JSON.stringify(META)

/**
 * The record as JSON text, `id` first, as sent in replies and stored beside the columns. Written member by member,
 * which takes a tenth of the time of serializing an object: a zone file has a great many records.
 */
export function toRecordText(record: DnsRecord): string {
  const { priority, data } = record
  return (
    `{"id":"${record.id}${placeText(record)}${JSON.stringify(record.name)}` +
    `,"type":"${record.type}","content":${JSON.stringify(record.content)}` +
    (priority === undefined ? '' : `,"priority":${priority}`) +
    `,"proxiable":${record.proxiable},"proxied":${record.proxied},"ttl":${record.ttl},"locked":false` +
    (data === undefined ? '' : `,"data":${JSON.stringify(data)}`) +
    `,"settings":${settingsText(record.settings)},"meta":${META_TEXT}${notesText(record)}`
  )
}

// Most of this is the same in all records of a change.
let lastPlace = { zoneId: '', zoneName: '', text: '' }
let lastTimes = { createdOn: '', modifiedOn: '', text: '' }

function placeText({ zoneId, zoneName }: DnsRecord): string {
  if (zoneId !== lastPlace.zoneId || zoneName !== lastPlace.zoneName) {
    const text = `","zone_id":"${zoneId}","zone_name":${JSON.stringify(zoneName)},"name":`
    lastPlace = { zoneId, zoneName, text }
  }
  return lastPlace.text
}

/** The end of the text: comment, tags and times. */
function notesText(record: DnsRecord): string {
  const { type, comment, tags, commentModifiedOn, tagsModifiedOn } = record
  const shownComment = comment ?? (NO_NULL_COMMENT.has(type) ? '' : null)
  return (
    `,"comment":${shownComment === null ? 'null' : JSON.stringify(shownComment)}` +
    `,"tags":${tags.length === 0 ? '[]' : JSON.stringify(tags)}${timesText(record)}` +
    (commentModifiedOn === null ? '' : `,"comment_modified_on":"${shownTime(commentModifiedOn)}"`) +
    (tagsModifiedOn === null ? '' : `,"tags_modified_on":"${shownTime(tagsModifiedOn)}"`) +
    '}'
  )
}

function timesText({ createdOn, modifiedOn }: DnsRecord): string {
  if (createdOn !== lastTimes.createdOn || modifiedOn !== lastTimes.modifiedOn) {
    const text = `,"created_on":"${shownTime(createdOn)}","modified_on":"${shownTime(modifiedOn)}"`
    lastTimes = { createdOn, modifiedOn, text }
  }
  return lastTimes.text
}

/**
 * Parses the result of {@link toRecordText} into an input and the record's times. The value is read from `content`
 * (and `priority`), which contains all that `data` does, and octets that JSON cannot carry.
 */
export function fromRecordText(text: string): StoredText {
  const wire = JSON.parse(text) as WireRecord // written by toRecordText
  return {
    input: { ...toInput(wire as RecordDraft), data: undefined }, // a record is a draft with more members
    createdOn: wire.created_on,
    modifiedOn: wire.modified_on,
    commentModifiedOn: wire.comment_modified_on ?? null,
    tagsModifiedOn: wire.tags_modified_on ?? null,
  }
}

/** Null and missing both mean: not given. */
export function toInput(draft: RecordDraft): RecordInput {
  return { ...toPatch(draft), type: draft.type }
}

export function toPatch(patch: RecordPatch): RecordEdit {
  return {
    type: patch.type ?? undefined,
    name: patch.name ?? undefined,
    content: patch.content ?? undefined,
    data: patch.data ?? undefined,
    priority: patch.priority === undefined || patch.priority === null ? undefined : Number(patch.priority),
    ttl: patch.ttl ?? undefined,
    proxied: patch.proxied ?? undefined,
    settings: patch.settings ?? undefined,
    comment: patch.comment ?? undefined,
    tags: patch.tags ?? undefined,
    privateRouting: patch.private_routing ?? undefined,
  }
}

/** Converts the lists of a batch to steps. @throws DomainError: record.batch_id, listing every missing id. */
export function toBatch(batch: RecordBatch): Batch {
  const missing: string[] = []
  const existing = (
    list: 'deletes' | 'patches' | 'puts',
    toStep: (id: string, patch: RecordPatch) => RecordStep,
  ) =>
    // A list that is not sent, or null, is empty.
    (batch[list] ?? []).flatMap((entry: RecordPatch & { readonly id?: string | null }, index) => {
      const pointer = `/${list}/${index}`
      if (typeof entry.id === 'string') return [{ ...toStep(entry.id, entry), pointer }]
      missing.push(`${pointer}/id`)
      return []
    })
  const steps: Batch = {
    deletes: existing('deletes', (id) => ({ kind: 'remove', id })),
    patches: existing('patches', (id, patch) => ({ kind: 'edit', id, edit: toPatch(patch) })),
    puts: existing('puts', (id, patch) => ({ kind: 'overwrite', id, edit: toPatch(patch) })),
    // Not sent, or null, is empty.
    posts: (batch.posts ?? []).map((draft, index) => ({
      kind: 'create',
      input: toInput(draft),
      pointer: `/posts/${index}`,
    })),
  }
  const [first, ...rest] = missing.map((pointer) => ({ reason: 'record.batch_id', pointer }) as const)
  if (first !== undefined) throw new DomainError([first, ...rest])
  return steps
}

/** The result of a batch as JSON text. */
export function toBatchText({ deletes, patches, puts, posts }: BatchStrings): string {
  const list = (strings: readonly string[]) => `[${strings.join(',')}]`
  return `{"deletes":${list(deletes)},"patches":${list(patches)},"puts":${list(puts)},"posts":${list(posts)}}`
}

const PER_PAGE = 100
const OPERATORS = ['exact', 'contains', 'startswith', 'endswith'] as const satisfies readonly TextOperator[]

export function toRecordQuery(query: RecordListQuery): RecordQuery & { readonly page: number } {
  throwIfIssues(shadowIssues(query))
  const perPage = query.per_page ?? PER_PAGE
  return {
    types: query.type?.split(',').map((type) => type.trim().toUpperCase()),
    name: nameFilters(query),
    content: textFilters(query, 'content'),
    comment: textFilters(query, 'comment'),
    commentPresence: presence(query['comment.present'], query['comment.absent']),
    tags: tagFilters(query),
    tagMatch: query.tag_match ?? query['tag-match'] ?? 'all',
    proxied: query.proxied,
    match: query.match ?? 'all',
    search: query.search === undefined ? undefined : words(query.search) || undefined,
    order: query.order ?? 'type',
    descending: query.direction === 'desc',
    page: query.page ?? 1,
    perPage,
  }
}

// Shadowed records are not supported: a list that ignored these parameters would look as if it honored them.
const shadowIssues = (query: RecordListQuery): Issue[] =>
  (['include_shadow_metadata', 'shadowed_by_name', 'shadowing_name'] as const)
    .filter((option) => query[option] !== undefined && query[option] !== false)
    .map((option) => ({ reason: 'record.option_unsupported', pointer: `/${option}`, values: { option } }))

/**
 * Normalizes search words to single spaces. Control characters are not treated as whitespace: no record contains
 * them.
 */
const words = (text: string): string =>
  text
    .toLowerCase()
    .split(/[^\S\p{Cc}]+/u)
    .filter((word) => word !== '')
    .join(' ')

function textFilters(query: RecordListQuery, field: 'name' | 'content' | 'comment'): TextFilter[] {
  const plain = query[field]
  const named = OPERATORS.flatMap((operator): TextFilter[] => {
    const value = query[`${field}.${operator}`]
    return value === undefined ? [] : [{ operator, value: value.toLowerCase() }]
  })
  return plain === undefined ? named : [{ operator: 'exact', value: plain.toLowerCase() }, ...named]
}

/**
 * Whole names also match by their U-labels. @throws DomainError for an operator before the name, a form used in the
 * past.
 */
function nameFilters(query: RecordListQuery): TextFilter[] {
  const [operator] = query.name?.match(/^(contains|starts_with|ends_with)(?=:)/) ?? []
  if (operator !== undefined) {
    const problem = `name has no operators in front; use name.${operator.replace('_', '')}`
    throw new DomainError({ reason: 'request.invalid', pointer: '/name', values: { problem } })
  }
  return textFilters(query, 'name').map((filter) =>
    filter.operator === 'exact' ? { ...filter, value: asciiName(filter.value) || filter.value } : filter,
  )
}

function presence(present: string | undefined, absent: string | undefined): boolean[] {
  return [...(present === undefined ? [] : [true]), ...(absent === undefined ? [] : [false])]
}

function tagFilters(query: RecordListQuery): TagFilter[] {
  const all = (sent: string | string[] | undefined) => (sent === undefined ? [] : [sent].flat())
  const split =
    (operator: TextOperator) =>
    (tag: string): TagFilter => {
      const colon = tag.indexOf(':')
      return colon < 0
        ? { kind: 'present', name: tag.toLowerCase() }
        : {
            kind: operator,
            name: tag.slice(0, colon).toLowerCase(),
            value: tag.slice(colon + 1).toLowerCase(),
          }
    }
  return [
    ...all(query.tag).map(split('exact')),
    ...all(query['tag.present']).map((name): TagFilter => ({ kind: 'present', name: name.toLowerCase() })),
    ...all(query['tag.absent']).map((name): TagFilter => ({ kind: 'absent', name: name.toLowerCase() })),
    ...OPERATORS.flatMap((operator) => all(query[`tag.${operator}`]).map(split(operator))),
  ]
}
