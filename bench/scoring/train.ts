// Trains the model on readings of samples, and writes it with its provenance.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ScriptClass } from '../../packages/script-analysis/src/evidence.ts'
import { FEATURE_NAMES, SHAPE_COUNT } from '../../packages/script-analysis/src/features.ts'
import { followTree, type Tree } from '../../packages/script-analysis/src/trees.ts'
import { boost } from './boosting.ts'
import { type Example, fit, type Line, logOdds } from './logistic.ts'
import type { Reading } from './readings.ts'
import { IN_LIBRARY } from './samples.ts'
import { thresholdAt } from './statistics.ts'

const MODEL = fileURLToPath(new URL('../../packages/script-analysis/src/model.json', import.meta.url))
const PENALTY = 1
const PENALTY_OF_SHAPE = 2
const OBFUSCATED = /obfuscated|six|packed|evaluated/u
/** Weight of the linear model; the rest is that of the trees. */
const LINE_SHARE = 0.5
const TREES = { trees: 200, depth: 3, rate: 0.14, columns: 0.08 }

/** A linear model and trees, whose log odds are added with weights. */
export interface Judge {
  readonly line: Line
  readonly trees: readonly Tree[]
}

interface Row {
  readonly features: Float64Array
  readonly group: string
  readonly label: string
}

/**
 * All stretches of benign scripts are benign; of a hostile one only the whole is known to be hostile. Copies in a library
 * only judge: they would train that the library, which other folds judge as benign, is hostile.
 */
export const rowsOf = (readings: readonly Reading[]): readonly Row[] =>
  readings.flatMap(({ sample: { group, label, family, form }, stretches, isRead }) => {
    if (!isRead || form === IN_LIBRARY) return []
    const own = label === 'benign' ? stretches : stretches.slice(0, 1)
    return own.map(({ features }) => ({ features, group: `${group} ${family}`, label }))
  })

export function trainJudge(readings: readonly Reading[]): Judge {
  const examples = toExamples(rowsOf(readings), (label) => label !== 'benign')
  return { line: fit(examples, PENALTY), trees: boost(examples, TREES) }
}

export function oddsOf({ line, trees }: Judge, features: Float64Array): number {
  const byTrees = trees.reduce((sum, tree) => sum + followTree(tree, (i) => features[i] ?? 0).value, 0)
  return logOdds(line, features) * LINE_SHARE + byTrees * (1 - LINE_SHARE)
}

/** Both classes have the same total weight. A row weighs less the more rows its group has. */
function toExamples(rows: readonly Row[], isExpected: (label: string) => boolean): readonly Example[] {
  const sizes = new Map<string, number>()
  for (const { group } of rows) sizes.set(group, (sizes.get(group) ?? 0) + 1)
  const examples = rows.map(({ features, group, label }) => ({
    features,
    isPositive: isExpected(label),
    weight: 1 / Math.sqrt(sizes.get(group) ?? 1),
  }))
  const sumOf = (isPositive: boolean): number =>
    examples.reduce((sum, one) => sum + (one.isPositive === isPositive ? one.weight : 0), 0)
  const half = { true: examples.length / 2 / sumOf(true), false: examples.length / 2 / sumOf(false) }
  return examples.map((one) => ({ ...one, weight: one.weight * half[`${one.isPositive}`] }))
}

const round = (value: number): number => Math.round(value * 1e4) / 1e4

function named(line: Line): { bias: number; weights: Record<string, number> } {
  const weights: Record<string, number> = {}
  line.weights.forEach((weight, i) => {
    const name = FEATURE_NAMES[i]
    if (name !== undefined && Math.abs(weight) >= 0.005) weights[name] = round(weight)
  })
  return { bias: round(line.bias), weights }
}

/** The trees with their features by name. */
function namedJudge({ line, trees }: Judge): object {
  const asked = [...new Set(trees.flatMap(({ features }) => features.filter((i) => i >= 0)))]
  const place = new Map(asked.map((feature, i) => [feature, i]))
  return {
    lineShare: LINE_SHARE,
    line: named(line),
    asked: asked.map((feature) => FEATURE_NAMES[feature]),
    trees: trees.map(({ features, values }) => {
      // Removes unreachable nodes from the end.
      const length = values.length - values.toReversed().findIndex((value) => value !== 0)
      return {
        features: features.slice(0, length).map((feature) => place.get(feature) ?? -1),
        values: values.slice(0, length),
      }
    }),
  }
}

/** Maps log odds to a score, with score 10 at the threshold. */
function calibration(benign: readonly number[], hostile: readonly number[], threshold: number): number[][] {
  const sorted = benign.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0
  const middle = hostile.toSorted((a, b) => a - b)[Math.floor(hostile.length / 2)] ?? 0
  const knots = [
    [at(0.5), 99],
    [at(0.9), 92],
    [at(0.99), 60],
    [threshold - 0.001, 10],
    [threshold, 9],
    [Math.max(middle, threshold + 1), 3],
    [Math.max(middle, threshold + 1) + 4, 1],
  ]
  let last = Number.NEGATIVE_INFINITY
  return knots.map(([x = 0, score = 99]) => {
    last = Math.max(x, last + 0.0005)
    return [score < 60 ? Math.round(last * 1e5) / 1e5 : round(last), score]
  })
}

/** Which log odds held-out samples have; they decide where score 10 lies. */
export interface HeldOutOdds {
  readonly benign: readonly number[]
  readonly hostile: readonly number[]
  readonly threshold: number
}

/** Trains on everything and writes the model. `provenance`: what it was trained on. */
export function writeModel(
  readings: readonly Reading[],
  classes: readonly ScriptClass[],
  { benign, hostile, threshold }: HeldOutOdds,
  provenance: object,
): void {
  const rows = rowsOf(readings)
  const obfuscation = fit(
    readings.flatMap(({ sample, stretches: [whole] }) =>
      whole === undefined
        ? []
        : [
            {
              features: whole.features.subarray(0, SHAPE_COUNT),
              isPositive: OBFUSCATED.test(sample.form),
              weight: 1,
            },
          ],
    ),
    PENALTY_OF_SHAPE,
  )
  const shapes = (isExpected: boolean): number[] =>
    readings.flatMap(({ sample, stretches: [whole] }) =>
      whole === undefined || OBFUSCATED.test(sample.form) !== isExpected
        ? []
        : [logOdds(obfuscation, whole.features.subarray(0, SHAPE_COUNT))],
    )
  const ofClass = (scriptClass: ScriptClass) =>
    named(
      fit(
        toExamples(rows, (label) => label === scriptClass),
        PENALTY,
      ),
    )
  const model = {
    provenance,
    harm: namedJudge(trainJudge(readings)),
    heads: {
      ...Object.fromEntries(classes.map((one) => [one, ofClass(one)])),
      obfuscation: named(obfuscation),
    },
    calibration: calibration(benign, hostile, threshold),
    obfuscationCalibration: calibration(shapes(false), shapes(true), thresholdAt(shapes(false), 0.01)),
  }
  writeFileSync(MODEL, `${JSON.stringify(model, null, 1)}\n`)
}
