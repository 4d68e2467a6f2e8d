import { expect, test } from 'vitest'
import { zoneAnswerStrings } from './zone-answers.ts'

test.each([
  { rate: 0, text: '0' },
  { rate: 0.0123, text: '0.012/s' },
  { rate: 1 / 30, text: '0.033/s' },
  { rate: 0.5, text: '0.5/s' },
  { rate: 9.96, text: '10/s' },
  { rate: 1234.5, text: '1,235/s' },
])('$rate answers a second: $text', ({ rate, text }) => expect(zoneAnswerStrings.perSecond(rate)).toBe(text))
