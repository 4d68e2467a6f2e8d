// Properties of every expression, however it was created.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkExpression } from './check.ts'
import { compile } from './compiler.ts'
import { ExprError, formatError, locateError } from './errors.ts'
import { decidingParts, explain } from './explain.ts'
import { interpret } from './naive-interpreter.cases.ts'
import { parseExpression } from './parser.ts'
import { partiallyEvaluate } from './partial.ts'
import { print } from './print.ts'
import {
  RANDOM_SCHEMES,
  randomContext,
  randomFilter,
  randomPattern,
  randomSource,
  randomValues,
} from './random-expressions.cases.ts'
import { parseRegex } from './regex.ts'
import type { Scheme } from './scheme.ts'

const WIDE = { limits: { maxExpressionBytes: 1_000_000, maxNestingDepth: 10_000, maxRegexes: 10_000 } }

const scheme = fc.constantFrom(...RANDOM_SCHEMES)

/** The tree without source positions. */
const withoutSpans = (node: unknown): unknown =>
  JSON.parse(
    JSON.stringify(node, (key, value: unknown) =>
      key === 'span' ? undefined : typeof value === 'bigint' ? `${value}n` : value,
    ),
  )

describe('printing', () => {
  test('parsing the printed text gives the same tree', () => {
    fc.assert(
      fc.property(scheme, randomFilter, (over, node) => {
        const text = print(node)
        expect(withoutSpans(parseExpression(text, over, WIDE))).toEqual(withoutSpans(node))
      }),
      { numRuns: 1500 },
    )
  })

  test('printing a parsed expression is stable', () => {
    fc.assert(
      fc.property(randomFilter, (node) => {
        const [over] = RANDOM_SCHEMES
        if (over === undefined) throw new Error('no scheme')
        const text = print(node)
        expect(print(parseExpression(text, over, WIDE))).toBe(text)
      }),
      { numRuns: 300 },
    )
  })
})

describe('evaluation', () => {
  test('compiled and interpreted give the same result', () => {
    const seen = { true: 0, false: 0 }
    fc.assert(
      fc.property(scheme, randomFilter, randomValues, (over, node, values) => {
        const result = compile(node, over)(randomContext(over, values))
        seen[`${result}`] += 1
        expect(result).toBe(interpret(node, over, randomContext(over, values)))
      }),
      { numRuns: 4000 },
    )
    expect(Math.min(seen.true, seen.false)).toBeGreaterThan(400)
  })

  test('an explanation has the result, and parts that decided it', () => {
    fc.assert(
      fc.property(scheme, randomFilter, randomValues, (over, node, values) => {
        const explanation = explain(node, over, randomContext(over, values))
        expect(explanation.result).toBe(interpret(node, over, randomContext(over, values)))
        expect(decidingParts(explanation).length).toBeGreaterThan(0)
      }),
      { numRuns: 500 },
    )
  })

  test('folding known parts changes no result', () => {
    fc.assert(
      fc.property(scheme, randomFilter, randomValues, fc.integer(), (over, node, values, seed) => {
        const known = (name: string) => (isChosen(name, seed) ? { value: values[name] } : undefined)
        const folded = partiallyEvaluate(node, over, { known })
        expect(compile(folded, over)(randomContext(over, values))).toBe(
          compile(node, over)(randomContext(over, values)),
        )
      }),
      { numRuns: 1000 },
    )
  })
})

/** Selects fields by a number, differently for each number. */
const isChosen = (name: string, seed: number): boolean =>
  ((name.length * 7 + name.charCodeAt(0)) ^ seed) % 2 === 0

function outcome(source: string, over: Scheme): 'read' | ExprError {
  try {
    parseExpression(source, over)
    return 'read'
  } catch (error) {
    if (error instanceof ExprError) return error
    throw error
  }
}

describe('any text at all', () => {
  test.each([
    ['pieces of the language', randomSource],
    ['any characters', fc.string({ unit: 'binary', maxLength: 200 })],
    [
      'lone surrogates too',
      fc.string({
        unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
        maxLength: 60,
      }),
    ],
    ['a pattern', randomPattern.map((pattern) => `host matches r##"${pattern}"##`)],
    [
      'a broken expression',
      fc
        .tuple(randomFilter, fc.nat(), fc.nat({ max: 5 }))
        .map(([node, at, length]) => cut(print(node), at, length)),
    ],
  ])('%s: parsed, or refused with a position inside the text', (_name, sources) => {
    fc.assert(
      fc.property(scheme, sources, (over, source) => {
        const found = outcome(source, over)
        if (found === 'read') return
        expect(found.span.start).toBeGreaterThanOrEqual(0)
        expect(found.span.end).toBeLessThanOrEqual(source.length)
        const { line, column, carets, text } = locateError(found)
        expect(source.split('\n')[line - 1]).toBe(text)
        expect(Math.min(column, carets)).toBeGreaterThan(0)
        expect(formatError(found).startsWith(`Filter parsing error (${line}:${column}):\n`)).toBe(true)
      }),
      { numRuns: 1500 },
    )
  })

  test('accepted patterns also run', () => {
    let accepted = 0
    fc.assert(
      fc.property(randomPattern, fc.string({ unit: 'binary-ascii', maxLength: 20 }), (pattern, text) => {
        const regex = parseRegex(pattern, 1_000_000)
        if (typeof regex === 'string') return
        accepted += 1
        expect(regex.test(text)).toBe(regex.find(text) !== undefined)
      }),
      { numRuns: 3000 },
    )
    expect(accepted).toBeGreaterThan(200)
  })
})

function cut(text: string, at: number, length: number): string {
  const start = at % (text.length + 1)
  return text.slice(0, start) + text.slice(start + length)
}

/** As many pieces as fit into the longest source. */
const fill = (segment: string, before = '', after = ''): string =>
  before + segment.repeat(Math.floor((4096 - before.length - after.length) / segment.length)) + after

describe('inputs of maximum length', () => {
  const [over] = RANDOM_SCHEMES
  test.each([
    ['opening parentheses', fill('('), false],
    ['negations', fill('!'), false],
    ['a chain of or', fill('flag or ', '', 'flag'), true],
    ['a set of addresses', fill('10.0.0.1 ', 'ip in {', '}'), true],
    ['integer arguments', fill('1,', 'lookup_json_string(host,', '1) eq "x"'), true],
    ['nested repetitions', fill('*', 'host matches "a', '"'), false],
    ['nested groups', fill('(', 'host matches "', '"'), false],
    ['nested classes', fill('[', 'host matches r"', '"'), false],
    ['large counts', fill('(a{99}){99}', 'host matches "', '"'), false],
    ['properties', fill('(?u)\\pL', 'host matches "', '"'), false],
    ['alternatives', fill('a|', 'host matches "', 'b"'), true],
    ['an endless string', fill('\\x41', 'host eq "'), false],
    ['hashes', fill('#', 'host eq r'), false],
    ['line feeds', fill('\n'), false],
  ])('%s: answered', (_name, source, isExpression) => {
    if (over === undefined) throw new Error('no scheme')
    expect(checkExpression(source, over).ok).toBe(isExpression)
  })
})
