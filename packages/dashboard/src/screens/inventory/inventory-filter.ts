// The filters of what was detected, as they are typed and as the server is asked.
import type {
  CodeFilter,
  ConnectionFilter,
  CookieFilter,
  ScriptFilter,
  WireCode,
} from '../../api/monitoring.ts'
import type { Grammar, ParsedTerms } from '../../parts/terms.ts'

export interface InventorySearch {
  readonly q?: string | undefined
  readonly status?: string | undefined
  readonly sort?: string | undefined
}

export const STATUSES = ['active', 'infrequent', 'inactive'] as const
export const ORDERS = ['malicious', 'seen', '-seen', 'new', '-new'] as const
export const COOKIE_ORDERS = ['seen', '-seen', 'new', '-new'] as const

type ResourceField = 'host' | 'page' | 'url' | 'with'
type CookieField = 'host' | 'page' | 'name' | 'type' | 'path' | 'domain' | 'samesite' | 'secure' | 'httponly'

export const RESOURCE_GRAMMAR: Grammar<ResourceField> = {
  fields: ['host', 'page', 'url', 'with'],
  negatable: ['host', 'url'],
}
export const COOKIE_GRAMMAR: Grammar<CookieField> = {
  fields: ['host', 'page', 'name', 'type', 'path', 'domain', 'samesite', 'secure', 'httponly'],
  negatable: ['host', 'secure', 'httponly'],
}
export const CODE_GRAMMAR: Grammar<'kind'> = { fields: ['kind'], negatable: [] }

/** Of connections, too, but for `with:duplicates`. */
export function resourceQuery(
  { terms, words }: ParsedTerms<ResourceField>,
  { status, sort }: InventorySearch,
): ScriptFilter {
  const values = valuesOf(terms)
  const extras = values('with', false)
  return {
    ...listIn('hosts', values('host', false)),
    ...listIn('exclude_hosts', values('host', true)),
    ...listIn('page_url', values('page', false)),
    ...listIn('urls', [...values('url', false), ...words.split(/\s+/)]),
    ...listIn('exclude_urls', values('url', true)),
    ...(extras.includes('cdn-cgi') && { exclude_cdn_cgi: false }),
    ...(extras.includes('duplicates') && { exclude_duplicates: false }),
    ...(status === 'any' ? { status: STATUSES.join(',') } : status === undefined ? {} : { status }),
    ...orderOf(sort ?? 'malicious'),
  }
}

/** Duplicates are a matter of scripts. */
export function connectionQuery(
  parsed: ParsedTerms<ResourceField>,
  search: InventorySearch,
): ConnectionFilter {
  const { exclude_duplicates: _, ...filter } = resourceQuery(parsed, search)
  return filter
}

export function cookieQuery(
  { terms, words }: ParsedTerms<CookieField>,
  { sort }: InventorySearch,
): CookieFilter {
  const values = valuesOf(terms)
  const text = (member: string, field: CookieField) => {
    const value = values(field, false).at(-1)
    return value === undefined ? {} : { [member]: value }
  }
  const flag = (member: string, field: CookieField) => {
    const term = terms.findLast((candidate) => candidate.field === field)
    return term === undefined ? {} : { [member]: (term.value === 'yes') !== term.isNot }
  }
  return {
    ...listIn('hosts', values('host', false)),
    ...listIn('exclude_hosts', values('host', true)),
    ...listIn('page_url', values('page', false)),
    ...(words !== '' && { name: `*${words}*` }),
    ...text('name', 'name'),
    ...text('type', 'type'),
    ...text('path', 'path'),
    ...text('domain', 'domain'),
    ...text('same_site', 'samesite'),
    ...flag('secure', 'secure'),
    ...flag('http_only', 'httponly'),
    ...orderOf(sort ?? 'seen'),
  }
}

export function codeQuery({ terms }: ParsedTerms<'kind'>): CodeFilter {
  const kind = terms.at(-1)?.value
  // The server refuses a kind that there is not, and names those that there are.
  return kind === undefined ? {} : { kind: kind as WireCode['kind'] }
}

const valuesOf =
  <Field extends string>(terms: ParsedTerms<Field>['terms']) =>
  (field: Field, isNot: boolean): readonly string[] =>
    terms.filter((term) => term.field === field && term.isNot === isNot).map(({ value }) => value)

function listIn<Member extends string>(
  member: Member,
  values: readonly string[],
): { readonly [M in Member]?: string } {
  const written = values.filter((value) => value !== '')
  // One text for the member, or none.
  return (written.length === 0 ? {} : { [member]: written.join(',') }) as { readonly [M in Member]?: string }
}

const ORDER_QUERIES = {
  malicious: { prioritize_malicious: true },
  seen: {},
  '-seen': { direction: 'asc' },
  new: { order_by: 'first_seen_at' },
  '-new': { order_by: 'first_seen_at', direction: 'asc' },
} as const

function orderOf(sort: string): Pick<ScriptFilter, 'prioritize_malicious' | 'order_by' | 'direction'> {
  return ORDER_QUERIES[ORDERS.find((known) => known === sort) ?? 'malicious']
}
