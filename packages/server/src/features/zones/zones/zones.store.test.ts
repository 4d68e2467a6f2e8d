// How SQLite reads a page of the zone list: in the order of an index, up to the page's end.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Reach } from '@zonereeve/platform'
import type { Reader } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { listZones, type ZoneQuery } from './zones.store.ts'

let app: TestApp
let account: string
beforeAll(async () => {
  app = await startTestApp()
  const [found] = await app.must<{ id: string }[]>('GET', '/accounts')
  account = found?.id ?? 'none'
  await app.must('POST', '/zones', { name: 'example.com', account: { id: account } })
})
afterAll(() => app.close())

const NOTHING = {
  everything: false,
  accountIds: [],
  zoneIds: [],
  exceptAccountIds: [],
  exceptZoneIds: [],
} as const satisfies Reach
const PAGE = {
  match: 'all',
  order: 'name',
  descending: false,
  offset: 0,
  limit: 100,
} as const satisfies ZoneQuery
const contains = { operator: 'contains', value: 'exa', caseSensitive: false } as const

/** Steps of the plan of the query for the page. */
async function planOf(reach: Partial<Reach>, desired: Partial<ZoneQuery>): Promise<readonly string[]> {
  const asked: { sql: string; parameters: readonly unknown[] }[] = []
  const watching: Reader = {
    ...app.storage,
    first: (compilable) => {
      asked.push(compilable.compile())
      return app.storage.first(compilable)
    },
    all: (compilable) => {
      asked.push(compilable.compile())
      return app.storage.all(compilable)
    },
  }
  const { zones, totalCount } = await listZones(watching, [{ ...NOTHING, ...reach }], { ...PAGE, ...desired })
  expect([zones.length, totalCount]).toEqual([1, 1])
  expect(asked).toHaveLength(1)
  const steps = []
  for (const { sql, parameters } of asked) {
    const plan = { sql: `EXPLAIN QUERY PLAN ${sql}`, parameters } as never // the members that executors read
    steps.push(...(await app.storage.all<{ detail: string }>({ compile: () => plan })))
  }
  return steps.map(({ detail }) => detail)
}

/** What the dashboard offers, for who may see all zones. */
test.each<[string, Partial<ZoneQuery>]>([
  ['the order of names', {}],
  ['names in reverse', { descending: true }],
  ['status', { order: 'status' }],
  ['plan', { order: 'plan.id' }],
  ['account', { order: 'account.id' }],
  ['a filter by name', { name: contains }],
  ['a filter by status', { status: 'pending' }],
  ['a filter by name in another order', { name: contains, order: 'plan.id', descending: true }],
])('%s: a page sorts no zones', async (_, desired) => {
  const steps = await planOf({ everything: true }, desired)
  expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
  expect(steps[0]).toMatch(/^(SCAN|SEARCH) zones USING (COVERING )?INDEX /)
})

test.each<[string, (id: string) => Partial<Reach>]>([
  ['of an account', (id) => ({ accountIds: [id] })],
  ['of everything, within an account', (id) => ({ everything: true, withinAccountId: id })],
  ['of everything but another account', () => ({ everything: true, exceptAccountIds: ['0'.repeat(32)] })],
])('the zones %s: a page in the order of names sorts none', async (_, reach) => {
  const steps = await planOf(reach(account), {})
  expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
})
