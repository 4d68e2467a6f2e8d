// PgBouncer between the program and the database, without parameters that say so.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Log, silentLog } from '@zonereeve/platform'
import { POSTGRESQL } from '../../../../scripts/requirements.ts'
import { describeWith } from '../../../../scripts/test-requirements.ts'
import { query } from '../query.ts'
import { startPgBouncer } from '../testing/pgbouncer.ts'
import { type PostgresServer, START_MILLIS, startPostgres } from '../testing/postgres.ts'
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
