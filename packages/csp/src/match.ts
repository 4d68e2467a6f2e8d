// Whether a URL matches a source list: by the specification, and as measured in three engines.
import { DEFAULT_PORTS, type HostSource, type Source } from './source.ts'
import type { UrlParts } from './url.ts'

export const ENGINES = ['chromium', 'firefox', 'webkit'] as const
export type Engine = (typeof ENGINES)[number]
/**
 * The rules to apply: those of the specification, or of an engine (measured: Chromium 156, Firefox ESR 153, WebKitGTK
 * 2.50).
 */
export type Reading = 'specification' | Engine

export interface MatchSituation {
  /** The page; undefined if its URL is invalid, and then `'self'` and sources without a scheme match nothing. */
  readonly page: UrlParts | undefined
  readonly reading: Reading
  /** The directive whose list it is. */
  readonly directive: string
  /**
   * After a redirect paths are not compared, so that a policy cannot reveal where other sites redirect to (CSP3
   * §7.6).
   */
  readonly isRedirected: boolean
}

/** Where an engine differs from the specification. */
interface Quirks {
  /** A literal IPv4 address matches itself; the specification matches domains only. */
  readonly ipv4: boolean
  /** `*:port` without a scheme matches nothing (WebKit bug 318612). */
  readonly deafStarPort: boolean
  /** `ws:` and `wss:` do not cover `http:` and `https:`. */
  readonly narrowWs: boolean
  /** A secure upgrade of a host source's scheme requires one of the port, and vice versa. */
  readonly joinedUpgrade: boolean
  /** Port 80 in a source covers port 443 of a URL. */
  readonly upgradesPort: boolean
  /** The whole path is decoded before it is split, so `%2F` is a separator. */
  readonly decodesFirst: boolean
  /** A path followed by a query or fragment is used without these. */
  readonly forgivesExcess: boolean
  /** `img-src *` covers `data:`, `media-src *` also `blob:`. */
  readonly starCoversData: boolean
  /** A lone `*` covers `ws:` and `wss:`. */
  readonly starCoversWs: boolean
}

const SHARED = {
  ipv4: true,
  upgradesPort: true,
  decodesFirst: true,
  forgivesExcess: true,
  starCoversWs: true,
}

const QUIRKS: Readonly<Record<Reading, Quirks>> = {
  specification: {
    ipv4: false,
    deafStarPort: false,
    narrowWs: false,
    joinedUpgrade: false,
    upgradesPort: false,
    decodesFirst: false,
    forgivesExcess: false,
    starCoversData: false,
    starCoversWs: false,
  },
  chromium: { ...SHARED, deafStarPort: false, narrowWs: true, joinedUpgrade: true, starCoversData: false },
  firefox: { ...SHARED, deafStarPort: false, narrowWs: true, joinedUpgrade: false, starCoversData: false },
  webkit: { ...SHARED, deafStarPort: true, narrowWs: false, joinedUpgrade: false, starCoversData: true },
}

/**
 * The first source of a list that a URL matches (CSP3 §6.7.2.7). `'none'` together with other sources has no effect;
 * an empty list matches nothing.
 */
export function firstMatch(
  sources: readonly Source[],
  url: UrlParts,
  situation: MatchSituation,
): Source | undefined {
  return sources.find((source) => matchesSource(source, url, situation))
}

/** Whether a URL matches one source expression (CSP3 §6.7.2.8). Nonces and hashes match no URL. */
export function matchesSource(source: Source, url: UrlParts, situation: MatchSituation): boolean {
  switch (source.kind) {
    case 'scheme':
      return schemeMatch(source.scheme, url.scheme, QUIRKS[situation.reading]) !== 'no'
    case 'host':
      return isLoneStar(source) ? matchesStar(url, situation) : matchesHostSource(source, url, situation)
    case 'keyword':
      return source.keyword === 'self' && matchesSelf(url, situation)
    case 'nonce':
    case 'hash':
      return false
  }
}

const isLoneStar = ({ scheme, host, port, path, excess }: HostSource): boolean =>
  scheme === null && host === '*' && port === null && path === '' && excess === ''

function matchesStar(url: UrlParts, { page, reading, directive }: MatchSituation): boolean {
  const quirks = QUIRKS[reading]
  if (url.scheme === 'http' || url.scheme === 'https' || url.scheme === page?.scheme) return true
  if (url.scheme === 'ws' || url.scheme === 'wss') return quirks.starCoversWs
  if (!quirks.starCoversData) return false
  if (url.scheme === 'data') return directive === 'img-src' || directive === 'media-src'
  return url.scheme === 'blob' && directive === 'media-src'
}

function matchesHostSource(source: HostSource, url: UrlParts, situation: MatchSituation): boolean {
  const quirks = QUIRKS[situation.reading]
  if (url.host === null) return false
  if (source.excess !== '' && !quirks.forgivesExcess) return false
  if (quirks.deafStarPort && source.host === '*' && source.scheme === null && source.port !== null) {
    return false
  }
  const desiredScheme = source.scheme ?? situation.page?.scheme
  if (desiredScheme === undefined) return false
  const scheme = schemeMatch(desiredScheme, url.scheme, quirks)
  const port = portMatch(source.port, url, quirks)
  if (scheme === 'no' || port === 'no') return false
  if (quirks.joinedUpgrade && !areUpgradedTogether(scheme, port)) return false
  if (!hostMatches(source.host, url.host, quirks)) return false
  return situation.isRedirected || pathMatches(source.path, url.path, quirks)
}

/**
 * `'self'`: the page's origin, or its host with a more secure scheme on the same or default ports (CSP3 §6.7.2.8 step
 * 4).
 */
function matchesSelf(url: UrlParts, { page }: MatchSituation): boolean {
  if (page === undefined || page.host === null) return false
  if (page.host !== url.host || page.port !== url.port) return false
  if (page.scheme === url.scheme) return true
  return url.scheme === 'https' || url.scheme === 'wss' || (page.scheme === 'http' && url.scheme === 'ws')
}

type Match = 'exact' | 'upgrade' | 'either' | 'no'

/** Whether a source's scheme covers a URL's (CSP3 §6.7.2.9): the same one, and more secure ones. */
function schemeMatch(pattern: string, scheme: string, { narrowWs }: Quirks): Match {
  if (pattern === scheme) return 'exact'
  if (pattern === 'http' && scheme === 'https') return 'upgrade'
  if (pattern === 'ws' && scheme === 'wss') return 'upgrade'
  if (narrowWs) return 'no'
  if (pattern === 'ws' && (scheme === 'http' || scheme === 'https')) return 'upgrade'
  return pattern === 'wss' && scheme === 'https' ? 'upgrade' : 'no'
}

/** Whether a source's port covers a URL's (CSP3 §6.7.2.11). */
function portMatch(pattern: number | '*' | null, url: UrlParts, { upgradesPort }: Quirks): Match {
  if (pattern === '*') return 'either'
  const port = url.port ?? DEFAULT_PORTS.get(url.scheme)
  if (pattern === null) return url.port === null ? 'either' : 'no'
  if (pattern === port) return 'exact'
  return upgradesPort && pattern === 80 && port === 443 ? 'upgrade' : 'no'
}

const areUpgradedTogether = (scheme: Match, port: Match): boolean =>
  (scheme !== 'upgrade' || port === 'upgrade' || port === 'either') &&
  (port !== 'upgrade' || scheme === 'upgrade')

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/

/** Whether a source's host covers a URL's (CSP3 §6.7.2.10): `*.` covers sub-domains, but not the domain itself. */
function hostMatches(pattern: string, host: string, { ipv4 }: Quirks): boolean {
  if (pattern === '*') return true
  const isAddress = host.startsWith('[') || IPV4.test(host)
  if (isAddress) return ipv4 && pattern === host
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : pattern === host
}

/** Whether a source's path covers a URL's (CSP3 §6.7.2.12): the exact path, or a folder if it ends with `/`. */
function pathMatches(pattern: string, path: string, { decodesFirst }: Quirks): boolean {
  if (pattern === '') return true
  if (decodesFirst) return coversPath(decodePercent(pattern), decodePercent(path))
  const patternSegments = pattern.split('/')
  const segments = path.split('/')
  const isFolder = pattern.endsWith('/')
  if (patternSegments.length > segments.length) return false
  if (!isFolder && patternSegments.length !== segments.length) return false
  const compared = isFolder ? patternSegments.slice(0, -1) : patternSegments
  return compared.every((patternSegment, index) => {
    const segment = segments[index]
    return segment !== undefined && decodePercent(patternSegment) === decodePercent(segment)
  })
}

const coversPath = (pattern: string, path: string): boolean =>
  pattern.endsWith('/') ? path.startsWith(pattern) : path === pattern

/** Octets as characters U+0000 to U+00FF; policies and URL paths are ASCII. */
const decodePercent = (text: string): string =>
  text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
