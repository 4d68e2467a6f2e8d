// The frame around an error: position, line, carets.
import { describe, expect, test } from 'vitest'
import { type ExprErrorKind, ExprError, formatError, quote } from './errors.ts'
import { parseExpression, type ParseOptions, parseValue } from './parser.ts'
import { createScheme } from './scheme.ts'
import { FUNCTIONS } from './functions/registry.ts'
import { arrayOf, BOOL, BYTES, INT, IP, mapOf } from './types.ts'

const scheme = createScheme({
  fields: [
    { name: 'host', type: BYTES },
    { name: 'num', type: INT },
    { name: 'ip', type: IP },
    { name: 'ssl', type: BOOL },
    { name: 'texts', type: arrayOf(BYTES) },
    { name: 'flags', type: arrayOf(BOOL) },
    { name: 'headers', type: mapOf(arrayOf(BYTES)) },
    { name: 'bools', type: mapOf(arrayOf(BOOL)) },
    { name: 'score', type: INT, unavailable: 'nobody computes it' },
  ],
  functions: FUNCTIONS,
  listTypes: [IP],
})

function refusal(
  source: string,
  options?: ParseOptions,
  parse: typeof parseExpression | typeof parseValue = parseExpression,
): ExprError {
  try {
    parse(source, scheme, options)
  } catch (error) {
    if (error instanceof ExprError) return error
    throw error
  }
  throw new Error(`${source} was accepted`)
}

describe('frames', () => {
  test.each([
    ['at the first byte', 'URI Path contains /', '(1:1):\nURI Path contains /\n^^^ unknown identifier\n'],
    [
      'columns count bytes',
      'host eq "é" and zzz',
      '(1:18):\nhost eq "é" and zzz\n                 ^^^ unknown identifier\n',
    ],
    [
      'carets count bytes',
      'host matches "[é]"',
      '(1:15):\nhost matches "[é]"\n              ^^^^ regex parse error:\n    [é]\n     ^\nerror: Unicode not allowed here\n',
    ],
    ['a later line alone', 'ssl or\n\n  foo', '(3:3):\n  foo\n  ^^^ unknown identifier\n'],
    ['carets end with the line', 'num in\n1 and\nssl', '(2:1):\n1 and\n^^^^^ expected literal "{"\n'],
    ['at least one caret', 'ssl and', '(1:8):\nssl and\n       ^ expected identifier character\n'],
    ['blank lines', '\n \n', '(1:1):\n\n^ expected identifier character\n'],
    ['blank text', ' \t ', '(1:1):\n \t \n^ expected identifier character\n'],
  ])('%s', (_name, source, frame) =>
    expect(formatError(refusal(source))).toBe(`Filter parsing error ${frame}`),
  )
})

describe('kinds', () => {
  test.each<[string, string, ExprErrorKind, string]>([
    ['an operator the type has not', 'ip contains "1"', 'unsupported-op', 'contains'],
    ['a type of more layers', 'headers eq "x"', 'unsupported-op', 'eq'],
    ['an index into a plain value', 'num[0] eq 1', 'invalid-index-access', '[0]'],
    ['a key that is no text', 'headers["\\xff"] eq "x"', 'expected-literal', '"\\xff"] eq "x"'],
    ['a negative position', 'texts[-1] eq "x"', 'expected-literal', '-1] eq "x"'],
    ['a mapped array as a filter', 'texts[*] eq "x"', 'type-mismatch', ''],
    ['Bool beside an array', 'ssl and flags', 'type-mismatch', ''],
    ['a quantifier over a Bool', 'any(ssl)', 'type-mismatch', 'ssl'],
    ['a quantifier over nested arrays', 'any(bools[*])', 'type-mismatch', 'bools[*]'],
    ['a quantifier over a literal', 'any("x")', 'type-mismatch', '"x"'],
    ['[*] in a later argument', 'concat(host, texts[*]) eq ""', 'invalid-map-each-access', 'texts[*]'],
    ['too few arguments', 'concat(host) eq ""', 'invalid-arguments-count', ') eq ""'],
    ['too many arguments', 'lower(host, host) eq ""', 'invalid-arguments-count', 'host) eq ""'],
    ['a literal for a field', 'starts_with("a", "a")', 'invalid-argument-kind', '"a"'],
    ['a field for a literal', 'split(host, host, 1)[0] eq ""', 'invalid-argument-kind', 'host'],
    ['a value of another type', 'lower(num) eq ""', 'invalid-argument-type', 'num'],
    ['a literal out of bounds', 'cidr(ip, 33, 64) eq 1.2.3.4', 'invalid-argument-value', '33'],
    ['a bad pattern in a call', 'regex_replace(host, "(", "") eq ""', 'invalid-argument-value', '"("'],
    ['a list of a type without lists', 'num in $numbers', 'unsupported-op', 'in $numbers'],
    ['a list name with capitals', 'ip in $Bad', 'invalid-list-name', 'Bad'],
    ['a field that is refused', 'score gt 1', 'unavailable-field', 'score'],
    ['a range turned round', 'num in {5..1}', 'incompatible-range-bounds', '5..1'],
    ['a range over two families', 'ip in {1.1.1.1..::1}', 'incompatible-range-bounds', '1.1.1.1..::1'],
    ['host bits', 'ip in {10.0.0.1/8}', 'parse-network', '10.0.0.1'],
    ['a tab inside', 'ssl\tor ssl', 'unrecognised-input', '\tor ssl'],
    [
      'too many hashes',
      `host eq r${'#'.repeat(256)}""`,
      'invalid-raw-string-hash-count',
      `${'#'.repeat(256)}""`,
    ],
  ])('%s', (_name, source, kind, marked) => {
    const error = refusal(source)
    expect([error.kind, source.slice(error.span.start, error.span.end)]).toEqual([kind, marked])
  })

  test('two rewrites in one expression', () => {
    const source = 'regex_replace(host, "a", "") eq "x" and regex_replace(host, "b", "") eq "y"'
    expect(refusal(source).kind).toBe('repeated-call')
    const inside = 'wildcard_replace(lower(regex_replace(host, "a", "")), "*", "") eq "x"'
    expect(refusal(inside).kind).toBe('repeated-call')
  })
})

describe('values', () => {
  test.each([
    ['any', 'any(flags)', 'any'],
    ['all', 'all(texts[*] eq "x")', 'all'],
    ['any, with space', 'any (flags)', 'any'],
  ])('a quantifier alone is not a value: %s', (_name, source, marked) => {
    const error = refusal(source, undefined, parseValue)
    expect([error.kind, source.slice(error.span.start, error.span.end)]).toEqual([
      'unknown-identifier',
      marked,
    ])
    // It is valid as a filter and in an argument.
    expect(() => parseExpression(source, scheme)).not.toThrow()
    expect(() => parseValue(`to_string(${source})`, scheme)).not.toThrow()
  })
})

const chain = (count: number): string => Array.from({ length: count }, () => 'host matches "a"').join(' or ')
const nested = (depth: number): string => '('.repeat(depth) + 'ssl' + ')'.repeat(depth)

describe('limits', () => {
  test.each<[string, string, ParseOptions['limits'], ExprErrorKind]>([
    ['length in bytes', `host eq "${'é'.repeat(10)}"`, { maxExpressionBytes: 30 }, 'length-limit-exceeded'],
    ['nesting', '((ssl))', { maxNestingDepth: 2 }, 'nesting-limit-exceeded'],
    ['regexes', chain(3), { maxRegexes: 3 }, 'regex-limit-exceeded'],
    ['bytes of one regex', 'host matches "a{10}"', { maxRegexBytes: 352 }, 'parse-regex'],
    ['bytes of all regexes', chain(3), { maxRegexBytes: 96 }, 'regex-limit-exceeded'],
    ['stars', 'host wildcard "*a*"', { maxWildcardStars: 2 }, 'parse-wildcard'],
  ])('%s: accepted at the limit, refused one past it', (_name, source, limits = {}, kind) => {
    const lower = Object.fromEntries(Object.entries(limits).map(([name, limit]) => [name, limit - 1]))
    expect(() => parseExpression(source, scheme, { limits })).not.toThrow()
    expect(refusal(source, { limits: lower }).kind).toBe(kind)
  })

  test.each([
    ['text', 'a'.repeat(1_000_000)],
    ['spaces', ' '.repeat(1_000_000)],
    ['lines', '\n'.repeat(1_000_000)],
    ['pairs', '\u{1f600}'.repeat(500_000)],
    ['an odd pair at the cut', `${'a'.repeat(119)}${'\u{1f600}'.repeat(2000)}`],
  ])('an expression of any length gives a short frame: %s', (_name, source) => {
    const error = refusal(source)
    expect(error.kind).toBe('length-limit-exceeded')
    expect(formatError(error).length).toBeLessThan(1000)
    expect(formatError(error)).toMatch(/ expression is longer than 4096 bytes\n$/)
    expect(formatError(error).isWellFormed()).toBe(true)
  })

  test('the default lengths', () => {
    expect(() => parseExpression(`ssl${' '.repeat(4093)}`, scheme)).not.toThrow()
    expect(refusal(`ssl${' '.repeat(4094)}`).kind).toBe('length-limit-exceeded')
    expect(() => parseExpression(nested(128), scheme)).not.toThrow()
    expect(refusal(nested(129)).kind).toBe('nesting-limit-exceeded')
    expect(() => parseExpression(chain(64), scheme)).not.toThrow()
    expect(refusal(chain(65)).kind).toBe('regex-limit-exceeded')
  })
})

describe('quoting', () => {
  test.each([
    ['a"b\\', '"a\\"b\\\\"'],
    ['\n\r\t\0', '"\\n\\r\\t\\0"'],
    ['\u007f\u0001', '"\\u{7f}\\u{1}"'],
    ['é', '"é"'],
  ])('%j', (text, shown) => expect(quote(text)).toBe(shown))
})
