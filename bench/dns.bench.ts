// Answers per second for a zone of 10,000 names, beside Knot, NSD, BIND and PowerDNS: one server at a time on one core,
// dnsperf on the other, several alternating passes in one run. Ours runs twice: with UDP by the batch, and one by one.
// Options: --names N (10000), --passes N (4), --seconds N (3), --quick, --ours (without the others).
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sourceProgram, startServer, type Program } from '../acceptance/program.ts'
import { askSteadily, type Pass } from './dnsperf.ts'
import { machineClass, median, printTable, residentMib } from './measure.ts'
import {
  onServerCpu,
  requirePrograms,
  startBind,
  startKnot,
  startNsd,
  startPowerDns,
  type Peer,
} from './peers.ts'
import { benchRecords, questions, ZONE, zoneFile, type BenchRecord } from './zone-data.ts'
import { addRecords, connectTo, createZone } from './zonereeve.ts'

const { values: options } = parseArgs({
  options: {
    passes: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '3' },
    names: { type: 'string', default: '10000' },
    ours: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
})
const passes = options.quick ? 1 : Number(options.passes)
const seconds = options.quick ? '1' : options.seconds

requirePrograms('dnsperf', 'taskset')
if (!options.ours) requirePrograms('knotd', 'nsd', 'named', 'pdns_server', 'pdnsutil', 'sqlite3')
const folder = mkdtempSync(join(tmpdir(), 'zonereeve-bench-'))
const records = benchRecords(Number(options.names))
const zonePath = join(folder, 'bench.zone')
const questionsPath = join(folder, 'questions')
writeFileSync(zonePath, zoneFile(records))
writeFileSync(questionsPath, questions(records))

const peers: Peer[] = []
try {
  peers.push(...(await startOurs()))
  if (!options.ours) {
    for (const start of [startKnot, startNsd, startBind, startPowerDns])
      peers.push(await start(folder, ZONE, zonePath))
  }
  console.log(`${machineClass()}\n`)
  const results = new Map<Peer, Pass[]>(peers.map((peer) => [peer, []]))
  for (const peer of peers) await askSteadily(peer, questionsPath, '1') // warm: caches filled, code compiled
  for (let pass = 0; pass < passes; pass++) {
    for (const peer of peers) results.get(peer)?.push(await askSteadily(peer, questionsPath, seconds))
  }
  print(results)
} finally {
  for (const peer of peers) await peer.stop()
  rmSync(folder, { recursive: true, force: true })
}

function print(results: ReadonlyMap<Peer, readonly Pass[]>): void {
  const base = median((results.values().next().value ?? []).map((pass) => pass.perCpuSecond))
  const thousands = (value: number): string => `${(value / 1000).toFixed(0)} k`
  const rows = [...results].map(([peer, all]) => {
    const rates = all.map((pass) => pass.perSecond)
    const perCpu = median(all.map((pass) => pass.perCpuSecond))
    return [
      peer.name,
      `${thousands(median(rates))} (${thousands(Math.min(...rates))} to ${thousands(Math.max(...rates))})`,
      thousands(perCpu),
      `${(base / perCpu).toFixed(2)}x`,
      median(all.map((pass) => pass.latencyMs)).toFixed(2),
      String(all.reduce((sum, pass) => sum + pass.lost, 0)),
      residentMib(peer.pid).toFixed(0),
      all[0]?.codes ?? '',
    ]
  })
  printTable(
    ['server', 'answers/s', 'per server-CPU-second', 'ours : theirs', 'mean ms', 'lost', 'RSS MiB', 'codes'],
    rows,
  )
}

/** Two servers with the same data. */
async function startOurs(): Promise<Peer[]> {
  const batched = join(folder, 'batched')
  const single = join(folder, 'dgram')
  const filling = await startServer(sourceProgram, batched)
  await fillOurs(filling, records)
  await filling.stop()
  cpSync(batched, single, { recursive: true })
  const started: Peer[] = []
  for (const [name, data, batching] of [
    ['Zonereeve', batched, 'auto'],
    ['Zonereeve, dgram', single, 'off'],
  ] as const) {
    const program = await startServer(sourceProgram, data, {
      prefix: onServerCpu,
      flags: ['--dns-batching', batching],
    })
    started.push({ name, pid: program.pid, dnsPort: program.dns.port, stop: program.stop })
  }
  return started
}

async function fillOurs(program: Program, all: readonly BenchRecord[]): Promise<void> {
  const connection = connectTo(program)
  await addRecords(connection, await createZone(connection, ZONE), all)
  connection.close()
}
