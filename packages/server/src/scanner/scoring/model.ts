// The trained part of the scores: a line and trees over named features that tell hostile scripts from others, a line for each kind of harm
// that tells which it would be, and tables from log odds to scores.
import { FEATURE_NAMES } from './features.ts'
import trained from './model.json' with { type: 'json' }
import { followTree, type Tree } from './trees.ts'

export type ModelHead = 'magecart' | 'cryptomining' | 'malware' | 'obfuscation'

export interface Contribution {
  readonly feature: string
  /** Added to the logarithm of the odds. */
  readonly weight: number
}

interface HeadModel {
  readonly bias: number
  readonly weights: Readonly<Record<string, number>>
}

interface Model {
  /** Whether a script is hostile at all: what the line and the trees say, by the share of each. */
  readonly harm: {
    /** From 0 to 1; the trees have the rest. */
    readonly lineShare: number
    readonly line: HeadModel
    /** The features that the trees ask for; trees name them by their place here. */
    readonly asked: readonly string[]
    readonly trees: readonly Tree[]
  }
  readonly heads: Readonly<Record<ModelHead, HeadModel>>
  /** Pairs of log odds and score, log odds rising and score falling; between them a straight line. */
  readonly calibration: readonly (readonly number[])[]
  readonly obfuscationCalibration: readonly (readonly number[])[]
}

/** How far the features speak for harm of any kind, and which of them say most of it. */
export function weighHarm(
  features: Float64Array,
  { harm }: Model = trained,
): { readonly logOdds: number; readonly contributions: readonly Contribution[] } {
  const byName = new Map(FEATURE_NAMES.map((name, i) => [name, features[i] ?? 0]))
  const shares = new Map<string, number>()
  const add = (feature: string, weight: number): void =>
    void shares.set(feature, (shares.get(feature) ?? 0) + weight)
  const { lineShare } = harm
  let logOdds = harm.line.bias * lineShare
  for (const [feature, weight] of Object.entries(harm.line.weights)) {
    const part = weight * (byName.get(feature) ?? 0) * lineShare
    logOdds += part
    if (part !== 0) add(feature, part)
  }
  for (const tree of harm.trees) {
    const { value, asked } = followTree(tree, (i) => byName.get(harm.asked[i] ?? '') ?? 0)
    logOdds += value * (1 - lineShare)
    // All that were asked on the way share in what the leaf says.
    for (const i of asked) add(harm.asked[i] ?? '', (value * (1 - lineShare)) / asked.length)
  }
  const contributions = [...shares].map(([feature, weight]) => ({ feature, weight }))
  return { logOdds, contributions: contributions.toSorted((a, b) => b.weight - a.weight) }
}

/** The log odds of one head alone. */
export function weigh(head: ModelHead, features: Float64Array, model: Model = trained): number {
  const { bias, weights } = model.heads[head]
  return FEATURE_NAMES.reduce((sum, name, i) => sum + (weights[name] ?? 0) * (features[i] ?? 0), bias)
}

/** 1 (certainly) to 99 (certainly not) for log odds. */
export function calibrate(head: ModelHead, logOdds: number, model: Model = trained): number {
  const table = head === 'obfuscation' ? model.obfuscationCalibration : model.calibration
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
