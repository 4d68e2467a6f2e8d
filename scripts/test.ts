// npm test: check, then every suite, then one line that counts them. Options: --fast (check and vitest only), --ci (and the README's commands, and that the benchmarks run).
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './process.ts'
import { addCounts, countsIn, readVitestReport, type Counts } from './test-counts.ts'

interface Stage {
  readonly name: string
  readonly run: () => Promise<Counts>
}

const ONE_FAILURE: Counts = { passed: 0, failed: 1, skipped: 0 }
const options = new Set(process.argv.slice(2))

const stages: readonly Stage[] = [
  { name: 'check', run: runCheck },
  { name: 'vitest', run: runVitest },
  ...(options.has('--fast')
    ? []
    : [
        { name: 'acceptance', run: () => runCounting('acceptance/run.ts') },
        { name: 'kill', run: () => runCounting('acceptance/kill.ts') },
        { name: 'kill migrations', run: () => runCounting('acceptance/kill-migrations.ts') },
        { name: 'kill monitoring', run: () => runCounting('acceptance/kill-monitoring.ts') },
        { name: 'kill large', run: () => runCounting('acceptance/kill-large.ts') },
      ]),
  ...(options.has('--ci')
    ? [
        { name: 'readme', run: () => runCounting('scripts/readme-commands.ts') },
        { name: 'bench', run: runBenchmarks },
      ]
    : []),
]

async function runCheck(): Promise<Counts> {
  const finished = await run('node_modules/.bin/tsx', ['scripts/check.ts'], { show: true })
  const summary = /^check: (\d+) of (\d+) steps passed$/m.exec(finished.output)
  const passed = Number(summary?.[1] ?? 0)
  const failed = Number(summary?.[2] ?? 0) - passed
  return finished.ok ? { passed, failed, skipped: 0 } : { passed, failed: Math.max(1, failed), skipped: 0 }
}

/** vitest prints for people; its JSON report is what is counted. Every skipped suite must say what it needs. */
async function runVitest(): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), 'zonereeve-vitest-'))
  const file = join(folder, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  try {
    const finished = await run('node_modules/.bin/vitest', ['run', ...reporters], { show: true })
    const { counts, skipped, unexplained } = readVitestReport(readFileSync(file, 'utf8'))
    for (const suite of skipped) console.log(`SKIPPED ${suite}`)
    for (const test of unexplained) console.log(`FAILED  ${test}: skipped without saying what it needs`)
    const failed = counts.failed + unexplained.length
    return { ...counts, failed: !finished.ok && failed === 0 ? 1 : failed }
  } catch (error) {
    console.log(`vitest wrote no report: ${String(error)}`)
    return ONE_FAILURE
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A program whose last "N passed, N failed" line is its result. */
async function runCounting(script: string): Promise<Counts> {
  const finished = await run('node_modules/.bin/tsx', [script], { show: true })
  const counts = countsIn(finished.output)
  if (counts === undefined) return ONE_FAILURE
  return !finished.ok && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

/** Each benchmark once, as short as it goes: figures from here mean nothing, but a benchmark that broke is found. */
async function runBenchmarks(): Promise<Counts> {
  let counts: Counts = { passed: 0, failed: 0, skipped: 0 }
  for (const name of ['records', 'dns']) {
    const finished = await run('node_modules/.bin/tsx', [`bench/${name}.bench.ts`, '--quick'])
    console.log(finished.ok ? `ok    bench/${name}` : `FAIL  bench/${name}\n${finished.output}`)
    counts = addCounts(counts, { passed: +finished.ok, failed: +!finished.ok, skipped: 0 })
  }
  return counts
}

let total: Counts = { passed: 0, failed: 0, skipped: 0 }
for (const stage of stages) {
  console.log(`\n== ${stage.name}`)
  const began = performance.now()
  const counts = await stage.run()
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(
    `== ${stage.name}: ${counts.passed} ok, ${counts.failed} failed, ${counts.skipped} skipped in ${seconds} s`,
  )
  total = addCounts(total, counts)
}

console.log(`\n${total.passed + total.failed} tests ran`)
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1
