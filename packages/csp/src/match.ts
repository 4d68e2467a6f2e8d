// Whether a URL matches a source list: by the specification, and as three engines were seen to do it.
import { DEFAULT_PORTS, type HostSource, type Source } from './source.ts'
import type { UrlParts } from './url.ts'

export const ENGINES = ['chromium', 'firefox', 'webkit'] as const
export type Engine = (typeof ENGINES)[number]
/** Whose reading of the rules: the specification's, or that of an engine (measured: Chromium 156, Firefox ESR 153, WebKitGTK 2.50). */
export type Reading = 'specification' | Engine

export interface MatchSituation {
  /** The page; undefined where its URL is none, and then `'self'` and sources without a scheme match nothing. */
  readonly page: UrlParts | undefined
  readonly reading: Reading
  /** The directive whose list it is. */
  readonly directive: string
  /** After a redirect paths are not compared, lest a policy tell where other sites redirect to (CSP3 §7.6). */
  readonly isRedirected: boolean
}

/** Where an engine departs from the specification. */
interface Quirks {
  /** A literal IPv4 address matches itself; the specification matches domains only. */
  readonly ipv4: boolean
  /** `*:port` without a scheme matches nothing (WebKit bug 318612). */
  readonly deafStarPort: boolean
  /** `ws:` and `wss:` do not cover `http:` and `https:`. */
  readonly narrowWs: boolean
  /** A secure upgrade of a host source's scheme needs one of port, and the other way round. */
  readonly joinedUpgrade: boolean
  /** Port 80 in a source covers port 443 of a URL. */
  readonly upgradesPort: boolean
  /** The whole path is decoded before it is split, so `%2F` is a separator. */
  readonly decodesFirst: boolean
  /** A path with a query or fragment behind it is taken without these. */
  readonly forgivesExcess: boolean
  /** `img-src *` covers `data:`, `media-src *` also `blob:`. */
  readonly starCoversData: boolean
  /** Lone `*` covers `ws:` and `wss:`. */
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
 * The first source of a list that a URL matches (CSP3 §6.7.2.7). `'none'` beside other sources has no effect; an
 * empty list matches nothing.
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
  const wantedScheme = source.scheme ?? situation.page?.scheme
  if (wantedScheme === undefined) return false
  const scheme = schemeMatch(wantedScheme, url.scheme, quirks)
  const port = portMatch(source.port, url, quirks)
  if (scheme === 'no' || port === 'no') return false
  if (quirks.joinedUpgrade && !areUpgradedTogether(scheme, port)) return false
  if (!hostMatches(source.host, url.host, quirks)) return false
  return situation.isRedirected || pathMatches(source.path, url.path, quirks)
}

/** `'self'`: the page's origin, or its host by a more secure scheme on the same or default ports (CSP3 §6.7.2.8 step 4). */
function matchesSelf(url: UrlParts, { page }: MatchSituation): boolean {
  if (page === undefined || page.host === null) return false
  if (page.host !== url.host || page.port !== url.port) return false
  if (page.scheme === url.scheme) return true
  return url.scheme === 'https' || url.scheme === 'wss' || (page.scheme === 'http' && url.scheme === 'ws')
}

type Match = 'exact' | 'upgrade' | 'either' | 'no'

/** Whether a source's scheme covers a URL's (CSP3 §6.7.2.9): itself, and what is more secure than it. */
function schemeMatch(wanted: string, scheme: string, { narrowWs }: Quirks): Match {
  if (wanted === scheme) return 'exact'
  if (wanted === 'http' && scheme === 'https') return 'upgrade'
  if (wanted === 'ws' && scheme === 'wss') return 'upgrade'
  if (narrowWs) return 'no'
  if (wanted === 'ws' && (scheme === 'http' || scheme === 'https')) return 'upgrade'
  return wanted === 'wss' && scheme === 'https' ? 'upgrade' : 'no'
}

/** Whether a source's port covers a URL's (CSP3 §6.7.2.11). */
function portMatch(wanted: number | '*' | null, url: UrlParts, { upgradesPort }: Quirks): Match {
  if (wanted === '*') return 'either'
  const port = url.port ?? DEFAULT_PORTS.get(url.scheme)
  if (wanted === null) return url.port === null ? 'either' : 'no'
  if (wanted === port) return 'exact'
  return upgradesPort && wanted === 80 && port === 443 ? 'upgrade' : 'no'
}

const areUpgradedTogether = (scheme: Match, port: Match): boolean =>
  (scheme !== 'upgrade' || port === 'upgrade' || port === 'either') &&
  (port !== 'upgrade' || scheme === 'upgrade')

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/

/** Whether a source's host covers a URL's (CSP3 §6.7.2.10): `*.` covers sub-domains, and not the name behind it. */
function hostMatches(wanted: string, host: string, { ipv4 }: Quirks): boolean {
  if (wanted === '*') return true
  const isAddress = host.startsWith('[') || IPV4.test(host)
  if (isAddress) return ipv4 && wanted === host
  return wanted.startsWith('*.') ? host.endsWith(wanted.slice(1)) : wanted === host
}

/** Whether a source's path covers a URL's (CSP3 §6.7.2.12): a whole path, or a folder where it ends with `/`. */
function pathMatches(wanted: string, path: string, { decodesFirst }: Quirks): boolean {
  if (wanted === '') return true
  if (decodesFirst) return coversPath(decodePercent(wanted), decodePercent(path))
  const wantedPieces = wanted.split('/')
  const pieces = path.split('/')
  const isFolder = wanted.endsWith('/')
  if (wantedPieces.length > pieces.length) return false
  if (!isFolder && wantedPieces.length !== pieces.length) return false
  const compared = isFolder ? wantedPieces.slice(0, -1) : wantedPieces
  return compared.every((piece, index) => decodePercent(piece) === decodePercent(pieces[index] ?? ''))
}

const coversPath = (wanted: string, path: string): boolean =>
  wanted.endsWith('/') ? path.startsWith(wanted) : path === wanted

/** Octets as characters U+0000 to U+00FF; policies and the paths of URLs are ASCII. */
const decodePercent = (text: string): string =>
  text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
