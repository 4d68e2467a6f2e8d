// Settings of how the nameserver answers, beside where it does.
import { octetsFromHex } from '@zonereeve/dns'
import { matching, parseEndpoint, parseNetworks, setting, type Endpoint } from './setting.ts'

const MAX_RATE = 1_000_000
const MAX_SLIP = 100
/** Of names that the metrics tell apart: each is a series of its own wherever they are stored. */
const MAX_METRIC_ZONES = 10_000
/** Of open connections: each takes a descriptor and some kilobytes. */
const MAX_CONNECTIONS = 100_000
const MAX_IDLE_SECONDS = 120
const BATCHING = /^(auto|off)$/
const NSID = /^[ -~]{0,64}$/
const COOKIE_SECRETS = /^[0-9a-f]{32}(,[0-9a-f]{32})?$/

export const NAMESERVER_SETTINGS = {
  tlsCertificate: setting({
    name: 'tls-certificate',
    placeholder: 'file',
    description: 'certificate chain (PEM) of DNS over TLS and over HTTPS; read again when it changes',
    usual: '',
    parse: parsePath,
  }),
  tlsKey: setting({
    name: 'tls-key',
    placeholder: 'file',
    description: "the certificate's key (PEM); with both, DNS over TLS and over HTTPS are on",
    usual: '',
    parse: parsePath,
  }),
  dnsTls: setting({
    name: 'dns-tls',
    placeholder: 'host:port',
    description: 'where DNS over TLS listens once there is a certificate; off',
    usual: '127.0.0.1:8853',
    parse: parseEndpointOrOff,
  }),
  dnsHttps: setting({
    name: 'dns-https',
    placeholder: 'host:port',
    description: 'where DNS over HTTPS listens once there is a certificate; off',
    usual: '127.0.0.1:8443',
    parse: parseEndpointOrOff,
  }),
  dnsBatching: setting({
    name: 'dns-batching',
    placeholder: 'auto|off',
    description: 'whether many UDP packets are read and sent at once, where the system can',
    usual: 'auto',
    parse: (text) => matching(text, BATCHING, 'must be auto or off') === 'auto',
  }),
  dnsRateLimit: setting({
    name: 'dns-rate-limit',
    placeholder: 'count',
    description:
      'answers of a kind that a network (/24, /56) gets in a second over UDP without a cookie; off',
    usual: '1000',
    parse: (text) => (text === 'off' ? undefined : parseCount(text, 1, MAX_RATE)),
  }),
  dnsRateSlip: setting({
    name: 'dns-rate-slip',
    placeholder: 'count',
    description:
      'every how manieth answer over the limit sends its client to TCP instead of being dropped; 0: none',
    usual: '2',
    parse: (text) => parseCount(text, 0, MAX_SLIP),
  }),
  dnsRateExempt: setting({
    name: 'dns-rate-exempt',
    placeholder: 'networks',
    description: 'networks (CIDR, separated by commas) that are never limited',
    usual: '127.0.0.0/8,::1',
    parse: parseNetworks,
  }),
  dnsTcpConnections: setting({
    name: 'dns-tcp-connections',
    placeholder: 'count',
    description: 'open connections to each of TCP, TLS and HTTPS; more are closed at once',
    usual: '1000',
    parse: (text) => parseCount(text, 1, MAX_CONNECTIONS),
  }),
  dnsTcpConnectionsPerAddress: setting({
    name: 'dns-tcp-connections-per-address',
    placeholder: 'count',
    description: 'the same for the connections of one address',
    usual: '100',
    parse: (text) => parseCount(text, 1, MAX_CONNECTIONS),
  }),
  dnsTcpIdleSeconds: setting({
    name: 'dns-tcp-idle-seconds',
    placeholder: 'seconds',
    description: 'time without a whole query until a connection is closed',
    usual: '10',
    parse: (text) => parseCount(text, 1, MAX_IDLE_SECONDS),
  }),
  dnsNsid: setting({
    name: 'dns-nsid',
    placeholder: 'text',
    description: 'what names this server to clients that ask which one they have reached (NSID)',
    usual: '',
    parse: (text) => matching(text, NSID, 'must be at most 64 printable characters of ASCII'),
  }),
  dnsMetricZones: setting({
    name: 'dns-metric-zones',
    placeholder: 'count',
    description:
      'zones whose queries are counted one by one, first come; those of the others are counted together',
    usual: '100',
    parse: (text) => parseCount(text, 0, MAX_METRIC_ZONES),
  }),
  dnsCookieSecrets: setting({
    name: 'dns-cookie-secrets',
    description:
      'secret of DNS cookies that several servers share: 32 hexadecimal digits; a second one behind a comma is still taken',
    usual: undefined,
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

function parseCount(text: string, least: number, most: number): number {
  const count = Number(text)
  if (!/^\d{1,9}$/.test(text) || count < least || count > most) throw new Error(`must be ${least} to ${most}`)
  return count
}

function parseCookieSecrets(text: string): readonly Uint8Array[] {
  matching(text, COOKIE_SECRETS, 'must be 32 hexadecimal digits, or two times that with a comma between')
  return text.split(',').map((secret) => octetsFromHex(secret) ?? new Uint8Array())
}
