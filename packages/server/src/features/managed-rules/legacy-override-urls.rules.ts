// Which overrides of the previous product hold for a request: their URLs beside its own.
import { asciiLower, type Bytes, matchesWildcard, parseWildcard, utf8, type Wildcard } from '@zonereeve/expr'
import { fieldText, type InspectedRequest } from './inspected-request.ts'
import type { LegacyOverride } from './legacy-configuration.ts'

/** Those that are not paused and name the URL, the strongest (lowest priority) first; equals by their id. */
export function overridesFor(
  overrides: readonly LegacyOverride[],
  request: InspectedRequest,
): readonly LegacyOverride[] {
  const url = urlOf(request)
  return overrides
    .filter(({ isPaused, urls }) => !isPaused && urls.some((pattern) => matchesUrl(pattern, url)))
    .toSorted((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1))
}

interface RequestUrl {
  readonly scheme: 'http' | 'https'
  /** Without the port. */
  readonly host: Bytes
  /** Without dot segments: otherwise `/open/../closed` would pass for a page below `/open/`. */
  readonly path: Bytes
  readonly query: Bytes
}

const urlOf = (request: InspectedRequest): RequestUrl => ({
  scheme: request.facts.isTls ? 'https' : 'http',
  host: asciiLower(fieldText(request, 'http.host').replace(/:\d*$/, '')),
  path: fieldText(request, 'http.request.uri.path'),
  query: fieldText(request, 'http.request.uri.query'),
})

/** A pattern without a scheme is for both, one without a path for `/` alone, one without a query for any. */
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

/** Two stars are one; a backslash is a backslash. */
function readWildcard(pattern: Bytes): Wildcard | undefined {
  const escaped = pattern.replaceAll('\\', '\\\\').replaceAll(/\*+/g, '*')
  const wildcard = parseWildcard(escaped, false, Number.MAX_SAFE_INTEGER)
  return typeof wildcard === 'string' ? undefined : wildcard
}
