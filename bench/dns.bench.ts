// Answers per second, signed and unsigned, compared with Knot, NSD, BIND and PowerDNS: one server at a time on one
// core, dnsperf on the other, several alternating passes in one run. Ours runs twice: with batched UDP, and with
// node:dgram.
// Options: --names N,… (10000; also 1000000), --signed no,yes (both), --passes N (4), --seconds N (3), --quick,
// --ours (without the others). For one size, slow preparations can be reused: --filled DIR (a data folder of ours
// that has the zone), --signed-file FILE (the signed zone file).
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { builtProgram, startServer, type Program } from '../acceptance/program.ts'
import { askSteadily, type Pass } from './dnsperf.ts'
import { machineClass, median, printTable, residentMib } from './measure.ts'
import {
  onServerCpu,
  requirePrograms,
  signZoneFile,
  startBind,
  startKnot,
  startNsd,
  startPowerDns,
  type Peer,
  type PeerZone,
} from './peers.ts'
import { benchRecords, questions, ZONE, zoneFile, type BenchRecord } from './zone-data.ts'
import { addRecords, connectTo, createZone } from './zonereeve.ts'

/** Distinct queries: more than any cache here can hold within the TTL; each is sent about once per pass. */
const MOST_QUESTIONS = 250_000
const READY_WITHIN_MS = 180_000

const { values: options } = parseArgs({
  options: {
    passes: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '3' },
    names: { type: 'string', default: '10000' },
    signed: { type: 'string', default: 'no,yes' },
    filled: { type: 'string' },
    'signed-file': { type: 'string' },
    ours: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
})
const passes = options.quick ? 1 : Number(options.passes)
const seconds = options.quick ? '1' : options.seconds

/** A zone of one size, as files and as a data folder of ours. */
interface Size {
  readonly names: number
  readonly folder: string
  readonly questionsPath: string
  readonly zonePath: string
  readonly filled: string
}

interface Result {
  readonly peer: Peer
  readonly cold: Pass
  readonly passes: readonly Pass[]
  readonly residentMib: number
}

requirePrograms('dnsperf', 'taskset')
if (!options.ours) {
  requirePrograms('knotd', 'nsd', 'named', 'pdns_server', 'pdnsutil', 'sqlite3')
  requirePrograms('dnssec-keygen', 'dnssec-signzone')
}
const folder = mkdtempSync(join(tmpdir(), 'zonereeve-bench-'))
try {
  console.log(`${machineClass()}\n`)
  for (const names of options.names.split(',').map(Number)) {
    const size = await prepare(names)
    for (const signed of options.signed.split(',')) await compare(size, signed === 'yes')
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function prepare(names: number): Promise<Size> {
  const own = join(folder, String(names))
  mkdirSync(own)
  const records = benchRecords(names)
  const zonePath = join(own, 'bench.zone')
  const questionsPath = join(own, 'questions')
  writeFileSync(zonePath, zoneFile(records))
  writeFileSync(questionsPath, questions(records, MOST_QUESTIONS))
  const filled = options.filled ?? join(own, 'filled')
  if (options.filled === undefined) await fill(filled, records)
  return { names, folder: own, questionsPath, zonePath, filled }
}

/** Fills a data folder with batch requests, and prints the time. */
async function fill(data: string, records: readonly BenchRecord[]): Promise<void> {
  const program = await startServer(builtProgram, data)
  const began = performance.now()
  const connection = connectTo(program)
  await addRecords(connection, await createZone(connection, ZONE), records)
  connection.close()
  const took = ((performance.now() - began) / 1000).toFixed(1)
  const count = records.length.toLocaleString('en')
  console.log(
    `Zonereeve was filled with ${count} names in ${took} s: ${residentMib(program.pid).toFixed(0)} MiB\n`,
  )
  await program.stop()
}

/** Runs all servers with one zone, and prints the table of results. */
async function compare(size: Size, isSigned: boolean): Promise<void> {
  const peers: Peer[] = []
  try {
    peers.push(...(await startOurs(size, isSigned)))
    if (!options.ours) peers.push(...(await startOthers(size, isSigned)))
    const flags = isSigned ? ['-D'] : []
    const results: Result[] = []
    // Warm-up: every query once, so that caches are filled, signatures created, code compiled.
    for (const peer of peers) {
      const cold = await askSteadily(peer, size.questionsPath, 'once', flags)
      results.push({ peer, cold, passes: [], residentMib: 0 })
    }
    for (let pass = 0; pass < passes; pass++) {
      for (const [i, result] of results.entries()) {
        const made = await askSteadily(result.peer, size.questionsPath, { seconds }, flags)
        const memory = residentMib(result.peer.pid)
        results[i] = { ...result, passes: [...result.passes, made], residentMib: memory }
      }
    }
    print(
      `${size.names.toLocaleString('en')} names, ${isSigned ? 'signed, signatures requested' : 'unsigned'}`,
      results,
    )
  } finally {
    for (const peer of peers) await peer.stop()
  }
}

function print(title: string, results: readonly Result[]): void {
  const perCpu = ({ passes: all }: Result): number[] => all.map((pass) => pass.perCpuSecond)
  const ours = results[0] === undefined ? [] : perCpu(results[0])
  const thousands = (value: number): string => `${(value / 1000).toFixed(0)} k`
  const rows = results.map((result) => {
    const { peer, cold, passes: all } = result
    const rates = all.map((pass) => pass.perSecond)
    const costs = perCpu(result)
    // Compares passes of the same round, because they ran under the most similar conditions.
    const ratios = costs.map((cost, round) => (ours[round] ?? Number.NaN) / cost)
    const times = (ratio: number): string => ratio.toFixed(2)
    return [
      peer.name,
      `${thousands(median(rates))} (${thousands(Math.min(...rates))} to ${thousands(Math.max(...rates))})`,
      `${thousands(median(costs))} (${thousands(Math.min(...costs))} to ${thousands(Math.max(...costs))})`,
      `${times(median(ratios))}x (${times(Math.min(...ratios))} to ${times(Math.max(...ratios))})`,
      thousands(cold.perCpuSecond),
      median(all.map((pass) => pass.latencyMs)).toFixed(2),
      String(all.reduce((sum, pass) => sum + pass.lost, cold.lost)),
      peer.readySeconds.toFixed(1),
      result.residentMib.toFixed(0),
      all[0]?.codes ?? '',
    ]
  })
  console.log(`${title}:\n`)
  printTable(
    [
      'server',
      'answers/s',
      'per server-CPU-second',
      'ours : theirs',
      'first query, per CPU-second',
      'mean ms',
      'lost',
      'ready s',
      'RSS MiB',
      'codes',
    ],
    rows,
  )
  console.log('')
}

async function startOthers(size: Size, isSigned: boolean): Promise<Peer[]> {
  const { zonePath } = size
  const home = join(size.folder, isSigned ? 'signed' : 'plain')
  mkdirSync(home)
  let file = zonePath
  if (isSigned) file = options['signed-file'] ?? (await signFile(home, zonePath))
  const zone: PeerZone = { name: ZONE, file, unsignedFile: zonePath, isSigned }
  const peers: Peer[] = []
  for (const start of [startKnot, startNsd, startBind]) peers.push(await start(home, zone))
  return [...peers, await startPowerDns(home, ZONE, zone)]
}

async function signFile(home: string, path: string): Promise<string> {
  const { file, seconds: took } = await signZoneFile(home, ZONE, path)
  console.log(`dnssec-signzone signed the file in ${took.toFixed(1)} s, on both cores\n`)
  return file
}

/** Starts two servers with the same data. */
async function startOurs(size: Size, isSigned: boolean): Promise<Peer[]> {
  const started: Peer[] = []
  for (const [name, batching] of [
    ['Zonereeve', 'auto'],
    ['Zonereeve, dgram', 'off'],
  ] as const) {
    const data = join(size.folder, `${batching}-${isSigned ? 'signed' : 'plain'}`)
    cpSync(size.filled, data, { recursive: true })
    const program = await startServer(builtProgram, data, {
      prefix: onServerCpu,
      flags: ['--dns-batching', batching],
      readyWithinMs: READY_WITHIN_MS,
    })
    const readySeconds = program.readyAfterMs / 1000
    started.push({ name, pid: program.pid, dnsPort: program.dns.port, readySeconds, stop: program.stop })
    if (isSigned) await sign(program)
  }
  return started
}

async function sign(program: Program): Promise<void> {
  const connection = connectTo(program)
  const listed = await connection.send('GET', `/client/v4/zones?name=${ZONE}`)
  const id = /"id":"([0-9a-f]{32})"/.exec(listed.body.toString())?.[1]
  const path = `/client/v4/zones/${id}/dnssec`
  const reply = await connection.send('PATCH', path, JSON.stringify({ status: 'active' }))
  if (reply.status !== 200) throw new Error(`not signed: ${reply.body.toString()}`)
  connection.close()
}
