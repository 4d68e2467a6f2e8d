// Zone files in and out: directives, inherited fields, comments, errors with their positions, and round trips.
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseName } from '../name.ts'
import { encodeRdata, rdataTextByCode } from '../rdata.ts'
import { CASES } from '../rdata/all.cases.ts'
import { anyName } from '../rdata/arbitraries.cases.ts'
import { recordTypeByName } from '../rdata/registry.ts'
import type { Rdata, TypeName } from '../rdata/registry.ts'
import type { TypeCases } from '../rdata/type-cases.cases.ts'
import { isDataType, typeText } from '../type-code.ts'
import { NO_ATTRIBUTES } from './attributes.ts'
import { linesOf } from './entry-text.ts'
import {
  createZoneReader,
  MAX_ENTRY_CHARACTERS,
  MAX_GENERATED_CHARACTERS,
  MAX_GENERATED_RECORDS,
  readZoneFile,
  readZoneItems,
} from './read-zone-file.ts'
import type { ZoneFileRecord } from './read-zone-file.ts'
import { parseTtl } from './ttl.ts'
import { recordLine, writeZoneFile } from './write-zone-file.ts'
import { ZoneFileError } from './zone-file-error.ts'

const origin = parseName('example.com')
const read = (text: string, defaultTtlSeconds?: number): ZoneFileRecord[] => [
  ...readZoneFile(linesOf(text), {
    origin,
    ...(defaultTtlSeconds === undefined ? {} : { defaultTtlSeconds }),
  }),
]
const shown = ({ name, ttlSeconds, type, rdata }: ZoneFileRecord): string =>
  `${name} ${ttlSeconds} ${typeText(type)} ${rdataTextByCode(type, rdata)}`

describe('reads', () => {
  const cases: [name: string, text: string, records: string[]][] = [
    ['an empty file', '', []],
    ['comments and blank lines', '; one\n\n  ; two\n\t\n', []],
    ['a record', 'www 300 IN A 192.0.2.1', ['www.example.com 300 A 192.0.2.1']],
    ['class before TTL', 'www IN 300 A 192.0.2.1', ['www.example.com 300 A 192.0.2.1']],
    ['no class', 'www 300 A 192.0.2.1', ['www.example.com 300 A 192.0.2.1']],
    ['the class as a number', 'www 300 CLASS1 A 192.0.2.1', ['www.example.com 300 A 192.0.2.1']],
    ['lower case', 'WWW 300 in a 192.0.2.1', ['www.example.com 300 A 192.0.2.1']],
    ['CR LF', 'www 300 IN A 192.0.2.1\r\n', ['www.example.com 300 A 192.0.2.1']],
    ['a byte order mark', '\uFEFFwww 300 IN A 192.0.2.1', ['www.example.com 300 A 192.0.2.1']],
    ['the origin', '@ 300 A 192.0.2.1', ['example.com 300 A 192.0.2.1']],
    ['a complete name', 'a.example.net. 300 NS b', ['a.example.net 300 NS b.example.com.']],
    ['names that look like numbers', '4 300 PTR 5.example.net.', ['4.example.com 300 PTR 5.example.net.']],
    [
      'names that look like types',
      'a 300 IN A 192.0.2.1\nin 300 IN A 192.0.2.1',
      ['a.example.com 300 A 192.0.2.1', 'in.example.com 300 A 192.0.2.1'],
    ],
    [
      'an inherited owner',
      'www 300 A 192.0.2.1\n\t300 TXT "x"',
      ['www.example.com 300 A 192.0.2.1', 'www.example.com 300 TXT "x"'],
    ],
    [
      'an inherited TTL',
      'a 300 A 192.0.2.1\nb A 192.0.2.2',
      ['a.example.com 300 A 192.0.2.1', 'b.example.com 300 A 192.0.2.2'],
    ],
    [
      '$TTL, which wins over the TTL above',
      '$TTL 60\na 300 A 192.0.2.1\nb A 192.0.2.2',
      ['a.example.com 300 A 192.0.2.1', 'b.example.com 60 A 192.0.2.2'],
    ],
    [
      'units of TTLs',
      '$TTL 1h30m\na A 192.0.2.1\nb 1W2D A 192.0.2.1',
      ['a.example.com 5400 A 192.0.2.1', 'b.example.com 777600 A 192.0.2.1'],
    ],
    [
      '$ORIGIN',
      '$ORIGIN sub\na 1 A 192.0.2.1\n$ORIGIN example.net.\na 1 A 192.0.2.1',
      ['a.sub.example.com 1 A 192.0.2.1', 'a.example.net 1 A 192.0.2.1'],
    ],
    [
      'an owner kept over $ORIGIN',
      'a 1 A 192.0.2.1\n$ORIGIN example.net.\n 1 A 192.0.2.2',
      ['a.example.com 1 A 192.0.2.1', 'a.example.com 1 A 192.0.2.2'],
    ],
    [
      'parentheses',
      '@ 3600 IN SOA ns1 host (\n  1 ; serial\n  2 3 ; "more" (\n  4\n 5 )\nwww 1 A 192.0.2.1',
      ['example.com 3600 SOA ns1.example.com. host.example.com. 1 2 3 4 5', 'www.example.com 1 A 192.0.2.1'],
    ],
    [
      'a parenthesis in quotes',
      'a 1 TXT "(" ")"\nb 1 TXT "x;y"',
      ['a.example.com 1 TXT "(" ")"', 'b.example.com 1 TXT "x;y"'],
    ],
    [
      'an escaped parenthesis',
      'a 1 TXT \\(\nb 1 TXT \\;',
      ['a.example.com 1 TXT "("', 'b.example.com 1 TXT ";"'],
    ],
    ['generic rdata of a known type', 'a 1 A \\# 4 C0000201', ['a.example.com 1 A 192.0.2.1']],
    ['an unknown type', 'a 1 TYPE65280 \\# 3 ( aabb\n cc )', ['a.example.com 1 TYPE65280 \\# 3 aabbcc']],
    ['a known type by number', 'a 1 TYPE1 192.0.2.1', ['a.example.com 1 A 192.0.2.1']],
    ['an unknown type without octets', 'a 1 TYPE65280 \\# 0', ['a.example.com 1 TYPE65280 \\# 0']],
    [
      '$GENERATE',
      '$GENERATE 1-2 h$ 1 A 192.0.2.$',
      ['h1.example.com 1 A 192.0.2.1', 'h2.example.com 1 A 192.0.2.2'],
    ],
    [
      '$GENERATE with a step and modifiers',
      '$generate 0-4/2 ${1,2,x} 1 IN CNAME a${10}',
      [
        '01.example.com 1 CNAME a10.example.com.',
        '03.example.com 1 CNAME a12.example.com.',
        '05.example.com 1 CNAME a14.example.com.',
      ],
    ],
    [
      '$GENERATE with the default TTL',
      '$TTL 9\n$GENERATE 1-1 $ PTR h$',
      ['1.example.com 9 PTR h1.example.com.'],
    ],
    ['an escaped dollar', '\\$x 1 A 192.0.2.1', ['\\$x.example.com 1 A 192.0.2.1']],
    [
      'a service binding',
      '@ 1 HTTPS 1 . alpn="h3,h2" ( port=443 )',
      ['example.com 1 HTTPS 1 . alpn="h3,h2" port="443"'],
    ],
  ]
  test('has cases', () => expect(cases.length).toBeGreaterThan(0))
  test.each(cases)('%s', (_, text, records) => expect(read(text).map(shown)).toEqual(records))

  test('a default TTL from the options', () => {
    expect(read('a A 192.0.2.1', 1).map(shown)).toEqual(['a.example.com 1 A 192.0.2.1'])
  })

  test('comments with their records', () => {
    const records = read(
      ';; A Records\na 1 A 192.0.2.1 ; one cf_tags=t,cf-proxied:true\n b 1 A 192.0.2.1\n'.replace(' b', 'b') +
        'c 1 TXT ( "x" ; first\n "y" ) ; last\nd 1 TXT "; none"',
    )
    expect(records.map(({ attributes, line }) => ({ ...attributes, line }))).toEqual([
      { comment: 'one', tags: ['t'], proxied: true, line: 2 },
      { comment: '', tags: [], line: 3 },
      { comment: 'last', tags: [], line: 4 },
      { comment: '', tags: [], line: 6 },
    ])
  })
})

describe('refuses', () => {
  const long = 'x'.repeat(MAX_ENTRY_CHARACTERS)
  const cases: [name: string, text: string, rule: string, line: number, column: number][] = [
    ['$INCLUDE', '$INCLUDE other.zone', 'zone.include', 1, 1],
    ['an unknown directive', '\n$FOO bar', 'zone.directive', 2, 1],
    ['another class', 'a 1 CH A 192.0.2.1', 'zone.class', 1, 5],
    ['an unknown type', 'a 1 IN NOPE x', 'zone.type', 1, 8],
    ['a question type', 'a 1 IN ANY x', 'zone.type', 1, 8],
    ['OPT', 'a 1 IN TYPE41 \\# 0', 'zone.type', 1, 8],
    ['no type', 'a 1 IN', 'text.missing', 1, 7],
    ['no TTL', 'a A 192.0.2.1', 'zone.ttl-missing', 1, 3],
    ['no owner', ' 1 A 192.0.2.1', 'zone.owner-missing', 1, 2],
    ['a quoted owner', '"a" 1 A 192.0.2.1', 'text.quoted-name', 1, 2],
    ['an invalid owner', 'a..b 1 A 192.0.2.1', 'name.empty-label', 1, 3],
    ['a TTL over 31 bits', 'a 2147483648 A 192.0.2.1', 'zone.ttl', 1, 3],
    ['a TTL over 31 bits, in weeks', '$TTL 3551w', 'zone.ttl', 1, 6],
    ['an invalid $TTL', '$TTL x', 'zone.ttl', 1, 6],
    ['two names after $ORIGIN', '$ORIGIN a. b.', 'text.trailing', 1, 12],
    ['invalid rdata of the type', 'a 1 A 192.0.2.256', 'a.address', 1, 7],
    ['rdata on a later line', 'a 1 MX (\n  10\n  x..y )', 'name.empty-label', 3, 5],
    ['an unknown type without generic rdata', 'a 1 TYPE65280 x', 'text.generic', 1, 15],
    ['generic rdata of another length', 'a 1 TYPE65280 \\# 2 aa', 'text.generic', 1, 15],
    ['generic rdata that is invalid for the type', 'a 1 A \\# 1 aa', 'wire.truncated', 1, 1],
    ['text after the rdata', 'a 1 A 192.0.2.1 x', 'text.trailing', 1, 17],
    ['an unterminated quote', 'a 1 TXT "x', 'text.unbalanced-quote', 1, 9],
    ['a quote across two lines', 'a 1 TXT "x\ny"', 'text.unbalanced-quote', 1, 9],
    ['an unclosed parenthesis', 'b 1 A 192.0.2.1\na 1 TXT ( x\ny', 'text.parenthesis', 2, 1],
    ['a closing parenthesis alone', 'a 1 TXT x )', 'text.parenthesis', 1, 11],
    ['malformed tags', 'a 1 A 192.0.2.1 ; cf_tags=a b', 'zone.tags', 1, 30],
    ['an invalid range', '$GENERATE 2-1 a$ A 192.0.2.$', 'zone.generate', 1, 11],
    ['a range without a record', '$GENERATE 1-2', 'zone.generate', 1, 11],
    ['an invalid modifier', '$GENERATE 1-2 a${x} 1 A 192.0.2.$', 'zone.generate', 1, 15],
    ['an invalid generated record', '$GENERATE 255-256 a$ 1 A 192.0.2.$', 'a.address', 1, 19],
    [
      'too many generated records',
      `$GENERATE 0-${MAX_GENERATED_RECORDS} a$ 1 A 192.0.2.1`,
      'zone.generate-count',
      1,
      11,
    ],
    ['a line that is too long', `; ${long}`, 'zone.too-long', 1, 1],
    ['an entry that is too long', `a 1 TXT ( ${long.slice(20)}\n${long.slice(20)} )`, 'zone.too-long', 2, 1],
  ]
  test('has cases', () => expect(cases.length).toBeGreaterThan(0))
  test.each(cases)('%s', (_, text, rule, line, column) => {
    const [error] = [...readZoneItems(linesOf(text), { origin })].filter(
      (item) => item instanceof ZoneFileError,
    )
    expect(error).toMatchObject({ rule, line, column })
    expect(() => read(text)).toThrow(ZoneFileError)
  })

  test('one entry, and continues reading', () => {
    const items = [...readZoneItems(linesOf('a 1 A 192.0.2.1\nb 1 A x\nc 1 MX 1\nd A 192.0.2.2'), { origin })]
    expect(
      items.map((item) => (item instanceof ZoneFileError ? `${item.line} ${item.rule}` : shown(item))),
    ).toEqual(['a.example.com 1 A 192.0.2.1', '2 a.address', '3 text.missing', 'd.example.com 1 A 192.0.2.2'])
  })
})

const A = 'a.example.com 1 A 192.0.2.1'

describe('records that would inherit owner or TTL from an unparsable line', () => {
  const cases: [name: string, text: string, items: readonly string[]][] = [
    [
      'an owner',
      'a 1 A 192.0.2.1\nb..c 1 A 192.0.2.2\n 1 A 192.0.2.3',
      [A, '2 name.empty-label', '3 zone.owner-missing'],
    ],
    [
      'an owner, and quotes',
      'a 1 A 192.0.2.1\nb 1 TXT "x\n 1 A 192.0.2.3',
      [A, '2 text.unbalanced-quote', '3 zone.owner-missing'],
    ],
    [
      'a $GENERATE',
      'a 1 A 192.0.2.1\n$GENERATE x b$ 1 A 192.0.2.$\n 1 A 192.0.2.3',
      [A, '2 zone.generate', '3 zone.owner-missing'],
    ],
    [
      'an origin',
      'a 1 A 192.0.2.1\n$ORIGIN b..c\nd 1 A 192.0.2.2',
      [A, '2 name.empty-label', '3 zone.origin-missing'],
    ],
    [
      'an origin with something behind',
      '$origin b c\nd 1 A 192.0.2.2',
      ['1 text.trailing', '2 zone.origin-missing'],
    ],
    [
      'an origin, and one below it',
      '$ORIGIN "b"\n$ORIGIN c\nd 1 A 192.0.2.2',
      ['1 text.quoted-name', '2 zone.origin-missing', '3 zone.origin-missing'],
    ],
    ['a TTL', '$TTL 1\na A 192.0.2.1\n$TTL x\nb A 192.0.2.2', [A, '3 zone.ttl', '4 zone.ttl-missing']],
    [
      'but the origin, once another is complete',
      '$ORIGIN b..\n$ORIGIN example.com.\na 1 A 192.0.2.1',
      ['1 name.empty-label', A],
    ],
    [
      'but the owner, where it is the value',
      'a 1 A 192.0.2.1\na 1 A x\n 1 A 192.0.2.1',
      [A, '2 a.address', A],
    ],
    [
      'and comments, blanks and directives keep the owner',
      'a 1 A 192.0.2.1\n; x\n\n \n$TTL 5\n$ORIGIN example.net.\n 1 A 192.0.2.1',
      [A, A],
    ],
  ]
  test('has cases', () => expect(cases.length).toBeGreaterThan(0))
  test.each(cases)('%s', (_, text, items) => {
    const read = [...readZoneItems(linesOf(text), { origin })]
    expect(
      read.map((item) => (item instanceof ZoneFileError ? `${item.line} ${item.rule}` : shown(item))),
    ).toEqual(items)
  })
})

test('an entry of the maximum length is read', () => {
  const comment = 'x'.repeat(MAX_ENTRY_CHARACTERS - 'a 1 A 192.0.2.1 ;'.length)
  expect(read(`a 1 A 192.0.2.1 ;${comment}`)[0]?.attributes.comment).toBe(comment)
})

test('the maximum number of generated records', () => {
  expect(read(`$GENERATE 1-${MAX_GENERATED_RECORDS} a$ 1 A 192.0.2.1`)).toHaveLength(MAX_GENERATED_RECORDS)
})

test('generated characters of a file are limited, also if each line generates few records', () => {
  const line = `$GENERATE 0-99 a$ 1 A 192.0.2.$ ; ${'x'.repeat(64_000)}\n`
  const items = [...readZoneItems(linesOf(line.repeat(6)), { origin })]
  const errors = items.filter((item) => item instanceof ZoneFileError)
  expect(errors.map(({ line: at, rule }) => `${at} ${rule}`)).toEqual(['6 zone.generate-count'])
  expect(items.length).toBeLessThan(MAX_GENERATED_CHARACTERS / 64_000 + errors.length)
})

test('lines can arrive one by one', () => {
  const reader = createZoneReader({ origin })
  expect([...reader.line('a 1 TXT (')]).toEqual([])
  expect([...reader.line(' x )')]).toHaveLength(1)
  expect([...reader.end()]).toEqual([])
})

test.each([
  ['0', 0],
  ['1w1d1h1m1s', 694_861],
  ['1S', 1],
  ['', undefined],
  ['1x', undefined],
  ['h', undefined],
  ['1h30', undefined],
  ['-1', undefined],
])('a TTL of %j is %j seconds', (text, seconds) => expect(parseTtl(text)).toBe(seconds))

describe('writes', () => {
  test('sections in order, tabs, complete names, attributes', () => {
    const records = read(
      'www 1 A 192.0.2.1 ; the comment cf_tags=test:1,cf-proxied:true\n@ 60 NS ns1\n@ 60 SOA ns1 a 1 2 3 4 5\n' +
        'x 1 CNAME @ ; cf_tags=test:1,cf-flatten-cname\ny 5 TYPE65280 \\# 1 aa\n*.z 9 A 192.0.2.2',
    )
    const lines = [...writeZoneFile(records, { domain: origin, exportedAt: '2026-01-02 03:04:05' })]
    expect(lines.slice(0, 3)).toEqual([
      ';;',
      ';; Domain:     example.com.',
      ';; Exported:   2026-01-02 03:04:05',
    ])
    expect(lines.slice(6)).toEqual([
      '',
      ';; SOA Records',
      'example.com.\t60\tIN\tSOA\tns1.example.com. a.example.com. 1 2 3 4 5',
      '',
      ';; NS Records',
      'example.com.\t60\tIN\tNS\tns1.example.com.',
      '',
      ';; A Records',
      'www.example.com.\t1\tIN\tA\t192.0.2.1 ; the comment cf_tags=test:1,cf-proxied:true',
      '*.z.example.com.\t9\tIN\tA\t192.0.2.2',
      '',
      ';; CNAME Records',
      'x.example.com.\t1\tIN\tCNAME\texample.com. ; cf_tags=test:1,cf-flatten-cname',
      '',
      ';; TYPE65280 Records',
      'y.example.com.\t5\tIN\tTYPE65280\t\\# 1 aa',
    ])
  })

  test('no line end inside a comment', () => {
    const [record] = read('a 1 A 192.0.2.1')
    if (record === undefined) throw new Error('no record')
    expect(recordLine({ ...record, attributes: { ...NO_ATTRIBUTES, comment: 'a\r\nb' } })).not.toMatch(
      /[\r\n]/,
    )
  })
})

type Drawn = Omit<ZoneFileRecord, 'line'>

const withoutLine = ({ name, ttlSeconds, type, rdata, attributes }: ZoneFileRecord): Drawn => ({
  name,
  ttlSeconds,
  type,
  rdata,
  attributes,
})

describe('round trip', () => {
  const TYPES = Object.keys(CASES) as TypeName[] // the keys of CASES are type names
  const attributes = fc.record({
    comment: fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll(/[\r\n]/g, '')),
    tags: fc.array(fc.stringMatching(/^[a-z]{1,5}(:[ -~]{0,9})?$/), { maxLength: 3 }),
  })
  const unknown = fc.record({
    type: fc
      .integer({ min: 1, max: 0xffff })
      .filter((code) => isDataType(code) && typeText(code).startsWith('TYPE')),
    rdata: fc.uint8Array({ maxLength: 40 }),
  })
  const typed = fc.oneof(unknown, ...TYPES.map((type) => rdataOf(type)))
  const record: Arbitrary<Drawn> = fc
    .tuple(anyName, fc.nat(0x7fff_ffff), typed, attributes)
    .map(([name, ttlSeconds, value, given]) => ({ name, ttlSeconds, ...value, attributes: given }))

  test('any zone, comments and tags included', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 12 }), (records) => {
        const lines = [...writeZoneFile(records, { domain: origin, exportedAt: '' })]
        const back = [...readZoneFile(lines, { origin })].map(withoutLine)
        const sorted = (list: readonly Drawn[]) => list.map((each) => recordLine(each)).toSorted()
        expect(sorted(back)).toEqual(sorted(records))
        expect([...writeZoneFile(back, { domain: origin, exportedAt: '' })]).toEqual(lines)
        for (const each of records) expect(back).toContainEqual(each)
      }),
    )
  })

  test('any text gives records and errors with positions inside the text', () => {
    const words = fc.array(
      fc.constantFrom(
        'a',
        '1',
        'IN',
        'A',
        'TXT',
        '192.0.2.1',
        '"x"',
        '"',
        '(',
        ')',
        ';',
        '\n',
        '\n ',
        '$TTL',
        '$ORIGIN',
        '$GENERATE',
        '1-3',
        '$',
        '\\#',
        'TYPE9',
        '\\',
        'cf_tags=',
      ),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          words.map((list) => list.join(' ')),
        ),
        (text) => {
          const lineCount = [...linesOf(text)].length
          for (const item of readZoneItems(linesOf(text), { origin })) {
            expect(item.line).toBeGreaterThan(0)
            expect(item.line).toBeLessThanOrEqual(lineCount + 1)
          }
        },
      ),
    )
  })

  function rdataOf<T extends TypeName>(type: T): Arbitrary<{ type: number; rdata: Uint8Array }> {
    const { any }: TypeCases<Rdata<T>> = CASES[type]
    return any.map((value) => ({ type: recordTypeByName(type).code, rdata: encodeRdata(type, value) }))
  }
})
