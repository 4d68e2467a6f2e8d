import { afterEach, expect, test, vi } from 'vitest'
import { formatTimestamp, manualClock, systemClock } from './clock.ts'

const DAY_MILLIS = 86_400_000

afterEach(() => void vi.useRealTimers())

test('timestamps follow the wall clock when it is set, forwards and back', () => {
  const clock = systemClock()
  const start = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: start + 7 * DAY_MILLIS })
  const latest = clock.timestamp()
  // The wall clock stands still in this block.
  expect(Math.abs(Date.parse(latest) - clock.now())).toBeLessThanOrEqual(1)
  vi.setSystemTime(start)
  expect(Math.abs(Date.parse(clock.timestamp()) - start)).toBeLessThanOrEqual(2_000)
})

test('no two timestamps are the same', () => {
  const clock = systemClock()
  const stamps = Array.from({ length: 1_000 }, () => clock.timestamp())
  expect(new Set(stamps).size).toBe(stamps.length)
  expect(stamps.toSorted()).toEqual(stamps)
})

test('timestamps are those of the system, with microseconds, in any order', () => {
  const times = [
    0, 999, 1_000, 1_756_327_177_634, 1_756_327_177_635, 1_756_327_178_000, -1, -1_000, 253_402_300_800_000,
    5,
  ]
  for (const millis of times)
    expect(formatTimestamp(millis)).toBe(new Date(millis).toISOString().replace('Z', '000Z'))
  const clock = manualClock(1_756_327_177_634)
  expect([clock.timestamp(), clock.timestamp()]).toEqual([
    '2025-08-27T20:39:37.634001Z',
    '2025-08-27T20:39:37.634002Z',
  ])
})
