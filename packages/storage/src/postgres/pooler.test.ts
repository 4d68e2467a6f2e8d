// PgBouncer between the program and the database, without parameters that say so.
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Log, silentLog } from '@zonereeve/platform'
import { POSTGRESQL } from '../../../../scripts/requirements.ts'
import { describeWith } from '../../../../scripts/test-requirements.ts'
import { query } from '../query.ts'
import { POOL_SIZE, startPgBouncer } from '../testing/pgbouncer.ts'
import { type PostgresServer, START_MILLIS, startPostgres } from '../testing/postgres.ts'
import { createConnection } from './connection.ts'
import { openPostgres } from './postgres.ts'
import { losesSessions } from './pooler.ts'

const names = query.selectFrom('settings').select('name').orderBy('name')

describeWith(['postgresql', 'pgbouncer'], 'a pooler', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(POSTGRESQL)
  }, START_MILLIS)
  afterAll(() => server.stop())

  async function startPooler(mode: 'transaction' | 'session') {
    const pooler = await startPgBouncer(await server.createDatabase(), mode)
    onTestFinished(pooler.stop)
    return pooler.url
  }

  async function connectedTo(url: string) {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    onTestFinished(() => client.end()) // the pooler waits for it
    return client
  }

  test(
    'that changes connections between transactions is noticed, also beside other clients; others are not mistaken for one',
    async () => {
      expect(await losesSessions(await server.createDatabase())).toBe(false)
      expect(await losesSessions(await startPooler('session'))).toBe(false)
      const url = await startPooler('transaction')
      expect(await losesSessions(url)).toBe(true)
      const all = await Promise.all(Array.from({ length: 8 }, () => losesSessions(url)))
      expect(all).toEqual(all.map(() => true))
    },
    START_MILLIS,
  )

  test(
    'in transaction mode gives connections with plain strings, if those of the database and of other clients have escapes',
    async () => {
      const database = await server.createDatabase()
      const name = new URL(database).pathname.slice(1)
      await server.execute(`ALTER DATABASE ${name} SET standard_conforming_strings = off`)
      const pooler = await startPgBouncer(database, 'transaction')
      onTestFinished(pooler.stop)
      const clients = Array.from({ length: 12 }, () =>
        createConnection({ url: pooler.url, keepsStatements: false }),
      )
      const others = await Promise.all(Array.from({ length: 12 }, () => connectedTo(pooler.url)))
      for (let round = 0; round < 3; round++) {
        await Promise.all(others.map((other) => other.query('SET standard_conforming_strings = off')))
        expect(
          await Promise.all(clients.map((client) => client.exec(String.raw`SELECT '\\' AS text`))),
        ).toEqual(clients.map(() => [{ text: String.raw`\\` }]))
      }
      await Promise.all(clients.map((client) => client.close()))
    },
    START_MILLIS,
  )

  test(
    'whose connections are all in use keeps a new one waiting for as long as any query may take',
    async () => {
      const url = await startPooler('transaction')
      const busy = await Promise.all(Array.from({ length: POOL_SIZE.transaction }, () => connectedTo(url)))
      await Promise.all(busy.map((client) => client.query('BEGIN')))
      const connect = (limitMillis: number) => createConnection({ url, keepsStatements: false, limitMillis })
      const impatient = connect(100)
      const startedAt = performance.now()
      await expect(impatient.exec('SELECT 1')).rejects.toThrow('storage.unavailable')
      expect(performance.now() - startedAt).toBeLessThan(4_000)
      const patient = connect(60_000)
      const answer = patient.exec('SELECT 1 AS one')
      await Promise.all(busy.map((client) => client.query('ROLLBACK')))
      expect(await answer).toEqual([{ one: 1 }])
      await Promise.all([impatient.close(), patient.close()])
    },
    START_MILLIS,
  )

  test.each<{ readonly parameters: string; readonly notices: number }>([
    { parameters: '', notices: 2 },
    { parameters: '&prepared_statements=off&listen=off', notices: 0 },
  ])(
    'in transaction mode takes nothing from nodes that use it ("$parameters"), which say so',
    async ({ parameters, notices }) => {
      const url = `${await startPooler('transaction')}${parameters}`
      const logged: string[] = []
      const log: Log = { ...silentLog, info: (_, event) => void logged.push(event ?? '') }
      const open = async () => {
        const storage = await openPostgres(url, log, {
          isServer: true,
          node: { secret: 'a-secret-that-all-nodes-of-the-test-have' },
        })
        onTestFinished(() => storage.close().catch(() => {}))
        return storage
      }
      const nodes = [await open(), await open()]
      const expected = Array.from({ length: 40 }, (_, at) => `name${String(at).padStart(2, '0')}`)
      await Promise.all(
        expected.map(async (name, at) => {
          const storage = nodes[at % 2]
          await storage?.write((tx) => tx.run(query.insertInto('settings').values({ name, value: '' })))
          await Promise.all([storage?.all(names), storage?.offload.all(names)])
        }),
      )
      for (const node of nodes)
        expect(
          (await node.all(names)).map(({ name }) => name).filter((name) => name.startsWith('name')),
        ).toEqual(expected)
      const said = logged.filter((event) => event.startsWith('a pooler changes connections'))
      expect(said).toHaveLength(notices)
    },
    START_MILLIS,
  )
})
