// URL patterns of page rules as expressions of the filter language. Host and path stay apart, so that a star in one of
// them cannot reach into the other: `http*://example.com/*` over the whole URI would also fit a host of somebody else
// whose query says `://example.com/`.
import type { PageRule } from '../page-rules/index.ts'
import { toAscii } from '../zones/index.ts'

type Target = PageRule['targets'][number]

/** When a page rule's URL is that of a request. */
export interface UrlCondition {
  /** Comparisons that must all hold; without any, every URL fits. */
  readonly terms: readonly string[]
  /** The one host that fits; null where more can. */
  readonly host: string | null
}

/** What a target asks of a request; null where no URL can fit. */
export function urlConditionOf({ constraint: { operator, value } }: Target): UrlCondition | null {
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

/** `[scheme://]host[:port][/path[?query]]`, in each of which `*` is any run of characters. */
function patternCondition(pattern: string): UrlCondition | null {
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

/** Without a path, `/` alone fits, unless the host ends in a star that goes on. */
function termsOfPath(text: string, host: string): readonly string[] {
  if (text === '' && host.endsWith('*')) return []
  const path = encode(text.startsWith('/') ? text : `/${text}`)
  // Page rules look at the query only where they speak of it.
  if (path.includes('?')) return termsOfStar('http.request.uri', path)
  return termsOfStar('http.request.uri.path', path, '/*')
}

/** @param any the pattern that everything fits. */
function termsOfStar(field: string, pattern: string, any?: string): readonly string[] {
  const text = pattern.replaceAll(/\*+/g, '*')
  if (text === any) return []
  // Wildcards do not tell upper from lower case, nor do page rules; without letters there is nothing to tell.
  const isPlain = !/[*\\a-z]/i.test(text)
  return [isPlain ? `${field} eq ${quote(text)}` : `${field} wildcard ${quote(escapeStar(text))}`]
}

/** In a wildcard a backslash stands for itself when it is doubled. */
const escapeStar = (text: string): string => text.replaceAll('\\', '\\\\')

const quote = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** As clients send it. */
const encode = (text: string): string => text.replaceAll(/[^\p{ASCII}]+/gu, encodeURIComponent)

/** As clients send it; labels with a star stay as they are. */
const asciiHost = (host: string): string =>
  host
    .toLowerCase()
    .replaceAll(/\*+/g, '*')
    .split('.')
    .map((label) => (label.includes('*') ? label : toAscii(label)))
    .join('.')

/** All terms at once; `true` without any. */
export const conjunction = ({ terms }: UrlCondition): string =>
  terms.length === 0 ? 'true' : terms.join(' and ')

/** True where no URL fits both: they name different hosts. */
export const areApart = (a: UrlCondition, b: UrlCondition): boolean =>
  a.host !== null && b.host !== null && a.host !== b.host
