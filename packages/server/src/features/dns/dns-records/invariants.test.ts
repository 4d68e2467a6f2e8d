// Invariants after any sequence of writes: counters match the records, and both the announced changes and the change
// log add up to what is stored.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { query, RECORD_JSON, type ServedRecord } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { expectConsistent } from '../../../testing/change-log.ts'

const ZONES = ['example.com', 'example.net']
const name = fc.constantFrom('@', 'a', 'b', '*')
const draft = fc.oneof(
  fc.record({
    type: fc.constant('A'),
    name,
    content: fc.constantFrom('192.0.2.1', '192.0.2.2', 'bad'),
    ttl: fc.constantFrom(1, 60, 300, 5),
  }),
  fc.record({ type: fc.constant('AAAA'), name, content: fc.constantFrom('2001:db8::1', '2001:db8::2') }),
  fc.record({
    type: fc.constant('CNAME'),
    name,
    content: fc.constantFrom('a.example.com', 'www.example.net'),
    proxied: fc.boolean(),
    settings: fc.record({ flatten_cname: fc.boolean() }),
  }),
  fc.record({
    type: fc.constant('TXT'),
    name,
    content: fc.constantFrom('x', '"x"', '"x" "y"', '"'),
    comment: fc.constantFrom('', 'c'),
  }),
  fc.record({
    type: fc.constant('NS'),
    name,
    content: fc.constantFrom('ns1.example.org', 'ns1.zonereeve.internal'),
  }),
  fc.record({
    type: fc.constant('MX'),
    name,
    content: fc.constant('mail.example.org'),
    priority: fc.constantFrom(0, 10),
  }),
)
const patch = fc.oneof(
  fc.record({ name }),
  fc.record({ comment: fc.constantFrom('', 'c', 'd') }),
  fc.record({ ttl: fc.constantFrom(1, 60, 10) }),
  fc.record({ content: fc.constantFrom('192.0.2.3', '192.0.2.1', 'x', 'mail.example.org') }),
  fc.record({ tags: fc.constantFrom([], ['a']) }),
)
const zone = fc.nat(ZONES.length - 1)
/** Index of a record, modulo their number. */
const pick = fc.nat(40)
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('create' as const), zone, draft }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('patch' as const), zone, pick, patch }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('put' as const), zone, pick, draft }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), zone, pick }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      zone,
      picks: fc.array(pick, { maxLength: 2 }),
      patches: fc.array(fc.tuple(pick, patch), { maxLength: 2 }),
      posts: fc.array(draft, { maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('dry run' as const), zone, draft }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('revert' as const), zone, pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete zone' as const), zone }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pause' as const), zone }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

async function zoneId(app: TestApp, index: number): Promise<string> {
  const expected = ZONES[index] ?? ''
  const [found] = await app.must<{ id: string }[]>('GET', `/zones?name=${expected}`)
  return found?.id ?? (await app.must('POST', '/zones', { name: expected })).id
}

async function perform(app: TestApp, expected: Step): Promise<number> {
  const id = await zoneId(app, expected.zone)
  const path = `/zones/${id}/dns_records`
  const existing = await app.storage.all(
    query.selectFrom('dns_records').select(['id', 'type']).where('zone_id', '=', id).orderBy('id'),
  )
  const at = (number: number) =>
    existing.length === 0
      ? { id: 'f'.repeat(32), type: 'A' }
      : (existing[number % existing.length] ?? { id: '', type: 'A' })
  const send = async (method: string, where: string, body?: unknown) =>
    (await app.call({ method, path: where, body })).status
  switch (expected.kind) {
    case 'create':
      return send('POST', path, expected.draft)
    case 'dry run':
      return send('POST', `${path}?dry_run=true`, expected.draft)
    case 'patch':
      return send('PATCH', `${path}/${at(expected.pick).id}`, expected.patch)
    case 'put':
      return send('PUT', `${path}/${at(expected.pick).id}`, {
        ...expected.draft,
        type: at(expected.pick).type,
      })
    case 'delete':
      return send('DELETE', `${path}/${at(expected.pick).id}`)
    case 'batch':
      return send('POST', `${path}/batch`, {
        deletes: expected.picks.map((number) => ({ id: at(number).id })),
        patches: expected.patches.map(([number, changes]) => ({ id: at(number).id, ...changes })),
        posts: expected.posts,
      })
    case 'revert':
      return send('POST', `/zonereeve/zones/${id}/changes/${(expected.pick % 8) + 2}/revert`, {})
    case 'delete zone':
      return send('DELETE', `/zones/${id}`)
    case 'pause':
      return send('PATCH', `/zones/${id}`, { paused: true })
  }
}

/** The zones as a receiver of every announced change would compute them. */
function publishedRecords(app: TestApp): Map<string, Map<string, ServedRecord>> {
  const zones = new Map<string, Map<string, ServedRecord>>()
  const serials = new Map<string, number>()
  for (const event of app.events) {
    const { scopeId } = event
    if (event.topic === 'zone') {
      if (event.kinds.includes('zone.create')) {
        zones.set(scopeId, new Map())
        serials.set(scopeId, event.serial ?? 0)
      }
      if (event.kinds.includes('zone.delete')) zones.delete(scopeId)
    }
    if (event.topic !== 'records') continue
    const { serial, delta = { removed: [], added: [] } } = event
    const records = zones.get(scopeId)
    expect([scopeId, serial]).toEqual([scopeId, (serials.get(scopeId) ?? 0) + 1])
    serials.set(scopeId, serial)
    for (const removed of delta.removed) {
      expect(records?.get(removed.id)).toEqual(removed)
      records?.delete(removed.id)
    }
    for (const added of delta.added) {
      expect(records?.has(added.id)).toBe(false)
      records?.set(added.id, added)
    }
  }
  return zones
}

async function stored(app: TestApp): Promise<Map<string, Map<string, ServedRecord>>> {
  const zones = await app.storage.all(query.selectFrom('zones').select('id'))
  const records = await app.storage.all(query.selectFrom('dns_records').selectAll())
  const served = (row: (typeof records)[number]): ServedRecord => ({
    id: row.id,
    name: row.name as ServedRecord['name'],
    type: row.type,
    ttlSeconds: row.ttl === 1 ? 300 : row.ttl,
    rdata: Uint8Array.from(row.rdata),
    proxied: row.proxied === 1,
    settings: JSON.parse(row.settings) as ServedRecord['settings'],
  })
  return new Map(
    zones.map(({ id }) => [
      id,
      new Map(records.filter((row) => row.zone_id === id).map((row) => [row.id, served(row)])),
    ]),
  )
}

/** The records' texts computed from the change log. */
async function logged(app: TestApp): Promise<Map<string, string>> {
  const strings = new Map<string, string>()
  for (const { ops } of await app.changeLog()) {
    for (const { kind, object_id, before, after } of ops) {
      if (!kind.startsWith('dns_record.')) continue
      expect([object_id, strings.get(object_id) ?? null]).toEqual([object_id, before])
      if (after === null) strings.delete(object_id)
      else strings.set(object_id, after)
    }
  }
  return strings
}

/** One successful step of each kind, so that coverage does not depend on the random sequences. */
const EVERY_KIND: readonly Step[] = [
  { kind: 'create', zone: 0, draft: { type: 'A', name: 'a', content: '192.0.2.1', ttl: 60 } },
  { kind: 'patch', zone: 0, pick: 0, patch: { comment: 'c' } },
  { kind: 'put', zone: 0, pick: 0, draft: { type: 'A', name: 'a', content: '192.0.2.2', ttl: 60 } },
  {
    kind: 'batch',
    zone: 0,
    picks: [],
    patches: [[0, { comment: 'd' }]],
    posts: [{ type: 'AAAA', name: 'b', content: '2001:db8::1' }],
  },
  { kind: 'dry run', zone: 0, draft: { type: 'A', name: 'b', content: '192.0.2.1', ttl: 60 } },
  { kind: 'revert', zone: 0, pick: 3 },
  { kind: 'delete', zone: 0, pick: 0 },
  { kind: 'pause', zone: 0 },
  { kind: 'delete zone', zone: 0 },
]

describe('any sequence of writes', () => {
  test('keeps counters, announcements and log consistent with the stored records', async () => {
    const statuses = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const app = await startTestApp()
        try {
          for (const expected of steps) {
            const before = await app.changeCount()
            const status = await perform(app, expected)
            statuses.set(`${expected.kind} ${status}`, (statuses.get(`${expected.kind} ${status}`) ?? 0) + 1)
            expect([200, 400, 404]).toContain(status)
            // At most one change set (a missing zone is created first); none for a rejected step.
            const written = (await app.changeCount()) - before
            expect(written).toBeLessThanOrEqual(status === 200 ? 2 : 1)
          }
          await expectConsistent(app.storage)
          expect(plain(publishedRecords(app))).toEqual(plain(await stored(app)))
          const bodies = await app.storage.all(
            query.selectFrom('dns_records').select(['id', RECORD_JSON.as('body')]),
          )
          expect(await logged(app)).toEqual(new Map(bodies.map(({ id, body }) => [id, body])))
        } finally {
          await app.close()
        }
      }),
      { numRuns: 40, examples: [[[...EVERY_KIND]]] },
    )
    for (const { kind } of EVERY_KIND) {
      expect([kind, statuses.get(`${kind} 200`) ?? 0]).not.toEqual([kind, 0])
    }
  })
})

const plain = (zones: Map<string, Map<string, ServedRecord>>) =>
  [...zones]
    .map(
      ([id, records]) =>
        [
          id,
          [...records.values()]
            .map((record) => ({ ...record, rdata: Buffer.from(record.rdata).toString('hex') }))
            .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
        ] as const,
    )
    .toSorted()
