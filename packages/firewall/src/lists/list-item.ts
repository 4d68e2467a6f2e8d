// Items of named lists: what a client may send for each kind, and the key by which two items are the same.
import { addressBits, ipText, networkAddress, parseIp } from '@zonereeve/expr'
import { readSource } from './source-url.ts'

export const LIST_KINDS = ['ip', 'redirect', 'hostname', 'asn'] as const
export type ListKind = (typeof LIST_KINDS)[number]

export interface ListedHostname {
  readonly url_hostname: string
  readonly exclude_exact_hostname?: boolean
}

/** Members are as in the API, because items are stored as sent. */
export interface RedirectItem {
  readonly source_url: string
  readonly target_url: string
  readonly include_subdomains?: boolean
  readonly preserve_path_suffix?: boolean
  readonly preserve_query_string?: boolean
  readonly status_code?: number
  readonly subpath_matching?: boolean
}

export type ListValue =
  | { readonly ip: string }
  | { readonly asn: number }
  | { readonly hostname: ListedHostname }
  | { readonly redirect: RedirectItem }

export type ReadValue =
  | { readonly value: ListValue; readonly key: string }
  /** Where in the item, as a JSON pointer. */
  | { readonly problem: string; readonly at: string }

const MIN_PREFIX = { 4: 8, 6: 12 } as const
const MAX_PREFIX = { 4: 32, 6: 64 } as const
const MAX_URL = 32_768
const MAX_ASN = 4_294_967_295

/** Checks the value of an item, whose types the schema has checked. */
export function readValue(value: ListValue): ReadValue {
  if ('ip' in value) return readNetwork(value.ip)
  if ('asn' in value) return readAsn(value.asn)
  return 'hostname' in value ? readHostname(value.hostname) : readRedirect(value.redirect)
}

/** A network is stored with its first address, so that two spellings of one network are the same item. */
function readNetwork(text: string): ReadValue {
  const [address = '', prefix, ...rest] = text.split('/')
  const ip = parseIp(address)
  if (ip === undefined || rest.length > 0)
    return { at: '/ip', problem: `${text} is not an IPv4 or IPv6 address or network` }
  const bits = addressBits(ip)
  if (prefix === undefined) return { value: { ip: ipText(ip) }, key: `${ipText(ip)}/${bits}` }
  const length = /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1 // not a number: out of bounds
  const [min, max] = [MIN_PREFIX[ip.family], MAX_PREFIX[ip.family]]
  if (length < min || length > max)
    return {
      at: '/ip',
      problem: `the prefix of an IPv${ip.family} network must be from /${min} to /${max}; got ${text}`,
    }
  const network = `${ipText(networkAddress(ip, length))}/${length}`
  return { value: { ip: network }, key: network }
}

const readAsn = (asn: number): ReadValue =>
  asn >= 0 && asn <= MAX_ASN
    ? { value: { asn }, key: String(asn) }
    : { at: '/asn', problem: `asn must be from 0 to ${MAX_ASN}` }

/** A host name as URLs have it: ASCII; international names in their xn-- form. */
const HOST =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

export const isHostname = (text: string): boolean => HOST.test(text)

function readHostname(hostname: ListedHostname): ReadValue {
  const url_hostname = hostname.url_hostname.toLowerCase()
  const isWildcard = url_hostname.startsWith('*.')
  if (!isHostname(isWildcard ? url_hostname.slice(2) : url_hostname))
    return {
      at: '/hostname/url_hostname',
      problem: `${hostname.url_hostname} is not a host name, or one with *. before it`,
    }
  if (!isWildcard && hostname.exclude_exact_hostname !== undefined)
    return {
      at: '/hostname/exclude_exact_hostname',
      problem: 'exclude_exact_hostname is for names that begin with *.',
    }
  return { value: { hostname: { ...hostname, url_hostname } }, key: url_hostname }
}

function readRedirect(redirect: RedirectItem): ReadValue {
  const { source_url: source, target_url: target, preserve_query_string: keepsQuery } = redirect
  const at = '/redirect/source_url'
  if (source.length > MAX_URL) return { at, problem: `source_url has more than ${MAX_URL} characters` }
  const read = readSource(source)
  if (read === undefined || !isHostname(read.host))
    return {
      at,
      problem: `${source} must be a host name with a path, with http:// or https:// or no scheme, without user, port, query and fragment`,
    }
  const problem = targetProblem(target, keepsQuery === true)
  if (problem !== undefined) return { at: '/redirect/target_url', problem }
  return { value: { redirect }, key: `${read.scheme}//${read.host}${read.path}` }
}

function targetProblem(target: string, keepsQuery: boolean): string | undefined {
  if (target.length > MAX_URL) return `target_url has more than ${MAX_URL} characters`
  if (!URL.canParse(target) || hasControl(target)) return `${target} must be a URL with a scheme`
  const isScript = ['javascript:', 'data:', 'vbscript:'].includes(new URL(target).protocol)
  if (isScript) return 'target_url must not be a script'
  return keepsQuery && target.includes('?')
    ? 'target_url must have no query if preserve_query_string is true'
    : undefined
}

/** The target becomes a header of the response. */
const hasControl = (text: string): boolean =>
  [...text].some((character) => character <= ' ' || character === '\u007f')
