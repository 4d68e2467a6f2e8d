// The canonical text of an expression.
import { describe, expect, test } from 'vitest'
import { checkExpression } from './check.ts'
import { FUNCTIONS } from './functions/registry.ts'
import { parseExpression } from './parser.ts'
import { print, printBytes } from './print.ts'
import { createScheme } from './scheme.ts'
import { arrayOf, BOOL, BYTES, INT, IP, mapOf } from './types.ts'

const scheme = createScheme({
  fields: [
    ...['a', 'b', 'c'].map((name) => ({ name, type: BOOL })),
    { name: 'host', type: BYTES },
    { name: 'num', type: INT },
    { name: 'ip', type: IP },
    { name: 'flags', type: arrayOf(BOOL) },
    { name: 'headers', type: mapOf(arrayOf(BYTES)) },
  ],
  functions: FUNCTIONS,
  listTypes: [IP],
})

describe('canonical text', () => {
  test.each([
    ['a&&b||c', 'a and b or c'],
    ['a  ^^\n b', 'a xor b'],
    ['(a)', 'a'],
    ['((a and b)) and c', '(a and b) and c'],
    ['a and b and c', 'a and b and c'],
    ['a and (b and c)', 'a and (b and c)'],
    ['(a or b) and c', '(a or b) and c'],
    ['a or (b and c)', 'a or b and c'],
    ['!a', 'not a'],
    ['!!a', 'not not a'],
    ['not (a or b)', 'not (a or b)'],
    ['not (num eq 1)', 'not num eq 1'],
    ['num==0x2A', 'num eq 42'],
    ['num  in{ 1  010 5..5 1..9 }', 'num in {1 8 5 1..9}'],
    ['num bitwise_and 1', 'num & 1'],
    ['num eq -9223372036854775808', 'num eq -9223372036854775808'],
    ['host eq 47:45:54', 'host eq "GET"'],
    ['host eq r#"a"b"#', 'host eq "a\\"b"'],
    ['host eq "\\x00é\\xff"', 'host eq "\\x00é\\xff"'],
    ['host ~ "a\\"b"', 'host matches "a\\"b"'],
    ['host matches r#"\\d[\\"]"#', 'host matches "\\d[\\"]"'],
    ['host matches r#"\\""#', 'host matches r#"\\""#'],
    ['host strict wildcard "a*"', 'host strict wildcard "a*"'],
    ['ip in {10.0.0.0..10.255.255.255 1.1.1.01 ::1..::4}', 'ip in {10.0.0.0/8 1.1.1.1 ::1..::4}'],
    ['ip eq 2001:DB8:0:0::1', 'ip eq 2001:db8::1'],
    ['ip in$some.list', 'ip in $some.list'],
    ['any ( flags )', 'any(flags)'],
    ['all((flags))', 'all((flags))'],
    ['any((flags) or (not flags))', 'any((flags or not flags))'],
    ['any(headers["x"][ * ] eq "a")', 'any(headers["x"][*] eq "a")'],
    ['lower ( host )eq"a"', 'lower(host) eq "a"'],
    ['concat(host,"\\x41",lower(host)) eq ""', 'concat(host, "A", lower(host)) eq ""'],
    ['len(headers["x"]) gt 010', 'len(headers["x"]) gt 8'],
    ['true and not false', 'true and not false'],
  ])('%s', (source, text) => {
    expect(print(parseExpression(source, scheme))).toBe(text)
    expect(print(parseExpression(text, scheme))).toBe(text)
  })

  test('bytes', () => expect(printBytes('a"\\\u007f\n\u00c3\u00a9\u00c3')).toBe('"a\\"\\\\\\x7f\\x0aé\\xc3"'))
})

describe('checking', () => {
  test('a valid expression: its text and its usage', () => {
    const checked = checkExpression('ip in $x||lower(host)~"a"', scheme)
    expect(checked).toMatchObject({
      ok: true,
      canonical: 'ip in $x or lower(host) matches "a"',
      usage: { fields: ['host', 'ip'], functions: ['lower'], lists: [{ name: 'x', type: IP }], regexes: 1 },
    })
  })

  test('an invalid one: the error, its position and the frame', () => {
    const checked = checkExpression('a and\nx', scheme)
    expect(checked).toMatchObject({
      ok: false,
      error: { kind: 'unknown-identifier', message: 'unknown identifier' },
      position: { line: 2, column: 1, carets: 1, text: 'x' },
      frame: 'Filter parsing error (2:1):\nx\n^ unknown identifier\n',
    })
  })
})
