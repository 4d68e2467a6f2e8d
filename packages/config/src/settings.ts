// All settings: flag, environment variable, default, validation, description.
import { isIP } from 'node:net'
import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from '@zonereeve/dns'
import { ACME_SETTINGS } from './acme-settings.ts'
import { KEY_SETTINGS } from './key-settings.ts'
import { MAIL_SETTINGS } from './mail-settings.ts'
import { REPORT_LOG_SETTINGS } from './report-log-settings.ts'
import { DATABASE_SETTINGS, parseOrigin } from './database-settings.ts'
import { NAME_SERVER_SETTINGS } from './name-server-settings.ts'
import { NAMESERVER_SETTINGS } from './nameserver-settings.ts'
import { SIGN_IN_SETTINGS } from './sign-in-settings.ts'
import {
  matching,
  oneOf,
  parseCount,
  parseDuration,
  parseEndpoint,
  parseNetworks,
  partsOf,
  setting,
  type Endpoint,
} from './setting.ts'

export type { Endpoint, Setting } from './setting.ts'

export interface Rate {
  readonly requests: number
  readonly windowSeconds: number
}

/** Per name: more would not fit into one packet. */
const MAX_EDGE_ADDRESSES = 32
const MAX_RESOLVERS = 8
/** Per zone: each is a separate header, and proxies limit the total header size. */
const MAX_POLICIES = 100
/** Per window of a rate limit. */
const MAX_REQUESTS = 999_999_999
const MAX_WINDOW_SECONDS = 999_999
const MAX_HSTS_DAYS = 3_650
const MAX_EVENT_DAYS = 3_650
const MAX_HISTORY_DAYS = 36_500
const LOSS_CODE = /^[0-9a-f]{8}$/
/** Per zone. */
const MAX_EVENTS = 10_000_000
/** Concurrent: each may hold a script and its decoded form in memory. */
const MAX_FETCHES = 64
/** Most systems allow fewer open files, which limits it further. */
const MAX_CONNECTIONS = 100_000

const TOKEN = /^[A-Za-z0-9_-]{40,100}$/
const KEY = /^[0-9a-f]{37}$/
const ENCRYPTION_SECRET = /^[!-~]{32,200}$/
const PASSPHRASE = /^[^\p{Cc}]{12,200}$/u
const EMAIL = /^[^\s@]+@[^\s@]+$/
/** A single label is valid: `zonereeve` in a container network. */
const HOST = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*$/

export const SETTINGS = {
  http: setting({
    name: 'http',
    placeholder: 'host:port',
    description: 'address of the HTTP API; port 0 selects a free port',
    default: '127.0.0.1:8080',
    parse: parseEndpoint,
  }),
  https: setting({
    name: 'https',
    placeholder: 'host:port',
    description: 'address of the HTTP API over TLS (HTTP/2 and HTTP/1.1), if there is a certificate; or off',
    default: 'off',
    parse: (text) => (text === 'off' ? undefined : parseEndpoint(text)),
  }),
  hstsDays: setting({
    name: 'hsts-days',
    placeholder: 'days',
    description:
      'days for which browsers use only TLS for a host that they reached over TLS; 0 asks for nothing',
    default: '365',
    parse: (text) => parseDuration(text, 'day', 0, MAX_HSTS_DAYS),
  }),
  allowedHosts: setting({
    name: 'allowed-hosts',
    placeholder: 'names',
    description:
      'host names that requests may use in addition to IP addresses and localhost, separated by commas; or any; default: any beyond loopback',
    default: '',
    parse: parseAllowedHosts,
  }),
  publicUrl: setting({
    name: 'public-url',
    placeholder: 'url',
    description:
      'scheme and host under which browsers reach the dashboard, like https://dns.example.com; needed behind a proxy that does not report HTTPS, for passkeys, and for an identity provider',
    default: '',
    parse: parseOrigin,
  }),
  ...SIGN_IN_SETTINGS,
  metrics: setting({
    name: 'metrics',
    placeholder: 'host:port',
    description:
      'separate address for /metrics without a credential; by default /metrics is part of the API and needs a token',
    default: '',
    parse: (text) => (text === '' ? undefined : parseEndpoint(text)),
  }),
  httpConnections: setting({
    name: 'http-connections',
    placeholder: 'count',
    description:
      'maximum number of open HTTP connections, 10 to 100000; a new one replaces the longest idle one',
    default: '2000',
    parse: (text) => parseCount(text, 10, MAX_CONNECTIONS),
  }),
  dns: setting({
    name: 'dns',
    placeholder: 'host:port',
    description: 'address of the nameserver, UDP and TCP; port 0 selects a free port',
    default: '127.0.0.1:5353',
    parse: parseEndpoint,
  }),
  ...NAMESERVER_SETTINGS,
  ...ACME_SETTINGS,
  data: setting({
    name: 'data',
    placeholder: 'dir',
    description: 'folder that holds the database',
    default: './data',
    parse: (text) => text,
  }),
  ...DATABASE_SETTINGS,
  acceptLoss: setting({
    name: 'accept-loss',
    placeholder: 'code',
    description:
      'start once although the database is damaged, missing or older than before; the error message has the code',
    default: '',
    parse: parseLossCode,
  }),
  profile: setting({
    name: 'profile',
    placeholder: 'name',
    description: 'documented, or vendor (like the live API where it differs from its documentation)',
    default: 'documented',
    parse: (text) => oneOf(text, ['documented', 'vendor']),
  }),
  rateLimit: setting({
    name: 'rate-limit',
    placeholder: 'limit',
    description: 'off, vendor (1200 requests in 300 s for each credential), or REQUESTS/SECONDS',
    default: 'off',
    parse: parseRate,
  }),
  ...NAME_SERVER_SETTINGS,
  edgeAddresses: setting({
    name: 'edge-addresses',
    placeholder: 'addresses',
    description:
      'IPv4 and IPv6 addresses in answers for proxied names, separated by commas; default: the addresses of their origins',
    default: '',
    parse: parseEdgeAddresses,
  }),
  resolver: setting({
    name: 'resolver',
    placeholder: 'servers',
    description:
      'recursive nameservers for CNAME targets and host names (ADDRESS:PORT, separated by commas); or system, or off',
    default: 'system',
    parse: parseResolver,
  }),
  maxPolicies: setting({
    name: 'max-policies',
    placeholder: 'count',
    description: 'maximum number of content security policies per zone, 0 to 100',
    default: '5',
    parse: (text) => parseCount(text, 0, MAX_POLICIES),
  }),
  historyDays: setting({
    name: 'history-days',
    placeholder: 'days',
    description: 'days to keep the history of changes, 1 to 36500; 0 keeps all of it',
    default: '0',
    parse: (text) => parseDuration(text, 'day', 0, MAX_HISTORY_DAYS),
  }),
  auditDays: setting({
    name: 'audit-days',
    placeholder: 'days',
    description: 'days to keep the audit log, 1 to 36500; 0 keeps all of it',
    default: '0',
    parse: (text) => parseDuration(text, 'day', 0, MAX_HISTORY_DAYS),
  }),
  securityEventDays: setting({
    name: 'security-event-days',
    placeholder: 'days',
    description: 'days to keep security events, 1 to 3650',
    default: '30',
    parse: (text) => parseDuration(text, 'day', 1, MAX_EVENT_DAYS),
  }),
  maxSecurityEvents: setting({
    name: 'max-security-events',
    placeholder: 'count',
    description: 'number of newest security events to keep per zone, up to 10000000; 0 records none',
    default: '100000',
    parse: (text) => parseCount(text, 0, MAX_EVENTS),
  }),
  scanServers: setting({
    name: 'scan-servers',
    placeholder: 'servers',
    description:
      'nameservers (ADDRESS:PORT, separated by commas) that record scans query, instead of the delegated ones',
    default: '',
    parse: parseServers,
  }),
  leakedPasswords: setting({
    name: 'leaked-passwords',
    placeholder: 'path',
    description:
      'sorted file of SHA-1 hashes of leaked passwords, or a folder with one file for each prefix of 5 digits; rules can then ask whether a password is in it',
    default: '',
    parse: (text) => (text === '' ? undefined : text),
  }),
  geoip: setting({
    name: 'geoip',
    placeholder: 'files',
    description:
      "databases of places and of autonomous systems in MaxMind's format, separated by commas; rules can then use ip.src.country, ip.src.asnum and the like",
    default: '',
    parse: (text) => (text === '' ? [] : text.split(',').map((path) => path.trim())),
  }),
  verifiedBots: setting({
    name: 'verified-bots',
    placeholder: 'files',
    description:
      'lists of addresses of verified bots, as published or one on each line, separated by commas; rules can then use cf.client.bot',
    default: '',
    parse: (text) => (text === '' ? [] : text.split(',').map((path) => path.trim())),
  }),
  collectorUrl: setting({
    name: 'collector-url',
    placeholder: 'url',
    description: 'scheme and host to which browsers send their reports; default: the host of each page',
    default: '',
    parse: parseOrigin,
  }),
  reportRate: setting({
    name: 'report-rate',
    placeholder: 'limit',
    description: 'limit of browser report requests per address: off, or REQUESTS/SECONDS',
    default: '600/10',
    parse: parseRate,
  }),
  reportBudget: setting({
    name: 'report-budget',
    placeholder: 'count',
    description:
      'new scripts, connections and the like that the reports of one address may add to a zone in a day, 50 to 100000; or off',
    default: '500',
    parse: (text) =>
      text === 'off'
        ? undefined
        : { entries: parseCount(text, LONE_FETCHES, MAX_REPORT_BUDGET), fetches: LONE_FETCHES },
  }),
  scriptFetches: setting({
    name: 'script-fetches',
    placeholder: 'count',
    description: 'number of scripts to fetch at the same time, 0 to 64; 0 turns fetching off',
    default: '4',
    parse: (text) => parseCount(text, 0, MAX_FETCHES),
  }),
  fetchNetworks: setting({
    name: 'fetch-networks',
    placeholder: 'networks',
    description: 'private addresses and networks (CIDR, separated by commas) from which the server may fetch',
    default: '',
    parse: parseNetworks,
  }),
  chromium: setting({
    name: 'chromium',
    placeholder: 'path',
    description:
      'Chromium that scans watched pages with `scan`, by playwright-core; default: the first on the search path',
    default: '',
    parse: (text) => (text === '' ? undefined : text),
  }),
  fetchPorts: setting({
    name: 'fetch-ports',
    placeholder: 'ports',
    description: 'ports from which the server may fetch, separated by commas; or any',
    default: '80,443',
    parse: parsePorts,
  }),
  ...MAIL_SETTINGS,
  ...REPORT_LOG_SETTINGS,
  trustProxy: setting({
    name: 'trust-proxy',
    placeholder: 'networks',
    description: 'networks (CIDR, separated by commas) of proxies whose X-Forwarded-For is trusted',
    default: '',
    parse: parseNetworks,
  }),
  maxZoneFile: setting({
    name: 'max-zone-file',
    placeholder: 'size',
    description: 'maximum size of a zone file that replaces a zone, like 65536, 512K or 16M',
    default: '16M',
    parse: parseSize,
  }),
  ...KEY_SETTINGS,
  logLevel: setting({
    name: 'log-level',
    placeholder: 'level',
    description: 'debug, info, warn, error or silent',
    default: 'info',
    parse: (text) => oneOf(text, ['debug', 'info', 'warn', 'error', 'silent']),
  }),
  logFormat: setting({
    name: 'log-format',
    placeholder: 'format',
    description: 'json (one object per line), text, or auto: text on a terminal, otherwise json',
    default: 'auto',
    parse: (text) => oneOf(text, ['auto', 'text', 'json']),
  }),
  keyEncryptionSecret: setting({
    name: 'key-encryption-secret',
    description:
      'encrypts secrets in the database, instead of the key file: 32 to 200 random printable characters',
    default: undefined,
    secret: true,
    parse: (text) =>
      matching(text, ENCRYPTION_SECRET, 'must be 32 to 200 printable characters without whitespace'),
  }),
  backupPassphrase: setting({
    name: 'backup-passphrase',
    description: 'encrypts backups: 12 to 200 characters',
    default: undefined,
    secret: true,
    parse: (text) => matching(text, PASSPHRASE, 'must be 12 to 200 characters without control characters'),
  }),
  adminToken: setting({
    name: 'admin-token',
    description: 'token of the first administrator: 40 to 100 characters of A-Z a-z 0-9 _ -',
    default: undefined,
    secret: true,
    parse: (text) => matching(text, TOKEN, 'must be 40 to 100 characters of A-Z a-z 0-9 _ -'),
  }),
  testControl: setting({
    name: 'test-control',
    placeholder: 'host:port',
    description:
      'for test suites only, on loopback: address where they reset the data, set the clock, order faults and read requests; or off',
    default: 'off',
    parse: (text) => (text === 'off' ? undefined : parseEndpoint(text)),
  }),
  testToken: setting({
    name: 'test-token',
    description:
      'token for test-control: 40 to 100 characters of A-Z a-z 0-9 _ -; default: a new one, printed',
    default: undefined,
    secret: true,
    parse: (text) => matching(text, TOKEN, 'must be 40 to 100 characters of A-Z a-z 0-9 _ -'),
  }),
  adminEmail: setting({
    name: 'admin-email',
    description: 'e-mail address of the first administrator, for X-Auth-Email',
    default: 'admin@example.com',
    parse: (text) => matching(text, EMAIL, 'must be an e-mail address'),
  }),
  adminKey: setting({
    name: 'admin-key',
    description: 'legacy key of the first administrator, for X-Auth-Key: 37 hexadecimal digits',
    default: undefined,
    secret: true,
    parse: (text) => matching(text, KEY, 'must be 37 hexadecimal digits'),
  }),
}

export type SettingKey = keyof typeof SETTINGS

/** `rate-limit` is ZONEREEVE_RATE_LIMIT in the environment. */
export const environmentName = ({ name }: { readonly name: string }): string =>
  `ZONEREEVE_${name.replaceAll('-', '_').toUpperCase()}`

function parseLossCode(text: string): string | undefined {
  return text === ''
    ? undefined
    : matching(text, LOSS_CODE, 'must be the 8 hexadecimal digits of the refusal')
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
  const [requests = '', window = '', ...more] = text.split('/')
  try {
    if (more.length > 0) throw new Error('has more than two parts')
    return {
      requests: parseCount(requests, 1, MAX_REQUESTS),
      windowSeconds: parseDuration(window, 'second', 1, MAX_WINDOW_SECONDS),
    }
  } catch (error) {
    throw new Error('must be off, vendor, or REQUESTS/SECONDS like 100/60 or 100/1m', { cause: error })
  }
}

/** New scripts of a day that only one address reported are fetched up to this number: a page has fewer. */
const LONE_FETCHES = 50
const MAX_REPORT_BUDGET = 100_000

const UNITS: Readonly<Record<string, number>> = { '': 1, K: 1_024, M: 1_048_576 }
/** Fits into one JavaScript buffer and into the output of a dry run. */
const MAX_SIZE = 256 * 1_048_576

function parseSize(text: string): number {
  const [, number, unit = ''] = /^(\d{1,10})([KM]?)$/.exec(text) ?? []
  const factor = UNITS[unit]
  const size = factor === undefined ? 0 : Number(number) * factor
  if (size >= 1 && size <= MAX_SIZE) return size
  throw new Error('must be a size like 65536, 512K or 16M, up to 256M')
}

function parseAllowedHosts(text: string): readonly string[] | 'any' {
  if (text === 'any') return text
  const names = partsOf(text).map((name) => name.toLowerCase().replace(/\.$/, ''))
  if (names.some((name) => !HOST.test(name)))
    throw new Error('must be any, or host names without ports, separated by commas, like api.example.com')
  return names
}

/** In canonical form, without duplicates. */
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
