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
import { openConnection } from './http-client.ts'
import { machineClass, median, printTable, residentMib } from './measure.ts'

const ZONE = 'large.example'
const FILL_CONNECTIONS = 64

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
  console.log(`it was filled by single creates in ${fillSeconds.toFixed(1)} s`)
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

/** Ready must mean that the last record answers. */
async function checkServed(program: Program): Promise<void> {
  const { answers } = await ask(program.dns, `r${recordCount - 1}.${ZONE}`, 'A')
  if (answers.length !== 1) throw new Error('ready, but the last record does not answer')
}

async function fill(program: Program): Promise<number> {
  const { port } = new URL(program.http)
  const headers = { authorization: `Bearer ${program.token}` }
  const connections = Array.from({ length: FILL_CONNECTIONS }, () => openConnection(Number(port), headers))
  const zone = await connections[0]?.send('POST', '/client/v4/zones', JSON.stringify({ name: ZONE }))
  const id = /"result":\{"id":"([0-9a-f]{32})"/.exec(zone?.body.toString() ?? '')?.[1]
  if (id === undefined) throw new Error(`no zone: ${zone?.body.toString()}`)
  const began = performance.now()
  let next = 0
  const work = async (connection: (typeof connections)[number]): Promise<void> => {
    while (next < recordCount) {
      const number = next++
      const content = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
      const body = JSON.stringify({ type: 'A', name: `r${number}.${ZONE}`, content, ttl: 300 })
      const reply = await connection.send('POST', `/client/v4/zones/${id}/dns_records`, body)
      if (reply.status !== 200) throw new Error(`${body}: ${reply.status} ${reply.body.toString()}`)
    }
  }
  await Promise.all(connections.map(work))
  const took = (performance.now() - began) / 1000
  for (const connection of connections) connection.close()
  await program.stop()
  return took
}
