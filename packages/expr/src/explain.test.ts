// Which parts decided, what can be folded, and which fields are restricted.
import { describe, expect, test } from 'vitest'
import { contextOf, createContext } from './context.ts'
import { decidingParts, explain } from './explain.ts'
import { FUNCTIONS } from './functions/registry.ts'
import { compile } from './compiler.ts'
import { parseExpression } from './parser.ts'
import { partiallyEvaluate, type PartialOptions } from './partial.ts'
import { print } from './print.ts'
import { createScheme } from './scheme.ts'
import { arrayOf, BOOL, BYTES, INT } from './types.ts'
import { restrictScheme } from './usage.ts'

const scheme = createScheme({
  fields: [
    ...['t', 'f', 'x'].map((name) => ({ name, type: BOOL })),
    { name: 'num', type: INT },
    { name: 'host', type: BYTES },
    { name: 'texts', type: arrayOf(BYTES) },
  ],
  functions: FUNCTIONS,
  listTypes: [BYTES],
})

const context = () => contextOf(scheme, { t: true, f: false, num: 5, texts: ['a', 'b'] })

const explained = (source: string) => explain(parseExpression(source, scheme), scheme, context())

describe('deciding parts', () => {
  test.each([
    ['t', true, ['t']],
    ['t and f and num eq 5', false, ['f']],
    ['t and num eq 5', true, ['t', 'num eq 5']],
    ['f or num eq 5 or t', true, ['num eq 5']],
    ['f or num eq 6', false, ['f', 'num eq 6']],
    ['t xor f', true, ['t', 'f']],
    ['not (t and f)', true, ['f']],
    ['(t and f) or (f or t)', true, ['t']],
    ['any(texts[*] eq "b") and true', true, ['any(texts[*] eq "b")', 'true']],
  ])('%s', (source, result, parts) => {
    const explanation = explained(source)
    expect(explanation.result).toBe(result)
    expect(decidingParts(explanation).map(({ text }) => text)).toEqual(parts)
  })

  test('parts that were not evaluated have no result', () => {
    const [, , last] = explained('t and f and num eq 5').parts
    expect(last).toEqual({
      text: 'num eq 5',
      span: { start: 12, end: 20 },
      result: undefined,
      decides: false,
      parts: [],
    })
  })

  test('comparisons show the compared value', () => {
    expect(explained('num gt 3')).toMatchObject({ value: 5 })
    expect(explained('host eq "x"')).not.toHaveProperty('value')
    expect(explained('lower(texts[1]) eq "b"')).toMatchObject({ value: 'b' })
  })

  test.each([
    ['any(texts[*] eq "b")', { result: true, value: ['a', 'b'], element: 1 }],
    ['all(texts[*] eq "a")', { result: false, value: ['a', 'b'], element: 1 }],
    ['any((texts[*] eq "a") or (texts[*] eq "b"))', { result: true, value: [true, true], element: 0 }],
  ])('%s names the element that decided', (source, shape) => expect(explained(source)).toMatchObject(shape))

  test('a quantifier that no element decided names none', () =>
    expect(explained('any(texts[*] eq "z")')).not.toHaveProperty('element'))
})

const known: PartialOptions['known'] = (name) =>
  ({ t: { value: true }, f: { value: false }, host: { value: undefined } })[name]

const fold = (source: string, options: PartialOptions): string =>
  print(partiallyEvaluate(parseExpression(source, scheme), scheme, options))

describe('folding', () => {
  test.each([
    ['t and x', 'x'],
    ['f and x', 'false'],
    ['x and f', 'false'],
    ['t or x', 'true'],
    ['f or x or num eq 1', 'x or num eq 1'],
    ['t xor x', 'not x'],
    ['t xor x xor t', 'x'],
    ['not f', 'true'],
    ['not (t and x)', 'not x'],
    ['host eq "a" or x', 'x'],
    ['num eq 1', 'num eq 1'],
    ['host in $l or f', 'host in $l'],
    ['is_jwt_valid("a") or f', 'is_jwt_valid("a")'],
    ['any(texts[*] eq "a") and t', 'any(texts[*] eq "a")'],
    ['any((texts[*] eq "a") and (texts[*] eq "b")) and t', 'any((texts[*] eq "a" and texts[*] eq "b"))'],
    ['t and t', 'true'],
    ['f or f', 'false'],
    ['t xor t', 'false'],
  ])('%s becomes %s', (source, text) => expect(fold(source, { known })).toBe(text))

  test('nothing is known unless it is given', () =>
    expect(print(partiallyEvaluate(parseExpression('t and true', scheme), scheme))).toBe('t'))

  test('lists and hosts can be known as well', () => {
    expect(fold('host in $l', { known: () => ({ value: 'x' }), lists: () => true })).toBe('true')
    expect(fold('is_jwt_valid("a")', { host: { jwt: () => ({ present: true, valid: true }) } })).toBe('true')
  })
})

describe('restriction', () => {
  const restricted = restrictScheme(scheme, ({ name }) =>
    name === 'num' ? 'policies cannot see it' : undefined,
  )

  test('a restricted field is refused with the reason', () => {
    expect(() => parseExpression('num eq 1', restricted)).toThrow(
      'field num is not available: policies cannot see it',
    )
    expect(() => parseExpression('t', restricted)).not.toThrow()
  })

  test('contexts of the whole scheme can still be used', () => {
    const condition = compile(parseExpression('t and not f', restricted), restricted)
    expect(condition(createContext(scheme, ({ name }) => name === 't'))).toBe(true)
  })
})
