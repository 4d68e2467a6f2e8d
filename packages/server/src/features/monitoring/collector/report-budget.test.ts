// What one address may add to an inventory in a day: floods of invented resources, restarts, and sites with normal
// traffic beside a flood.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../../testing/app.ts'

const BUDGET = { entries: 6, fetches: 2 }
const DAY_MILLIS = 86_400_000
const ATTACKER = '203.0.113.9'
const PAGE = 'https://www.example.com/'

let app: TestApp
let zoneId = ''
let address = ''

afterEach(() => app.close())

async function begin(database?: string): Promise<void> {
  app = await startTestApp({
    reportBudget: BUDGET,
    trustProxy: ['127.0.0.0/8'],
    ...(database === undefined ? {} : { database }),
  })
  const zones = await app.must<{ id: string }[]>('GET', '/zones')
  zoneId = zones[0]?.id ?? (await app.must<{ id: string }>('POST', '/zones', { name: 'example.com' })).id
  await app.must('PUT', `/zones/${zoneId}/page_shield`, { enabled: true })
  await app.must('PUT', own('/sampling'), { also_report: ['inline'] })
  const urls = await app.pageShield.reporting.reportingUrls(app.storage, { id: zoneId } as never)
  address = urls(new URL(PAGE), null).replace(new URL(PAGE).origin, '')
}

const own = (path: string): string => `/zonereeve/zones/${zoneId}/page_shield${path}`

async function report(from: string, blocked: readonly string[], more: object = {}): Promise<void> {
  const body = blocked.map((blockedURL) => ({
    type: 'csp-violation',
    age: 0,
    body: { documentURL: PAGE, blockedURL, effectiveDirective: 'script-src-elem', ...more },
  }))
  const headers = { 'content-type': 'application/reports+json', 'x-forwarded-for': from }
  await app.call({ method: 'POST', base: '', path: address, token: null, headers, body })
  await app.collector.flush()
}

const invented = (first: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `https://host-${first + index}.example.net/a.js`)

const scripts = async (): Promise<readonly string[]> =>
  (
    await app.must<{ url: string }[]>(
      'GET',
      `/zones/${zoneId}/page_shield/scripts?status=active,infrequent&page=all`,
    )
  ).map(({ url }) => url)

const budgetDrops = async (): Promise<number> =>
  (await app.must<{ dropped: { budget?: number } }>('GET', own('/collector'))).dropped.budget ?? 0

/** URLs of the scripts that are queued to be fetched. */
const queued = async (): Promise<readonly string[]> => {
  const waiting = query
    .selectFrom('page_shield_resources')
    .select('url')
    .where('waiting_site', 'is not', null)
  return (await app.storage.all(waiting.orderBy('url'))).map(({ url }) => url)
}

describe('a flood of invented resources from one address', () => {
  test('is held to the budget, costs few fetches, and is counted', async () => {
    await begin()
    for (let batch = 0; batch < 8; batch++) await report(ATTACKER, invented(batch * 50, 50))
    expect([(await scripts()).length, await budgetDrops()]).toEqual([6, 394])
    expect((await queued()).length).toBe(2)
    expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('goes on after midnight with a new budget, and the old one is deleted', async () => {
    await begin()
    await report(ATTACKER, invented(0, 10))
    app.clock.advance(DAY_MILLIS)
    await report(ATTACKER, invented(100, 10))
    expect((await scripts()).length).toBe(12)
    await app.pageShield.sweep()
    const rows = await app.storage.all(query.selectFrom('page_shield_reporters').selectAll())
    expect(rows).toMatchObject([{ resources: 6, fetches: 2, day: '2026-01-06' }])
  })

  test('has no new budget after a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'zonereeve-budget-'))
    try {
      await begin(join(folder, 'zonereeve.db'))
      await report(ATTACKER, invented(0, 10))
      await app.close()
      await begin(join(folder, 'zonereeve.db'))
      await report(ATTACKER, invented(100, 10))
      expect([(await scripts()).length, await budgetDrops()]).toEqual([6, 10])
    } finally {
      await app.close()
      rmSync(folder, { recursive: true, force: true })
      await begin()
    }
  })

  test('leaves the budget of other addresses, of their networks and of other zones alone', async () => {
    await begin()
    await report('2001:db8::1', invented(0, 10))
    await report('2001:db8::2', invented(100, 10))
    expect((await scripts()).length).toBe(6)
    await report('2001:db8:1::1', invented(200, 3))
    expect((await scripts()).length).toBe(9)
  })

  test('has one budget and one row for all networks of a customer', async () => {
    await begin()
    for (let network = 0; network < 10; network++)
      await report(`2001:db8:0:${network}::1`, invented(network * 10, 10))
    expect((await scripts()).length).toBe(6)
    expect(await app.storage.all(query.selectFrom('page_shield_reporters').selectAll())).toHaveLength(1)
  })

  test('does not hold back reports of known resources', async () => {
    await begin()
    await report(ATTACKER, invented(0, 10))
    const [known = ''] = await scripts()
    app.clock.advance(600_000)
    await report(ATTACKER, [known])
    expect(await budgetDrops()).toBe(4)
    const [{ last_seen_at: at } = { last_seen_at: '' }] = await app.must<{ last_seen_at: string }[]>(
      'GET',
      `/zones/${zoneId}/page_shield/scripts?status=infrequent&urls=${encodeURIComponent(known)}`,
    )
    expect(at).toBe('2026-01-05T10:30:30Z')
  })

  test('of code has a budget of its own', async () => {
    await begin()
    const inline = { effectiveDirective: 'script-src-elem' }
    for (let index = 0; index < 10; index++)
      await report(ATTACKER, ['inline'], { ...inline, sample: `var invented${index}` })
    expect([(await app.must<unknown[]>('GET', own('/code'))).length, await budgetDrops()]).toEqual([6, 4])
    await report(ATTACKER, invented(0, 1))
    expect(await scripts()).toEqual(invented(0, 1))
  })
})

describe('a script that only one address has reported, beyond its fetches', () => {
  const all = invented(0, 4)
  const third = all[2] ?? ''
  const state = async (url: string): Promise<string> => {
    const row = query.selectFrom('page_shield_resources').select('id').where('url', '=', url)
    const id = (await app.storage.first(row))?.id
    return (await app.must<{ analysis: string }>('GET', own(`/scripts/${id}/contents`))).analysis
  }

  test.each<readonly [string, () => Promise<unknown>, boolean, string]>([
    ['the same address again', () => report(ATTACKER, [third]), false, ATTACKER],
    ['the same address, the next day', () => nextDay(() => report(ATTACKER, [third])), true, ATTACKER],
    ['another address', () => report('198.51.100.1', [third]), true, ATTACKER],
    ['another address of its network', () => report('::ffff:203.0.113.9', [third]), false, ATTACKER],
    ['an observation with a token', () => observe(), true, ATTACKER],
    [
      'another IPv6 network of the same customer',
      () => report('2001:db8:0:9::1', [third]),
      false,
      '2001:db8::1',
    ],
    ['another IPv6 customer', () => report('2001:db8:9::1', [third]), true, '2001:db8::1'],
  ])('after %s', async (_, reported, isFetched, first) => {
    await begin()
    await report(first, all)
    expect([await queued(), await state(third)]).toEqual([all.slice(0, 2), 'unconfirmed'])
    app.clock.advance(600_000)
    await reported()
    expect([(await queued()).includes(third), await state(third)]).toEqual([
      isFetched,
      isFetched ? 'waiting' : 'unconfirmed',
    ])
  })

  test('is fetched when a client requests it', async () => {
    await begin()
    await report(ATTACKER, all)
    const row = query.selectFrom('page_shield_resources').select('id').where('url', '=', third)
    await app.must('POST', own(`/scripts/${(await app.storage.first(row))?.id}/fetch`), {})
    expect((await app.pageShield.contents.dueForFetch(9)).map(({ url }) => url)).toContain(third)
  })

  test('is fetched if another address reports it within the same minutes, after many views', async () => {
    await begin()
    await report(ATTACKER, all)
    for (let view = 0; view < 4; view++) {
      app.clock.advance(70_000)
      await report(ATTACKER, [third])
    }
    await report('198.51.100.1', [third])
    expect(await queued()).toContain(third)
  })

  function nextDay(then: () => Promise<void>): Promise<void> {
    app.clock.advance(DAY_MILLIS)
    return then()
  }

  const observe = () =>
    app.must('POST', own('/observations'), { observations: [{ page_url: PAGE, scripts: [third] }] })
})

const visitor = fc.integer({ min: 1, max: 5 }).map((last) => `198.51.100.${last}`)
const resource = fc.integer({ min: 0, max: 5 }).map((index) => `https://cdn.example.org/${index}.js`)
const step = fc.oneof(
  fc.record({ from: visitor, urls: fc.uniqueArray(resource, { minLength: 1 }) }),
  fc.record({ from: fc.constant(ATTACKER), urls: fc.constant(invented(0, 20)) }),
)

test('a site with fewer resources than the budget loses no report of its visitors, whatever else is reported', async () => {
  await begin()
  let round = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      round += 1
      await app.must('DELETE', `/zones/${zoneId}`)
      const zone = await app.must<{ id: string }>('POST', '/zones', { name: 'example.com' })
      zoneId = zone.id
      await app.must('PUT', `/zones/${zoneId}/page_shield`, { enabled: true })
      const urls = await app.pageShield.reporting.reportingUrls(app.storage, { id: zoneId } as never)
      address = urls(new URL(PAGE), null).replace(new URL(PAGE).origin, '')
      const reporters = new Map<string, Set<string>>()
      for (const { from, urls: seen } of steps) {
        app.clock.advance(61_000)
        await report(from, seen)
        if (from === ATTACKER) continue
        for (const url of seen) reporters.set(url, (reporters.get(url) ?? new Set()).add(from))
      }
      const found = new Set(await scripts())
      expect([...reporters.keys()].filter((url) => !found.has(url))).toEqual([])
      const waiting = new Set(await queued())
      const several = [...reporters].filter(([, from]) => from.size > 1).map(([url]) => url)
      expect(several.filter((url) => !waiting.has(url))).toEqual([])
      expect([...found].filter((url) => !reporters.has(url)).length <= BUDGET.entries).toBe(true)
    }),
    { numRuns: 40 },
  )
  expect(round).toBeGreaterThan(39)
})
