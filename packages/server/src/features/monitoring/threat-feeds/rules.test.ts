// When feeds are fetched again, and which imports are accepted.
import { describe, expect, test } from 'vitest'
import { isKeptBack, MAX_ENTRIES, pauseMillis, sizeProblem } from './threat-feeds.rules.ts'

const MINUTE = 60_000
const FIRST = '0'.repeat(32)
const LAST = 'f'.repeat(32)

describe('pauses', () => {
  test.each([
    ['the interval', FIRST, 60, 0, 60],
    ['up to a tenth more', LAST, 60, 0, 66],
    ['the first failure', FIRST, 60, 1, 5],
    ['the second', FIRST, 60, 2, 10],
    ['no longer than the interval', FIRST, 60, 5, 60],
    ['however often', FIRST, 60, 5000, 60],
    ['the shortest interval', FIRST, 5, 1, 5],
  ])('%s', (_, id, interval, failures, minutes) => {
    expect(pauseMillis(id, interval, failures)).toBe(minutes * MINUTE)
  })
})

describe('imports that are held back', () => {
  test.each([
    ['the first import', 0, 0, false],
    ['as many', 100, 100, false],
    ['a tenth', 10, 100, false],
    ['one less', 9, 100, true],
    ['none of one', 0, 1, true],
    ['more than before', 1000, 1, false],
  ])('%s', (_, entries, before, expected) => {
    expect(isKeptBack(entries, before)).toBe(expected)
  })
})

test('an import has at most a million entries', () => {
  const tally = (entries: number) => ({ entries, passedOver: 0, unreadable: 0, firstUnreadable: undefined })
  expect(sizeProblem(tally(MAX_ENTRIES))).toBeUndefined()
  expect(sizeProblem(tally(MAX_ENTRIES + 1))).toBe('it has more than 1000000 entries')
})
