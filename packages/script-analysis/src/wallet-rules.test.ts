import { expect, test } from 'vitest'
import { BALANCE_LESS_GAS } from './wallet-rules.ts'
import { isWalletAddress } from './wallets.ts'

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

const ADDRESS = '0x00112233445566778899aabbccddeeff00112233'

test.each([
  ['an address', ADDRESS, true],
  ['an address with a prefix', `ethereum:${ADDRESS}`, true],
  ['an address with much whitespace', `${' '.repeat(600)}${ADDRESS}${' '.repeat(600)}`, true],
  ['an address in a sentence', `Send to ${ADDRESS}`, false],
  ['a long word', '1'.repeat(600_000), false],
])('wallet address: %s', (_, text, expected) => {
  expect(isWalletAddress(text)).toBe(expected)
})
