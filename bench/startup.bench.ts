// Time until ready and memory, for the packed program: the demo, an empty data folder, and a zone of 100,000 records.
// Options: --runs N (5), --records N (100000).
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ask } from '../acceptance/dns-client.ts'
import {
  installPackedProgram,
  onFreePorts,
  startProgram,
  startServer,
  temporaryFolder,
  type Program,
} from '../acceptance/program.ts'
import { machineClass, median, printTable, residentMib } from './measure.ts'
import { addRecords, connectTo, createZone, numberedRecord } from './zonereeve.ts'

const ZONE = 'large.example'

const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, records: { type: 'string', default: '100000' } },
})
const runs = Number(options.runs)
const recordCount = Number(options.records)

interface Start {
  readonly readyMs: number
  readonly residentMib: number
}

const folder = temporaryFolder('startup')
try {
  const launcher = await installPackedProgram(folder)
  console.log(`${machineClass()}\n`)
  const demo = await repeat(() => startProgram(launcher, ['demo', ...onFreePorts]))
  const empty = await repeat(() => startServer(launcher, join(folder, 'empty')))
  const fillSeconds = await fill(await startServer(launcher, join(folder, 'large')))
  const large = await repeat(() => startServer(launcher, join(folder, 'large')), checkServed)
  const row = (title: string, starts: readonly Start[]): string[] => [
    title,
    median(starts.map((start) => start.readyMs)).toFixed(0),
    Math.max(...starts.map((start) => start.readyMs)).toFixed(0),
    median(starts.map((start) => start.residentMib)).toFixed(0),
  ]
  printTable(
    ['start', 'ready ms (median)', 'ready ms (slowest)', 'RSS MiB'],
    [row('demo', demo), row('serve, empty', empty), row(`serve, ${recordCount} records in one zone`, large)],
  )
  const more = (part: keyof Start): number =>
    median(large.map((start) => start[part])) - median(empty.map((start) => start[part]))
  console.log(`\nthe zone adds ${more('readyMs').toFixed(0)} ms and ${more('residentMib').toFixed(0)} MiB`)
  console.log(`it was filled by batches of 1000 in ${fillSeconds.toFixed(1)} s`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function repeat(
  start: () => Promise<Program>,
  check?: (program: Program) => Promise<void>,
): Promise<Start[]> {
  const starts: Start[] = []
  for (let index = 0; index < runs; index++) {
    const program = await start()
    starts.push({ readyMs: program.readyAfterMs, residentMib: residentMib(program.pid) })
    await check?.(program)
    await program.stop()
  }
  return starts
}

/** Ready must mean that the last record is answered. */
async function checkServed(program: Program): Promise<void> {
  const { answers } = await ask(program.dns, `r${recordCount - 1}.${ZONE}`, 'A')
  if (answers.length !== 1) throw new Error('ready, but the last record does not answer')
}

async function fill(program: Program): Promise<number> {
  const connection = connectTo(program)
  const zoneId = await createZone(connection, ZONE)
  const began = performance.now()
  const records = Array.from({ length: recordCount }, (_, number) => numberedRecord(ZONE, number))
  await addRecords(connection, zoneId, records)
  const took = (performance.now() - began) / 1000
  connection.close()
  await program.stop()
  return took
}
