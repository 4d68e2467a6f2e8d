// Logistic regression with a quadratic penalty, by gradient descent with momentum over all examples. The same examples give the same weights.

export interface Example {
  readonly features: Float64Array
  readonly isPositive: boolean
  readonly weight: number
}

export interface Line {
  readonly bias: number
  readonly weights: Float64Array
}

const ROUNDS = 250
const MOMENTUM = 0.9

/** The weights that explain the examples; `penalty` on the square of each. */
export function fit(examples: readonly Example[], penalty: number): Line {
  const width = examples[0]?.features.length ?? 0
  const weights = new Float64Array(width)
  const moved = new Float64Array(width + 1)
  const gradient = new Float64Array(width)
  const total = examples.reduce((sum, { weight }) => sum + weight, 0)
  let bias = -2
  for (let round = 0; round < ROUNDS; round += 1) {
    gradient.fill(0)
    let biasGradient = 0
    for (const { features, isPositive, weight } of examples) {
      const error =
        ((1 / (1 + Math.exp(-logOdds({ bias, weights }, features))) - Number(isPositive)) * weight) / total
      biasGradient += error
      for (let i = 0; i < width; i += 1) gradient[i] = (gradient[i] ?? 0) + error * (features[i] ?? 0)
    }
    const rate = 2.5 / (1 + round / 200)
    for (let i = 0; i < width; i += 1) {
      const step =
        MOMENTUM * (moved[i] ?? 0) - rate * ((gradient[i] ?? 0) + (penalty * (weights[i] ?? 0)) / total)
      moved[i] = step
      weights[i] = (weights[i] ?? 0) + step
    }
    const step = MOMENTUM * (moved[width] ?? 0) - rate * biasGradient
    moved[width] = step
    bias += step
  }
  return { bias, weights }
}

export function logOdds({ bias, weights }: Line, features: Float64Array): number {
  let sum = bias
  for (let i = 0; i < weights.length; i += 1) sum += (weights[i] ?? 0) * (features[i] ?? 0)
  return sum
}
