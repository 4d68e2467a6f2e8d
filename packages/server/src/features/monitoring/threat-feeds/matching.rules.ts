// Matches feeds with the inventory. Both sides are reduced to keys, which match if they are equal:
//   `d:HOST`        a domain: the host and every name below it
//   `h:HOST`        the host of a listed URL: that host alone
//   `u:HOST/PATH?Q` a URL without scheme, default port and fragment. On a host with one owner, a URL that ends with a
//                   slash also covers everything below it; on a shared host it covers only itself
import { parseUrl } from '@zonereeve/platform'
import { kindOfHost, namesOfOwner, readHost } from './hosts.rules.ts'

export type FeedEntry =
  | { readonly kind: 'domain'; readonly host: string }
  /** `flagsHost`: if the host has a single owner, the host is flagged as well. */
  | { readonly kind: 'url'; readonly url: string; readonly flagsHost: boolean }

/**
 * The stored form of an entry.
 * - `unreadable`: neither a host nor a URL.
 * - `passed-over`: does not apply here: a local name, a scheme other than HTTP(S), or a shared host as a
 * whole.
 */
export type EntryKeys = readonly string[] | 'unreadable' | 'passed-over'

/** The inventory contains no longer URLs. */
const MAX_URL_CHARACTERS = 2048
/** Maximum path levels searched for entries that cover everything below them. */
const MAX_LEVELS = 32
const FETCHED: ReadonlySet<string> = new Set(['http:', 'https:', 'ws:', 'wss:'])

export function keysOfEntry(entry: FeedEntry): EntryKeys {
  return entry.kind === 'domain' ? keysOfDomain(entry.host) : keysOfUrl(entry.url, entry.flagsHost)
}

function keysOfDomain(text: string): EntryKeys {
  const host = readHost(text)
  if (host === undefined) return 'unreadable'
  const kind = kindOfHost(host)
  return kind === 'local' || kind === 'shared' ? 'passed-over' : [`d:${host}`]
}

function keysOfUrl(text: string, flagsHost: boolean): EntryKeys {
  const url = parseUrl(text.trim())
  if (url === undefined) return 'unreadable'
  if (!FETCHED.has(url.protocol) || url.href.length > MAX_URL_CHARACTERS) return 'passed-over'
  const host = hostOf(url)
  const kind = kindOfHost(host)
  if (kind === 'local') return 'passed-over'
  const isWhole = url.pathname === '/' && url.search === ''
  if (kind === 'shared' && isWhole) return 'passed-over'
  const hostKeys = flagsHost && (kind === 'own' || kind === 'address') ? [`h:${host}`] : []
  return [`u:${authorityOf(url)}${url.pathname}${url.search}`, ...hostKeys]
}

/** True for URLs that the inventory can contain. */
export function isLookedUp(text: string): boolean {
  const url = parseUrl(text)
  return url !== undefined && FETCHED.has(url.protocol)
}

export interface LookupKeys {
  readonly domain: readonly string[]
  readonly url: readonly string[]
}

/** The keys that would flag a resource of the inventory, by its domain and by its URL. */
export function keysOfResource(text: string): LookupKeys {
  const url = parseUrl(text)
  if (url === undefined || !FETCHED.has(url.protocol)) return { domain: [], url: [] }
  return { domain: domainKeys(hostOf(url)), url: hasPath(text) ? urlKeys(url) : [] }
}

function domainKeys(host: string): readonly string[] {
  const kind = kindOfHost(host)
  if (kind === 'local' || kind === 'shared') return []
  return [`h:${host}`, ...namesOfOwner(host).map((name) => `d:${name}`)]
}

/** The URL without its query, and every parent path that belongs to the same owner. */
function urlKeys(url: URL): readonly string[] {
  const authority = `u:${authorityOf(url)}`
  const itself = authority + url.pathname
  const own = [itself + url.search, itself]
  if (kindOfHost(hostOf(url)) === 'shared') return [...new Set(own)]
  const levels = url.pathname.split('/').slice(1, -1).slice(0, MAX_LEVELS)
  const above = levels.map((_, index) => `${authority}/${levels.slice(0, index + 1).join('/')}/`)
  return [...new Set([...own, `${authority}/`, ...above])]
}

/** Connections may be stored as scheme and host only; those are not looked up as URLs. */
const hasPath = (text: string): boolean => text.indexOf('/', text.indexOf('://') + 3) >= 0

const authorityOf = (url: URL): string => hostOf(url) + (url.port === '' ? '' : `:${url.port}`)

const hostOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '')
