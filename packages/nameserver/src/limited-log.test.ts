import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLimitedLog } from './limited-log.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the first event is logged at once, the next ones together, and after a quiet interval again at once', () => {
  const lines: number[] = []
  const log = createLimitedLog((count) => void lines.push(count), 1_000)
  for (let i = 0; i < 500; i += 1) log()
  expect(lines).toEqual([1])
  vi.advanceTimersByTime(999)
  expect(lines).toEqual([1])
  vi.advanceTimersByTime(1)
  expect(lines).toEqual([1, 499])
  vi.advanceTimersByTime(5_000)
  expect(lines).toEqual([1, 499])
  log()
  expect(lines).toEqual([1, 499, 1])
})
