// Nodes with the zones of some nameservers, as processes, beside one with all zones that writes.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { decode, encode } from 'dns-packet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PostgresServer, START_MILLIS, startPostgres } from '@zonereeve/storage/testing/postgres.ts'
import { endOfSuite, scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { POSTGRESQL } from '../../../../scripts/requirements.ts'
import { describeWith } from '../../../../scripts/test-requirements.ts'
import { ON_FREE_PORTS, runProgram } from '../testing/run-program.ts'
import {
  createZone,
  type Node,
  type NodeOptions,
  record,
  SECRET,
  startNode,
  TOKEN,
} from '../testing/start-node.ts'

const PATIENT = { timeout: 5 * START_MILLIS }
const PAUSE_MILLIS = 50
/** The sets of `a`, of `b`, and one that no node has. */
const NAME_SERVERS = 'ns1.a.example,ns2.a.example/ns1.b.example/ns1.c.example:full'

const settings = (zonesOf?: string): NodeOptions => ({
  environment: {
    ZONEREEVE_NAME_SERVERS: NAME_SERVERS,
    ...(zonesOf !== undefined && { ZONEREEVE_ZONES_OF: zonesOf }),
  },
})

/** What a node answers: the text of a record, `denied` by a zone that it has, or `refused`. */
async function askFor(node: Node, name: string): Promise<string> {
  const { resolver } = await node.ready
  return resolver.resolveTxt(name).then(
    (strings) => strings.join(),
    (failure: NodeJS.ErrnoException) =>
      failure.code === 'ENOTFOUND' || failure.code === 'ENODATA' ? 'denied' : String(failure.code),
  )
}

/** Whether a node answers with the keys of a signed zone. */
async function hasKeys(node: Node, name: string): Promise<boolean> {
  const [server = ''] = (await node.ready).resolver.getServers() // it has one, of IPv4
  const socket = createSocket('udp4')
  try {
    const query = encode({ id: 1, type: 'query', questions: [{ type: 'DNSKEY', name }] })
    socket.send(query, Number(server.split(':')[1]), '127.0.0.1')
    const [reply] = (await once(socket, 'message', { signal: AbortSignal.timeout(START_MILLIS) })) as [Buffer] // of a socket
    return (decode(reply).answers ?? []).length > 0 // it is unsigned
  } finally {
    socket.close()
  }
}

const REFUSED = 'EREFUSED'

async function create(node: Node, name: string) {
  const id = await createZone(node, name)
  const { result } = await node.call('GET', `/zones/${id}`)
  const nameServers: string = result.name_servers.join()
  const { status } = await node.call('POST', `/zones/${id}/dns_records`, record(`t.${name}`))
  expect(status).toBe(200)
  return { id, name, nameServers, isOfA: nameServers === 'ns1.a.example,ns2.a.example' }
}

describeWith('postgresql', 'nodes with the zones of some nameservers', () => {
  let server: PostgresServer
  /** Each start costs seconds of CPU time: these are for all tests, each with its own zones. */
  let all: { database: string; writer: Node; a: Node; b: Node }
  beforeAll(async () => {
    server = await startPostgres(POSTGRESQL)
    const database = await server.createDatabase()
    const start = (zonesOf?: string) => startNode(database, { ...settings(zonesOf), atEnd })
    const writer = await start()
    // Any one name of a set is enough.
    const a = await start('ns2.a.example')
    const b = await start('ns1.b.example,ns1.elsewhere.example')
    all = { database, writer, a, b }
  }, PATIENT.timeout)
  afterAll(() => server.stop())
  // Before the database server: the last to be set up ends first.
  const atEnd = endOfSuite()

  test(
    'each zone is answered by its nodes and by that which writes, and refused by the others, also after a start',
    async () => {
      const { database, writer, a, b } = all
      const zones: Awaited<ReturnType<typeof create>>[] = []
      for (let at = 0; at < 12; at++) zones.push(await create(at % 2 === 0 ? a : b, `z${at}.example`))
      const ofB = zones.filter(({ isOfA }) => !isOfA)
      expect(ofB.map(({ nameServers }) => nameServers)).toEqual(ofB.map(() => 'ns1.b.example'))
      expect([ofB.length > 0, ofB.length < zones.length]).toEqual([true, true])
      // Zones below go to the same nodes: otherwise these would deny their names.
      for (const { name, nameServers } of zones.slice(0, 6)) {
        const below = await create(writer, `sub.of.${name}`)
        expect(below.nameServers).toBe(nameServers)
        zones.push(below)
      }
      const expectEach = async (nodeOfA: Node, nodeOfB: Node) => {
        for (const { name, isOfA } of zones) {
          const asked = async () => [
            await askFor(writer, `t.${name}`),
            await askFor(nodeOfA, `t.${name}`),
            await askFor(nodeOfB, `t.${name}`),
          ]
          await expect
            .poll(asked, PATIENT)
            .toEqual(['text', isOfA ? 'text' : REFUSED, isOfA ? REFUSED : 'text'])
        }
      }
      await expectEach(a, b)
      await expectEach(await startNode(database, settings('ns1.a.example')), b)
      // Of zones that a node does not have, its API says what the node that writes says.
      for (const { id, name, isOfA } of zones) {
        const other = isOfA ? b : a
        const { result } = await other.call('GET', `/zonereeve/zones/${id}/query?name=t.${name}&type=TXT`)
        expect([name, JSON.stringify(result).includes('text')]).toEqual([name, true])
      }
      // What is deleted, and created again, is where it was.
      const [zone] = zones
      if (zone === undefined) throw new Error('no zone')
      expect((await b.call('DELETE', `/zones/${zone.id}`)).status).toBe(200)
      for (const node of [a, b])
        await expect.poll(() => askFor(node, `t.${zone.name}`), PATIENT).toBe(REFUSED)
      expect((await create(a, zone.name)).nameServers).toBe(zone.nameServers)
      await expectEach(a, b)
      expect(b.err()).toContain('zones-of: ns1.elsewhere.example is not in name-servers')
    },
    PATIENT.timeout,
  )

  test(
    'a zone that gets another set is answered by both nodes until the first starts again',
    async () => {
      const { database, writer, a, b } = all
      let zone = await create(writer, 'm0.example')
      for (let at = 1; !zone.isOfA; at++) zone = await create(writer, `m${at}.example`)
      const path = `/zones/${zone.id}/dns_settings`
      expect((await a.call('GET', path)).result.nameservers.ns_set).toBe(1)
      for (const set of [3, 4]) {
        const refused = await a.call('PATCH', path, {
          nameservers: { type: 'cloudflare.standard', ns_set: set },
        })
        expect([set, refused.status]).toEqual([set, 400])
      }
      // Its new nodes have to sign it, too.
      expect((await a.call('PATCH', `/zones/${zone.id}/dnssec`, { status: 'active' })).status).toBe(200)
      const isSigned = (node: Node) => hasKeys(node, zone.name)
      await expect.poll(() => isSigned(a), PATIENT).toBe(true)
      const moved = await a.call('PATCH', path, { nameservers: { type: 'cloudflare.standard', ns_set: 2 } })
      expect([moved.status, moved.result.nameservers.ns_set]).toEqual([200, 2])
      expect((await b.call('GET', `/zones/${zone.id}`)).result.name_servers).toEqual(['ns1.b.example'])
      const ask = (node: Node) => askFor(node, `t.${zone.name}`)
      await expect
        .poll(async () => [await ask(a), await ask(b), await ask(writer)], PATIENT)
        .toEqual(['text', 'text', 'text'])
      expect([await isSigned(a), await isSigned(b), await isSigned(writer)]).toEqual([true, true, true])
      // Both follow it.
      await b.call('POST', `/zones/${zone.id}/dns_records`, record(`later.${zone.name}`))
      for (const node of [a, b]) {
        await expect.poll(() => askFor(node, `later.${zone.name}`), PATIENT).toBe('text')
        const { resolver } = await node.ready
        expect(await resolver.resolveNs(zone.name)).toEqual(['ns1.b.example'])
      }
      const again = await startNode(database, settings('ns1.a.example'))
      expect([await ask(again), await ask(b)]).toEqual([REFUSED, 'text'])
    },
    PATIENT.timeout,
  )

  test(
    'without other nodes it is refused: a configuration without --node-url, or a database without tables',
    async () => {
      const database = await server.createDatabase()
      const run = (more: Readonly<Record<string, string>>) =>
        runProgram(
          {
            ZONEREEVE_ADMIN_TOKEN: TOKEN,
            ZONEREEVE_DATABASE: database,
            ZONEREEVE_KEY_ENCRYPTION_SECRET: SECRET,
            ZONEREEVE_ZONES_OF: 'ns1.a.example',
            ...more,
          },
          ['serve', '--data', scratchFolder(), ...ON_FREE_PORTS],
        )
      const alone = run({})
      expect([await alone.ended, alone.err()]).toEqual([
        1,
        expect.stringContaining('--zones-of needs --node-url'),
      ])
      const first = run({ ZONEREEVE_NODE_URL: 'http://127.0.0.1:0' })
      // It waits for one that makes them.
      const writer = await startNode(database, settings())
      const { port } = await first.ready
      expect(port).toBeGreaterThan(0)
      expect((await writer.call('GET', '/zones')).status).toBe(200)
    },
    PATIENT.timeout,
  )

  // The last one: it kills the node that writes.
  test(
    'such a node never writes: without another one, it starts, answers and refuses writes',
    async () => {
      const { database, writer, a } = all
      let zone = await create(writer, 'n0.example')
      for (let at = 1; !zone.isOfA; at++) zone = await create(writer, `n${at}.example`)
      writer.child.kill('SIGKILL')
      await writer.ended
      const alone = await startNode(database, settings('ns1.a.example'))
      const records = `/zones/${zone.id}/dns_records`
      // Far longer than another node would take to write.
      for (const until = Date.now() + 15_000; Date.now() < until; await sleep(PAUSE_MILLIS))
        for (const node of [a, alone]) {
          const { status } = await node.call('POST', records, record(`x.${zone.name}`))
          expect([status, await askFor(node, `t.${zone.name}`)]).toEqual([503, 'text'])
        }
      const next = await startNode(database, settings())
      for (const node of [a, alone]) {
        const created = async () =>
          (await node.call('POST', records, record(`y${node.port}.${zone.name}`))).status
        await expect.poll(created, PATIENT).toBe(200)
        expect(await askFor(node, `y${node.port}.${zone.name}`)).toBe('text')
      }
      expect(await askFor(next, `y${a.port}.${zone.name}`)).toBe('text')
    },
    PATIENT.timeout,
  )
})
