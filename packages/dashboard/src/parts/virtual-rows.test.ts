import { expect, test } from 'vitest'
import { isNewHeight } from './virtual-rows.ts'

const ESTIMATED = { estimate: 33, height: 33, isReal: false }

test.each([
  { name: 'a fraction more than estimated', real: 33.5, measured: ESTIMATED, isNew: true },
  { name: 'as estimated, but for rounding', real: 33.05, measured: ESTIMATED, isNew: false },
  { name: 'a row in edit', real: 333, measured: ESTIMATED, isNew: false },
  {
    name: 'another fraction after the first one',
    real: 33.25,
    measured: { ...ESTIMATED, height: 33.5, isReal: true },
    isNew: false,
  },
  {
    name: 'measured for another width',
    real: 33.5,
    measured: { estimate: 63, height: 63.5, isReal: true },
    isNew: true,
  },
])('a common height: $name', ({ real, measured, isNew }) => {
  expect(isNewHeight(real, measured, 33)).toBe(isNew)
})
