import { expect, test } from 'vitest'
import { type Example, fit, logOdds } from './logistic.ts'
import { createRandom } from './random.ts'

const random = createRandom('rows')
const EXAMPLES: readonly Example[] = Array.from({ length: 300 }, () => {
  const features = Float64Array.from({ length: 3 }, () => random())
  return { features, isPositive: (features[0] ?? 0) > (features[1] ?? 0), weight: 1 }
})

test('a linear model learns the sign of each feature', () => {
  const line = fit(EXAMPLES, 0.1)
  expect(line.weights[0]).toBeGreaterThan(1)
  expect(line.weights[1]).toBeLessThan(-1)
  expect(Math.abs(line.weights[2] ?? 9)).toBeLessThan(0.7)
  const right = EXAMPLES.filter(({ features, isPositive }) => logOdds(line, features) > 0 === isPositive)
  expect(right.length).toBeGreaterThan(285)
})

test('the same examples give the same weights; a higher penalty gives smaller ones', () => {
  expect(fit(EXAMPLES, 3)).toEqual(fit(EXAMPLES, 3))
  const length = (penalty: number) => Math.hypot(...fit(EXAMPLES, penalty).weights)
  expect(length(30)).toBeLessThan(length(3))
  expect(length(3)).toBeLessThan(length(0.1))
})

test('a feature that is always 0 has weight 0', () => {
  const line = fit(
    EXAMPLES.map((one) => ({ ...one, features: Float64Array.of(...one.features, 0) })),
    1,
  )
  expect(line.weights[3]).toBe(0)
})
