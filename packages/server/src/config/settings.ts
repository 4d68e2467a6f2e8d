// Every setting, once: its flag, its environment variable, its default, its check, its words.
import { isIP } from 'node:net'
import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from '@zonereeve/dns'
import { NAMESERVER_SETTINGS } from './nameserver-settings.ts'
import { matching, oneOf, parseEndpoint, parseNetworks, partsOf, setting, type Endpoint } from './setting.ts'

export type { Endpoint, Setting } from './setting.ts'

export interface Rate {
  readonly requests: number
  readonly windowSeconds: number
}

/** Of one name: more would make answers too large for one packet. */
const MAX_EDGE_ADDRESSES = 32
const MAX_RESOLVERS = 8
/** Of one zone: each is a header of its own, and proxies bound what all headers take. */
const MAX_POLICIES = 100
const MAX_EVENT_DAYS = 3_650
/** Of one zone. */
const MAX_EVENTS = 10_000_000
/** At the same time: each may hold a script and its decoded form in memory. */
const MAX_FETCHES = 64

const TOKEN = /^[A-Za-z0-9_-]{40,100}$/
const KEY = /^[0-9a-f]{37}$/
const ENCRYPTION_SECRET = /^[!-~]{32,200}$/
const EMAIL = /^[^\s@]+@[^\s@]+$/
const HOST_NAME = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

export const SETTINGS = {
  http: setting({
    name: 'http',
    placeholder: 'host:port',
    description: 'where the HTTP API listens; port 0 picks a free one',
    usual: '127.0.0.1:8080',
    parse: parseEndpoint,
  }),
  dns: setting({
    name: 'dns',
    placeholder: 'host:port',
    description: 'where the nameserver listens, UDP and TCP; port 0 picks a free one',
    usual: '127.0.0.1:5353',
    parse: parseEndpoint,
  }),
  ...NAMESERVER_SETTINGS,
  data: setting({
    name: 'data',
    placeholder: 'dir',
    description: 'folder that holds the database',
    usual: './data',
    parse: (text) => text,
  }),
  database: setting({
    name: 'database',
    placeholder: 'url',
    description: 'sqlite:FILE; the usual one is zonereeve.db in the data folder',
    usual: '',
    parse: parseDatabase,
  }),
  profile: setting({
    name: 'profile',
    placeholder: 'name',
    description: 'documented (as specified) or vendor (as the live API, where the two differ)',
    usual: 'documented',
    parse: (text) => oneOf(text, ['documented', 'vendor']),
  }),
  rateLimit: setting({
    name: 'rate-limit',
    placeholder: 'limit',
    description: 'off, vendor (1200 requests in 300 s for each credential), or REQUESTS/SECONDS',
    usual: 'off',
    parse: parseRate,
  }),
  nameServers: setting({
    name: 'name-servers',
    placeholder: 'names',
    description: 'host names of the nameservers that new zones are delegated to, separated by commas',
    usual: 'ns1.zonereeve.internal,ns2.zonereeve.internal',
    parse: parseNameServers,
  }),
  edgeAddresses: setting({
    name: 'edge-addresses',
    placeholder: 'addresses',
    description:
      'IPv4 and IPv6 addresses that proxied names are answered with, separated by commas; without any, their origins',
    usual: '',
    parse: parseEdgeAddresses,
  }),
  resolver: setting({
    name: 'resolver',
    placeholder: 'servers',
    description:
      'recursive nameservers (HOST:PORT, separated by commas) that tell where CNAMEs lead; system, or off',
    usual: 'system',
    parse: parseResolver,
  }),
  maxPolicies: setting({
    name: 'max-policies',
    placeholder: 'count',
    description: 'content-security policies that a zone may have, 0 to 100',
    usual: '5',
    parse: (text) => parseCount(text, 0, MAX_POLICIES),
  }),
  securityEventDays: setting({
    name: 'security-event-days',
    placeholder: 'days',
    description: 'for how long security events are kept, 1 to 3650 days',
    usual: '30',
    parse: (text) => parseCount(text, 1, MAX_EVENT_DAYS),
  }),
  maxSecurityEvents: setting({
    name: 'max-security-events',
    placeholder: 'count',
    description: 'security events that are kept of a zone, the newest, 0 (none is recorded) to 10000000',
    usual: '100000',
    parse: (text) => parseCount(text, 0, MAX_EVENTS),
  }),
  scanServers: setting({
    name: 'scan-servers',
    placeholder: 'servers',
    description:
      'nameservers (HOST:PORT, separated by commas) that a scan of records asks, instead of those that the zone is delegated to',
    usual: '',
    parse: parseServers,
  }),
  collectorUrl: setting({
    name: 'collector-url',
    placeholder: 'url',
    description:
      'scheme and host under which browsers reach this server with their reports; without it, the hosts of the pages',
    usual: '',
    parse: parseOrigin,
  }),
  reportRate: setting({
    name: 'report-rate',
    placeholder: 'limit',
    description: 'requests with browser reports of one address: off, or REQUESTS/SECONDS',
    usual: '600/10',
    parse: parseRate,
  }),
  scriptFetches: setting({
    name: 'script-fetches',
    placeholder: 'count',
    description: 'scripts of the inventory that are fetched at the same time, 0 to 64; 0 = none ever',
    usual: '4',
    parse: (text) => parseCount(text, 0, MAX_FETCHES),
  }),
  fetchNetworks: setting({
    name: 'fetch-networks',
    placeholder: 'networks',
    description:
      'addresses and networks (CIDR, separated by commas) that are fetched from although they are not public',
    usual: '',
    parse: parseNetworks,
  }),
  fetchPorts: setting({
    name: 'fetch-ports',
    placeholder: 'ports',
    description: 'ports that are fetched from, separated by commas; or any',
    usual: '80,443',
    parse: parsePorts,
  }),
  trustProxy: setting({
    name: 'trust-proxy',
    placeholder: 'networks',
    description: 'networks (CIDR, separated by commas) of proxies whose X-Forwarded-For is believed',
    usual: '',
    parse: parseNetworks,
  }),
  maxZoneFile: setting({
    name: 'max-zone-file',
    placeholder: 'size',
    description: 'largest zone file that a zone can be replaced by: a number, of KiB with K, of MiB with M',
    usual: '16M',
    parse: parseSize,
  }),
  dnssecAlgorithm: setting({
    name: 'dnssec-algorithm',
    placeholder: 'name',
    description: 'what zones are signed with from now on: ECDSAP256SHA256 or ED25519',
    usual: 'ECDSAP256SHA256',
    parse: (text) => oneOf(text.toUpperCase(), ['ECDSAP256SHA256', 'ED25519']),
  }),
  logLevel: setting({
    name: 'log-level',
    placeholder: 'level',
    description: 'debug, info, warn, error or silent',
    usual: 'info',
    parse: (text) => oneOf(text, ['debug', 'info', 'warn', 'error', 'silent']),
  }),
  keyEncryptionSecret: setting({
    name: 'key-encryption-secret',
    description: 'encrypts DNSSEC keys in the database: 32 to 200 random printable characters',
    usual: undefined,
    secret: true,
    parse: (text) =>
      matching(text, ENCRYPTION_SECRET, 'must be 32 to 200 printable characters without blanks'),
  }),
  adminToken: setting({
    name: 'admin-token',
    description: 'token of the first administrator: 40 or more of A-Z a-z 0-9 _ -',
    usual: undefined,
    secret: true,
    parse: (text) => matching(text, TOKEN, 'must be 40 to 100 characters of A-Z a-z 0-9 _ -'),
  }),
  adminEmail: setting({
    name: 'admin-email',
    description: 'e-mail address of the first administrator, for X-Auth-Email',
    usual: 'admin@example.com',
    parse: (text) => matching(text, EMAIL, 'must be an e-mail address'),
  }),
  adminKey: setting({
    name: 'admin-key',
    description: 'legacy key of the first administrator, for X-Auth-Key: 37 hexadecimal digits',
    usual: undefined,
    secret: true,
    parse: (text) => matching(text, KEY, 'must be 37 hexadecimal digits'),
  }),
}

export type SettingKey = keyof typeof SETTINGS

/** `rate-limit` is ZONEREEVE_RATE_LIMIT in the environment. */
export const environmentName = ({ name }: { readonly name: string }): string =>
  `ZONEREEVE_${name.replaceAll('-', '_').toUpperCase()}`

function parseDatabase(text: string): string | undefined {
  if (text === '') return undefined
  if (/^postgres(ql)?:/.test(text))
    throw new Error('PostgreSQL is not supported by this version; use sqlite:FILE')
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(text)?.[1]
  if (path === undefined) throw new Error('must be sqlite:FILE')
  return path
}

function parseOrigin(text: string): string | undefined {
  if (text === '') return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    throw new Error('must be scheme and host alone, like https://reports.example.com')
  return url.origin
}

function parseCount(text: string, minimum: number, maximum: number): number {
  const count = Number(text)
  if (!/^\d{1,8}$/.test(text) || count < minimum || count > maximum)
    throw new Error(`must be ${minimum} to ${maximum}`)
  return count
}

function parsePorts(text: string): readonly number[] | 'any' {
  if (text === 'any') return text
  const ports = text.split(',').map((part) => part.trim())
  if (ports.some((port) => !/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535))
    throw new Error('must be any, or ports separated by commas, like 80,443')
  return ports.map(Number)
}

function parseRate(text: string): Rate | undefined {
  if (text === 'off') return undefined
  if (text === 'vendor') return { requests: 1200, windowSeconds: 300 }
  const match = /^(\d{1,9})\/(\d{1,6})$/.exec(text)
  const rate = { requests: Number(match?.[1]), windowSeconds: Number(match?.[2]) }
  if (match === null || rate.requests < 1 || rate.windowSeconds < 1) {
    throw new Error('must be off, vendor, or REQUESTS/SECONDS like 100/60')
  }
  return rate
}

const UNITS: Readonly<Record<string, number>> = { '': 1, K: 1_024, M: 1_048_576 }
/** What one JavaScript buffer and the text of a dry run can hold. */
const MAX_SIZE = 256 * 1_048_576

function parseSize(text: string): number {
  const [, number, unit = ''] = /^(\d{1,10})([KM]?)$/.exec(text) ?? []
  const size = Number(number) * (UNITS[unit] ?? 0)
  if (size >= 1 && size <= MAX_SIZE) return size
  throw new Error('must be a size like 65536, 512K or 16M, up to 256M')
}

function parseNameServers(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim().toLowerCase().replace(/\.$/, ''))
  if (names.some((name) => !HOST_NAME.test(name))) throw new Error('must be host names separated by commas')
  return names
}

/** In canonical text, each once. */
function parseEdgeAddresses(text: string): readonly string[] {
  const addresses = partsOf(text).map((part) => {
    const ipv4 = parseIpv4(part)
    const ipv6 = parseIpv6(part)
    if (ipv4 !== undefined) return formatIpv4(ipv4)
    if (ipv6 !== undefined) return formatIpv6(ipv6)
    throw new Error(`"${part}" is not an address`)
  })
  if (addresses.length > MAX_EDGE_ADDRESSES)
    throw new Error(`must be at most ${MAX_EDGE_ADDRESSES} addresses`)
  return [...new Set(addresses)]
}

function parseResolver(text: string): 'system' | 'off' | readonly Endpoint[] {
  if (text === 'system' || text === 'off') return text
  const servers = readServers(text)
  if (servers === undefined || servers.length === 0)
    throw new Error(`must be system, off, or at most ${MAX_RESOLVERS} of ADDRESS:PORT, like 192.0.2.53:53`)
  return servers
}

function parseServers(text: string): readonly Endpoint[] {
  const servers = readServers(text)
  if (servers !== undefined) return servers
  throw new Error(`must be at most ${MAX_RESOLVERS} of ADDRESS:PORT, like 192.0.2.53:53`)
}

function readServers(text: string): readonly Endpoint[] | undefined {
  const servers = partsOf(text).map(parseEndpoint)
  const isWrong = servers.some(({ host, port }) => isIP(host) === 0 || port === 0)
  return isWrong || servers.length > MAX_RESOLVERS ? undefined : servers
}
