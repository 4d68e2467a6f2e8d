import type { WireZoneSummary as Summary } from '@zonereeve/contract'
import { query } from '@zonereeve/storage'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { allow, makeToken } from '../../../testing/test-tokens.ts'
import { createZoneSummaries } from './zone-summaries.service.ts'

let app: TestApp
let ids: readonly string[]
beforeAll(async () => {
  app = await startTestApp()
  const [account] = await app.must<{ id: string }[]>('GET', '/accounts')
  const made = []
  for (const name of ['one.example', 'two.example'])
    made.push((await app.must<{ id: string }>('POST', '/zones', { name, account })).id)
  ids = made
})
afterAll(() => app.close())

const path = (asked: readonly string[]) => `/zonereeve/zone_summaries?ids=${asked.join(',')}`

test('the serial, number of records, DNSSEC and last change of each zone, in the order of the ids', async () => {
  const [one = '', two = ''] = ids
  const before = await app.must<Summary[]>('GET', path([one, two]))
  expect(before.map(({ id, records, dnssec }) => ({ id, records, dnssec }))).toEqual([
    { id: one, records: 0, dnssec: 'disabled' },
    { id: two, records: 0, dnssec: 'disabled' },
  ])
  await app.must('POST', `/zones/${two}/dns_records`, { type: 'A', name: 'www', content: '192.0.2.1' })
  await app.must('PATCH', `/zones/${two}/dnssec`, { status: 'active' })
  const after = await app.must<Summary[]>('GET', path([two, one]))
  expect(after).toMatchObject([{ id: two, records: 1, dnssec: 'pending' }, before[0]])
  expect(Number(after[0]?.serial)).toBeGreaterThan(Number(before[1]?.serial))
  const [newest] = await app.must<{ at: string }[]>('GET', `/zonereeve/zones/${two}/changes?per_page=1`)
  expect(after[0]?.changed_on).toBe(newest?.at)
})

test('unknown zones are left out', async () => {
  const [one = ''] = ids
  const found = await app.must<Summary[]>('GET', path(['0'.repeat(32), one]))
  expect(found.map(({ id }) => id)).toEqual([one])
})

test('zones that the caller may not read are left out', async () => {
  const [one = '', two = ''] = ids
  const token = await makeToken(app, [allow(['DNS Read'], `account.zone.${one}`)])
  const { json } = await app.call<Summary[]>({ method: 'GET', path: path([two, one]), token })
  expect(json.result?.map(({ id }) => id)).toEqual([one])
})

test('a new zone has no answers, no secondaries, no monitoring, and the legacy rules', async () => {
  const [one = ''] = ids
  const [found] = await app.must<Summary[]>('GET', path([one]))
  expect(found).toMatchObject({
    answers: null,
    secondaries: null,
    monitoring: { enabled: false, malicious: 0, malicious_scripts: 0 },
    firewall: 'legacy',
    rules: {},
  })
})

const firewallOf = async (id: string) => (await app.must<Summary[]>('GET', path([id])))[0]?.firewall
const entryPoint = (id: string) => `/zones/${id}/rulesets/phases/http_request_firewall_custom/entrypoint`

test('the firewall is that of the zone: legacy rules, rulesets with rules, both or none', async () => {
  const [, two = ''] = ids
  await app.must('PUT', entryPoint(two), { rules: [] })
  expect(await firewallOf(two)).toBe('legacy')
  const log = {
    action: 'log_custom_field',
    action_parameters: { cookie_fields: [{ name: 'a' }] },
    expression: 'true',
  }
  const logs = `/zones/${two}/rulesets/phases/http_log_custom_fields/entrypoint`
  await app.must('PUT', logs, { rules: [log] })
  // It stops nothing.
  expect(await firewallOf(two)).toBe('legacy')
  await app.must('PUT', logs, { rules: [] })
  await app.must('PUT', entryPoint(two), { rules: [{ action: 'block', expression: 'http.host eq "a"' }] })
  expect(await firewallOf(two)).toBe('both')
  const [found] = await app.must<Summary[]>('GET', path([two]))
  expect(found?.rules).toEqual({ http_request_firewall_custom: 1 })
  await app.must('PATCH', `/zones/${two}/settings/waf`, { value: 'off' })
  expect(await firewallOf(two)).toBe('rulesets')
  await app.must('PUT', entryPoint(two), { rules: [] })
  expect(await firewallOf(two)).toBe('none')
  await app.must('PATCH', `/zones/${two}/settings/waf`, { value: 'on' })
  expect(await firewallOf(two)).toBe('legacy')
  await app.must('PATCH', `/zones/${two}`, { plan: { id: 'free' } })
  expect(await firewallOf(two)).toBe('none')
})

test('monitoring counts what is malicious in the zone, and nothing of others', async () => {
  const [one = '', two = ''] = ids
  await app.must('PUT', `/zones/${one}/page_shield`, { enabled: true })
  const page_url = 'https://one.example/'
  const scripts = ['https://cdn.example/a.js', 'https://cdn.example/b.js']
  await app.must('POST', `/zonereeve/zones/${one}/page_shield/observations`, {
    observations: [{ page_url, scripts, connections: ['https://cdn.example/collect'] }],
  })
  const before = await app.must<Summary[]>('GET', path([one]))
  expect(before[0]?.monitoring).toEqual({ enabled: true, malicious: 0, malicious_scripts: 0 })
  await app.storage.write((tx) =>
    tx.run(
      query
        .updateTable('page_shield_resources')
        .set({ is_malicious: 1 })
        .where((eb) => eb.or([eb('url', '=', scripts[0] ?? ''), eb('kind', '=', 'connection')])),
    ),
  )
  const after = await app.must<Summary[]>('GET', path([one, two]))
  expect(after.map(({ monitoring }) => monitoring)).toEqual([
    { enabled: true, malicious: 2, malicious_scripts: 1 },
    { enabled: false, malicious: 0, malicious_scripts: 0 },
  ])
})

test('members that the caller may not read are null', async () => {
  const [one = ''] = ids
  const summaryWith = async (...groups: readonly ('Domain Page Shield Read' | 'Zone WAF Read')[]) => {
    const token = await makeToken(app, [allow(['DNS Read', ...groups], `account.zone.${one}`)])
    const { json } = await app.call<Summary[]>({ method: 'GET', path: path([one]), token })
    return json.result?.[0]
  }
  expect(await summaryWith()).toMatchObject({ answers: null, monitoring: null, firewall: null, rules: null })
  expect(await summaryWith('Domain Page Shield Read')).toMatchObject({
    monitoring: { enabled: true },
    firewall: null,
  })
  expect(await summaryWith('Zone WAF Read')).toMatchObject({ monitoring: null, firewall: 'legacy' })
})

test('secondaries are counted by state; rates are those of the zone, for those who may read them', async () => {
  const [one = '', two = ''] = ids
  const peer = (state: 'current' | 'behind' | 'unknown') => ({
    peerId: state,
    state,
    notifiedSerial: null,
    transferredSerial: null,
    behindSince: null,
  })
  const summaries = createZoneSummaries({
    storage: app.storage,
    peersProgress: (id) => (id === one ? [peer('current'), peer('behind'), peer('current')] : []),
    answerRates: (name) => (name === 'two.example' ? { perSecond: 1.5, day: [1, 2] } : undefined),
  })
  const everything = { can: () => true } as unknown as Parameters<typeof summaries.list>[0] // asks nothing else
  expect(
    (await summaries.list(everything, [one, two])).map(({ secondaries, answers }) => [secondaries, answers]),
  ).toEqual([
    [{ current: 2, behind: 1, unknown: 0 }, undefined],
    [undefined, { perSecond: 1.5, day: [1, 2] }],
  ])
  const dnsOnly = {
    can: (groups: readonly string[]) => groups.includes('DNS Read'),
  } as unknown as typeof everything
  const [found] = await summaries.list(dnsOnly, [two])
  expect(found?.answers).toBeUndefined()
})

test.each([
  ['none', ''],
  ['not an id', 'x'],
  ['too many', Array.from({ length: 101 }, () => '0'.repeat(32)).join(',')],
])('refuses ids: %s', async (_, asked) => {
  const { status } = await app.call({ method: 'GET', path: `/zonereeve/zone_summaries?ids=${asked}` })
  expect(status).toBe(400)
})
