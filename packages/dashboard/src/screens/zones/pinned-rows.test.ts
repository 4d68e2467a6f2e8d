// Places of rows below pinned zones, as assistive technology counts them.
import { describe, expect, test } from 'vitest'
import { rowBelowPinned } from './pinned-rows.ts'

const named = (name: string) => ({ name })
const LIST = ['a.example', 'b.example', 'c.example', 'd.example'].map(named)

describe('rows below pinned zones', () => {
  test.each([
    ['none', [], [0, 1, 2, 3]],
    ['the first', ['a.example'], [1, 2, 3]],
    ['the last', ['d.example'], [1, 2, 3]],
    ['two in between', ['b.example', 'c.example'], [2, 3]],
    ['all', ['a.example', 'b.example', 'c.example', 'd.example'], []],
  ])('pinned: %s: every place is taken once, none beyond the number of zones', (_, names, expected) => {
    const pinned = names.map(named)
    const places = LIST.flatMap((zone, index) =>
      names.includes(zone.name) ? [] : [rowBelowPinned(index, zone, pinned)],
    )
    expect(places).toEqual(expected)
  })

  test('names in Unicode have the places of their A-labels, after others', () => {
    const pinned = [named('shop.example.org')]
    expect(rowBelowPinned(14, named('bücher.example'), pinned)).toBe(14)
    expect(rowBelowPinned(0, named('a.example'), [named('bücher.example')])).toBe(1)
  })

  test('the place of an awaited row is not known while zones are pinned', () => {
    expect(rowBelowPinned(7, undefined, [named('b.example')])).toBeUndefined()
    expect(rowBelowPinned(7, undefined, [])).toBe(7)
  })
})
