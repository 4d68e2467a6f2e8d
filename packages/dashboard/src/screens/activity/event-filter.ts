// The filter of the activity log: what the URL says, `q=action:block -path:/robots.txt&since=24h`, as the server is asked.
import type { EventQuery, EventRange } from '../../api/security-events.ts'
import {
  parseTerms,
  termText,
  writeTerms as writeTyped,
  type Grammar,
  type ParsedTerms,
  type Term,
} from '../../parts/terms.ts'

/** Fields by the names in the URL, with their names in the API. */
const PARAMETERS = {
  action: 'action',
  service: 'source',
  rule: 'rule_id',
  ruleset: 'ruleset_id',
  host: 'host',
  path: 'path',
  method: 'method',
  address: 'ip',
  ray: 'ray_id',
} as const

export type EventField = keyof typeof PARAMETERS
export type EventTerm = Term<EventField>

export interface ActivitySearch {
  readonly q?: string | undefined
  /** `24h`, or a time. */
  readonly since?: string | undefined
  readonly until?: string | undefined
}

export const RANGES = ['1h', '6h', '24h', '7d', '30d'] as const
export type RangeName = (typeof RANGES)[number]
const DEFAULT_RANGE = '24h'

const HOUR_MILLIS = 3_600_000
const RANGE_MILLIS: Readonly<Record<RangeName, number>> = {
  '1h': HOUR_MILLIS,
  '6h': 6 * HOUR_MILLIS,
  '24h': 24 * HOUR_MILLIS,
  '7d': 168 * HOUR_MILLIS,
  '30d': 720 * HOUR_MILLIS,
}

// One for each parameter.
const FIELDS = Object.keys(PARAMETERS) as EventField[]

export const EVENT_GRAMMAR: Grammar<EventField> = {
  fields: FIELDS,
  negatable: FIELDS.filter((field) => field !== 'ray'),
}

export const parseEvents = (text: string): ParsedTerms<EventField> => parseTerms(text, EVENT_GRAMMAR)

export const termsOf = ({ q }: ActivitySearch): readonly EventTerm[] =>
  q === undefined ? [] : parseEvents(q).terms

/** undefined without terms: the URL then has none. */
export const writeTerms = (terms: readonly EventTerm[]): string | undefined =>
  terms.length === 0 ? undefined : writeTyped({ terms, words: '' })

/** With one more term. A field is one value: another one replaces it, and what it is cannot be excluded. */
export function withTerm(terms: readonly EventTerm[], added: EventTerm): readonly EventTerm[] {
  const otherTerms = terms.filter(
    (term) => term.field !== added.field || (added.isNot && term.isNot && termText(term) !== termText(added)),
  )
  return [...otherTerms, added]
}

/** The terms of a search without some, and with others. */
export function changeTerms(
  search: ActivitySearch,
  removed: readonly EventTerm[],
  added: readonly EventTerm[],
): readonly EventTerm[] {
  const without = removed.map(termText)
  const remaining = termsOf(search).filter((term) => !without.includes(termText(term)))
  return added.reduce<readonly EventTerm[]>((terms, term) => withTerm(terms, term), remaining)
}

/** A relative range, or undefined if the search has times. */
export function rangeName({ since, until }: ActivitySearch): RangeName | undefined {
  if (until !== undefined) return undefined
  const name = since ?? DEFAULT_RANGE
  return RANGES.find((known) => known === name)
}

export function rangeOf(search: ActivitySearch): EventRange {
  const query: Record<string, string> = {}
  for (const [field, parameter] of Object.entries(PARAMETERS)) {
    const own = termsOf(search).filter((term) => term.field === field)
    const is = own.filter(({ isNot }) => !isNot).at(-1)
    const not = own.filter(({ isNot }) => isNot).map(({ value }) => value.replaceAll(',', '\\,'))
    if (is !== undefined) query[parameter] = is.value
    if (not.length > 0) query[`${parameter}.not`] = not.join(',')
  }
  const name = rangeName(search)
  if (name !== undefined) return { query: query as EventQuery, sinceMillis: RANGE_MILLIS[name] } // its parameters
  const { since, until } = search
  const times = { ...(since !== undefined && { since }), ...(until !== undefined && { until }) }
  return { query: { ...query, ...times } as EventQuery, sinceMillis: undefined } // its parameters
}
