// What very many small zones cost: memory and time of a start, and whether creating one more takes longer than among a tenth of them.
// Options: --zones N (1000000), --records N (5) of each zone, --samples N (200) of each operation. Zones are written into the
// database as rows, because creating them over the API would take hours; the samples are created over the API.
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createManyZones } from '../acceptance/dashboard/cloned-zones.ts'
import { ask } from '../acceptance/dns-client.ts'
import { installPackedProgram, startServer, temporaryFolder, type Program } from '../acceptance/program.ts'
import { machineClass, median, printTable, quantile, residentMib } from './measure.ts'
import { connectTo, createZone } from './zonereeve.ts'

const { values: options } = parseArgs({
  options: {
    zones: { type: 'string', default: '1000000' },
    records: { type: 'string', default: '5' },
    samples: { type: 'string', default: '200' },
  },
})
const zones = Number(options.zones)
const records = Number(options.records)
const samples = Number(options.samples)
/** With fewer records, servers write no snapshot. */
const MIN_RECORDS = 20_000
const minZones = Math.ceil((10 * MIN_RECORDS) / records)
/** Numbers of six digits name the zones. */
if (!(zones >= minZones && zones <= 1_000_000)) throw new Error(`--zones must be from ${minZones} to 1000000`)

const PREFIX = 'zz'
const MINUTES = 60_000
const MAX_START_MILLIS = 20 * MINUTES
const MAX_SNAPSHOT_MILLIS = 10 * MINUTES

interface Costs {
  readonly databaseMib: number
  /** Of the first start, which reads the database, and of the second one, from the snapshot that the first one has written. */
  readonly starts: readonly { readonly readyMs: number; readonly residentMib: number }[]
  /** After the first start was ready. */
  readonly snapshotMs: number
  readonly zoneMs: readonly number[]
  readonly recordMs: readonly number[]
  readonly answerMs: readonly number[]
}

const folder = temporaryFolder('many-zones')
try {
  const launcher = await installPackedProgram(folder)
  console.log(`${machineClass()}; ${records} records in each zone\n`)
  const counts = [zones / 10, zones].map(Math.floor)
  const costs: Costs[] = []
  for (const count of counts) costs.push(await measure(launcher, count))
  const row = (title: string, of: (one: Costs) => string): string[] => [title, ...costs.map(of)]
  const start = (number: number, of: 'readyMs' | 'residentMib') => (one: Costs) =>
    (one.starts[number]?.[of] ?? Number.NaN).toFixed(0)
  const spread = (of: 'zoneMs' | 'recordMs' | 'answerMs') => (one: Costs) =>
    `${median(one[of]).toFixed(2)} / ${quantile(one[of], 0.99).toFixed(2)}`
  printTable(
    ['', ...counts.map((count) => `${count.toLocaleString('en')} zones`)],
    [
      row('database, MiB', (one) => one.databaseMib.toFixed(0)),
      row('start from the database, ms', start(0, 'readyMs')),
      row('memory after it, MiB', start(0, 'residentMib')),
      row('snapshot written after, ms', ({ snapshotMs }) => snapshotMs.toFixed(0)),
      row('start from a snapshot, ms', start(1, 'readyMs')),
      row('memory after it, MiB', start(1, 'residentMib')),
      row('create a zone, ms', spread('zoneMs')),
      row('create a record, ms', spread('recordMs')),
      row('DNS answer, ms', spread('answerMs')),
    ],
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function measure(launcher: string, count: number): Promise<Costs> {
  const data = join(folder, String(count))
  await createManyZones(launcher, data, { count, prefix: PREFIX, records })
  const databaseMib = statSync(join(data, 'zonereeve.db')).size / 1024 / 1024
  const first = await started(launcher, data)
  const firstMib = residentMib(first.pid)
  const began = performance.now()
  while (!readdirSync(data).some((name) => name.endsWith('.snapshot'))) {
    if (performance.now() - began > MAX_SNAPSHOT_MILLIS) throw new Error('no snapshot was written')
    await sleep(100)
  }
  const snapshotMs = performance.now() - began
  await first.stop()
  const program = await started(launcher, data)
  const starts = [
    { readyMs: first.readyAfterMs, residentMib: firstMib },
    { readyMs: program.readyAfterMs, residentMib: residentMib(program.pid) },
  ]
  try {
    const operations = await sampleOperations(program, count)
    return { databaseMib, starts, snapshotMs, ...operations }
  } finally {
    await program.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

async function started(launcher: string, data: string): Promise<Program> {
  return startServer(launcher, data, { readyWithinMs: MAX_START_MILLIS })
}

async function sampleOperations(
  program: Program,
  count: number,
): Promise<Pick<Costs, 'zoneMs' | 'recordMs' | 'answerMs'>> {
  const connection = connectTo(program)
  const [zoneMs, recordMs, answerMs]: [number[], number[], number[]] = [[], [], []]
  for (let sample = 0; sample < samples; sample += 1) {
    let zoneId = ''
    zoneMs.push(await timed(async () => (zoneId = await createZone(connection, `more${sample}.example`))))
    recordMs.push(
      await timed(async () => {
        const record = { type: 'A', name: 'www', content: '192.0.2.1', ttl: 300 }
        const path = `/client/v4/zones/${zoneId}/dns_records`
        const { status, body } = await connection.send('POST', path, JSON.stringify(record))
        if (status !== 200) throw new Error(`${path}: ${status} ${body.toString().slice(0, 300)}`)
      }),
    )
    const number = String((sample * 7919) % count).padStart(6, '0')
    answerMs.push(await timed(() => expectAnswer(program, `host-0.${PREFIX}${number}.example`)))
  }
  connection.close()
  return { zoneMs, recordMs, answerMs }
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await run()
  return performance.now() - began
}

async function expectAnswer({ dns }: Program, name: string): Promise<void> {
  const { answers } = await ask(dns, name, 'A')
  if (answers.length !== 1) throw new Error(`${name} does not answer`)
}
