// The sets of name servers of a server that has several: what a zone shows, and how it gets another one.
import { expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../../testing/app.ts'

const A = ['ns1.a.example', 'ns2.a.example']
const B = ['ns1.b.example']
const SETS = [
  { names: A, isFull: false },
  { names: B, isFull: false },
  { names: ['ns1.full.example'], isFull: true },
]

async function startWithZone(definition: object = {}, nameServers = SETS) {
  const app = await startTestApp({ nameServers })
  const { id } = await app.must('POST', '/zones', { name: 'example.net', ...definition })
  app.events.length = 0
  return { app, id, path: `/zones/${id}/dns_settings` }
}

const sent = (set: unknown, more: object = {}) => ({ nameservers: { ns_set: set }, ...more })

async function stateOf(app: TestApp, id: string) {
  const zone = await app.must<{ name_servers: string[] }>('GET', `/zones/${id}`)
  const settings = await app.must<{ nameservers: object }>('GET', `/zones/${id}/dns_settings`)
  const row = await app.storage.first(query.selectFrom('zones').select('serial').where('id', '=', id))
  return { names: zone.name_servers, shown: settings.nameservers, serial: row?.serial ?? 0 } // it is stored
}

test('a new zone has a set, and gets another one by its number: one change, with a new serial', async () => {
  const { app, id, path } = await startWithZone()
  const before = await stateOf(app, id)
  expect(before).toMatchObject({ names: B, shown: { type: 'cloudflare.standard', ns_set: 2 } })
  const edited = await app.must<object>('PATCH', path, sent(1))
  expect(edited).toMatchObject({ nameservers: { ns_set: 1 }, soa: { mname: 'ns1.a.example' } })
  expect(await stateOf(app, id)).toEqual({
    names: A,
    shown: { type: 'cloudflare.standard', ns_set: 1 },
    serial: before.serial + 1,
  })
  expect(app.events.map(({ kinds }) => kinds)).toEqual([['zone.update']])
})

test('with other settings, both change, in the same transaction', async () => {
  const { app, id, path } = await startWithZone()
  const before = await stateOf(app, id)
  await app.must('PATCH', path, sent(1, { ns_ttl: 7200 }))
  expect(await stateOf(app, id)).toMatchObject({ names: A, serial: before.serial + 2 })
  expect(app.events.map(({ kinds }) => kinds)).toEqual([['dns_settings.update'], ['zone.update']])
  // One of them is refused: nothing changes.
  const refused = await app.call({ method: 'PATCH', path: path, body: sent(2, { ns_ttl: 1 }) })
  expect([refused.status, (await stateOf(app, id)).names]).toEqual([400, A])
  expect(app.events).toHaveLength(2)
})

test.each<[title: string, set: unknown, code: number]>([
  ['one that is full', 3, 19805],
  ['above the last one', 4, 19805],
  ['zero', 0, 19805],
  ['a negative number', -1, 19805],
  ['a fraction', 1.5, 6008],
  ['a string', '1', 6008],
  ['a name server', 'ns1.a.example', 6008],
])('%s is refused, and changes nothing', async (_, set, code) => {
  const { app, id, path } = await startWithZone()
  const before = await stateOf(app, id)
  const { status, json } = await app.call({ method: 'PATCH', path: path, body: sent(set) })
  expect([status, json.errors[0]?.code, json.errors[0]?.source?.pointer]).toEqual([
    400,
    code,
    '/nameservers/ns_set',
  ])
  expect(await stateOf(app, id)).toEqual(before)
  expect(app.events).toEqual([])
})

test.each<[title: string, set: number | null]>([
  ['the number that is shown', 2],
  ['null', null],
])('%s changes nothing', async (_, set) => {
  const { app, id, path } = await startWithZone()
  const before = await stateOf(app, id)
  await app.must('PATCH', path, sent(set))
  expect(await stateOf(app, id)).toEqual(before)
  expect(app.events).toEqual([])
})

test('names of an earlier configuration are shown as 1, which changes nothing, and another number does', async () => {
  const { app, id, path } = await startWithZone()
  const earlier = JSON.stringify(['ns1.earlier.example'])
  await app.storage.write((tx) =>
    tx.run(query.updateTable('zones').set({ name_servers: earlier }).where('id', '=', id)),
  )
  await app.must('PATCH', path, sent(1))
  expect(await stateOf(app, id)).toMatchObject({ names: ['ns1.earlier.example'], shown: { ns_set: 1 } })
  await app.must('PATCH', path, sent(2))
  expect(await stateOf(app, id)).toMatchObject({ names: B, shown: { ns_set: 2 } })
})

test('a zone with its own name servers keeps them; those of a secondary zone, and its serial, are its primary’s', async () => {
  const vanity = await startWithZone({ vanity_name_servers: ['ns1.example.net'] })
  await vanity.app.must('PATCH', vanity.path, sent(1))
  expect(await stateOf(vanity.app, vanity.id)).toMatchObject({
    names: A,
    shown: { type: 'custom.zone', ns_set: 1 },
  })
  const secondary = await startWithZone({ type: 'secondary' })
  const before = await stateOf(secondary.app, secondary.id)
  await secondary.app.must('PATCH', secondary.path, sent(1))
  expect(await stateOf(secondary.app, secondary.id)).toMatchObject({ names: A, serial: before.serial })
})

test('a zone keeps a set that is full, and leaves it', async () => {
  const { app, id, path } = await startWithZone()
  await app.storage.write((tx) =>
    tx.run(query.updateTable('zones').set({ name_servers: '["ns1.full.example"]' }).where('id', '=', id)),
  )
  await app.must('PATCH', path, sent(3, { ns_ttl: 7200 }))
  expect(await stateOf(app, id)).toMatchObject({ names: ['ns1.full.example'], shown: { ns_set: 3 } })
  await app.must('PATCH', path, sent(1))
  expect(await stateOf(app, id)).toMatchObject({ names: A, shown: { ns_set: 1 } })
})

test('a zone below another one of its account has the same, by the closest; one beside it, or above, has not', async () => {
  const { app, id } = await startWithZone()
  const create = async (name: string, accountId = app.accountId) => {
    const zone = await app.must('POST', '/zones', { name, account: { id: accountId } })
    return (await stateOf(app, zone.id)).names
  }
  await app.must('PATCH', `/zones/${id}/dns_settings`, sent(1))
  // By their names: the second set.
  for (const name of ['a.example.net', 'b.a.example.net', 'deep.in.example.net'])
    expect([name, await create(name)]).toEqual([name, A])
  const other = await app.must('POST', '/accounts', { name: 'other' })
  const ofOthers = []
  for (const name of ['c', 'd', 'e', 'f', 'g', 'h'].map((letter) => `${letter}.example.net`))
    ofOthers.push((await create(name, other.id)).join())
  expect(ofOthers).toContain(B.join())
})

test('an account has no default set, and with one set there is no other', async () => {
  const { app } = await startWithZone()
  const account = `/accounts/${app.accountId}/dns_settings`
  const refused = await app.call({ method: 'PATCH', path: account, body: { zone_defaults: sent(2) } })
  expect([refused.status, refused.json.errors[0]?.source?.pointer]).toEqual([
    400,
    '/zone_defaults/nameservers/ns_set',
  ])
  const single = await startWithZone({}, [{ names: B, isFull: false }])
  const { status, json } = await single.app.call({ method: 'PATCH', path: single.path, body: sent(2) })
  expect([status, json.errors[0]?.message]).toEqual([400, expect.stringContaining('use 1.')])
})
