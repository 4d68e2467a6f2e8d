import { expect, test } from 'vitest'
import { isSameOrder, primariesOf, rankOf } from './primaries.ts'

const peer = (id: string, ip?: string) => ({ id, name: id, ...(ip === undefined ? {} : { ip }) })
const PEERS = [peer('a', '192.0.2.1'), peer('b'), peer('c')]

test('a chosen peer without an address is in the list', () => {
  expect(primariesOf(PEERS, ['c']).map(({ id }) => id)).toEqual(['a', 'c'])
})

test('ranks are those of the choice, not of the list', () => {
  expect(['a', 'b', 'c'].map((id) => rankOf(id, ['c', 'a']))).toEqual([2, undefined, 1])
})

test('another order is another choice', () => {
  expect(isSameOrder(['a', 'b'], ['a', 'b'])).toBe(true)
  expect(isSameOrder(['a', 'b'], ['b', 'a'])).toBe(false)
  expect(isSameOrder(['a'], ['a', 'b'])).toBe(false)
})
