// The filter of the record list as it is typed, `type:MX -tag:web mail`, and as the server is asked.
import type { RecordFilter } from '../../api/records.ts'

/** One `field:value`, or `-field:value`. */
export interface Term {
  readonly field: FieldName
  readonly isNot: boolean
  readonly value: string
}

export interface ParsedFilter {
  readonly terms: readonly Term[]
  /** What is not a term: words to search for anywhere. */
  readonly words: string
}

export const FILTER_FIELDS = ['type', 'name', 'content', 'comment', 'tag', 'proxied'] as const
export type FieldName = (typeof FILTER_FIELDS)[number]

/** Only these can be excluded: the server has no filter for the others. */
const NEGATABLE = new Set<FieldName>(['type', 'tag', 'proxied'])

export const RECORD_ORDERS = ['name', '-name', 'type', 'content', 'ttl'] as const
type Order = (typeof RECORD_ORDERS)[number]

const TERM = /^(-?)([a-z]+):(.+)$/

export function parseFilter(text: string): ParsedFilter {
  const terms: Term[] = []
  const words: string[] = []
  for (const word of text.split(/\s+/)) {
    const term = readTerm(word)
    if (term === undefined) words.push(word)
    else terms.push(term)
  }
  return { terms, words: words.join(' ').trim() }
}

function readTerm(word: string): Term | undefined {
  const [, minus, field, value] = TERM.exec(word) ?? []
  if (value === undefined || !isField(field)) return undefined
  const isNot = minus === '-'
  return isNot && !NEGATABLE.has(field) ? undefined : { field, isNot, value }
}

const isField = (name: string | undefined): name is FieldName => FILTER_FIELDS.some((field) => field === name)

export function writeFilter({ terms, words }: ParsedFilter): string {
  return [...terms.map(termText), words].filter((part) => part !== '').join(' ')
}

export const termText = ({ field, isNot, value }: Term): string => `${isNot ? '-' : ''}${field}:${value}`

/** @param types every type there is: to exclude one is to ask for all others. */
export function filterQuery(
  { terms, words }: ParsedFilter,
  sort: string | undefined,
  types: readonly string[],
): RecordFilter {
  const asked: Record<string, string | boolean> = words === '' ? {} : { search: words }
  for (const term of terms) Object.assign(asked, queryOf(term, types))
  return { ...asked, ...orderOf(sort) }
}

function queryOf({ field, isNot, value }: Term, types: readonly string[]): Record<string, string | boolean> {
  switch (field) {
    case 'type': {
      const named = value.toUpperCase().split(',')
      return { type: (isNot ? types.filter((type) => !named.includes(type)) : named).join(',') }
    }
    case 'proxied':
      return { proxied: (value === 'yes' || value === 'true') !== isNot }
    case 'tag':
      return isNot ? { 'tag.absent': value } : tagQuery(value)
    default:
      return { [`${field}.contains`]: value.toLowerCase() }
  }
}

const tagQuery = (value: string): Record<string, string> =>
  value.includes(':') ? { 'tag.exact': value } : { 'tag.present': value }

const ORDERS: Readonly<Record<Order, Pick<RecordFilter, 'order' | 'direction'>>> = {
  name: { order: 'name' },
  '-name': { order: 'name', direction: 'desc' },
  type: { order: 'type' },
  content: { order: 'content' },
  ttl: { order: 'ttl' },
}

function orderOf(sort: string | undefined): Pick<RecordFilter, 'order' | 'direction'> {
  const order = RECORD_ORDERS.find((known) => known === sort) ?? 'name'
  return ORDERS[order]
}
