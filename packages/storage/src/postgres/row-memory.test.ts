// What units that share a transaction know of rows: never anything else than the database would say.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Compilable } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { silentLog } from '@zonereeve/platform'
import { POSTGRESQL } from '../../../../scripts/requirements.ts'
import { describeWith } from '../../../../scripts/test-requirements.ts'
import { rawQuery } from '../engine.ts'
import { openPostgresStorage, type Storage, type Transaction } from '../open-storage.ts'
import { query, sql } from '../query.ts'
import { combineAt, placeIn } from '../row-memory.ts'
import { rehearse } from '../rehearsal.ts'
import { TABLES as tables } from '../tables/registry.ts'
import { type PostgresServer, START_MILLIS, startPostgres } from '../testing/postgres.ts'

interface Zone {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly displayName: string
  readonly status: 'active'
  readonly paused: boolean
  readonly type: string
  readonly plan: string
  readonly nameServers: readonly string[]
  readonly vanityNameServers: readonly string[]
  readonly serial: number
  readonly recordCount: number
  readonly addressCount: number
  readonly createdOn: string
  readonly modifiedOn: string
  readonly activatedOn: string | null
}

const zones = tables.zones.of<Zone>()
const names = tables.zones.only('id', 'name').of<Pick<Zone, 'id' | 'name'>>()
const NOW = '2026-01-01T00:00:00Z'
const ID = 'a'.repeat(32)
const ZONE: Zone = {
  id: ID,
  accountId: 'account',
  name: 'example.com',
  displayName: 'example.com',
  status: 'active',
  paused: false,
  type: 'full',
  plan: 'free',
  nameServers: ['ns1.example.net'],
  vanityNameServers: [],
  serial: 1,
  recordCount: 0,
  addressCount: 0,
  createdOn: NOW,
  modifiedOn: NOW,
  activatedOn: null,
}

describeWith('postgresql', 'rows that units of a transaction know', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(POSTGRESQL)
  }, START_MILLIS)
  afterAll(() => server.stop())

  async function open() {
    const folder = mkdtempSync(join(tmpdir(), 'zonereeve-test-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const place = { url: await server.createDatabase(), keyFile: join(folder, 'test.key') }
    const storage = await openPostgresStorage(place, silentLog)
    onTestFinished(() => storage.close())
    await storage.write(async (tx) => {
      await tx.run(
        rawQuery(sql`insert into accounts (id, name, name_search, type, settings, created_on)
          values ('account', 'a', 'a', 'standard', '{}', ${NOW})`),
      )
      await zones.insert(tx, ZONE)
    })
    return storage
  }

  const serialOf = async (tx: Transaction): Promise<number | undefined> =>
    (await zones.find(tx, { id: ID }))?.serial
  const bump = async (tx: Transaction): Promise<void> => {
    const zone = await zones.find(tx, { id: ID })
    if (zone !== undefined) await zones.update(tx, { ...zone, serial: zone.serial + 1 })
  }

  test(
    'are read once, and as the unit before wrote them',
    async () => {
      const storage = await open()
      const found: (Zone | undefined)[] = []
      await Promise.all([
        storage.write(async (tx) => {
          found.push(await zones.find(tx, { id: ID }), await zones.find(tx, { id: ID }))
          await bump(tx)
        }),
        storage.write(async (tx) => void found.push(await zones.find(tx, { id: ID }))),
      ])
      expect(found).toEqual([ZONE, ZONE, { ...ZONE, serial: 2 }])
      expect(found[0]).toBe(found[1])
      // By the next transaction, from the database.
      expect(await storage.write((tx) => zones.find(tx, { id: ID }))).toEqual({ ...ZONE, serial: 2 })
    },
    START_MILLIS,
  )

  test(
    'are forgotten with a unit that is rolled back',
    async () => {
      const storage = await open()
      const refused = storage.write(async (tx) => {
        await bump(tx)
        throw new Error('refused')
      })
      const rehearsed = rehearse(() => storage.write(bump))
      const after = storage.write(serialOf)
      await expect(refused).rejects.toThrow('refused')
      await rehearsed
      expect(await after).toBe(1)
    },
    START_MILLIS,
  )

  test.each<[string, (tx: Transaction) => Promise<unknown>, number | undefined]>([
    [
      'another update of the table',
      (tx) => tx.submit(query.updateTable('zones').set({ serial: 7 }).where('id', '=', ID)),
      7,
    ],
    ['an update of some columns', (tx) => zones.update(tx, { id: ID, serial: 8 }), 8],
    [
      'an update that asks whether there is a row',
      (tx) => zones.updateExisting(tx, { ...ZONE, serial: 9 }),
      9,
    ],
    ['SQL by hand', (tx) => tx.run(rawQuery(sql`update zones set serial = 10`)), 10],
    ['the removal of the row', (tx) => zones.remove(tx, { id: ID }), undefined],
    [
      'the removal of a row that it refers to',
      async (tx) => {
        await tx.run(rawQuery(sql`update zones set account_id = account_id`))
        await serialOf(tx)
        await tx.run(rawQuery(sql`delete from zones where account_id = 'account'`))
      },
      undefined,
    ],
  ])(
    'are read again after %s',
    async (_, write, expected) => {
      const storage = await open()
      const [, , serial] = await Promise.all([
        storage.write(serialOf),
        storage.write(async (tx) => {
          expect(await serialOf(tx)).toBe(1)
          await write(tx)
        }),
        storage.write(serialOf),
      ])
      expect(serial).toBe(expected)
    },
    START_MILLIS,
  )

  test(
    'stay known while other tables are written, and to objects with some columns',
    async () => {
      const storage = await open()
      await storage.write(async (tx) => {
        const zone = await zones.find(tx, { id: ID })
        await tx.submit(query.insertInto('settings').values({ name: 'a', value: '' }))
        expect(await zones.find(tx, { id: ID })).toBe(zone)
        expect(await names.find(tx, { id: ID })).toMatchObject({ id: ID, name: 'example.com' })
        // Objects with some columns are not taken for whole ones.
        await tx.run(query.deleteFrom('settings'))
        await names.find(tx, { id: ID })
        expect(await zones.find(tx, { id: ID })).toEqual(ZONE)
      })
    },
    START_MILLIS,
  )

  /** Serials that were written to the row, in order. */
  async function openNoting() {
    const storage = await open()
    await storage.write(async (tx) => {
      await tx.run(rawQuery(sql`create table seen (place serial, serial int8)`))
      await tx.run(
        rawQuery(sql`create function note() returns trigger language plpgsql
          as $$ begin insert into seen (serial) values (new.serial); return new; end $$`),
      )
      await tx.run(
        rawQuery(sql`create trigger note after update on zones for each row execute function note()`),
      )
    })
    const seen = async () =>
      (await storage.all(rawQuery(sql<{ serial: number }>`select serial from seen order by place`))).map(
        ({ serial }) => serial,
      )
    return { storage, seen }
  }

  const serialByHand = async (tx: Transaction): Promise<unknown> =>
    (await tx.first(rawQuery(sql<{ serial: number }>`select serial from zones`)))?.serial
  const fail = async (tx: Transaction): Promise<void> => {
    await bump(tx)
    throw new Error('refused')
  }

  test.each<[string, readonly ((tx: Transaction) => Promise<unknown>)[], number, readonly number[]]>([
    ['once for all units', [bump, bump, bump], 4, [4]],
    [
      'before SQL by hand reads',
      [bump, async (tx) => expect(await serialByHand(tx)).toBe(2), bump],
      3,
      [2, 3],
    ],
    [
      'before other columns of it are',
      [bump, (tx) => zones.update(tx, { id: ID, plan: 'pro' }), bump],
      3,
      [2, 2, 3],
    ],
    ['before the row is removed', [bump, (tx) => zones.remove(tx, { id: ID })], 0, [2]],
    ['for each unit, if one fails after it has written', [bump, fail, bump], 3, [2, 3]],
  ])(
    'are written %s',
    async (_, units, expected, expectedSeen) => {
      const { storage, seen } = await openNoting()
      await Promise.allSettled(units.map((unit) => storage.write(unit)))
      expect((await zones.find(storage, { id: ID }))?.serial ?? 0).toBe(expected)
      expect(await seen()).toEqual(expectedSeen)
    },
    START_MILLIS,
  )

  test(
    'are counted once, with the sum of what units add',
    async () => {
      const storage = await open()
      const add = (by: number): Compilable<unknown> =>
        combineAt(
          query
            .insertInto('record_counts')
            .values({ zone_id: ID, type: 'A', count: by })
            .onConflict((conflict) =>
              conflict
                .columns(['zone_id', 'type'])
                .doUpdateSet({ count: sql<number>`record_counts.count + excluded.count` }),
            ),
          placeIn('record_counts', ID, 'A'),
          by,
          (earlier) => add(earlier + by),
        )
      await Promise.all([1, 2, 3].map((by) => storage.write((tx) => tx.submit(add(by)))))
      await storage.write((tx) => tx.submit(add(-4)))
      expect(await storage.all(rawQuery(sql<object>`select count from record_counts`))).toEqual([
        { count: 2 },
      ])
    },
    START_MILLIS,
  )

  test(
    'are read again outside of transactions',
    async () => {
      const storage = await open()
      const find = () => zones.find(storage, { id: ID })
      expect(await Promise.all([find(), find()])).toEqual([ZONE, ZONE])
      await storage.write(bump)
      const again = find()
      const wrong = zones.find(storage, { id: 'b'.repeat(32) })
      expect([(await again)?.serial, await wrong]).toEqual([2, undefined])
    },
    START_MILLIS,
  )

  const OTHER: Zone = { ...ZONE, id: 'b'.repeat(32), name: 'example.net', displayName: 'example.net' }
  const byName = (db: Storage | Transaction, name: string) => zones.find(db, { name })

  test.each<
    [string, (storage: Storage) => Promise<readonly (Zone | undefined)[]>, readonly (Zone | undefined)[]]
  >([
    [
      'at the same time',
      (storage) =>
        Promise.all(['example.net', 'example.com', 'none.example'].map((name) => byName(storage, name))),
      [OTHER, ZONE, undefined],
    ],
    [
      'in units of one commit',
      (storage) =>
        Promise.all(['example.net', 'example.com'].map((name) => storage.write((tx) => byName(tx, name)))),
      [OTHER, ZONE],
    ],
    [
      'after a unit of the same commit has written them',
      async (storage) => {
        const bumpNamed = async (tx: Transaction) => {
          const zone = await byName(tx, 'example.com')
          if (zone !== undefined) await zones.update(tx, { ...zone, serial: zone.serial + 1 })
        }
        await Promise.all([storage.write(bumpNamed), storage.write(bumpNamed), storage.write(bump)])
        return [await byName(storage, 'example.com')]
      },
      [{ ...ZONE, serial: 4 }],
    ],
  ])(
    'by another column are other rows, %s',
    async (_, find, expected) => {
      const storage = await open()
      await storage.write((tx) => zones.insert(tx, OTHER))
      expect(await find(storage)).toEqual(expected)
    },
    START_MILLIS,
  )

  test(
    'that cannot be written fail their own unit, and nothing of it is stored',
    async () => {
      const { storage, seen } = await openNoting()
      const wrong = { ...ZONE, serial: Symbol('none') as never }
      const results = await Promise.allSettled([
        storage.write(bump),
        storage.write((tx) => zones.update(tx, wrong)),
        storage.write(bump),
      ])
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect((await zones.find(storage, { id: ID }))?.serial).toBe(3)
      expect(await seen()).toEqual([2, 3])
    },
    START_MILLIS,
  )
})
