// Browser reports stored per second on one core, from 100,000 distinct URLs, compared with a server that only parses
// and counts (count-reports.ts), in alternating passes of one run, after all URLs are active. Options: --passes N (4),
// --seconds N (5), --quick; --reports N continues until N reports were sent, and prints memory in between.
import { deepEqual } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { installPackedProgram, onFreePorts, builtProgram, startProgram } from '../acceptance/program.ts'
import { cpuSeconds, machineClass, median, printTable, residentMib } from './measure.ts'
import { onServerCpu, requirePrograms } from './peers.ts'
import { connectTo, createZone } from './zonereeve.ts'

const POLICY =
  "script-src 'unsafe-inline' 'unsafe-eval' 'report-sha256'; connect-src 'none'; report-uri https://reports.example/cdn-cgi/script_monitor/report; report-to zonereeve-monitoring"

/** JSON between the page and the blocked URL: concatenated by hand, because the sender shares the machine. */
const BEHIND_PAGE =
  '"referrer":"","violated-directive":"script-src-elem","effective-directive":"script-src-elem",' +
  `"original-policy":${JSON.stringify(POLICY)},"disposition":"report",`

/** Several zones, because one zone may not have this many resources. */
const ZONES = ['one.example', 'two.example', 'three.example', 'four.example'] as const
const URLS = 100_000
const PAGES = 100
const VIEWS_UNTIL_ACTIVE = 3
const CONNECTIONS = 32
/** CPU time per second of a server without work. */
const IDLE_CPU = 0.05
/** Reports between two memory measurements, and the fraction of them that the other side gets. */
const STEP = 250_000
const STEP_SHARE = 0.2

const { values: options } = parseArgs({
  options: {
    passes: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '5' },
    reports: { type: 'string', default: '0' },
    quick: { type: 'boolean', default: false },
  },
})
const passes = options.quick ? 1 : Number(options.passes)
const seconds = options.quick ? 1 : Number(options.seconds)

interface Side {
  readonly name: string
  readonly pid: number
  readonly port: number
}

interface Pass {
  readonly perSecond: number
  /** Per second of its own CPU time: other programs do not count. */
  readonly perCpuSecond: number
  readonly residentMib: number
}

/** Path and query of a zone's report endpoint. */
interface Target {
  readonly zone: string
  readonly zoneId: string
  readonly address: string
}

requirePrograms('taskset')
const folder = mkdtempSync(join(tmpdir(), 'zonereeve-bench-'))
const ours = await startProgram(
  options.quick ? builtProgram : await installPackedProgram(folder),
  [
    'serve',
    ...onFreePorts,
    '--data',
    join(folder, 'data'),
    '--report-rate',
    'off',
    '--report-budget',
    'off',
    '--script-fetches',
    '0',
    '--log-level',
    'error',
  ],
  { prefix: onServerCpu },
)
const plain = await startPlain()
try {
  console.log(`${machineClass()}\n`)
  const targets = await monitorZones()
  await measure([{ name: 'Zonereeve', pid: ours.pid, port: Number(new URL(ours.http).port) }, plain], targets)
} finally {
  await plain.stop()
  await ours.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function measure(sides: readonly [Side, Side], targets: readonly Target[]): Promise<void> {
  const results: [Pass[], Pass[]] = [[], []]
  const sent: [number, number] = [0, 0]
  // 100,000 new resources, repeated until they are active: from then on, most reports contain nothing new.
  const cpuBefore = cpuSeconds(ours.pid)
  sent[0] += await send(sides[0], targets, 0, { reports: URLS })
  const newPerCpuSecond = URLS / (cpuSeconds(ours.pid) - cpuBefore)
  sent[0] += await send(sides[0], targets, sent[0], { reports: URLS * (VIEWS_UNTIL_ACTIVE - 1) })
  sent[1] += await send(sides[1], targets, 0, { reports: URLS })
  await idle(ours.pid)
  const filledMib = residentMib(ours.pid)
  for (let pass = 0; pass < passes; pass++) {
    for (const index of [0, 1] as const) {
      const side = sides[index]
      const cpuBefore = cpuSeconds(side.pid)
      const began = performance.now()
      const count = await send(side, targets, sent[index], { millis: seconds * 1000 })
      const elapsed = (performance.now() - began) / 1000
      sent[index] += count
      results[index].push({
        perSecond: count / elapsed,
        perCpuSecond: count / (cpuSeconds(side.pid) - cpuBefore),
        residentMib: residentMib(side.pid),
      })
    }
  }
  const ratios = results[0].map(
    ({ perCpuSecond }, pass) => perCpuSecond / (results[1][pass]?.perCpuSecond ?? 0),
  )
  const row = (title: string, read: (pass: Pass) => number): string[] => [
    title,
    ...results.map((all) => range(all.map(read))),
  ]
  printTable(
    ['reports', sides[0].name, sides[1].name],
    [
      row('per second', ({ perSecond }) => perSecond),
      row('per second of its own CPU', ({ perCpuSecond }) => perCpuSecond),
      row('resident memory, MiB', (pass) => pass.residentMib),
    ],
  )
  console.log(
    `\nratio at CPU time: **${median(ratios).toFixed(2)}** (${ratios.map((one) => one.toFixed(2)).join(', ')})`,
  )
  console.log(`the first report of each of ${URLS} URLs: ${newPerCpuSecond.toFixed(0)} per second of CPU`)
  console.log(
    `memory after ${URLS} new URLs: ${filledMib.toFixed(0)} MiB, at the end: ${residentMib(ours.pid).toFixed(0)} MiB`,
  )
  await sendUntil(Number(options.reports), sides, targets, sent)
  await reportStored(targets, sent[0])
}

/** Continues in steps; prints memory at the end of each, and the rate relative to the other side. */
async function sendUntil(
  total: number,
  sides: readonly [Side, Side],
  targets: readonly Target[],
  sent: [number, number],
): Promise<void> {
  const began = performance.now()
  const ratios: number[] = []
  if (total > sent[0])
    console.log('\nreports sent | seconds | resident MiB | per second | per second of CPU | ratio')
  while (sent[0] < total) {
    const stepBegan = performance.now()
    const count = Math.min(STEP, total - sent[0])
    const own = await perCpuSecond(sides[0], targets, sent[0], count)
    const perSecond = count / ((performance.now() - stepBegan) / 1000)
    sent[0] += count
    const others = Math.ceil(count * STEP_SHARE)
    const ratio = own / (await perCpuSecond(sides[1], targets, sent[1], others))
    sent[1] += others
    ratios.push(ratio)
    const elapsed = (performance.now() - began) / 1000
    const figures = [sent[0], elapsed, residentMib(ours.pid), perSecond, own].map((one) => one.toFixed(0))
    console.log(`${figures.join(' | ')} | ${ratio.toFixed(2)}`)
  }
  if (ratios.length > 0) console.log(`ratio over ${ratios.length} steps: **${median(ratios).toFixed(2)}**`)
}

async function perCpuSecond(
  side: Side,
  targets: readonly Target[],
  first: number,
  count: number,
): Promise<number> {
  const before = cpuSeconds(side.pid)
  await send(side, targets, first, { reports: count })
  return count / (cpuSeconds(side.pid) - before)
}

/** Checks that all reports were recorded, by the server's counters, and prints the size of the inventory. */
async function reportStored(targets: readonly Target[], sent: number): Promise<void> {
  const connection = connectTo(ours)
  const counts: Record<string, number> = {}
  let resources = 0
  await new Promise((resolve) => setTimeout(resolve, 1000)) // the last batch
  for (const { zoneId } of targets) {
    const reply = await connection.send('GET', `/client/v4/zonereeve/zones/${zoneId}/page_shield/collector`)
    const { result } = JSON.parse(reply.body.toString())
    for (const [name, count] of Object.entries<number>({ recorded: result.recorded, ...result.dropped }))
      counts[name] = (counts[name] ?? 0) + count
    const scripts = `/client/v4/zones/${zoneId}/page_shield/scripts?status=active,infrequent&per_page=1`
    const list = await connection.send('GET', scripts)
    resources += JSON.parse(list.body.toString()).result_info.total_count
  }
  connection.close()
  console.log(`sent ${sent}: ${JSON.stringify(counts)}; ${resources} scripts in the inventory`)
  deepEqual(counts, { recorded: sent }, 'every report is recorded')
}

/** Waits until what was sent is stored, so that storing it does not count in the passes. */
async function idle(pid: number): Promise<void> {
  for (let before = Number.NEGATIVE_INFINITY; cpuSeconds(pid) - before > IDLE_CPU;) {
    before = cpuSeconds(pid)
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}

async function monitorZones(): Promise<Target[]> {
  const connection = connectTo(ours)
  const targets: Target[] = []
  for (const zone of ZONES) {
    const zoneId = await createZone(connection, zone)
    await connection.send('PUT', `/client/v4/zones/${zoneId}/page_shield`, '{"enabled":true}')
    const page = encodeURIComponent(`https://${zone}/`)
    const path = `/client/v4/zonereeve/zones/${zoneId}/page_shield/headers?url=${page}`
    const reply = await connection.send('GET', path)
    const address = new RegExp(`report-uri https://${zone}(/[^; "]+)`).exec(reply.body.toString())?.[1]
    if (address === undefined) throw new Error(`no address to report to: ${reply.body.toString()}`)
    targets.push({ zone, zoneId, address })
  }
  connection.close()
  return targets
}

/** Sends reports on many connections, one at a time on each. @returns the number of replies. */
async function send(
  { port }: Side,
  targets: readonly Target[],
  first: number,
  until: { readonly reports: number } | { readonly millis: number },
): Promise<number> {
  const deadline = 'millis' in until ? performance.now() + until.millis : Number.POSITIVE_INFINITY
  const limit = 'reports' in until ? first + until.reports : Number.POSITIVE_INFINITY
  let next = first
  let answered = 0
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      const sendNext = (): void => {
        if (next >= limit || performance.now() >= deadline) return void socket.end()
        socket.write(requestOf(targets, next++))
      }
      let reply = ''
      socket.on('connect', sendNext)
      socket.on('data', (chunk) => {
        reply += chunk.toString('latin1')
        if (!reply.endsWith('\r\n\r\n')) return
        if (!reply.startsWith('HTTP/1.1 204')) return void socket.destroy(new Error(reply))
        reply = ''
        answered += 1
        sendNext()
      })
      socket.on('error', reject)
      socket.on('close', () => resolve())
    })
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  return answered
}

/** A report as Chromium sends it. After all URLs were sent, the next visitor begins. */
function requestOf(targets: readonly Target[], number: number): string {
  const { zone, address } = targets[number % targets.length] ?? { zone: '', address: '' }
  const page = `https://www.${zone}/page/${(number >> 2) % PAGES}`
  const blocked = `https://cdn${number % 50}.example.net/assets/script-${number % URLS}.js`
  const body = `{"csp-report":{"document-uri":"${page}?visit=${number}",${BEHIND_PAGE}"blocked-uri":"${blocked}","status-code":200,"script-sample":""}}`
  return (
    `POST ${address} HTTP/1.1\r\nhost: www.${zone}\r\nuser-agent: Browser/${Math.floor(number / URLS)}\r\n` +
    `content-type: application/csp-report\r\norigin: https://www.${zone}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  )
}

async function startPlain(): Promise<Side & { stop(): Promise<void> }> {
  const program = fileURLToPath(new URL('./count-reports.ts', import.meta.url))
  const [command = '', ...rest] = [...onServerCpu, process.execPath, '--import', 'tsx', program]
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [firstOutput] = await once(child.stdout, 'data')
  const port = Number(/listening (\d+)/.exec(String(firstOutput))?.[1])
  return {
    name: 'minimal server',
    pid: child.pid ?? 0,
    port,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

function range(samples: readonly number[]): string {
  return `${median(samples).toFixed(0)} (${Math.min(...samples).toFixed(0)} to ${Math.max(...samples).toFixed(0)})`
}
