// The filter of the record list as it is typed, `type:MX -tag:web mail`, and as the server is asked.
import type { RecordFilter } from '../../api/records.ts'
import { parseTerms, type Grammar, type ParsedTerms, type Term } from '../../parts/terms.ts'

export const FILTER_FIELDS = ['type', 'name', 'content', 'comment', 'tag', 'proxied'] as const
export type FieldName = (typeof FILTER_FIELDS)[number]

export const RECORD_GRAMMAR: Grammar<FieldName> = {
  fields: FILTER_FIELDS,
  negatable: ['type', 'tag', 'proxied'],
}

export const RECORD_ORDERS = ['name', '-name', 'natural', 'type', 'content', 'ttl'] as const
type Order = (typeof RECORD_ORDERS)[number]

export const parseFilter = (text: string): ParsedTerms<FieldName> => parseTerms(text, RECORD_GRAMMAR)

/** @param types every type there is: to exclude one is to ask for all others. */
export function filterQuery(
  { terms, words }: ParsedTerms<FieldName>,
  sort: string | undefined,
  types: readonly string[],
): RecordFilter {
  const asked: Record<string, string | boolean> = words === '' ? {} : { search: words }
  for (const term of terms) Object.assign(asked, queryOf(term, types))
  return { ...asked, ...orderOf(sort) }
}

function queryOf(
  { field, isNot, value }: Term<FieldName>,
  types: readonly string[],
): Record<string, string | boolean> {
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
  natural: { order: 'natural_name' },
  type: { order: 'type' },
  content: { order: 'content' },
  ttl: { order: 'ttl' },
}

function orderOf(sort: string | undefined): Pick<RecordFilter, 'order' | 'direction'> {
  const order = RECORD_ORDERS.find((known) => known === sort) ?? 'name'
  return ORDERS[order]
}
