// Several nodes with one PostgreSQL database, as processes: each answers DNS and reads, one writes, and another takes over
// when that one is killed. Writers on all nodes lose nothing that was acknowledged.
import { request } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { endOfSuite } from '@zonereeve/platform/testing/scratch-folder.ts'
import { type PostgresServer, START_MILLIS, startPostgres } from '@zonereeve/storage/testing/postgres.ts'
import { POSTGRESQL } from '../../../../scripts/requirements.ts'
import { describeWith } from '../../../../scripts/test-requirements.ts'
import { createHttpClient } from '../testing/http-client.ts'
import { createZone, type Node, record, startNode, TOKEN } from '../testing/start-node.ts'

const PATIENT = { timeout: 5 * START_MILLIS }
const PAUSE_MILLIS = 50

/** Uploads a form from an address of this machine, with headers that only nodes may send. */
function uploadFrom(localAddress: string, port: number, path: string, form: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: 'POST',
        localAddress,
        headers: {
          authorization: `Bearer ${TOKEN}`,
          'content-type': 'multipart/form-data; boundary=b',
          'zonereeve-node': 'guessed',
          'zonereeve-node-client': '{"ip":"192.0.2.1","protocol":"https","host":"example.com"}',
        },
      },
      (reply) => {
        reply.resume().on('end', () => resolve(reply.statusCode ?? 0)) // every reply has one
      },
    )
    sent.on('error', reject)
    sent.end(form)
  })
}

describeWith('postgresql', 'several nodes', () => {
  let server: PostgresServer
  /** Each start costs seconds of CPU time: these are for tests that end none, each with its own zone. The first writes. */
  let shared: { database: string; nodes: readonly [Node, Node, Node] }
  beforeAll(async () => {
    server = await startPostgres(POSTGRESQL)
    const database = await server.createDatabase()
    const start = () => startNode(database, { atEnd })
    shared = { database, nodes: [await start(), await start(), await start()] }
  }, PATIENT.timeout)
  afterAll(() => server.stop())
  // Before the database server: the last to be set up ends first.
  const atEnd = endOfSuite()

  test(
    'each node answers DNS and reads, and passes writes on; what a node was asked to write, it answers at once',
    async () => {
      const [first, second] = shared.nodes
      const zone = await createZone(second, 'example.com')
      const records = `/zones/${zone}/dns_records`
      for (const [at, node] of [second, first, second].entries()) {
        const name = `r${at}.example.com`
        const { status, headers, result } = await node.call('POST', records, record(name))
        expect([status, result.name]).toEqual([200, name])
        expect(Object.keys(headers).filter((header) => header.includes('node'))).toEqual([])
        expect(await node.resolve(name)).toEqual([['text']])
        for (const other of [first, second]) {
          await expect.poll(() => other.resolve(name), PATIENT).toEqual([['text']])
          expect((await other.call('GET', `${records}/${result.id}`)).result.name).toBe(name)
        }
      }
      // A refusal is that of the writer, and a request that nothing may pass on is refused here.
      const refused = await second.call('POST', records, {
        type: 'TXT',
        name: 'a',
        content: '"text"',
        ttl: 5,
      })
      expect([refused.status, refused.result]).toEqual([400, null])
      const dryRun = await second.call('POST', `${records}?dry_run=true`, record('dry'))
      expect([dryRun.status, await second.resolve('dry.example.com')]).toEqual([200, undefined])
      // A file of several chunks. The audit log has its client, whatever the client says of itself.
      const lines = Array.from({ length: 2_000 }, (_, at) => `f${at} 60 IN TXT "text"`).join('\n')
      const file = `--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${lines}\n\r\n--b--\r\n`
      expect(await uploadFrom('127.0.0.9', second.port, `/client/v4${records}/import`, file)).toBe(200)
      expect(await second.resolve('f1999.example.com')).toEqual([['text']])
      const [{ id: account }] = (await first.call('GET', '/accounts')).result
      const log = await first.call('GET', `/accounts/${account}/audit_logs?per_page=1`)
      expect(log.result[0].actor.ip).toBe('127.0.0.9')
      // A token that was deleted elsewhere is not accepted any more.
      const groups: { id: string; name: string }[] = (
        await first.call('GET', '/user/tokens/permission_groups')
      ).result
      const made = await second.call('POST', '/user/tokens', {
        name: 'short-lived',
        policies: [
          {
            effect: 'allow',
            resources: { 'com.cloudflare.api.account.zone.*': '*' },
            permission_groups: groups.filter(({ name }) => name === 'DNS Read').map(({ id }) => ({ id })),
          },
        ],
      })
      expect(made.status).toBe(200)
      const verify = () => second.call('GET', '/user/tokens/verify', undefined, made.result.value)
      expect((await verify()).status).toBe(200)
      expect((await second.call('DELETE', `/user/tokens/${made.result.id}`)).status).toBe(200)
      expect((await verify()).status).toBe(401)
    },
    PATIENT.timeout,
  )

  test(
    'clients of all nodes write while the writer is killed and the database restarts: nothing acknowledged is lost',
    async () => {
      const database = await server.createDatabase()
      const nodes = [await startNode(database), await startNode(database), await startNode(database)]
      const zones = [
        await createZone(nodes[0] as Node, 'one.example'),
        await createZone(nodes[1] as Node, 'two.example'),
      ] // started above
      const apexes = ['one.example', 'two.example']
      const acknowledged: { zone: number; name: string; id: string }[] = []
      const uncertain: string[] = []
      let isOver = false
      let count = 0
      const write = async (node: Node, at: number): Promise<void> => {
        while (!isOver) {
          count += 1
          const [zone, name] = [count % 2, `n${at}-${count}.${apexes[count % 2]}`]
          const reply = await node
            .call('POST', `/zones/${zones[zone]}/dns_records`, record(name))
            .catch(() => undefined)
          if (reply?.status === 200) acknowledged.push({ zone, name, id: reply.result.id })
          else {
            if (reply !== undefined) expect([reply.status, reply.headers['retry-after']]).toEqual([503, '2'])
            uncertain.push(name)
            if (node.child.killed) return
            await sleep(PAUSE_MILLIS)
          }
        }
      }
      const writers = nodes.flatMap((node, at) => [write(node, at), write(node, at + nodes.length)])
      const more = (by: number) => {
        const goal = acknowledged.length + by
        return expect.poll(() => acknowledged.length, PATIENT).toBeGreaterThan(goal)
      }
      await more(100)
      nodes[0]?.child.kill('SIGKILL')
      await more(100)
      await server.kill()
      await sleep(10 * PAUSE_MILLIS)
      await server.start()
      await more(100)
      const writer = nodes.slice(1).find(({ err }) => err().includes('this node writes now')) as Node // of two, one has taken over
      writer.child.kill('SIGKILL')
      await more(100)
      isOver = true
      await Promise.all(writers)
      const survivor = nodes.find((node) => !node.child.killed) as Node // two of three were killed

      const client = new pg.Client({ connectionString: database })
      await client.connect()
      onTestFinished(() => client.end())
      const all = async (text: string) => (await client.query({ text, rowMode: 'array' })).rows as unknown[][] // as asked
      const [[gaps]] = (await all(
        'SELECT count(*) FROM (SELECT number, row_number() OVER (PARTITION BY scope_id ORDER BY position) AS expected FROM changes) AS n WHERE number <> expected',
      )) as [[string]] // one row
      expect(gaps).toBe('0')
      for (const [at, zone] of zones.entries()) {
        const own = acknowledged.filter((one) => one.zone === at)
        const stored = new Set(
          (await all(`SELECT name FROM dns_records WHERE zone_id = '${zone}'`)).map(([name]) =>
            String(name).replace(/\.$/, ''),
          ),
        )
        expect(own.filter(({ name }) => !stored.has(name))).toEqual([])
        const names = new Set(own.map(({ name }) => name))
        const extra = [...stored].filter((name) => !names.has(name))
        expect(extra.filter((name) => !uncertain.includes(name))).toEqual([])
        // One serial line: each change of the zone has the next serial.
        const serials = (
          await all(
            `SELECT serial FROM changes WHERE scope_id = '${zone}' AND serial IS NOT NULL ORDER BY position`,
          )
        ).map(([serial]) => Number(serial))
        expect(
          serials.filter((serial, index) => index > 0 && serial !== (serials[index - 1] ?? 0) + 1),
        ).toEqual([])
        const counted = await survivor.call('GET', `/zones/${zone}/dns_records?per_page=5`)
        expect(counted.status).toBe(200)
        const { text } = await createHttpClient().send(survivor.port, {
          method: 'GET',
          path: `/client/v4/zones/${zone}/dns_records?per_page=5`,
          headers: { authorization: `Bearer ${TOKEN}` },
        })
        expect(JSON.parse(text).result_info.total_count).toBe(stored.size)
        for (const { name } of own) expect([name, await survivor.resolve(name)]).toEqual([name, [['text']]])
      }
    },
    PATIENT.timeout,
  )

  test(
    'nodes together answer as many requests of a token as one server',
    async () => {
      const database = await server.createDatabase()
      const limit = { environment: { ZONEREEVE_RATE_LIMIT: '50/3600' } }
      const [first, second] = [await startNode(database, limit), await startNode(database, limit)]
      const ask = async (node: Node) => (await node.call('GET', '/user/tokens/verify')).status
      for (let asked = 0; asked < 50; asked += 1) expect(await ask(first)).toBe(200)
      expect(await ask(first)).toBe(429)
      let others = 0
      // When the first has reported its counts; until then, the second answers, up to its own limit.
      await expect.poll(async () => ((others += 1), ask(second)), { ...PATIENT, interval: 500 }).toBe(429)
      expect(others).toBeLessThan(50)
    },
    PATIENT.timeout,
  )

  test(
    'a commit that an open transaction holds up reaches every node, in its place, and wait=all waits for all of them',
    async () => {
      const { database, nodes } = shared
      const [first, second, third] = nodes
      const zone = await createZone(first, 'example.net')
      const records = `/zones/${zone}/dns_records`
      const client = new pg.Client({ connectionString: database })
      await client.connect()
      onTestFinished(() => client.end())
      for (let round = 0; round < 3; round++) {
        // The row of the zone is written after the change has its position in the log.
        await client.query('BEGIN')
        await client.query(`SELECT 1 FROM zones WHERE id = '${zone}' FOR UPDATE`)
        const late = nodes.map((node, at) =>
          node.call('POST', records, record(`late${round}-${at}.example.net`)),
        )
        let answered = 0
        for (const one of late) void one.then(() => (answered += 1))
        const held = () =>
          client.query(
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype IN ('tuple', 'transactionid')",
          )
        await expect.poll(async () => (await held()).rows[0].count, PATIENT).not.toBe('0')
        await sleep(10 * PAUSE_MILLIS)
        expect(answered).toBe(0)
        for (const node of nodes) expect(await node.resolve(`late${round}-0.example.net`)).toBeUndefined()
        await client.query('COMMIT')
        for (const one of late) expect((await one).status).toBe(200)
      }
      const all = await third.call('POST', `${records}?wait=all`, record('all.example.net'))
      expect([all.status, all.headers['zonereeve-nodes-behind']]).toEqual([200, undefined])
      const names = [0, 1, 2].flatMap((round) => [0, 1, 2].map((at) => `late${round}-${at}.example.net`))
      // At once, without a second request.
      for (const node of nodes)
        for (const name of [...names, 'all.example.net'])
          expect([name, await node.resolve(name)]).toEqual([name, [['text']]])
      expect((await second.call('GET', `${records}?per_page=50`)).result).toHaveLength(names.length + 1)
    },
    PATIENT.timeout,
  )

  test(
    'a node that stands still is not waited for after its silence, and catches up; so does a writer that stood still',
    async () => {
      const [first, second] = shared.nodes
      const zone = await createZone(first, 'example.org')
      const records = `/zones/${zone}/dns_records`
      const create = (node: Node, name: string) => node.call('POST', `${records}?wait=all`, record(name))
      expect((await create(first, 'before.example.org')).headers['zonereeve-nodes-behind']).toBeUndefined()
      second.child.kill('SIGSTOP')
      const missed = await create(first, 'missed.example.org')
      expect([missed.status, missed.headers['zonereeve-nodes-behind']]).toEqual([
        200,
        `http://127.0.0.1:${second.port}`,
      ])
      // Once its heartbeat has stood still for long enough, it is as good as gone.
      let count = 0
      const next = async () =>
        (await create(first, `n${(count += 1)}.example.org`)).headers['zonereeve-nodes-behind']
      await expect.poll(next, PATIENT).toBeUndefined()
      second.child.kill('SIGCONT')
      for (const name of ['missed', 'n1', `n${count}`])
        await expect.poll(() => second.resolve(`${name}.example.org`), PATIENT).toEqual([['text']])
      // The writer: another node takes its place, and what it could not write is not answered.
      first.child.kill('SIGSTOP')
      await expect.poll(async () => (await create(second, 'taken.example.org')).status, PATIENT).toBe(200)
      first.child.kill('SIGCONT')
      await expect.poll(() => first.resolve('taken.example.org'), PATIENT).toEqual([['text']])
      await expect.poll(async () => (await create(first, 'again.example.org')).status, PATIENT).toBe(200)
      expect(await second.resolve('again.example.org')).toEqual([['text']])
    },
    PATIENT.timeout,
  )
})
