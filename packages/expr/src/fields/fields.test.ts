// Every field: that it exists, how it is computed, and when it is refused.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { utf8 } from '../bytes.ts'
import { compileExpression, compileValueExpression } from '../compiler.ts'
import { ipText, parseIp } from '../ip.ts'
import { type Type, typeName } from '../types.ts'
import { hasType, isIp, isMap, type Maybe } from '../values.ts'
import type { RequestFacts } from './facts.ts'
import { FIELDS, requestContext, requestScheme } from './registry.ts'
import { normalisePath, normaliseTarget } from './uri.ts'

const address = (text: string) => {
  const ip = parseIp(text)
  if (ip === undefined) throw new Error(`${text} is no address`)
  return ip
}

const FACTS: RequestFacts = {
  method: 'POST',
  version: 'HTTP/1.1',
  isTls: true,
  host: 'www.example.com',
  target: '/a//b/../c%41/./File.TAR?x=1&y=%20&x=2&flag',
  headers: [
    ['Host', 'www.example.com'],
    ['Accept', 'text/html'],
    ['accept', '*/*'],
    ['Cookie', 'sid=abc; th%65me=dark; sid=def'],
    ['Accept-Language', 'de;q=0.5, en-GB, fr;q=0, en;q=0.9'],
    ['Content-Type', 'application/x-www-form-urlencoded; charset=utf-8'],
    ['User-Agent', 'curl/8'],
  ],
  body: { bytes: 'user=a+b&user=c%21', sizeBytes: 18, isTruncated: false },
  clientIp: address('192.0.2.10'),
  receivedAtMs: 1_700_000_000_123,
  rayId: 'r1',
  randomSeed: 'seed',
  server: { ip: address('2001:db8::1'), port: 443 },
  tls: {
    version: 'TLSv1.3',
    cipher: 'AEAD-AES128',
    client: { isPresented: true, isVerified: true, isRevoked: false, strings: { serial: '01' } },
  },
  timings: { clientRttMs: 3, edgeMs: 1, originFirstByteMs: 9 },
  isVerifiedBot: () => true,
  geo: () => ({
    asnum: 64512,
    isInEuropeanUnion: true,
    strings: { country: 'DE', city: utf8('Köln'), 'timezone.name': 'Europe/Berlin' },
  }),
  hostnameMetadata: '{}',
  jwt: [{ configurationId: 'c1', strings: { aud: ['x', 'y'], iss: ['me'] }, times: { exp: 1_800_000_000 } }],
  zone: { name: 'example.com', plan: 'ENT' },
  response: {
    status: 404,
    headers: [
      ['Content-Type', 'Text/HTML; charset=utf-8'],
      ['X-A', '1'],
    ],
    rawHeaders: [['X-Raw', '1']],
    errorCode: 1020,
    errorType: 'waf',
  },
}

const everything = requestScheme({
  hasResponse: true,
  isAccountLevel: true,
  configured: [
    'geoip',
    'jwt',
    'client-certificates',
    'hostname-metadata',
    'leaked-passwords',
    'verified-bots',
  ],
})

function read(name: string, facts: RequestFacts = FACTS): Maybe {
  const value = compileValueExpression(name, everything)(requestContext(everything, facts))
  if (isIp(value)) return ipText(value)
  return value
}

const plain = (value: Maybe): unknown => (isMap(value) ? Object.fromEntries(value) : value)

describe('values', () => {
  test.each<[string, unknown]>([
    ['http.host', 'www.example.com'],
    ['http.request.method', 'POST'],
    ['http.request.version', 'HTTP/1.1'],
    ['http.request.uri', '/a/cA/File.TAR?x=1&y=%20&x=2&flag'],
    ['http.request.uri.path', '/a/cA/File.TAR'],
    ['http.request.uri.path.extension', 'tar'],
    ['http.request.uri.query', 'x=1&y=%20&x=2&flag'],
    ['http.request.uri.args', { flag: [''], x: ['1', '2'], y: ['%20'] }],
    ['http.request.uri.args.names', ['x', 'y', 'x', 'flag']],
    ['http.request.uri.args.values', ['1', '%20', '2', '']],
    ['http.request.full_uri', 'https://www.example.com/a/cA/File.TAR?x=1&y=%20&x=2&flag'],
    ['raw.http.request.uri', '/a//b/../c%41/./File.TAR?x=1&y=%20&x=2&flag'],
    ['raw.http.request.uri.path', '/a//b/../c%41/./File.TAR'],
    ['raw.http.request.full_uri', 'https://www.example.com/a//b/../c%41/./File.TAR?x=1&y=%20&x=2&flag'],
    ['http.request.headers["accept"]', ['text/html', '*/*']],
    ['http.request.headers.names[1]', 'Accept'],
    ['http.request.headers.values[0]', 'www.example.com'],
    ['http.request.headers.truncated', false],
    ['http.cookie', 'sid=abc; th%65me=dark; sid=def'],
    ['http.request.cookies', { sid: ['abc', 'def'], theme: ['dark'] }],
    ['http.request.accepted_languages', ['en-GB', 'en', 'de']],
    ['http.user_agent', 'curl/8'],
    ['http.referer', ''],
    ['http.x_forwarded_for', ''],
    ['http.request.timestamp.sec', 1_700_000_000],
    ['http.request.timestamp.msec', 123],
    ['ip.src', '192.0.2.10'],
    ['ssl', true],
    ['http.request.body.raw', 'user=a+b&user=c%21'],
    ['http.request.body.size', 18],
    ['http.request.body.truncated', false],
    ['http.request.body.form', { user: ['a+b', 'c%21'] }],
    ['http.request.body.form.names', ['user', 'user']],
    ['http.request.body.form.values', ['a+b', 'c%21']],
    ['http.request.body.mime', undefined],
    ['http.request.jwt.claims.aud', { c1: ['x', 'y'] }],
    ['http.request.jwt.claims.aud.values', ['x', 'y']],
    ['http.request.jwt.claims.iss.names', ['c1']],
    ['http.request.jwt.claims.exp.sec', { c1: [1_800_000_000] }],
    ['http.request.jwt.claims.nbf.sec', {}],
    ['ip.src.country', 'DE'],
    ['ip.geoip.country', 'DE'],
    ['cf.client.bot', true],
    ['ip.src.asnum', 64512],
    ['ip.src.is_in_european_union', true],
    ['ip.src.timezone.name', 'Europe/Berlin'],
    ['ip.src.region', undefined],
    ['cf.edge.client_tcp', true],
    ['cf.edge.server_ip', '2001:db8::1'],
    ['cf.edge.server_port', 443],
    ['cf.ray_id', 'r1'],
    ['cf.random_seed', 'seed'],
    ['cf.timings.client_tcp_rtt_msec', 3],
    ['cf.tls_version', 'TLSv1.3'],
    ['cf.tls_cipher', 'AEAD-AES128'],
    ['cf.tls_client_auth.cert_verified', true],
    ['cf.tls_client_auth.cert_revoked', false],
    ['cf.tls_client_auth.cert_serial', '01'],
    ['cf.hostname.metadata', '{}'],
    ['cf.threat_score', 0],
    ['cf.zone.name', 'example.com'],
    ['cf.zone.plan', 'ENT'],
    ['http.response.code', 404],
    ['http.response.content_type.media_type', 'text/html'],
    ['http.response.headers["x-a"][0]', '1'],
    ['raw.http.response.headers.names', ['X-Raw']],
    ['cf.response.1xxx_code', 1020],
    ['cf.response.error_type', 'waf'],
  ])('%s', (name, value) => expect(plain(read(name))).toEqual(value))
})

const part = (head: string, value: string): string => `--B\r\n${head}\r\n\r\n${value}\r\n`

describe('multipart bodies', () => {
  const body =
    part('Content-Disposition: form-data; name="a"', '1') +
    part(
      'Content-Disposition: form-data; name="f"; filename="x.txt"\r\nContent-Type: text/plain',
      'two\r\nlines',
    ) +
    part('Content-Disposition: form-data', '') +
    '--B--\r\n'
  const facts: RequestFacts = {
    ...FACTS,
    headers: [['content-type', 'multipart/form-data; boundary="B"']],
    body: { bytes: body, sizeBytes: body.length, isTruncated: false },
  }
  const multipart = 'http.request.body.multipart'

  test.each<[string, unknown]>([
    [multipart, { a: ['1'], f: ['two\r\nlines'] }],
    [`${multipart}.names`, [['a'], ['f'], []]],
    [`${multipart}.filenames`, [[], ['x.txt'], []]],
    [`${multipart}.content_types`, [[], ['text/plain'], []]],
    [`${multipart}.content_transfer_encodings`, [[], [], []]],
    [`${multipart}.values`, ['1', 'two\r\nlines', '']],
    ['http.request.body.form', {}],
  ])('%s', (name, value) => expect(plain(read(name, facts))).toEqual(value))

  const first = 'Content-Disposition: form-data; name="a"'
  const second = 'Content-Disposition: form-data; name="b"'
  test.each<[string, string, unknown]>([
    [
      'a value with 1,000 texts that begin like the boundary',
      `${part(first, '\r\n--Bx'.repeat(1000))}${part(second, '2')}--B--`,
      ['\r\n--Bx'.repeat(1000), '2'],
    ],
    [
      'a value with a text that begins like the last boundary',
      part(first, '1\r\n--B--x') + part(second, '2'),
      ['1\r\n--B--x', '2\r\n'],
    ],
    ['spaces after the boundary', `--B \t\r\n${first}\r\n\r\n1\r\n--B-- \r\nend`, ['1']],
    ['text before the first part', `--Bx\r\n${part(first, '1')}--B--`, ['1']],
    ['text after the last part', `${part(first, '1')}--B--\r\nend\r\n--Bx`, ['1']],
    ['1,001 parts', part(first, '1').repeat(1001), Array.from({ length: 1000 }, () => '1')],
  ])('with %s', (_, bytes, values) => {
    const received = { bytes, sizeBytes: bytes.length, isTruncated: false }
    expect(read(`${multipart}.values`, { ...facts, body: received })).toEqual(values)
  })

  test('of another kind are not parsed', () =>
    expect(
      read(`${multipart}.values`, { ...facts, headers: [['content-type', 'text/plain; boundary=B']] }),
    ).toEqual([]))

  test('that are cut off keep what is there', () =>
    expect(
      read(`${multipart}.values`, {
        ...facts,
        body: {
          bytes: '--B\r\nContent-Disposition: form-data; name=a\r\n\r\nhal',
          sizeBytes: 9,
          isTruncated: true,
        },
      }),
    ).toEqual(['hal']))
})

describe('MIME types by content', () => {
  test.each([
    ['\u0089PNG\r\n\u001a\n', 'image/png'],
    ['%PDF-1.7', 'application/pdf'],
    ['  <!DOCTYPE html>', 'text/html'],
    ['hello', undefined],
  ])('%j', (bytes, mime) =>
    expect(
      read('http.request.body.mime', { ...FACTS, body: { bytes, sizeBytes: 1, isTruncated: false } }),
    ).toBe(mime),
  )
})

describe('normalized paths', () => {
  test.each([
    ['/', '/'],
    ['/a/b', '/a/b'],
    ['//a///b/', '/a/b/'],
    ['/a/../b', '/b'],
    ['/../../b', '/b'],
    ['/a/.', '/a/'],
    ['/a/..', '/'],
    ['/a\\b', '/a/b'],
    ['/%7euser/%2f%2e%2e', '/~user/%2F..'],
    ['/%41%zz%', '/A%zz%'],
    ['/%2e%2e/x', '/x'],
    ['/%%41a', '/%%41a'],
    ['/%4%31', '/%4%31'],
    ['/%%34%31', '/%%341'],
    ['/%%7e', '/%~'],
    ['', ''],
  ])('%j is %j', (path, normal) => expect(normalisePath(path)).toBe(normal))

  test.each([
    ['//a///b/', '//a///b/'],
    ['/a\\b', '/a\\b'],
    ['/a/../b', '/b'],
    ['/a//../b', '/a/b'],
    ['//..', '/'],
    ['/a/..', '/'],
    ['/a/./', '/a/'],
    ['/%7euser/%2f%2e%2e', '/~user/%2F..'],
    ['/%2e%2e/x', '/x'],
  ])('by the standard alone %j is %j', (path, normal) => expect(normalisePath(path, 'rfc3986')).toBe(normal))

  test.each(['/a/../b//c', '/%41\\', ''])('%j as received', (path) =>
    expect(normalisePath(path, 'none')).toBe(path),
  )

  test('normalizing twice changes nothing, a path stays a path, and the query stays as it was', () => {
    const pathText = fc.array(
      fc.constantFrom('/', '.', '..', '%2e', '%2F', '%41', '%', '\\', 'a', '%zz', '%34', '4', '%25'),
    )
    fc.assert(
      fc.property(
        pathText,
        fc.string(),
        fc.constantFrom('cloudflare', 'rfc3986', 'none'),
        (parts, query, type) => {
          const target = `/${parts.join('')}?${query}`
          const once = normaliseTarget(target, type)
          expect(normaliseTarget(once, type)).toBe(once)
          expect(once.startsWith('/')).toBe(true)
          expect(once.slice(once.indexOf('?'))).toBe(`?${query}`)
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('fields follow the normalization, and raw fields never do', () => {
    const facts = { ...FACTS, target: '/a//../%62?q=%61' }
    const shown = (normalization?: 'cloudflare' | 'rfc3986' | 'none') =>
      ['http.request.uri.path', 'http.request.uri', 'raw.http.request.uri.path'].map((name) =>
        read(name, normalization === undefined ? facts : { ...facts, normalization }),
      )
    expect(shown()).toEqual(['/b', '/b?q=%61', '/a//../%62'])
    expect(shown('rfc3986')).toEqual(['/a/b', '/a/b?q=%61', '/a//../%62'])
    expect(shown('none')).toEqual(['/a//../%62', '/a//../%62?q=%61', '/a//../%62'])
  })
})

describe('the host, in any spelling', () => {
  test.each([
    ['WWW.Example.COM', 'www.example.com', 'https://www.example.com/'],
    ['www.example.com:8443', 'www.example.com', 'https://www.example.com:8443/'],
    ['www.example.com:', 'www.example.com', 'https://www.example.com:/'],
    ['www.example.com.', 'www.example.com', 'https://www.example.com./'],
    ['Www.example.com.:443', 'www.example.com', 'https://www.example.com.:443/'],
    ['[2001:DB8::1]:80', '[2001:db8::1]', 'https://[2001:db8::1]:80/'],
    ['', '', 'https:///'],
  ])('%s', (host, name, uri) => {
    const facts = { ...FACTS, host, target: '/', isTls: true }
    expect([read('http.host', facts), read('http.request.full_uri', facts)]).toEqual([name, uri])
  })
})

describe('the catalog', () => {
  test('has every field once, sorted by name', () => {
    const names = FIELDS.map(({ name }) => name)
    expect(names).toHaveLength(173)
    expect(names).toEqual([...new Set(names)].toSorted())
  })

  test('every available field returns a value of its type, or nil', () => {
    const available = FIELDS.filter(({ origin }) => origin !== 'unavailable')
    const wrong = (facts: RequestFacts) =>
      available.filter(
        ({ name, type }) =>
          !fits(compileValueExpression(name, everything)(requestContext(everything, facts)), type),
      )
    expect(wrong(FACTS).map(({ name, type }) => `${name} ${typeName(type)}`)).toEqual([])
    const bare: RequestFacts = {
      method: 'GET',
      version: 'HTTP/1.0',
      isTls: false,
      host: '',
      target: '',
      headers: [],
      clientIp: FACTS.clientIp,
      receivedAtMs: 0,
    }
    expect(wrong(bare).map(({ name }) => name)).toEqual([])
    expect(available.length).toBeGreaterThan(100)
  })

  test.each([
    ['cf.bot_management.score gt 30', 'field cf.bot_management.score is not available: bots are not scored'],
    [
      'ip.src.country eq "DE"',
      'field ip.src.country is not available: it needs a database of locations (--geoip)',
    ],
    [
      'cf.client.bot',
      'field cf.client.bot is not available: it needs ranges of verified bots (--verified-bots)',
    ],
    [
      'http.response.code eq 404',
      'field http.response.code is not available: it is known in response phases only',
    ],
    ['cf.zone.plan eq "ENT"', 'field cf.zone.plan is not available: it is for account-level rules only'],
    [
      'cf.tls_client_hello_length eq 1',
      'field cf.tls_client_hello_length is not available: the first TLS message of the client is not kept',
    ],
    [
      'http.request.jwt.claims.sub.names[0] eq ""',
      'field http.request.jwt.claims.sub.names is not available: it needs a token configuration',
    ],
  ])('%s is refused by name', (source, reason) =>
    expect(() => compileExpression(source, requestScheme())).toThrow(reason),
  )

  test('older names refer to their replacement', () =>
    expect(FIELDS.filter(({ replacedBy }) => replacedBy !== undefined).map(({ name }) => name)).toHaveLength(
      6,
    ))

  test('documented expressions are accepted', () => {
    const sources = [
      'ends_with(http.request.uri.path, "/checkout")',
      '(ip.src ne 210.94.41.89 and not http.request.uri.path in {"/api/notices" "/api/notices/latest"})',
      'any(url_decode(http.request.body.form.values[*])[*] contains "an xss attack")',
      'http.request.full_uri wildcard "http*://example.com/*/downloads/*.txt*"',
      'cf.zone.plan eq "ENT"',
      'url_decode(http.request.uri.path) matches "(?u)\\p{Hangul}+"',
      'true',
    ]
    for (const source of sources) expect(() => compileExpression(source, everything)).not.toThrow()
  })
})

const fits = (value: Maybe, type: Type): boolean => value === undefined || hasType(value, type)
