// Reads samples as the product does: the features of each script and of its sections, and the findings of the rules.
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Analysis, analyse } from '../../packages/script-analysis/src/analysis.ts'
import { scanBlocks } from '../../packages/script-analysis/src/blocks.ts'
import { conceptValues } from '../../packages/script-analysis/src/concepts.ts'
import { gatherEvidence } from '../../packages/script-analysis/src/evidence.ts'
import { FEATURE_NAMES, featuresOf } from '../../packages/script-analysis/src/features.ts'
import {
  MAX_STEPS_OF_LONG_PART,
  MAX_STEPS_OF_PART,
  MAX_WHOLE_LENGTH,
} from '../../packages/script-analysis/src/limits.ts'
import { longPartsOf, partsOf } from '../../packages/script-analysis/src/parts.ts'
import { findRecorder } from '../../packages/script-analysis/src/recorders.ts'
import { decides, matchRules } from '../../packages/script-analysis/src/rules.ts'
import { type Entry, readSampleText } from './samples.ts'

/** A stretch of a sample: the whole, or a section. */
export interface Stretch {
  readonly features: Float64Array
  /** Conclusive findings, which override the model. */
  readonly rules: readonly string[]
  /** Suggestive findings, which decide if the model agrees. */
  readonly signs: readonly string[]
  /** The model must be surer. */
  readonly isRecorder: boolean
}

/** A sample as the model sees it. */
export interface Reading {
  readonly sample: Entry
  readonly bytes: number
  /** CPU time. */
  readonly ms: number
  /** Whether it could be read as a script. */
  readonly isRead: boolean
  /** The whole first, unless it is too long. */
  readonly stretches: readonly Stretch[]
}

/** Features as pairs of index and value, without those that are 0. */
type Stored = Omit<Stretch, 'features'> & { readonly features: readonly (readonly [number, number])[] }

const SOURCES = fileURLToPath(new URL('../../packages/script-analysis/src/', import.meta.url))

/** What readings depend on, besides the samples: the names of the features, and the sources that compute them. */
function readerSources(): readonly string[] {
  const files = readdirSync(SOURCES).filter((file) => /(?<!\.(?:test|cases))\.ts$/u.test(file))
  const paths = [...files.toSorted().map((file) => join(SOURCES, file)), fileURLToPath(import.meta.url)]
  return [FEATURE_NAMES.join('\n'), ...paths.map((path) => readFileSync(path, 'utf8'))]
}

/** The file of readings in `folder`: another one for other features, so that no reading is of older ones. */
export function readingsFile(folder: string, name: string, sources: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(sources)).digest('hex')
  return join(folder, `${name}-${hash.slice(0, 16)}.jsonl`)
}

/**
 * Reads what the file of `folder` for NAME and the present features does not have yet; a stopped run continues where it
 * stopped.
 */
export function readSamples(folder: string, entries: readonly Entry[], name: string): readonly Reading[] {
  const file = readingsFile(folder, name, readerSources())
  const known = new Map(existsSync(file) ? readStored(file) : [])
  for (const [i, sample] of entries.entries()) {
    const key = keyOf(sample)
    if (known.has(key)) continue
    const reading = readText(sample, readSampleText(folder, sample))
    known.set(key, reading)
    const stretches = reading.stretches.map((one) => ({ ...one, features: sparse(one.features) }))
    appendFileSync(file, `${JSON.stringify({ ...reading, stretches })}\n`, { mode: 0o600 })
    if (i % 250 === 0) console.error(`${i} of ${entries.length} read`)
  }
  return entries.flatMap((sample) => known.get(keyOf(sample)) ?? [])
}

const keyOf = ({ sha256, group }: Entry): string => `${sha256} ${group}`

function readStored(file: string): readonly (readonly [string, Reading])[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      // Each line is written above.
      const reading = JSON.parse(line) as Omit<Reading, 'stretches'> & { stretches: readonly Stored[] }
      const stretches = reading.stretches.map((one) => ({ ...one, features: dense(one.features) }))
      return [keyOf(reading.sample), { ...reading, stretches }] as const
    })
}

const sparse = (features: Float64Array): [number, number][] =>
  Array.from(features, (value, i): [number, number] => [i, Math.round(value * 1e4) / 1e4]).filter(
    ([, value]) => value !== 0,
  )

function dense(pairs: Stored['features']): Float64Array {
  const features = new Float64Array(FEATURE_NAMES.length)
  for (const [i, value] of pairs) features[i] = value
  return features
}

/** As scoreScript does. */
export function readText(sample: Entry, source: string): Reading {
  const start = process.cpuUsage()
  const isLong = (text: string): boolean => text.length > MAX_WHOLE_LENGTH
  const text = isLong(source) ? scanBlocks(source, true).trimmed : source
  const whole = isLong(text) ? null : analyse(text)
  const parts =
    whole === null
      ? longPartsOf(source).parts.map((part) => analyse(part.source, MAX_STEPS_OF_LONG_PART))
      : partsOf(text).map((part) => analyse(part.source, MAX_STEPS_OF_PART))
  const analyses = [...(whole === null ? [] : [whole]), ...parts.filter(({ kind }) => kind === 'script')]
  const stretches = analyses.map(look)
  const { user, system } = process.cpuUsage(start)
  const isRead = whole === null ? stretches.length > 0 : whole.kind === 'script'
  return { sample, bytes: source.length, ms: (user + system) / 1000, isRead, stretches }
}

function look(analysis: Analysis): Stretch {
  const concepts = conceptValues(analysis)
  const evidence = gatherEvidence(analysis, concepts, [])
  const isRecorder = findRecorder(evidence) !== null
  const matches = matchRules(evidence, isRecorder)
  const deciding = matches.filter(({ rule }) => decides(matches, rule.head, 99, isRecorder))
  return {
    features: featuresOf(analysis, concepts, [], matches),
    isRecorder,
    rules: deciding.map(({ rule }) => rule.id),
    signs: matches.filter((match) => !deciding.includes(match)).map(({ rule }) => rule.id),
  }
}
