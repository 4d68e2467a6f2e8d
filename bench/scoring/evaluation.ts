// Evaluates the model on held-out data by five-fold cross-validation: each family or package is held out as a whole.
import type { ScriptClass } from '../../packages/script-analysis/src/evidence.ts'
import { followTree, type Tree } from '../../packages/script-analysis/src/trees.ts'
import { machineClass, printTable } from '../measure.ts'
import { boost } from './boosting.ts'
import { type Example, fit, type Line, logOdds } from './logistic.ts'
import { areaUnderCurve, shareText, thresholdAt } from './statistics.ts'
import type { Read } from './train.ts'
import { createRandom } from './variation.ts'

export const CLASSES = ['magecart', 'cryptomining', 'malware'] satisfies ScriptClass[]
const PARTS = 5
/** Fewer folds for models that are trained again for each obfuscator. */
const PARTS_OF_UNSEEN = 2
const PENALTY = 1
/** Seed of the split into folds; another seed gives the figures of another split. */
const PARTITION = 'second part'

export interface HeldOut {
  readonly read: Read
  /** Log odds of being hostile. */
  readonly odds: number
  readonly byLine: number
  readonly byTrees: number
}

/** The model: a linear model and trees, whose log odds are added with weights. */
export interface Judge {
  readonly line: Line
  readonly trees: readonly Tree[]
}

/** Weight of the linear model; chosen, like the other settings, only on the development groups. */
export const LINE_SHARE = 0.7
const TREES = { trees: 300, depth: 3, rate: 0.12, columns: 0.1 }

/** Hostile code appended to a library is scored by its stretch. No training data: it would teach only the library. */
const APPENDED = 'appended'

export function trainJudge(reads: readonly Read[]): Judge {
  const examples = toExamples(
    reads
      .filter(({ sample }) => sample.form !== APPENDED)
      // Stretches of benign scripts are benign too.
      .flatMap((read) => [
        read,
        ...(read.sample.label === 'benign' ? read.parts.map((features) => ({ ...read, features })) : []),
      ]),
    ({ label }) => label !== 'benign',
  )
  return { line: fit(examples, PENALTY), trees: boost(examples, TREES) }
}

/** Scores a script by its worst stretch, as the product does. */
function judgeBy(judge: Judge, { features, parts }: Read): Omit<HeldOut, 'read'> {
  return [features, ...parts]
    .map((one) => judgeStretch(judge, one))
    .reduce((a, b) => ({
      odds: Math.max(a.odds, b.odds),
      byLine: Math.max(a.byLine, b.byLine),
      byTrees: Math.max(a.byTrees, b.byTrees),
    }))
}

function judgeStretch({ line, trees }: Judge, features: Float64Array): Omit<HeldOut, 'read'> {
  const byLine = logOdds(line, features)
  const byTrees = trees.reduce((sum, tree) => sum + followTree(tree, (i) => features[i] ?? 0).value, 0)
  return { odds: byLine * LINE_SHARE + byTrees * (1 - LINE_SHARE), byLine, byTrees }
}

/** Both classes have the same total weight. A sample weighs less the more samples its group has. */
function toExamples(
  reads: readonly Read[],
  isExpected: (sample: Read['sample']) => boolean,
): readonly Example[] {
  const sizes = new Map<string, number>()
  for (const { sample } of reads) sizes.set(sample.group, (sizes.get(sample.group) ?? 0) + 1)
  const examples = reads.map(({ sample, features }) => ({
    features,
    isPositive: isExpected(sample),
    weight: 1 / Math.sqrt(sizes.get(sample.group) ?? 1),
  }))
  const sumOf = (isPositive: boolean): number =>
    examples.reduce((sum, one) => sum + (one.isPositive === isPositive ? one.weight : 0), 0)
  const half = { true: examples.length / 2 / sumOf(true), false: examples.length / 2 / sumOf(false) }
  return examples.map((one) => ({ ...one, weight: one.weight * half[`${one.isPositive}`] }))
}

/** Which kind of harm a script does, if it is hostile. */
export function trainClasses(reads: readonly Read[]): Readonly<Record<ScriptClass, Line>> {
  const train = (head: ScriptClass): Line =>
    fit(
      toExamples(reads, ({ label }) => label === head),
      PENALTY,
    )
  return { magecart: train('magecart'), cryptomining: train('cryptomining'), malware: train('malware') }
}

/** Scores each sample with a model trained without its family or package. `isTrained` selects the training data. */
function holdOut(
  reads: readonly Read[],
  isTrained: (read: Read) => boolean,
  isTested: (read: Read) => boolean,
  parts = PARTS,
): readonly HeldOut[] {
  const partOf = ({ sample: { group } }: Read): number =>
    Math.floor(createRandom(`${PARTITION} ${group}`)() * parts)
  return Array.from({ length: parts }, (_, part) => {
    const judge = trainJudge(reads.filter((read) => partOf(read) !== part && isTrained(read)))
    return reads
      .filter((read) => partOf(read) === part && isTested(read))
      .map((read) => ({ read, ...judgeBy(judge, read) }))
  }).flat()
}

/** Prints the tables. @returns the threshold that at most one in a thousand held-out benign scripts reaches. */
export function evaluate(reads: readonly Read[]): {
  readonly heldOut: readonly HeldOut[]
  readonly threshold: number
} {
  const heldOut = holdOut(
    reads,
    () => true,
    () => true,
  )
  const benign = heldOut.filter(({ read }) => read.sample.label === 'benign')
  const hostile = heldOut.filter(({ read }) => read.sample.label !== 'benign')
  const threshold = thresholdAt(
    benign.map(({ odds }) => odds),
    0.001,
  )
  const atOne = thresholdAt(
    benign.map(({ odds }) => odds),
    0.01,
  )
  // The product's scores fall from 60 to 10 between these thresholds.
  const limits = limitsOf(threshold, atOne, hostile)
  console.log(machineClass())
  const groups = (part: readonly HeldOut[]): number => new Set(part.map(({ read }) => read.sample.group)).size
  console.log(
    `${benign.length} benign scripts of ${groups(benign)} packages and families, ${hostile.length} hostile ones of ${groups(hostile)} families; five parts, groups held out together.\n`,
  )
  const rowOf = (name: string, part: readonly HeldOut[]): string[] => [
    name,
    areaUnderCurve(
      part.map(({ odds }) => odds),
      benign.map(({ odds }) => odds),
    ).toFixed(3),
    shareText(part.filter(({ odds }) => odds >= atOne).length, part.length),
    shareText(part.filter(({ odds }) => odds >= threshold).length, part.length),
    shareText(part.filter((one) => isFlagged(one, limits)).length, part.length),
  ]
  const forms = [...new Set(hostile.map(({ read }) => read.sample.form))].toSorted()
  printTable(
    ['hostile', 'ROC-AUC', 'found at 1 %', 'found at 0.1 %', 'score under 10, with rules'],
    [
      rowOf('all', hostile),
      ...CLASSES.map((head) =>
        rowOf(
          head,
          hostile.filter(({ read }) => read.sample.label === head),
        ),
      ),
      ...forms.map((form) =>
        rowOf(
          form,
          hostile.filter(({ read }) => read.sample.form === form),
        ),
      ),
    ],
  )
  console.log()
  printParts(benign, hostile, limits)
  printBenign(benign, limits)
  printMisses(benign, hostile, limits)
  return { heldOut, threshold }
}

/** A third of the groups, the development groups: the settings above were chosen by testing on these. */
const isDevelopment = (group: string): boolean => createRandom(`development ${group}`)() < 1 / 3
const isFree = ({ read }: HeldOut): boolean => !isDevelopment(read.sample.group)

/** Greater than any log odds. */
const ABOVE_ALL = 1000

/** Compares the two parts of the model with the whole. */
function printParts(benign: readonly HeldOut[], hostile: readonly HeldOut[], limits?: Limits): void {
  const packages = benign.filter(({ read }) => read.sample.kind !== 'site')
  const row = (name: string, of: (one: HeldOut) => number, others = benign, sought = hostile): string[] => {
    const [good, bad] = [others.map(of), sought.map(of)]
    const found = (share: number): string => {
      const threshold = thresholdAt(good, share)
      return shareText(bad.filter((odds) => odds >= threshold).length, bad.length)
    }
    return [name, areaUnderCurve(bad, good).toFixed(3), found(0.01), found(0.001)]
  }
  printTable(
    ['model', 'ROC-AUC', 'found at 1 %', 'found at 0.1 %'],
    [
      row('linear', ({ byLine }) => byLine),
      row('trees', ({ byTrees }) => byTrees),
      row('both', ({ odds }) => odds),
      row(
        'both, only groups not used for settings',
        ({ odds }) => odds,
        benign.filter(isFree),
        hostile.filter(isFree),
      ),
      row('both, against packages only', ({ odds }) => odds, packages),
      ...(limits === undefined
        ? []
        : [row('both, overridden by rules', (one) => one.odds + (isFlagged(one, limits) ? ABOVE_ALL : 0))]),
    ],
  )
  console.log()
}

/** Log odds at which the model decides alone, confirms a suggestive finding (score 20), or a recorder (below 4). */
interface Limits {
  readonly threshold: number
  readonly agrees: number
  readonly certain: number
}

/** How the product's scores fall: 60 to 10 between the first two, and 9 to 3 up to the median of hostile scripts. */
function limitsOf(threshold: number, atOne: number, hostile: readonly HeldOut[]): Limits {
  const sorted = hostile.map(({ odds }) => odds).toSorted((a, b) => a - b)
  const middle = Math.max(sorted[Math.floor(sorted.length / 2)] ?? 0, threshold + 1)
  return {
    threshold,
    agrees: atOne + (threshold - atOne) * 0.8,
    certain: threshold + ((middle - threshold) * 5.5) / 6,
  }
}

function isFlagged({ read, odds }: HeldOut, { threshold, agrees, certain }: Limits): boolean {
  if (read.rules.length > 0) return true
  if (read.isRecorder) return odds >= certain
  return odds >= threshold || (read.signs.length > 0 && odds >= agrees)
}

function printBenign(benign: readonly HeldOut[], limits: Limits): void {
  const { threshold } = limits
  const row = (name: string, part: readonly HeldOut[]): string[] => [
    name,
    shareText(part.filter(({ odds }) => odds >= threshold).length, part.length),
    shareText(part.filter((one) => isFlagged(one, limits)).length, part.length),
  ]
  const kinds = [...new Set(benign.map(({ read }) => read.sample.kind))].toSorted()
  const forms = [...new Set(benign.map(({ read }) => read.sample.form))].toSorted()
  printTable(
    ['benign', 'false positives, model', 'score under 10, with rules'],
    [
      row('all', benign),
      ...kinds.map((kind) =>
        row(
          kind,
          benign.filter(({ read }) => read.sample.kind === kind),
        ),
      ),
      ...forms.map((form) =>
        row(
          form,
          benign.filter(({ read }) => read.sample.form === form),
        ),
      ),
    ],
  )
}

/** Leaves each obfuscator out of the training once. */
export function printUnseenForms(reads: readonly Read[]): void {
  const forms = [...new Set(reads.map(({ sample }) => sample.form))]
    .filter((form) => /obfuscated|six|packed|evaluated/u.test(form))
    .toSorted()
  printTable(
    ['obfuscator left out of training', 'ROC-AUC', 'hostile found at 1 % false positives'],
    forms.map((form) => {
      const judged = holdOut(
        reads,
        ({ sample }) => sample.form !== form,
        () => true,
        PARTS_OF_UNSEEN,
      )
      const others = judged
        .filter(({ read }) => read.sample.label === 'benign' && read.sample.form !== form)
        .map(({ odds }) => odds)
      const of = (isBenign: boolean): number[] =>
        judged
          .filter(({ read }) => read.sample.form === form && (read.sample.label === 'benign') === isBenign)
          .map(({ odds }) => odds)
      const threshold = thresholdAt(others, 0.01)
      return [
        form,
        areaUnderCurve(of(false), of(true)).toFixed(3),
        shareText(of(false).filter((odds) => odds >= threshold).length, of(false).length),
      ]
    }),
  )
}

/** Trains on the families of some files, and tests on those of others, written later. */
export function printLaterFamilies(reads: readonly Read[], later: ReadonlySet<string>): void {
  const judge = trainJudge(
    reads.filter(
      ({ sample }) => !later.has(sample.group) && (sample.kind === 'site' || !isLaterPackage(sample.group)),
    ),
  )
  const tested = reads
    .filter(
      ({ sample }) => later.has(sample.group) || (sample.kind !== 'hostile' && isLaterPackage(sample.group)),
    )
    .map((read) => ({ read, ...judgeBy(judge, read) }))
  const benign = tested.filter(({ read }) => read.sample.label === 'benign')
  const hostile = tested.filter(({ read }) => read.sample.label !== 'benign')
  console.log(
    `\ntrained only on the families of the first files,  tested on ${hostile.length} hostile and ${benign.length} benign scripts of the others`,
  )
  printParts(benign, hostile)
}

/** Assigns a fraction of the packages to the later families. */
const isLaterPackage = (group: string): boolean => createRandom(`later ${group}`)() < 0.3

function printMisses(benign: readonly HeldOut[], hostile: readonly HeldOut[], limits: Limits): void {
  const { threshold } = limits
  console.error('\nbenign, nearest first:')
  for (const { read, odds } of benign.toSorted((a, b) => b.odds - a.odds).slice(0, 25)) {
    console.error(`${(odds - threshold).toFixed(2).padStart(8)} ${read.sample.id} [${read.sample.form}]`)
  }
  for (const { read } of benign.filter(({ read }) => read.rules.length + read.signs.length > 0)) {
    console.error(
      `  rules ${read.rules.join(' ')}, signs ${read.signs.join(' ')}: ${read.sample.id} [${read.sample.form}]`,
    )
  }
  const missed = new Map<string, number>()
  for (const one of hostile) {
    if (isFlagged(one, limits)) continue
    missed.set(one.read.sample.group, (missed.get(one.read.sample.group) ?? 0) + 1)
  }
  console.error('\nmissed:')
  for (const [group, count] of [...missed].toSorted((a, b) => b[1] - a[1]))
    console.error(`${String(count).padStart(4)} ${group}`)
}
