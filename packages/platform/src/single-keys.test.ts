import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSingleKeys } from './single-keys.ts'

describe('keys that were added once', () => {
  test('are never those that were added again, whatever their number', () => {
    const key = fc.string({ unit: 'grapheme-ascii', maxLength: 3 })
    fc.assert(
      fc.property(fc.array(key, { maxLength: 300 }), fc.integer({ min: 0, max: 5_000 }), (added, bits) => {
        const keys = createSingleKeys(bits)
        for (const each of added) keys.add(each)
        for (const each of added)
          if (added.filter((other) => other === each).length > 1) expect(keys.hasOne(each)).toBe(false)
      }),
    )
  })

  test('are nearly all found with 16 bits for each', () => {
    const keys = createSingleKeys(16 * 100_000)
    for (let i = 0; i < 100_000; i += 1) keys.add(`name-${i}.example.com`)
    let found = 0
    for (let i = 0; i < 100_000; i += 1) if (keys.hasOne(`name-${i}.example.com`)) found += 1
    expect(found).toBeGreaterThan(90_000)
  })

  test.each([0, 1, 31, 33, 1_000.5])('have room with %d bits', (bits) => {
    const keys = createSingleKeys(bits)
    keys.add('a')
    expect(keys.hasOne('a')).toBe(true)
    keys.add('a')
    expect(keys.hasOne('a')).toBe(false)
  })
})
