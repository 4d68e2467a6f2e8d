// What nodes log while the database is away: when it begins and when it is over, and nothing in between.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Log, silentLog } from '@zonereeve/platform'
import { POSTGRESQL } from '../../../../scripts/requirements.ts'
import { describeWith } from '../../../../scripts/test-requirements.ts'
import { startCuttingProxy } from '../testing/cutting-proxy.ts'
import { type PostgresServer, START_MILLIS, startPostgres } from '../testing/postgres.ts'
import { createConnection } from './connection.ts'
import { createLease, LEASE_TABLES, takeLease } from './lease.ts'
import { createNode } from './node.ts'

/** No node takes the lease of another in this time. */
const TIMES = { beatMillis: 40, silenceMillis: START_MILLIS }
/** Beats, and looks. */
const MANY = 20

describeWith('postgresql', 'an outage of the database', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(POSTGRESQL)
  }, START_MILLIS)
  afterAll(() => server.stop())

  /** A node behind a proxy. */
  async function startNode(isWriter: boolean) {
    const database = await server.createDatabase()
    const connection = createConnection({ url: database, keepsStatements: false })
    onTestFinished(() => connection.close())
    await connection.exec(LEASE_TABLES)
    const proxy = await startCuttingProxy(database)
    onTestFinished(() => proxy.close())
    const lines: string[] = []
    const note = (_: object, event: string) => void lines.push(event)
    const log: Log = { ...silentLog, info: note, warn: note, error: note }
    const lease = createLease({ url: proxy.url, log, times: TIMES, proof: 'proof' })
    onTestFinished(() => lease.release())
    if (isWriter) await takeLease(lease)
    else {
      const writer = createLease({ url: database, log: silentLog, times: TIMES, proof: 'proof' })
      onTestFinished(() => writer.release())
      await takeLease(writer)
    }
    let ended = 0
    const count = <Value>(work: Promise<Value>): Promise<Value> => work.finally(() => (ended += 1))
    const counted = {
      ...lease,
      exec: (statements: string) => count(lease.exec(statements)),
      read: () => count(lease.read()),
    }
    const node = createNode({ lease: counted, log, listen: undefined })
    onTestFinished(() => node.close())
    await node.role.setAddress('http://192.0.2.1')
    node.role.begin({ catchUp: async () => {}, lead: async () => {}, lose: () => {} })
    const work = async () => {
      const goal = ended + MANY
      await expect.poll(() => ended, { timeout: START_MILLIS }).toBeGreaterThan(goal)
    }
    return { proxy, lines, work }
  }

  test.each([
    {
      node: 'the node that writes',
      isWriter: true,
      began: ['heartbeat for the other nodes not stored', 'heartbeat not stored'],
      ended: ['heartbeat for the other nodes stored again', 'heartbeat stored again'],
    },
    {
      node: 'another node',
      isWriter: false,
      began: ['heartbeat for the other nodes not stored', 'lease of the database not read'],
      ended: ['heartbeat for the other nodes stored again', 'lease of the database read again'],
    },
  ])(
    'is one line for each task of $node when it begins, and one when it is over',
    async ({ isWriter, began, ended }) => {
      const { proxy, lines, work } = await startNode(isWriter)
      const logged = () => lines.toSorted()
      await work()
      expect(logged()).toEqual([])
      proxy.setReachable(false)
      await expect.poll(logged, { timeout: START_MILLIS }).toEqual(began)
      await work()
      expect(logged()).toEqual(began)
      proxy.setReachable(true)
      const all = [...began, ...ended].toSorted()
      await expect.poll(logged, { timeout: START_MILLIS }).toEqual(all)
      await work()
      expect(logged()).toEqual(all)
    },
    START_MILLIS,
  )
})
