// npm run acceptance:databases: the parts of the acceptance suite that use the database, against the packed program with its data
// in PostgreSQL: one server, two nodes behind a balancer that takes them in turn, the same without notifications, and two nodes
// behind PgBouncer in transaction mode: one has the parameters for that, the other one notices it. docs/testing.md says which
// parts run where. `--program PATH` tests an installed program, `--setup NAME` runs one of the four, `--parts sdk,raw` only these.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import { type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { deepEqual } from 'node:assert/strict'
import { startPgBouncer } from '@zonereeve/storage/testing/pgbouncer.ts'
import { type PostgresServer, startPostgres } from '@zonereeve/storage/testing/postgres.ts'
import { missingOf, POSTGRESQL } from '../scripts/requirements.ts'
import { runClients } from './clients/run-clients.ts'
import { runConcurrentRecords } from './concurrent-records.ts'
import { ask } from './dns-client.ts'
import { runRollOver } from './dnssec/roll-over.ts'
import { runEdgeChanges } from './edge-changes.ts'
import { startPresentNameserver } from './present-nameserver.ts'
import { installPackedProgram, startServer, temporaryFolder, type Program, type Target } from './program.ts'
import { runProxy } from './proxy.ts'
import { runRaw } from './raw.ts'
import { recordingFetch, validateRecording } from './recording.ts'
import { createReport, type Report } from './report.ts'
import { runShell } from './scripted.ts'
import { PRESENT_RECORDS } from './sdk-scan.ts'
import { runSdk } from './sdk.ts'
import { runSecondaries } from './secondaries/run-secondaries.ts'
import { runZoneFiles } from './zone-file.ts'

const NODE_SECRET = 'secret-of-the-nodes-of-this-suite-0123456789'
const ATTEMPTS = 200
const PAUSE_MILLIS = 50
/** More than the 72 s of a node. */
const BALANCER_IDLE_MILLIS = 90_000

const ASKED = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'SOA', 'TXT'] as const
const isAsked = (type: string): type is (typeof ASKED)[number] => ASKED.some((asked) => asked === type)

interface Setup {
  readonly name: string
  readonly nodes: number
  /** Of each node in turn; behind a pooler, the last one has to find out. */
  readonly parameters: readonly string[]
  readonly isPooled: boolean
  readonly parts: readonly PartName[]
}

const SHARED_PARTS = ['zone files', 'shell', 'raw', 'records at once'] as const

const SETUPS: readonly Setup[] = [
  {
    name: 'one server',
    nodes: 1,
    parameters: [''],
    isPooled: false,
    parts: ['sdk', ...SHARED_PARTS, 'proxy', 'edge changes', 'secondaries', 'clients', 'schema'],
  },
  {
    name: 'two nodes',
    nodes: 2,
    parameters: [''],
    isPooled: false,
    parts: ['sdk', ...SHARED_PARTS, 'proxy', 'clients', 'same answers'],
  },
  {
    name: 'two nodes without notifications',
    nodes: 2,
    parameters: ['&listen=off'],
    isPooled: false,
    parts: ['sdk', 'records at once', 'same answers'],
  },
  {
    name: 'two nodes and a pooler',
    nodes: 2,
    parameters: ['&prepared_statements=off&listen=off', ''],
    isPooled: true,
    parts: ['sdk', ...SHARED_PARTS, 'secondaries', 'clients', 'same answers'],
  },
]

/** What a part tests, and what it needs. */
interface Place {
  /** The nodes behind a balancer. */
  readonly target: Target
  readonly nodes: readonly Program[]
  readonly launcher: string
  readonly folder: string
  readonly report: Report
  /** Exchanges that are compared with the schema. */
  readonly recording: string
}

const ROLLOVERS = 'key rollovers'
/** More would only repeat what large changes are tested for elsewhere. */
const LARGE_RECORDS = 20_000
/** They write in bursts, read at once what they wrote, and write by dynamic update. */
const CLIENTS = ['octodns', 'acme-txt.sh', 'lexicon', 'ddclient', 'inadyn', 'nsupdate', 'update-messages']

const PARTS = {
  sdk: ({ target, report, recording }) => runSdk(target, report, recordingFetch(recording)),
  'zone files': ({ target, report, launcher, folder, recording }) =>
    runZoneFiles(target, report, { launcher, folder, fetch: recordingFetch(recording) }),
  shell: ({ target, report }) => runShell(target, report),
  raw: (place) => runRaw(behindLast(place), place.report),
  'records at once': ({ target, report }) => runConcurrentRecords(target, report),
  proxy: ({ target, report, folder }) => runProxy(target, report, folder),
  'edge changes': ({ target, launcher, report, folder }) => runEdgeChanges(target, launcher, report, folder),
  secondaries: ({ target, report, folder }) => runSecondaries(target, report, folder, LARGE_RECORDS),
  clients: (place) => runClients(behindLast(place), place.report, place.folder, CLIENTS),
  schema: ({ report, recording }) => validateRecording(recording, report),
  'same answers': ({ target, nodes, report }) =>
    report.check('all nodes answer alike', () => compareNodes(target, nodes)),
} satisfies Record<string, (place: Place) => Promise<void>>

type PartName = keyof typeof PARTS

/** One node, which passes writes on: the balancer would refuse some of what nodes accept. */
const behindLast = ({ target, nodes }: Place): Target => ({
  ...target,
  http: nodes.at(-1)?.http ?? target.http,
})

const { values: options } = parseArgs({
  options: { program: { type: 'string' }, setup: { type: 'string' }, parts: { type: 'string' } },
})
refuseUnknown(
  'setup',
  options.setup,
  SETUPS.map(({ name }) => name),
)
for (const part of options.parts?.split(',') ?? [])
  // without the option there are all of them
  refuseUnknown('part', part, [...new Set(SETUPS.flatMap(({ parts }) => parts)), ROLLOVERS])
const report = createReport()
const folder = temporaryFolder('databases')
try {
  const missing = missingOf(['postgresql', 'pgbouncer'])
  if (missing === undefined) await runSetups(options.program ?? (await installPackedProgram(folder)))
  else report.skip('databases', missing.reason, missing.required)
} catch (error) {
  await report.check('the program can be tested with PostgreSQL', () => {
    throw error
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = report.close()

async function runSetups(launcher: string): Promise<void> {
  process.env['ZONEREEVE_KEY_ENCRYPTION_SECRET'] = NODE_SECRET
  const server = await startPostgres(POSTGRESQL)
  const present = await startPresentNameserver(PRESENT_RECORDS)
  try {
    // Side by side: each has its own database, and waits for it and for DNS most of the time.
    const chosen = SETUPS.filter(({ name }) => options.setup === undefined || options.setup === name)
    const world = { launcher, server, scanServer: present.address }
    await Promise.all([
      ...chosen.map((setup) => runSetup(setup, { ...world, report: named(report, setup.name) })),
      ...(options.setup === undefined && isChosen(ROLLOVERS) ? [runKeyRollovers(world)] : []),
    ])
  } finally {
    await present.close()
    await server.stop()
  }
}

/** A name that is mistyped would choose nothing, and nothing would fail. */
function refuseUnknown(what: string, name: string | undefined, known: readonly string[]): void {
  if (name !== undefined && !known.includes(name))
    throw new Error(`unknown ${what} ${name}; there are: ${known.join(', ')}`)
}

function isChosen(part: string): boolean {
  return options.parts?.split(',').includes(part) ?? true
}

/** By a server of its own, whose clock is moved. */
async function runKeyRollovers({ launcher, server }: Omit<World, 'report'>): Promise<void> {
  const database = await server.createDatabase()
  await report.time(ROLLOVERS, () => runRollOver(launcher, report, folder, ['--database', database]))
}

/** The same checks run in each setup: their names say in which. */
function named(all: Report, setup: string): Report {
  return {
    ...all,
    check: (name, body) => all.check(`${setup}: ${name}`, body),
    time: (part, body) => all.time(`${setup}: ${part}`, body),
    skip: (name, reason, required) => all.skip(`${setup}: ${name}`, reason, required),
  }
}

interface World {
  readonly launcher: string
  readonly server: PostgresServer
  readonly scanServer: string
  readonly report: Report
}

async function runSetup(setup: Setup, { launcher, server, scanServer, report: own }: World): Promise<void> {
  const database = await server.createDatabase()
  const pooler = setup.isPooled ? await startPgBouncer(database, 'transaction') : undefined
  const logs = Array.from({ length: setup.nodes }, () => '')
  const nodes: Program[] = []
  let balancer: Server | undefined
  // Short: sockets in it have paths of at most 107 characters.
  const place = join(folder, String(SETUPS.indexOf(setup)))
  mkdirSync(place)
  const recording = join(place, 'exchanges.jsonl')
  writeFileSync(recording, '')
  try {
    for (let index = 0; index < setup.nodes; index++) {
      const url = `${pooler?.url ?? database}${setup.parameters[index % setup.parameters.length] ?? ''}`
      const flags = ['--database', url, ...(setup.nodes > 1 ? ['--node-url', 'http://127.0.0.1:0'] : [])]
      const onLog = (text: string): void => void (logs[index] += text)
      nodes.push(await startServer(launcher, join(place, `node-${index}`), { flags, scanServer, onLog }))
    }
    if (setup.isPooled)
      await own.check('only the node without parameters has to find out that there is a pooler', () =>
        deepEqual(
          logs.map((text) => text.includes('a pooler changes connections')),
          [false, true],
        ),
      )
    const [writer] = nodes
    if (writer === undefined) throw new Error('no node was started')
    balancer = await startBalancer(nodes)
    // The writer has applied every change when a reply arrives, whichever node was asked.
    const target: Target = { ...writer, http: `http://127.0.0.1:${(balancer.address() as AddressInfo).port}` }
    for (const part of setup.parts.filter(isChosen))
      await own.time(part, () =>
        PARTS[part]({ target, nodes, launcher, folder: place, report: own, recording }),
      )
  } finally {
    balancer?.closeAllConnections()
    balancer?.close()
    for (const node of nodes.toReversed()) await own.check('a node ends with code 0 on SIGTERM', node.stop)
    await pooler?.stop()
  }
}

/** Every node, in turn, for each request. */
async function startBalancer(nodes: readonly Program[]): Promise<Server> {
  let turn = 0
  // It passes a node's Keep-Alive header on, so it must not close a connection before a client believes that.
  const server = createServer({ keepAliveTimeout: BALANCER_IDLE_MILLIS }, (incoming, outgoing) => {
    turn += 1
    const { port } = new URL(nodes[turn % nodes.length]?.http ?? '')
    const { method, url, rawHeaders } = incoming
    const passed = request({ host: '127.0.0.1', port, method, path: url, headers: rawHeaders }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 0, reply.statusMessage, reply.rawHeaders)
      reply.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** The zones that the suites left, record by record, from each node. */
async function compareNodes(target: Target, nodes: readonly Program[]): Promise<void> {
  const get = async <Result>(path: string): Promise<Result> => {
    const reply = await fetch(`${target.http}/client/v4${path}`, {
      headers: { authorization: `Bearer ${target.token}` },
    })
    return ((await reply.json()) as { result: Result }).result
  }
  const zones = await get<{ id: string; name: string }[]>('/zones?per_page=50')
  for (const { id, name } of zones) {
    const records = await get<{ name: string; type: string }[]>(`/zones/${id}/dns_records?per_page=500`)
    const [first, ...others] = nodes
    if (first === undefined) throw new Error('there is no node')
    for (const { name: owner, type } of [{ name, type: 'SOA' }, ...records]) {
      if (!isAsked(type)) continue
      const record = { name: owner, type }
      const expected = answersOf(await ask(first.dns, owner, type))
      for (const other of others) deepEqual(await answersLike(expected, other, record), expected, record.name)
    }
  }
}

/** The answers of a node, as soon as they are as expected, or after some time. */
async function answersLike(
  expected: readonly string[],
  node: Program,
  { name, type }: { readonly name: string; readonly type: (typeof ASKED)[number] },
): Promise<readonly string[]> {
  let found: readonly string[] = []
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    found = answersOf(await ask(node.dns, name, type))
    if (isDeepStrictEqual(found, expected)) break
    await sleep(PAUSE_MILLIS)
  }
  return found
}

/** Signatures are made by each node, with its own times. */
function answersOf({ answers }: Awaited<ReturnType<typeof ask>>): readonly string[] {
  return answers.map((answer) => JSON.stringify(answer)).toSorted()
}
