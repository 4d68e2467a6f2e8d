// Identity in the inventory: hosts, pages, and the URLs of scripts and connections, with their derived ids.
import { hash } from 'node:crypto'
import { parseUrl } from '@zonereeve/platform'

/** `frame`, `image`, `form`: connections that are reported on request, listed apart. */
export type ResourceKind = 'script' | 'connection' | 'frame' | 'image' | 'form'

/** Longer URLs and pages are truncated: the rest never distinguishes two resources. */
export const MAX_URL_CHARACTERS = 2048
export const MAX_PAGE_CHARACTERS = 1024
export const PAGES_KEPT = 10

const ID_DIGITS = 32
const SCRIPT_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:'])
const CONNECTION_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'ws:', 'wss:'])
const OWN_ENDPOINT = /^\/cdn-cgi\/script[_-]monitor\/report$/

/** Query parameters that only defeat caches, first of all jQuery's `_`. A ten-digit number is a timestamp. */
const CACHE_BUSTERS: ReadonlySet<string> = new Set([
  '_',
  'cb',
  'cachebuster',
  'nocache',
  'rnd',
  't',
  'timestamp',
  'ts',
])
const LONG_NUMBER = /^\d{10,}$/

/** A page on which a resource was detected. */
export interface Page {
  /** Lower case, A-labels, no port. */
  readonly host: string
  /** `host/path`, without scheme, query and fragment. */
  readonly pageUrl: string
}

/** @returns undefined if it is not an HTTP(S) page. */
export function readPage(text: string): Page | undefined {
  const url = parseUrlOfHost(text)
  if (url === undefined || !SCRIPT_SCHEMES.has(url.protocol)) return undefined
  return { host: url.hostname, pageUrl: (url.host + url.pathname).slice(0, MAX_PAGE_CHARACTERS) }
}

/** True for a zone's own name and everything below it. */
export const isOfZone = (host: string, zoneName: string): boolean =>
  host === zoneName || (host.endsWith(zoneName) && host.at(-zoneName.length - 1) === '.')

/** The identity of a script or connection, apart from the host of its page. */
export interface Resource {
  readonly url: string
  /** With the port unless it is the default one. */
  readonly urlHost: string
  /** From the full URL: the stored form may lack the path. */
  readonly hasCdnCgi: boolean
}

/**
 * A script's identity is its whole URL without fragment, user and cache busters.
 * @returns undefined for URLs not fetched over HTTP (inline, data:, blob:, extensions) and for our own
 * reporting path.
 */
export function readScript(text: string): Resource | undefined {
  return readResource(text, SCRIPT_SCHEMES, true)
}

/** @param withPath false: scheme and host only, so that nothing from a path or query is stored. */
export function readConnection(text: string, withPath: boolean): Resource | undefined {
  return readResource(text, CONNECTION_SCHEMES, withPath)
}

function readResource(text: string, schemes: ReadonlySet<string>, withPath: boolean): Resource | undefined {
  const steady = readSteadyUrl(text)
  const url = steady ?? parseUrlOfHost(text)
  if (url === undefined || !schemes.has(url.protocol) || OWN_ENDPOINT.test(url.pathname)) return undefined
  const origin = `${url.protocol}//${url.host}`
  const search = steadyQuery(url.search)
  // Most URLs are unchanged and need not be reassembled.
  const isWhole = steady !== undefined && search === url.search
  const remaining = withPath ? (isWhole ? text : origin + url.pathname + search) : origin
  return { url: remaining.slice(0, MAX_URL_CHARACTERS), urlHost: url.host, hasCdnCgi: hasCdnCgi(url) }
}

/**
 * Matches URLs that the WHATWG URL parser (§4.4) returns unchanged: lower case, no user, port, fragment or
 * percent sign in the path, no segment that begins with a dot, no host that is an address or contains
 * A-labels. Most reported URLs match, and the parser takes ten times as long.
 */
const STEADY_URL =
  /^(https?:|wss?:)\/\/((?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*)((?:\/(?!\.)[\w~!$&()*+,;=:@.-]*)+)(\?[\w~!$&()*+,;=:@./?%-]+)?$/

function readSteadyUrl(text: string): Pick<URL, 'protocol' | 'host' | 'pathname' | 'search'> | undefined {
  const match = text.includes('--') ? null : STEADY_URL.exec(text)
  if (match === null) return undefined
  const [, protocol = '', host = '', pathname = '', search = ''] = match
  return { protocol, host, pathname, search }
}

/** Most reported values that are not URLs are `inline`, `data` and the like: skip the parser for them. */
const WITH_HOST = /^[a-z][a-z0-9+.-]*:\/\//i

function parseUrlOfHost(text: string): URL | undefined {
  if (!WITH_HOST.test(text)) return undefined
  const url = parseUrl(text)
  return url?.hostname === '' ? undefined : url
}

function steadyQuery(search: string): string {
  if (search === '' || !/=\d{10}/.test(search)) return search
  const remaining = search
    .slice(1)
    .split('&')
    .filter((part) => !isCacheBuster(part))
  return remaining.length === 0 ? '' : `?${remaining.join('&')}`
}

function isCacheBuster(part: string): boolean {
  const at = part.indexOf('=')
  return at >= 0 && CACHE_BUSTERS.has(part.slice(0, at)) && LONG_NUMBER.test(part.slice(at + 1))
}

const hasCdnCgi = ({ pathname, search }: Pick<URL, 'pathname' | 'search'>): boolean =>
  (pathname + search).includes('/cdn-cgi/')

/** The part of a URL before its query; undefined if it has none. */
export function variantStem(url: string): string | undefined {
  const at = url.indexOf('?')
  return at < 0 ? undefined : url.slice(0, at)
}

/** The stored form of URLs with too many query variants. */
export const collapseStem = (stem: string): string => `${stem}?*`

/** Deterministic: a resource that is deleted and detected again gets the same id. */
export const resourceId = (
  zoneId: string,
  kind: ResourceKind | 'cookie' | 'code',
  ...parts: readonly string[]
): string => hash('sha256', [zoneId, kind, ...parts].join('\n'), 'hex').slice(0, ID_DIGITS)

/** Deduplicated, newest first, the last ten. */
export function mergePages(newer: readonly string[], older: readonly string[]): readonly string[] {
  return [...new Set([...newer, ...older])].slice(0, PAGES_KEPT)
}
