// Managing records, compared with PowerDNS with its SQLite backend and HTTP API, in interleaved rounds of one run.
// Options: --rounds N (3), --seconds N (2) for each measurement of creates, --quick (one short round).
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ask } from '../acceptance/dns-client.ts'
import { builtProgram, startServer } from '../acceptance/program.ts'
import { openConnection, type HttpConnection, type HttpReply } from './http-client.ts'
import { cpuSeconds, machineClass, median, printTable, quantile } from './measure.ts'
import { onServerCpu, requirePrograms, startPowerDns } from './peers.ts'
import { addRecords, connectTo, createZone, numberedRecord, type NewRecord } from './zonereeve.ts'

const LIST_SIZE = 10_000
const FIRST_PAGE = 100

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    quick: { type: 'boolean', default: false },
  },
})
const rounds = options.quick ? 1 : Number(options.rounds)
const seconds = options.quick ? 0.5 : Number(options.seconds)
const delaySamples = options.quick ? 50 : 300

/** Operations that both products support, each with its own API. */
interface Side {
  readonly name: string
  readonly pid: number
  readonly dnsPort: number
  readonly connect: () => HttpConnection
  readonly createZone: (connection: HttpConnection, zone: string) => Promise<string>
  /** @returns true if the record was stored. */
  readonly create: (connection: HttpConnection, zoneId: string, record: NewRecord) => Promise<boolean>
  /** Adds many records in the fastest way. */
  readonly addAll: (
    connection: HttpConnection,
    zoneId: string,
    records: readonly NewRecord[],
  ) => Promise<void>
  /** Reads the first `count` records of a zone (or all, if the API has no pages), as the server's raw reply. */
  readonly list: (connection: HttpConnection, zoneId: string, count: number) => Promise<Buffer>
  /** Matches once in that reply for each A record. */
  readonly listed: RegExp
}

requirePrograms('pdns_server', 'pdnsutil', 'sqlite3', 'taskset')
const folder = mkdtempSync(join(tmpdir(), 'zonereeve-bench-'))
const powerDns = await startPowerDns(folder, 'first.example')
const ours = await startServer(builtProgram, join(folder, 'data'), { prefix: onServerCpu })
try {
  const sides = [zonereeveSide(), powerDnsSide()] as const
  console.log(`${machineClass()}\n`)
  await measureCreates(sides)
  await measureLists(sides)
  await measureDelay(sides)
} finally {
  await ours.stop()
  await powerDns.stop()
  rmSync(folder, { recursive: true, force: true })
}

interface Creates {
  readonly perSecond: number
  /** Server CPU time per stored record, in milliseconds. */
  readonly cpuMs: number
  readonly refused: number
}

async function measureCreates(sides: readonly [Side, Side]): Promise<void> {
  const rows: string[][] = []
  for (const concurrency of [1, 16, 64]) {
    const measured: [Creates[], Creates[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      for (const index of [0, 1] as const) {
        measured[index].push(await createFor(sides[index], concurrency, `c${concurrency}-${round}.example`))
      }
    }
    const [ours, theirs] = measured
    const ratios = ours.map(({ perSecond }, round) => perSecond / (theirs[round]?.perSecond ?? Number.NaN))
    const cpu = (all: readonly Creates[]): string => median(all.map(({ cpuMs }) => cpuMs)).toFixed(2)
    const refused = (all: readonly Creates[]): number => all.reduce((sum, { refused: more }) => sum + more, 0)
    rows.push([
      `${concurrency} at a time`,
      range(ours.map(({ perSecond }) => perSecond)),
      range(theirs.map(({ perSecond }) => perSecond)),
      `**${median(ratios).toFixed(1)}x**`,
      `${cpu(ours)} / ${cpu(theirs)}`,
      `${refused(ours)} / ${refused(theirs)}`,
    ])
  }
  const [first, second] = sides
  printTable(
    ['creates/s', first.name, second.name, 'ratio', 'server CPU ms for each', 'failed requests'],
    rows,
  )
  console.log()
}

async function createFor(side: Side, concurrency: number, zone: string): Promise<Creates> {
  const connections = Array.from({ length: concurrency }, side.connect)
  const [first] = connections
  if (first === undefined) throw new Error('no connection')
  const zoneId = await side.createZone(first, zone)
  const cpuBefore = cpuSeconds(side.pid)
  const began = performance.now()
  const deadline = began + seconds * 1000
  let sequence = 0
  let stored = 0
  let refused = 0
  const work = async (connection: HttpConnection): Promise<void> => {
    while (performance.now() < deadline) {
      if (await side.create(connection, zoneId, numberedRecord(zone, sequence++))) stored++
      else refused++
    }
  }
  await Promise.all(connections.map(work))
  const perSecond = stored / ((performance.now() - began) / 1000)
  for (const connection of connections) connection.close()
  return { perSecond, cpuMs: ((cpuSeconds(side.pid) - cpuBefore) * 1000) / stored, refused }
}

async function measureLists(sides: readonly [Side, Side]): Promise<void> {
  const zone = 'list.example'
  const zoneIds = [await fill(sides[0], zone), await fill(sides[1], zone)] as const
  const megabytes = [0, 0]
  const rows: string[][] = []
  for (const count of [LIST_SIZE, FIRST_PAGE]) {
    const times: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds * 5; round++) {
      for (const index of [0, 1] as const) {
        const connection = sides[index].connect()
        const began = performance.now()
        const body = await sides[index].list(connection, zoneIds[index], count)
        times[index].push(performance.now() - began)
        connection.close()
        expectRecords(body.toString('latin1'), sides[index].listed, count)
        if (count === LIST_SIZE) megabytes[index] = body.length / 1e6
      }
    }
    rows.push(ratioRow(count === LIST_SIZE ? 'all records, ms' : `the first ${count}, ms`, times))
    if (count === LIST_SIZE) rows.push(throughputRow(times, megabytes))
  }
  printTable([`reading a zone of ${LIST_SIZE} records`, sides[0].name, sides[1].name, 'ratio'], rows)
  console.log()
}

function ratioRow(title: string, times: readonly [readonly number[], readonly number[]]): string[] {
  const ratios = times[1].map((time, round) => time / (times[0][round] ?? Number.NaN))
  return [title, range(times[0]), range(times[1]), `**${median(ratios).toFixed(1)}x**`]
}

function throughputRow(
  times: readonly [readonly number[], readonly number[]],
  megabytes: readonly number[],
): string[] {
  const speeds = times.map((side, index) => (megabytes[index] ?? 0) / (median(side) / 1000))
  const cells = speeds.map((speed, index) => `${speed.toFixed(0)} (${(megabytes[index] ?? 0).toFixed(2)} MB)`)
  return ['all records, MB/s', ...cells, `**${((speeds[0] ?? 0) / (speeds[1] ?? 1)).toFixed(1)}x**`]
}

async function fill(side: Side, zone: string): Promise<string> {
  const connection = side.connect()
  const zoneId = await side.createZone(connection, zone)
  await side.addAll(
    connection,
    zoneId,
    Array.from({ length: LIST_SIZE }, (_, number) => numberedRecord(zone, number)),
  )
  connection.close()
  return zoneId
}

async function measureDelay(sides: readonly [Side, Side]): Promise<void> {
  const zone = 'delay.example'
  const connections = [sides[0].connect(), sides[1].connect()] as const
  const zoneIds = [
    await sides[0].createZone(connections[0], zone),
    await sides[1].createZone(connections[1], zone),
  ]
  const whole: [number[], number[]] = [[], []]
  const after: [number[], number[]] = [[], []]
  for (let sample = 0; sample < delaySamples; sample++) {
    for (const index of [0, 1] as const) {
      const side = sides[index]
      const record = numberedRecord(zone, sample)
      const began = performance.now()
      if (!(await side.create(connections[index], zoneIds[index] ?? '', record))) continue
      const replied = performance.now()
      while ((await ask({ host: '127.0.0.1', port: side.dnsPort }, record.name, 'A')).answers.length === 0);
      const answered = performance.now()
      whole[index].push(answered - began)
      after[index].push(answered - replied)
    }
  }
  for (const connection of connections) connection.close()
  const cells = (samples: readonly number[]): string =>
    `${quantile(samples, 0.5).toFixed(2)} / ${quantile(samples, 0.99).toFixed(2)}`
  const row = (title: string, [a, b]: [number[], number[]]): string[] => [
    title,
    cells(a),
    cells(b),
    `**${(median(b) / median(a)).toFixed(1)}x**`,
  ]
  printTable(
    ['a write until DNS answers it, ms (p50 / p99)', sides[0].name, sides[1].name, 'ratio at p50'],
    [row('from sending the request', whole), row('from its reply', after)],
  )
}

function zonereeveSide(): Side {
  const recordsOf = (zoneId: string): string => `/client/v4/zones/${zoneId}/dns_records`
  return {
    name: 'Zonereeve',
    pid: ours.pid,
    dnsPort: ours.dns.port,
    connect: () => connectTo(ours),
    createZone,
    async create(connection, zoneId, record) {
      const reply = await connection.send('POST', recordsOf(zoneId), JSON.stringify({ ...record, ttl: 300 }))
      return reply.status === 200
    },
    addAll: addRecords,
    async list(connection, zoneId, count) {
      return (await connection.send('GET', `${recordsOf(zoneId)}?type=A&per_page=${count}`)).body
    },
    listed: /"type":"A"/g,
  }
}

function powerDnsSide(): Side {
  const zones = '/api/v1/servers/localhost/zones'
  const patch = (
    connection: HttpConnection,
    zoneId: string,
    records: readonly NewRecord[],
  ): Promise<HttpReply> =>
    connection.send('PATCH', `${zones}/${zoneId}`, JSON.stringify({ rrsets: records.map(rrset) }))
  return {
    name: 'PowerDNS 4.7 gsqlite3',
    pid: powerDns.pid,
    dnsPort: powerDns.dnsPort,
    connect: () => openConnection(powerDns.httpPort, { 'x-api-key': powerDns.apiKey }),
    async createZone(connection, zone) {
      const body = JSON.stringify({ name: `${zone}.`, kind: 'Native', nameservers: [`ns1.${zone}.`] })
      const reply = await connection.send('POST', zones, body)
      if (reply.status !== 201) throw new Error(`no zone: ${reply.status} ${reply.body.toString()}`)
      return `${zone}.`
    },
    async create(connection, zoneId, record) {
      return (await patch(connection, zoneId, [record])).status === 204
    },
    async addAll(connection, zoneId, records) {
      const reply = await patch(connection, zoneId, records)
      if (reply.status !== 204) throw new Error(`PATCH: ${reply.status} ${reply.body.toString()}`)
    },
    async list(connection, zoneId) {
      return (await connection.send('GET', `${zones}/${zoneId}`)).body
    },
    listed: /"type": ?"A"/g,
  }
}

function rrset({ type, name, content }: NewRecord): object {
  return { name: `${name}.`, type, ttl: 300, changetype: 'REPLACE', records: [{ content, disabled: false }] }
}

function expectRecords(text: string, record: RegExp, count: number): void {
  const found = text.match(record)?.length ?? 0
  if (found < count) throw new Error(`${found} records listed, not ${count}: ${text.slice(0, 200)}`)
}

function range(samples: readonly number[]): string {
  const digits = median(samples) < 100 ? 1 : 0
  return `${median(samples).toFixed(digits)} (${Math.min(...samples).toFixed(digits)} to ${Math.max(...samples).toFixed(digits)})`
}
