// Loading a zone file into an empty zone, beside other nameservers, and creating many zones: time, peak memory, and bytes on disk.
// Options: --records N,N (100000,1000000) of the files, --zones N (0) of five records each, --alone without other nameservers,
// --program PATH (default: pack and install; `built` runs the program of this checkout).
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ask } from '../acceptance/dns-client.ts'
import {
  installPackedProgram,
  builtProgram,
  startServer,
  temporaryFolder,
  type Program,
} from '../acceptance/program.ts'
import { cpuSeconds, machineClass, median, printTable, residentMib } from './measure.ts'
import { requirePrograms, startBind, startKnot, startNsd, startPowerDns } from './peers.ts'
import { addRecords, connectTo, createZone, numberedRecord } from './zonereeve.ts'
import { benchRecords, ZONE, zoneFile } from './zone-data.ts'

const { values: options } = parseArgs({
  options: {
    records: { type: 'string', default: '100000,1000000' },
    zones: { type: 'string', default: '0' },
    alone: { type: 'boolean', default: false },
    program: { type: 'string' },
  },
})
const RECORDS_IN_A_ZONE = 5
/** Room for SOA, NS and its address at the head of the file: it may have a million records in all. */
const RECORDS_OF_HEAD = 10
/** Connections that create zones at the same time. */
const CREATORS = 16
/** Zones whose creation is timed one at a time, before and after the others. */
const TIMED_ZONES = 200

if (!options.alone) requirePrograms('knotd', 'nsd', 'named', 'pdns_server', 'pdnsutil', 'sqlite3', 'taskset')
const folder = temporaryFolder('loading')
try {
  const launcher =
    options.program === 'built' ? builtProgram : (options.program ?? (await installPackedProgram(folder)))
  console.log(`${machineClass()}\n`)
  const sizes = options.records.split(',').map(Number)
  const files: string[][] = []
  for (const size of sizes.filter((size) => size > 0)) {
    const [seconds, ...figures] = await loadFile(launcher, size)
    const others = options.alone ? [] : await loadElsewhere(size)
    const ratios = others.map(
      ([name, theirs]) => `${name} ${theirs.toFixed(1)} (${(seconds / theirs).toFixed(1)}x)`,
    )
    files.push([String(size), seconds.toFixed(1), ...figures, ratios.join(', ')])
  }
  printTable(
    [
      'records in the file',
      'takes, s',
      'CPU, s',
      'memory before, MiB',
      'peak, MiB',
      'bytes on disk per record',
      'others answer after, s (our time : theirs)',
    ],
    files,
  )
  const zones = Number(options.zones)
  if (zones > 0) await createZones(launcher, zones)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Fills an empty zone by one file on a new server. */
async function loadFile(launcher: string, size: number): Promise<[seconds: number, ...string[]]> {
  const data = join(folder, `file-${size}`)
  const server = await startServer(launcher, data, { flags: ['--max-zone-file', '256M'] })
  try {
    const connection = connectTo(server)
    const zoneId = await createZone(connection, ZONE)
    connection.close()
    const before = residentMib(server.pid)
    const cpuBefore = cpuSeconds(server.pid)
    const form = new FormData()
    form.set('file', new Blob([zoneFile(benchRecords(size - RECORDS_OF_HEAD))]))
    const began = performance.now()
    const reply = await fetch(`${server.http}/client/v4/zonereeve/zones/${zoneId}/zone_file?force=true`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${server.token}` },
      body: form,
    })
    const text = await reply.text()
    if (reply.status !== 200) throw new Error(`zone file: ${reply.status} ${text.slice(0, 500)}`)
    const seconds = (performance.now() - began) / 1000
    const cpu = cpuSeconds(server.pid) - cpuBefore
    const { answers } = await ask(server.dns, `h${size - 20}.${ZONE}`, 'A')
    if (answers.length !== 1) throw new Error('the loaded zone is not answered')
    const peak = peakMib(server.pid)
    await server.stop()
    const perRecord = databaseBytes(data) / size
    return [seconds, cpu.toFixed(1), before.toFixed(0), peak.toFixed(0), perRecord.toFixed(0)]
  } finally {
    await server.kill()
    rmSync(data, { recursive: true, force: true })
  }
}

/** Seconds from the start of other nameservers until they answer from the same file. PowerDNS reads it into its database first. */
async function loadElsewhere(size: number): Promise<(readonly [name: string, seconds: number])[]> {
  const home = join(folder, `others-${size}`)
  mkdirSync(home)
  const file = join(home, 'zone')
  writeFileSync(file, zoneFile(benchRecords(size - RECORDS_OF_HEAD)))
  const zone = { name: ZONE, file, unsignedFile: file, isSigned: false }
  const times: (readonly [string, number])[] = []
  for (const start of [
    () => startKnot(home, zone),
    () => startNsd(home, zone),
    () => startBind(home, zone),
    () => startPowerDns(home, ZONE, zone),
  ]) {
    const { name, readySeconds, stop } = await start()
    await stop()
    times.push([name, readySeconds])
  }
  rmSync(home, { recursive: true, force: true })
  return times
}

async function createZones(launcher: string, count: number): Promise<void> {
  const data = join(folder, 'zones')
  const server = await startServer(launcher, data)
  try {
    const first = await timeCreations(server, 'first')
    const empty = residentMib(server.pid)
    const began = performance.now()
    let next = 0
    const work = async (): Promise<void> => {
      const connection = connectTo(server)
      while (next < count) {
        const zone = `z${next++}.example`
        const zoneId = await createZone(connection, zone)
        const records = Array.from({ length: RECORDS_IN_A_ZONE }, (_, index) => numberedRecord(zone, index))
        await addRecords(connection, zoneId, records)
        if (next % 10_000 === 0)
          console.log(
            `${next} zones: ${((performance.now() - began) / 1000).toFixed(0)} s, ${residentMib(server.pid).toFixed(0)} MiB`,
          )
      }
      connection.close()
    }
    await Promise.all(Array.from({ length: CREATORS }, work))
    const seconds = (performance.now() - began) / 1000
    const last = await timeCreations(server, 'last')
    const filled = residentMib(server.pid)
    await server.stop()
    const bytes = databaseBytes(data) / count
    const again = await startServer(launcher, data, { readyWithinMs: 600_000 })
    const started = residentMib(again.pid)
    await again.stop()
    printTable(
      [
        'zones',
        'filling, s',
        'creating the first, ms',
        'creating one more, ms',
        'empty, MiB',
        'filled, MiB',
        'restarted, MiB',
        'ready again, s',
        'bytes on disk per zone',
      ],
      [
        [
          String(count),
          seconds.toFixed(0),
          first.toFixed(2),
          last.toFixed(2),
          empty.toFixed(0),
          filled.toFixed(0),
          started.toFixed(0),
          (again.readyAfterMs / 1000).toFixed(1),
          bytes.toFixed(0),
        ],
      ],
    )
  } finally {
    await server.kill()
  }
}

/** Median time of creating a zone. */
async function timeCreations(server: Program, prefix: string): Promise<number> {
  const connection = connectTo(server)
  const times: number[] = []
  for (let zone = 0; zone < TIMED_ZONES; zone++) {
    const began = performance.now()
    await createZone(connection, `${prefix}${zone}.example`)
    times.push(performance.now() - began)
  }
  connection.close()
  return median(times)
}

/** Peak resident memory of the process so far. */
function peakMib(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}

/** Of the database and its log. */
function databaseBytes(data: string): number {
  const files = readdirSync(data).filter((name) => /\.db(-wal)?$/.test(name))
  return files.reduce((sum, name) => sum + statSync(join(data, name)).size, 0)
}
