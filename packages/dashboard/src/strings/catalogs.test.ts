import { expect, test } from 'vitest'
import { catalogStrings } from './catalogs.ts'

const { held } = catalogStrings.detail

test('a held version that resets zones says what they lose', () => {
  expect(held(2, 12, 20)).toMatch(/resets 12\. A reset drops the records and settings/)
  expect(held(12, 0, 20)).toMatch(/resets 0\.$/)
})
