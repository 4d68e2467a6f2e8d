// npm test: the tests beside the sources and the packed program, then the names of what failed and one line that counts
// everything. With --ci: the check first, all test files, the whole acceptance suite, and the long suites: installation, kills
// while data is large, endurance, other versions of Node, the README's commands, known vulnerabilities, and that the
// benchmarks run. After vitest, several suites run at the same time, so their lines of output alternate; each line names its
// case.
// A failed vitest file is run once more, alone. A test that passes then is reported as UNSTEADY and must be fixed too,
// but a temporarily busy machine does not fail the whole run.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installPackedProgram } from '../acceptance/program.ts'
import { LONG_TESTS } from './long-tests.ts'
import { inParallel, run } from './process.ts'
import {
  addCounts,
  countsIn,
  failureLinesIn,
  unhandledErrorsIn,
  readVitestReport,
  type Counts,
  type TestFailure,
  type VitestSummary,
} from './test-counts.ts'

interface Stage {
  readonly name: string
  readonly run: () => Promise<Counts>
}

const packedFolder = mkdtempSync(join(tmpdir(), 'zonereeve-packed-'))
const ONE_FAILURE: Counts = { passed: 0, failed: 1, skipped: 0 }
/** Number of trailing output characters shown again if a program ended with an error. */
const END_OF_OUTPUT = 1000
/** Above this number of failed files, a busy machine is not the cause, so nothing is rerun. */
const RERUN_FILES = 5
const NO_COUNTS: Counts = { passed: 0, failed: 0, skipped: 0 }
/** Listed in the last lines: failures, and tests that passed only when run again. */
const namedAtTheEnd: string[] = []
const [mode, ...unknown] = process.argv.slice(2)
if ((mode !== undefined && mode !== '--ci') || unknown.length > 0)
  throw new Error(`npm test takes one option, --ci, and not ${process.argv.slice(2).join(' ')}`)
const runsAll = mode === '--ci'

/** Run one after the other. */
const firstStages: readonly Stage[] = [
  ...(runsAll ? [{ name: 'check', run: runCheck }] : []),
  { name: 'vitest', run: runVitest },
]
/** What a first run asks of the packed program: the API by its SDK and by hand, zone files, and its limits. */
const FIRST_PARTS = 'sdk,zone files,raw,shell,open files,schema'
/** Starts a browser hundreds of times, and programs of its own: it needs nothing of the other parts. */
const OF_BROWSERS = 'browsers,dashboard'
/** They mostly wait for processes: so many at a time, the next as soon as one has ended. The longest come first. */
const AT_A_TIME = 3
const besideEachOther: readonly Stage[] = runsAll
  ? [
      { name: 'acceptance', run: () => runPacked('acceptance/run.ts', '--without', OF_BROWSERS) },
      { name: 'acceptance in browsers', run: () => runPacked('acceptance/run.ts', '--parts', OF_BROWSERS) },
      { name: 'databases', run: () => runPacked('acceptance/databases.ts') },
      { name: 'install', run: () => runPacked('acceptance/install.ts') },
      { name: 'readme', run: () => runCounting('scripts/readme-commands.ts') },
      { name: 'kill nodes', run: () => runPacked('acceptance/kill-nodes.ts') },
      { name: 'endurance', run: () => runPacked('acceptance/endurance.ts') },
      { name: 'kill monitoring', run: () => runPacked('acceptance/kill-monitoring.ts') },
      { name: 'kill migrations', run: () => runPacked('acceptance/kill-migrations.ts') },
      { name: 'kill large', run: () => runPacked('acceptance/kill-large.ts') },
      { name: 'kill', run: () => runPacked('acceptance/kill.ts') },
      { name: 'node versions', run: () => runPacked('acceptance/node-versions.ts') },
      { name: 'unreachable', run: () => runPacked('acceptance/unreachable.ts') },
      { name: 'audit', run: () => runCounting('scripts/audit.ts') },
    ]
  : [{ name: 'acceptance', run: () => runPacked('acceptance/run.ts', '--parts', FIRST_PARTS) }]

/** Alone: they start the program of the checkout, which the installation builds again. */
const lastStages: readonly Stage[] = runsAll ? [{ name: 'bench', run: runBenchmarks }] : []

async function runCheck(): Promise<Counts> {
  const finished = await run('node_modules/.bin/tsx', ['scripts/check.ts'], { show: true })
  namedAtTheEnd.push(...failureLinesIn(finished.output))
  const summary = /^check: (\d+) of (\d+) steps passed$/m.exec(finished.output)
  const passed = Number(summary?.[1] ?? 0)
  const failed = Number(summary?.[2] ?? 0) - passed
  return finished.ok ? { passed, failed, skipped: 0 } : { passed, failed: Math.max(1, failed), skipped: 0 }
}

/** Counts tests from vitest's JSON report, not its printed output. Every skipped suite must state what it needs. */
async function runVitest(): Promise<Counts> {
  const first = await reportOfVitest(runsAll ? [] : LONG_TESTS.flatMap((file) => ['--exclude', file]))
  if (first === undefined) return ONE_FAILURE
  for (const suite of first.skipped) console.log(`SKIPPED ${suite}`)
  namedAtTheEnd.push(
    ...first.unexplained.map((test) => `FAIL  ${test}: skipped without stating what it needs`),
  )
  const failed = first.counts.failed + first.unexplained.length
  namedAtTheEnd.push(...first.outside.map((error) => `FAIL  vitest: outside of the tests: ${error}`))
  if (failed === 0 && !first.ok && first.outside.length === 0)
    namedAtTheEnd.push('FAIL  vitest: ended with an error, see its output above')
  const lasting = await failAgain(first.failures)
  namedAtTheEnd.push(...lasting.map((failure) => `FAIL  ${describeFailure(failure)}`))
  const steadied = first.failures.length - lasting.length
  const counts = addCounts(first.counts, {
    passed: steadied,
    failed: first.unexplained.length - steadied,
    skipped: 0,
  })
  const isUncounted = first.outside.length > 0 || (failed === 0 && !first.ok)
  return isUncounted ? addCounts(counts, ONE_FAILURE) : counts
}

/** The failures that occur again when their files are run alone. */
async function failAgain(failures: readonly TestFailure[]): Promise<readonly TestFailure[]> {
  const files = [...new Set(failures.map(({ file }) => file))]
  if (files.length === 0 || files.length > RERUN_FILES) return failures
  const again = await reportOfVitest(files)
  if (again === undefined || (!again.ok && again.failures.length === 0)) return failures
  const failing = new Set(again.failures.map(({ file }) => file))
  for (const failure of failures) {
    if (!failing.has(failure.file)) namedAtTheEnd.push(`UNSTEADY ${describeFailure(failure)}`)
  }
  return failures.filter(({ file }) => failing.has(file))
}

function describeFailure({ file, test, message }: TestFailure): string {
  return `${file}${test === undefined ? '' : ` › ${test}`}\n${message.replaceAll(/^/gm, '      ')}`
}

async function reportOfVitest(
  which: readonly string[],
): Promise<(VitestSummary & { ok: boolean; outside: readonly string[] }) | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'zonereeve-vitest-'))
  const file = join(folder, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  try {
    const { ok, output } = await run('node_modules/.bin/vitest', ['run', ...which, ...reporters], {
      show: true,
    })
    return { ok, outside: unhandledErrorsIn(output), ...readVitestReport(readFileSync(file, 'utf8')) }
  } catch (error) {
    namedAtTheEnd.push(`FAIL  vitest wrote no report: ${String(error)}`)
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

let packed: Promise<string> | undefined

/** Tests the packed program, which is packed and installed once for all stages. */
async function runPacked(script: string, ...args: readonly string[]): Promise<Counts> {
  try {
    packed ??= installPackedProgram(packedFolder)
    return await runCounting(script, '--program', await packed, ...args)
  } catch (error) {
    namedAtTheEnd.push(`FAIL  the program cannot be packed: ${String(error)}`)
    return ONE_FAILURE
  }
}

/** Runs a program that prints its result as a last line "N passed, N failed". */
async function runCounting(script: string, ...args: readonly string[]): Promise<Counts> {
  const finished = await run('node_modules/.bin/tsx', [script, ...args], { show: true })
  const counts = countsIn(finished.output)
  namedAtTheEnd.push(...failureLinesIn(finished.output))
  if (counts === undefined || (!finished.ok && counts.failed === 0)) {
    namedAtTheEnd.push(`FAIL  ${script}: ended with an error:\n${finished.output.slice(-END_OF_OUTPUT)}`)
  }
  if (counts === undefined) return ONE_FAILURE
  return !finished.ok && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

/** Runs each benchmark once, as briefly as possible. The figures mean nothing; this only finds broken benchmarks. */
async function runBenchmarks(): Promise<Counts> {
  let counts = NO_COUNTS
  for (const name of ['records', 'dns']) {
    const finished = await run('node_modules/.bin/tsx', [`bench/${name}.bench.ts`, '--quick'])
    console.log(finished.ok ? `ok    bench/${name}` : `FAIL  bench/${name}\n${finished.output}`)
    if (!finished.ok) namedAtTheEnd.push(`FAIL  bench/${name}`)
    counts = addCounts(counts, { passed: +finished.ok, failed: +!finished.ok, skipped: 0 })
  }
  return counts
}

let total = NO_COUNTS

async function runStage(stage: Stage): Promise<void> {
  console.log(`\n== ${stage.name}`)
  const began = performance.now()
  const counts = await stage.run()
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(
    `== ${stage.name}: ${counts.passed} ok, ${counts.failed} failed, ${counts.skipped} skipped in ${seconds} s`,
  )
  total = addCounts(total, counts)
}

for (const stage of firstStages) await runStage(stage)
await inParallel(
  AT_A_TIME,
  besideEachOther.map((stage) => () => runStage(stage)),
)
for (const stage of lastStages) await runStage(stage)
rmSync(packedFolder, { recursive: true, force: true })

console.log(`\n${total.passed + total.failed} tests ran`)
if (!runsAll)
  console.log(`${LONG_TESTS.length} long test files and the long suites were left out: npm test -- --ci`)
for (const line of namedAtTheEnd) console.log(line)
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1
