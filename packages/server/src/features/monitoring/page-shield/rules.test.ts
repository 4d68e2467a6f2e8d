// The pure parts of monitoring: URLs, pages, cookies, filters and files, with properties for arbitrary input.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DomainError } from '@zonereeve/platform'
import { defaultPath, isSentTo, readCookieNames, readSetCookie } from './cookies.rules.ts'
import { toCsv } from './csv.wire.ts'
import { cutoffsAt, isForgotten, statusOf, DEFAULT_RETENTION, wholeSeconds } from './life-cycle.rules.ts'
import { readHostPatterns, readPagePatterns, readPattern, readStrings } from './list-filters.rules.ts'
import {
  isOfZone,
  MAX_URL_CHARACTERS,
  mergePages,
  readConnection,
  readPage,
  readScript,
  resourceId,
} from './resources.rules.ts'
import { tables } from '@zonereeve/storage'

describe('URLs', () => {
  test.each([
    ['https://CDN.example.net:443/A.js?b=1#c', 'https://cdn.example.net/A.js?b=1'],
    ['http://user:secret@cdn.example.net/', 'http://cdn.example.net/'],
    ['https://cdn.example.net/a.js?_=1700000000000', 'https://cdn.example.net/a.js'],
    ['https://cdn.example.net/a.js?x=1&_=1700000000000&y=2', 'https://cdn.example.net/a.js?x=1&y=2'],
    ['https://cdn.example.net/a.js?_=5', 'https://cdn.example.net/a.js?_=5'],
    ['https://cdn.example.net/a.js?id=1700000000000', 'https://cdn.example.net/a.js?id=1700000000000'],
    ['https://münchen.example/ä.js', 'https://xn--mnchen-3ya.example/%C3%A4.js'],
    ['https://example.com/cdn-cgi/other/report', 'https://example.com/cdn-cgi/other/report'],
  ])('script %s is %s', (text, url) => expect(readScript(text)?.url).toBe(url))

  test.each([
    'inline',
    'eval',
    'data',
    'data:text/javascript,1',
    'blob:https://example.com/1',
    'chrome-extension://abc/x.js',
    'wss://example.com/',
    'https://',
    '//example.com/x.js',
    'https://example.com/cdn-cgi/script_monitor/report?v=1',
    'https://example.com/cdn-cgi/script-monitor/report',
    '',
  ])('%j is no script', (text) => expect(readScript(text)).toBeUndefined())

  test.each([
    ['wss://live.example:8443/x?s=1', false, 'wss://live.example:8443'],
    ['wss://live.example:443/x?s=1', false, 'wss://live.example'],
    ['https://api.example/v1?k=s#x', true, 'https://api.example/v1?k=s'],
    ['https://api.example', true, 'https://api.example/'],
  ] as const)('connection %s, path %s, is %s', (text, withPath, url) =>
    expect(readConnection(text, withPath)?.url).toBe(url),
  )

  test('a connection without path keeps no path, query or credentials', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (text) => {
        expect(readConnection(text, false)?.url).toMatch(/^https?:\/\/[^/?#@]+$/)
      }),
    )
  })

  test('any string is accepted or rejected, never throws, and is never too long', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((s) => `https://a.example/${s}`),
        ),
        (text) => {
          for (const found of [readScript(text), readConnection(text, true)]) {
            if (found === undefined) continue
            expect(found.url.length).toBeLessThanOrEqual(MAX_URL_CHARACTERS)
            expect(found.url).not.toMatch(/[\s\0]/)
            expect(readConnection(found.url, true)).toEqual(found)
          }
        },
      ),
    )
  })

  test('a URL in normal form equals the output of the URL parser', () => {
    const of = (unit: string, maxLength: number) =>
      fc.string({ unit: fc.constantFrom(...unit), minLength: 1, maxLength })
    const near = fc
      .tuple(
        fc.constantFrom('https://', 'http://', 'wss://', 'HTTPS://', 'https:/'),
        of('ab0.-x', 12),
        fc.constantFrom('', '.net', '.0x1', '.1', '.xn--a', ':443', ':8080'),
        fc.constantFrom('/', '', '/./', '/a//', '/../', '/%2e/', '/.x/'),
        of('ab./~!$&()*+,;=:@-_%2\'"<>^`{|}\\ \tä', 10),
        fc.constantFrom('', '?', '?a=1', "?'", '?a=%zz&b', '?ä', '#', '#x', '?a#b'),
      )
      .map((parts) => parts.join(''))
    let steady = 0
    fc.assert(
      fc.property(near, (text) => {
        const found = readConnection(text, true)
        const url = URL.parse(text)
        if (found === undefined || url === null) return
        if (found.url === text) steady += 1
        expect(found).toEqual({
          url: `${url.protocol}//${url.host}${url.pathname}${url.search}`,
          urlHost: url.host,
          hasCdnCgi: url.pathname.includes('/cdn-cgi/'),
        })
      }),
      { numRuns: 5000 },
    )
    expect(steady).toBeGreaterThan(10) // of some fifty
  })

  test.each([
    'https://cdn.example.net/a/b.js',
    'https://cdn.example.net/a.js?v=1.2&x=%20/?',
    'http://localhost/x',
    'https://a.b-c.example/~u/@x/$(y);z=1,2',
  ])('%s is unchanged', (url) => expect(readScript(url)?.url).toBe(url))

  test('a URL of 2048 characters is kept, a longer one is truncated', () => {
    const url = (length: number) => `https://a.example/${'x'.repeat(length - 18)}`
    expect(readScript(url(2048))?.url).toBe(url(2048))
    expect(readScript(url(2049))?.url).toBe(url(2048))
  })

  test.each([
    [
      'https://Shop.example.com:8443/a/b?c#d',
      { host: 'shop.example.com', pageUrl: 'shop.example.com:8443/a/b' },
    ],
    ['http://example.com', { host: 'example.com', pageUrl: 'example.com/' }],
    ['about:blank', undefined],
    ['file:///etc/passwd', undefined],
    ['not a url', undefined],
  ])('page %s', (text, page) => expect(readPage(text)).toEqual(page))

  test.each([
    ['example.com', true],
    ['a.b.example.com', true],
    ['badexample.com', false],
    ['com', false],
    ['', false],
    ['xample.com', false],
    ['example.com.evil.example', false],
    ['example.com.', false],
  ])('%s is of example.com: %s', (host, expected) => expect(isOfZone(host, 'example.com')).toBe(expected))

  test('ids depend on every part, and are stable', () => {
    const id = resourceId('z', 'script', 'h', 'u')
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    expect(resourceId('z', 'script', 'h', 'u')).toBe(id)
    const others = [
      resourceId('y', 'script', 'h', 'u'),
      resourceId('z', 'connection', 'h', 'u'),
      resourceId('z', 'script', 'i', 'u'),
      resourceId('z', 'script', 'h', 'v'),
      resourceId('z', 'script', 'hu', ''),
    ]
    expect(new Set([id, ...others]).size).toBe(6)
  })

  test('ten distinct pages are kept, newest first, and survive the database', () => {
    fc.assert(
      fc.property(fc.array(fc.webPath()), fc.array(fc.webPath()), (newer, older) => {
        const merged = mergePages(newer, older)
        expect(merged.length).toBeLessThanOrEqual(10)
        expect(new Set(merged).size).toBe(merged.length)
        if (newer[0] !== undefined) expect(merged[0]).toBe(newer[0])
        const { toStored, toValue } = tables.page_shield_resources.columns.page_urls
        expect(toValue?.(toStored?.(merged), 'page_urls')).toEqual(merged)
      }),
    )
  })
})

describe('life cycle', () => {
  const NOW = Date.parse('2026-03-01T00:00:00Z')
  const cutoffs = cutoffsAt(NOW, DEFAULT_RETENTION)
  const ago = (days: number, millis = 0) => wholeSeconds(NOW - days * 86_400_000 - millis)
  test.each([
    [0, 0, 'infrequent', false],
    [2, 5, 'infrequent', false],
    [3, 0, 'active', false],
    [3, 7, 'active', false],
    [3, 8, 'inactive', false],
    [1000, 30, 'inactive', false],
  ] as const)('%i page views, %i days ago: %s', (pageViews, days, status, forgotten) => {
    const seen = { pageViews, lastSeenAt: ago(days) }
    expect([statusOf(seen, cutoffs), isForgotten(seen, cutoffs)]).toEqual([status, forgotten])
  })
  test.each([
    [2, 5],
    [3, 30],
  ])('%i page views, %i days and a second ago: forgotten', (pageViews, days) => {
    expect(isForgotten({ pageViews, lastSeenAt: ago(days, 1000) }, cutoffs)).toBe(true)
  })
})

describe('filters', () => {
  test.each([
    ['a', 'whole', 'a'],
    ['a*', 'at-start', 'a'],
    ['*a', 'at-end', 'a'],
    ['*a*', 'anywhere', 'a'],
    ['*', 'anywhere', ''],
    ['**', 'anywhere', ''],
    ['', 'whole', ''],
  ])('%j stands for %s of %j', (text, place, inner) =>
    expect(readPattern({ name: 'name', text })).toEqual({ place, text: inner }),
  )

  test.each([
    [undefined, []],
    ['', []],
    [' a , ,b', ['a', 'b']],
    ['a%2Cb', ['a%2Cb', 'a,b']],
    ['a%2ab', ['a%2ab', 'a*b']],
    ['100%25', ['100%25', '100%']],
    ['a%E4', ['a%E4']],
    ['a.js?*', ['a.js?*']],
    ['a,a', ['a']],
  ])('%j lists %j', (text, parts) => expect(readStrings({ name: 'urls', text })).toEqual(parts))

  test.each([
    ['HTTPS://example.com', [{ place: 'whole', text: 'example.com/' }]],
    ['example.com/a', [{ place: 'whole', text: 'example.com/a' }]],
    ['http://example.com*', [{ place: 'at-start', text: 'example.com' }]],
    [
      'example.com/a%2Ab',
      [
        { place: 'whole', text: 'example.com/a%2Ab' },
        { place: 'whole', text: 'example.com/a*b' },
      ],
    ],
  ])('page %s', (text, patterns) => expect(readPagePatterns({ name: 'page_url', text })).toEqual(patterns))

  test('a star encoded with the rest of a host matches anything', () => {
    expect(readHostPatterns({ name: 'hosts', text: '%2A.Example.com' })).toContainEqual({
      place: 'at-end',
      text: '.example.com',
    })
  })

  test('any string is accepted or rejected with the name of its parameter, and nothing else is thrown', () => {
    const readers = [readHostPatterns, readPagePatterns, readStrings, readPattern]
    const parts = fc.constantFrom('*', '%', '%2A', '%zz', ',', 'a', 'https://', 'é', ' ', '\u0000')
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(parts).map((list) => list.join('')),
        ),
        (text) => {
          for (const read of readers) {
            try {
              read({ name: 'hosts', text })
            } catch (error) {
              expect(error).toBeInstanceOf(DomainError)
              expect(error).toMatchObject({ issues: [{ pointer: '/hosts' }] })
            }
          }
        },
      ),
    )
  })
})

describe('cookies', () => {
  const NONE = {
    domain: null,
    path: null,
    expires: null,
    maxAgeSeconds: null,
    httpOnly: false,
    secure: false,
    sameSite: null,
  }
  test.each([
    ['a=b', { ...NONE, name: 'a' }],
    ['a', undefined],
    ['=b', undefined],
    ['', undefined],
    ['a=b; Domain=.Example.COM; Path=/x', { ...NONE, name: 'a', domain: 'example.com', path: '/x' }],
    ['a=b; Path=x', { ...NONE, name: 'a' }],
    ['a=b; Max-Age=-1; Secure', { ...NONE, name: 'a', maxAgeSeconds: -1, secure: true }],
    ['a=b; Max-Age=x; HttpOnly', { ...NONE, name: 'a', httpOnly: true }],
    ['a=b; SameSite=NONE', { ...NONE, name: 'a', sameSite: 'none' }],
    ['a=b; SameSite=maybe', { ...NONE, name: 'a' }],
    ['a=b; Expires=Mon, 21 Oct 2030 12:28:20 GMT', { ...NONE, name: 'a', expires: '2030-10-21T12:28:20Z' }],
    ['a=b; Expires=never', { ...NONE, name: 'a' }],
    ['__proto__=b', undefined],
    ['a\u0000=b', undefined],
  ])('Set-Cookie: %j', (header, cookie) => expect(readSetCookie(header)).toEqual(cookie))

  test('parsed cookies never contain values, whatever else the header has', () => {
    fc.assert(
      fc.property(fc.string(), (attributes) => {
        const text = JSON.stringify([
          readSetCookie(`n=SECRET; ${attributes}`),
          readCookieNames(`n=SECRET;SECRET;${attributes}`),
        ])
        expect(text.replace(attributes, '')).not.toContain('SECRET')
      }),
    )
  })

  test.each([
    ['a=1; b=2;a=3', ['a', 'b']],
    ['SECRET; a=1', ['a']],
    ['; =x;  ', []],
    ['a b=1', ['a b']],
  ])('Cookie: %j names %j', (header, names) => expect(readCookieNames(header)).toEqual(names))

  test.each([
    ['example.com/', '/'],
    ['example.com/a', '/'],
    ['example.com/a/b', '/a'],
    ['example.com/a/b/', '/a/b'],
  ])('from %s, the default path is %s', (pageUrl, path) =>
    expect(defaultPath({ host: 'example.com', pageUrl })).toBe(path),
  )

  test.each([
    ['a.example.com', 'example.com', false, true],
    ['a.example.com', 'example.com', true, false],
    ['example.com', 'example.com', true, true],
    ['badexample.com', 'example.com', false, false],
  ])('to %s a cookie of %s, host only %s: %s', (host, domain, isHostOnly, expected) =>
    expect(isSentTo(host, { domain, isHostOnly })).toBe(expected),
  )
})

describe('CSV', () => {
  test.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\nb', '"a\nb"'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@a', "'@a"],
    ['\ta', "'\ta"],
    ["'=1", "''=1"],
    ["'a", "'a"],
    ['=a,"b"', '"\'=a,""b"""'],
    [-1, "'-1"],
    [5, '5'],
    [true, 'true'],
    [null, ''],
    [undefined, ''],
    [['a', 'b'], 'a|b'],
  ])('%j is %s', (cell, text) => expect([...toCsv(['c'], [{ c: cell }])].join('')).toBe(`c\r\n${text}\r\n`))

  test('any string round-trips through a CSV reader, and none begins a formula', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 5 }), (cells) => {
        const names = cells.map((_, index) => `c${index}`)
        const row = Object.fromEntries(cells.map((cell, index) => [`c${index}`, cell]))
        const read = readCsv([...toCsv(names, [row])].join(''))[1]
        expect(read?.map((cell) => cell.replace(/^'(?='*[=+\-@\t\r])/, ''))).toEqual(cells)
        expect(read?.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([])
      }),
    )
  })
})

/** A reader that follows the grammar of RFC 4180. */
function readCsv(text: string): string[][] {
  const cells = text.matchAll(/(?:"((?:[^"]|"")*)"|([^,"\r\n]*))(,|\r\n)/g)
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of cells) {
    rows.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end === '\r\n') rows.push([])
  }
  return rows
}
