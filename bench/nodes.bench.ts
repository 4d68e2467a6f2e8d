// One server with SQLite, one with PostgreSQL, two nodes with PostgreSQL, and PowerDNS with PostgreSQL, in interleaved
// rounds of one run: created records per second, how long other nodes take to answer DNS with a change, and answers per
// second of one node and of two. PostgreSQL waits for the disk. All are warmed up first, because V8 compiles while a new server runs.
// Options: --rounds N (3), --seconds N (2) for each measurement, --warm-up N (8) seconds, --quick (one short round).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '@zonereeve/storage/testing/postgres.ts'
import { ask } from '../acceptance/dns-client.ts'
import { builtProgram, startServer, type Program } from '../acceptance/program.ts'
import { POSTGRESQL } from '../scripts/requirements.ts'
import { askSteadily, type Pass } from './dnsperf.ts'
import { type HttpConnection, openConnection } from './http-client.ts'
import { machineClass, median, printTable, quantile } from './measure.ts'
import { pdnsPostgres, type PowerDns, requirePrograms, startPowerDns } from './peers.ts'
import { connectTo, createZone, numberedRecord } from './zonereeve.ts'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    'warm-up': { type: 'string', default: '8' },
    quick: { type: 'boolean', default: false },
  },
})
const rounds = options.quick ? 1 : Number(options.rounds)
const seconds = options.quick ? 0.5 : Number(options.seconds)
const warmUpSeconds = options.quick ? 1 : Number(options['warm-up'])
const answerSeconds = options.quick ? 1 : 2 * seconds
const samples = options.quick ? 20 : 200

const WARM_UP_ZONE = 'warm-up.example'

interface Side {
  readonly name: string
  readonly nodes: number
  connect(at: number): HttpConnection
  createZone(connection: HttpConnection, zone: string): Promise<string>
  create(connection: HttpConnection, zoneId: string, zone: string, number: number): Promise<boolean>
}

if (POSTGRESQL === '') throw new Error('needs PostgreSQL: apt-get install postgresql')
process.env['ZONEREEVE_KEY_ENCRYPTION_SECRET'] = 'secret-of-the-nodes-of-this-benchmark-0123'
const folder = mkdtempSync(join(tmpdir(), 'zonereeve-bench-'))
const postgres = await startPostgres(POSTGRESQL, { isDurable: true })
const programs: Program[] = []
const sides: Side[] = []
let powerDns: PowerDns | undefined
try {
  console.log(`${machineClass()}\n`)
  requirePrograms('pdns_server', 'pdnsutil', 'psql', 'dnsperf')
  sides.push(ours('SQLite', [await start('sqlite')]))
  const alone = await start('one', '--database', await postgres.createDatabase())
  sides.push(ours('PostgreSQL', [alone]))
  const shared = ['--database', await postgres.createDatabase(), '--node-url', 'http://127.0.0.1:0']
  const nodes = [await start('first', ...shared), await start('second', ...shared)]
  sides.push(ours('PostgreSQL, two nodes', nodes))
  const theirs = pdnsPostgres(await postgres.createDatabase())
  powerDns = await startPowerDns(folder, 'first.example', undefined, theirs)
  sides.push(powerDnsSide(powerDns))
  await measureCreates()
  await measurePropagation(nodes)
  await measureAnswers([[alone], nodes])
} finally {
  await powerDns?.stop()
  for (const node of programs.toReversed()) await node.stop()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function start(name: string, ...flags: readonly string[]): Promise<Program> {
  const program = await startServer(builtProgram, join(folder, name), { flags })
  programs.push(program)
  return program
}

/** Servers that share a database; the first writes. */
function ours(name: string, nodes: readonly Program[]): Side {
  return { name, nodes: nodes.length, connect: (at) => connectTo(nodeAt(nodes, at)), createZone, create }
}

function powerDnsSide({ httpPort, apiKey }: PowerDns): Side {
  const zones = '/api/v1/servers/localhost/zones'
  return {
    name: 'PowerDNS 4.7, PostgreSQL',
    nodes: 1,
    connect: () => openConnection(httpPort, { 'x-api-key': apiKey }),
    async createZone(connection, zone) {
      const body = JSON.stringify({ name: `${zone}.`, kind: 'Native', nameservers: [`ns1.${zone}.`] })
      const reply = await connection.send('POST', zones, body)
      if (reply.status !== 201) throw new Error(`no zone: ${reply.status} ${reply.body.toString()}`)
      return `${zone}.`
    },
    async create(connection, zoneId, zone, number) {
      const { name, type, content } = numberedRecord(zone, number)
      const records = [{ content, disabled: false }]
      const rrsets = [{ name: `${name}.`, type, ttl: 300, changetype: 'REPLACE', records }]
      return (await connection.send('PATCH', `${zones}/${zoneId}`, JSON.stringify({ rrsets }))).status === 204
    },
  }
}

/** Clients take the nodes of a setup in turn. */
async function measureCreates(): Promise<void> {
  for (const side of sides) await createFor(side, 16, WARM_UP_ZONE, warmUpSeconds)
  const rows: string[][] = []
  for (const concurrency of [1, 16, 64]) {
    const measured = sides.map((): number[] => [])
    for (let round = 0; round < rounds; round++)
      for (const [index, side] of sides.entries())
        measured[index]?.push(await createFor(side, concurrency, `c${concurrency}-${round}.example`))
    const base = median(measured[0] ?? [])
    rows.push([
      `${concurrency} at a time`,
      ...measured.map((all) => `${median(all).toFixed(0)} (${(median(all) / base).toFixed(2)}x)`),
    ])
  }
  printTable(['creates/s', ...sides.map(({ name }) => name)], rows)
  console.log()
}

async function createFor(side: Side, concurrency: number, zone: string, during = seconds): Promise<number> {
  const connections = Array.from({ length: concurrency }, (_, at) => side.connect(at % side.nodes))
  const [first] = connections
  if (first === undefined) throw new Error('no connection')
  const zoneId = await side.createZone(first, zone)
  const began = performance.now()
  const deadline = began + during * 1000
  let sequence = 0
  let stored = 0
  const work = async (connection: HttpConnection): Promise<void> => {
    while (performance.now() < deadline) if (await side.create(connection, zoneId, zone, sequence++)) stored++
  }
  await Promise.all(connections.map(work))
  for (const connection of connections) connection.close()
  return stored / ((performance.now() - began) / 1000)
}

async function create(
  connection: HttpConnection,
  zoneId: string,
  zone: string,
  number: number,
): Promise<boolean> {
  const body = JSON.stringify({ ...numberedRecord(zone, number), ttl: 300 })
  return (await connection.send('POST', `/client/v4/zones/${zoneId}/dns_records`, body)).status === 200
}

/** From the reply of a node until the other one answers DNS. */
async function measurePropagation(nodes: readonly Program[]): Promise<void> {
  const rows: string[][] = []
  for (const [from, to] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const connection = connectTo(nodeAt(nodes, from))
    const zone = `delay${from}.example`
    const zoneId = await createZone(connection, zone)
    const replies: number[] = []
    const delays: number[] = []
    for (let number = 0; number < samples; number++) {
      const began = performance.now()
      if (!(await create(connection, zoneId, zone, number))) throw new Error('a record was refused')
      const replied = performance.now()
      while ((await ask(nodeAt(nodes, to).dns, numberedRecord(zone, number).name, 'A')).answers.length === 0);
      replies.push(replied - began)
      delays.push(performance.now() - replied)
    }
    connection.close()
    const cell = (all: readonly number[]): string =>
      `${quantile(all, 0.5).toFixed(1)} / ${quantile(all, 0.99).toFixed(1)}`
    rows.push([
      from === 0 ? 'asked the node that writes' : 'asked the other node',
      cell(replies),
      cell(delays),
    ])
  }
  printTable(['ms, median / 99 %', 'reply to a create', 'then the other node answers DNS'], rows)
}

/** Each node of a setup is asked by a client of its own, all at the same time. */
async function measureAnswers(setups: readonly (readonly Program[])[]): Promise<void> {
  const questionsPath = join(folder, 'questions')
  const asked = Array.from({ length: 100 }, (_, number) => numberedRecord(WARM_UP_ZONE, number))
  writeFileSync(questionsPath, asked.map(({ name, type }) => `${name} ${type}\n`).join(''))
  const rows: string[][] = []
  for (const nodes of setups) {
    const passes = await Promise.all(
      nodes.map(({ pid, dns }) =>
        askSteadily({ pid, dnsPort: dns.port }, questionsPath, { seconds: String(answerSeconds) }),
      ),
    )
    const sum = (of: (pass: Pass) => number): number => passes.reduce((all, pass) => all + of(pass), 0)
    const isWhole = passes.every(({ lost, codes }) => lost === 0 && codes === 'NOERROR 100.00%')
    if (!isWhole) throw new Error(`not all answers came: ${JSON.stringify(passes)}`)
    rows.push([
      nodes.length === 1 ? 'one node' : 'two nodes',
      sum(({ perSecond }) => perSecond).toFixed(0),
      (sum(({ perCpuSecond }) => perCpuSecond) / nodes.length).toFixed(0),
    ])
  }
  console.log()
  printTable(['answers', 'per second', 'per CPU second of a node'], rows)
}

function nodeAt(nodes: readonly Program[], at: number): Program {
  const node = nodes[at % nodes.length]
  if (node === undefined) throw new Error('the setup has no node')
  return node
}
