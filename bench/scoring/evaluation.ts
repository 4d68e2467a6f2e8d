// How the model does on what it was not trained on: families and packages are held out together, in five parts.
import type { Head } from '../../packages/server/src/scanner/scoring/rules.ts'
import { machineClass, printTable } from '../measure.ts'
import { fit, type Line, logOdds } from './logistic.ts'
import { areaUnderCurve, shareText, thresholdAt } from './statistics.ts'
import type { Read } from './train.ts'
import { createRandom } from './variation.ts'

export const HEADS = ['magecart', 'cryptomining', 'malware'] satisfies Head[]
const PARTS = 5
const PENALTY = 3
/** Scripts that do another kind of harm count as harmless for a head, but little. */
const WEIGHT_OF_OTHER_HARM = 0.1

export interface HeldOut {
  readonly read: Read
  /** The highest log odds of the three heads. */
  readonly odds: number
  readonly byHead: Readonly<Record<Head, number>>
}

export function trainHeads(reads: readonly Read[]): Readonly<Record<Head, Line>> {
  const benign = reads.filter(({ sample }) => sample.label === 'benign').length
  const train = (head: Head): Line => {
    const positives = reads.filter(({ sample }) => sample.label === head).length
    return fit(
      reads.map(({ sample: { label }, features }) => ({
        features,
        isPositive: label === head,
        weight:
          label === head
            ? (benign * 0.5) / Math.max(1, positives)
            : label === 'benign'
              ? 1
              : WEIGHT_OF_OTHER_HARM,
      })),
      PENALTY,
    )
  }
  return { magecart: train('magecart'), cryptomining: train('cryptomining'), malware: train('malware') }
}

/** Each sample judged by a model that has seen nothing of its family or package. `isTrained`: what may be trained on. */
function holdOut(
  reads: readonly Read[],
  isTrained: (read: Read) => boolean,
  isTested: (read: Read) => boolean,
): readonly HeldOut[] {
  const partOf = ({ sample: { group } }: Read): number => Math.floor(createRandom(`part ${group}`)() * PARTS)
  return Array.from({ length: PARTS }, (_, part) => {
    const heads = trainHeads(reads.filter((read) => partOf(read) !== part && isTrained(read)))
    return reads
      .filter((read) => partOf(read) === part && isTested(read))
      .map((read) => {
        const byHead = {
          magecart: logOdds(heads.magecart, read.features),
          cryptomining: logOdds(heads.cryptomining, read.features),
          malware: logOdds(heads.malware, read.features),
        }
        return { read, byHead, odds: Math.max(...Object.values(byHead)) }
      })
  }).flat()
}

/** Prints the tables and gives the threshold that one in a thousand held-out benign scripts reaches at most. */
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
    shareText(part.filter((one) => isFlagged(one, threshold)).length, part.length),
  ]
  const forms = [...new Set(hostile.map(({ read }) => read.sample.form))].toSorted()
  printTable(
    ['hostile', 'ROC-AUC', 'found at 1 %', 'found at 0.1 %', 'score under 10, with rules'],
    [
      rowOf('all', hostile),
      ...HEADS.map((head) =>
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
  printBenign(benign, threshold)
  printMisses(benign, hostile, threshold)
  return { heldOut, threshold }
}

function isFlagged({ read, odds }: HeldOut, threshold: number): boolean {
  return odds >= threshold || read.rules.length > 0
}

function printBenign(benign: readonly HeldOut[], threshold: number): void {
  const row = (name: string, part: readonly HeldOut[]): string[] => [
    name,
    shareText(part.filter(({ odds }) => odds >= threshold).length, part.length),
    shareText(part.filter((one) => isFlagged(one, threshold)).length, part.length),
  ]
  const kinds = [...new Set(benign.map(({ read }) => read.sample.kind))].toSorted()
  const forms = [...new Set(benign.map(({ read }) => read.sample.form))].toSorted()
  printTable(
    ['benign', 'wrongly, by the model', 'score under 10, with rules'],
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

/** Each obfuscator left out of the training altogether. */
export function printUnseenForms(reads: readonly Read[]): void {
  const forms = [...new Set(reads.map(({ sample }) => sample.form))]
    .filter((form) => /obfuscated|six|packed|evaluated/u.test(form))
    .toSorted()
  printTable(
    ['obfuscator never trained on', 'ROC-AUC', 'hostile found at 1 % of the other benign'],
    forms.map((form) => {
      const judged = holdOut(
        reads,
        ({ sample }) => sample.form !== form,
        () => true,
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

function printMisses(benign: readonly HeldOut[], hostile: readonly HeldOut[], threshold: number): void {
  console.error('\nbenign, nearest first:')
  for (const { read, odds } of benign.toSorted((a, b) => b.odds - a.odds).slice(0, 25)) {
    console.error(`${(odds - threshold).toFixed(2).padStart(8)} ${read.sample.id} [${read.sample.form}]`)
  }
  for (const { read } of benign.filter(({ read }) => read.rules.length > 0)) {
    console.error(`  rule ${read.rules.join(' ')}: ${read.sample.id} [${read.sample.form}]`)
  }
  const missed = new Map<string, number>()
  for (const one of hostile) {
    if (isFlagged(one, threshold)) continue
    missed.set(one.read.sample.group, (missed.get(one.read.sample.group) ?? 0) + 1)
  }
  console.error('\nmissed:')
  for (const [group, count] of [...missed].toSorted((a, b) => b[1] - a[1]))
    console.error(`${String(count).padStart(4)} ${group}`)
}
