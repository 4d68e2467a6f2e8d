// npm run bench -- scoring --samples DIR [--collect MIRROR] [--share N] [--shipped] [--train]: how well and how fast
// scripts are scored. DIR has the manifest and the files of real samples, outside the checkout; `--collect` puts them
// there, from Git repositories in the folder MIRROR (as owner+name/repo) and from npm. `--share`: collects only this
// share of the packages, from 0 to 1. `--shipped` judges the scorer as it is, and trains nothing. `--train` writes the
// model. Nothing of the samples is run.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectSamples } from './scoring/collect-samples.ts'
import { CLASSES, holdOut, limitsOf, printByYear, printEvaluation, printSpeed } from './scoring/evaluation.ts'
import { readSamples } from './scoring/readings.ts'
import { readManifest } from './scoring/samples.ts'
import { judgeShipped } from './scoring/shipped.ts'
import { writeModel } from './scoring/train.ts'

const options = process.argv.slice(2)
const valueOf = (name: string): string | undefined =>
  options.includes(name) ? options[options.indexOf(name) + 1] : undefined

async function main(folder: string): Promise<void> {
  const cache = join(folder, 'cache')
  const mirror = valueOf('--collect')
  const share = Number(valueOf('--share') ?? 1)
  if (!(share > 0 && share <= 1)) throw new Error('--share must be greater than 0, and at most 1')
  if (mirror !== undefined) await collectSamples(folder, mirror, cache, share)
  const entries = readManifest(folder)
  if (options.includes('--shipped')) return judgeShipped(folder, entries)
  // Sources of a build, such as JSX, are no scripts that browsers get.
  const readings = readSamples(folder, entries, 'readings').filter(
    ({ sample, isRead }) => isRead || sample.label !== 'benign',
  )
  const judged = holdOut(readings)
  printEvaluation(judged)
  printByYear(readings)
  printSpeed(readings)
  if (!options.includes('--train')) return
  const odds = (isBenign: boolean): number[] =>
    judged.filter(({ reading }) => (reading.sample.label === 'benign') === isBenign).map((one) => one.odds)
  writeModel(
    readings,
    CLASSES,
    { benign: odds(true), hostile: odds(false), threshold: limitsOf(judged).threshold },
    {
      manifest: createHash('sha256')
        .update(readFileSync(join(folder, 'manifest.jsonl')))
        .digest('hex'),
      benign: odds(true).length,
      hostile: odds(false).length,
    },
  )
}

const folder = valueOf('--samples')
if (folder === undefined) {
  console.log('without --samples DIR there are no samples to judge: see docs/performance.md')
} else await main(folder)
