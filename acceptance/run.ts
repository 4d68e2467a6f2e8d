// npm run acceptance: tests the packed program, installed into an empty folder, only over the network.
// `-- --http URL --dns HOST:PORT --token TOKEN` tests a running server instead; `--clients lego,inadyn` runs only those
// suites of clients/, `--parts dnssec,dashboard` only these parts, `--without dashboard` all others; `--dnssec`, `--dashboard`
// and `--examples` are short for their part; `--program PATH` tests an installed program.
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { setup as buildStaleProgram } from '../scripts/bundled.ts'
import { runBrowsers } from './browsers/run-browsers.ts'
import { runClients } from './clients/run-clients.ts'
import { runDashboard } from './dashboard/run-dashboard.ts'
import { parseDnsAddress } from './dns-client.ts'
import { runDnssec } from './dnssec/run-dnssec.ts'
import { runEdgeChallenge } from './edge-challenge.ts'
import { runEdgeChanges } from './edge-changes.ts'
import { runEdgeCorpus } from './edge-corpus.ts'
import { runEdgeOutages } from './edge-outages.ts'
import { runEdgePages } from './edge-pages.ts'
import { runExamples } from './examples.ts'
import { runFuzz } from './dns-fuzz.ts'
import { runOpenFiles } from './open-files.ts'
import { installPackedProgram, builtProgram, startServer, temporaryFolder, type Target } from './program.ts'
import { startPresentNameserver } from './present-nameserver.ts'
import { runProxy } from './proxy.ts'
import { runRaw } from './raw.ts'
import { recordingFetch, validateRecording } from './recording.ts'
import { createReport } from './report.ts'
import { PRESENT_RECORDS } from './sdk-scan.ts'
import { runShell } from './scripted.ts'
import { runSdk } from './sdk.ts'
import { runSecondaries } from './secondaries/run-secondaries.ts'
import { runZoneFiles } from './zone-file.ts'

const { values: options } = parseArgs({
  options: {
    http: { type: 'string' },
    dns: { type: 'string' },
    token: { type: 'string' },
    log: { type: 'string' },
    program: { type: 'string' },
    clients: { type: 'string' },
    parts: { type: 'string' },
    without: { type: 'string', default: '' },
    dnssec: { type: 'boolean' },
    dashboard: { type: 'boolean' },
    examples: { type: 'boolean' },
  },
})

const report = createReport()
const folder = temporaryFolder('acceptance')
try {
  if (options.http !== undefined && options.dns !== undefined && options.token !== undefined) {
    const target = { http: options.http, dns: parseDnsAddress(options.dns), token: options.token }
    await buildStaleProgram()
    await judge(target, builtProgram)
  } else await judgePackedProgram()
} catch (error) {
  await report.check('the program can be tested', () => {
    throw error
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = report.close()

async function judgePackedProgram(): Promise<void> {
  const began = performance.now()
  const launcher = options.program ?? (await installPackedProgram(folder))
  if (options.program === undefined)
    console.log(`packed and installed in ${((performance.now() - began) / 1000).toFixed(1)} s`)
  const present = await startPresentNameserver(PRESENT_RECORDS)
  try {
    const program = await startServer(launcher, join(folder, 'state'), { scanServer: present.address })
    console.log(`ready after ${program.readyAfterMs.toFixed(0)} ms`)
    try {
      await judge(program, launcher)
    } finally {
      await report.check('the program ends with code 0 on SIGTERM', program.stop)
    }
  } finally {
    await present.close()
  }
}

/** @param launcher of the program whose commands use the target. */
async function judge(target: Target, launcher: string): Promise<void> {
  if (options.clients !== undefined) return runClients(target, report, folder, options.clients.split(','))
  const log = options.log ?? join(folder, 'exchanges.jsonl')
  appendFileSync(log, '')
  const parts: readonly (readonly [name: string, run: () => Promise<void>])[] = [
    ['sdk', () => runSdk(target, report, recordingFetch(log))],
    ['zone files', () => runZoneFiles(target, report, { launcher, folder, fetch: recordingFetch(log) })],
    ['raw', () => runRaw(target, report)],
    ['shell', () => runShell(target, report)],
    ['proxy', () => runProxy(target, report, folder)],
    ['edge challenge', () => runEdgeChallenge(target, launcher, report)],
    ['edge pages', () => runEdgePages(target, launcher, report, folder)],
    ['edge changes', () => runEdgeChanges(target, launcher, report, folder)],
    ['edge outages', () => runEdgeOutages(target, launcher, report, folder)],
    ['edge corpus', () => runEdgeCorpus(target, launcher, report, folder)],
    ['fuzz', () => runFuzz(target, report)],
    ['open files', () => runOpenFiles(launcher, report, folder)],
    ['secondaries', () => runSecondaries(target, report, folder)],
    ['dnssec', () => runDnssec(launcher, report, folder)],
    ['browsers', () => runBrowsers(launcher, report, folder)],
    ['dashboard', () => runDashboard(launcher, report, folder)],
    ['clients', () => runClients(target, report, folder)],
    ['examples', () => runExamples(target, launcher, report, folder)],
    ['schema', () => validateRecording(log, report)],
  ]
  for (const [name, run] of chosenOf(parts)) await report.time(name, run)
}

/** @throws if there is no part of a name that was given. */
function chosenOf<Part extends readonly [name: string, ...unknown[]]>(
  parts: readonly Part[],
): readonly Part[] {
  const short = (['dnssec', 'dashboard', 'examples'] as const).filter((name) => options[name] === true)
  const only = options.parts?.split(',') ?? short
  const without = options.without === '' ? [] : options.without.split(',')
  const unknown = [...only, ...without].find((name) => !parts.some((part) => part[0] === name))
  if (unknown !== undefined)
    throw new Error(`unknown part ${unknown}; parts: ${parts.map(([name]) => name).join(', ')}`)
  const chosen = parts.filter(
    ([name]) => (only.length === 0 || only.includes(name)) && !without.includes(name),
  )
  if (chosen.length === 0) throw new Error('no part is left')
  return chosen
}
