// Several nodes, as processes, through what happens to a cluster: the database fails over to its standby, a node is cut
// off and its clock is wrong, and nodes of the next version run beside those of this one.
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { startCuttingProxy } from '@zonereeve/storage/testing/cutting-proxy.ts'
import { type PostgresServer, START_MILLIS, startPostgres } from '@zonereeve/storage/testing/postgres.ts'
import { FAKETIME, POSTGRESQL } from '../../../../scripts/requirements.ts'
import { describeWith } from '../../../../scripts/test-requirements.ts'
import { BIN } from '../testing/run-program.ts'
import { createZone, type Node, record, startNode } from '../testing/start-node.ts'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'

const PATIENT = { timeout: 5 * START_MILLIS }
const PAUSE_MILLIS = 50
const HOUR_SECONDS = 3_600

/** Clients that create records at all of these nodes, one after the other. */
function writeAt(nodes: readonly Node[], zone: string, prefix: string) {
  const acknowledged: string[] = []
  let isOver = false
  let count = 0
  const working = nodes.map(async (node, at) => {
    while (!isOver && node.child.exitCode === null && !node.child.killed) {
      const name = `${prefix}${at}-${(count += 1)}.example.com`
      const reply = await node.call('POST', `/zones/${zone}/dns_records`, record(name)).catch(() => undefined)
      if (reply?.status === 200) acknowledged.push(name)
      else if (reply !== undefined) expect([reply.status, reply.headers['retry-after']]).toEqual([503, '2'])
      await sleep(PAUSE_MILLIS)
    }
  })
  return {
    acknowledged,
    async more(by: number): Promise<void> {
      const goal = acknowledged.length + by
      // A client that failed ends the wait.
      const isThere = async () => {
        await expect.poll(() => acknowledged.length, PATIENT).toBeGreaterThan(goal)
      }
      await Promise.race([isThere(), Promise.all(working)])
    },
    async stop(): Promise<void> {
      isOver = true
      await Promise.all(working)
    },
  }
}

/** What was acknowledged to clients is there, once, in one line of numbers and serials. */
async function expectAll(
  acknowledged: readonly string[],
  {
    server,
    database,
    zone,
    nodes,
  }: { server: PostgresServer; database: string; zone: string; nodes: readonly Node[] },
): Promise<void> {
  const url = new URL(database)
  const all = async (statement: string) =>
    (await server.executeIn(url.pathname.slice(1), statement)) as readonly Record<string, unknown>[] // as selected
  const gaps = await all(
    'SELECT 1 FROM (SELECT number, row_number() OVER (PARTITION BY scope_id ORDER BY position) AS expected FROM changes) AS n WHERE number <> expected',
  )
  expect(gaps).toEqual([])
  const jumps = await all(
    `SELECT 1 FROM (SELECT serial, lag(serial) OVER (ORDER BY position) AS before FROM changes WHERE scope_id = '${zone}' AND serial IS NOT NULL) AS s WHERE serial <> before + 1`,
  )
  expect(jumps).toEqual([])
  const rows = await all(`SELECT name FROM dns_records WHERE zone_id = '${zone}'`)
  const stored = new Set(rows.map(({ name }) => String(name).replace(/\.$/, '')))
  expect(acknowledged.filter((name) => !stored.has(name))).toEqual([])
  for (const node of nodes)
    for (const name of acknowledged)
      await expect.poll(async () => [name, await node.resolve(name)], PATIENT).toEqual([name, [['text']]])
}

describeWith(['postgresql', 'pg_basebackup'], 'several nodes and a standby', () => {
  test(
    'the database fails over to its standby: nothing acknowledged is lost, and all nodes go on',
    async () => {
      const primary = await startPostgres(POSTGRESQL, { port: await freePort() })
      onTestFinished(() => primary.stop())
      const standby = await startPostgres(POSTGRESQL, { port: await freePort(), standbyOf: primary })
      onTestFinished(() => standby.stop())
      await primary.execute("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
      await primary.execute('SELECT pg_reload_conf()')
      const { pathname } = new URL(await primary.createDatabase())
      const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join()
      const url = `postgres://zonereeve@${hosts}${pathname}?target_session_attrs=read-write`
      const nodes = [await startNode(url), await startNode(url)]
      const zone = await createZone(nodes[1] as Node, 'example.com') // started above
      const clients = writeAt([...nodes, ...nodes], zone, 'n')
      await clients.more(50)
      await primary.killHard()
      const before = clients.acknowledged[0] ?? ''
      for (const node of nodes) expect(await node.resolve(before)).toEqual([['text']])
      await standby.execute('SELECT pg_promote()')
      await clients.more(50)
      await clients.stop()
      const database = `postgres://localhost${pathname}`
      await expectAll(clients.acknowledged, { server: standby, database, zone, nodes })
    },
    PATIENT.timeout,
  )
})

describeWith('postgresql', 'several nodes through faults', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(POSTGRESQL)
  }, START_MILLIS)
  afterAll(() => server.stop())

  test(
    'a database without LISTEN, or with notifications that do not arrive: no node misses a change, and each says so once',
    async () => {
      const database = await server.createDatabase()
      const startBehind = async (from: string, to: string) => {
        const proxy = await startCuttingProxy(database)
        onTestFinished(() => proxy.close())
        proxy.replace(from, to)
        return startNode(proxy.url)
      }
      const whole = await startNode(database)
      const refused = await startBehind('LISTEN', 'LISTEM')
      const unheard = await startBehind('LISTEN zonereeve_changes', 'LISTEN zonereeve_changex')
      const nodes = [whole, refused, unheard]
      const zone = await createZone(refused, 'example.com')
      const clients = writeAt(nodes, zone, 'n')
      await clients.more(60)
      const said = (node: Node, problem: string) => node.err().split(problem).length - 1
      const once = () => [said(refused, 'LISTEN is refused'), said(unheard, 'notifications do not arrive')]
      await expect.poll(once, PATIENT).toEqual([1, 1])
      await clients.more(20)
      await clients.stop()
      await expectAll(clients.acknowledged, { server, database, zone, nodes })
      expect([...once(), whole.err().includes('no notifications')]).toEqual([1, 1, false])
    },
    PATIENT.timeout,
  )

  test(
    'nodes of the next version join those of this one while clients write, and replace them; what they cannot live with is refused',
    async () => {
      const database = await server.createDatabase()
      const old = [await startNode(database), await startNode(database)] as const
      const zone = await createZone(old[1], 'example.com')
      const lists = [`/zones/${zone}/dns_records`, `/zones/${zone}`, `/zonereeve/threat_feeds`]
      const readLists = async (node: Node) => {
        for (const path of lists) expect([path, (await node.call('GET', path)).status]).toEqual([path, 200])
      }
      for (const node of [...old, ...old, ...old, ...old]) await readLists(node)
      const clients = writeAt(old, zone, 'old')
      await clients.more(20)

      const contracted = nextVersion([`ALTER TABLE threat_feeds RENAME COLUMN name TO title`])
      await expect(startNode(database, { program: contracted })).rejects.toThrow('stop all nodes')
      const next = nextVersion([
        `CREATE TABLE next_things (id TEXT PRIMARY KEY) STRICT`,
        `ALTER TABLE threat_feeds ADD COLUMN next_note TEXT`,
        `ALTER TABLE dns_records ADD COLUMN next_count INTEGER NOT NULL DEFAULT 0`,
        `ALTER TABLE zones ADD COLUMN next_count INTEGER NOT NULL DEFAULT 0`,
      ])
      const third = await startNode(database, { program: next })
      const columns =
        "SELECT 1 FROM information_schema.columns WHERE column_name IN ('next_note', 'next_count')"
      expect(await server.executeIn(new URL(database).pathname.slice(1), columns)).toHaveLength(3)
      // The older ones go on, with statements that they prepared before, and start again beside the newer one.
      await clients.more(20)
      for (const node of [...old, third, ...old]) await readLists(node)
      await startNode(database)
      const others = writeAt([third], zone, 'new')
      await others.more(20)
      // One after the other is replaced, the one that writes first.
      const nodes = [third]
      for (const node of old) {
        node.child.kill('SIGTERM')
        expect(await node.ended).toBe(0)
        nodes.push(await startNode(database, { program: next }))
        await others.more(20)
      }
      await clients.stop()
      await others.stop()
      await expectAll([...clients.acknowledged, ...others.acknowledged], { server, database, zone, nodes })
    },
    PATIENT.timeout,
  )
})

describeWith(['postgresql', 'libfaketime'], 'several nodes with different clocks', () => {
  test(
    'a node that is cut off for an hour catches up, and its clock, an hour ahead of the others, breaks nothing',
    async () => {
      const server = await startPostgres(POSTGRESQL)
      onTestFinished(() => server.stop())
      const database = await server.createDatabase()
      const proxy = await startCuttingProxy(database)
      onTestFinished(() => proxy.close())
      const clock = createMovedClock()
      const first = await startNode(database)
      const away = await startNode(proxy.url, { environment: clock.environment })
      const zone = await createZone(first, 'example.com')
      const records = `/zones/${zone}/dns_records`
      const create = (node: Node, name: string) => node.call('POST', records, record(`${name}.example.com`))
      const resolve = (node: Node, name: string) => node.resolve(`${name}.example.com`)
      const { result: removed } = await create(first, 'removed')
      expect((await create(away, 'before')).status).toBe(200)
      await expect.poll(() => resolve(away, 'removed'), PATIENT).toEqual([['text']])

      proxy.setReachable(false)
      clock.advance(HOUR_SECONDS)
      const many = Array.from({ length: 500 }, (_, at) => record(`many${at}.example.com`))
      expect((await first.call('POST', `${records}/batch`, { posts: many })).status).toBe(200)
      expect((await first.call('DELETE', `${records}/${removed.id}`)).status).toBe(200)
      for (let at = 0; at < 20; at++) expect((await create(first, `single${at}`)).status).toBe(200)
      await createZone(first, 'example.net')
      const refused = await create(away, 'refused')
      expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2'])
      expect([await resolve(away, 'removed'), await resolve(away, 'many0')]).toEqual([[['text']], undefined])

      proxy.setReachable(true)
      for (const name of ['many0', 'many499', 'single19'])
        await expect.poll(() => resolve(away, name), PATIENT).toEqual([['text']])
      expect([await resolve(away, 'removed'), await resolve(away, 'refused')]).toEqual([undefined, undefined])
      // With the wrong clock: it passes writes on, takes the place of the other, and gives it back.
      await expect.poll(async () => (await create(away, 'passed')).status, PATIENT).toBe(200)
      expect(await resolve(first, 'passed')).toEqual([['text']])
      first.child.kill('SIGKILL')
      await expect.poll(async () => (await create(away, 'written')).status, PATIENT).toBe(200)
      const second = await startNode(database)
      await expect.poll(async () => (await create(second, 'through')).status, PATIENT).toBe(200)
      const names = ['before', 'many7', 'passed', 'written', 'through']
      for (const name of names) expect([name, await resolve(second, name)]).toEqual([name, [['text']]])
      let tries = 0
      // The first node is one of all until its silence has been noticed.
      await expect
        .poll(async () => {
          const one = record(`all${(tries += 1)}.example.com`)
          const { headers } = await second.call('POST', `${records}?wait=all`, one)
          return headers['zonereeve-nodes-behind']
        }, PATIENT)
        .toBeUndefined()
      expect([await resolve(away, `all${tries}`), away.err()]).toEqual([
        [['text']],
        expect.stringContaining('this node writes now'),
      ])
      away.child.kill('SIGTERM')
      expect(await away.ended).toBe(0)
      await expect.poll(async () => (await create(second, 'again')).status, PATIENT).toBe(200)
      const acknowledged = [...names, `all${tries}`, 'again'].map((name) => `${name}.example.com`)
      await expectAll(acknowledged, { server, database, zone, nodes: [second] })
    },
    PATIENT.timeout,
  )
})

/** The clock of a program, also that of its timers. */
function createMovedClock() {
  const file = join(scratchFolder(), 'clock')
  const set = (seconds: number): void => {
    writeFileSync(`${file}.new`, `+${seconds}s\n`)
    renameSync(`${file}.new`, file)
  }
  set(0)
  return {
    environment: { LD_PRELOAD: FAKETIME, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1' },
    advance: set,
  }
}

/** This program with one more migration. @returns its path. */
function nextVersion(statements: readonly string[]): string {
  const [dist, root] = [dirname(BIN), fileURLToPath(new URL('../../../..', import.meta.url))]
  const folder = scratchFolder()
  const target = join(folder, 'packages/server/dist')
  mkdirSync(target, { recursive: true })
  cpSync(dist, target, { recursive: true })
  cpSync(join(dist, '../package.json'), join(target, '../package.json'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const next = JSON.stringify({ version: 9_000, name: 'next', sqlite: statements })
  const changed = readdirSync(target).filter((name) => {
    if (!name.endsWith('.js')) return false
    const code = readFileSync(join(target, name), 'utf8')
    const more = code.replace(/\bMIGRATIONS = \[/, (start) => `${start}${next},`)
    writeFileSync(join(target, name), more)
    return more !== code
  })
  expect(changed).toHaveLength(1)
  return join(target, 'start.js')
}
