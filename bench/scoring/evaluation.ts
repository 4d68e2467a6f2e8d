// Judges the model on samples that it was not trained on: each group (repository, package, library) is held out as a
// whole, once in five folds, and once by year. No judged sample's own odds have a part in its threshold, which is that of
// the other folds; the models that judged these were trained with it.
import type { ScriptClass } from '../../packages/script-analysis/src/evidence.ts'
import { machineClass, median, printTable, quantile } from '../measure.ts'
import type { Reading, Stretch } from './readings.ts'
import type { Entry } from './samples.ts'
import { areaUnderCurve, shareText, thresholdAt } from './statistics.ts'
import { type Judge, oddsOf, trainJudge } from './train.ts'
import { createRandom } from './random.ts'

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

const foldOf = ({ sample }: Reading): number =>
  Math.floor(createRandom(`${PARTITION} ${sample.group}`)() * FOLDS)

/** Judges each sample with a model trained without its group. */
export function holdOut(readings: readonly Reading[]): readonly Judged[] {
  return Array.from({ length: FOLDS }, (_, fold) => {
    const judge = trainJudge(readings.filter((one) => foldOf(one) !== fold))
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

/** What the tables need of a judged sample. */
export interface Ranked {
  readonly sample: Entry
  /** Higher is more hostile. */
  readonly rank: number
  readonly isFlagged: boolean
}

/** Prints the tables of the five folds, and what is nearest to the threshold. */
export function printEvaluation(judged: readonly Judged[]): void {
  console.log('five folds, groups held out together; the threshold of a fold is that of the others:\n')
  const ranked = Array.from({ length: FOLDS }, (_, fold) => {
    const limits = limitsOf(judged.filter(({ reading }) => foldOf(reading) !== fold))
    return judged.filter(({ reading }) => foldOf(reading) === fold).map((one) => rankOf(one, limits))
  })
  printTables(ranked.flat())
  printMisses(judged, limitsOf(judged))
}

const rank = ({ odds, stretches }: Judged): number =>
  odds + (stretches.some(({ stretch }) => stretch.rules.length > 0) ? ABOVE_ALL : 0)

const rankOf = (one: Judged, limits: Limits): Ranked => ({
  sample: one.reading.sample,
  rank: rank(one),
  isFlagged: isFlagged(one, limits),
})

/** A table of hostile samples by class, family, year and form, and one of the benign ones by kind and form. */
export function printTables(all: readonly Ranked[]): void {
  const benign = all.filter(({ sample }) => sample.label === 'benign')
  const hostile = all.filter(({ sample }) => sample.label !== 'benign')
  const groups = (part: readonly Ranked[]): number => new Set(part.map(({ sample }) => sample.group)).size
  console.log(machineClass())
  console.log(
    `${benign.length} benign scripts of ${groups(benign)} packages, ${hostile.length} hostile ones of ${groups(hostile)} repositories.\n`,
  )
  printHostile(hostile, benign)
  printBenign(benign)
}

/** What takes cards, log-ins and wallets today has a row of its own. */
const recentKind = ({ label, family, year }: Entry): string =>
  year >= 2020 && (label === 'magecart' || family === 'wallet-drainer')
    ? 'skimmers and drainers since 2020'
    : ''

/** One row for all, and one for each value of each key but ''. */
function rowsBy(
  part: readonly Ranked[],
  keys: readonly ((sample: Entry) => string)[],
  row: (name: string, part: readonly Ranked[]) => string[],
): string[][] {
  const rows = [row('all', part)]
  for (const keyOf of keys)
    for (const key of [...new Set(part.map(({ sample }) => keyOf(sample)))].filter(Boolean).toSorted())
      rows.push(
        row(
          key,
          part.filter(({ sample }) => keyOf(sample) === key),
        ),
      )
  return rows
}

function printHostile(hostile: readonly Ranked[], benign: readonly Ranked[]): void {
  const ranks = benign.map((one) => one.rank)
  const [atOne, atTenth] = [thresholdAt(ranks, 0.01), thresholdAt(ranks, 0.001)]
  const row = (name: string, part: readonly Ranked[]): string[] => [
    name,
    areaUnderCurve(
      part.map((one) => one.rank),
      ranks,
    ).toFixed(3),
    shareText(part.filter((one) => one.rank >= atOne).length, part.length),
    shareText(part.filter((one) => one.rank >= atTenth).length, part.length),
    shareText(part.filter((one) => one.isFlagged).length, part.length),
  ]
  const keys = [
    ({ label }: Entry) => label,
    ({ family }: Entry) => family,
    ({ year }: Entry) => String(year),
    recentKind,
    ({ form }: Entry) => form,
  ]
  printTable(
    ['hostile', 'ROC-AUC', 'found at 1 %', 'found at 0.1 %', 'score under 10'],
    rowsBy(hostile, keys, row),
  )
  console.log()
}

function printBenign(benign: readonly Ranked[]): void {
  const row = (name: string, part: readonly Ranked[]): string[] => [
    name,
    shareText(part.filter((one) => one.isFlagged).length, part.length),
  ]
  printTable(['benign', 'score under 10'], rowsBy(benign, [({ kind }) => kind, ({ form }) => form], row))
  console.log()
}

/** Trains on hostile samples up to a year and half of the benign groups, and judges the others. */
export function printByYear(readings: readonly Reading[]): void {
  const isTraining = ({ sample }: Reading): boolean =>
    sample.label === 'benign'
      ? createRandom(`year ${sample.group}`)() < 0.5
      : sample.year <= LAST_YEAR_OF_TRAINING
  const trained = readings.filter(isTraining)
  // No repository on both sides.
  const groups = new Set(trained.map(({ sample }) => sample.group))
  const judged = judgeAll(
    trainJudge(trained),
    readings.filter((one) => !isTraining(one) && !groups.has(one.sample.group)),
  )
  console.log(
    `trained on samples up to ${LAST_YEAR_OF_TRAINING}, with the threshold of their folds, and judged on later ones:\n`,
  )
  const limits = limitsOf(holdOut(trained))
  printTables(judged.map((one) => rankOf(one, limits)))
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

function printMisses(judged: readonly Judged[], limits: Limits): void {
  const { threshold } = limits
  const benign = judged.filter(({ reading }) => !isHostile(reading))
  const hostile = judged.filter(({ reading }) => isHostile(reading))
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
