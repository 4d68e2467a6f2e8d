// Reads the samples as the product does, and makes the model out of what it sees.
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Analysis, analyse } from '../../packages/server/src/scanner/scoring/analysis.ts'
import { conceptValues } from '../../packages/server/src/scanner/scoring/concepts.ts'
import { FEATURE_NAMES, featuresOf, SHAPE_COUNT } from '../../packages/server/src/scanner/scoring/features.ts'
import { gatherEvidence } from '../../packages/server/src/scanner/scoring/evidence.ts'
import { findRecorder } from '../../packages/server/src/scanner/scoring/recorders.ts'
import { decides, matchRules } from '../../packages/server/src/scanner/scoring/rules.ts'
import { MAX_STEPS_OF_PART } from '../../packages/server/src/scanner/scoring/limits.ts'
import { partsOf } from '../../packages/server/src/scanner/scoring/parts.ts'
import { type HeldOut, HEADS, type Judge, LINE_SHARE, trainHeads, trainJudge } from './evaluation.ts'
import { fit, logOdds } from './logistic.ts'
import { loadSamples, type Sample } from './make-data.ts'
import { thresholdAt } from './statistics.ts'

/** A sample as the model sees it. */
export interface Read {
  readonly sample: Omit<Sample, 'source'>
  readonly bytes: number
  /** Of the processor. */
  readonly ms: number
  readonly features: Float64Array
  /** Of stretches that are looked at on their own, too. */
  readonly parts: readonly Float64Array[]
  /** That decide whatever the model says, of the whole and of its stretches. */
  readonly rules: readonly string[]
  /** That decide where the model agrees. */
  readonly signs: readonly string[]
  /** Of which the model has to be surer. */
  readonly isRecorder: boolean
}

const MODEL = fileURLToPath(new URL('../../packages/server/src/scanner/scoring/model.json', import.meta.url))
const PENALTY_OF_SHAPE = 2
const OBFUSCATED = /obfuscated|six|packed|evaluated/u

/** What the product sees of each sample, from the cache or anew. What was interrupted goes on where it was. */
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
      // Each line was written above.
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
    lineShare: LINE_SHARE,
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
