// What holds after any sequence of writes: counters tell what is there, what was announced adds up to what is stored,
// and so does the change log.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { query } from '../../storage/index.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { expectConsistent } from '../../testing/change-log.ts'
import type { ServedRecord } from './record-changes.service.ts'

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
/** Which of the records there are, counted round. */
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
  const wanted = ZONES[index] ?? ''
  const [found] = await app.must<{ id: string }[]>('GET', `/zones?name=${wanted}`)
  return found?.id ?? (await app.must('POST', '/zones', { name: wanted })).id
}

async function perform(app: TestApp, wanted: Step): Promise<number> {
  const id = await zoneId(app, wanted.zone)
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
  switch (wanted.kind) {
    case 'create':
      return send('POST', path, wanted.draft)
    case 'dry run':
      return send('POST', `${path}?dry_run=true`, wanted.draft)
    case 'patch':
      return send('PATCH', `${path}/${at(wanted.pick).id}`, wanted.patch)
    case 'put':
      return send('PUT', `${path}/${at(wanted.pick).id}`, { ...wanted.draft, type: at(wanted.pick).type })
    case 'delete':
      return send('DELETE', `${path}/${at(wanted.pick).id}`)
    case 'batch':
      return send('POST', `${path}/batch`, {
        deletes: wanted.picks.map((number) => ({ id: at(number).id })),
        patches: wanted.patches.map(([number, changes]) => ({ id: at(number).id, ...changes })),
        posts: wanted.posts,
      })
    case 'revert':
      return send('POST', `/zonereeve/zones/${id}/changes/${(wanted.pick % 8) + 2}/revert`, {})
    case 'delete zone':
      return send('DELETE', `/zones/${id}`)
    case 'pause':
      return send('PATCH', `/zones/${id}`, { paused: true })
  }
}

/** The zones as whoever was told of every change must take them to be. */
function told(app: TestApp): Map<string, Map<string, ServedRecord>> {
  const zones = new Map<string, Map<string, ServedRecord>>()
  const serials = new Map<string, number>()
  for (const { of, event } of app.events) {
    if (of === 'zone') {
      if (event.kind === 'created') {
        zones.set(event.zone.id, new Map())
        serials.set(event.zone.id, event.zone.serial)
      }
      if (event.kind === 'deleted') zones.delete(event.zoneId)
      continue
    }
    const records = zones.get(event.zoneId)
    expect([event.zoneId, event.serial]).toEqual([event.zoneId, (serials.get(event.zoneId) ?? 0) + 1])
    serials.set(event.zoneId, event.serial)
    for (const removed of event.removed) {
      expect(records?.get(removed.id)).toEqual(removed)
      records?.delete(removed.id)
    }
    for (const added of event.added) {
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

/** The records' texts as the change log adds up. */
async function logged(app: TestApp): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const { ops } of await app.changeLog()) {
    for (const { kind, object_id, before, after } of ops) {
      if (!kind.startsWith('dns_record.')) continue
      expect([object_id, texts.get(object_id) ?? null]).toEqual([object_id, before])
      if (after === null) texts.delete(object_id)
      else texts.set(object_id, after)
    }
  }
  return texts
}

describe('any sequence of writes', () => {
  test('leaves counters, announcements and log in step with what is stored', async () => {
    const statuses = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const app = await startTestApp()
        try {
          for (const wanted of steps) {
            const before = await app.changeCount()
            const status = await perform(app, wanted)
            statuses.set(`${wanted.kind} ${status}`, (statuses.get(`${wanted.kind} ${status}`) ?? 0) + 1)
            expect([200, 400, 404]).toContain(status)
            // One change set at most (a zone that was not there was made first); none for what was refused.
            const written = (await app.changeCount()) - before
            expect(written).toBeLessThanOrEqual(status === 200 ? 2 : 1)
          }
          await expectConsistent(app.storage)
          expect(plain(told(app))).toEqual(plain(await stored(app)))
          const bodies = await app.storage.all(query.selectFrom('dns_records').select(['id', 'body']))
          expect(await logged(app)).toEqual(new Map(bodies.map(({ id, body }) => [id, body])))
        } finally {
          await app.close()
        }
      }),
      { numRuns: 40 },
    )
    // Each kind of step succeeded at times, or the sequences prove nothing.
    for (const kind of [
      'create',
      'patch',
      'put',
      'delete',
      'batch',
      'dry run',
      'revert',
      'delete zone',
      'pause',
    ]) {
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
