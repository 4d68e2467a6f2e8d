// Judges the model on samples that it was not trained on: each group (repository, package, library) is held out as a
// whole, once in five folds, and once by year.
import type { ScriptClass } from '../../packages/script-analysis/src/evidence.ts'
import { machineClass, median, printTable, quantile } from '../measure.ts'
import type { Reading, Stretch } from './readings.ts'
import { areaUnderCurve, shareText, thresholdAt } from './statistics.ts'
import { type Judge, oddsOf, trainJudge } from './train.ts'
import { createRandom } from './variation.ts'

export const CLASSES = ['magecart', 'cryptomining', 'malware'] satisfies ScriptClass[]
const FOLDS = 5
/** Seed of the split into folds; another seed gives the figures of another split. */
const PARTITION = 'real samples'
/** Samples up to this year train, later ones judge. */
const LAST_YEAR_OF_TRAINING = 2019
/** Greater than any log odds: what a conclusive finding adds. */
const ABOVE_ALL = 1000

export interface Judged {
  readonly reading: Reading
  /** Log odds of the worst stretch. */
  readonly odds: number
  readonly stretches: readonly { readonly stretch: Stretch; readonly odds: number }[]
}

/** Log odds at which the model decides alone, confirms a suggestive finding (score 20), or a recorder (below 4). */
export interface Limits {
  readonly threshold: number
  readonly agrees: number
  readonly certain: number
}

const isHostile = ({ sample }: Reading): boolean => sample.label !== 'benign'

function judgeAll(judge: Judge, readings: readonly Reading[]): readonly Judged[] {
  return readings.map((reading) => {
    const stretches = reading.stretches.map((stretch) => ({ stretch, odds: oddsOf(judge, stretch.features) }))
    return { reading, stretches, odds: Math.max(LEAST_ODDS, ...stretches.map(({ odds }) => odds)) }
  })
}
/** Of a script that could not be read at all. */
const LEAST_ODDS = -20

/** Judges each sample with a model trained without its group. `written`: own scripts, which only train. */
export function holdOut(readings: readonly Reading[], written: readonly Reading[]): readonly Judged[] {
  const foldOf = ({ sample }: Reading): number =>
    Math.floor(createRandom(`${PARTITION} ${sample.group}`)() * FOLDS)
  return Array.from({ length: FOLDS }, (_, fold) => {
    const judge = trainJudge([...readings.filter((one) => foldOf(one) !== fold), ...written])
    return judgeAll(
      judge,
      readings.filter((one) => foldOf(one) === fold),
    )
  }).flat()
}

/** How the product's scores fall: 60 to 10 between the first two, and 9 to 3 up to the median of hostile scripts. */
export function limitsOf(judged: readonly Judged[]): Limits {
  const odds = (hostile: boolean): number[] =>
    judged.filter(({ reading }) => isHostile(reading) === hostile).map((one) => one.odds)
  const threshold = thresholdAt(odds(false), SHARE_OF_MODEL)
  const atOne = thresholdAt(odds(false), 0.01)
  const middle = Math.max(median(odds(true)), threshold + 1)
  return {
    threshold,
    agrees: atOne + (threshold - atOne) * 0.8,
    certain: threshold + ((middle - threshold) * 5.5) / 6,
  }
}
/** Benign scripts that the model alone may condemn; rules add a few. */
export const SHARE_OF_MODEL = 0.0007

export function isFlagged({ stretches }: Judged, { threshold, agrees, certain }: Limits): boolean {
  return stretches.some(({ stretch, odds }) => {
    if (stretch.rules.length > 0) return true
    if (stretch.isRecorder) return odds >= certain
    return odds >= threshold || (stretch.signs.length > 0 && odds >= agrees)
  })
}

/** Prints the tables. */
export function printEvaluation(judged: readonly Judged[]): void {
  const limits = limitsOf(judged)
  const benign = judged.filter(({ reading }) => !isHostile(reading))
  const hostile = judged.filter(({ reading }) => isHostile(reading))
  const groups = (part: readonly Judged[]): number =>
    new Set(part.map(({ reading }) => reading.sample.group)).size
  console.log(machineClass())
  console.log(
    `${benign.length} benign scripts of ${groups(benign)} packages and libraries, ${hostile.length} hostile ones of ${groups(hostile)} repositories; five folds, groups held out together.\n`,
  )
  printHostile(hostile, benign, limits)
  printBenign(benign, limits)
  printMisses(benign, hostile, limits)
}

const rank = ({ odds, stretches }: Judged): number =>
  odds + (stretches.some(({ stretch }) => stretch.rules.length > 0) ? ABOVE_ALL : 0)

function printHostile(hostile: readonly Judged[], benign: readonly Judged[], limits: Limits): void {
  const ranks = benign.map(rank)
  const [atOne, atTenth] = [thresholdAt(ranks, 0.01), thresholdAt(ranks, 0.001)]
  const row = (name: string, part: readonly Judged[]): string[] => [
    name,
    areaUnderCurve(part.map(rank), ranks).toFixed(3),
    shareText(part.filter((one) => rank(one) >= atOne).length, part.length),
    shareText(part.filter((one) => rank(one) >= atTenth).length, part.length),
    shareText(part.filter((one) => isFlagged(one, limits)).length, part.length),
  ]
  const rowsBy = (keyOf: (sample: Reading['sample']) => string): string[][] =>
    [...new Set(hostile.map(({ reading }) => keyOf(reading.sample)))].toSorted().map((key) =>
      row(
        key,
        hostile.filter(({ reading }) => keyOf(reading.sample) === key),
      ),
    )
  printTable(
    ['hostile', 'ROC-AUC', 'found at 1 %', 'found at 0.1 %', 'score under 10'],
    [
      row('all', hostile),
      ...rowsBy(({ label }) => label),
      ...rowsBy(({ family }) => family),
      ...rowsBy(({ year }) => String(year)),
    ],
  )
  console.log()
}

function printBenign(benign: readonly Judged[], limits: Limits): void {
  const row = (name: string, part: readonly Judged[]): string[] => [
    name,
    shareText(part.filter((one) => isFlagged(one, limits)).length, part.length),
  ]
  const rowsBy = (keyOf: (sample: Reading['sample']) => string): string[][] =>
    [...new Set(benign.map(({ reading }) => keyOf(reading.sample)))].toSorted().map((key) =>
      row(
        key,
        benign.filter(({ reading }) => keyOf(reading.sample) === key),
      ),
    )
  printTable(
    ['benign', 'score under 10'],
    [row('all', benign), ...rowsBy(({ kind }) => kind), ...rowsBy(({ form }) => form)],
  )
  console.log()
}

/** Trains on hostile samples up to a year and half of the benign groups, and judges the others. */
export function printByYear(readings: readonly Reading[], written: readonly Reading[]): void {
  const isTraining = ({ sample }: Reading): boolean =>
    sample.label === 'benign'
      ? createRandom(`year ${sample.group}`)() < 0.5
      : sample.year <= LAST_YEAR_OF_TRAINING
  const trained = readings.filter(isTraining)
  // No repository on both sides.
  const groups = new Set(trained.map(({ sample }) => sample.group))
  const judged = judgeAll(
    trainJudge([...trained, ...written]),
    readings.filter((one) => !isTraining(one) && !groups.has(one.sample.group)),
  )
  console.log(`trained on samples up to ${LAST_YEAR_OF_TRAINING}, judged on later ones:\n`)
  const benign = judged.filter(({ reading }) => !isHostile(reading))
  const hostile = judged.filter(({ reading }) => isHostile(reading))
  printHostile(hostile, benign, limitsOf(judged))
}

export function printSpeed(readings: readonly Reading[]): void {
  const times = readings.map(({ ms }) => ms)
  const bytes = readings.reduce((sum, one) => sum + one.bytes, 0)
  printTable(
    ['scripts', 'MB', 'ms of CPU in the median', 'at the 99th percentile', 'at most'],
    [
      [
        String(readings.length),
        (bytes / 1e6).toFixed(1),
        median(times).toFixed(1),
        quantile(times, 0.99).toFixed(0),
        Math.max(...times).toFixed(0),
      ],
    ],
  )
  console.log()
}

function printMisses(benign: readonly Judged[], hostile: readonly Judged[], limits: Limits): void {
  const { threshold } = limits
  const say = ({ reading: { sample }, odds, stretches }: Judged): string =>
    `${(odds - threshold).toFixed(2).padStart(8)} ${sample.family}: ${sample.repository} ${sample.path} [${sample.form}] ${[...new Set(stretches.flatMap(({ stretch }) => [...stretch.rules.map((rule) => `${rule}!`), ...stretch.signs]))].join(' ')}`
  console.error('\nbenign, nearest first:')
  for (const one of benign.toSorted((a, b) => rank(b) - rank(a)).slice(0, 40)) console.error(say(one))
  console.error('\nmissed:')
  for (const one of hostile
    .filter((missed) => !isFlagged(missed, limits))
    .toSorted((a, b) => b.odds - a.odds))
    console.error(say(one))
}
