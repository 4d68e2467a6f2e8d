import { expect, test } from 'vitest'
import { BALANCE_LESS_GAS } from './wallet-rules.ts'

test('every repetition in the pattern of a rest is bounded: its work grows with the text alone', () => {
  const operators = BALANCE_LESS_GAS.source.replaceAll(/\\.|\[[^\]]*\]/gu, '')
  expect(operators).not.toMatch(/[*+]|\{\d+,\}/u)
})

test.each([
  ['balance - price', true],
  ['(myBalance-fee)', true],
  ['balance).sub(price)', true],
  ['value.minus(gasCost)', true],
  ['balance * price', false],
  ['balance'.repeat(6000), false],
])('%s', (code, isRest) => {
  expect(BALANCE_LESS_GAS.test(code)).toBe(isRest)
})
