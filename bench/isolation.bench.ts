// How long answers over UDP wait while the management works: HTTP floods, a log on a full disk, a replaced and a restored
// zone, a large file, a database on a disk that has stopped, garbage collection, a main thread that does not yield. Ours
// with answering threads, ours without, and Knot are asked in the same run, each every 5 ms from a process of its own.
// Only root can fill and stop a disk here. Options: --records N (100000) of the replaced zone, --loaded N (1000000) of the large file,
// --seconds N (10) of each flood and loop, --quick.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { builtProgram, startServer, type Program } from '../acceptance/program.ts'
import type { Waited } from './ask-steadily.ts'
import { mayMount, mountFreezable, mountInMemory, type Freezable, type Mounted } from './file-systems.ts'
import { machineClass, printTable, quantile } from './measure.ts'
import { requirePrograms, startKnot } from './peers.ts'
import { benchRecords, ZONE, zoneFile } from './zone-data.ts'
import { addRecords, callApi, connectTo, createZone, numberedRecord } from './zonereeve.ts'

const { values: options } = parseArgs({
  options: {
    records: { type: 'string', default: '100000' },
    loaded: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '10' },
    quick: { type: 'boolean', default: false },
  },
})
const records = options.quick ? 5_000 : Number(options.records)
const loaded = options.quick ? 10_000 : Number(options.loaded)
const seconds = options.quick ? 3 : Number(options.seconds)

const PER_SECOND = 200
const FLOOD_CONNECTIONS = 8
const PIPELINED = 32
/** Writes on each server before the disk stops, and as many then. */
const WRITERS = 16
/** Then their requests are on their way. */
const SENT_MS = 5
/** The zone of the large file, beside the one that is asked for. */
const LOADED_ZONE = 'loaded.example'
const SPIN = 'SIGUSR2'
const COLLECT = 'SIGWINCH'
/**
 * Loaded before the program, so that the benchmark can keep its main thread busy, or make objects there that live for a
 * while. Threads get no signals.
 */
const disturbedBySignals = (millis: number): string =>
  `data:text/javascript,${encodeURIComponent(`
    process.on('${SPIN}', () => {
      const end = Date.now() + ${millis}
      while (Date.now() < end);
    })
    process.on('${COLLECT}', () => {
      const end = Date.now() + ${millis}
      const kept = []
      const fill = () => {
        for (let i = 0; i < 20_000; i++) kept[Math.floor(Math.random() * 2_000_000)] = { i, text: 'n' + i, list: [i] }
        if (Date.now() < end) setImmediate(fill)
      }
      fill()
    })`)}`

interface Ours {
  readonly program: Program
  readonly zoneId: string
}

type MeasureEach = (title: string, work: (server: Ours) => Promise<unknown>) => Promise<void>

interface Asked {
  readonly name: string
  readonly client: ChildProcess
}

requirePrograms('knotd')
const folder = mkdtempSync(join(tmpdir(), 'zonereeve-isolation-'))
const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
const rows: string[][] = []
try {
  console.log(`${machineClass()}\n`)
  await compare()
} finally {
  for (const stop of stops.toReversed()) await stop()
}
console.log('')
printTable(['meanwhile', 'server', 'queries', 'p50 ms', 'p99 ms', 'longest ms', 'unanswered'], rows)

async function compare(): Promise<void> {
  const disk = mayMount() ? mountFreezable(join(folder, 'disk'), '16G') : undefined
  const logs = mayMount() ? mountInMemory(join(folder, 'logs'), '64m') : undefined
  for (const mounted of [disk, logs]) if (mounted !== undefined) stops.push(mounted.unmount)
  const ours = [
    await startOurs('threads', ['--dns-threads', 'auto'], disk, logs),
    await startOurs('single', ['--dns-threads', '0'], disk, logs),
  ] as const
  const asked = [
    askOf('Zonereeve', ours[0].program.dns.port),
    askOf('Zonereeve, --dns-threads 0', ours[1].program.dns.port),
    askOf('Knot', await startKnotBeside()),
  ]
  await sleep(2_000)
  const measure = async (title: string, work: () => Promise<unknown>): Promise<void> => {
    await take(asked)
    await work()
    const waited = await take(asked)
    const added = waited.map((one, i) => rowOf(title, asked[i]?.name ?? '', one))
    for (const row of added) console.error(row.join(' | '))
    rows.push(...added)
  }
  const measureEach: MeasureEach = (title, work) => measure(title, () => Promise.all(ours.map(work)))
  const wrongTokens = ({ program }: Ours) => flood(program.http, '/client/v4/zones', 'wrong'.repeat(8))
  await measure('idle', () => sleep(seconds * 1000))
  await measureEach('pipelined lists of records', ({ program: { http, token }, zoneId }) =>
    flood(http, `/client/v4/zones/${zoneId}/dns_records?per_page=1000`, token),
  )
  await measureEach('pipelined requests with wrong tokens', wrongTokens)
  if (logs === undefined) console.error('without root, no disk is filled or stopped')
  else {
    fill(logs)
    await measureEach('the same, with the log on a full disk', wrongTokens)
  }
  await measureHistory(measureEach)
  await measureEach(`another zone loaded from a file of ${shown(loaded)} records`, loadZone)
  if (disk !== undefined)
    await measure(`the disk of the database stopped for ${seconds} s`, () => stopDisk(disk, ours))
  await measureEach('garbage collection', (server) => disturb(server, COLLECT))
  await measureEach(`the main thread in a loop of ${seconds} s`, (server) => disturb(server, SPIN))
}

async function measureHistory(measureEach: MeasureEach): Promise<void> {
  await measureEach(`a zone replaced by a file of ${shown(records)} records`, ({ program, zoneId }) =>
    sendFile(program, zoneId, ZONE, records),
  )
  await measureEach('its earlier records restored', (server) => restoreBefore(server))
  await measureEach(`the ${shown(records)} records restored`, (server) => restoreBefore(server))
}

async function startOurs(
  title: string,
  flags: readonly string[],
  disk: Mounted | undefined,
  logs: Mounted | undefined,
): Promise<Ours> {
  const program = await startServer(builtProgram, join(disk?.path ?? folder, title), {
    prefix: [process.execPath, '--import', disturbedBySignals(seconds * 1000)],
    flags: ['--max-zone-file', '256M', '--rate-limit', 'off', ...flags],
    logFile: join(logs?.path ?? folder, `${title}.log`),
  })
  stops.push(() => program.kill())
  const connection = connectTo(program)
  const zoneId = await createZone(connection, ZONE)
  const each = Array.from({ length: 1000 }, (_, i) => numberedRecord(ZONE, i))
  await addRecords(connection, zoneId, each)
  connection.close()
  return { program, zoneId }
}

async function startKnotBeside(): Promise<number> {
  const knotFolder = join(folder, 'peers')
  mkdirSync(knotFolder)
  const file = join(folder, 'bench.zone')
  writeFileSync(file, zoneFile(benchRecords(100)))
  const knot = await startKnot(knotFolder, { name: ZONE, file, unsignedFile: file, isSigned: false })
  stops.push(knot.stop)
  return knot.dnsPort
}

function rowOf(title: string, server: string, { questions, longestMs, waits, unanswered }: Waited): string[] {
  const all = [...waits, ...(unanswered === 0 ? [] : [longestMs])]
  const figures = [quantile(all, 0.5), quantile(all, 0.99)].map((value) => value.toFixed(2))
  return [title, server, String(questions), ...figures, longestMs.toFixed(1), String(unanswered)]
}

function shown(count: number): string {
  return count.toLocaleString('en')
}

function askOf(name: string, port: number): Asked {
  const script = fileURLToPath(new URL('./ask-steadily.ts', import.meta.url))
  const client = fork(script, [String(port), ZONE, String(PER_SECOND)])
  stops.push(() => client.disconnect())
  return { name, client }
}

function take(asked: readonly Asked[]): Promise<Waited[]> {
  return Promise.all(
    asked.map(async ({ client }) => {
      const reported = once(client, 'message')
      client.send('take')
      return ((await reported) as [Waited])[0] // sent by ask-steadily.ts
    }),
  )
}

/** Keeps as many requests in progress as the connections take, and discards the replies. */
async function flood(http: string, path: string, token: string): Promise<void> {
  const { port, host } = new URL(http)
  const request = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\n\r\n`
  const sockets = Array.from({ length: FLOOD_CONNECTIONS }, () => {
    const socket = connect(Number(port), '127.0.0.1')
    const again = (): boolean =>
      socket.writable && socket.writableLength === 0 && socket.write(request.repeat(PIPELINED))
    socket.on('error', () => {}) // a connection that the server closes is no part of the measurement
    socket.on('connect', again)
    socket.on('data', again)
    return socket
  })
  await sleep(seconds * 1000)
  for (const socket of sockets) socket.destroy()
}

async function loadZone({ program }: Ours): Promise<void> {
  const connection = connectTo(program)
  const zoneId = await createZone(connection, LOADED_ZONE)
  connection.close()
  await sendFile(program, zoneId, LOADED_ZONE, loaded)
}

async function sendFile(program: Program, zoneId: string, zone: string, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, i) => {
    const { name, content } = numberedRecord(zone, i)
    return `${name}. 300 A ${content}\n`
  })
  const form = new FormData()
  form.set('file', new Blob([lines.join('')]))
  await callApi(program, 'PUT', `/zonereeve/zones/${zoneId}/zone_file?force=true`, form)
}

/** Restores the state before the last change set. */
async function restoreBefore({ program, zoneId }: Ours): Promise<void> {
  const path = `/zonereeve/zones/${zoneId}`
  const [last] = await callApi<readonly { number: number }[]>(program, 'GET', `${path}/changes?per_page=1`)
  await callApi(program, 'POST', `${path}/restore`, { number: Number(last?.number) - 1 })
}

/** Writes are on their way when the disk stops, others follow; all of them must succeed afterwards. */
async function stopDisk({ freeze, thaw }: Freezable, ours: readonly Ours[]): Promise<void> {
  const sent: Promise<PromiseSettledResult<unknown>[]>[] = []
  const write = (from: number): void => {
    const writes = ours.flatMap(({ program, zoneId }) =>
      Array.from({ length: WRITERS }, (_, i) =>
        callApi(program, 'POST', `/zones/${zoneId}/dns_records`, {
          ...numberedRecord(ZONE, from + i),
          ttl: 300,
        }),
      ),
    )
    sent.push(Promise.allSettled(writes))
  }
  write(10_000_000)
  await sleep(SENT_MS)
  freeze()
  try {
    write(20_000_000)
    await sleep(seconds * 1000)
  } finally {
    thaw()
  }
  for (const result of (await Promise.all(sent)).flat()) if (result.status === 'rejected') throw result.reason
}

function fill({ path }: Mounted): void {
  const block = Buffer.alloc(65_536)
  const file = openSync(join(path, 'filler'), 'w')
  try {
    for (;;) writeSync(file, block)
  } catch (err) {
    if (!(err instanceof Error) || !('code' in err) || err.code !== 'ENOSPC') throw err
  } finally {
    closeSync(file)
  }
}

async function disturb({ program }: Ours, signal: NodeJS.Signals): Promise<void> {
  process.kill(program.pid, signal)
  await sleep(seconds * 1000 + 500)
}
