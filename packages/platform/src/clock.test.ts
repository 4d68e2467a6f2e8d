import { afterEach, expect, test, vi } from 'vitest'
import { systemClock } from './clock.ts'

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
