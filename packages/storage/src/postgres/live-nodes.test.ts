// Which nodes live, by their heartbeats: those that have ended, that left, and that never wrote a row.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRequestCounts } from '@zonereeve/platform'
import { POSTGRESQL } from '../../../../scripts/requirements.ts'
import { describeWith } from '../../../../scripts/test-requirements.ts'
import { type PostgresServer, START_MILLIS, startPostgres } from '../testing/postgres.ts'
import { createConnection } from './connection.ts'
import { createLiveNodes, LIVE_NODES_TABLE } from './live-nodes.ts'

const SILENCE_MILLIS = 400

describeWith('postgresql', 'nodes that live', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(POSTGRESQL)
  }, START_MILLIS)
  afterAll(() => server.stop())

  test('each sees those that beat; one that stops is not counted after the silence, and its row goes', async () => {
    const url = await server.createDatabase()
    const start = (id: string) => {
      const connection = createConnection({ url, keepsStatements: false })
      onTestFinished(() => connection.close())
      return { ...createLiveNodes({ exec: connection.exec, id, silenceMillis: SILENCE_MILLIS }), connection }
    }
    const [a, b, c] = [start('a'), start('b'), start('c')]
    await a.connection.exec(LIVE_NODES_TABLE)
    await a.beat() // it is not reached at an address yet
    expect(await b.others()).toEqual([])
    await a.join('http://a')
    await b.join("http://b'")
    await c.join('http://c')
    expect((await a.others()).toSorted()).toEqual(["http://b'", 'http://c'])
    await c.leave()
    expect(await a.others()).toEqual(["http://b'"])
    // b ends without leaving; c is back.
    await c.join('http://c')
    await a.others()
    const deadline = performance.now() + 20 * SILENCE_MILLIS
    while ((await a.others()).includes("http://b'")) {
      if (performance.now() > deadline) throw new Error('a node that has ended is still counted')
      await c.beat()
      await sleep(SILENCE_MILLIS / 4)
    }
    const rows = async () =>
      (await a.connection.exec('SELECT id FROM server_nodes ORDER BY id')).map((row) => Object.values(row)[0])
    expect(await rows()).toEqual(['a', 'b', 'c'])
    while ((await rows()).includes('b')) {
      if (performance.now() > deadline) throw new Error('the row of a node that has ended is kept')
      await Promise.all([a.beat(), c.beat()])
      await sleep(SILENCE_MILLIS / 4)
    }
    expect(await rows()).toEqual(['a', 'c'])
  })

  test('each reports to the others what it counts, and takes no counts of its own; those of a node that left are gone', async () => {
    const url = await server.createDatabase()
    const start = (id: string) => {
      const connection = createConnection({ url, keepsStatements: false })
      onTestFinished(() => connection.close())
      const live = createLiveNodes({ exec: connection.exec, id, silenceMillis: SILENCE_MILLIS })
      const counts = createRequestCounts({ windowMillis: 3_600_000, reportedFrom: 2 })
      live.shareCounts('requests', counts)
      const failures = createRequestCounts({ windowMillis: 3_600_000, reportedFrom: 1 })
      live.shareCounts('failures', failures)
      return { ...live, ...counts, failures, connection }
    }
    const [a, b, c] = [start('a'), start('b'), start('c')]
    await a.connection.exec(LIVE_NODES_TABLE)
    // Of other versions.
    await a.connection.exec(`INSERT INTO server_nodes (id, address, beat, counts)
      VALUES ('d', 'http://d', 1, NULL), ('e', 'http://e', 1, '[["x",5,1000]]'), ('f', 'http://f', 1, 'no JSON'),
        ('g', 'http://g', 1, '{"requests":5,"others":"[]"}')`)
    for (const [at, node] of [a, b, c].entries()) {
      for (let added = 0; added <= at; added += 1) node.add("it's a key")
      await node.join(`http://${at}`)
    }
    for (const node of [a, b, c]) await node.beat()
    expect([a, b, c].map(({ failures }) => failures.add("it's a key").count)).toEqual([1, 1, 1])
    await a.beat()
    await b.beat()
    expect(b.failures.add("it's a key").count).toBe(3)
    // One of a, which does not report a single request; two of b; three of c.
    expect([a, b, c].map((node) => node.add("it's a key").count)).toEqual([1 + 5 + 1, 2 + 3 + 1, 3 + 2 + 1])
    await c.leave()
    await a.beat()
    expect(a.add("it's a key").count).toBe(2 + 2 + 1)
  })
})
