// npm run acceptance:databases: the suites that use most of the API, against the packed program with its data in
// PostgreSQL: one server, two nodes behind a balancer that takes them in turn, and two nodes behind PgBouncer in
// transaction mode without notifications: one has the parameters for that, the other one notices it.
// `--program PATH` tests an installed program.
import { rmSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import { type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { deepEqual } from 'node:assert/strict'
import { startPgBouncer } from '@zonereeve/storage/testing/pgbouncer.ts'
import { type PostgresServer, startPostgres } from '@zonereeve/storage/testing/postgres.ts'
import { missingOf, POSTGRESQL } from '../scripts/requirements.ts'
import { ask } from './dns-client.ts'
import { installPackedProgram, startServer, temporaryFolder, type Program, type Target } from './program.ts'
import { runRaw } from './raw.ts'
import { createReport, type Report } from './report.ts'
import { runSdk } from './sdk.ts'
import { runZoneFiles } from './zone-file.ts'

const NODE_SECRET = 'secret-of-the-nodes-of-this-suite-0123456789'
const FOR_POOLERS = '&prepared_statements=off&listen=off'
const ATTEMPTS = 200
const PAUSE_MILLIS = 50
/** More than the 72 s of a node. */
const BALANCER_IDLE_MILLIS = 90_000

const ASKED = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'SOA', 'TXT'] as const
const isAsked = (type: string): type is (typeof ASKED)[number] => ASKED.some((asked) => asked === type)

interface Setup {
  readonly name: string
  readonly nodes: number
  readonly isPooled: boolean
}

const SETUPS: readonly Setup[] = [
  { name: 'one server', nodes: 1, isPooled: false },
  { name: 'two nodes', nodes: 2, isPooled: false },
  { name: 'two nodes and a pooler', nodes: 2, isPooled: true },
]

const { values: options } = parseArgs({ options: { program: { type: 'string' }, setup: { type: 'string' } } })
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
  try {
    // Side by side: each has its own database, and waits for it and for DNS most of the time.
    const chosen = SETUPS.filter(({ name }) => options.setup === undefined || options.setup === name)
    await Promise.all(
      chosen.map((setup) => runSetup(setup, launcher, server, nameChecks(report, setup.name))),
    )
  } finally {
    await server.stop()
  }
}

/** The same checks run in each setup: their names say in which. */
function nameChecks(all: Report, setup: string): Report {
  return { ...all, check: (name, body) => all.check(`${setup}: ${name}`, body) }
}

async function runSetup(setup: Setup, launcher: string, server: PostgresServer, own: Report): Promise<void> {
  const database = await server.createDatabase()
  const pooler = setup.isPooled ? await startPgBouncer(database, 'transaction') : undefined
  const urls = pooler === undefined ? [database] : [`${pooler.url}${FOR_POOLERS}`, pooler.url]
  const logs = Array.from({ length: setup.nodes }, () => '')
  const nodes: Program[] = []
  let balancer: Server | undefined
  const place = join(folder, setup.name.replaceAll(' ', '-'))
  try {
    for (let number = 1; number <= setup.nodes; number++)
      nodes.push(
        await startServer(launcher, join(place, String(number)), {
          flags: [
            '--database',
            urls[(number - 1) % urls.length] ?? database,
            ...(setup.nodes > 1 ? ['--node-url', 'http://127.0.0.1:0'] : []),
          ],
          onLog: (text) => void (logs[number - 1] += text),
        }),
      )
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
    await runSdk(target, own, fetch)
    await runZoneFiles(target, own, { launcher, folder: place, fetch })
    // The balancer would refuse some of what nodes accept.
    await runRaw({ ...target, http: nodes.at(-1)?.http ?? target.http }, own)
    if (nodes.length > 1) await own.check('all nodes answer alike', () => compareNodes(target, nodes))
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
