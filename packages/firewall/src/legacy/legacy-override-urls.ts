// Which overrides of the legacy WAF apply to a request: compares their URLs with the request's.
import { asciiLower, type Bytes, matchesWildcard, parseWildcard, utf8, type Wildcard } from '@zonereeve/expr'
import { fieldText, type InspectedRequest } from '../managed-rules/inspected-request.ts'
import type { LegacyOverride } from './legacy-configuration.ts'

/**
 * Overrides that are not paused and match the URL, highest precedence (lowest priority) first; ties are ordered by
 * ID.
 */
export function overridesFor(
  overrides: readonly LegacyOverride[],
  request: InspectedRequest,
): readonly LegacyOverride[] {
  if (overrides.length === 0) return overrides
  const url = urlOf(request)
  return overrides
    .filter(({ isPaused, urls }) => !isPaused && urls.some((pattern) => matchesUrl(pattern, url)))
    .toSorted((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1))
}

interface RequestUrl {
  readonly scheme: 'http' | 'https'
  /** Without the port. */
  readonly host: Bytes
  /** Dot segments are resolved: otherwise `/open/../closed` would match as a page below `/open/`. */
  readonly path: Bytes
  readonly query: Bytes
}

const urlOf = (request: InspectedRequest): RequestUrl => ({
  scheme: request.facts.isTls ? 'https' : 'http',
  host: asciiLower(fieldText(request, 'http.host').replace(/:\d*$/, '')),
  path: fieldText(request, 'http.request.uri.path'),
  query: fieldText(request, 'http.request.uri.query'),
})

/** A pattern without a scheme matches both, one without a path only `/`, one without a query any query. */
function matchesUrl(pattern: string, url: RequestUrl): boolean {
  const [, scheme, rest = ''] = /^(?:(https?):\/\/)?(.*)$/s.exec(utf8(pattern)) ?? []
  if (scheme !== undefined && scheme !== url.scheme) return false
  const slash = rest.indexOf('/')
  const host = slash === -1 ? rest : rest.slice(0, slash)
  const path = slash === -1 ? '/' : rest.slice(slash)
  const text = path.includes('?') ? `${url.path}?${url.query}` : url.path
  return fits(asciiLower(host), url.host) && fits(path, text)
}

function fits(pattern: Bytes, text: Bytes): boolean {
  const wildcard = readWildcard(pattern)
  return wildcard !== undefined && matchesWildcard(wildcard, text)
}

/** Two stars are one; a backslash is a literal backslash. */
function readWildcard(pattern: Bytes): Wildcard | undefined {
  const escaped = pattern.replaceAll('\\', '\\\\').replaceAll(/\*+/g, '*')
  const wildcard = parseWildcard(escaped, false, Number.MAX_SAFE_INTEGER)
  return typeof wildcard === 'string' ? undefined : wildcard
}
