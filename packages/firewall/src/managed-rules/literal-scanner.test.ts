// Compares the search for many texts at once with one search for each.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLiteralScanner } from './literal-scanner.ts'

function ownersIn(needles: readonly (readonly [string, number])[], text: string): readonly number[] {
  const found = new Set<number>()
  createLiteralScanner(needles)(text, (owners) => {
    for (const owner of owners) found.add(owner)
  })
  return [...found].toSorted((a, b) => a - b)
}

test.each<
  readonly [
    name: string,
    needles: readonly (readonly [string, number])[],
    text: string,
    expected: readonly number[],
  ]
>([
  [
    'one in another',
    [
      ['she', 1],
      ['he', 2],
      ['hers', 3],
    ],
    'ushers',
    [1, 2, 3],
  ],
  [
    'one owner of several',
    [
      ['a', 1],
      ['b', 1],
      ['c', 2],
    ],
    'xbx',
    [1],
  ],
  [
    'several owners of one',
    [
      ['ab', 1],
      ['ab', 2],
    ],
    'cab',
    [1, 2],
  ],
  ['a false start', [['aab', 1]], 'aaab', [1]],
  ['nothing to look for', [], 'abc', []],
  ['nothing to look in', [['a', 1]], '', []],
  ['not there', [['abc', 1]], 'ab-c', []],
  ['octets', [['\0\u00ff', 1]], 'a\0\u00ff', [1]],
])('%s', (_, needles, text, expected) => {
  expect(ownersIn(needles, text)).toEqual(expected)
})

test('it finds the same as a search for each text', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\u00e9'), minLength: 1, maxLength: 4 })
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\u00e9', 'x'), maxLength: 40 })
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), text, (words, haystack) => {
      const needles = words.map((needle, i) => [needle, i] as const)
      const expected = needles.filter(([needle]) => haystack.includes(needle)).map(([, owner]) => owner)
      expect(ownersIn(needles, haystack)).toEqual(expected)
    }),
  )
})

test('with all 256 octets in needles, no match is missed', () => {
  const needles = Array.from(
    { length: 256 },
    (_, octet) => [`${String.fromCharCode(octet)}!`, octet] as const,
  )
  for (const [needle, owner] of needles) expect(ownersIn(needles, needle)).toContain(owner)
})
