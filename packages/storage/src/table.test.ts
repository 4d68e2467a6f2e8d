import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { silentLog } from '@zonereeve/platform'
import { sql } from 'kysely'
import type { Column, StorageKind } from './column.ts'
import { IN_MEMORY, openSqliteStorage, prepare, query, tables, type Storage } from './index.ts'

let storage: Storage
beforeEach(async () => {
  storage = await openSqliteStorage(IN_MEMORY, silentLog)
})
afterEach(() => storage.close())

const read = <Row>(text: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  storage.all<Row>({ compile: () => text.compile(query) } as never) // the form that the compiler returns

interface SchemaColumn {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly pk: number
  /** 2 and 3 for columns that are computed. */
  readonly hidden: number
}

const KINDS: Readonly<Record<string, StorageKind>> = { TEXT: 'text', INTEGER: 'integer', BLOB: 'blob' }

const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1)

describe('the descriptors', () => {
  test('cover all tables of the schema except those of the storage itself', async () => {
    const stored = await read<{ name: string }>(
      sql`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name not in ('schema_migrations', 'database_identity')`,
    )
    expect(Object.keys(tables).toSorted()).toEqual(stored.map(({ name }) => name).toSorted())
  })

  test.each(Object.entries(tables))('of %s are the columns of the schema', async (name, table) => {
    expect(table.name).toBe(name)
    const stored = await read<SchemaColumn>(sql`select * from pragma_table_xinfo(${name})`)
    const described = Object.entries<Column>(table.columns).map(([column, { kind, isNullable }]) => ({
      name: column,
      kind,
      isNullable,
    }))
    expect(described.toSorted(byName)).toEqual(
      stored
        .map((column) => ({
          name: column.name,
          kind: KINDS[column.type],
          // A computed column is made of others that are not null, which SQLite would prove by computing it at each insert.
          isNullable: column.notnull === 0 && column.pk === 0 && column.hidden === 0,
        }))
        .toSorted(byName),
    )
  })

  test.each(Object.entries(tables))('of %s have a unique key', async (name, { key }) => {
    const primary = await read<SchemaColumn>(sql`select * from pragma_table_info(${name}) where pk > 0`)
    const indexes = await read<{ name: string }>(
      sql`select name from pragma_index_list(${name}) where "unique" = 1 and partial = 0`,
    )
    const unique = [primary.map((column) => column.name)]
    for (const index of indexes)
      unique.push(
        (await read<{ name: string }>(sql`select name from pragma_index_info(${index.name})`)).map(
          (one) => one.name,
        ),
      )
    expect(unique.map((columns) => columns.toSorted().join())).toContain([...key].toSorted().join())
  })
})

interface Filter {
  readonly id: string
  readonly expression: string
  readonly paused: boolean
  readonly description: string | null
  readonly ref: string | null
}

const filters = tables.filters.beside('zone_id').of<Filter>()
const filter: Filter = { id: 'f', expression: 'true', paused: true, description: null, ref: 'r' }
const zone = {
  id: 'z',
  accountId: 'a',
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
  createdOn: 't',
  modifiedOn: 't',
  activatedOn: null,
} as const
const zones = tables.zones.of<typeof zone>()

const prepareZone = () =>
  storage.write(async (tx) => {
    const account = {
      id: 'a',
      name: 'A',
      nameSearch: 'a',
      type: 'standard',
      settings: {},
      createdOn: 't',
    } as const
    await tables.accounts.of<typeof account>().insert(tx, account)
    await zones.insert(tx, zone)
  })

describe('rows', () => {
  beforeEach(prepareZone)

  test('are read as they were written', async () => {
    await storage.write((tx) => filters.insert(tx, { ...filter, zoneId: 'z' }))
    expect(await filters.find(storage, { zoneId: 'z', id: 'f' })).toEqual(filter)
    expect(await filters.find(storage, { zoneId: 'y', id: 'f' })).toBeUndefined()
    expect(await zones.find(storage, { id: 'z' })).toEqual(zone)
    expect(await read(sql`select zone_id, paused, description from filters`)).toEqual([
      { zone_id: 'z', paused: 1, description: null },
    ])
  })

  test('are updated only in the given members', async () => {
    await storage.write((tx) => filters.insert(tx, { ...filter, zoneId: 'z' }))
    expect(await storage.write((tx) => filters.updateExisting(tx, { id: 'f', paused: false }))).toBe(true)
    expect(await filters.find(storage, { id: 'f' })).toEqual({ ...filter, paused: false })
    expect(await storage.write((tx) => filters.updateExisting(tx, { id: 'g', paused: false }))).toBe(false)
  })

  test('are replaced by key', async () => {
    for (const expression of ['true', 'false'])
      await storage.write((tx) => filters.save(tx, { ...filter, expression, zoneId: 'z' }))
    expect(await filters.count(storage, { zoneId: 'z' })).toBe(1)
    expect((await filters.find(storage, { id: 'f' }))?.expression).toBe('false')
  })

  test('are inserted once', async () => {
    const insert = () => storage.write((tx) => filters.insertNew(tx, { ...filter, zoneId: 'z' }))
    expect([await insert(), await insert()]).toEqual([true, false])
  })

  test('are deleted if all members match', async () => {
    await storage.write((tx) => filters.insert(tx, { ...filter, zoneId: 'z' }))
    expect(await storage.write((tx) => filters.remove(tx, { zoneId: 'z', id: 'other' }))).toBe(0)
    expect(await storage.write((tx) => filters.remove(tx, { zoneId: 'z' }))).toBe(1)
  })

  test.each([
    [
      'a match without a value',
      () => filters.find(storage, { id: undefined } as never),
      'filters.id has no value',
    ],
    [
      'a match of another table',
      () => filters.find(storage, { serial: 1 } as never),
      'filters has no serial',
    ],
    [
      'a removal of everything',
      () => storage.write((tx) => filters.remove(tx, {})),
      'no condition selects the rows of filters to delete',
    ],
    [
      'an object that lacks a member',
      () => storage.write((tx) => filters.insert(tx, filter as never)),
      'filters.zone_id has no value: zoneId is missing',
    ],
    [
      'a query that lacks a column',
      async () => {
        await storage.write((tx) => filters.insert(tx, { ...filter, zoneId: 'z' }))
        return filters.all(storage, query.selectFrom('filters').select('id'))
      },
      'storage.unreadable_row',
    ],
  ])('reject %s by name', async (_, attempt, message) => {
    await expect(attempt()).rejects.toThrow(message)
  })

  test.each([
    ['text that is not JSON', '[', 'name_servers is not valid JSON'],
    ['JSON of another shape', '{}', 'name_servers has an unexpected shape'],
  ])('that cannot be decoded are skipped or fail, and are reported: %s', async (_, spoiled, problem) => {
    await storage.write((tx) => tx.run(query.updateTable('zones').set({ name_servers: spoiled })))
    const all = query.selectFrom('zones').selectAll()
    expect(await zones.readable(storage, all)).toEqual([])
    await expect(zones.all(storage, all)).rejects.toThrow('storage.unreadable_row')
    expect(await storage.unreadable.list()).toMatchObject([{ table: 'zones', id: 'z', problem }])
  })

  test('accept only objects that the columns can store', () => {
    expect(tables.filters.of<Filter & { readonly zoneId: string }>()).toHaveProperty('find')
    // @ts-expect-error a flag is not a number
    tables.filters.of<Omit<Filter, 'paused'> & { zoneId: string; paused: number }>()
    // @ts-expect-error the description may be null in the database
    tables.filters.of<Omit<Filter, 'description'> & { zoneId: string; description: string }>()
    // @ts-expect-error there is no such column
    tables.filters.of<Filter & { zoneId: string; serial: number }>()
    // @ts-expect-error the zone is missing
    tables.filters.of<Filter>()
  })
})

describe('a prepared query', () => {
  test('takes its values by name, whatever their order in the SQL', async () => {
    const sum = prepare(({ a, b }: { a: number; b: number }) => {
      const result = sql<{ value: number }>`select ${b} * 10 + ${a} + ${b} as value`
      return { compile: () => result.compile(query) } as never
    })
    expect(await storage.first(sum({ a: 1, b: 2 }))).toEqual({ value: 23 })
    expect(await storage.first(sum({ b: 1, a: 2 }))).toEqual({ value: 13 })
  })

  test('pads lists with their last value', async () => {
    await prepareZone()
    const named = prepare(
      ({ ids }: { ids: readonly string[] }) => query.selectFrom('zones').select('id').where('id', 'in', ids),
      { ids: 3 },
    )
    expect(named({ ids: ['x', 'z'] }).compile().parameters).toEqual(['x', 'z', 'z'])
    expect(await storage.all(named({ ids: ['x', 'z'] }))).toEqual([{ id: 'z' }])
  })

  test('does not run without a value', () => {
    const one = prepare(({ id }: { id: string }) =>
      query.selectFrom('zones').select('id').where('id', '=', id),
    )
    expect(() => one({} as never).compile()).toThrow('the query has no value for id')
  })
})
