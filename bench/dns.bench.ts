// Answers per second for a zone of 10,000 names, beside Knot, NSD, BIND and PowerDNS: one server at a time on one core,
// dnsperf on the other, several alternating passes in one run. Options: --passes N (4), --seconds N (3), --quick.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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

const NAMES = 10_000

const { values: options } = parseArgs({
  options: {
    passes: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '3' },
    quick: { type: 'boolean', default: false },
  },
})
const passes = options.quick ? 1 : Number(options.passes)
const seconds = options.quick ? '1' : options.seconds

requirePrograms('dnsperf', 'knotd', 'nsd', 'named', 'pdns_server', 'pdnsutil', 'sqlite3', 'taskset')
const folder = mkdtempSync(join(tmpdir(), 'zonereeve-bench-'))
const records = benchRecords(NAMES)
const zonePath = join(folder, 'bench.zone')
const questionsPath = join(folder, 'questions')
writeFileSync(zonePath, zoneFile(records))
writeFileSync(questionsPath, questions(records))

const ours = await startServer(sourceProgram, join(folder, 'data'), { prefix: onServerCpu })
const peers: Peer[] = [{ name: 'Zonereeve', pid: ours.pid, dnsPort: ours.dns.port, stop: ours.stop }]
try {
  await fillOurs(ours, records)
  for (const start of [startKnot, startNsd, startBind, startPowerDns])
    peers.push(await start(folder, ZONE, zonePath))
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

async function fillOurs(program: Program, all: readonly BenchRecord[]): Promise<void> {
  const connection = connectTo(program)
  await addRecords(connection, await createZone(connection, ZONE), all)
  connection.close()
}
