// What the inventory tells apart: hosts, pages, and the URLs of scripts and connections, with the ids that follow.
import { hash } from 'node:crypto'
import { parseUrl } from '../../platform/parse-url.ts'

export type ResourceKind = 'script' | 'connection'

/** Longer URLs and pages are not kept: what follows is never part of what tells two resources apart. */
export const MAX_URL_CHARACTERS = 2048
export const MAX_PAGE_CHARACTERS = 1024
export const PAGES_KEPT = 10

const ID_DIGITS = 32
const SCRIPT_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:'])
const CONNECTION_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'ws:', 'wss:'])
const OWN_ENDPOINT = /^\/cdn-cgi\/script[_-]monitor\/report$/

/** Parameters that only keep caches from answering; jQuery's `_` first of all. A number of ten digits is a time. */
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

/** A page on which something was met. */
export interface Page {
  /** Lower case, A-labels, no port. */
  readonly host: string
  /** `host/path`, without scheme, query and fragment. */
  readonly pageUrl: string
}

/** @returns undefined for what is no page that a browser got over HTTP. */
export function readPage(text: string): Page | undefined {
  const url = parseUrlOfHost(text)
  if (url === undefined || !SCRIPT_SCHEMES.has(url.protocol)) return undefined
  return { host: url.hostname, pageUrl: (url.host + url.pathname).slice(0, MAX_PAGE_CHARACTERS) }
}

/** True for a zone's own name and everything below it. */
export const isOfZone = (host: string, zoneName: string): boolean =>
  host === zoneName || (host.endsWith(zoneName) && host.at(-zoneName.length - 1) === '.')

/** What identifies a script or a connection, beside the host of its page. */
export interface Resource {
  readonly url: string
  /** With its port where that is not the usual one. */
  readonly urlHost: string
  /** Of the URL as it was met: what is kept of it may have no path. */
  readonly hasCdnCgi: boolean
}

/**
 * A script is told apart by its whole URL without fragment, user and cache busters.
 *
 * @returns undefined for what is not fetched over HTTP (inline, data:, blob:, extensions) and for our own endpoint.
 */
export function readScript(text: string): Resource | undefined {
  return readResource(text, SCRIPT_SCHEMES, true)
}

/** @param withPath false: scheme and host only, so that nothing that a path or query may hold is stored. */
export function readConnection(text: string, withPath: boolean): Resource | undefined {
  return readResource(text, CONNECTION_SCHEMES, withPath)
}

function readResource(text: string, schemes: ReadonlySet<string>, withPath: boolean): Resource | undefined {
  const steady = readSteadyUrl(text)
  const url = steady ?? parseUrlOfHost(text)
  if (url === undefined || !schemes.has(url.protocol) || OWN_ENDPOINT.test(url.pathname)) return undefined
  const origin = `${url.protocol}//${url.host}`
  const search = steadyQuery(url.search)
  // Of most nothing is left out, and they need not be put together again.
  const isWhole = steady !== undefined && search === url.search
  const kept = withPath ? (isWhole ? text : origin + url.pathname + search) : origin
  return { url: kept.slice(0, MAX_URL_CHARACTERS), urlHost: url.host, hasCdnCgi: hasCdnCgi(url) }
}

/**
 * Scheme, host, path and query of a URL that the parser of URLs (WHATWG URL §4.4) would give back as it is: lower case,
 * no user, port, fragment or percent sign in the path, no segment that begins with a dot, no host that is an address or
 * holds A-labels. Browsers report most URLs so, and the parser takes ten times as long.
 */
const STEADY_URL =
  /^(https?:|wss?:)\/\/((?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*)((?:\/(?!\.)[\w~!$&()*+,;=:@.-]*)+)(\?[\w~!$&()*+,;=:@./?%-]+)?$/

function readSteadyUrl(text: string): Pick<URL, 'protocol' | 'host' | 'pathname' | 'search'> | undefined {
  const match = text.includes('--') ? null : STEADY_URL.exec(text)
  if (match === null) return undefined
  const [, protocol = '', host = '', pathname = '', search = ''] = match
  return { protocol, host, pathname, search }
}

/** `inline`, `data` and their like are most of what is no URL: they need not fail in the parser. */
const WITH_HOST = /^[a-z][a-z0-9+.-]*:\/\//i

function parseUrlOfHost(text: string): URL | undefined {
  if (!WITH_HOST.test(text)) return undefined
  const url = parseUrl(text)
  return url?.hostname === '' ? undefined : url
}

function steadyQuery(search: string): string {
  if (search === '' || !/=\d{10}/.test(search)) return search
  const kept = search
    .slice(1)
    .split('&')
    .filter((part) => !isCacheBuster(part))
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}

function isCacheBuster(part: string): boolean {
  const at = part.indexOf('=')
  return at >= 0 && CACHE_BUSTERS.has(part.slice(0, at)) && LONG_NUMBER.test(part.slice(at + 1))
}

const hasCdnCgi = ({ pathname, search }: Pick<URL, 'pathname' | 'search'>): boolean =>
  (pathname + search).includes('/cdn-cgi/')

/** The part of a URL before its query; undefined without one. */
export function variantStem(url: string): string | undefined {
  const at = url.indexOf('?')
  return at < 0 ? undefined : url.slice(0, at)
}

/** What a URL with too many variants is kept as. */
export const collapsed = (stem: string): string => `${stem}?*`

/** The same for the same thing, whenever it is found: what was deleted and comes back has its id again. */
export const resourceId = (
  zoneId: string,
  kind: ResourceKind | 'cookie',
  ...parts: readonly string[]
): string => hash('sha256', [zoneId, kind, ...parts].join('\n'), 'hex').slice(0, ID_DIGITS)

/** Newest first, each once, the last ten. */
export function mergePages(newer: readonly string[], older: readonly string[]): readonly string[] {
  return [...new Set([...newer, ...older])].slice(0, PAGES_KEPT)
}
