// Settings for how the nameserver answers; its addresses are in settings.ts.
import { availableParallelism } from 'node:os'
import { type Name, NameError, octetsFromHex, parseName, RCODE } from '@zonereeve/dns'
import {
  matching,
  parseCount,
  parseDuration,
  parseEndpoint,
  parseNetworks,
  partsOf,
  setting,
  type Endpoint,
} from './setting.ts'

const MAX_RATE = 1_000_000
const MAX_THREADS = 64
const MAX_SLIP = 100
/** Each name is a separate time series in the metrics database. */
const MAX_METRIC_ZONES = 10_000
/** Each connection takes a file descriptor and some kilobytes. */
const MAX_CONNECTIONS = 100_000
const MAX_IDLE_SECONDS = 120
const BATCHING = /^(auto|off)$/
const NSID = /^[ -~]{0,64}$/
const COOKIE_SECRETS = /^[0-9a-f]{32}(,[0-9a-f]{32})?$/

export const NAMESERVER_SETTINGS = {
  tlsCertificate: setting({
    name: 'tls-certificate',
    placeholder: 'file',
    description:
      'certificate chain (PEM) for the API over TLS, DNS over TLS and DNS over HTTPS; reloaded when it changes',
    default: '',
    parse: parsePath,
  }),
  tlsKey: setting({
    name: 'tls-key',
    placeholder: 'file',
    description: "the certificate's private key (PEM); both files are needed",
    default: '',
    parse: parsePath,
  }),
  dnsTls: setting({
    name: 'dns-tls',
    placeholder: 'host:port',
    description: 'address for DNS over TLS, if there is a certificate; or off',
    default: '127.0.0.1:8853',
    parse: parseEndpointOrOff,
  }),
  dnsHttps: setting({
    name: 'dns-https',
    placeholder: 'host:port',
    description: 'address for DNS over HTTPS, if there is a certificate; or off',
    default: '127.0.0.1:8443',
    parse: parseEndpointOrOff,
  }),
  dnsBatching: setting({
    name: 'dns-batching',
    placeholder: 'auto|off',
    description: 'read and send UDP packets in batches, if the system supports it',
    default: 'auto',
    parse: (text) => matching(text, BATCHING, 'must be auto or off') === 'auto',
  }),
  dnsThreads: setting({
    name: 'dns-threads',
    placeholder: 'auto|count',
    description:
      'threads that answer DNS beside the main thread; auto: one less than processors; 0: the main thread answers',
    default: 'auto',
    parse: (text) =>
      text === 'auto' ? Math.max(1, availableParallelism() - 1) : parseCount(text, 0, MAX_THREADS),
  }),
  dnsRateLimit: setting({
    name: 'dns-rate-limit',
    placeholder: 'count',
    description: 'UDP answers per second, kind and network (/24, /56) for clients without a cookie; or off',
    default: '1000',
    parse: (text) => (text === 'off' ? undefined : parseCount(text, 1, MAX_RATE)),
  }),
  dnsRateSlip: setting({
    name: 'dns-rate-slip',
    placeholder: 'count',
    description:
      'every Nth rate-limited answer is sent truncated, so that real clients retry over TCP; 0 drops all',
    default: '2',
    parse: (text) => parseCount(text, 0, MAX_SLIP),
  }),
  dnsRateExempt: setting({
    name: 'dns-rate-exempt',
    placeholder: 'networks',
    description: 'networks (CIDR, separated by commas) without a rate limit',
    default: '127.0.0.0/8,::1',
    parse: parseNetworks,
  }),
  dnsProxies: setting({
    name: 'dns-proxies',
    placeholder: 'networks',
    description:
      'networks (CIDR, separated by commas) of proxies in front of DNS over UDP and TCP; they must use the PROXY protocol, version 2',
    default: '',
    parse: parseNetworks,
  }),
  dnsTcpConnections: setting({
    name: 'dns-tcp-connections',
    placeholder: 'count',
    description:
      'maximum number of open connections for each of TCP, TLS and HTTPS; a new one replaces the longest idle one',
    default: '1000',
    parse: (text) => parseCount(text, 1, MAX_CONNECTIONS),
  }),
  dnsTcpConnectionsPerAddress: setting({
    name: 'dns-tcp-connections-per-address',
    placeholder: 'count',
    description: 'the same limit for one client address',
    default: '100',
    parse: (text) => parseCount(text, 1, MAX_CONNECTIONS),
  }),
  dnsTcpIdleSeconds: setting({
    name: 'dns-tcp-idle-seconds',
    placeholder: 'seconds',
    description: 'seconds without a complete query before a connection is closed',
    default: '10',
    parse: (text) => parseDuration(text, 'second', 1, MAX_IDLE_SECONDS),
  }),
  queryLog: setting({
    name: 'query-log',
    placeholder: 'off|all|count',
    description:
      'log the answers to DNS queries: all, or every Nth; at most 1000 lines per second and thread',
    default: 'off',
    parse: parseQueryLog,
  }),
  queryLogNames: setting({
    name: 'query-log-names',
    placeholder: 'names',
    description: 'log only queries for these names (separated by commas) and names below them; empty: all',
    default: '',
    parse: (text) => partsOf(text).map(parseDomainName),
  }),
  queryLogCodes: setting({
    name: 'query-log-codes',
    placeholder: 'codes',
    description: 'log only answers with these response codes, like NXDOMAIN,SERVFAIL; empty: all',
    default: '',
    parse: (text) => partsOf(text).map(parseHeaderCode),
  }),
  dnsNsid: setting({
    name: 'dns-nsid',
    placeholder: 'text',
    description: 'server identifier for clients that request it (NSID)',
    default: '',
    parse: (text) => matching(text, NSID, 'must be at most 64 printable characters of ASCII'),
  }),
  dnsMetricZones: setting({
    name: 'dns-metric-zones',
    placeholder: 'count',
    description: 'number of zones with their own query metrics; queries of other zones are counted together',
    default: '100',
    parse: (text) => parseCount(text, 0, MAX_METRIC_ZONES),
  }),
  dnsCookieSecrets: setting({
    name: 'dns-cookie-secrets',
    description:
      'secret for DNS cookies, shared by several servers: 32 hexadecimal digits; a second one after a comma is accepted too',
    default: undefined,
    secret: true,
    parse: parseCookieSecrets,
  }),
}

function parseEndpointOrOff(text: string): Endpoint | undefined {
  return text === 'off' ? undefined : parseEndpoint(text)
}

function parsePath(text: string): string | undefined {
  return text === '' ? undefined : text
}

function parseCookieSecrets(text: string): readonly Uint8Array[] {
  matching(text, COOKIE_SECRETS, 'must be 32 hexadecimal digits, or two of these separated by a comma')
  return text.split(',').map((secret) => octetsFromHex(secret) ?? new Uint8Array())
}

function parseQueryLog(text: string): number | undefined {
  if (text === 'off') return undefined
  return text === 'all' ? 1 : parseCount(text, 1, MAX_RATE)
}

function parseDomainName(text: string): Name {
  try {
    return parseName(text)
  } catch (error) {
    if (error instanceof NameError) throw new Error(`"${text}" is not a domain name`, { cause: error })
    throw error
  }
}

/** Codes above 15 are not in the header of a message (RFC 6891 §6.1.3). */
const HEADER_CODES = Object.entries(RCODE).flatMap(([name, code]) => (code < 16 ? [name] : []))

function parseHeaderCode(text: string): string {
  const code = text.toUpperCase()
  if (!HEADER_CODES.includes(code)) throw new Error(`"${text}" is not one of ${HEADER_CODES.join(', ')}`)
  return code
}
