// The expressions and requests of the expression benchmark, and the same conditions in other languages.
import { type Ip, parseIp, type Value, utf8, mapValue } from '../packages/expr/src/index.ts'

/** A request as a plain object, for conditions written in JavaScript. */
export type PlainRequest = {
  readonly host: string
  readonly path: string
  readonly method: string
  readonly version: string
  readonly userAgent: string
  readonly country: string
  readonly bodySize: number
  readonly ssl: boolean
  readonly ip: Ip
  readonly headers: ReadonlyMap<string, readonly string[]>
}

/** Why a peer is left out of a line: its language cannot express the condition. */
export type Inexpressible = { readonly cannot: string }

export type BenchCase = {
  readonly name: string
  readonly expression: string
  readonly usesRegex?: boolean
  readonly byHand: (request: PlainRequest) => boolean
  readonly cel: string | Inexpressible
  readonly filtrex: string | Inexpressible
  readonly jsonLogic: object | Inexpressible
}

const NO_ADDRESSES = { cannot: 'no IP addresses' }
const NO_FUNCTIONS = { cannot: 'no string functions' }
const NO_SUBSTRING = { cannot: 'no substring test' }
const NO_WILDCARD = { cannot: 'no wildcards' }

const isWithin = ({ family, a, d }: Ip): boolean =>
  family === 4
    ? (d & 0xffffff00) >>> 0 === 0xc0000200 || (d & 0xffffff00) >>> 0 === 0xc6336400
    : a === 0x20010db8

const SCANNERS = /sqlmap|nikto|nmap/i

export const BENCH_CASES: readonly BenchCase[] = [
  {
    name: 'host',
    expression: 'http.host eq "www.example.com"',
    byHand: ({ host }) => host === 'www.example.com',
    cel: 'host == "www.example.com"',
    filtrex: 'host == "www.example.com"',
    jsonLogic: { '===': [{ var: 'host' }, 'www.example.com'] },
  },
  {
    name: 'login',
    expression: 'http.request.uri.path eq "/wp-login.php" and http.request.method eq "POST"',
    byHand: ({ path, method }) => path === '/wp-login.php' && method === 'POST',
    cel: 'path == "/wp-login.php" && method == "POST"',
    filtrex: 'path == "/wp-login.php" and method == "POST"',
    jsonLogic: {
      and: [{ '===': [{ var: 'path' }, '/wp-login.php'] }, { '===': [{ var: 'method' }, 'POST'] }],
    },
  },
  {
    name: 'methods',
    expression: 'http.request.method in {"PUT" "DELETE" "PATCH"} or http.request.version eq "HTTP/1.0"',
    byHand: ({ method, version }) =>
      method === 'PUT' || method === 'DELETE' || method === 'PATCH' || version === 'HTTP/1.0',
    cel: 'method in ["PUT", "DELETE", "PATCH"] || version == "HTTP/1.0"',
    filtrex: 'method in ("PUT", "DELETE", "PATCH") or version == "HTTP/1.0"',
    jsonLogic: {
      or: [
        { in: [{ var: 'method' }, ['PUT', 'DELETE', 'PATCH']] },
        { '===': [{ var: 'version' }, 'HTTP/1.0'] },
      ],
    },
  },
  {
    name: 'large plain bodies',
    expression: 'http.request.body.size gt 100000 and not ssl',
    byHand: ({ bodySize, ssl }) => bodySize > 100_000 && !ssl,
    cel: 'bodySize > 100000 && !ssl',
    filtrex: 'bodySize > 100000 and not ssl',
    jsonLogic: { and: [{ '>': [{ var: 'bodySize' }, 100_000] }, { '!': [{ var: 'ssl' }] }] },
  },
  {
    name: 'country and wildcard',
    expression: 'not ip.src.country in {"GB" "DE" "FR"} and http.request.uri.path wildcard "/admin/*"',
    byHand: ({ country, path }) =>
      country !== 'GB' && country !== 'DE' && country !== 'FR' && path.toLowerCase().startsWith('/admin/'),
    cel: NO_WILDCARD,
    filtrex: NO_WILDCARD,
    jsonLogic: NO_WILDCARD,
  },
  {
    name: 'agents',
    expression: 'http.user_agent contains "curl" or http.user_agent contains "wget"',
    byHand: ({ userAgent }) => userAgent.includes('curl') || userAgent.includes('wget'),
    cel: NO_SUBSTRING,
    filtrex: NO_SUBSTRING,
    jsonLogic: { or: [{ in: ['curl', { var: 'userAgent' }] }, { in: ['wget', { var: 'userAgent' }] }] },
  },
  {
    name: 'networks',
    expression: 'ip.src in {192.0.2.0/24 198.51.100.0/24 2001:db8::/32}',
    byHand: ({ ip }) => isWithin(ip),
    cel: NO_ADDRESSES,
    filtrex: NO_ADDRESSES,
    jsonLogic: NO_ADDRESSES,
  },
  {
    name: 'api by prefix',
    expression: 'lower(http.host) eq "www.example.com" and starts_with(http.request.uri.path, "/api/")',
    byHand: ({ host, path }) => host.toLowerCase() === 'www.example.com' && path.startsWith('/api/'),
    cel: NO_FUNCTIONS,
    filtrex: NO_FUNCTIONS,
    jsonLogic: NO_FUNCTIONS,
  },
  {
    name: 'any header value',
    expression: 'any(http.request.headers["accept"][*] contains "html")',
    byHand: ({ headers }) => headers.get('accept')?.some((value) => value.includes('html')) ?? false,
    cel: NO_SUBSTRING,
    filtrex: NO_SUBSTRING,
    jsonLogic: { some: [{ var: 'headers.accept' }, { in: ['html', { var: '' }] }] },
  },
  {
    name: 'scanners',
    expression: 'http.user_agent matches "(?i)(sqlmap|nikto|nmap)"',
    usesRegex: true,
    byHand: ({ userAgent }) => SCANNERS.test(userAgent),
    cel: { cannot: 'no regular expressions' },
    filtrex: { cannot: 'no case-insensitive matching' },
    jsonLogic: { cannot: 'no regular expressions' },
  },
]

const HOSTS = ['www.example.com', 'API.example.com', 'shop.example.net', 'WWW.Example.com']
const PATHS = ['/', '/wp-login.php', '/api/v1/items', '/Admin/users', '/a/b.php', '/static/app.js']
const METHODS = ['GET', 'POST', 'PUT', 'HEAD']
const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  'curl/8.1',
  'SQLMap/1.7',
  '',
]
const ADDRESSES = ['192.0.2.10', '203.0.113.7', '2001:db8::1', '198.51.100.200', '2a00:1450::1']
const ACCEPTS = [['text/html', '*/*'], ['application/json'], []]

/** A new string, as if received: not the same object as any literal in the program. */
const received = (text: string): string => Buffer.from(text).toString('latin1')

/** The element of a list selected by a counter. */
const pick = <T>(list: readonly T[], i: number, fallback: T): T => list[i % list.length] ?? fallback

const ANY_ADDRESS: Ip = { family: 4, a: 0, b: 0, c: 0, d: 0 }

/** Requests for which every expression is sometimes true and sometimes false. */
export const PLAIN_REQUESTS: readonly PlainRequest[] = Array.from({ length: 120 }, (_, i) => ({
  host: received(pick(HOSTS, i, '')),
  path: received(pick(PATHS, i * 7 + (i >> 2), '')),
  method: received(pick(METHODS, i * 3 + (i >> 4), '')),
  version: received(i % 17 === 0 ? 'HTTP/1.0' : 'HTTP/1.1'),
  userAgent: received(pick(AGENTS, i + (i >> 3), '')),
  country: received(pick(['GB', 'US', 'DE', 'JP'], i + (i >> 5), '')),
  bodySize: (i * 7919) % 200_000,
  ssl: i % 3 !== 0,
  ip: parseIp(pick(ADDRESSES, i, '')) ?? ANY_ADDRESS,
  headers: new Map([
    ['accept', pick(ACCEPTS, i, []).map(received)],
    ['host', [received(pick(HOSTS, i, ''))]],
  ]),
}))

/** The same request as field values. */
export const fieldValues = (request: PlainRequest): Readonly<Record<string, Value>> => ({
  'http.host': utf8(request.host),
  'http.request.uri.path': utf8(request.path),
  'http.request.method': utf8(request.method),
  'http.request.version': utf8(request.version),
  'http.user_agent': utf8(request.userAgent),
  'ip.src.country': utf8(request.country),
  'http.request.body.size': request.bodySize,
  ssl: request.ssl,
  'ip.src': request.ip,
  'http.request.headers': mapValue(request.headers),
})
