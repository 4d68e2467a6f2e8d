import { afterEach, beforeEach, expect, test } from 'vitest'
import { query, RECORD_JSON, sql } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { expectConsistent } from '../../../testing/change-log.ts'

interface Shown {
  readonly id: string
}

/** More than two transactions of the rewriting. */
const RECORDS = 450
const DRAFTS = [
  { type: 'TXT', content: '"Mixed CASE"' },
  { type: 'MX', content: 'mail.example.net', priority: 10, comment: 'Note' },
  { type: 'CNAME', content: 'www.example.net', proxied: true },
  {
    type: 'SRV',
    data: { service: '_sip', proto: '_tcp', priority: 1, weight: 2, port: 3, target: 'a.example.net' },
  },
  { type: 'A', content: '192.0.2.1', tags: [] },
]

let app: TestApp
beforeEach(async () => {
  app = await startTestApp()
})
afterEach(() => app.close())

/** Stores records as a version before short forms did. */
async function storeOld(): Promise<string> {
  const zone = await app.must<Shown>('POST', '/zones', {
    name: 'example.com',
    plan: { legacy_id: 'enterprise' },
  })
  const posts = Array.from({ length: RECORDS }, (_, i) => ({
    ttl: 300,
    name: `_sip._tcp.n${i}.example.com`,
    ...DRAFTS[i % DRAFTS.length],
  }))
  for (let from = 0; from < RECORDS; from += 200)
    await app.must('POST', `/zones/${zone.id}/dns_records/batch`, { posts: posts.slice(from, from + 200) })
  await app.storage.write((tx) =>
    tx.run(
      query.updateTable('dns_records').set(({ ref }) => ({
        stored_body: RECORD_JSON,
        content_search: sql`lower(content)`,
        modified_on: ref('created_on'),
        zone_name_length: 0,
        shown_type: '',
        shown_settings: '',
      })),
    ),
  )
  return zone.id
}

const allRows = () =>
  app.storage.all(query.selectFrom('dns_records').selectAll().select(RECORD_JSON.as('body')).orderBy('id'))
const bodiesOf = (rows: Awaited<ReturnType<typeof allRows>>) => rows.map(({ id, body }) => [id, body])
const octetsOf = (rows: Awaited<ReturnType<typeof allRows>>) =>
  rows.reduce(
    (sum, { stored_body: stored, content_search: search }) => sum + stored.length + search.length,
    0,
  )

test('old records are rewritten: shorter, with the same JSON, and only once', async () => {
  await storeOld()
  const [before, changes] = [await allRows(), await app.changeCount()]
  const ending = new AbortController()
  expect(await app.records.rewriteOld(ending.signal)).toBe(RECORDS)
  const after = await allRows()
  expect(bodiesOf(after)).toEqual(bodiesOf(before))
  expect(octetsOf(after)).toBeLessThan(octetsOf(before) / 2)
  expect(await app.changeCount()).toBe(changes)
  expect(await app.records.rewriteOld(ending.signal)).toBe(0)
  await expectConsistent(app.storage)
})

test('rewriting that was ended goes on where it stopped', async () => {
  await storeOld()
  const before = bodiesOf(await allRows())
  const ending = new AbortController()
  const begun = app.records.rewriteOld(ending.signal)
  ending.abort()
  expect(await begun).toBe(200)
  expect(await app.records.rewriteOld(new AbortController().signal)).toBe(RECORDS - 200)
  expect(bodiesOf(await allRows())).toEqual(before)
})

test('a damaged record stays as it is', async () => {
  await storeOld()
  const [damaged] = await allRows()
  if (damaged === undefined) throw new Error('there are records')
  await app.storage.write((tx) =>
    tx.run(query.updateTable('dns_records').set({ stored_body: '{}' }).where('id', '=', damaged.id)),
  )
  expect(await app.records.rewriteOld(new AbortController().signal)).toBe(RECORDS - 1)
  expect((await allRows())[0]).toMatchObject({ id: damaged.id, stored_body: '{}', shown_type: '' })
})
