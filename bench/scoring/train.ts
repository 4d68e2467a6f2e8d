// Reads the samples as the product does, and trains the model on their features.
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Analysis, analyse } from '../../packages/script-analysis/src/analysis.ts'
import { conceptValues } from '../../packages/script-analysis/src/concepts.ts'
import { FEATURE_NAMES, featuresOf, SHAPE_COUNT } from '../../packages/script-analysis/src/features.ts'
import { gatherEvidence } from '../../packages/script-analysis/src/evidence.ts'
import { findRecorder } from '../../packages/script-analysis/src/recorders.ts'
import { decides, matchRules } from '../../packages/script-analysis/src/rules.ts'
import { MAX_STEPS_OF_PART } from '../../packages/script-analysis/src/limits.ts'
import { partsOf } from '../../packages/script-analysis/src/parts.ts'
import { type HeldOut, CLASSES, type Judge, LINE_SHARE, trainClasses, trainJudge } from './evaluation.ts'
import { fit, logOdds } from './logistic.ts'
import { loadSamples, type Sample } from './make-data.ts'
import { thresholdAt } from './statistics.ts'

/** A sample as the model sees it. */
export interface Read {
  readonly sample: Omit<Sample, 'source'>
  readonly bytes: number
  /** CPU time. */
  readonly ms: number
  readonly features: Float64Array
  /** Features of stretches that are also scored separately. */
  readonly parts: readonly Float64Array[]
  /** Conclusive findings, which override the model, of the whole script and of its stretches. */
  readonly rules: readonly string[]
  /** Suggestive findings, which decide if the model agrees. */
  readonly signs: readonly string[]
  /** Findings that need higher log odds of the model. */
  readonly isRecorder: boolean
}

const MODEL = fileURLToPath(new URL('../../packages/script-analysis/src/model.json', import.meta.url))
const PENALTY_OF_SHAPE = 2
const OBFUSCATED = /obfuscated|six|packed|evaluated/u

/** The product's features of each sample, from the cache or computed. An interrupted run continues where it stopped. */
export async function readSamples(cache: string, isAnew: boolean): Promise<readonly Read[]> {
  const file = join(cache, 'features.jsonl')
  const partial = `${file}.part`
  if (isAnew) rmSync(partial, { force: true })
  if (isAnew || !existsSync(file)) {
    const samples = await distinct(cache)
    const done = existsSync(partial) ? readFileSync(partial, 'utf8').split('\n').length - 1 : 0
    for (const [i, sample] of samples.entries()) {
      if (i < done) continue
      const read = readSample(sample)
      const line = { ...read, features: rounded(read.features), parts: read.parts.map(rounded) }
      appendFileSync(partial, `${JSON.stringify(line)}\n`)
      if (i % 250 === 0) console.error(`${i} of ${samples.length} read`)
    }
    renameSync(partial, file)
  }
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      // Each line is written above.
      const read = JSON.parse(line) as Omit<Read, 'features' | 'parts'> & Stored
      return {
        ...read,
        features: Float64Array.from(read.features),
        parts: read.parts.map((part) => Float64Array.from(part)),
      }
    })
}

interface Stored {
  readonly features: readonly number[]
  readonly parts: readonly (readonly number[])[]
}

const rounded = (features: Float64Array): number[] => Array.from(features, (n) => Math.round(n * 1e4) / 1e4)

async function distinct(cache: string): Promise<readonly Sample[]> {
  const seen = new Set<string>()
  return (await loadSamples(cache)).filter(({ source }) => !seen.has(source) && seen.add(source))
}

function readSample({ source, ...sample }: Sample): Read {
  const start = process.cpuUsage()
  const whole = look(analyse(source))
  const parts = partsOf(source).map((part) => look(analyse(part.source, MAX_STEPS_OF_PART)))
  const { user, system } = process.cpuUsage(start)
  return {
    sample,
    bytes: source.length,
    ms: (user + system) / 1000,
    features: whole.features,
    parts: parts.map(({ features }) => features),
    rules: [...new Set([whole, ...parts].flatMap(({ rules }) => rules))],
    signs: [...new Set([whole, ...parts].flatMap(({ signs }) => signs))],
    isRecorder: whole.isRecorder,
  }
}

function look(analysis: Analysis): Pick<Read, 'features' | 'rules' | 'signs' | 'isRecorder'> {
  const concepts = conceptValues(analysis)
  const evidence = gatherEvidence(analysis, concepts, [])
  const isRecorder = findRecorder(evidence) !== null
  const matches = matchRules(evidence, isRecorder)
  const deciding = matches.filter(({ rule }) => decides(matches, rule.head, 99, isRecorder))
  return {
    features: featuresOf(analysis, concepts, []),
    isRecorder,
    rules: deciding.map(({ rule }) => rule.id),
    signs: matches.filter((match) => !deciding.includes(match)).map(({ rule }) => rule.id),
  }
}

/** Trains the class "obfuscated"; its labels come with the data. */
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

/** Trains on everything and writes the model; held-out data decides the log odds of score 10. */
export function writeModel(reads: readonly Read[], heldOut: readonly HeldOut[], threshold: number): void {
  const classes = trainClasses(reads)
  const obfuscation = trainObfuscation(reads)
  const isObfuscated = (read: Read): boolean => OBFUSCATED.test(read.sample.form)
  const shapes = (isExpected: boolean): number[] =>
    reads
      .filter((read) => isObfuscated(read) === isExpected)
      .map(({ features }) => logOdds(obfuscation, features.subarray(0, SHAPE_COUNT)))
  const oddsOf = (isBenign: boolean): number[] =>
    heldOut.filter(({ read }) => (read.sample.label === 'benign') === isBenign).map(({ odds }) => odds)
  const model = {
    harm: namedJudge(trainJudge(reads)),
    heads: {
      ...Object.fromEntries(CLASSES.map((head) => [head, named(classes[head])])),
      obfuscation: named(obfuscation),
    },
    calibration: calibration(oddsOf(true), oddsOf(false), threshold),
    obfuscationCalibration: calibration(shapes(false), shapes(true), thresholdAt(shapes(false), 0.01)),
  }
  writeFileSync(MODEL, `${JSON.stringify(model, null, 1)}\n`)
}
