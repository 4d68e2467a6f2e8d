// Logistic regression with a quadratic penalty, by gradient descent with momentum over all examples. Deterministic: the
// same examples give the same weights.

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

/** An example as its few features that are not 0. */
interface Sparse {
  readonly places: Int32Array
  readonly values: Float64Array
  readonly example: Example
}

/** Fits the weights; `penalty` applies to the square of each. */
export function fit(examples: readonly Example[], penalty: number): Line {
  const width = examples[0]?.features.length ?? 0
  const sparse = examples.map(toSparse)
  const weights = new Float64Array(width)
  const moved = new Float64Array(width + 1)
  const gradient = new Float64Array(width)
  const total = examples.reduce((sum, { weight }) => sum + weight, 0)
  let bias = -2
  for (let round = 0; round < ROUNDS; round += 1) {
    gradient.fill(0)
    const biasGradient = addGradients(sparse, { bias, weights }, total, gradient)
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

function addGradients(
  sparse: readonly Sparse[],
  { bias, weights }: Line,
  total: number,
  gradient: Float64Array,
): number {
  let biasGradient = 0
  for (const { places, values, example } of sparse) {
    let sum = bias
    for (let k = 0; k < places.length; k += 1) sum += (weights[places[k] ?? 0] ?? 0) * (values[k] ?? 0)
    const error = ((1 / (1 + Math.exp(-sum)) - Number(example.isPositive)) * example.weight) / total
    biasGradient += error
    for (let k = 0; k < places.length; k += 1) {
      const place = places[k] ?? 0
      gradient[place] = (gradient[place] ?? 0) + error * (values[k] ?? 0)
    }
  }
  return biasGradient
}

function toSparse(example: Example): Sparse {
  const places: number[] = []
  example.features.forEach((value, i) => {
    if (value !== 0) places.push(i)
  })
  return {
    places: Int32Array.from(places),
    values: Float64Array.from(places, (i) => example.features[i] ?? 0),
    example,
  }
}

export function logOdds({ bias, weights }: Line, features: Float64Array): number {
  let sum = bias
  for (let i = 0; i < weights.length; i += 1) sum += (weights[i] ?? 0) * (features[i] ?? 0)
  return sum
}
