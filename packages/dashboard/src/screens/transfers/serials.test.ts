import { expect, test } from 'vitest'
import { serialsBehind } from './serials.ts'

test.each([
  ['the same', 7, 7, 0],
  ['two behind', 5, 7, 2],
  ['around the end of the circle', 4_294_967_295, 1, 2],
])('%s', (_, serial, newest, behind) => expect(serialsBehind(serial, newest)).toBe(behind))
