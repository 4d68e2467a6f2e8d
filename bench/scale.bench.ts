// How costs grow: one zone of many records, and many zones of ten, each compared with a tenth of its size in one run.
// Options: --records N (1000000), --zones N (100000), --runs N (3) starts of each, --samples N (200) of each operation.
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ask } from '../acceptance/dns-client.ts'
import {
  installPackedProgram,
  startServer,
  temporaryFolder,
  type Program,
  type Target,
} from '../acceptance/program.ts'
import type { HttpConnection } from './http-client.ts'
import { machineClass, median, printTable, quantile, residentMib } from './measure.ts'
import { addRecords, connectTo, createZone, numberedRecord } from './zonereeve.ts'

const { values: options } = parseArgs({
  options: {
    records: { type: 'string', default: '1000000' },
    zones: { type: 'string', default: '100000' },
    runs: { type: 'string', default: '3' },
    samples: { type: 'string', default: '200' },
  },
})
const recordCount = Number(options.records)
const zoneCount = Number(options.zones)
const runs = Number(options.runs)
const samples = Number(options.samples)

const RECORDS_IN_A_ZONE = 10
const BATCH = 200
/** Number of connections that fill a server with zones. */
const FILLERS = 16

/** A server's content, and the position of the measured zone in it. */
interface Content {
  readonly title: string
  readonly zone: string
  readonly recordsInZone: number
  readonly fill: (connect: () => HttpConnection) => Promise<void>
}

interface Filled {
  readonly content: Content
  readonly data: string
  readonly fillSeconds: number
}

interface Start {
  readonly readyMs: number
  readonly residentMib: number
}

type Operation = readonly [
  title: string,
  /** Returns its time in milliseconds; if it returns nothing, its whole run is timed. */
  run: (server: Measured, sample: number) => Promise<number | void>,
  /** Fraction of the samples, for slow operations. */
  share?: number,
]

interface Measured {
  readonly target: Target
  readonly connection: HttpConnection
  readonly content: Content
  readonly zoneId: string
  readonly emptyZoneId: string
}

const OPERATIONS: readonly Operation[] = [
  [
    'create in an empty zone, ms',
    ({ connection, emptyZoneId }, sample) => create(connection, emptyZoneId, `a${sample}`),
  ],
  ['create in the zone, ms', ({ connection, zoneId }, sample) => create(connection, zoneId, `a${sample}`)],
  ['batch of 200 creates, ms', createBatch, 0.1],
  ['list, first page of 100, ms', (server) => list(server, 'per_page=100')],
  ['list, last page of 100, ms', ({ content, ...server }) => list({ content, ...server }, lastPage(content))],
  [
    'list by exact name, ms',
    (server, sample) => list(server, `name.exact=r${sample % 10}.${server.content.zone}`),
  ],
  [
    'list by part of content, ms',
    (server, sample) => list(server, `content.contains=10.0.0.${sample % 10}&per_page=100`),
    0.1,
  ],
  ['search a word, ms', (server, sample) => list(server, `search=r${sample % 10}&per_page=100`), 0.1],
  ['create a zone, ms', createNumberedZone],
  ['zone by name, ms', ({ connection, content }) => get(connection, `/client/v4/zones?name=${content.zone}`)],
  ['zones, first page of 50, ms', ({ connection }) => get(connection, '/client/v4/zones?per_page=50')],
  [
    'DNS answer, ms',
    ({ target, content }, sample) =>
      expectAnswer(target, `r${(sample * 7919) % content.recordsInZone}.${content.zone}`),
  ],
  ['DNS answer while such a list is made, ms', answerDuringList, 0.1],
]

const folder = temporaryFolder('scale')
try {
  const launcher = await installPackedProgram(folder)
  console.log(`${machineClass()}\n`)
  await compare(launcher, [oneZone(recordCount / 10), oneZone(recordCount)])
  await compare(launcher, [manyZones(zoneCount / 10), manyZones(zoneCount)])
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function oneZone(count: number): Content {
  const zone = 'large.example'
  return {
    title: `1 zone of ${count.toLocaleString('en')}`,
    zone,
    recordsInZone: count,
    async fill(connect) {
      const connection = connect()
      const zoneId = await createZone(connection, zone)
      const step = 50_000
      for (let start = 0; start < count; start += step) {
        const length = Math.min(step, count - start)
        const records = Array.from({ length }, (_, index) => numberedRecord(zone, start + index))
        await addRecords(connection, zoneId, records)
      }
      connection.close()
    },
  }
}

function manyZones(count: number): Content {
  const nameOf = (number: number): string => `z${number}.example`
  return {
    title: `${count.toLocaleString('en')} zones of ${RECORDS_IN_A_ZONE}`,
    zone: nameOf(Math.floor(count / 2)),
    recordsInZone: RECORDS_IN_A_ZONE,
    async fill(connect) {
      let next = 0
      const work = async (): Promise<void> => {
        const connection = connect()
        while (next < count) {
          const zone = nameOf(next++)
          const zoneId = await createZone(connection, zone)
          const records = Array.from({ length: RECORDS_IN_A_ZONE }, (_, index) => numberedRecord(zone, index))
          await addRecords(connection, zoneId, records)
        }
        connection.close()
      }
      await Promise.all(Array.from({ length: FILLERS }, work))
    },
  }
}

async function compare(launcher: string, contents: readonly [Content, Content]): Promise<void> {
  const small = await fill(launcher, contents[0])
  const large = await fill(launcher, contents[1])
  const starts: readonly [Start[], Start[]] = [[], []]
  const readingStarts: readonly [Start[], Start[]] = [[], []]
  for (let run = 0; run < runs; run++) {
    for (const [index, filled] of [small, large].entries()) {
      starts[index]?.push(await startOnce(launcher, filled))
      removeSnapshots(filled)
      // Writes another snapshot at its end.
      readingStarts[index]?.push(await startOnce(launcher, filled))
    }
  }
  const rows = [
    growthRow('filling, s', small.fillSeconds, large.fillSeconds),
    growthRow('database, MiB', databaseMib(small.data), databaseMib(large.data)),
    startRow('start until ready, ms', starts, 'readyMs'),
    startRow('the same without a snapshot', readingStarts, 'readyMs'),
    startRow('memory after the start, MiB', starts, 'residentMib'),
    startRow('the same without a snapshot', readingStarts, 'residentMib'),
    ...(await measureOperations(launcher, [small, large])),
  ]
  printTable(['', contents[0].title, contents[1].title, 'growth'], rows)
  console.log()
}

async function fill(launcher: string, content: Content): Promise<Filled> {
  const data = join(folder, content.title.replaceAll(/[ ,]/g, ''))
  const program = await startServer(launcher, data)
  const began = performance.now()
  await content.fill(() => connectTo(program))
  const fillSeconds = (performance.now() - began) / 1000
  await program.stop()
  return { content, data, fillSeconds }
}

/** Starts a filled server, checks that the last record of its zone is answered, and stops it. */
async function startOnce(launcher: string, { content, data }: Filled): Promise<Start> {
  const program = await startServer(launcher, data)
  const start = { readyMs: program.readyAfterMs, residentMib: residentMib(program.pid) }
  await expectAnswer(program, `r${content.recordsInZone - 1}.${content.zone}`)
  await program.stop()
  return start
}

/** The next start reads all records from the database. */
function removeSnapshots({ data }: Filled): void {
  for (const name of readdirSync(data)) if (name.endsWith('.snapshot')) rmSync(join(data, name))
}

/** Runs each operation alternately on both servers, so that both run under the same conditions. */
async function measureOperations(launcher: string, filled: readonly [Filled, Filled]): Promise<string[][]> {
  const programs: Program[] = []
  try {
    const servers: Measured[] = []
    for (const { content, data } of filled) {
      const program = await startServer(launcher, data)
      programs.push(program)
      servers.push(await prepare(program, content))
    }
    const rows: string[][] = []
    for (const [title, run, share = 1] of OPERATIONS) {
      const times: number[][] = [[], []]
      for (let sample = 0; sample < samples * share; sample++) {
        for (const [index, server] of servers.entries()) {
          const began = performance.now()
          const own = await run(server, sample)
          times[index]?.push(own ?? performance.now() - began)
        }
      }
      const [small = [], large = []] = times
      rows.push([title, spread(small), spread(large), growth(median(small), median(large))])
    }
    return rows
  } finally {
    for (const program of programs) await program.stop()
  }
}

async function prepare(target: Program, content: Content): Promise<Measured> {
  const connection = connectTo(target)
  const emptyZoneId = await createZone(connection, 'empty.example')
  const found = await connection.send('GET', `/client/v4/zones?name=${content.zone}`)
  const zoneId = /"result":\[\{"id":"([0-9a-f]{32})"/.exec(found.body.toString())?.[1]
  if (zoneId === undefined) throw new Error(`no zone ${content.zone}: ${found.body.toString().slice(0, 300)}`)
  return { target, connection, content, zoneId, emptyZoneId }
}

async function create(connection: HttpConnection, zoneId: string, name: string): Promise<void> {
  const record = { type: 'A', name, content: '192.0.2.1', ttl: 300 }
  await send(connection, 'POST', `/client/v4/zones/${zoneId}/dns_records`, record)
}

async function createNumberedZone({ connection }: Measured, sample: number): Promise<void> {
  await createZone(connection, `more${sample}.example`)
}

async function createBatch({ connection, zoneId }: Measured, sample: number): Promise<void> {
  const posts = Array.from({ length: BATCH }, (_, index) => ({
    type: 'A',
    name: `b${sample}-${index}`,
    content: '192.0.2.2',
    ttl: 300,
  }))
  await send(connection, 'POST', `/client/v4/zones/${zoneId}/dns_records/batch`, { posts })
}

function list({ connection, zoneId }: Measured, query: string): Promise<void> {
  return get(connection, `/client/v4/zones/${zoneId}/dns_records?${query}`)
}

/** Queries until a filtered list has arrived. @returns the time of the slowest answer. */
async function answerDuringList(server: Measured, sample: number): Promise<number> {
  let isListed = false
  const listed = list(server, `content.contains=10.0.1.${sample % 10}&per_page=100`).finally(
    () => (isListed = true),
  )
  let slowest = 0
  do {
    const began = performance.now()
    await expectAnswer(server.target, `r0.${server.content.zone}`)
    slowest = Math.max(slowest, performance.now() - began)
  } while (!isListed)
  await listed
  return slowest
}

function lastPage({ recordsInZone }: Content): string {
  return `per_page=100&page=${Math.max(1, Math.floor(recordsInZone / 100))}`
}

async function get(connection: HttpConnection, path: string): Promise<void> {
  await send(connection, 'GET', path)
}

async function send(connection: HttpConnection, method: string, path: string, body?: object): Promise<void> {
  const reply = await connection.send(method, path, body === undefined ? undefined : JSON.stringify(body))
  if (reply.status !== 200)
    throw new Error(`${method} ${path}: ${reply.status} ${reply.body.toString().slice(0, 300)}`)
}

async function expectAnswer({ dns }: Target, name: string): Promise<void> {
  const { answers } = await ask(dns, name, 'A')
  if (answers.length !== 1) throw new Error(`${name} does not answer`)
}

function databaseMib(data: string): number {
  return statSync(join(data, 'zonereeve.db')).size / 1024 / 1024
}

function startRow(
  title: string,
  starts: readonly [readonly Start[], readonly Start[]],
  part: keyof Start,
): string[] {
  const [small, large] = starts.map((all) => median(all.map((start) => start[part])))
  return growthRow(title, small ?? Number.NaN, large ?? Number.NaN)
}

function growthRow(title: string, small: number, large: number): string[] {
  return [title, short(small), short(large), growth(small, large)]
}

function growth(small: number, large: number): string {
  return `**${(large / small).toFixed(2)}x**`
}

function spread(times: readonly number[]): string {
  return `${short(median(times))} / ${short(quantile(times, 0.99))}`
}

function short(value: number): string {
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)
}
