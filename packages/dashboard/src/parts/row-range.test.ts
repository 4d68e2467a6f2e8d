import { describe, expect, test } from 'vitest'
import { rowsBetween, topOf, type RowLayout } from './row-range.ts'

const EVEN: RowLayout = { count: 100_000, height: 33, others: new Map() }
const EDITED: RowLayout = { ...EVEN, others: new Map([[10, 333]]) }

describe('tops of rows', () => {
  test.each([
    { name: 'the first', index: 0, layout: EVEN, top: 0 },
    { name: 'one in the middle', index: 1000, layout: EVEN, top: 33_000 },
    { name: 'the height of the table', index: 100_000, layout: EVEN, top: 3_300_000 },
    { name: 'above a higher row', index: 9, layout: EDITED, top: 297 },
    { name: 'the higher row itself', index: 10, layout: EDITED, top: 330 },
    { name: 'below a higher row', index: 11, layout: EDITED, top: 663 },
    {
      name: 'a higher row that the shorter list no longer has',
      index: 5,
      layout: { ...EDITED, count: 5 },
      top: 165,
    },
  ])('$name', ({ index, layout, top }) => expect(topOf(index, layout)).toBe(top))
})

describe('rows in sight', () => {
  test.each([
    { name: 'at the top', from: -200, to: 700, layout: EVEN, range: { first: 0, end: 32 } },
    { name: 'in the middle', from: 33_000, to: 33_900, layout: EVEN, range: { first: 992, end: 1040 } },
    {
      name: 'one row further: the same',
      from: 33_033,
      to: 33_933,
      layout: EVEN,
      range: { first: 992, end: 1040 },
    },
    {
      name: 'at the end',
      from: 3_299_500,
      to: 3_300_400,
      layout: EVEN,
      range: { first: 99_976, end: 100_000 },
    },
    { name: 'inside a higher row', from: 400, to: 650, layout: EDITED, range: { first: 0, end: 24 } },
    {
      name: 'below a higher row',
      from: 33_300,
      to: 34_200,
      layout: EDITED,
      range: { first: 992, end: 1040 },
    },
    {
      name: 'at the top, without others',
      from: -200,
      to: 700,
      layout: EVEN,
      spare: 0,
      range: { first: 0, end: 24 },
    },
    { name: 'of a short list', from: 0, to: 900, layout: { ...EVEN, count: 3 }, range: { first: 0, end: 3 } },
    { name: 'of no rows', from: 0, to: 900, layout: { ...EVEN, count: 0 }, range: { first: 0, end: 0 } },
  ])('$name', ({ from, to, layout, spare, range }) =>
    expect(rowsBetween(from, to, layout, spare)).toEqual(range),
  )

  test.each([
    ['and some more', undefined],
    ['no more than a step', 0],
  ])('every row between the two distances is among them, %s', (_, spare) => {
    for (let from = 0; from < 2000; from += 7) {
      const { first, end } = rowsBetween(from, from + 500, EDITED, spare)
      expect(topOf(first, EDITED)).toBeLessThanOrEqual(from)
      expect(topOf(end, EDITED)).toBeGreaterThanOrEqual(from + 500)
    }
  })
})
