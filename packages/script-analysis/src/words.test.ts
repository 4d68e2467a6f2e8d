import { describe, expect, test } from 'vitest'
import { analyse } from './analysis.ts'
import { WORD_NAMES, wordValues } from './words.ts'

const valueOf = (source: string, word: string): number | undefined =>
  wordValues(analyse(source))[WORD_NAMES.indexOf(`word ${word}`)]
const base64 = (text: string): string => Buffer.from(text).toString('base64')

describe('a word counts', () => {
  test.each([
    ['once, for a little', 'checkout()', 'checkout', Math.log1p(1) / Math.log1p(8)],
    ['in small letters', 'CheckOut()', 'checkout', Math.log1p(1) / Math.log1p(8)],
    ['up to eight times', 'checkout();'.repeat(20), 'checkout', 1],
    ['not at all where it is not', 'a()', 'checkout', 0],
    ['within another word', 'mycheckouts()', 'checkout', Math.log1p(1) / Math.log1p(8)],
  ])('%s', (_, source, word, value) => {
    expect(valueOf(source, word)).toBeCloseTo(value, 10)
  })

  test.each([
    ['in base64', `x(atob('${base64('coinhive')}'))`],
    ['in escapes', String.raw`x("\x63oinhive")`],
    ['put together', `x('coin'+'hi'+'ve')`],
    ['in code that is run', `eval(atob('${base64('start("coinhive")')}'))`],
  ])('where it is hidden: %s', (_, source) => {
    expect(source).not.toContain('coinhive')
    expect(valueOf(source, 'coinhive')).toBeGreaterThan(0)
  })
})

test('each word has one name and one value', () => {
  expect(new Set(WORD_NAMES).size).toBe(WORD_NAMES.length)
  expect(wordValues(analyse('a'))).toHaveLength(WORD_NAMES.length)
})
