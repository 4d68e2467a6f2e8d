// What counts as another structure, and what is only written differently.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readStructure } from './structure.ts'

const hashOf = (source: string) => readStructure(source)?.hash

const SAME: readonly (readonly [string, string, string])[] = [
  ['spaces', 'a=b+1', 'a  =  b\t+\n1'],
  ['comments', 'a=b', '/* x */ a = b // y\n<!-- z'],
  ['semicolons', 'a\nb', 'a;b;'],
  ['empty statements', 'a;b', ';a;;;b;;'],
  ['quotes', `a = 'x'`, `a = "x"`],
  ['escapes of a text', `a = 'x'`, String.raw`a = '\x78'`],
  ['escapes of a name', 'abc()', String.raw`\u0061bc()`],
  ['parentheses that change nothing', 'a = b + c * d', 'a = (b + (c * d))'],
  ['commas at the end', 'a = [b, c]; f(d)', 'a = [b, c,]; f(d,)'],
  ['numbers', 'a = 1; b = 0.5', 'a = 2; b = 1e9'],
  ['how a number is written', 'a = 255', 'a = 0xff'],
  ['big integers', 'a = 1n', 'a = 2n'],
  ['numbers as names of members', 'a = { 1: b }', 'a = { 2: b }'],
  ['line ends', 'a\r\nb', 'a\nb'],
]

const OTHER: readonly (readonly [string, string, string])[] = [
  ['a name', 'a = b', 'a = c'],
  ['a text', `a = 'x'`, `a = 'y'`],
  ['a text that is a number', `a = 'x1'`, `a = 'x2'`],
  ['a text in place of a number', `a = '1'`, 'a = 1'],
  ['a member', 'a.b', 'a.c'],
  ['an operator', 'a + b', 'a - b'],
  ['a regular expression', 'a = /x/', 'a = /y/'],
  ['flags of a regular expression', 'a = /x/', 'a = /x/g'],
  ['text of a template', 'a = `x`', 'a = `y`'],
  ['the raw text of a template', 'a`\\x78`', 'a`x`'],
  ['a statement more', 'a', 'a;a'],
  ['an order', 'a;b', 'b;a'],
  ['a declaration', 'var a', 'let a'],
  ['an argument', 'a(b)', 'a(b, b)'],
  ['a place in a list', 'a = [, b]', 'a = [b]'],
  ['what belongs together', 'a = [[b], c]', 'a = [[b, c]]'],
  ['a computed member', 'a[b]', 'a.b'],
  ['optional chaining', 'a.b', 'a?.b'],
  ['a directive', `'use strict'; a`, `('use strict'); a`],
  ['null and nothing', 'a = null', 'a = undefined'],
  ['texts that look like our marks', `a = ['#', ']']`, `a = ['#],[']`],
]

describe('structure', () => {
  test.each(SAME)('the same: %s', (_name, one, other) => {
    expect(hashOf(one)).toMatch(/^[0-9a-f]{64}$/)
    expect(hashOf(other)).toBe(hashOf(one))
  })

  test.each(OTHER)('another: %s', (_name, one, other) => {
    expect(hashOf(one)).toMatch(/^[0-9a-f]{64}$/)
    expect(hashOf(other)).toMatch(/^[0-9a-f]{64}$/)
    expect(hashOf(other)).not.toBe(hashOf(one))
  })

  test('a classic script first, then a module', () => {
    expect(readStructure('with (a) b')?.goal).toBe('script')
    expect(readStructure('a()')?.goal).toBe('script')
    expect(readStructure(`import a from 'b'; export default a`)?.goal).toBe('module')
    expect(readStructure('await a')?.goal).toBe('module')
  })

  test.each([
    ['a page', '<!doctype html><p>not found'],
    ['nothing that makes sense', 'a b c'],
    ['what never ends', 'function ('],
    ['deeper than can be read', '('.repeat(100_000)],
  ])('%s has none', (_name, source) => {
    expect(readStructure(source)).toBeUndefined()
  })

  test('an empty text has one, and so has a tree deeper than any stack', () => {
    expect(hashOf('')).toBe(hashOf(' // nothing\n'))
    expect(hashOf(`a${'+a'.repeat(200_000)}`)).toMatch(/^[0-9a-f]{64}$/)
  })

  test('another version of the parser gives the same hash', () => {
    // Stored hashes are compared with new ones: this one may only change with ANALYSIS_VERSION.
    expect(hashOf(`var a = f('x', 1, /y/g, \`z\${b}\`)`)).toBe(
      '128ba6d97e17bf56e9e2f927c739774534e2dcdd163860cc7f31b6eea02796ed',
    )
  })

  test('any text is parsed or not, without an error', () => {
    const chunks = [
      'a',
      '(',
      ')',
      '{',
      '}',
      '[',
      ']',
      '=>',
      '`',
      '${',
      '/',
      "'",
      '\\',
      ';',
      '=',
      '+',
      'class ',
      '\u2028',
    ]
    const strings = fc.array(fc.constantFrom(...chunks), { maxLength: 40 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(strings, fc.string({ unit: 'binary' })), (source) => {
        expect(hashOf(source) ?? '0'.repeat(64)).toMatch(/^[0-9a-f]{64}$/)
      }),
      { numRuns: 500 },
    )
  })
})

test('a script over a megabyte is hashed without its comments, spaces and numbers, but not without its strings', () => {
  const long = (part: string): string | undefined => readStructure(part.repeat(130_000))?.hash
  expect(long('a(1,"b"); /* c */\n')).toBe(long('a(2,"b");\n // d\n'))
  expect(long('a(1,"b");\n')).not.toBe(long('a(1,"c");\n'))
  expect(long('a1(1,"b");\n')).not.toBe(long('a2(1,"b");\n'))
})
