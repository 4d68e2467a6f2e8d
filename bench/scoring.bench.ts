// npm run bench -- scoring [--cache DIR] [--again] [--train] [--unseen]: how well and how fast scripts are scored. The
// data is created once, in a cache folder; `--again` analyzes it with the current code, `--train` writes the model,
// `--unseen` leaves each obfuscator, and the families of the later files, out of the training once.
import { fileURLToPath } from 'node:url'
import { MALICIOUS_BELOW, scoreScript } from '../packages/script-analysis/src/index.ts'
import { median, printTable, quantile } from './measure.ts'
import { evaluate, printLaterFamilies, printUnseenForms } from './scoring/evaluation.ts'
import { HARD_STRINGS, readLargeScripts } from './scoring/hard-strings.ts'
import { LATER_FAMILIES } from './scoring/make-data.ts'
import { LATER_PROBES } from './scoring/later-probes.ts'
import { PROBES, type Probe } from './scoring/probes.ts'
import { type Read, readSamples, writeModel } from './scoring/train.ts'

const DEFAULT_CACHE = fileURLToPath(new URL('../node_modules/.cache/scoring', import.meta.url))

function printSpeed(reads: readonly Read[]): void {
  const times = reads.map(({ ms }) => ms)
  const bytes = reads.reduce((sum, read) => sum + read.bytes, 0)
  const total = times.reduce((sum, ms) => sum + ms, 0)
  printTable(
    ['scripts', 'MB', 'MB/s', 'ms of CPU in the median', 'at the 95th percentile', 'at most'],
    [
      [
        String(reads.length),
        (bytes / 1e6).toFixed(1),
        (bytes / 1000 / total).toFixed(2),
        median(times).toFixed(1),
        quantile(times, 0.95).toFixed(0),
        Math.max(...times).toFixed(0),
      ],
    ],
  )
}

const MOST_SHOWN = 12

/** Prints the slowest of the strings made for this purpose and of large real scripts, by CPU time. */
async function printHardStrings(cache: string): Promise<void> {
  const timed = [...HARD_STRINGS, ...(await readLargeScripts(cache))].map(({ name, source }) => {
    const start = process.cpuUsage()
    scoreScript(source)
    const { user, system } = process.cpuUsage(start)
    return { name, bytes: source.length, ms: (user + system) / 1000 }
  })
  const worst = timed.toSorted((a, b) => b.ms - a.ms).slice(0, MOST_SHOWN)
  const bytes = timed.reduce((sum, one) => sum + one.bytes, 0)
  const total = timed.reduce((sum, { ms }) => sum + ms, 0)
  console.log(`\n${timed.length} long texts, ${(bytes / 1000 / total).toFixed(2)} MB/s; the slowest:`)
  printTable(
    ['text', 'kB', 'ms of CPU'],
    worst.map((one) => [one.name, (one.bytes / 1000).toFixed(0), one.ms.toFixed(0)]),
  )
  console.log()
}

/** Scores scripts that were written after the training and are not part of it. */
function printProbes(set: string, all: readonly Probe[]): void {
  for (const isHostile of [true, false]) {
    const probes = all.filter((probe) => probe.isHostile === isHostile)
    const wrong = probes.filter(
      ({ source }) => (scoreScript(source).scores?.js_integrity_score ?? 99) < MALICIOUS_BELOW !== isHostile,
    )
    console.log(
      `${set}, ${isHostile ? 'hostile' : 'benign'} probes: ${probes.length - wrong.length} of ${probes.length} right${wrong.length === 0 ? '' : `; wrong: ${wrong.map(({ name }) => name).join(', ')}`}`,
    )
  }
}

const options = process.argv.slice(2)
const cache = options.includes('--cache')
  ? (options[options.indexOf('--cache') + 1] ?? DEFAULT_CACHE)
  : DEFAULT_CACHE
const reads = await readSamples(cache, options.includes('--again'))
const { heldOut, threshold } = evaluate(reads)
if (options.includes('--train')) writeModel(reads, heldOut, threshold)
printSpeed(reads)
await printHardStrings(cache)
if (options.includes('--unseen')) {
  printLaterFamilies(reads, LATER_FAMILIES)
  printUnseenForms(reads)
}
printProbes('first set', PROBES)
printProbes('later set', LATER_PROBES)
