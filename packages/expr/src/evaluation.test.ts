// What filters mean: precedence, nil, mapped values, order, laziness.
import { describe, expect, test } from 'vitest'
import { compileExpression, compileValueExpression } from './compiler.ts'
import { contextOf, createContext } from './context.ts'
import { FUNCTIONS } from './functions/registry.ts'
import { parseIp } from './ip.ts'
import { createScheme, type SchemeOptions } from './scheme.ts'
import { arrayOf, BOOL, BYTES, INT, IP, mapOf } from './types.ts'
import { mapValue, type Value } from './values.ts'

const OPTIONS: SchemeOptions = {
  fields: [
    ...['t', 'f', 'notable', 'nilbool'].map((name) => ({ name, type: BOOL })),
    ...['host', 'nil'].map((name) => ({ name, type: BYTES })),
    ...['num', 'big', 'nilint'].map((name) => ({ name, type: INT })),
    ...['v4', 'v6'].map((name) => ({ name, type: IP })),
    { name: 'texts', type: arrayOf(BYTES) },
    { name: 'niltexts', type: arrayOf(BYTES) },
    { name: 'flags', type: arrayOf(BOOL) },
    { name: 'nilflags', type: arrayOf(BOOL) },
    { name: 'none', type: arrayOf(BYTES) },
    { name: 'map', type: mapOf(arrayOf(BYTES)) },
    { name: 'grid', type: arrayOf(arrayOf(BYTES)) },
    { name: 'bools', type: mapOf(BOOL) },
  ],
  functions: FUNCTIONS,
  listTypes: [BYTES, IP],
}

const scheme = createScheme(OPTIONS)

const VALUES: Readonly<Record<string, Value>> = {
  t: true,
  f: false,
  notable: true,
  host: 'www.example.com',
  num: 42,
  big: 9223372036854775807n,
  v4: parseIp('192.0.2.10') ?? '',
  v6: parseIp('2001:db8::1') ?? '',
  texts: ['a', 'B', 'c'],
  flags: [true, false],
  none: [],
  map: mapValue([
    ['z', ['last']],
    ['accept', ['text/html', '*/*']],
    ['empty', []],
  ]),
  grid: [['a', 'b'], ['c'], []],
  bools: mapValue([
    ['yes', true],
    ['no', false],
  ]),
}

const lists = (_type: unknown, name: string, value: Value) => name === 'hosts' && value === 'www.example.com'

const run = (source: string, over = scheme): boolean =>
  compileExpression(source, over)(contextOf(over, VALUES, { lists }))

describe('true', () => {
  test.each([
    't',
    'not f',
    '!f',
    'not not t',
    't or f and f',
    '(t or f) and t',
    't xor f',
    'not (t xor t)',
    't || f && f',
    't ^^ f',
    'not t or t',
    'not f and t',
    'true',
    'not false',
    'true and t',
    'num eq 42',
    'num == 0x2a',
    'num eq 052',
    'num ne 41',
    'num > -1',
    'num >= 42',
    'num <= 42',
    'num lt 43',
    'num & 2',
    'num bitwise_and 0xff',
    'num in {1..50}',
    'num in {7 42}',
    'num in {1 2 3 4 5 42}',
    'not num in {}',
    'num in{42}',
    'big eq 9223372036854775807',
    'big gt 9007199254740993',
    'big & 1',
    'not big & -9223372036854775808',
    'big in {1 9223372036854775800..9223372036854775807}',
    'num in {42..42 1..3 2..9}',
    'host eq "www.example.com"',
    'host eq r"www.example.com"',
    'host contains "example"',
    'host contains ""',
    'host gt "www"',
    'host matches "^www\\.[a-z]+"',
    'host ~ r#"com$"#',
    'host wildcard "WWW.*"',
    'not host strict wildcard "WWW.*"',
    'host in {"a" "www.example.com"}',
    'host in $hosts',
    'not host in $other',
    'host eq 77:77:77:2e:65:78:61:6d:70:6c:65:2e:63:6f:6d',
    'v4 eq 192.0.2.10',
    'v4 in {192.0.2.0/24}',
    'not v4 in {192.0.2}',
    'v4 in {192.0.2.1..192.0.2.10 ::1}',
    'v4 lt 192.0.2.11',
    'v4 ne ::1',
    'not v4 lt ::1',
    'not v4 gt ::1',
    'v6 in {2001:db8::/32}',
    'v6 ge 2001:db8::1',
    'not v6 in {0.0.0.0/0}',
    'not v4 in {::/0}',
    'v4 in {1.1.1.1 10.0.0.0/8 172.16.0.0/12 192.0.2.0/24 203.0.113.0/24}',
    'texts[0] eq "a"',
    'map["accept"][1] eq "*/*"',
    'any(texts[*] eq "B")',
    'not all(texts[*] eq "B")',
    'all(map["accept"][*] contains "/")',
    'any(map[*][0] eq "last")',
    'any(grid[*][*] eq "c")',
    'any(grid[0][*] eq "b")',
    'any(lower(texts[*])[*] eq "b")',
    'any(flags)',
    'not all(flags)',
    'flags[0]',
    'bools["yes"]',
    'any(not flags)',
    'any((texts[*] eq "a") and (map["accept"][*] contains "html"))',
    'all((texts[*] eq "a") or (not texts[*] eq "a"))',
    'any((texts[*] eq "a") xor (texts[*] eq "a") xor (texts[*] eq "a"))',
    'all(none[*] eq "x")',
    'not any(none[*] eq "x")',
    'len(texts) eq 3',
    'lower(texts[1]) eq "b"',
    'concat(texts, none)[2] eq "c"',
    'len(map["accept"]) eq 2',
    'not nil eq ""',
    'not nil ne ""',
    'not nilint lt 0',
    'not (nil eq "")',
    'not nilbool',
    'not texts[9] ne "x"',
    'not map["zz"][0] eq "x"',
    'not lower(nil) ne "x"',
    'not any(nilflags)',
    'not all(nilflags)',
    'all((nilflags))',
    'all(niltexts[*] eq "x")',
    'not any(niltexts[*] eq "x")',
    'all(texts[*] ne "x")',
    'to_string(num eq 42) eq "true"',
  ])('%s', (source) => expect(run(source)).toBe(true))

  test('a name that begins with an operator is read as the operator', () => {
    expect(() => run('notable')).toThrow('unknown identifier')
    expect(run('nott')).toBe(false)
  })
})

describe('a missing value', () => {
  const strict = scheme
  const lenient = createScheme({ ...OPTIONS, nilNotEqual: true })
  test.each([
    ['nil ne "x"', false, true],
    ['not nil ne "x"', true, false],
    ['nilint ne 1', false, true],
    ['texts[9] ne "x"', false, true],
    ['map["zz"][0] ne "x"', false, true],
    ['nil eq "x"', false, false],
    ['host ne "x"', true, true],
  ])('%s', (source, documented, reference) => {
    expect([run(source, strict), run(source, lenient)]).toEqual([documented, reference])
  })
})

describe('values', () => {
  test.each([
    ['host', 'www.example.com'],
    ['nil', undefined],
    ['map["accept"]', ['text/html', '*/*']],
    ['grid[1][0]', 'c'],
    ['lower(texts[*])', ['a', 'b', 'c']],
    ['concat(map[*][0], "!")', ['text/html!', 'last!']],
    ['to_string(any(flags))', 'true'],
  ])('%s', (source, value) =>
    expect(compileValueExpression(source, scheme)(contextOf(scheme, VALUES))).toEqual(value),
  )

  test('mapped values are refused, unless they are allowed', () => {
    expect(() => compileValueExpression('texts[*]', scheme)).toThrow(
      'expected value of type Bytes, but got Array<Bytes>',
    )
    const read = compileValueExpression('map[*][*]', scheme, { allowMapped: true })
    expect(read(contextOf(scheme, VALUES))).toEqual(['text/html', '*/*', 'last'])
  })
})

describe('contexts', () => {
  test('a field is computed once, and only if it is read', () => {
    const asked: string[] = []
    const context = createContext(scheme, ({ name }) => {
      asked.push(name)
      return VALUES[name]
    })
    const filter = compileExpression('f and host eq "x" or num eq 42 and not nil eq "x"', scheme)
    expect([filter(context), filter(context)]).toEqual([true, true])
    expect(asked).toEqual(['f', 'num', 'nil'])
  })

  test.each([
    ['no such field', { nope: 1 }, 'no field nope in this scheme'],
    ['another type', { num: 'x' }, 'num is not of type Int'],
    ['an integer in the other form', { num: 42n }, 'num is not of type Int'],
    ['an element of another type', { texts: ['a', 1] }, 'texts is not of type Array<Bytes>'],
    ['an array for a map', { map: [] }, 'map is not of type Map<Array<Bytes>>'],
  ])('%s is refused', (_name, values, reason) => expect(() => contextOf(scheme, values)).toThrow(reason))

  test('a name declared twice is an error', () => {
    const field = { name: 'lower', type: BYTES }
    expect(() => createScheme({ fields: [field, field] })).toThrow('field lower is declared twice')
    expect(() => createScheme({ fields: [field], functions: FUNCTIONS })).toThrow(
      'function lower is declared twice',
    )
  })

  test('a tree of another scheme is an error', () => {
    const other = createScheme({ fields: [{ name: 'x', type: BYTES }], functions: FUNCTIONS })
    expect(() => compileExpression('x eq "a"', other)).not.toThrow()
    expect(() => compileExpression('x eq "a"', scheme)).toThrow('unknown identifier')
  })
})
