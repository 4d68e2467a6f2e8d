// Two nodes with one PostgreSQL database and Knot as a secondary of both. Clients of both nodes write to one zone and to
// 64 others, while the node that writes is killed, PostgreSQL is restarted, and the other node is killed. Then numbers have no gaps,
// serials are one line, counts are right, both nodes have the same zones in memory and answer all names alike, Knot has what they have, and what was
// acknowledged is what is stored.
// Options: --seconds N (60), --program PATH (the launcher in this repository).
import { deepEqual, equal, ok } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { startPostgres, type PostgresServer } from '@zonereeve/storage/testing/postgres.ts'
import { run } from '../scripts/process.ts'
import { missingOf, POSTGRESQL } from '../scripts/requirements.ts'
import { createApi } from './browsers/api.ts'
import { ask, type DnsReply, parseDnsAddress } from './dns-client.ts'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'
import { builtProgram, startProgram, temporaryFolder, type Program } from './program.ts'
import { createReport } from './report.ts'
import { daemon, put } from './secondaries/nameservers.ts'
import { SECRET as TRANSFER_SECRET } from './secondaries/world.ts'

const NODE_SECRET = 'secret-of-the-nodes-of-this-suite-0123456789'
const CATALOG = 'catalog.kill-nodes.example'
const HAMMERED = 'hammered.kill-nodes.example'
const SMALL_ZONES = 64
/** Clients of the one zone and of the others, half of them at each node. */
const CLIENTS = 8
const PATIENCE_MS = 120_000
const PAUSE_MS = 100
/** Loops that ask at the same time. */
const QUESTIONERS = 8
/** Zones that one request compares. */
const COMPARED = 50

interface Zone {
  readonly id: string
  readonly name: string
  readonly acknowledged: Map<string, string>
  /** Names of requests that were refused or got no reply: they may be stored, or not. */
  readonly unknown: Set<string>
}

interface Place {
  readonly http: number
  readonly dns: number
  readonly folder: string
}

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    program: { type: 'string', default: builtProgram },
  },
})
const report = createReport()
const folder = temporaryFolder('kill-nodes')
const missing = missingOf(['postgresql', 'knotd', 'dig'])
if (missing === undefined) await hammer()
else report.skip('kill nodes', missing.reason, missing.required)
rmSync(folder, { recursive: true, force: true })
process.exitCode = report.close()

async function hammer(): Promise<void> {
  process.env['ZONEREEVE_KEY_ENCRYPTION_SECRET'] = NODE_SECRET
  const postgres = await startPostgres(POSTGRESQL, { isDurable: true })
  const database = await postgres.createDatabase()
  const places: Place[] = []
  for (const name of ['a', 'b'])
    places.push({ http: await freePort(), dns: await freePort(), folder: join(folder, name) })
  const [first, second] = places as [Place, Place] // two names
  const nodes = new Map<Place, Program>()
  const start = async (place: Place): Promise<void> => void nodes.set(place, await startNode(place, database))
  const knotPort = await freePort()
  const knot = await startKnot(knotPort, places)
  try {
    await start(first)
    await start(second)
    const zones = await prepare(nodes.get(first) as Program, knotPort) // started above
    const load = startLoad(zones, nodes)
    const part = (Number(options.seconds) * 1_000) / 5
    await report.check(
      'kill nodes: clients write while nodes are killed and PostgreSQL restarts',
      async () => {
        await sleep(part)
        await nodes.get(first)?.kill()
        await sleep(part)
        await start(first)
        await postgres.kill()
        await sleep(part / 4)
        await postgres.start()
        await sleep(part)
        await nodes.get(second)?.kill()
        await start(second)
        await load.acknowledgedMore(CLIENTS)
        await sleep(part)
        await load.stop()
      },
    )
    console.log(
      `      ${load.counts.acknowledged} writes acknowledged, ${load.counts.refused} refused or without a reply`,
    )
    await judge({ zones, nodes: [...nodes.values()], postgres, database, knotPort, knotLog: knot.log })
    for (const node of [...nodes.values()].toReversed())
      await report.check('kill nodes: a node still exits cleanly', node.stop)
  } catch (failure) {
    await report.check('kill nodes: the suite runs to its end', () => {
      throw failure
    })
  } finally {
    for (const node of nodes.values()) await node.kill()
    await knot.stop()
    await postgres.stop()
  }
}

function startNode({ http, dns, folder: data }: Place, database: string): Promise<Program> {
  const addresses = ['--http', `127.0.0.1:${http}`, '--dns', `127.0.0.1:${dns}`]
  const shared = ['--database', database, '--node-url', `http://127.0.0.1:${http}`]
  return startProgram(options.program, [
    'serve',
    '--data',
    data,
    '--resolver',
    'off',
    ...addresses,
    ...shared,
  ])
}

function startKnot(port: number, primaries: readonly Place[]) {
  const own = join(folder, 'knot')
  const remotes = primaries.map(
    ({ dns }, at) => `  - id: node${at}\n    address: 127.0.0.1@${dns}\n    key: xfr-key\n`,
  )
  const masters = `    master: [${primaries.map((_, at) => `node${at}`).join(', ')}]\n    acl: [notify-in, compare]\n`
  const file = put(
    own,
    'knot.conf',
    `server:\n    rundir: "${own}"\n    listen: 127.0.0.1@${port}\nlog:\n  - target: stderr\n    any: info\n` +
      `database:\n    storage: "${own}"\ncontrol:\n    listen: "${own}/knot.sock"\n` +
      `key:\n  - id: xfr-key\n    algorithm: hmac-sha256\n    secret: ${TRANSFER_SECRET}\nremote:\n${remotes.join('')}` +
      `acl:\n  - id: notify-in\n    address: 127.0.0.1\n    key: xfr-key\n    action: notify\n` +
      `  - id: compare\n    address: 127.0.0.1\n    action: transfer\n` +
      `template:\n  - id: default\n    storage: "${own}"\n` +
      `  - id: member\n    storage: "${own}"\n${masters}    zonefile-sync: -1\n    zonefile-load: none\n` +
      `    journal-content: all\n    refresh-max-interval: 5\n    retry-max-interval: 2\n` +
      `zone:\n  - domain: ${CATALOG}\n${masters}    catalog-role: interpret\n    catalog-template: member\n    refresh-max-interval: 5\n`,
  )
  return daemon('knotd', ['-c', file], { folder: own, port })
}

/** The zones, all in the catalog zone of Knot. */
async function prepare(target: Program, knotPort: number): Promise<readonly Zone[]> {
  const api = createApi(target)
  const [account] = await api.get<{ id: string }[]>('/accounts')
  const root = `/accounts/${account?.id}/secondary_dns`
  const key = { name: 'xfr-key', secret: TRANSFER_SECRET, algo: 'hmac-sha256.' }
  const { id: keyId } = await api.post<{ id: string }>(`${root}/tsigs`, key)
  const peer = { name: 'knot', ip: '127.0.0.1', port: knotPort, tsig_id: keyId }
  const peers = [(await api.post<{ id: string }>(`${root}/peers`, peer)).id]
  await api.call('PUT', `/zonereeve/accounts/${account?.id}/catalog_zone`, { name: CATALOG, peers })
  const names = [HAMMERED, ...Array.from({ length: SMALL_ZONES }, (_, at) => `z${at}.kill-nodes.example`)]
  return Promise.all(
    names.map(async (name) => {
      const { id } = await api.post<{ id: string }>('/zones', { name, account })
      await api.post(`/zones/${id}/secondary_dns/outgoing`, { name: `${name}.`, peers })
      await api.call('POST', `/zones/${id}/secondary_dns/outgoing/enable`)
      return { id, name, acknowledged: new Map<string, string>(), unknown: new Set<string>() }
    }),
  )
}

/** Half of the clients write to the first zone, the others to all others in turn. */
function startLoad([hammered, ...others]: readonly Zone[], nodes: ReadonlyMap<Place, Program>) {
  const counts = { acknowledged: 0, refused: 0 }
  const ending = new AbortController()
  let number = 0
  const working = Array.from({ length: 2 * CLIENTS }, async (_, client) => {
    const place = [...nodes.keys()][client % 2]
    while (!ending.signal.aborted && place !== undefined) {
      number += 1
      const zone = client < CLIENTS ? hammered : others[number % others.length]
      if (zone === undefined) throw new Error('there are no zones')
      await createRecord(`http://127.0.0.1:${place.http}`, zone, number)
    }
  })
  const failing = Promise.all(working)
  failing.catch(() => ending.abort()) // reported by stop()
  return {
    counts,
    async acknowledgedMore(by: number): Promise<void> {
      const goal = counts.acknowledged + by
      await until(() => counts.acknowledged > goal, 'no more writes are acknowledged')
    },
    async stop(): Promise<void> {
      ending.abort()
      await failing
    },
  }

  async function createRecord(
    http: string,
    { id, name: apex, acknowledged, unknown }: Zone,
    at: number,
  ): Promise<void> {
    const name = `r${at}.${apex}`
    const content = `10.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`
    unknown.add(name)
    const reply = await send(`${http}/client/v4/zones/${id}/dns_records`, {
      type: 'A',
      name,
      content,
      ttl: 300,
    })
    if (reply?.status === 200) {
      unknown.delete(name)
      acknowledged.set(name, content)
      counts.acknowledged += 1
      return
    }
    ok(reply === undefined || reply.status === 503, `a write got ${reply?.status} ${reply?.text}`)
    counts.refused += 1
    await sleep(PAUSE_MS)
  }
}

/** @returns undefined without a reply. */
async function send(
  url: string,
  body: object,
): Promise<{ readonly status: number; readonly text: string } | undefined> {
  const headers = {
    authorization: 'Bearer acceptance-administrator-token-0123456789ab',
    'content-type': 'application/json',
  }
  try {
    const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: reply.status, text: await reply.text() }
  } catch {
    return undefined // the node was killed
  }
}

interface Outcome {
  readonly zones: readonly Zone[]
  readonly nodes: readonly Program[]
  readonly postgres: PostgresServer
  readonly database: string
  readonly knotPort: number
  readonly knotLog: () => string
}

async function judge({ zones, nodes, postgres, database, knotPort, knotLog }: Outcome): Promise<void> {
  const all = async (statement: string) =>
    (await postgres.executeIn(new URL(database).pathname.slice(1), statement)) as readonly Record<
      string,
      unknown
    >[] // as selected
  const [first] = nodes
  if (first === undefined) throw new Error('there is no node')
  await report.check('kill nodes: numbers of changes have no gaps, and serials are one line', async () => {
    const numbered = `SELECT scope_id, number, row_number() OVER (PARTITION BY scope_id ORDER BY position) AS expected FROM changes`
    deepEqual(await all(`SELECT * FROM (${numbered}) AS n WHERE number <> expected`), [])
    const serials = `SELECT scope_id, serial, lag(serial) OVER (PARTITION BY scope_id ORDER BY position) AS before FROM changes WHERE serial IS NOT NULL`
    deepEqual(await all(`SELECT * FROM (${serials}) AS s WHERE serial <> before + 1`), [])
  })
  await report.check('kill nodes: what was acknowledged is stored, and nothing else', async () => {
    const rows = await all('SELECT zone_id, name, content FROM dns_records')
    for (const { id, name: apex, acknowledged, unknown } of zones) {
      const stored = new Map(
        rows
          .filter(({ zone_id: zone }) => zone === id)
          .map(({ name, content }) => [String(name).replace(/\.$/, ''), String(content)]),
      )
      for (const [name, content] of acknowledged) equal(stored.get(name), content, name)
      deepEqual(
        [...stored.keys()].filter((name) => !acknowledged.has(name) && !unknown.has(name)),
        [],
        apex,
      )
    }
  })
  for (const [at, node] of nodes.entries())
    await report.check(
      `kill nodes: node ${at} counts as many records as are stored, and answers them`,
      async () => {
        const counts = await all('SELECT zone_id, count(*)::int AS count FROM dns_records GROUP BY zone_id')
        for (const { id, acknowledged } of zones) {
          const { headers } = { headers: { authorization: `Bearer ${node.token}` } }
          const reply = await fetch(`${node.http}/client/v4/zones/${id}/dns_records?per_page=5`, { headers })
          const { result_info: info } = (await reply.json()) as { result_info: { total_count: number } } // as documented
          equal(info.total_count, counts.find(({ zone_id: zone }) => zone === id)?.['count'] ?? 0) // a zone may have none
          for (const [name, content] of [...acknowledged].slice(-20))
            await until(
              async () => isDeepStrictEqual((await ask(node.dns, name, 'A')).answers, [`A 300 ${content}`]),
              `${name} is not answered`,
            )
        }
      },
    )
  await report.check('kill nodes: both nodes answer all names alike', () => compareAnswers(zones, nodes))
  await report.check('kill nodes: both nodes have the same zones in memory, by checksum', async () => {
    const ids = zones.map(({ id }) => id)
    for (let start = 0; start < ids.length; start += COMPARED) {
      const some = ids.slice(start, start + COMPARED)
      const [own, their] = await Promise.all(nodes.map((node) => statesAt(node, some)))
      equal(Object.keys(own ?? {}).length, some.length)
      deepEqual(own, their)
    }
  })
  await report.check('kill nodes: Knot has the same zones, and followed by IXFR', async () => {
    const knot = parseDnsAddress(`127.0.0.1:${knotPort}`)
    for (const { name } of zones) {
      const expected = (await ask(first.dns, name, 'SOA')).answers
      await until(
        async () => isDeepStrictEqual((await ask(knot, name, 'SOA')).answers, expected),
        () => `Knot has another SOA of ${name}: ${knotLog().slice(-2_000)}`,
      )
    }
    for (const { name } of zones)
      deepEqual(await transfer(knotPort, name, false), await transferFromEither(nodes, name), name)
    ok(/IXFR, incoming, .*finished/.test(knotLog()), 'Knot reports no IXFR')
  })
}

/** Names of writes without a reply may exist or not: the same at both nodes. */
async function compareAnswers(zones: readonly Zone[], nodes: readonly Program[]): Promise<void> {
  const [first, second] = nodes
  if (first === undefined || second === undefined) throw new Error('there are not two nodes')
  const questions = zones
    .flatMap(({ name, acknowledged, unknown }): [string, 'SOA' | 'A', string?][] => [
      [name, 'SOA'],
      ...[...acknowledged].map(([host, content]): [string, 'A', string] => [host, 'A', content]),
      ...[...unknown].map((host): [string, 'A'] => [host, 'A']),
    ])
    .values()
  const compare = async (): Promise<void> => {
    for (const [name, type, content] of questions) {
      const own: DnsReply = await ask(first.dns, name, type)
      const their: DnsReply = await ask(second.dns, name, type)
      deepEqual(own, their, name)
      if (content !== undefined) deepEqual(own.answers, [`A 300 ${content}`], name)
    }
  }
  await Promise.all(Array.from({ length: QUESTIONERS }, compare))
}

/** Serials and checksums of zones in memory, as nodes compare them. */
async function statesAt({ http }: Program, ids: readonly string[]): Promise<object> {
  const credential = createHmac('sha256', NODE_SECRET)
    .update('zonereeve: requests between nodes')
    .digest('hex')
  const reply = await fetch(`${http}/nodes/zone-states?zones=${ids.join()}`, {
    headers: { 'zonereeve-node': credential },
  })
  equal(reply.status, 200)
  return (await reply.json()) as object // as nodes write it
}

/** Only the node that writes answers transfers. */
async function transferFromEither(nodes: readonly Program[], zone: string): Promise<readonly string[]> {
  for (const { dns } of nodes) {
    const lines = await transfer(dns.port, zone, true)
    if (lines.length > 0) return lines
  }
  throw new Error('no node answers a transfer')
}

async function transfer(port: number, zone: string, isSigned: boolean): Promise<readonly string[]> {
  const key = isSigned ? ['-y', `hmac-sha256:xfr-key:${TRANSFER_SECRET}`] : []
  const given = ['@127.0.0.1', '-p', String(port), ...key, '+noall', '+answer', '+onesoa', zone, 'AXFR']
  const { output } = await run('dig', given)
  return output
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(';') && !line.includes('TSIG'))
    .map((line) => line.replaceAll(/\s+/g, ' '))
    .toSorted()
}

async function until(
  isDone: () => boolean | Promise<boolean>,
  problem: string | (() => string),
): Promise<void> {
  for (const began = performance.now(); !(await isDone()); await sleep(PAUSE_MS))
    if (performance.now() - began > PATIENCE_MS)
      throw new Error(typeof problem === 'string' ? problem : problem())
}
