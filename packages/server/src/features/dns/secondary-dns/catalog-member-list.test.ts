// The lists of zones in catalog zones: pages by name, states, and what callers see who may not read the zones.
import { encodeRdata, parseName } from '@zonereeve/dns'
import { query } from '@zonereeve/storage'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { expectDocumented } from '../../../testing/documented.ts'
import { allow, deny, makeToken } from '../../../testing/test-tokens.ts'
import { createCatalogMemberList } from './catalog-member-list.service.ts'
import { saveSecondary, withoutPrimary } from './incoming.store.ts'
import { saveEntries, saveMember } from './secondary-catalogs.store.ts'

const SECONDARY = 'catalog.example.net'
const TIMES = { refresh: 60, retry: 60, expire: 600, minimum: 60 }

let app: TestApp
let peerId = ''
const zoneIds = new Map<string, string>()
const idOf = (name: string) => zoneIds.get(name) ?? 'none'
const account = () => `/zonereeve/accounts/${app.accountId}`
const secondaryPath = () => `${account()}/secondary_catalogs/${SECONDARY}/members`

beforeAll(async () => {
  app = await startTestApp()
  const peer = { name: 'ns', ip: '192.0.2.53' }
  peerId = (await app.must('POST', `/accounts/${app.accountId}/secondary_dns/peers`, peer)).id
  await app.must('PUT', `${account()}/catalog_zone`, { name: 'catalog.example', peers: [peerId] })
  for (const name of ['b.example', 'a.example', 'off.example']) await addSent(name, name !== 'off.example')
  await app.must('PUT', `${account()}/secondary_catalogs/${SECONDARY}`, { peers: [peerId] })
  for (const name of ['new.example', 'old.example', 'gone.example'])
    zoneIds.set(name, (await app.must('POST', '/zones', { name, type: 'secondary' })).id)
  const catalog = parseName(SECONDARY)
  const entry = (label: string, zone: string, groups: readonly string[]) =>
    [label, { label, zone: parseName(zone), groups, newOwner: null }] as const
  const soa = encodeRdata('SOA', { mname: catalog, rname: catalog, serial: 7, ...TIMES })
  await app.storage.write(async (tx) => {
    const listed = [entry('m1', 'new.example', ['internal', 'eu']), entry('m2', 'old.example', [])]
    await saveEntries(tx, catalog, new Map(), new Map(listed))
    for (const [label, zone] of [
      ['m1', 'new.example'],
      ['m2', 'old.example'],
      ['m3', 'gone.example'],
    ] as const)
      await saveMember(tx, { zoneId: idOf(zone), catalog, label })
    await saveSecondary(tx, {
      ...withoutPrimary(idOf('old.example')),
      soa,
      soaTtlSeconds: 60,
      refreshedAtMillis: app.clock.now(),
      transferredOn: app.clock.timestamp(),
      primarySerial: 8,
      problem: 'no answer',
    })
  })
})
afterAll(() => app.close())

async function addSent(name: string, isOn: boolean): Promise<void> {
  const { id } = await app.must('POST', '/zones', { name })
  zoneIds.set(name, id)
  await app.must('POST', `/zones/${id}/secondary_dns/outgoing`, { name, peers: [peerId] })
  if (isOn) await app.must('POST', `/zones/${id}/secondary_dns/outgoing/enable`)
}

async function list(path: string, token?: string) {
  const answer = await app.call<{ name: string; transfers: object | null }[]>({
    method: 'GET',
    path,
    ...(token === undefined ? {} : { token }),
  })
  expectDocumented('GET', path.replace(/\?.*/, ''), answer.status, answer.json)
  return answer.json
}

test('zones whose transfers are enabled are listed by name, with the serial and the states of their peers', async () => {
  const { result, result_info: info } = await list(`${account()}/catalog_zone/members`)
  expect(result.map(({ name }) => name)).toEqual(['a.example.', 'b.example.'])
  expect(info).toMatchObject({ count: 2, total_count: 2 })
  expect(result[0]).toMatchObject({
    zone_id: idOf('a.example'),
    transfers: { checked_on: null, transferred_on: null, current: 0, behind: 0, unknown: 0 },
  })
  const { serial } = (
    await app.must<{ serial: number }[]>('GET', `/zonereeve/zone_summaries?ids=${idOf('a.example')}`)
  )[0] ?? { serial: 0 }
  expect(result[0]?.transfers).toMatchObject({ soa_serial: serial })
})

test('peers are counted by state, and what they did since the start is newer than what is stored', async () => {
  const states = ['current', 'behind', 'current', 'unknown'] as const
  const list = createCatalogMemberList({
    storage: app.storage,
    stateOf: app.secondaryDns.incoming.stateOf,
    lastSeen: () => ({ checkedOn: '2026-01-05T10:20:31Z', transferredOn: null }),
    peersProgress: (id) =>
      id !== idOf('b.example')
        ? []
        : states.map((state) => ({
            peerId: state,
            state,
            notifiedSerial: null,
            transferredSerial: null,
            behindSince: null,
          })),
  })
  const everything = { can: () => true } as unknown as Parameters<typeof list.own>[2] // asks nothing else
  const { members } = await list.own(app.accountId, { offset: 1, limit: 1 }, everything)
  expect(members).toMatchObject([
    {
      name: 'b.example',
      transfers: {
        checkedOn: '2026-01-05T10:20:31Z',
        transferredOn: null,
        current: 2,
        behind: 1,
        unknown: 1,
      },
    },
  ])
})

test('zones of a catalog zone elsewhere have their label, their groups, and why a transfer failed', async () => {
  const { result } = await list(secondaryPath())
  expect(result).toMatchObject([
    { name: 'gone.example.', label: 'm3', groups: [] },
    {
      name: 'new.example.',
      label: 'm1',
      groups: ['internal', 'eu'],
      transfers: { state: 'waiting', soa_serial: null, primary_serial: null, problem: null },
    },
    {
      name: 'old.example.',
      zone_id: idOf('old.example'),
      transfers: { state: 'current', primary_serial: 8, problem: 'no answer' },
    },
  ])
})

test.each([
  ['published', () => `${account()}/catalog_zone/members`, 'b.example.', 2],
  ['of another nameserver', secondaryPath, 'new.example.', 3],
])('the list is read by pages: %s', async (_, path, second, total) => {
  const { result, result_info: info } = await list(`${path()}?page=2&per_page=1`)
  expect(result.map(({ name }) => name)).toEqual([second])
  expect(info).toMatchObject({ page: 2, per_page: 1, count: 1, total_count: total })
  expect((await list(`${path()}?page=9`)).result).toEqual([])
})

test('a caller who may not read a zone sees its name, and nothing of its transfers', async () => {
  const token = await makeToken(app, [
    allow(['Account DNS Settings Read'], 'account.*'),
    allow(['DNS Read'], 'account.zone.*'),
    deny(['DNS Read', 'DNS Write'], `account.zone.${idOf('a.example')}`),
    deny(['DNS Read', 'DNS Write'], `account.zone.${idOf('old.example')}`),
  ])
  const own = (await list(`${account()}/catalog_zone/members`, token)).result
  expect(own.map(({ name, transfers }) => [name, transfers !== null])).toEqual([
    ['a.example.', false],
    ['b.example.', true],
  ])
  const others = (await list(secondaryPath(), token)).result
  expect(others.map(({ transfers }) => transfers !== null)).toEqual([true, true, false])
})

test('an expired zone says so', async () => {
  app.clock.advance(3_600_000)
  const { result } = await list(secondaryPath())
  expect(result[2]).toMatchObject({ name: 'old.example.', transfers: { state: 'expired' } })
})

test('the state of a zone whose stored state cannot be read is null, and the other zones have theirs', async () => {
  const own = ['zone_id', '=', idOf('old.example')] as const
  const stored = await app.storage.first(
    query
      .selectFrom('followed_zones')
      .selectAll()
      .where(...own),
  )
  const saveSoa = (soa: Uint8Array | null) =>
    app.storage.write((tx) =>
      tx.run(
        query
          .updateTable('followed_zones')
          .set({ soa })
          .where(...own),
      ),
    )
  await saveSoa(Uint8Array.of(192))
  try {
    const { result, result_info: info } = await list(secondaryPath())
    expect(result.map(({ name, transfers }) => [name, transfers !== null])).toEqual([
      ['gone.example.', true],
      ['new.example.', true],
      ['old.example.', false],
    ])
    expect(info).toMatchObject({ total_count: 3 })
  } finally {
    await saveSoa(stored?.soa ?? null)
  }
})

test.each([
  ['no catalog zone is published', '/catalog_zone/members', 19728],
  ['the account does not follow it', '/secondary_catalogs/nothing.example/members', 19739],
])('not found: %s', async (_, path, code) => {
  const other = await app.must('POST', '/accounts', { name: 'without catalogs' })
  const answer = await app.call({ method: 'GET', path: `/zonereeve/accounts/${other.id}${path}` })
  expect(answer.status).toBe(404)
  expect(answer.json.errors).toMatchObject([{ code }])
})

test('needs to read the DNS settings of the account', async () => {
  const token = await makeToken(app, [allow(['DNS Read'], 'account.zone.*')])
  for (const path of [`${account()}/catalog_zone/members`, secondaryPath()])
    expect((await app.call({ method: 'GET', path, token })).status).toBe(403)
})
