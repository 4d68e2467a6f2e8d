// Sliding counts: how many requests pass in which time, and that no period ever has more.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRateCounters, type RateCounters } from './rate-counters.ts'

const LIMIT = { limit: 5, periodMillis: 10_000, mitigationMillis: 0 }
const START = 1_767_571_200_000

/** Sends a request. @returns whether it passes. */
function send(counters: RateCounters, atMillis: number, limit = LIMIT, key = 'a'): boolean {
  if (counters.isOver(key, limit, START + atMillis)) return false
  counters.add(key, limit, 1, START + atMillis)
  return true
}

const passing = (times: readonly number[], limit = LIMIT): readonly number[] => {
  const counters = createRateCounters()
  return times.filter((time) => send(counters, time, limit))
}

test.each<[string, readonly number[], typeof LIMIT, readonly number[]]>([
  ['as many as the limit pass', [0, 1, 2, 3, 4, 5, 6], LIMIT, [0, 1, 2, 3, 4]],
  ['more pass a period later', [0, 1, 2, 3, 4, 9_999, 11_000], LIMIT, [0, 1, 2, 3, 4, 11_000]],
  [
    'slow requests always pass',
    [0, 3_000, 6_000, 9_000, 12_000, 15_000],
    LIMIT,
    [0, 3_000, 6_000, 9_000, 12_000, 15_000],
  ],
  [
    'those that were stopped do not count',
    [0, 0, 0, 0, 0, 5_000, 6_000, 11_001],
    LIMIT,
    [0, 0, 0, 0, 0, 11_001],
  ],
  [
    'a mitigation outlasts the period',
    [0, 0, 0, 0, 0, 100, 11_500, 60_099, 60_101],
    { ...LIMIT, mitigationMillis: 60_000 },
    [0, 0, 0, 0, 0, 60_101],
  ],
  [
    'a mitigation begins with the first request too many',
    [0, 0, 0, 0, 0, 20_000],
    { ...LIMIT, mitigationMillis: 60_000 },
    [0, 0, 0, 0, 0, 20_000],
  ],
  [
    'a clock that was set back does not open it',
    [0, 0, 0, 0, 0, -60_000, -5, 11_001],
    LIMIT,
    [0, 0, 0, 0, 0, 11_001],
  ],
])('%s', (_, times, limit, expected) => {
  expect(passing(times, limit)).toEqual(expected)
})

test('clients are counted apart', () => {
  const counters = createRateCounters()
  const sent = ['a', 'a', 'b'].map((key) => send(counters, 0, { ...LIMIT, limit: 1 }, key))
  expect(sent).toEqual([true, false, true])
})

test('amounts add up', () => {
  const counters = createRateCounters()
  counters.add('a', LIMIT, 4, START)
  expect(counters.isOver('a', LIMIT, START)).toBe(false)
  counters.add('a', LIMIT, 100, START)
  expect(counters.isOver('a', LIMIT, START)).toBe(true)
})

test('the number of counts is bounded: the one that was used longest ago is forgotten', () => {
  const counters = createRateCounters(3)
  const one = { ...LIMIT, limit: 1 }
  for (const key of ['a', 'b', 'c', 'd']) send(counters, 0, one, key)
  expect(['d', 'c', 'b', 'a'].map((key) => counters.isOver(key, one, START))).toEqual([
    true,
    true,
    true,
    false,
  ])
})

describe('any requests', () => {
  const times = fc.array(fc.nat(60_000), { maxLength: 200 }).map((list) => list.toSorted((a, b) => a - b))
  test('no period has more than the limit, and a client below it is never stopped', () => {
    fc.assert(
      fc.property(
        times,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 30 }),
        (sent, limit, seconds) => {
          const rate = { limit, periodMillis: seconds * 1_000, mitigationMillis: 0 }
          const passed = passing(sent, rate)
          for (const time of passed) {
            const within = passed.filter((other) => other >= time && other < time + rate.periodMillis)
            expect(within.length).toBeLessThanOrEqual(limit)
          }
          // A request counts for at most 1.1 periods.
          for (const [index, time] of sent.entries()) {
            const before = sent.slice(0, index).filter((other) => other > time - 1.1 * rate.periodMillis - 1)
            if (before.length < limit) expect(passed).toContain(time)
          }
        },
      ),
    )
  })
})
