// A flood of refused requests does not fill the log, and does not hide later refusals.
import { expect, test } from 'vitest'
import { manualClock } from '@zonereeve/platform'
import { createRefusalLog, MAX_REFUSALS_LOGGED } from './refusal-log.ts'

test('up to the limit per minute are logged at info, the others at debug, and the next minute starts over', () => {
  const clock = manualClock(Date.parse('2026-01-01T00:00:00Z'))
  const lines = { info: 0, debug: 0 }
  const log = { info: () => void (lines.info += 1), debug: () => void (lines.debug += 1) }
  const refused = createRefusalLog({ log, clock })
  for (let i = 0; i < MAX_REFUSALS_LOGGED; i += 1) refused({}, 'zone transfer refused')
  expect(lines).toEqual({ info: MAX_REFUSALS_LOGGED, debug: 0 })
  refused({}, 'zone transfer refused')
  expect(lines).toEqual({ info: MAX_REFUSALS_LOGGED, debug: 1 })
  clock.advance(60_000)
  refused({}, 'zone transfer refused')
  expect(lines).toEqual({ info: MAX_REFUSALS_LOGGED + 1, debug: 1 })
})
