// The functions: their results, with nil in and out.
import { createHash, createHmac } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromOctets, utf8 } from '../bytes.ts'
import { compileValueExpression } from '../compiler.ts'
import { contextOf } from '../context.ts'
import { ipText, parseIp } from '../ip.ts'
import { createScheme } from '../scheme.ts'
import { arrayOf, BOOL, BYTES, BYTES_ARRAY, INT, IP, mapOf } from '../types.ts'
import { isIp, mapValue, type Maybe, type Value } from '../values.ts'
import { decodeBase64, encodeBase64 } from './base64.ts'
import { FUNCTIONS, functionNamed } from './registry.ts'
import { hmacSha256, sha256 } from './sha256.ts'
import { splitSigned } from './timed-hmac.ts'

const scheme = createScheme({
  fields: [
    { name: 'v', type: BYTES },
    { name: 'w', type: BYTES },
    { name: 'num', type: INT },
    { name: 'addr', type: IP },
    { name: 'ssl', type: BOOL },
    { name: 'list', type: BYTES_ARRAY },
    { name: 'ints', type: arrayOf(INT) },
    { name: 'map', type: mapOf(BYTES) },
    { name: 'nil', type: BYTES },
    { name: 'nilint', type: INT },
    { name: 'niladdr', type: IP },
    { name: 'nillist', type: BYTES_ARRAY },
    { name: 'nilmap', type: mapOf(BYTES) },
  ],
  functions: FUNCTIONS,
})

const address = (text: string): Value => parseIp(text) ?? ''

const COMMON: Readonly<Record<string, Value>> = {
  num: -42,
  ssl: true,
  list: ['a', 'b', 'c'],
  ints: [1, 2, 3],
  map: mapValue([['k', 'x']]),
}

function run(expression: string, v: string, values: Readonly<Record<string, Value>> = {}): Maybe {
  const result = compileValueExpression(expression, scheme)(contextOf(scheme, { ...COMMON, v, ...values }))
  return isIp(result) ? ipText(result) : result
}

describe('results', () => {
  test.each<[string, string, Maybe]>([
    ['lower(v)', 'AbC\u00c0', 'abc\u00c0'],
    ['upper(v)', 'aBc\u00e0', 'ABC\u00e0'],
    ['len(v)', utf8('é'), 2],
    ['len(list)', '', 3],
    ['len(ints)', '', 3],
    ['starts_with(v, "/a")', '/ab', true],
    ['starts_with(v, "/A")', '/ab', false],
    ['ends_with(v, "b")', '/ab', true],
    ['ends_with(v, v)', 'x', true],
    ['concat(v, "-", v)', 'x', 'x-x'],
    ['concat(nil, "x")', '', 'x'],
    ['concat(nil, nil)', '', undefined],
    ['concat(list, list)', '', ['a', 'b', 'c', 'a', 'b', 'c']],
    ['join(list, ", ")', '', 'a, b, c'],
    ['split(v, ",", 64)', 'a,b,,c', ['a', 'b', '', 'c']],
    ['split(v, ",", 3)', 'a,b,c,d', ['a', 'b', 'c,d']],
    ['split(v, ",", 1)', 'a,b', ['a,b']],
    ['split(v, ",", 2)', '', ['']],
    ['substring(v, 2, 5)', 'asdfghjk', 'dfg'],
    ['substring(v, 2)', 'asdfghjk', 'dfghjk'],
    ['substring(v, -2)', 'asdfghjk', 'jk'],
    ['substring(v, 0, -2)', 'asdfghjk', 'asdfgh'],
    ['substring(v, 20)', 'asdf', ''],
    ['substring(v, 3, 1)', 'asdf', ''],
    ['substring(v, -20, 20)', 'asdf', 'asdf'],
    ['to_string(num)', '', '-42'],
    ['to_string(ssl)', '', 'true'],
    ['to_string(v eq "x")', 'x', 'true'],
    ['remove_bytes(v, "\\x2e\\x77")', 'www.example.com', 'examplecom'],
    ['remove_query_args(v, "country")', 'order=asc&country=GB', 'order=asc'],
    ['remove_query_args(v, "search")', 'order=asc&country=GB', 'order=asc&country=GB'],
    ['remove_query_args(v, "category", "x")', 'category=Foo&order=desc&category=Bar&x', 'order=desc'],
    ['has_key(map, "k")', '', true],
    ['has_key(map, v)', 'z', false],
    ['has_value(map, "x")', '', true],
    ['has_value(list, v)', 'b', true],
    ['has_value(ints, 4)', '', false],
    ['decode_base64(v)', 'MTIzYWJj', '123abc'],
    ['decode_base64(v)', 'MTIzYQ==', '123a'],
    ['decode_base64(v)', 'MTIzYQ', '123a'],
    ['decode_base64(v)', 'MTIz!', undefined],
    ['decode_base64(v)', 'A', undefined],
    ['encode_base64(v)', '\u00fb\u00ff', '+/8'],
    ['encode_base64(v, "p")', '\u00fb\u00ff', '+/8='],
    ['encode_base64(v, "up")', '\u00fb\u00ff', '-_8='],
    ['url_decode(v)', 'John%20Doe+x', 'John Doe x'],
    ['url_decode(v)', '%2520', '%20'],
    ['url_decode(v)', '%E4%BD', '\u00e4\u00bd'],
    ['url_decode(v)', '%zz%4', '%zz%4'],
    ['url_decode(v, "r")', '%2520', ' '],
    ['url_decode(v, "r")', '%25252525252541', 'A'],
    ['url_decode(v, "r")', '%%341%2%35', 'A%'],
    ['url_decode(v, "u")', '%u2601', utf8('☁')],
    ['url_decode(v, "u")', '%uD83D%uDE00', utf8('😀')],
    ['url_decode(v, "u")', '%uD83Dx', '%uD83Dx'],
    ['url_decode(v, "u")', '%uD83D%u0041', '%uD83DA'],
    ['url_decode(v, "u")', '%uD83D%uE000', `%uD83D${utf8('\ue000')}`],
    ['url_decode(v, "u")', '%uDBFF%uDFFF', utf8('\u{10ffff}')],
    ['url_decode(v, "u")', '%uDC00%uDC00', '%uDC00%uDC00'],
    ['url_decode(v, "ur")', '%25u2601%2575D83D', `${utf8('☁')}%75D83D`.replace('%75', 'u')],
    ['url_decode(v)', '%u2601', '%u2601'],
    ['lookup_json_string(v, "company")', '{ "company": "x", "product": 1 }', 'x'],
    ['lookup_json_string(v, "a", "b")', utf8('{"a":{"b":"é"}}'), utf8('é')],
    ['lookup_json_string(v, 1)', '["x", "y"]', 'y'],
    ['lookup_json_string(v, 1, "n")', '[{"n":"x"},{"n":"y"}]', 'y'],
    ['lookup_json_string(v, "a")', '{"a":"\\ud83d\\ude00\\n\\""}', `${utf8('😀')}\n"`],
    ['lookup_json_string(v, "a")', '{"a":1}', undefined],
    ['lookup_json_string(v, 3)', ' [ true , false , null , "x" , { } , [ ] ] ', 'x'],
    ['lookup_json_string(v, 1)', '[nope, "x"]', undefined],
    ['lookup_json_string(v, 0, 0)', `${'['.repeat(129)}${']'.repeat(129)}`, undefined],
    ['lookup_json_string(v, "a")', '{"a":"x"', undefined],
    ['lookup_json_string(v, "a")', '{"a":"x",}', undefined],
    ['lookup_json_string(v, "a")', '{"a":"x"} 1', undefined],
    ['lookup_json_string(v, "a")', '{"b":{"a":"x"}}', undefined],
    ['lookup_json_string(v, 0)', '{"0":"x"}', undefined],
    ['lookup_json_integer(v, "version")', '{ "record_id": "aed53a", "version": 2 }', 2],
    ['lookup_json_integer(v, 1)', '["first", -234]', -234],
    ['lookup_json_integer(v, 0)', '[9223372036854775807]', 9223372036854775807n],
    ['lookup_json_integer(v, 0)', '[9223372036854775808]', undefined],
    ['lookup_json_integer(v, 0)', '[42.0]', undefined],
    ['lookup_json_integer(v, 0)', '[1e3]', undefined],
    ['lookup_json_integer(v, 0)', '[01]', undefined],
    ['lookup_json_integer(v, 0)', '["1"]', undefined],
    ['regex_replace(v, "/bar$", "/baz")', '/foo/bar', '/foo/baz'],
    ['regex_replace(v, "^/y$", "/mumble")', '/x', '/x'],
    ['regex_replace(v, "/a", "/b")', '/a/a', '/b/a'],
    ['regex_replace(v, "^/b$", "/b$$")', '/b', '/b$'],
    ['regex_replace(v, "^/foo/([^/]*)/(.*)$", "/bar/${2}/${1}")', '/foo/a/path', '/bar/path/a'],
    ['regex_replace(v, "(x)?a", "[${1}${8}]")', 'a', '[]'],
    [
      'wildcard_replace(v, "https://*.example.com/*/*", "https://example.com/${1}/${2}/${3}")',
      'https://apps.example.com/c/a?x=1',
      'https://example.com/apps/c/a?x=1',
    ],
    [
      'wildcard_replace(v, "/applications/*", "/apps/${1}")',
      'https://example.com/applications/app1',
      'https://example.com/applications/app1',
    ],
    ['wildcard_replace(v, "/apps/*", "/${1}")', '/Apps/calendar', '/calendar'],
    ['wildcard_replace(v, "/apps/*", "/${1}", "s")', '/Apps/calendar', '/Apps/calendar'],
    ['wildcard_replace(v, r"\\*", "$$")', '*', '$'],
    ['sha256(v)', 'abc', fromOctets(createHash('sha256').update('abc').digest())],
    ['uuidv4(v)', '\u00ff'.repeat(16), 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
    ['uuidv4(v)', '\0'.repeat(20), '00000000-0000-4000-8000-000000000000'],
    ['bit_slice(v, 0, 8)', '\u00a5', 0xa5],
    ['bit_slice(v, 4, 8)', '\u00a5\u00c3', 0x5c],
    ['bit_slice(v, 0, 32)', '\u00ff\u00ff\u00ff\u00ff', 0xffffffff],
    ['bit_slice(v, 0, 33)', 'aaaaaa', undefined],
    ['bit_slice(v, 4, 8)', 'a', undefined],
  ])('%s of %j', (expression, v, result) => expect(run(expression, v)).toEqual(result))

  test.each([
    ['cidr(addr, 24, 24)', '113.10.0.2', '113.10.0.0'],
    ['cidr(addr, 24, 24)', '2001:0000:130F:0000:0000:09C0:876A:130B', '2001::'],
    ['cidr6(addr, 24)', '2001:0000:130F:0000:0000:09C0:876A:130B', '2001::'],
    ['cidr6(addr, 24)', '113.10.0.2', '113.10.0.2'],
    ['to_string(addr)', '2001:DB8::1', '2001:db8::1'],
  ])('%s of %s', (expression, addr, result) =>
    expect(run(expression, '', { addr: address(addr) })).toBe(result),
  )

  test.each([
    'lower(nil)',
    'upper(nil)',
    'len(nil)',
    'starts_with(nil, "")',
    'ends_with(nil, "")',
    'cidr(niladdr, 8, 8)',
    'cidr6(niladdr, 8)',
    'decode_base64(nil)',
    'encode_base64(nil)',
    'has_key(nilmap, "k")',
    'has_value(nillist, "k")',
    'has_value(list, nil)',
    'join(nillist, "")',
    'split(nil, ",", 2)',
    'lookup_json_string(nil, 0)',
    'substring(nil, 0)',
    'lookup_json_integer(nil, 0)',
    'regex_replace(nil, "a", "")',
    'wildcard_replace(nil, "a", "")',
    'remove_bytes(nil, "")',
    'remove_query_args(nil, "a")',
    'sha256(nil)',
    'substring(v, nilint)',
    'to_string(nilint)',
    'url_decode(nil)',
    'uuidv4(nil)',
    'bit_slice(nil, 0, 1)',
    'is_timed_hmac_valid_v0("k", nil, 1, num)',
  ])('%s is nil', (expression) => expect(run(expression, '')).toBeUndefined())
})

const urlSafe = (mac: string): string => mac.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

describe('signed messages', () => {
  const key = 'mysecretkey'
  const signed = (message: string, separator: string, time: number, encode: (mac: string) => string) =>
    `${message}${separator}${time}-${encode(createHmac('sha256', key).update(`${message}${time}`).digest('base64'))}`
  const good = signed('/download/cat.jpg', '?verify=', 1_484_063_787, encodeURIComponent)

  test.each<[string, string, string, number, boolean]>([
    ['genuine and in time', `"${key}", v, 100000, num, 8`, good, 1_484_063_800, true],
    ['one second before its end', `"${key}", v, 100000, num, 8`, good, 1_484_163_786, true],
    ['at its end', `"${key}", v, 100000, num, 8`, good, 1_484_163_787, false],
    ['another key', '"other", v, 100000, num, 8', good, 1_484_063_800, false],
    ['another separator length', `"${key}", v, 100000, num, 7`, good, 1_484_063_800, false],
    ['another message', `"${key}", v, 100000, num, 8`, good.replace('cat', 'dog'), 1_484_063_800, false],
    [
      'another time',
      `"${key}", v, 100000, num, 8`,
      good.replace('1484063787', '1484063788'),
      1_484_063_800,
      false,
    ],
    ['no token', `"${key}", v, 100000, num, 8`, '/download/cat.jpg', 1_484_063_800, false],
    [
      'URL-safe',
      `"${key}", v, 10, num, 1, "s"`,
      signed('/a', '-', 1_484_063_787, urlSafe),
      1_484_063_788,
      true,
    ],
    [
      'URL-safe by mistake',
      `"${key}", v, 10, num, 1`,
      signed('/a', '-', 1_484_063_787, urlSafe),
      1_484_063_788,
      false,
    ],
    [
      'without a separator',
      `"${key}", v, 10, num`,
      signed('/a', '', 1_484_063_787, encodeURIComponent),
      1_484_063_788,
      true,
    ],
  ])('%s', (_name, args, v, num, result) =>
    expect(run(`is_timed_hmac_valid_v0(${args})`, v, { num })).toBe(result),
  )

  test('the last dash that fits is used', () => {
    const mac = 'x'.repeat(43)
    expect(splitSigned(`a1111111111-${mac}1111111111-${mac}`, 0)?.message).toBe(`a1111111111-${mac}`)
    expect(splitSigned(`1111111111-${mac}`, 0)).toBeUndefined()
    expect(splitSigned(`a1111111111-${mac.slice(1)}`, 0)).toBeUndefined()
  })
})

describe('codecs against the platform', () => {
  const octets = fc.uint8Array({ maxLength: 200 })
  test('SHA-256 and HMAC', () => {
    fc.assert(
      fc.property(octets, octets, (key, message) => {
        expect(sha256(fromOctets(message))).toBe(fromOctets(createHash('sha256').update(message).digest()))
        const mac = createHmac('sha256', key).update(message).digest()
        expect(hmacSha256(fromOctets(key), fromOctets(message))).toBe(fromOctets(mac))
      }),
    )
  })

  test('base64', () => {
    fc.assert(
      fc.property(octets, fc.boolean(), (list, isPadded) => {
        const text = encodeBase64(fromOctets(list), { isUrlSafe: false, isPadded })
        expect(text).toBe(
          Buffer.from(list)
            .toString('base64')
            .replaceAll('=', isPadded ? '=' : ''),
        )
        expect(decodeBase64(text)).toBe(fromOctets(list))
      }),
    )
  })
})

describe('the table', () => {
  test('is sorted by name, each name once, each with a summary', () => {
    const names = FUNCTIONS.map(({ name }) => name)
    expect(names).toEqual([...new Set(names)].toSorted())
    expect(FUNCTIONS.filter(({ summary }) => !summary.endsWith('.'))).toEqual([])
    expect(names).toHaveLength(29)
  })

  test('an unknown name is an error', () => expect(() => functionNamed('nope')).toThrow('no function nope'))

  test('tokens are checked by the host', () => {
    const context = contextOf(scheme, COMMON, {
      host: { jwt: (id) => ({ present: true, valid: id === 'a' }) },
    })
    const ask = (expression: string) => compileValueExpression(expression, scheme)(context)
    expect(['is_jwt_present("b")', 'is_jwt_valid("a")', 'is_jwt_valid("b")'].map(ask)).toEqual([
      true,
      true,
      false,
    ])
    expect(run('is_jwt_valid("a")', '')).toBeUndefined()
  })
})
