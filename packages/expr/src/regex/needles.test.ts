// Literal strings that a match must contain.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../limits.ts'
import { parseRegex, type Regex } from '../regex.ts'

function regex(pattern: string): Regex {
  const parsed = parseRegex(pattern, DEFAULT_LIMITS.maxRegexBytes)
  if (typeof parsed === 'string') throw new Error(parsed)
  return parsed
}

test.each<readonly [pattern: string, needles: readonly string[] | undefined]>([
  ['abc', ['abc']],
  ['^abc$', ['abc']],
  ['', undefined],
  ['a?', undefined],
  ['a*', undefined],
  ['.+', undefined],
  ['a+', ['a']],
  ['(ab)c', ['abc']],
  ['ab|cd', ['ab', 'cd']],
  ['ab|c*', undefined],
  ['a(?:b|cd)e', ['abe', 'acde']],
  ['a[bc]d', ['abd', 'acd']],
  ['a[^b]d', ['a']],
  ['union\\s+select', ['select']],
  ['x.{0,9}longest.y', ['longest']],
  ['(?:ab){2}', ['abab']],
  ['(?:ab){2,}', ['ab']],
  ['(?:ab){0,2}c', ['c']],
  ['ab?c', ['ac', 'abc']],
  ['(?i)ab', ['AB', 'Ab', 'aB', 'ab']],
  ['[a-z]+', undefined],
  ['\\bword\\b', ['word']],
  ['(?:a|b)(?:c|d)', ['ac', 'ad', 'bc', 'bd']],
])('%j needs %j', (pattern, needles) => {
  expect(regex(pattern).needles()?.toSorted()).toEqual(needles?.toSorted())
})

test.each<readonly [what: string, pattern: string, count: number | undefined]>([
  ['as many as are put together', '(?i)abcde', 32],
  ['a part of what would be too many together', '(?i)abcdefgh', 32],
  ['as many as are named one by one', Array.from({ length: 128 }, (_, i) => `a${i}b`).join('|'), 128],
  ['none of what is too many', Array.from({ length: 129 }, (_, i) => `a${i}b`).join('|'), undefined],
  ['each of sixteen octets', '[a-p]', 16],
  ['none of seventeen octets', '[a-q]', undefined],
])('%s', (_, pattern, count) => {
  expect(regex(pattern).needles()?.length).toBe(count)
})

describe('for any pattern', () => {
  const atom = fc.constantFrom('a', 'b', 'ab', '[ab]', '[^a]', '.', '\\w', '^', '$', '\\b', '')
  const repeat = fc.constantFrom('', '', '?', '*', '+', '{2}', '{1,3}', '{0,2}', '{2,}')
  const { pattern } = fc.letrec<{ pattern: string; chunk: string }>((tie) => ({
    pattern: fc
      .array(fc.array(tie('chunk'), { maxLength: 4 }), { minLength: 1, maxLength: 3 })
      .map((branches) => branches.map((segments) => segments.join('')).join('|')),
    chunk: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.tuple(atom, repeat).map(([text, count]) => (text === '' ? '' : `(?:${text})${count}`)),
      fc.tuple(tie('pattern'), repeat).map(([inner, count]) => `(${inner})${count}`),
    ),
  }))
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 12 })

  test('a matching text contains one of them', () => {
    let matches = 0
    fc.assert(
      fc.property(pattern, text, (source, given) => {
        const parsed = regex(source)
        const needles = parsed.needles()
        if (needles === undefined || !parsed.test(given)) return
        matches += 1
        expect(needles.some((needle) => given.includes(needle))).toBe(true)
      }),
      { numRuns: 2000 },
    )
    expect(matches).toBeGreaterThan(20)
  })
})
