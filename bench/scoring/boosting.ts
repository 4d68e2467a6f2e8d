// Gradient-boosted trees over binned features. Deterministic: the same examples give the same trees.
import type { Tree } from '../../packages/script-analysis/src/trees.ts'
import type { Example } from './logistic.ts'
import { createRandom } from './random.ts'

export interface BoostOptions {
  readonly trees: number
  /** Maximum decisions on a path to a leaf. */
  readonly depth: number
  readonly rate: number
  /** The fraction of features available to each tree. */
  readonly columns: number
}

const BINS = 16
const PENALTY_OF_LEAF = 4
const MIN_WEIGHT_OF_LEAF = 3

interface Binned {
  /** By feature, then by example. */
  readonly bins: readonly Uint8Array[]
  /** The upper edges of each feature's bins. */
  readonly edges: readonly (readonly number[])[]
}

/** Trees whose values are added to the log odds of `base`. */
export function boost(
  examples: readonly Example[],
  { trees, depth, rate, columns }: BoostOptions,
): readonly Tree[] {
  const binned = cutIntoBins(examples)
  const odds = new Float64Array(examples.length)
  const random = createRandom('columns')
  return Array.from({ length: trees }, () => {
    const gradients = new Float64Array(examples.length)
    const curvatures = new Float64Array(examples.length)
    examples.forEach(({ isPositive, weight }, i) => {
      const p = 1 / (1 + Math.exp(-(odds[i] ?? 0)))
      gradients[i] = (p - Number(isPositive)) * weight
      curvatures[i] = Math.max(1e-6, p * (1 - p)) * weight
    })
    const asked = binned.bins.flatMap((_, i) =>
      (binned.edges[i]?.length ?? 0) > 0 && random() < columns ? [i] : [],
    )
    return grow({ binned, asked, gradients, curvatures, odds, depth, rate })
  })
}

interface Growth {
  readonly binned: Binned
  readonly asked: readonly number[]
  readonly gradients: Float64Array
  readonly curvatures: Float64Array
  readonly odds: Float64Array
  readonly depth: number
  readonly rate: number
}

interface Split {
  readonly feature: number
  readonly bin: number
  readonly gain: number
}

/** Trains one tree, and adds its leaf values to `odds`. */
function grow(growth: Growth): Tree {
  const size = 2 ** (growth.depth + 1) - 1
  const features = Array.from({ length: size }, () => -1)
  const values = Array.from({ length: size }, () => 0)
  const open: { at: number; members: Int32Array }[] = [
    { at: 0, members: Int32Array.from(growth.gradients, (_, i) => i) },
  ]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { at, members } = next
    const split = at * 2 + 2 < size ? bestSplit(growth, members) : null
    if (split === null) {
      values[at] = leafValue(growth, members)
      continue
    }
    const bins = growth.binned.bins[split.feature] ?? new Uint8Array()
    features[at] = split.feature
    values[at] = growth.binned.edges[split.feature]?.[split.bin] ?? 0
    open.push({ at: at * 2 + 1, members: members.filter((i) => (bins[i] ?? 0) <= split.bin) })
    open.push({ at: at * 2 + 2, members: members.filter((i) => (bins[i] ?? 0) > split.bin) })
  }
  return { features, values }
}

function leafValue({ gradients, curvatures, odds, rate }: Growth, members: Int32Array): number {
  let gradient = 0
  let curvature = 0
  for (const i of members) {
    gradient += gradients[i] ?? 0
    curvature += curvatures[i] ?? 0
  }
  const value = Math.round(((-gradient * rate) / (curvature + PENALTY_OF_LEAF)) * 1e4) / 1e4
  for (const i of members) odds[i] = (odds[i] ?? 0) + value
  return value
}

function bestSplit({ binned, asked, gradients, curvatures }: Growth, members: Int32Array): Split | null {
  let best: Split | null = null
  const sums = new Float64Array(BINS)
  const weights = new Float64Array(BINS)
  let allGradient = 0
  let allWeight = 0
  for (const i of members) {
    allGradient += gradients[i] ?? 0
    allWeight += curvatures[i] ?? 0
  }
  const worth = (gradient: number, weight: number): number => gradient ** 2 / (weight + PENALTY_OF_LEAF)
  for (const feature of asked) {
    const bins = binned.bins[feature] ?? new Uint8Array()
    sums.fill(0)
    weights.fill(0)
    for (const i of members) {
      const bin = bins[i] ?? 0
      sums[bin] = (sums[bin] ?? 0) + (gradients[i] ?? 0)
      weights[bin] = (weights[bin] ?? 0) + (curvatures[i] ?? 0)
    }
    let gradient = 0
    let weight = 0
    for (let bin = 0; bin < (binned.edges[feature]?.length ?? 0); bin += 1) {
      gradient += sums[bin] ?? 0
      weight += weights[bin] ?? 0
      if (weight < MIN_WEIGHT_OF_LEAF || allWeight - weight < MIN_WEIGHT_OF_LEAF) continue
      const gain =
        worth(gradient, weight) +
        worth(allGradient - gradient, allWeight - weight) -
        worth(allGradient, allWeight)
      if (gain > (best?.gain ?? 0.5)) best = { feature, bin, gain }
    }
  }
  return best
}

/** Bins between quantiles; 0, the most frequent value, has its own bin. */
function cutIntoBins(examples: readonly Example[]): Binned {
  const width = examples[0]?.features.length ?? 0
  const edges: number[][] = []
  const bins: Uint8Array[] = []
  for (let feature = 0; feature < width; feature += 1) {
    const values = Float64Array.from(examples, ({ features }) => features[feature] ?? 0)
    const others = values.filter((value) => value !== 0).toSorted()
    const cuts = Array.from(
      { length: BINS - 2 },
      (_, k) => others[Math.floor((others.length * (k + 1)) / (BINS - 1))] ?? 0,
    ).map((value) => Math.round((value - 5e-4) * 1e3) / 1e3)
    const own = [...new Set(others.length < 8 ? [] : [0, ...cuts])]
      .toSorted((a, b) => a - b)
      .slice(0, BINS - 1)
    edges.push(own)
    bins.push(Uint8Array.from(values, (value) => countBelow(own, value)))
  }
  return { bins, edges }
}

const countBelow = (edges: readonly number[], value: number): number => {
  let count = 0
  while (count < edges.length && value > (edges[count] ?? 0)) count += 1
  return count
}
