// Units that share a transaction of PostgreSQL: each is stored or refused by itself, whatever the others do.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { DomainError, silentLog } from '@zonereeve/platform'
import { POSTGRESQL } from '../../../../scripts/requirements.ts'
import { describeWith } from '../../../../scripts/test-requirements.ts'
import { rawQuery } from '../engine.ts'
import { query, sql } from '../query.ts'
import { rehearse } from '../rehearsal.ts'
import { readAt, writeAt } from '../row-memory.ts'
import type { Reader, Transaction } from '../storage.ts'
import { type PostgresServer, START_MILLIS, startPostgres } from '../testing/postgres.ts'
import { openPostgres, type PostgresStorage } from './postgres.ts'

const put = (name: string) => query.insertInto('settings').values({ name, value: '' })
const names = query.selectFrom('settings').select('name').where('name', 'like', 'unit%').orderBy('name')
const broken = rawQuery(sql<object>`select 1 / 0`)
const refusal = new DomainError({ reason: 'record.unknown' })

const insertReturning = (name: string) =>
  query.insertInto('settings').values({ name, value: '' }).returning('name')

/** What the units of one transaction do. @returns the outcome of each. */
type Work = (tx: Transaction, name: string) => Promise<unknown>

const stores: Work = (tx, name) => tx.submit(put(name))
const refuses: Work = async (tx) => {
  await tx.all(names)
  throw refusal
}
const writesAndRefuses: Work = async (tx, name) => {
  await tx.submit(put(name))
  throw refusal
}
const writesByReadAndRefuses: Work = async (tx, name) => {
  await tx.first(insertReturning(name))
  throw refusal
}
const failsToRead: Work = (tx) => tx.all(broken)
const writesAndFailsToRead: Work = async (tx, name) => {
  await tx.submit(put(name))
  await tx.all(broken)
}
const failsToWrite: Work = (tx) => tx.submit(put('unit taken'))
const failsToWriteLate: Work = async (tx, name) => {
  await tx.submit(put('unit taken'))
  await tx.submit(put(name))
}
const concealsFailure: Work = (tx) => tx.all(broken).catch(() => [])

describeWith('postgresql', 'units of one transaction', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(POSTGRESQL)
  }, START_MILLIS)
  afterAll(() => server.stop())

  async function open(): Promise<PostgresStorage> {
    const storage = await openPostgres(await server.createDatabase(), silentLog)
    onTestFinished(() => storage.close())
    await storage.write((tx) => tx.submit(put('unit taken')))
    return storage
  }

  /** Runs units that wait for the same commit. */
  async function together(storage: PostgresStorage, works: readonly Work[]) {
    const runs = works.map(() => 0)
    const hooks: number[] = []
    const first = storage.write(() => sleep(20))
    await sleep(5)
    const results = await Promise.allSettled([
      ...works.map((work, index) =>
        storage.write(async (tx) => {
          runs[index] = (runs[index] ?? 0) + 1
          tx.onCommit(() => void hooks.push(index))
          await work(tx, `unit ${index}`)
        }),
      ),
      first,
    ])
    const stored = (await storage.all(names)).map(({ name }) => name)
    return { outcomes: results.slice(0, -1).map(({ status }) => status === 'fulfilled'), runs, hooks, stored }
  }

  test.each<[string, readonly Work[], { outcomes: boolean[]; runs: number[] }]>([
    ['all are stored', [stores, stores, stores], { outcomes: [true, true, true], runs: [1, 1, 1] }],
    [
      'one is refused before it writes: nothing is repeated',
      [stores, refuses, stores],
      { outcomes: [true, false, true], runs: [1, 1, 1] },
    ],
    [
      'one is refused after it has written: they are repeated once',
      [stores, writesAndRefuses, stores],
      { outcomes: [true, false, true], runs: [2, 2, 1] },
    ],
    [
      'one is refused after an insert that returns a row',
      [stores, writesByReadAndRefuses, stores],
      { outcomes: [true, false, true], runs: [2, 2, 1] },
    ],
    ['the only one is refused after it has written', [writesAndRefuses], { outcomes: [false], runs: [1] }],
    [
      'the first and the last are refused after they have written',
      [writesAndRefuses, stores, writesAndRefuses],
      { outcomes: [false, true, false], runs: [2, 1, 1] },
    ],
    [
      'all are refused',
      [refuses, writesAndRefuses, refuses],
      { outcomes: [false, false, false], runs: [2, 2, 1] },
    ],
    ['a read fails', [stores, failsToRead, stores], { outcomes: [true, false, true], runs: [2, 2, 1] }],
    [
      'a read fails after a write',
      [stores, writesAndFailsToRead, stores],
      { outcomes: [true, false, true], runs: [2, 2, 1] },
    ],
    ['a write fails', [stores, failsToWrite, stores], { outcomes: [true, false, true], runs: [2, 2, 2] }],
    [
      'a write fails before others of its unit',
      [stores, failsToWriteLate, stores],
      { outcomes: [true, false, true], runs: [2, 2, 2] },
    ],
    [
      'one conceals that a read failed, and writes nothing: it is not stored in silence',
      [stores, concealsFailure, stores],
      { outcomes: [true, false, true], runs: [2, 2, 2] },
    ],
    ['the only one conceals that a read failed', [concealsFailure], { outcomes: [false], runs: [2] }],
  ])(
    '%s',
    async (_, works, { outcomes, runs }) => {
      const storage = await open()
      const indexes = works.flatMap((_work, index) => (outcomes[index] === true ? [index] : []))
      expect(await together(storage, works)).toEqual({
        outcomes,
        runs,
        hooks: indexes,
        stored: [...indexes.map((index) => `unit ${index}`), 'unit taken'],
      })
      expect(await storage.healthy()).toBe(true)
      await storage.write((tx) => tx.submit(put('unit after')))
    },
    START_MILLIS,
  )

  test(
    'a dry run between others stores nothing, and nothing of it is remembered',
    async () => {
      const storage = await open()
      const seen: number[] = []
      const look: Work = async (tx) => void seen.push((await tx.all(names)).length)
      const [before, dry, after] = [
        storage.write((tx) => stores(tx, 'unit before')),
        rehearse(() => storage.write((tx) => stores(tx, 'unit dry'))),
        storage.write((tx) => look(tx, '')),
      ]
      await Promise.all([before, dry, after])
      expect(seen).toEqual([2])
      expect((await storage.all(names)).map(({ name }) => name)).toEqual(['unit before', 'unit taken'])
    },
    START_MILLIS,
  )

  test(
    'one that has taken long is not repeated for another that fails',
    async () => {
      const storage = await open()
      const storesSlowly: Work = async (tx, name) => {
        await stores(tx, name)
        await sleep(150)
      }
      const { outcomes, runs } = await together(storage, [storesSlowly, writesAndRefuses, stores])
      expect([outcomes, runs]).toEqual([
        [true, false, true],
        [1, 1, 1],
      ])
    },
    START_MILLIS,
  )

  test(
    'that fail late again and again are not repeated each time',
    async () => {
      const storage = await open()
      const works = [stores, writesAndRefuses, stores]
      expect((await together(storage, works)).runs).toEqual([2, 2, 1])
      await storage.write((tx) => tx.run(query.deleteFrom('settings').where('name', 'like', 'unit%')))
      expect((await together(storage, works)).runs).toEqual([1, 1, 1])
    },
    START_MILLIS,
  )

  const place = { table: 'settings', key: 'all' }
  const otherTable = query
    .insertInto('audit_log_start')
    .values({ id: 1, number: 0, hash: '' })
    .onConflict((conflict) => conflict.doNothing())

  test.each<[string, Work, reads: number, readonly string[]]>([
    ['nothing: known', async () => {}, 1, ['unit taken']],
    ['another table: known', (tx) => tx.submit(otherTable), 1, ['unit taken']],
    [
      'the place: read again',
      (tx) => tx.submit(writeAt(put('unit new'), place)),
      2,
      ['unit new', 'unit taken'],
    ],
    [
      'another place: known',
      (tx) => tx.submit(writeAt(put('unit new'), { ...place, key: 'other' })),
      1,
      ['unit taken'],
    ],
    ['the table: read again', (tx) => tx.submit(put('unit new')), 2, ['unit new', 'unit taken']],
    [
      'the table, by a query that returns rows: read again',
      (tx) => tx.first(insertReturning('unit new')),
      2,
      ['unit new', 'unit taken'],
    ],
    [
      'SQL by hand: read again',
      (tx) => tx.run(rawQuery(sql`insert into settings (name, value) values ('unit new', '')`)),
      2,
      ['unit new', 'unit taken'],
    ],
    [
      'a deletion: read again',
      (tx) => tx.run(query.deleteFrom('settings').where('name', '=', 'none')),
      2,
      ['unit taken'],
    ],
  ])(
    'read ahead what they will read, and after a write of %s',
    async (_, write, reads, expected) => {
      const storage = await open()
      let count = 0
      const readNames = (db: Reader): Promise<string[]> =>
        readAt(db, place, async () => {
          count += 1
          return (await db.all(names)).map(({ name }) => name)
        })
      const seen: (readonly string[])[] = []
      const first = storage.write(() => sleep(20))
      await sleep(5)
      await Promise.all([
        first,
        storage.write((tx) => write(tx, '').then(() => {}), readNames),
        storage.write(async (tx) => void seen.push(await readNames(tx)), readNames),
      ])
      expect([count, seen]).toEqual([reads, [expected]])
    },
    START_MILLIS,
  )

  test.each<[string, (tx: Reader) => Promise<unknown>, runs: number]>([
    ['is refused', () => Promise.reject(refusal), 1],
    ['throws', () => Promise.reject(new Error('not now')), 1],
    ['sends a query that fails', (tx) => tx.all(broken), 1],
  ])(
    'are stored although what reads ahead for one of them %s',
    async (_, readAhead, expected) => {
      const storage = await open()
      let runs = 0
      const unit = (name: string) => async (tx: Transaction) => {
        runs += 1
        await tx.all(names)
        await stores(tx, name)
      }
      await storage.write(unit('unit 0'), readAhead)
      await Promise.all([storage.write(unit('unit 1'), readAhead), storage.write(unit('unit 2'))])
      expect([runs, (await storage.all(names)).length]).toEqual([3 * expected, 4])
    },
    START_MILLIS,
  )
})
