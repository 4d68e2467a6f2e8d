// The whole program over its sockets: zones are created, reset and deleted as a catalog zone elsewhere lists them.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { KEY } from '@zonereeve/transfers/asking.cases.ts'
import type { Script } from '@zonereeve/transfers/scripted-primary.cases.ts'
import { startSecondaryWorld, type SecondaryWorld } from './secondary-world.cases.ts'

const CATALOG = 'catalog.example'
const VERSION = `version.${CATALOG} 0 TXT "2"`
const member = (label: string, zone: string) => `${label}.zones.${CATALOG} 0 PTR ${zone}.`
const group = (label: string, value: string) => `group.${label}.zones.${CATALOG} 0 TXT "${value}"`
const coo = (label: string, catalog: string) => `coo.${label}.zones.${CATALOG} 0 PTR ${catalog}.`

const raw = (serial: number, ...records: string[]): Script => ({
  key: KEY,
  serial,
  axfr: [[`SOA ${serial}`, `${CATALOG} 0 NS invalid.`, ...records, `SOA ${serial}`]],
})
const version = (serial: number, ...records: string[]): Script => raw(serial, VERSION, ...records)
const many = (count: number, suffix = '') =>
  Array.from({ length: count }, (_, index) => member(`m${index}${suffix}`, `z${index}.example`))

interface CatalogStatus {
  readonly state: string
  readonly soa_serial: number | null
  readonly primary_serial: number | null
  readonly problem: string | null
  readonly members: { readonly listed: number; readonly created: number; readonly pending: number }
  readonly conflicts: readonly { readonly zone: string; readonly problem: string }[]
  readonly held: { readonly serial: number; readonly removed: number; readonly reset: number } | null
}

interface ZoneRow {
  readonly id: string
  readonly name: string
  readonly type: string
}

let world: SecondaryWorld
let accountId = ''
let peerId = ''

const pathOf = (name = CATALOG) => `/zonereeve/accounts/${accountId}/secondary_catalogs/${name}`
const statusOf = (name = CATALOG) => world.must<CatalogStatus>('GET', pathOf(name))
const zones = () => world.must<ZoneRow[]>('GET', '/zones?per_page=50')
const names = async () => (await zones()).map(({ name }) => name)
const idOf = async (name: string) => (await zones()).find((zone) => zone.name === name)?.id ?? 'none'
const peersOf = async (name: string) =>
  (await world.must<{ peers: string[] }>('GET', `/zones/${await idOf(name)}/secondary_dns/incoming`)).peers

async function until(accept: (status: CatalogStatus) => boolean, name = CATALOG): Promise<CatalogStatus> {
  for (;;) {
    const status = await statusOf(name)
    if (accept(status)) return status
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const isApplied =
  (serial: number) =>
  ({ soa_serial: ours, members }: CatalogStatus): boolean =>
    ours === serial && members.pending === 0

/** Gives the primary another version, and notifies the server. */
async function publish(script: Script): Promise<void> {
  world.primary.script = script
  expect(await world.notify(KEY)).toBe(0)
}

async function follow(more: object = {}): Promise<void> {
  await world.must('PUT', pathOf(), { peers: [peerId], ...more })
}

async function start(isIncremental = false): Promise<void> {
  ;({ accountId, peerId } = await world.addPrimary(isIncremental))
}

beforeEach(async () => {
  world = await startSecondaryWorld(version(1, member('m1', 'a.example'), member('m2', 'b.example')), CATALOG)
  await start()
})
afterEach(() => world.close())

test('zones are created, and deleted when they leave the catalog zone', async () => {
  await follow()
  const status = await until(isApplied(1))
  expect(status).toMatchObject({
    state: 'current',
    problem: null,
    members: { listed: 2, created: 2 },
    held: null,
  })
  expect((await zones()).map(({ name, type }) => `${name} ${type}`)).toEqual([
    'a.example secondary',
    'b.example secondary',
  ])
  expect(await peersOf('a.example')).toEqual([peerId])
  const idBefore = await idOf('b.example')
  await publish(version(2, member('m2', 'b.example'), member('m3', 'c.example')))
  await until(isApplied(2))
  expect(await names()).toEqual(['b.example', 'c.example'])
  expect(await idOf('b.example')).toBe(idBefore)
})

test('the catalog zone itself is not answered', async () => {
  await follow()
  await until(isApplied(1))
  expect(await world.ask(`version.${CATALOG}`, 'TXT')).toEqual({ rcode: 5, records: [] })
})

test('the audit log has the catalog zone as the actor', async () => {
  await follow()
  await until(isApplied(1))
  await publish(version(2, member('m2', 'b.example')))
  await until(isApplied(2))
  const entries = await world.must<
    { action: { type: string }; actor: { email: string }; metadata: { zone_name: string } }[]
  >('GET', `/accounts/${accountId}/audit_logs?per_page=100`)
  const ofCatalog = entries.filter(({ actor }) => actor.email === `catalog zone ${CATALOG}`)
  const described = ofCatalog.map(({ action, metadata }) => `${action.type} ${metadata.zone_name}`)
  expect(described).toEqual(
    expect.arrayContaining(['zone.create a.example', 'zone.create b.example', 'zone.delete a.example']),
  )
})

test('differences are applied', async () => {
  const { peerId: incremental } = { peerId }
  await world.must('PUT', `/accounts/${accountId}/secondary_dns/peers/${incremental}`, {
    ...(await world.must<object>('GET', `/accounts/${accountId}/secondary_dns/peers/${incremental}`)),
    ixfr_enable: true,
  })
  await follow()
  await until(isApplied(1))
  await publish({
    ...version(2, member('m1', 'a.example'), member('m3', 'c.example')),
    ixfr: [['SOA 2', 'SOA 1', member('m2', 'b.example'), 'SOA 2', member('m3', 'c.example'), 'SOA 2']],
  })
  await until(isApplied(2))
  expect(await names()).toEqual(['a.example', 'c.example'])
  expect(world.primary.asked.filter((type) => type !== 'SOA').slice(0, 2)).toEqual(['AXFR', 'IXFR'])
})

test('a group decides about the primaries, and a change of the group keeps the zone', async () => {
  const { id: other } = await world.must('POST', `/accounts/${accountId}/secondary_dns/peers`, {
    name: 'x',
    ip: '192.0.2.9',
  })
  const more = {
    groups: [
      { name: 'internal', peers: [other] },
      { name: 'later', peers: [peerId] },
    ],
  }
  world.primary.script = version(
    1,
    member('m1', 'a.example'),
    group('m1', 'later'),
    group('m1', 'internal'),
    member('m2', 'b.example'),
    group('m2', 'unknown'),
  )
  await follow(more)
  await until(isApplied(1))
  expect([await peersOf('a.example'), await peersOf('b.example')]).toEqual([[other], [peerId]])
  const idBefore = await idOf('b.example')
  await publish(version(2, member('m1', 'a.example'), member('m2', 'b.example'), group('m2', 'internal')))
  await until(isApplied(2))
  expect([await peersOf('a.example'), await peersOf('b.example')]).toEqual([[peerId], [other]])
  expect(await idOf('b.example')).toBe(idBefore)
  await follow()
  await until(isApplied(2))
  expect(await peersOf('b.example')).toEqual([peerId])
  await follow(more)
  await until(isApplied(2))
  expect(await peersOf('b.example')).toEqual([other])
  expect((await world.call('DELETE', `/accounts/${accountId}/secondary_dns/peers/${peerId}`)).codes).toEqual([
    19721,
  ])
})

test('another label for a zone resets it', async () => {
  await follow()
  await until(isApplied(1))
  const before = await idOf('a.example')
  await publish(version(2, member('m9', 'a.example'), member('m2', 'b.example')))
  await until(isApplied(2))
  expect(await names()).toEqual(['a.example', 'b.example'])
  expect(await idOf('a.example')).not.toBe(before)
})

test.each<[string, Script, RegExp]>([
  ['without a version', raw(2, member('m1', 'a.example')), /no TXT record at version/],
  ['of another version', raw(2, `version.${CATALOG} 0 TXT "1"`), /version of the catalog zone is "1"/],
  [
    'with a zone twice',
    version(2, member('m1', 'a.example'), member('m3', 'a.example')),
    /a\.example is listed twice/,
  ],
  [
    'with two zones of a label',
    version(2, member('m1', 'a.example'), member('m1', 'c.example')),
    /several PTR records/,
  ],
])('a catalog zone %s changes nothing', async (_name, script, problem) => {
  await follow()
  await until(isApplied(1))
  await publish(script)
  const status = await until(({ problem: text }) => text !== null)
  expect(status.problem).toMatch(problem)
  expect(status).toMatchObject({ state: 'current', soa_serial: 1, primary_serial: 2, held: null })
  expect(await names()).toEqual(['a.example', 'b.example'])
  await publish(version(3, member('m1', 'a.example')))
  expect((await until(isApplied(3))).problem).toBeNull()
})

test('a version that removes most zones is held until it is confirmed', async () => {
  world.primary.script = version(1, ...many(12))
  await follow()
  await until(isApplied(1))
  await publish(version(2, ...many(1)))
  const status = await until(({ held }) => held !== null)
  expect(status).toMatchObject({ soa_serial: 1, held: { serial: 2, members: 12, removed: 11, reset: 0 } })
  expect((await until(({ problem }) => problem !== null)).problem).toMatch(
    /version 2 removes 11 .* confirmed/,
  )
  expect(await names()).toHaveLength(12)
  expect((await world.call('POST', `${pathOf()}/confirm`, { serial: 1 })).codes).toEqual([19742])
  await world.must('POST', `${pathOf()}/confirm`, { serial: 2 })
  expect(await until(isApplied(2))).toMatchObject({ problem: null, held: null })
  expect(await names()).toEqual(['z0.example'])
})

test('so is one that resets most zones; a later one without the loss is applied', async () => {
  world.primary.script = version(1, ...many(12))
  await follow()
  await until(isApplied(1))
  const before = await idOf('z3.example')
  await publish(version(2, ...many(12, 'x')))
  expect(await until(({ held }) => held !== null)).toMatchObject({ held: { removed: 0, reset: 12 } })
  await publish(version(3, ...many(13)))
  expect(await until(isApplied(3))).toMatchObject({ problem: null, held: null })
  expect(await idOf('z3.example')).toBe(before)
})

test('a confirmation does not hold for another version', async () => {
  world.primary.script = version(1, ...many(12))
  await follow()
  await until(isApplied(1))
  await publish(version(2))
  await until(({ problem }) => problem !== null)
  world.primary.script = version(3)
  await world.must('POST', `${pathOf()}/confirm`, { serial: 2 })
  expect(await until(({ held }) => held?.serial === 3)).toMatchObject({
    soa_serial: 1,
    members: { created: 12 },
  })
})

test('a serial that went back is used once it is confirmed', async () => {
  world.primary.script = version(5, member('m1', 'a.example'))
  await follow()
  await until(isApplied(5))
  await publish(version(2, member('m2', 'b.example')))
  expect((await until(({ problem }) => problem !== null)).problem).toMatch(/behind ours/)
  expect(await names()).toEqual(['a.example'])
  await world.must('POST', `${pathOf()}/confirm`, { serial: 2 })
  await until(isApplied(2))
  expect(await names()).toEqual(['b.example'])
})

test('a check takes a newer version without a NOTIFY, but none whose serial went back', async () => {
  world.primary.script = version(1, member('m1', 'a.example'))
  await follow()
  await until(isApplied(1))
  world.primary.script = version(3, member('m1', 'a.example'), member('m2', 'b.example'))
  expect(await world.must('POST', `${pathOf()}/check`)).toBe('OK')
  await until(isApplied(3))
  world.primary.script = version(2)
  await world.must('POST', `${pathOf()}/check`)
  expect((await until(({ problem }) => problem !== null)).problem).toMatch(/behind ours/)
  expect(await names()).toEqual(['a.example', 'b.example'])
  expect((await world.call('POST', `${pathOf('other.example')}/check`)).codes).toEqual([19739])
})

test('a zone made by hand is not taken over', async () => {
  await world.must('POST', '/zones', { name: 'a.example' })
  await follow()
  expect(await until(isApplied(1))).toMatchObject({
    members: { listed: 2, created: 1 },
    conflicts: [{ zone: 'a.example', problem: expect.stringMatching(/exists already/) }],
  })
  await publish(version(2))
  await until(isApplied(2))
  expect(await names()).toEqual(['a.example'])
})

test('zones of a catalog zone are not changed or deleted by hand, until that is deleted', async () => {
  await follow()
  await until(isApplied(1))
  const id = await idOf('a.example')
  const incoming = `/zones/${id}/secondary_dns/incoming`
  const { id: other } = await world.must('POST', `/accounts/${accountId}/secondary_dns/peers`, {
    name: 'x',
    ip: '192.0.2.9',
  })
  expect((await world.call('DELETE', `/zones/${id}`)).codes).toEqual([19744])
  expect((await world.call('DELETE', incoming)).codes).toEqual([19744])
  expect((await world.call('PUT', incoming, { name: 'a.example', peers: [other] })).codes).toEqual([19744])
  await world.must('PUT', incoming, { name: 'a.example', peers: [peerId] })
  const status = `/zonereeve${incoming}/status`
  expect(await world.must('GET', status)).toMatchObject({ catalog: `${CATALOG}.` })
  await world.must('DELETE', pathOf())
  expect((await world.call('GET', pathOf())).codes).toEqual([19739])
  expect(await names()).toEqual(['a.example', 'b.example'])
  await publish(version(2)).catch(() => undefined)
  await world.must('DELETE', `/zones/${id}`)
  expect(await names()).toEqual(['b.example'])
})

test('its zones are deleted with it on request', async () => {
  await world.must('POST', '/zones', { name: 'own.example' })
  await follow()
  await until(isApplied(1))
  await world.must('DELETE', `${pathOf()}?members=delete`)
  for (let status = 200; status !== 404;) ({ status } = await world.call('GET', pathOf()))
  expect(await names()).toEqual(['own.example'])
})

test('a zone moves to another catalog zone of the account with its state, if the first one allows it', async () => {
  const second = 'second.example'
  world.primary.script = version(1, member('m1', 'a.example'), member('m2', 'b.example'), coo('m2', second))
  await follow()
  await until(isApplied(1))
  const before = [await idOf('a.example'), await idOf('b.example')]
  // Its primary answers with the same records, whatever the zone: only its own names count there.
  const other = await startSecondaryWorld(
    {
      ...raw(1),
      axfr: [
        [
          'SOA 1',
          `version.${second} 0 TXT "2"`,
          `m1.zones.${second} 0 PTR a.example.`,
          `m2.zones.${second} 0 PTR b.example.`,
          'SOA 1',
        ],
      ],
    },
    second,
  )
  try {
    const { tsig_id: key } = await world.must<{ tsig_id: string }>(
      'GET',
      `/accounts/${accountId}/secondary_dns/peers/${peerId}`,
    )
    const { id: peer } = await world.must('POST', `/accounts/${accountId}/secondary_dns/peers`, {
      name: 'second',
      ip: '127.0.0.1',
      port: other.primary.port,
      tsig_id: key,
    })
    await world.must('PUT', pathOf(second), { peers: [peer] })
    expect(await until(isApplied(1), second)).toMatchObject({
      members: { listed: 2, created: 1 },
      conflicts: [
        { zone: 'a.example', problem: expect.stringMatching(/member of the catalog zone catalog\.example/) },
      ],
    })
    expect([await idOf('a.example'), await idOf('b.example')]).toEqual(before)
    expect(await peersOf('b.example')).toEqual([peer])
    expect(await statusOf()).toMatchObject({ members: { listed: 2, created: 1, pending: 0 }, conflicts: [] })
    await publish(version(2, member('m1', 'a.example')))
    await until(isApplied(2))
    expect(await names()).toEqual(['a.example', 'b.example'])
  } finally {
    await other.close()
  }
})

test('an expired catalog zone keeps its zones, and so does a restart', async () => {
  await follow()
  await until(isApplied(1))
  const before = await zones()
  await world.primary.close()
  world.clock.advance(200_000_000)
  expect(await until(({ state }) => state === 'expired')).toMatchObject({
    members: { created: 2, pending: 0 },
  })
  await world.restart()
  expect(await statusOf()).toMatchObject({ state: 'expired', members: { listed: 2, created: 2, pending: 0 } })
  expect(await zones()).toEqual(before)
})
