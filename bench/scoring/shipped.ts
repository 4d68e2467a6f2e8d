// Judges the scorer as it is shipped: its rules and the model in the repository, which may have been trained on some of
// the samples.
import { scoreScript } from '../../packages/script-analysis/src/score-script.ts'
import { median, printTable, quantile } from '../measure.ts'
import { printTables, type Ranked } from './evaluation.ts'
import { type Entry, readSampleText } from './samples.ts'

const SCORE_OF_UNSCORED = 99
const MALICIOUS_BELOW = 10

/** Prints the tables of scores, the CPU time, and what is condemned wrongly. */
export function judgeShipped(folder: string, entries: readonly Entry[]): void {
  const times: number[] = []
  let unscored = 0
  const judged = entries.map((sample): Ranked => {
    const text = readSampleText(folder, sample)
    const start = process.cpuUsage()
    const { scores, reasons } = scoreScript(text)
    const { user, system } = process.cpuUsage(start)
    times.push((user + system) / 1000)
    if (scores === null) unscored += 1
    const score = scores?.js_integrity_score ?? SCORE_OF_UNSCORED
    const isFlagged = score < MALICIOUS_BELOW
    if (isFlagged && sample.label === 'benign') {
      const names = reasons.filter(({ kind }) => kind === 'rule' || kind === 'sign').map(({ name }) => name)
      console.error(
        `condemned wrongly: ${sample.repository} ${sample.path} [${sample.form}] ${names.join(' ')}`,
      )
    }
    return { sample, rank: -score, isFlagged }
  })
  console.log('as shipped:\n')
  printTables(judged)
  printTable(
    ['scripts', 'without scores', 'ms of CPU in the median', 'at the 99th percentile', 'at most'],
    [
      [
        String(entries.length),
        String(unscored),
        median(times).toFixed(1),
        quantile(times, 0.99).toFixed(0),
        Math.max(...times).toFixed(0),
      ],
    ],
  )
  console.log()
}
