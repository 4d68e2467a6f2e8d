// Answers per second, and the lines of their chart.
import { expect, test } from 'vitest'
import { binRates, recentRates, scaleTop } from './answer-rates.ts'

const START = '2026-01-05T10:00:00.000Z'
const bin = { start: START, answered: 600, no_such_name: 60, failed: 0 }

test.each([
  ['a whole bin', 3_600, 1],
  ['half of a bin', 300, 2],
  ['the first seconds of a bin count as a minute', 1, 10],
])('%s', (_, passed, answered) => {
  const rates = binRates({ bins: [bin], bin_seconds: 600 }, Date.parse(START) + passed * 1_000)
  expect(rates).toEqual([{ start: START, answered, noSuchName: answered / 10, failed: 0 }])
})

test('what is not known yet is no rate', () => {
  const none = { answered: 0, noSuchName: 0, failed: 0 }
  expect(recentRates({ recent: null })).toEqual(none)
  const recent = { seconds: 10, answered: 25, no_such_name: 0, failed: 5 }
  expect(recentRates({ recent })).toEqual({ answered: 2.5, noSuchName: 0, failed: 0.5 })
})

test.each([
  [0, 3],
  [0.31, 0.6],
  [1, 1.2],
  [1.3, 1.5],
  [812, 1_200],
  [2_900, 3_000],
])('a scale for %s ends at %s', (highest, top) => expect(scaleTop(highest)).toBeCloseTo(top))
