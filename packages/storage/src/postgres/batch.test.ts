// Queries that are sent without a wait between them, with a real server.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { POSTGRESQL } from '../../../../scripts/requirements.ts'
import { describeWith } from '../../../../scripts/test-requirements.ts'
import { rawQuery } from '../engine.ts'
import { sql } from '../query.ts'
import { type PostgresServer, START_MILLIS, startPostgres } from '../testing/postgres.ts'
import { createConnection } from './connection.ts'

const one = (value: number) => rawQuery(sql<object>`select ${value}::int8 as value`)
const pause = rawQuery(sql<object>`select pg_sleep(0.2)`)
const divide = (by: number) => rawQuery(sql<object>`select 7 / ${by}::int8 as value`)
const insert = (value: number) => rawQuery(sql`insert into numbers (value) values (${value})`)
const all = rawQuery(sql<object>`select value from numbers order by value`)
const broken = rawQuery(sql`select nothing from nowhere`)

describeWith('postgresql', 'queries that are sent together', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(POSTGRESQL)
  }, START_MILLIS)
  afterAll(() => server.stop())

  async function begin(keepsStatements: boolean) {
    const url = await server.createDatabase()
    const connection = createConnection({ url, keepsStatements, sendsAhead: true, limitMillis: START_MILLIS })
    onTestFinished(connection.close)
    await connection.exec('CREATE TABLE numbers (value int8 PRIMARY KEY); BEGIN; SAVEPOINT unit')
    connection.hold()
    const rollBack = () => connection.exec('ROLLBACK TO SAVEPOINT unit')
    const rows = async (query: ReturnType<typeof one>) => (await connection.query(query)).rows
    return { ...connection, rollBack, rows }
  }

  test.each([true, false])(
    'return each its own rows and counts, in their order (prepared: %s)',
    async (keepsStatements) => {
      const { query, command } = await begin(keepsStatements)
      const taken: object[] = []
      const [first, inserted, two, streamed, saved, none] = await Promise.all([
        query(one(1)),
        query(rawQuery(sql`insert into numbers (value) select * from generate_series(1, 5)`)),
        query(one(2)),
        query(all, (row) => void taken.push(row)),
        command('SAVEPOINT another'),
        query(rawQuery(sql`delete from numbers where value > 9`)),
      ])
      expect([first, inserted, two, streamed, saved, none]).toEqual([
        { rows: [{ value: 1 }], count: 1, tag: 'SELECT 1' },
        { rows: [], count: 5, tag: 'INSERT 0 5' },
        { rows: [{ value: 2 }], count: 1, tag: 'SELECT 1' },
        { rows: [], count: 5, tag: 'SELECT 5' },
        { rows: [], count: 0, tag: 'SAVEPOINT' },
        { rows: [], count: 0, tag: 'DELETE 0' },
      ])
      expect(taken).toEqual([1, 2, 3, 4, 5].map((value) => ({ value })))
    },
    START_MILLIS,
  )

  test.each([true, false])(
    'prepare a statement once, also while the reply to its first use is outstanding (prepared: %s)',
    async (keepsStatements) => {
      const { query, rows } = await begin(keepsStatements)
      const before = [query(pause), rows(one(1))]
      await sleep(1)
      expect(await Promise.all([rows(one(2)), rows(one(3))])).toEqual([[{ value: 2 }], [{ value: 3 }]])
      await Promise.all(before)
    },
    START_MILLIS,
  )

  test.each([true, false])(
    'fail from the first that fails, and work after it is rolled back (prepared: %s)',
    async (keepsStatements) => {
      const { query, rows, rollBack } = await begin(keepsStatements)
      const results = await Promise.allSettled([
        query(insert(1)),
        query(divide(0)),
        query(insert(2)),
        rows(one(4)),
      ])
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected'])
      expect(results.slice(1).map((result) => 'reason' in result && String(result.reason))).toEqual(
        Array.from({ length: 3 }, () => expect.stringContaining('division by zero')),
      )
      await rollBack()
      expect(await Promise.all([rows(divide(7)), query(insert(2)), rows(one(4)), rows(all)])).toEqual([
        [{ value: 1 }],
        { rows: [], count: 1, tag: 'INSERT 0 1' },
        [{ value: 4 }],
        [{ value: 2 }],
      ])
    },
    START_MILLIS,
  )

  test.each([true, false])(
    'leave in several batches if there are many, and have their rows the second time, too (prepared: %s)',
    async (keepsStatements) => {
      const { query, rows } = await begin(keepsStatements)
      const numbers = Array.from({ length: 100 }, (_, index) => index)
      for (let times = 0; times < 2; times += 1) {
        const found = numbers.flatMap((value) => [rows(one(value)), query(insert(value + 100 * times))])
        const all = await Promise.all(found)
        expect(all.filter((_, index) => index % 2 === 0)).toEqual(numbers.map((value) => [{ value }]))
      }
      expect(await rows(all)).toHaveLength(200)
    },
    START_MILLIS,
  )

  test(
    'that cannot be prepared fail each time, and nothing else with them',
    async () => {
      const { query, rows, rollBack } = await begin(true)
      for (let times = 0; times < 2; times += 1) {
        await expect(query(broken)).rejects.toThrow('nowhere')
        await rollBack()
        expect(await rows(one(times))).toEqual([{ value: times }])
      }
    },
    START_MILLIS,
  )

  test(
    'whose rows cannot be taken, or whose values have no form, fail alone',
    async () => {
      const { query, rows } = await begin(true)
      const results = await Promise.allSettled([
        query(insert(1)),
        query(all, () => {
          throw new Error('not taken')
        }),
        query(rawQuery(sql`select ${Symbol('none')}`)),
        rows(one(1)),
      ])
      expect(results.map((result) => ('reason' in result ? String(result.reason) : result.status))).toEqual([
        'fulfilled',
        'Error: not taken',
        expect.stringContaining('a symbol is no value of a query'),
        'fulfilled',
      ])
    },
    START_MILLIS,
  )

  test(
    'are planned again when a table has filled, before the server has statistics of it',
    async () => {
      const { query, exec } = await begin(true)
      await exec(
        'CREATE TABLE pairs (a int8 PRIMARY KEY, b text); INSERT INTO pairs VALUES (1); ANALYZE pairs',
      )
      const find = rawQuery(sql`select b from pairs where a = ${7}::int8`)
      const plan = async () => {
        const [found] = (await exec(
          `SELECT name FROM pg_prepared_statements WHERE statement LIKE 'select b from pairs%'`,
        )) as { name: string }[]
        return JSON.stringify(await exec(`EXPLAIN EXECUTE ${found?.name} (7)`))
      }
      for (let run = 0; run < 10; run++) await query(find)
      expect(await plan()).toContain('Seq Scan')
      await exec(`INSERT INTO pairs SELECT n, 'x' FROM generate_series(2, 9000) AS n`)
      expect(await plan()).toContain('Seq Scan')
      await Promise.all(Array.from({ length: 2_000 }, () => query(find)))
      expect(await plan()).toContain('Index Scan')
    },
    START_MILLIS,
  )
})
