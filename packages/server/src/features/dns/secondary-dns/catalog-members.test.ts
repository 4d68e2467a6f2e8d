// Versions of catalog zones become zones step by step: what fails, and what has changed since the plan, over the real store.
import { encodeRdata, parseName } from '@zonereeve/dns'
import { DomainError, silentLog } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { createCatalogMembers, type CatalogMembersDeps } from './catalog-members.service.ts'
import { createCatalogTransfers, secondaryCatalogId } from './catalog-transfers.service.ts'
import { findMember, findSecondaryCatalog } from './secondary-catalogs.store.ts'

const FIRST = 'first.example'
const SECOND = 'second.example'
const refusal = () => new DomainError({ reason: 'zone.exists', values: { name: 'x' } })

/** `label zone [new owner]` */
type Line = string

let app: TestApp
/** What the next writes do before anything else, once. */
let meanwhile: (() => Promise<void>) | undefined
let breaks: Partial<Pick<CatalogMembersDeps, 'createZone' | 'setPrimaries'>> = {}
let attempts: string[] = []
let transfers: ReturnType<typeof createCatalogTransfers>
let members: ReturnType<typeof createCatalogMembers>

beforeEach(async () => {
  app = await startTestApp()
  ;[meanwhile, breaks, attempts] = [undefined, {}, []]
  const { zones, secondaryDns, clock } = app
  const storage: Storage = {
    ...app.storage,
    write: async (unit) => {
      const first = meanwhile
      meanwhile = undefined
      await first?.()
      return app.storage.write(unit)
    },
  }
  members = createCatalogMembers({
    storage,
    clock,
    log: silentLog,
    createZone: (tx, zone, actor) => {
      attempts.push(zone.name)
      return (breaks.createZone ?? zones.createSecondary)(tx, zone, actor)
    },
    removeZone: zones.removeWithContents,
    setPrimaries: (...args) => (breaks.setPrimaries ?? secondaryDns.incoming.setPrimaries)(...args),
  })
  const deps = { storage: app.storage, clock, accepted: members.wake }
  transfers = createCatalogTransfers(deps, secondaryDns.incoming)
  const { id: peer } = await app.must('POST', `/accounts/${app.accountId}/secondary_dns/peers`, {
    name: 'primary',
    ip: '192.0.2.53',
  })
  for (const name of [FIRST, SECOND]) {
    await app.must('PUT', `/zonereeve/accounts/${app.accountId}/secondary_catalogs/${name}`, {
      peers: [peer],
    })
    clock.advance(1)
  }
})
afterEach(() => app.close())

function take(catalog: string, serial: number, ...lines: Line[]): Promise<boolean> {
  const name = parseName(catalog)
  const at = (owner: string) => ({ name: parseName(`${owner}.${catalog}`), ttlSeconds: 0 })
  const pointer = (owner: string, target: string) => ({
    ...at(owner),
    type: 12,
    rdata: encodeRdata('PTR', { target: parseName(target) }),
  })
  const records = lines.flatMap((line) => {
    const [label = '', zone = '', newOwner] = line.split(' ')
    const owner = newOwner === undefined ? [] : [pointer(`coo.${label}.zones`, newOwner)]
    return [pointer(`${label}.zones`, zone), ...owner]
  })
  const text = encodeRdata('TXT', { strings: [new TextEncoder().encode('2')] })
  const times = { refresh: 60, retry: 60, expire: 600, minimum: 60 }
  return transfers.take(
    secondaryCatalogId(name),
    {
      soa: { mname: name, rname: name, serial, ...times },
      soaTtlSeconds: 60,
      fromSerial: undefined,
      contents: { kind: 'whole', records: [{ ...at('version'), type: 16, rdata: text }, ...records] },
    },
    false,
  )
}

const reconcile = () => members.reconcile(new AbortController().signal)
const found = (name: string) => findSecondaryCatalog(app.storage, parseName(name))
const failures = async (name = FIRST) => {
  const catalog = await found(name)
  return catalog === undefined ? [] : members.failuresOf(catalog).map(({ zone }) => zone)
}
async function zones(): Promise<ReadonlyMap<string, string>> {
  const all = await app.must<{ name: string; id: string }[]>('GET', '/zones?per_page=50')
  return new Map(all.map(({ name, id }) => [name, id]))
}
const catalogOf = async (zone: string) =>
  (await findMember(app.storage, (await zones()).get(zone) ?? ''))?.catalog
const many = (count: number, suffix = '', owner = '') =>
  Array.from({ length: count }, (_, index) => `m${index}${suffix} z${index}.example ${owner}`.trim())

test('a zone whose creation fails leaves nothing behind, and holds up no other zone and no other catalog zone', async () => {
  breaks = {
    setPrimaries: (tx, zone, ...more) =>
      zone.name === 'z0.example'
        ? Promise.reject(refusal())
        : app.secondaryDns.incoming.setPrimaries(tx, zone, ...more),
  }
  await take(FIRST, 1, ...many(10))
  await take(SECOND, 1, 'm1 other.example')
  const changes = await app.changeCount()
  await reconcile()
  const names = [...(await zones()).keys()]
  expect(names).not.toContain('z0.example')
  expect(names).toEqual(expect.arrayContaining(['z1.example', 'z9.example', 'other.example']))
  expect(await failures()).toEqual(['z0.example'])
  const sets = (await app.changeLog()).filter((set) => JSON.stringify(set).includes('z0.example'))
  expect(sets).toEqual([])
  expect(await app.changeCount()).toBeGreaterThan(changes)

  attempts = []
  members.wake()
  await reconcile()
  expect(attempts).toEqual([])
  breaks = {}
  app.clock.advance(60_000)
  await reconcile()
  expect(attempts).toEqual(['z0.example'])
  expect(await catalogOf('z0.example')).toBe(FIRST)
  expect(await failures()).toEqual([])
})

test('a zone whose reset fails stays as it was', async () => {
  await take(FIRST, 1, 'm1 a.example')
  await reconcile()
  const before = (await zones()).get('a.example')
  breaks = { createZone: () => Promise.reject(refusal()) }
  await take(FIRST, 2, 'm2 a.example')
  await reconcile()
  expect((await zones()).get('a.example')).toBe(before)
  expect(await failures()).toEqual(['a.example'])
})

test('a catalog zone that cannot be applied at all does not stop the next one, and is tried again after a minute', async () => {
  const { createSecondary } = app.zones
  breaks = {
    createZone: (tx, zone, actor) =>
      zone.name === 'a.example' ? Promise.reject(new Error('broken')) : createSecondary(tx, zone, actor),
  }
  await take(FIRST, 1, 'm1 a.example')
  await take(SECOND, 1, 'm1 b.example')
  await reconcile()
  await reconcile()
  expect(await catalogOf('b.example')).toBe(SECOND)
  expect(attempts).toEqual(['a.example', 'b.example'])
  expect(await failures()).toEqual([FIRST])
  breaks = {}
  app.clock.advance(60_000)
  await reconcile()
  expect(await catalogOf('a.example')).toBe(FIRST)
})

test.each([
  ['taken over', 'm1'],
  ['reset', 'm2'],
])('a zone that is no longer given away when it would be %s stays', async (_name, label) => {
  await take(FIRST, 1, `m1 a.example ${SECOND}`)
  await reconcile()
  const before = (await zones()).get('a.example')
  await take(SECOND, 1, `${label} a.example`)
  meanwhile = async () => void (await take(FIRST, 2, 'm1 a.example'))
  await reconcile()
  expect(meanwhile).toBeUndefined()
  await reconcile()
  expect((await zones()).get('a.example')).toBe(before)
  expect(await catalogOf('a.example')).toBe(FIRST)
})

test('zones that are given with other labels are a loss that is held', async () => {
  await take(FIRST, 1, ...many(12, '', SECOND))
  await reconcile()
  await expect(take(SECOND, 1, ...many(12, 'x'))).rejects.toThrow(/resets 12 of 12/)
  expect((await found(SECOND))?.held).toMatchObject({ serial: 1, members: 12, removed: 0, reset: 12 })
  await reconcile()
  expect(await catalogOf('z0.example')).toBe(FIRST)
  expect(await take(SECOND, 2, ...many(12))).toBe(true)
  await reconcile()
  expect(await catalogOf('z0.example')).toBe(SECOND)
})

test('a confirmation ends when the primary has the accepted version again, or another one', async () => {
  const id = secondaryCatalogId(parseName(FIRST))
  const confirm = (serial: number) =>
    app.must('POST', `/zonereeve/accounts/${app.accountId}/secondary_catalogs/${FIRST}/confirm`, { serial })
  await take(FIRST, 1, ...many(12))
  await reconcile()
  await expect(take(FIRST, 2)).rejects.toThrow(/removes 12/)
  await confirm(2)
  await transfers.confirm(id)
  expect(await found(FIRST)).toMatchObject({ held: null, confirmedSerial: null, primarySerial: 1 })
  await expect(take(FIRST, 2)).rejects.toThrow(/removes 12/)
  await confirm(2)
  await transfers.fail(id, 'a problem', 2)
  await transfers.fail(id, 'no connection', undefined)
  expect(await found(FIRST)).toMatchObject({ confirmedSerial: 2 })
  await transfers.fail(id, 'a problem', 3)
  expect(await found(FIRST)).toMatchObject({ confirmedSerial: null })
  await expect(take(FIRST, 2)).rejects.toThrow(/removes 12/)
  expect((await zones()).size).toBeGreaterThanOrEqual(12)
})
