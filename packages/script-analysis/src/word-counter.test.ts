// Counting words in one pass is the same as searching each of them.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createWordCounter } from './word-counter.ts'

/** Greedy, from the left. */
function countOf(word: string, text: string, most: number): number {
  let count = 0
  for (let at = text.indexOf(word); at !== -1 && count < most; at = text.indexOf(word, at + word.length))
    count += 1
  return count
}

describe('counts', () => {
  test.each([
    ['a word within a word', ['he', 'she', 'hers'], 'ushers she', [2, 2, 1]],
    ['without overlaps with itself', ['aa', 'aaa'], 'aaaaa', [2, 1]],
    ['at both ends', ['ab'], 'ab-ab', [2]],
    ['a suffix of another word that fails late', ['abcd', 'bc'], 'abcabcd', [1, 2]],
    ['across other scripts', ['ab'], 'aéb ab\u0100b \u{1f600}ab', [2]],
    ['nothing in nothing', ['a'], '', [0]],
  ])('%s', (_, words, text, counts) => expect(createWordCounter(words)(text, 8)).toEqual(counts))

  test('up to a limit', () => expect(createWordCounter(['a', 'b'])('ab'.repeat(20), 8)).toEqual([8, 8]))
})

test('words of other characters are refused', () =>
  expect(() => createWordCounter(['ab', 'é'])).toThrow('é has other characters than ASCII'))

test('the counts are those of separate searches', () => {
  const letters = fc.constantFrom('a', 'b', 'c')
  const word = fc.array(letters, { minLength: 1, maxLength: 5 }).map((all) => all.join(''))
  const text = fc.array(fc.oneof(letters, fc.constant('é')), { maxLength: 80 }).map((all) => all.join(''))
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 8 }), text, (words, searchedText) => {
      expect(createWordCounter(words)(searchedText, 3)).toEqual(
        words.map((each) => countOf(each, searchedText, 3)),
      )
    }),
  )
})
