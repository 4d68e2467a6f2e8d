import { expect, test } from 'vitest'
import { joinLists, type KnownLength } from './joined-list.ts'

const ONE: KnownLength<number> = [1]

test.each<[string, readonly (readonly number[])[], readonly number[]]>([
  ['none', [], []],
  ['empty ones', [[], []], []],
  ['one', [[1, 2]], [1, 2]],
  ['several', [[1], [], [2, 3], [1]], [1, 2, 3, 1]],
])('%s are read in their order, any number of times', (_, lists, expected) => {
  const joined = joinLists(...lists)
  expect(joined.length).toBe(expected.length)
  expect([...joined]).toEqual(expected)
  expect([...joined]).toEqual(expected)
})

test('a list that is joined with empty ones is the same', () => {
  expect(joinLists([], ONE, [])).toBe(ONE)
})
