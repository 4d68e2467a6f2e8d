// Watched pages on their way to the server: which requests are visits, which headers are reported, and how often.
import { ipv4, type HeaderLine, type RequestFacts } from '@zonereeve/expr'
import { describe, expect, test } from 'vitest'
import { createSeenPages, type SeenPage } from './seen-pages.ts'
import { indexWatchedPages, watchedPage } from './watched-pages.ts'

const WATCHED = indexWatchedPages([
  'https://shop.example.com/checkout',
  'https://shop.example.com/checkout?step=2',
  'http://both.example.com/',
  'https://both.example.com/',
  'https://port.example.com:8443/',
])

const asked = (url: string, more: Partial<RequestFacts> = {}): RequestFacts => {
  const [scheme, host = '', path] = /^(https?):\/\/([^/]+)(.*)$/.exec(url)?.slice(1) ?? []
  return {
    method: 'GET',
    version: 'HTTP/1.1',
    isTls: scheme === 'https',
    host,
    target: path ?? '/',
    headers: [],
    clientIp: ipv4(0),
    receivedAtMs: 0,
    ...more,
  }
}

test.each<[string, RequestFacts, string | undefined]>([
  ['a page', asked('https://shop.example.com/checkout'), 'https://shop.example.com/checkout'],
  ['its host in capitals', asked('https://Shop.Example.COM/checkout'), 'https://shop.example.com/checkout'],
  [
    'the port of the scheme',
    asked('https://shop.example.com:443/checkout'),
    'https://shop.example.com/checkout',
  ],
  [
    'encryption that ended before the edge',
    asked('http://shop.example.com/checkout'),
    'https://shop.example.com/checkout',
  ],
  ['both schemes: that of the request', asked('http://both.example.com/'), 'http://both.example.com/'],
  ['both schemes: the other one', asked('https://both.example.com/'), 'https://both.example.com/'],
  ['a port of its own', asked('https://port.example.com:8443/'), 'https://port.example.com:8443/'],
  ['another port', asked('https://port.example.com/'), undefined],
  ['a query', asked('https://shop.example.com/checkout?step=2'), 'https://shop.example.com/checkout?step=2'],
  ['another query', asked('https://shop.example.com/checkout?step=3'), undefined],
  ['another path', asked('https://shop.example.com/Checkout'), undefined],
  ['another host', asked('https://www.shop.example.com/checkout'), undefined],
  ['another method', asked('https://shop.example.com/checkout', { method: 'POST' }), undefined],
  ['a HEAD', asked('https://shop.example.com/checkout', { method: 'HEAD' }), undefined],
  [
    'a script of another site',
    asked('https://shop.example.com/checkout', { headers: [['Origin', 'https://evil.example']] }),
    undefined,
  ],
  [
    'a path that a rule has rewritten',
    asked('https://shop.example.com/v2/checkout', { rawTarget: '/checkout' }),
    'https://shop.example.com/checkout',
  ],
  ['a rewritten one', asked('https://shop.example.com/checkout', { rawTarget: '/other' }), undefined],
])('%s', (_name, facts, expected) => expect(watchedPage(WATCHED, facts)).toBe(expected))

const HTML: HeaderLine = ['Content-Type', 'text/html; charset=utf-8']
const DENY: HeaderLine = ['X-Frame-Options', 'DENY']
const URL = 'https://shop.example.com/checkout'

function pages() {
  const recorded: SeenPage[] = []
  const { note } = createSeenPages((_zoneId, page) => void recorded.push(page))
  const see = (headers: readonly HeaderLine[], nowMillis = 0, status = 200, url = URL): void =>
    note('zone', url, { status, headers: [HTML, ...headers] }, nowMillis)
  return { recorded, see, note }
}

test.each<[string, readonly HeaderLine[], readonly string[]]>([
  ['none', [], []],
  [
    'those that are compared',
    [DENY, ['Server', 'secret'], ['ETag', 'secret'], ['Location', 'secret']],
    ['x-frame-options: DENY'],
  ],
  [
    'no cookie, not even its name',
    [
      ['Set-Cookie', 'secret=secret; Path=/'],
      ['set-cookie', 'a=b'],
    ],
    [],
  ],
  [
    'a policy without nonces',
    [['Content-Security-Policy', "script-src 'nonce-secret'"]],
    ["content-security-policy: script-src 'nonce-*'"],
  ],
  [
    'not those of monitoring',
    [
      [
        'Content-Security-Policy-Report-Only',
        "script-src 'none'; report-uri /cdn-cgi/script_monitor/report?v=1&z=1&s=1&t=secret",
      ],
    ],
    [],
  ],
  ['as UTF-8', [['Referrer-Policy', Buffer.from('ä').toString('latin1')]], ['referrer-policy: ä']],
])('headers: %s', (_name, headers, expected) => {
  const { recorded, see } = pages()
  see(headers)
  expect(recorded.map((page) => page.headers.map(({ name, value }) => `${name}: ${value}`))).toEqual([
    expected,
  ])
  expect(JSON.stringify(recorded)).not.toContain('secret')
})

test.each<[string, number, readonly HeaderLine[]]>([
  ['an error page', 500, [HTML]],
  ['a page that is missing', 404, [HTML]],
  ['a redirect', 302, [HTML]],
  ['what has not changed', 304, [HTML]],
  ['no document', 200, [['content-type', 'application/json']]],
  ['without a type', 200, []],
  [
    'headers without end',
    200,
    [
      HTML,
      ...Array.from({ length: 20 }, (_, at): HeaderLine => ['Permissions-Policy', `${at}`.repeat(4_000)]),
    ],
  ],
])('not reported: %s', (_name, status, headers) => {
  const { recorded, note } = pages()
  note('zone', URL, { status, headers: [...headers, DENY] }, 0)
  expect(recorded).toEqual([])
})

const MINUTE = 60_000
const A: HeaderLine = ['X-Frame-Options', 'A']
const B: HeaderLine = ['X-Frame-Options', 'B']

describe('reported', () => {
  test.each<[string, readonly (readonly [minutes: number, header: HeaderLine])[], readonly string[]]>([
    [
      'once',
      [
        [0, A],
        [1, A],
        [59, A],
      ],
      ['A'],
    ],
    [
      'again after an hour, so that the server knows',
      [
        [0, A],
        [60, A],
        [119, A],
        [120, A],
      ],
      ['A', 'A', 'A'],
    ],
    [
      'a difference at once',
      [
        [0, A],
        [1, B],
      ],
      ['A', 'B'],
    ],
    [
      'a page that differs between visitors: each ten minutes',
      [
        [0, A],
        [1, B],
        [2, A],
        [3, B],
        [10, A],
        [11, A],
        [12, B],
        [20, B],
        [21, B],
      ],
      ['A', 'B', 'A', 'B'],
    ],
    [
      'a difference after the hourly report',
      [
        [0, A],
        [60, A],
        [61, B],
      ],
      ['A', 'A', 'B'],
    ],
  ])('%s', (_name, visits, expected) => {
    const { recorded, see } = pages()
    for (const [minutes, header] of visits) see([header], minutes * MINUTE)
    expect(recorded.map(({ headers }) => headers[0]?.value)).toEqual(expected)
  })

  test('each page and zone for itself, whatever the order of headers', () => {
    const { recorded, see, note } = pages()
    const policy: HeaderLine = ['Referrer-Policy', 'no-referrer']
    see([A, policy])
    see([policy, A])
    see([A, policy], 0, 200, 'https://shop.example.com/')
    note('another', URL, { status: 200, headers: [HTML, A, policy] }, 0)
    expect(recorded.map(({ url }) => url)).toEqual([URL, 'https://shop.example.com/', URL])
  })
})
