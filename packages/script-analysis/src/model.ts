// The trained part of the scores: a linear part and trees over named features that tell hostile scripts from others,
// a linear part for each class of harm, and tables from log odds to scores.
import { elementAt } from './checked-reads.ts'
import { FEATURE_NAMES } from './features.ts'
import trained from './model.json' with { type: 'json' }
import { followTree, type Tree } from './trees.ts'

export type ModelClass = 'magecart' | 'cryptomining' | 'malware' | 'obfuscation'

export interface Contribution {
  readonly feature: string
  /** Added to the log odds. */
  readonly weight: number
}

interface ClassModel {
  readonly bias: number
  readonly weights: Readonly<Record<string, number>>
}

interface Model {
  /** Whether a script is hostile at all: a weighted sum of the linear part and the trees. */
  readonly harm: {
    /** From 0 to 1; the rest is the share of the trees. */
    readonly lineShare: number
    readonly line: ClassModel
    /** The features that the trees use; trees refer to them by their index here. */
    readonly asked: readonly string[]
    readonly trees: readonly Tree[]
  }
  readonly heads: Readonly<Record<ModelClass, ClassModel>>
  /** Pairs of log odds and score, with rising log odds and falling scores; interpolated linearly. */
  readonly calibration: readonly (readonly number[])[]
  readonly obfuscationCalibration: readonly (readonly number[])[]
}

const FEATURE_INDEX = new Map(FEATURE_NAMES.map((name, i) => [name, i]))

function valueOf(features: Float64Array, name: string): number {
  const index = FEATURE_INDEX.get(name)
  if (index === undefined) throw new Error(`the model uses ${name}, which is no feature`)
  return elementAt(features, index)
}

/** The log odds for harm of any class, and the contributions of the features. */
export function weighHarm(
  features: Float64Array,
  { harm }: Model = trained,
): { readonly logOdds: number; readonly contributions: readonly Contribution[] } {
  const shares = new Map<string, number>()
  const add = (feature: string, weight: number): void =>
    void shares.set(feature, (shares.get(feature) ?? 0) + weight)
  const { lineShare } = harm
  let logOdds = harm.line.bias * lineShare
  for (const [feature, weight] of Object.entries(harm.line.weights)) {
    const part = weight * valueOf(features, feature) * lineShare
    logOdds += part
    if (part !== 0) add(feature, part)
  }
  for (const tree of harm.trees) {
    const { value, asked } = followTree(tree, (i) => valueOf(features, elementAt(harm.asked, i)))
    logOdds += value * (1 - lineShare)
    // All features on the path share the value of the leaf.
    for (const i of asked) add(elementAt(harm.asked, i), (value * (1 - lineShare)) / asked.length)
  }
  const contributions = [...shares].map(([feature, weight]) => ({ feature, weight }))
  return { logOdds, contributions: contributions.toSorted((a, b) => b.weight - a.weight) }
}

/** The log odds of one class. */
export function weigh(scriptClass: ModelClass, features: Float64Array, model: Model = trained): number {
  const { bias, weights } = model.heads[scriptClass]
  let sum = bias
  for (const [i, name] of FEATURE_NAMES.entries()) {
    const weight = weights[name]
    if (weight !== undefined) sum += weight * elementAt(features, i)
  }
  return sum
}

/** Converts log odds to a score from 1 (certainly) to 99 (certainly not). */
export function calibrate(scriptClass: ModelClass, logOdds: number, model: Model = trained): number {
  const table = scriptClass === 'obfuscation' ? model.obfuscationCalibration : model.calibration
  const after = table.findIndex(([at]) => at !== undefined && at >= logOdds)
  const [, low] = table[0] ?? [0, 99]
  if (after === 0) return Math.round(low ?? 99)
  const [x0, y0] = table.at(after === -1 ? -1 : after - 1) ?? [0, 99]
  const [x1, y1] = table[after] ?? [x0, y0]
  if (x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined || x0 === x1) {
    return Math.round(y0 ?? 99)
  }
  return Math.min(99, Math.max(1, Math.round(y0 + ((logOdds - x0) / (x1 - x0)) * (y1 - y0))))
}
