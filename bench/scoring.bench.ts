// npm run bench -- scoring [--cache DIR] [--again] [--train]: how well and how fast scripts are scored. The data is made once, in a cache
// folder; `--again` reads it anew with the code as it is now, `--train` writes the model,
// `--unseen` leaves each obfuscator, and the families of the later files, out of the training once.
import { fileURLToPath } from 'node:url'
import { MALICIOUS_BELOW, scoreScript } from '../packages/server/src/scanner/scoring/index.ts'
import { median, printTable, quantile } from './measure.ts'
import { evaluate, printLaterFamilies, printUnseenForms } from './scoring/evaluation.ts'
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
    ['scripts', 'MB', 'MB/s', 'ms in the median', 'at the 95th percentile', 'at most'],
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

/** Scripts that were written after the training and are no part of it. */
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
printSpeed(reads)
if (options.includes('--train')) writeModel(reads, heldOut, threshold)
if (options.includes('--unseen')) {
  printLaterFamilies(reads, LATER_FAMILIES)
  printUnseenForms(reads)
}
printProbes('first set', PROBES)
printProbes('later set', LATER_PROBES)
