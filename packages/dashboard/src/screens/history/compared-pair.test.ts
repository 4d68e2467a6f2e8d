import { expect, test } from 'vitest'
import { comparedPair, currentPair } from './compared-pair.ts'

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

const PAIR = { from: '7', to: '9' }

test.each([
  ['a list that is up to date', { isFetching: false, isPlaceholderData: false }, PAIR, PAIR],
  [
    'a stored list that is fetched again: not yet',
    { isFetching: true, isPlaceholderData: false },
    PAIR,
    undefined,
  ],
  ['the list of the filter before: not yet', { isFetching: true, isPlaceholderData: true }, PAIR, undefined],
  [
    'the list of the filter before, offline: not yet',
    { isFetching: false, isPlaceholderData: true },
    PAIR,
    undefined,
  ],
  ['no pair: none', { isFetching: false, isPlaceholderData: false }, undefined, undefined],
])('opened by a command: %s', (_, list, pair, expected) => expect(currentPair(pair, list)).toEqual(expected))
