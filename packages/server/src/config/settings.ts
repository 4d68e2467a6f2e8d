// Every setting, once: its flag, its environment variable, its default, its check, its words.
import { isIP } from 'node:net'
import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from '@zonereeve/dns'

export interface Setting<T> {
  readonly name: string
  /** The flag's value placeholder; undefined for settings that are not given as flags (secrets). */
  readonly placeholder?: string
  readonly description: string
  readonly usual: string | undefined
  readonly secret?: true
  /** @throws Error saying what would be right. */
  parse(text: string): T
}

export interface Endpoint {
  readonly host: string
  readonly port: number
}

export interface Rate {
  readonly requests: number
  readonly windowSeconds: number
}

/** Of one name: more would make answers too large for one packet. */
const MAX_EDGE_ADDRESSES = 32
const MAX_RESOLVERS = 8
/** Of one zone: each is a header of its own, and proxies bound what all headers take. */
const MAX_POLICIES = 100

const setting = <T>(declared: Setting<T>): Setting<T> => declared

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
    parse: parsePolicyCount,
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

function oneOf<const V extends string>(text: string, values: readonly V[]): V {
  const found = values.find((value) => value === text)
  if (found === undefined) throw new Error(`must be one of ${values.join(', ')}`)
  return found
}

function matching(text: string, pattern: RegExp, problem: string): string {
  if (!pattern.test(text)) throw new Error(problem)
  return text
}

function parseEndpoint(text: string): Endpoint {
  const match = /^(?:(\[[0-9a-fA-F:.]+\]|[^:\s]+):)?(\d{1,5})$/.exec(text)
  const port = Number(match?.[2])
  if (match === null || port > 65_535) throw new Error('must be HOST:PORT, like 127.0.0.1:8080 or [::1]:8080')
  const host = (match[1] ?? '127.0.0.1').replace(/^\[|\]$/g, '')
  return { host: host === 'localhost' ? '127.0.0.1' : host, port }
}

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

function parsePolicyCount(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) > MAX_POLICIES) throw new Error(`must be 0 to ${MAX_POLICIES}`)
  return Number(text)
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

const partsOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

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

function parseNetworks(text: string): readonly string[] {
  const networks = partsOf(text)
  for (const network of networks) {
    const [address = '', bits, ...rest] = network.split('/')
    const family = isIP(address)
    const limit = family === 4 ? 32 : 128
    const wrongBits = bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > limit)
    if (family === 0 || wrongBits || rest.length > 0)
      throw new Error(`"${network}" is not an address or a network`)
  }
  return networks
}
