// Converts URL patterns of page rules and lockdowns to filter expressions. Host and path are matched separately, so that a
// star in one cannot match into the other: `http*://example.com/*` over the whole URI would also match a
// foreign host whose query contains `://example.com/`.
/** What a page rule compares URLs with. */
export interface UrlTarget {
  readonly constraint: { readonly operator: string; readonly value: string }
}

/** The condition under which a URL pattern matches a request. */
export interface UrlCondition {
  /** Comparisons that must all hold; an empty list matches every URL. */
  readonly terms: readonly string[]
  /** The only host that matches; null if several can. */
  readonly host: string | null
}

/** The condition of a target; null if no URL can match it. */
export function urlConditionOf({ constraint: { operator, value } }: UrlTarget): UrlCondition | null {
  if (operator === 'matches') return patternCondition(value)
  const positive =
    operator === 'equals' || operator === 'not_equal'
      ? equalsText(value)
      : `http.request.full_uri contains ${quote(encode(value))}`
  const isNegated = operator === 'not_equal' || operator === 'not_contain'
  return { terms: [isNegated ? `not ${positive}` : positive], host: null }
}

function equalsText(url: string): string {
  const text = encode(url)
  return /^https?:\/\//i.test(text)
    ? `http.request.full_uri eq ${quote(text)}`
    : `http.request.full_uri in {${quote(`http://${text}`)} ${quote(`https://${text}`)}}`
}

/** Parses `[scheme://]host[:port][/path[?query]]`; in each part `*` is any sequence of characters. */
export function patternCondition(pattern: string): UrlCondition | null {
  const [, scheme = '', rest = ''] = /^(?:([a-z*]*):\/\/)?(.*)$/is.exec(pattern) ?? []
  const schemeTerms = termsOfScheme(scheme)
  if (schemeTerms === null) return null
  const end = /[/?]/.exec(rest)?.index ?? rest.length
  const [, hostText = '', port = ''] = /^(.*?)(?::(\d+|\*))?$/s.exec(rest.slice(0, end)) ?? []
  const host = asciiHost(hostText)
  const isLiteral = !host.includes('*')
  return {
    terms: [
      ...schemeTerms,
      ...(isLiteral ? [`http.host eq ${quote(host)}`] : termsOfStar('http.host', host, '*')),
      ...(port === '' || port === '*' ? [] : [`cf.edge.server_port eq ${Number(port)}`]),
      ...termsOfPath(rest.slice(end), hostText),
    ],
    host: isLiteral ? host : null,
  }
}

function termsOfScheme(scheme: string): readonly string[] | null {
  if (scheme === '') return []
  const pattern = new RegExp(`^${scheme.toLowerCase().replaceAll(/\*+/g, '.*')}$`)
  const [http, https] = [pattern.test('http'), pattern.test('https')]
  if (http && https) return []
  return http ? ['not ssl'] : https ? ['ssl'] : null
}

/** Without a path only `/` matches, unless the host ends in a star, which also covers the path. */
function termsOfPath(text: string, host: string): readonly string[] {
  if (text === '' && host.endsWith('*')) return []
  const path = encode(text.startsWith('/') ? text : `/${text}`)
  // Page rules match the query only if the pattern contains one.
  if (path.includes('?')) return termsOfStar('http.request.uri', path)
  return termsOfStar('http.request.uri.path', path, '/*')
}

/** @param any the pattern that matches everything. */
function termsOfStar(field: string, pattern: string, any?: string): readonly string[] {
  const text = pattern.replaceAll(/\*+/g, '*')
  if (text === any) return []
  // Wildcards and page rules ignore case; `eq` does not, so it only replaces patterns without letters.
  const isPlain = !/[*\\a-z]/i.test(text)
  return [isPlain ? `${field} eq ${quote(text)}` : `${field} wildcard ${quote(escapeStar(text))}`]
}

/** In a wildcard a backslash stands for itself when it is doubled. */
const escapeStar = (text: string): string => text.replaceAll('\\', '\\\\')

export const quote = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** As clients send it: non-ASCII characters percent-encoded. */
const encode = (text: string): string => text.replaceAll(/[^\p{ASCII}]+/gu, encodeURIComponent)

/** As clients send it: A-labels; labels with a star stay unchanged. */
const asciiHost = (host: string): string =>
  host
    .toLowerCase()
    .replaceAll(/\*+/g, '*')
    .split('.')
    .map((label) => (label.includes('*') ? label : toAscii(label)))
    .join('.')

/** A-labels; an empty string for a label that has none. */
function toAscii(label: string): string {
  if (/^\p{ASCII}*$/u.test(label)) return label
  const url = `http://${label}`
  return URL.canParse(url) ? new URL(url).hostname : ''
}

/** Joins all terms with `and`; `true` if there are none. */
export const conjunction = ({ terms }: UrlCondition): string =>
  terms.length === 0 ? 'true' : terms.join(' and ')

/** True if no URL matches both: they require different hosts. */
export const areApart = (a: UrlCondition, b: UrlCondition): boolean =>
  a.host !== null && b.host !== null && a.host !== b.host
