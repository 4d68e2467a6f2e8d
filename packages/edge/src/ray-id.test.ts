import { expect, test } from 'vitest'
import { newRayId } from './ray-id.ts'

test('each is new, also when octets are drawn again', () => {
  const ids = Array.from({ length: 2_000 }, newRayId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/)
})
