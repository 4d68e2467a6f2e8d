// Parsing policies and sources as browsers do, and printing them without loss.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DIRECTIVES, governingNames } from './directives.ts'
import { parsePolicy, parsePolicyList, printPolicy } from './policy.ts'
import { HASH_ALGORITHMS, KEYWORDS, parseSource, printSource, type Source } from './source.ts'

describe('parsePolicy', () => {
  const cases: [name: string, text: string, read: string][] = [
    ['one directive', "script-src 'self'", "script-src 'self'"],
    ['several', "script-src 'self'; img-src *", "script-src 'self'; img-src *"],
    ['whitespace of every kind', "\tscript-src\n'self'\f https: \r;", "script-src 'self' https:"],
    ['other Unicode whitespace does not separate', "script-src\u00a0'self'", ''],
    ['empty parts', ';; img-src * ;;', 'img-src *'],
    ['names in capitals', 'IMG-SRC IMG.test', 'img-src IMG.test'],
    ['the first of a name wins', 'img-src a.test; IMG-src b.test', 'img-src a.test'],
    ['an unknown name is kept', 'x-y z', 'x-y z'],
    ['a part that is not ASCII is skipped', 'img-src ä.test; font-src b.test', 'font-src b.test'],
    ['nothing', '', ''],
  ]
  test.each(cases)('%s', (_, text, read) => expect(printPolicy(parsePolicy(text))).toBe(read))

  test('positions refer to the text', () => {
    const text = "  script-src  'self' b.test ;img-src *"
    const tokens = parsePolicy(text).directives.flatMap(({ nameToken, values }) => [nameToken, ...values])
    expect(tokens.length).toBe(5)
    for (const token of tokens) expect(text.slice(token.start, token.end)).toBe(token.text)
  })

  test('a comma starts another policy', () => {
    const strings = parsePolicyList("script-src 'self', img-src *;,, font-src x").map(printPolicy)
    expect(strings).toEqual(["script-src 'self'", 'img-src *', 'font-src x'])
  })

  test('round trip', () => {
    const values = fc.array(arbitrarySource().map(printSource), { maxLength: 4 })
    const directives = fc.uniqueArray(fc.tuple(fc.constantFrom(...DIRECTIVES.keys()), values), {
      selector: ([name]) => name,
    })
    fc.assert(
      fc.property(directives, (list) => {
        const text = list.map(([name, words]) => [name, ...words].join(' ')).join('; ')
        const policy = parsePolicy(text)
        expect(printPolicy(policy)).toBe(text)
        expect(parsePolicy(printPolicy(policy))).toEqual(policy)
      }),
    )
  })

  test('any text is parsed, and the result is stable', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const printed = printPolicy(parsePolicy(text))
        expect(printPolicy(parsePolicy(printed))).toBe(printed)
      }),
    )
  })
})

describe('parseSource', () => {
  const cases: [text: string, source: Partial<Source> | undefined][] = [
    ["'SELF'", { kind: 'keyword', keyword: 'self' }],
    ["'unsafe-inline'", { kind: 'keyword', keyword: 'unsafe-inline' }],
    ['HTTPS:', { kind: 'scheme', scheme: 'https' }],
    ['https://', undefined],
    ['*', { kind: 'host', host: '*', scheme: null, port: null, path: '' }],
    [
      'HTTPS://*.B.test:8443/A/',
      { kind: 'host', scheme: 'https', host: '*.b.test', port: 8443, path: '/A/' },
    ],
    ['b.test:*', { kind: 'host', host: 'b.test', port: '*' }],
    ['b.test:65535', { kind: 'host', port: 65_535 }],
    ['b.test:65536', undefined],
    ['my_host', undefined],
    ['b.test/p?q', { kind: 'host', path: '/p', excess: '?q' }],
    ["'nonce-YWJj'", { kind: 'nonce', value: 'YWJj' }],
    ["'SHA256-YWJj'", { kind: 'hash', algorithm: 'sha256', value: 'YWJj' }],
    ["'sha1-YWJj'", undefined],
    ["'foo'", undefined],
    ["'self", undefined],
    ['"self"', undefined],
    ['//b.test', undefined],
    ['b.*.test', undefined],
    ['*b.test', undefined],
    ['[::1]', undefined],
    ['', undefined],
  ]
  test.each(cases)('%j', (text, source) => {
    if (source === undefined) expect(parseSource(text)).toBeUndefined()
    else expect(parseSource(text)).toMatchObject(source)
  })

  test('round trip', () => {
    fc.assert(
      fc.property(arbitrarySource(), (source) => {
        expect(parseSource(printSource(source))).toEqual(source)
      }),
    )
  })

  test('any string is a source or is rejected', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const source = parseSource(text)
        if (source !== undefined) expect(parseSource(printSource(source))).toEqual(source)
      }),
    )
  })
})

test.each([
  ['script-src-elem', ['script-src-elem', 'script-src', 'default-src']],
  ['style-src-attr', ['style-src-attr', 'style-src', 'default-src']],
  ['worker-src', ['worker-src', 'child-src', 'script-src', 'default-src']],
  ['frame-src', ['frame-src', 'child-src', 'default-src']],
  ['connect-src', ['connect-src', 'default-src']],
  ['base-uri', ['base-uri']],
  ['form-action', ['form-action']],
  ['nobody-src', []],
])('%s is governed by %j', (name, names) => expect(governingNames(name)).toEqual(names))

function arbitrarySource(): fc.Arbitrary<Source> {
  const label = fc.stringMatching(/^[a-z0-9-]{1,8}$/)
  const host = fc.oneof(
    fc.constant('*'),
    fc.tuple(fc.constantFrom('', '*.'), label, label).map(([star, a, b]) => `${star}${a}.${b}`),
  )
  const base64 = fc.stringMatching(/^[A-Za-z0-9+/_-]{1,44}={0,2}$/)
  const scheme = fc.constantFrom('https', 'http', 'wss', 'data', 'app+x')
  return fc.oneof(
    fc.constantFrom(...KEYWORDS).map((keyword) => ({ kind: 'keyword', keyword }) as const),
    scheme.map((name) => ({ kind: 'scheme', scheme: name }) as const),
    base64.map((value) => ({ kind: 'nonce', value }) as const),
    fc
      .tuple(fc.constantFrom(...HASH_ALGORITHMS), base64)
      .map(([algorithm, value]) => ({ kind: 'hash', algorithm, value }) as const),
    fc
      .record({
        scheme: fc.option(scheme),
        host,
        port: fc.option(fc.oneof(fc.constant('*' as const), fc.integer({ min: 0, max: 65_535 }))),
        path: fc.constantFrom('', '/', '/a/', '/a/%2F.js'),
        excess: fc.constantFrom('', '?x=1', '#f'),
      })
      .map((parts) => ({ kind: 'host', ...parts }) as const),
  )
}
