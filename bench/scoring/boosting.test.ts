import { expect, test } from 'vitest'
import { followTree } from '../../packages/script-analysis/src/trees.ts'
import { boost } from './boosting.ts'
import type { Example } from './logistic.ts'
import { createRandom } from './random.ts'

const OPTIONS = { trees: 40, depth: 3, rate: 0.3, columns: 1 }

/** Rows of four numbers; the rule decides which are hostile. */
function examplesOf(seed: string, rule: (row: Float64Array) => boolean, weight = 1): readonly Example[] {
  const random = createRandom(seed)
  return Array.from({ length: 400 }, () => {
    const features = Float64Array.from({ length: 4 }, () => (random() < 0.3 ? 0 : random()))
    return { features, isPositive: rule(features), weight }
  })
}
const odds = (trees: ReturnType<typeof boost>, { features }: Example): number =>
  trees.reduce((sum, tree) => sum + followTree(tree, (i) => features[i] ?? 0).value, 0)
const rightOf = (trees: ReturnType<typeof boost>, examples: readonly Example[]): number =>
  examples.filter((one) => odds(trees, one) > 0 === one.isPositive).length / examples.length

test.each<[name: string, rule: (row: Float64Array) => boolean]>([
  ['one number', (row) => (row[2] ?? 0) > 0.5],
  ['two features that are useless separately', (row) => (row[0] ?? 0) > 0.4 !== (row[1] ?? 0) > 0.4],
  ['0 or not', (row) => row[3] === 0],
])('trees learn %s, and predict unseen rows', (_, rule) => {
  const trees = boost(examplesOf('seen', rule), OPTIONS)
  expect(trees).toHaveLength(40)
  expect(rightOf(trees, examplesOf('unseen', rule))).toBeGreaterThan(0.93)
})

test('the same examples give the same trees, within the depth limit', () => {
  const rule = (row: Float64Array) => (row[0] ?? 0) + (row[1] ?? 0) > 0.9
  const trees = boost(examplesOf('a', rule), OPTIONS)
  expect(boost(examplesOf('a', rule), OPTIONS)).toEqual(trees)
  for (const { features, values } of trees) {
    expect(features).toHaveLength(15)
    expect(values).toHaveLength(15)
    expect(features.slice(7).every((feature) => feature === -1)).toBe(true)
  }
})

test('without signal, leaves are near the base value', () => {
  const trees = boost(
    examplesOf('a', () => true),
    OPTIONS,
  )
  expect(trees.every(({ features }) => features[0] === -1)).toBe(true)
  expect(trees.every(({ values }) => (values[0] ?? 0) > 0)).toBe(true)
})
