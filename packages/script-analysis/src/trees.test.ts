import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { followTree, type Tree } from './trees.ts'

/** Tests feature 3, and if it is at most 0.5, feature 1. */
const TREE: Tree = { features: [3, 1, -1, -1, -1], values: [0.5, 2, 30, 10, 20] }

describe('a tree decides', () => {
  test.each([
    ['at most the first value, at most the second', { 3: 0.5, 1: 2 }, 10, [3, 1]],
    ['at most the first value, more than the second', { 3: 0.1, 1: 2.001 }, 20, [3, 1]],
    ['more than the first value', { 3: 0.51, 1: 0 }, 30, [3]],
  ])('%s', (_, row, value, asked) => {
    const features = new Map(Object.entries(row).map(([feature, number]) => [Number(feature), number]))
    expect(followTree(TREE, (feature) => features.get(feature) ?? 0)).toEqual({ value, asked })
  })

  test('a single leaf tests nothing', () => {
    expect(followTree({ features: [-1], values: [0.25] }, () => 9)).toEqual({ value: 0.25, asked: [] })
  })

  test('a tree that is cut off is an error', () => {
    expect(() => followTree({ features: [0], values: [0.5] }, () => 1)).toThrow(RangeError)
  })
})

/** Below the last node that tests a feature. */
const LEAVES = Array.from({ length: 32 }, () => -1)

test('any tree ends at a leaf, for any row', () => {
  const trees = fc
    .array(fc.record({ feature: fc.integer({ min: -1, max: 5 }), value: fc.double({ noNaN: true }) }), {
      maxLength: 31,
    })
    .map((nodes) => ({
      features: [...nodes.map(({ feature }) => feature), ...LEAVES],
      values: [...nodes.map(({ value }) => value), ...LEAVES],
    }))
  fc.assert(
    fc.property(trees, fc.array(fc.double(), { minLength: 6, maxLength: 6 }), (tree, row) => {
      const { value, asked } = followTree(tree, (feature) => row[feature] ?? 0)
      expect(typeof value).toBe('number')
      expect(asked.length).toBeLessThanOrEqual(5)
    }),
  )
})
