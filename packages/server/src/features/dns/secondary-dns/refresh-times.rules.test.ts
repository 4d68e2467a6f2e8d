// Times of a primary's SOA, at each bound and one beyond it.
import { expect, test } from 'vitest'
import { refreshTimesOf } from './refresh-times.rules.ts'

const WEEK = 604_800
test.each<
  [name: string, soa: [refresh: number, retry: number, expire: number], expected: [number, number, number]]
>([
  ['typical values', [3_600, 600, WEEK], [3_600, 600, WEEK]],
  ['the least', [30, 5, 35], [30, 5, 35]],
  ['less than the minimum', [29, 4, 34], [30, 5, 35]],
  ['nothing', [0, 0, 0], [30, 5, 35]],
  ['an expiry before the next query', [7_200, 900, 7_200], [7_200, 900, 8_100]],
  ['the most', [4 * WEEK, 86_400, 24 * WEEK], [4 * WEEK, 86_400, 24 * WEEK]],
  ['more than the maximum', [4 * WEEK + 1, 86_401, 24 * WEEK + 1], [4 * WEEK, 86_400, 24 * WEEK]],
  ['the largest 32-bit values', [0xffff_ffff, 0xffff_ffff, 0xffff_ffff], [4 * WEEK, 86_400, 24 * WEEK]],
])('%s', (_, [refresh, retry, expire], [refreshSeconds, retrySeconds, expireSeconds]) => {
  expect(refreshTimesOf({ refresh, retry, expire })).toEqual({ refreshSeconds, retrySeconds, expireSeconds })
})
