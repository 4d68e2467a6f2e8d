import { expect, test } from 'vitest'
import { comparedPair } from './compared-pair.ts'

const LISTED = [{ number: 9 }, { number: 7 }, { number: 4 }]

test.each([
  ['the newest and the one below', LISTED, '9', { from: '7', to: '9' }],
  ['one in between and the one below', LISTED, '7', { from: '4', to: '7' }],
  ['the oldest and the one above', LISTED, '4', { from: '4', to: '7' }],
  ['one that is not listed: none', LISTED, '8', undefined],
  ['none shown: none', LISTED, undefined, undefined],
  ['a single one: none', [{ number: 9 }], '9', undefined],
  ['an empty list: none', [], '9', undefined],
])('%s', (_, changes, shown, expected) => expect(comparedPair(changes, shown)).toEqual(expected))
