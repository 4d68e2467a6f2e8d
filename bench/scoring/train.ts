// Reads the samples as the product does, and makes the model out of what it sees.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { analyse } from '../../packages/server/src/scanner/scoring/analysis.ts'
import { conceptValues } from '../../packages/server/src/scanner/scoring/concepts.ts'
import { FEATURE_NAMES, featuresOf, SHAPE_COUNT } from '../../packages/server/src/scanner/scoring/features.ts'
import { gatherEvidence } from '../../packages/server/src/scanner/scoring/evidence.ts'
import { decides, matchRules } from '../../packages/server/src/scanner/scoring/rules.ts'
import { type HeldOut, HEADS, type Judge, trainHeads, trainJudge } from './evaluation.ts'
import { fit, logOdds } from './logistic.ts'
import { loadSamples, type Sample } from './make-data.ts'
import { thresholdAt } from './statistics.ts'

/** A sample as the model sees it. */
export interface Read {
  readonly sample: Omit<Sample, 'source'>
  readonly bytes: number
  readonly ms: number
  readonly features: Float64Array
  /** That decide whatever the model says. */
  readonly rules: readonly string[]
}

const MODEL = fileURLToPath(new URL('../../packages/server/src/scanner/scoring/model.json', import.meta.url))
const PENALTY_OF_SHAPE = 2
const OBFUSCATED = /obfuscated|six|packed|evaluated/u

/** What the product sees of each sample, from the cache or anew. */
export async function readSamples(cache: string, isAnew: boolean): Promise<readonly Read[]> {
  const file = join(cache, 'features.jsonl')
  if (isAnew || !existsSync(file)) {
    const reads = (await distinct(cache)).map(readSample)
    writeFileSync(
      file,
      reads
        .map((read) =>
          JSON.stringify({ ...read, features: Array.from(read.features, (n) => Math.round(n * 1e4) / 1e4) }),
        )
        .join('\n'),
    )
    return reads
  }
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => {
      // Each line was written above.
      const read = JSON.parse(line) as Omit<Read, 'features'> & { features: number[] }
      return { ...read, features: Float64Array.from(read.features) }
    })
}

async function distinct(cache: string): Promise<readonly Sample[]> {
  const seen = new Set<string>()
  return (await loadSamples(cache)).filter(({ source }) => !seen.has(source) && seen.add(source))
}

function readSample({ source, ...sample }: Sample, index: number): Read {
  const start = performance.now()
  const analysis = analyse(source)
  const concepts = conceptValues(analysis)
  const features = featuresOf(analysis, concepts, [])
  const evidence = gatherEvidence(analysis, concepts, [])
  const matches = matchRules(evidence)
  const rules = matches.filter(({ rule }) => decides(matches, rule.head, 99)).map(({ rule }) => rule.id)
  const ms = performance.now() - start
  if (index % 250 === 0) console.error(`${index} read`)
  return { sample, bytes: source.length, ms, features, rules }
}

/** The head that tells whether a script was obfuscated: its labels come with the data. */
function trainObfuscation(reads: readonly Read[]): ReturnType<typeof fit> {
  return fit(
    reads.map(({ sample, features }) => ({
      features: features.subarray(0, SHAPE_COUNT),
      isPositive: OBFUSCATED.test(sample.form),
      weight: 1,
    })),
    PENALTY_OF_SHAPE,
  )
}

const round = (value: number): number => Math.round(value * 1e4) / 1e4

function named(line: ReturnType<typeof fit>): { bias: number; weights: Record<string, number> } {
  const weights: Record<string, number> = {}
  line.weights.forEach((weight, i) => {
    const name = FEATURE_NAMES[i]
    if (name !== undefined && Math.abs(weight) >= 0.005) weights[name] = round(weight)
  })
  return { bias: round(line.bias), weights }
}

/** The trees with the features that they ask for by name. */
function namedJudge({ line, trees }: Judge): object {
  const asked = [...new Set(trees.flatMap(({ features }) => features.filter((i) => i >= 0)))]
  const place = new Map(asked.map((feature, i) => [feature, i]))
  return {
    line: named(line),
    asked: asked.map((feature) => FEATURE_NAMES[feature]),
    trees: trees.map(({ features, values }) => {
      // What no way leads to is cut off from the end.
      const length = values.length - values.toReversed().findIndex((value) => value !== 0)
      return {
        features: features.slice(0, length).map((feature) => place.get(feature) ?? -1),
        values: values.slice(0, length),
      }
    }),
  }
}

/** From log odds to a score, so that 10 is crossed at the threshold. */
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

/** Trains on everything and writes the model; what was held out decides where a score of 10 is. */
export function writeModel(reads: readonly Read[], heldOut: readonly HeldOut[], threshold: number): void {
  const heads = trainHeads(reads)
  const obfuscation = trainObfuscation(reads)
  const isObfuscated = (read: Read): boolean => OBFUSCATED.test(read.sample.form)
  const shapes = (isWanted: boolean): number[] =>
    reads
      .filter((read) => isObfuscated(read) === isWanted)
      .map(({ features }) => logOdds(obfuscation, features.subarray(0, SHAPE_COUNT)))
  const oddsOf = (isBenign: boolean): number[] =>
    heldOut.filter(({ read }) => (read.sample.label === 'benign') === isBenign).map(({ odds }) => odds)
  const model = {
    harm: namedJudge(trainJudge(reads)),
    heads: {
      ...Object.fromEntries(HEADS.map((head) => [head, named(heads[head])])),
      obfuscation: named(obfuscation),
    },
    calibration: calibration(oddsOf(true), oddsOf(false), threshold),
    obfuscationCalibration: calibration(shapes(false), shapes(true), thresholdAt(shapes(false), 0.01)),
  }
  writeFileSync(MODEL, `${JSON.stringify(model, null, 1)}\n`)
}
