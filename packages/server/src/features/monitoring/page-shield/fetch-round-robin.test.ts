// However much of one zone or site is due, the others get their turns; and a full inventory makes room.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { query, type Reader, sql } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { findZone } from '../../zones/index.ts'
import { createFetchRoundRobin } from './fetch-round-robin.service.ts'
import { isAnyDue } from './fetch-round-robin.store.ts'
import type { Detection } from './detections.service.ts'

let app: TestApp
beforeEach(async () => {
  app = await startTestApp()
})
afterEach(() => app.close())

async function monitored(name: string): Promise<string> {
  const { id } = await app.must('POST', '/zones', { name })
  await app.must('PUT', `/zones/${id}/page_shield`, { enabled: true })
  return id
}

const detection = (zoneId: string, host: string, file = 'a.js'): Detection => ({
  zoneId,
  kind: 'script',
  host: 'www.example',
  url: `https://${host}/${file}`,
  urlHost: host,
  hasCdnCgi: false,
  pageUrls: ['www.example/'],
  seenAt: '2026-01-05T10:20:30Z',
  pageViews: 1,
  browserHashes: [],
  reporters: null,
})

/** Copies a zone's only script `count` times, one minute older. */
async function flood(zoneId: string, count: number): Promise<void> {
  const [row] = await app.storage.all(
    query.selectFrom('page_shield_resources').selectAll().where('zone_id', '=', zoneId),
  )
  const names = Object.keys(row ?? {})
  const values: Readonly<Record<string, string>> = {
    id: `printf('%032x', n.i)`,
    url: `url || n.i`,
    last_seen_at: `'2026-01-05T10:19:30Z'`,
    fetch_due_at: `'2026-01-05T10:19:30Z'`,
  }
  const copy = sql.raw(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
     INSERT INTO page_shield_resources (${names.join()})
     SELECT ${names.map((name) => values[name] ?? name).join()} FROM page_shield_resources, n
     WHERE zone_id = '${zoneId}'`,
  )
  await app.storage.write((tx) => tx.run({ compile: () => sql`${copy}`.compile(query) }))
}

const due = async (limit: number, busy: readonly string[] = []) =>
  (await app.pageShield.contents.dueForFetch(limit, new Set(busy))).map(({ url }) => url)

describe('turns', () => {
  test('one host with 50,000 scripts of one zone delays neither other zones nor other sites', async () => {
    const [big, small] = [await monitored('big.example'), await monitored('small.example')]
    await app.pageShield.detections.record([detection(big, 'c.big.test')])
    await flood(big, 50_000)
    await app.pageShield.detections.record([
      detection(big, 'other.test'),
      detection(small, 'cdn.small.test'),
      detection(small, 'd.big.test'),
    ])
    const first = await due(4)
    expect(first.toSorted()).toEqual([
      expect.stringMatching(/^https:\/\/(c|d)\.big\.test\/a\.js/),
      'https://cdn.small.test/a.js',
      'https://other.test/a.js',
    ])
    expect(await due(4, ['big.test'])).toEqual([])
    // Both zones have scripts of the busy site, and take turns.
    const next = [...(await due(1)), ...(await due(1))]
    expect([...first, ...next]).toContain('https://d.big.test/a.js')
  })

  test('thousands of rarely visited sites do not delay scripts of many visitors', async () => {
    const zoneId = await monitored('shop.example')
    const invented = Array.from({ length: 500 }, (_, index) => detection(zoneId, `a.invented${index}.test`))
    await app.pageShield.detections.record(invented)
    await app.pageShield.detections.record([{ ...detection(zoneId, 'zz-checkout.test'), pageViews: 40 }])
    await app.pageShield.detections.record([{ ...detection(zoneId, 'zz-basket.test'), pageViews: 20 }])
    const first = await due(4)
    expect(first).toContain('https://zz-checkout.test/a.js')
    expect(first).toContain('https://zz-basket.test/a.js')
    // The others have their turns in between.
    expect(first.filter((url) => url.includes('invented'))).toHaveLength(2)
    expect(await due(2, ['zz-checkout.test'])).not.toContain('https://zz-checkout.test/a.js')
  })

  test('each query uses an index, whatever is due', async () => {
    const zoneId = await monitored('big.example')
    await app.pageShield.detections.record([detection(zoneId, 'c.big.test')])
    await flood(zoneId, 60_000)
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
      each: (compilable, take) => {
        asked.push(compilable.compile())
        return app.storage.each(compilable, take)
      },
    }
    const turns = createFetchRoundRobin()
    for (let turn = 0; turn < 2; turn++) await turns.next(watching, new Set(['x.test']))
    await isAnyDue(watching, '2026-01-05T10:20:30Z')
    expect(asked).toHaveLength(8)
    for (const { sql: text, parameters } of asked) {
      const plan = { sql: `EXPLAIN QUERY PLAN ${text}`, parameters } as never // the members that executors read
      const steps = await app.storage.all<{ detail: string }>({ compile: () => plan })
      expect(steps.map(({ detail }) => detail)).toEqual([
        expect.stringMatching(
          /^SEARCH .* USING ((COVERING )?INDEX page_shield_resources_(waiting|to_fetch|most_viewed)|PRIMARY KEY) /,
        ),
      ])
    }
  })
})

describe('a full inventory', () => {
  const NEW = 'https://new.test/a.js'
  const evictedOf = async (zoneId: string): Promise<unknown> =>
    (await app.must<{ evicted: number }>('GET', `/zonereeve/zones/${zoneId}/page_shield/collector`)).evicted

  test.each<[string, (zoneId: string, name: string) => Promise<unknown>]>([
    [
      'the observations API',
      (zoneId, name) =>
        app.must('POST', `/zonereeve/zones/${zoneId}/page_shield/observations`, {
          observations: [{ page_url: `https://www.${name}/`, scripts: [NEW] }],
        }),
    ],
    [
      'browsers',
      async (zoneId, name) => {
        const page = `https://www.${name}/`
        const report = { 'document-uri': page, 'blocked-uri': NEW, 'effective-directive': 'script-src-elem' }
        const zone = await findZone(app.storage, zoneId)
        if (zone === undefined) throw new Error('there is no such zone')
        const addressOf = await app.pageShield.reporting.reportingUrls(app.storage, zone)
        const { pathname, search } = new URL(addressOf(new URL(page), null))
        const reply = await app.call({
          method: 'POST',
          base: '',
          path: pathname + search,
          token: null,
          headers: { 'content-type': 'application/csp-report' },
          body: { 'csp-report': report },
        })
        expect(reply.status).toBe(204)
        await app.collector.flush()
      },
    ],
  ])('counts evictions for scripts that come from %s', async (_, send) => {
    const name = 'counted.example'
    const zoneId = await monitored(name)
    const other = await monitored('other.example')
    await app.pageShield.detections.record([detection(zoneId, 'cdn.test')])
    await flood(zoneId, 49_999)
    await send(zoneId, name)
    expect([await evictedOf(zoneId), await evictedOf(other), app.evicted]).toEqual([250, 0, [250]])
  })

  test('makes room for new ones: evicts infrequent ones, oldest first, but none authorized or ever malicious', async () => {
    const zoneId = await monitored('full.example')
    await app.pageShield.detections.record([detection(zoneId, 'cdn.test')])
    await flood(zoneId, 49_999)
    const scripts = query.updateTable('page_shield_resources').where('zone_id', '=', zoneId)
    const id = (index: number) => index.toString(16).padStart(32, '0')
    const event = { resource_id: id(2), url: '', host: '', page_url: '', previous_hash: null, hash: null }
    await app.storage.write(async (tx) => {
      const oldest = { last_seen_at: '2026-01-05T09:00:00Z' }
      await tx.run(scripts.set(oldest).where('id', 'in', [id(1), id(2), id(3), id(4), id(5)]))
      await tx.run(scripts.set({ page_views: 3 }).where('id', '=', id(3)))
      await tx.run(scripts.set({ is_malicious: 1 }).where('id', '=', id(4)))
      const reported = {
        ...event,
        zone_id: zoneId,
        at: '2026-01-05T09:00:00Z',
        kind: 'script.reported',
      } as const
      await tx.run(query.insertInto('page_shield_events').values(reported))
    })
    await app.must('PUT', `/zonereeve/zones/${zoneId}/page_shield/scripts/${id(1)}/authorization`, {
      owner: 'Shop',
      justification: 'It is needed.',
    })
    const recorded = await app.pageShield.detections.record([detection(zoneId, 'new.test')])
    expect(recorded.get(zoneId)).toEqual({ stored: 1, refused: 0, unmatched: 0, overBudget: 0 })
    const remaining = await app.storage.all(
      query
        .selectFrom('page_shield_resources')
        .select('id')
        .where('id', 'in', [id(1), id(2), id(3), id(4), id(5)])
        .orderBy('id'),
    )
    expect(remaining).toEqual([id(1), id(2), id(3), id(4)].map((one) => ({ id: one })))
  })

  test('if all are active, new ones are rejected, and nothing is evicted', async () => {
    const zoneId = await monitored('active.example')
    await app.pageShield.detections.record([{ ...detection(zoneId, 'cdn.test'), pageViews: 3 }])
    await flood(zoneId, 49_999)
    const recorded = await app.pageShield.detections.record([detection(zoneId, 'new.test')])
    expect(recorded.get(zoneId)).toEqual({ stored: 0, refused: 1, unmatched: 0, overBudget: 0 })
    expect([await evictedOf(zoneId), app.evicted]).toEqual([0, []])
  })
})
