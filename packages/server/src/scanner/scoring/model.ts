// The trained part of the scores: a weight for each named feature, one set for each head, and a table from what they add up to to a score.
import { FEATURE_NAMES } from './features.ts'
import trained from './model.json' with { type: 'json' }

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
  readonly heads: Readonly<Record<ModelHead, HeadModel>>
  /** Pairs of log odds and score, log odds rising and score falling; between them a straight line. */
  readonly calibration: readonly (readonly number[])[]
  readonly obfuscationCalibration: readonly (readonly number[])[]
}

/** What the features say about one head, and which of them say most of it. */
export function weigh(
  head: ModelHead,
  features: Float64Array,
  model: Model = trained,
): { readonly logOdds: number; readonly contributions: readonly Contribution[] } {
  const { bias, weights } = model.heads[head]
  let logOdds = bias
  const contributions: Contribution[] = []
  for (const [i, feature] of FEATURE_NAMES.entries()) {
    const weight = (weights[feature] ?? 0) * (features[i] ?? 0)
    logOdds += weight
    if (weight !== 0) contributions.push({ feature, weight })
  }
  return { logOdds, contributions: contributions.toSorted((a, b) => b.weight - a.weight) }
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
