// The cost of signatures: answers of a zone of 10,000 names, unsigned and signed, to clients that request signatures
// and to those that do not. All three in alternating passes of one run.
// Options: --passes N (4), --seconds N (3), --quick.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { builtProgram, startServer } from '../acceptance/program.ts'
import { askSteadily, type Asked, type Pass } from './dnsperf.ts'
import { machineClass, median, printTable, residentMib } from './measure.ts'
import { onServerCpu, requirePrograms } from './peers.ts'
import { benchRecords, questions, ZONE } from './zone-data.ts'
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

interface Case extends Asked {
  readonly name: string
  readonly flags: readonly string[]
}

requirePrograms('dnsperf', 'taskset')
const folder = mkdtempSync(join(tmpdir(), 'zonereeve-bench-'))
const records = benchRecords(NAMES)
const questionsPath = join(folder, 'questions')
writeFileSync(questionsPath, questions(records))
const servers = [await startFilled('unsigned', false), await startFilled('signed', true)]
try {
  const [unsigned, signed] = servers.map(({ pid, dns }) => ({ pid, dnsPort: dns.port }))
  if (unsigned === undefined || signed === undefined) throw new Error('two servers were started')
  const cases: readonly Case[] = [
    { name: 'unsigned', ...unsigned, flags: ['-e'] },
    { name: 'signed, signatures not requested', ...signed, flags: ['-e'] },
    { name: 'signed, signatures requested', ...signed, flags: ['-D'] },
  ]
  console.log(`${machineClass()}\n`)
  // Sends every query once; after that all signatures exist.
  for (const each of cases) console.log(`cold: ${each.name}: ${await coldRate(each)} answers/s`)
  const results = new Map<Case, Pass[]>(cases.map((each) => [each, []]))
  for (let pass = 0; pass < passes; pass++) {
    for (const each of cases)
      results.get(each)?.push(await askSteadily(each, questionsPath, { seconds }, each.flags))
  }
  print(results)
} finally {
  for (const server of servers) await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function startFilled(name: string, isSigned: boolean) {
  const server = await startServer(builtProgram, join(folder, name), { prefix: onServerCpu })
  const connection = connectTo(server)
  const zone = await createZone(connection, ZONE)
  await addRecords(connection, zone, records)
  if (isSigned) {
    const path = `/client/v4/zones/${zone}/dnssec`
    const reply = await connection.send('PATCH', path, JSON.stringify({ status: 'active' }))
    if (reply.status !== 200) throw new Error(`not signed: ${reply.body.toString()}`)
  }
  connection.close()
  return server
}

async function coldRate(each: Case): Promise<string> {
  return (await askSteadily(each, questionsPath, 'once', each.flags)).perSecond.toFixed(0)
}

function print(results: ReadonlyMap<Case, readonly Pass[]>): void {
  const base = median((results.values().next().value ?? []).map((pass) => pass.perCpuSecond))
  const thousands = (value: number): string => `${(value / 1000).toFixed(0)} k`
  const rows = [...results].map(([each, all]) => {
    const perCpu = median(all.map((pass) => pass.perCpuSecond))
    return [
      each.name,
      thousands(median(all.map((pass) => pass.perSecond))),
      thousands(perCpu),
      `${(perCpu / base).toFixed(2)}x`,
      median(all.map((pass) => pass.latencyMs)).toFixed(2),
      String(all.reduce((sum, pass) => sum + pass.lost, 0)),
      residentMib(each.pid).toFixed(0),
      all[0]?.codes ?? '',
    ]
  })
  printTable(
    [
      'zone',
      'answers/s',
      'per server-CPU-second',
      'relative to unsigned',
      'mean ms',
      'lost',
      'RSS MiB',
      'codes',
    ],
    rows,
  )
}
