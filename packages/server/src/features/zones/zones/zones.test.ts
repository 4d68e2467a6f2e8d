// Zones: named, created, edited, activated, found, deleted.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { NAME_SERVERS, START, startTestApp, type TestApp } from '../../../testing/app.ts'
import { expectConsistent } from '../../../testing/change-log.ts'
import { describeEvent, scenarios, type Scenario } from '../../../testing/scenarios.ts'
import { allow, makeToken } from '../../../testing/test-tokens.ts'
import { firstSerial } from './zones.rules.ts'

const ABSENT = 'f'.repeat(32)
const NO_ADDRESS = 19_013
const label63 = 'a'.repeat(63)
/** 253 characters, the longest name as text (RFC 1035 §2.3.4). */
const LONGEST = [label63, label63, label63, 'a'.repeat(61)].join('.')

interface Zone {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly account: { readonly id: string; readonly name: string }
  readonly [member: string]: unknown
}

const create = (body: unknown) => ({ method: 'POST', path: '/zones', body })
const named = (name: unknown) => create({ name, account: { id: '{account}' } })
const patch = (body: unknown) => ({ method: 'PATCH', path: '/zones/{zone}', body })
const made = (result: object) => ({
  status: 200,
  changes: 1,
  events: ['zone created'],
  messages: [NO_ADDRESS],
  result,
})
const edited = (result: object) => ({ status: 200, changes: 1, events: ['zone changed'], result })
const refused = (code: number, pointer: string) => ({ status: 400, codes: [code], pointers: [pointer] })

const names: Scenario[] = [
  ...(
    [
      ['example.org', 'example.org'],
      ['Example.ORG', 'example.org'],
      ['example.org.', 'example.org'],
      [' example.org ', 'example.org'],
      ['www.example.org', 'www.example.org'],
      ['localhost', 'localhost'],
      ['home.arpa', 'home.arpa'],
      ['lan', 'lan'],
      ['corp.internal', 'corp.internal'],
      ['my.test', 'my.test'],
      ['my.example', 'my.example'],
      ['nothing.invalid', 'nothing.invalid'],
      ['printer.local', 'printer.local'],
      ['hidden.onion', 'hidden.onion'],
      ['co.uk', 'co.uk'],
      ['github.io', 'github.io'],
      ['2.0.192.in-addr.arpa', '2.0.192.in-addr.arpa'],
      ['0-63.2.0.192.in-addr.arpa', '0-63.2.0.192.in-addr.arpa'],
      ['8.b.d.0.1.0.0.2.ip6.arpa', '8.b.d.0.1.0.0.2.ip6.arpa'],
      ['_msdcs.example.org', '_msdcs.example.org'],
      ['1.example.org', '1.example.org'],
      ['123.org', '123.org'],
      ['a', 'a'],
      ['sub.example.com', 'sub.example.com'],
      ['com', 'com'],
      [`${label63}.example.org`, `${label63}.example.org`],
      [LONGEST, LONGEST],
      ['bücher.example', 'bücher.example'],
      ['BÜCHER.example', 'bücher.example'],
      ['xn--bcher-kva.example', 'bücher.example'],
      ['XN--BCHER-KVA.example.', 'bücher.example'],
      ['例え.テスト', '例え.テスト'],
      ['bücher。example', 'bücher.example'],
      ['xn--zz.example', 'xn--zz.example'],
    ] as const
  ).map(([name, shown]): Scenario => ({
    name: `${JSON.stringify(name).slice(0, 60)} (${name.length}) is a zone`,
    send: named(name),
    expect: made({ name: shown, status: 'pending' }),
  })),
  ...[
    '',
    ' ',
    '.',
    '..',
    'a..b',
    '.example.org',
    'example.org..',
    '-a.org',
    'a-.org',
    'a b.org',
    '*.org',
    '*',
    'a*.org',
    'a@b.org',
    'a/b',
    'http://example.org',
    'example.org:53',
    '192.0.2.1',
    'a\\.b.org',
    'a\\046b.org',
    `a${label63}.org`,
    `b${LONGEST}`,
    'ü..org',
    'a\u0000b.org',
    '"a".org',
  ].map((name): Scenario => ({
    name: `${JSON.stringify(name).slice(0, 60)} (${name.length}) is none`,
    send: named(name),
    expect: refused(1002, '/name'),
  })),
  { name: 'a name that is not a string', send: named(5), expect: refused(1002, '/name') },
  { name: 'no name', send: create({}), expect: refused(6008, '/name') },
  {
    name: 'an existing zone',
    send: named('example.com'),
    expect: { ...refused(1061, '/name'), text: 'example.com already exists' },
  },
  {
    name: 'an existing zone, in capitals with a dot',
    send: named('EXAMPLE.com.'),
    expect: refused(1061, '/name'),
  },
]

const definitions: Scenario[] = [
  {
    name: 'obsolete members are ignored',
    send: create({
      name: 'example.org',
      jump_start: true,
      organization: { id: 'x' },
    }),
    expect: made({ name: 'example.org', vanity_name_servers: [] }),
  },
  {
    name: 'null means not given',
    send: create({ name: 'example.org', account: null, type: null, plan: null, vanity_name_servers: null }),
    expect: made({ name: 'example.org', plan: { legacy_id: 'enterprise' } }),
  },
  {
    name: 'custom name servers',
    send: create({ name: 'example.org', vanity_name_servers: ['NS1.example.org.', 'ns2.example.org'] }),
    expect: made({ vanity_name_servers: ['ns1.example.org', 'ns2.example.org'] }),
  },
  ...[[], null].map((servers): Scenario => ({
    name: `invalid custom name servers: ${JSON.stringify(servers)}`,
    send: create({ name: 'example.org', vanity_name_servers: servers }),
    expect: made({ vanity_name_servers: [] }),
  })),
  {
    name: 'name servers outside the zone',
    send: create({ name: 'example.org', vanity_name_servers: ['ns1.example.org', 'ns1.example.net'] }),
    expect: refused(19302, '/vanity_name_servers/1'),
  },
  ...['full', 'secondary'].map((type): Scenario => ({
    name: `type ${type}`,
    send: create({ name: 'example.org', type }),
    expect: made({ type }),
  })),
  {
    name: 'custom name servers for a secondary zone',
    send: create({ name: 'example.org', type: 'secondary', vanity_name_servers: ['ns1.example.org'] }),
    expect: refused(19730, '/vanity_name_servers'),
  },
  ...['partial', 'internal', 'none'].map((type): Scenario => ({
    name: `type ${type} is not supported`,
    send: create({ name: 'example.org', type }),
    expect: refused(1104, '/type'),
  })),
  ...['free', 'pro', 'business', 'enterprise'].map((plan): Scenario => ({
    name: `plan ${plan}`,
    send: create({ name: 'example.org', plan: { legacy_id: plan } }),
    expect: made({ plan: { legacy_id: plan } }),
  })),
  {
    name: 'a plan by its id',
    send: create({ name: 'example.org', plan: { id: '0feeeeeeeeeeeeeeeeeeeeeeeeeeeeee' } }),
    expect: made({
      plan: { id: '0feeeeeeeeeeeeeeeeeeeeeeeeeeeeee', legacy_id: 'free', name: 'Free Website' },
    }),
  },
  {
    name: 'the default plan is the largest',
    send: create({ name: 'example.org' }),
    expect: made({ plan: { id: '94f3b7b768b0458b56d2cac4fe5ec0f9', legacy_id: 'enterprise' } }),
  },
  {
    name: 'an unknown plan',
    send: create({ name: 'example.org', plan: { legacy_id: 'platinum' } }),
    expect: refused(19301, '/plan'),
  },
  {
    name: 'an unknown account',
    send: create({ name: 'example.org', account: { id: ABSENT } }),
    expect: refused(1067, '/account/id'),
  },
  {
    name: 'an invalid account id',
    send: create({ name: 'example.org', account: { id: 'x' } }),
    expect: refused(1067, '/account/id'),
  },
  {
    name: 'no account, if there is only one',
    send: create({ name: 'example.org', account: {} }),
    expect: made({ account: { id: '{account}' } }),
  },
].map((row) => ({
  ...row,
  expect: row.name.startsWith('no account') ? made({ name: 'example.org' }) : row.expect,
}))

const edits: Scenario[] = [
  { name: 'paused', send: patch({ paused: true }), expect: edited({ paused: true }) },
  { name: 'nothing', send: patch({}), expect: { status: 200, result: { paused: false } } },
  {
    name: 'the current values',
    send: patch({ paused: false, type: 'full', vanity_name_servers: [], plan: { legacy_id: 'enterprise' } }),
    expect: { status: 200, result: { paused: false } },
  },
  {
    name: 'a plan as octodns sends it',
    send: patch({ plan: { legacy_id: 'pro' } }),
    expect: edited({ plan: { legacy_id: 'pro', id: '1feeeeeeeeeeeeeeeeeeeeeeeeeeeeee' } }),
  },
  { name: 'an unknown plan', send: patch({ plan: { id: 'x' } }), expect: refused(19301, '/plan') },
  { name: 'another type', send: patch({ type: 'partial' }), expect: refused(1104, '/type') },
  {
    name: 'vanity name servers outside the zone',
    send: patch({ vanity_name_servers: ['ns1.example.org'] }),
    expect: refused(19302, '/vanity_name_servers/0'),
  },
  { name: 'paused as a string', send: patch({ paused: 'yes' }), expect: refused(6008, '/paused') },
  {
    name: 'the name is kept, whatever is sent',
    send: patch({ name: 'example.org', status: 'moved', id: ABSENT, paused: true }),
    expect: edited({ name: 'example.com', status: 'active', paused: true }),
  },
  {
    name: 'an unknown zone',
    send: { method: 'PATCH', path: `/zones/${ABSENT}`, body: { paused: true } },
    expect: { status: 404, codes: [1001] },
  },
]

const A = { type: 'A', name: 'www', content: '192.0.2.1' }
const TXT = { type: 'TXT', name: 'www', content: '"a"' }
const CHECK = { method: 'PUT', path: '/zones/{zone}/activation_check' }
const addresses: Scenario[] = [
  { name: 'a zone with an address is active at its check', send: CHECK, expect: { status: 200 } },
  {
    name: 'a zone without one stays pending, and the check says why',
    address: false,
    given: [TXT],
    send: CHECK,
    expect: { status: 200, messages: [NO_ADDRESS] },
  },
  {
    name: 'a record that is not an address keeps the warning',
    address: false,
    send: { method: 'POST', path: '/zones/{zone}/dns_records', body: TXT },
    expect: { status: 200, messages: [NO_ADDRESS], changes: 1, events: ['records +1'], records: 1 },
  },
  {
    name: 'the first A ends the warning',
    address: false,
    given: [TXT],
    send: { method: 'POST', path: '/zones/{zone}/dns_records', body: A },
    expect: { status: 200, changes: 1, events: ['records +1'], records: 1 },
  },
  {
    name: 'the first AAAA does too',
    address: false,
    send: {
      method: 'POST',
      path: '/zones/{zone}/dns_records',
      body: { type: 'AAAA', name: '@', content: '2001:db8::1' },
    },
    expect: { status: 200, changes: 1, events: ['records +1'], records: 1 },
  },
  {
    name: 'deleting the last address causes a warning, and is allowed',
    address: false,
    given: [A, TXT],
    send: { method: 'DELETE', path: '/zones/{zone}/dns_records/{0}' },
    expect: { status: 200, messages: [NO_ADDRESS], changes: 1, events: ['records -1'], records: -1 },
  },
  {
    name: 'deleting one of two causes none',
    given: [A],
    send: { method: 'DELETE', path: '/zones/{zone}/dns_records/{0}' },
    expect: { status: 200, changes: 1, events: ['records -1'], records: -1 },
  },
  {
    name: 'an edit in a zone without addresses warns',
    address: false,
    given: [TXT],
    send: { method: 'PATCH', path: '/zones/{zone}/dns_records/{0}', body: { content: '"b"' } },
    expect: { status: 200, messages: [NO_ADDRESS], changes: 1, events: ['records -1 +1'] },
  },
  {
    name: 'an edit that changes nothing warns too',
    address: false,
    given: [TXT],
    send: { method: 'PATCH', path: '/zones/{zone}/dns_records/{0}', body: {} },
    expect: { status: 200, messages: [NO_ADDRESS] },
  },
  {
    name: 'a check of an unknown zone',
    send: { method: 'PUT', path: `/zones/${ABSENT}/activation_check` },
    expect: { status: 404, codes: [1001] },
  },
]

scenarios('zone names', names)
scenarios('zone definitions', definitions)
scenarios('zone edits', edits)
scenarios('at least one address', addresses)

describe('a zone', () => {
  let app: TestApp
  beforeEach(async () => {
    app = await startTestApp()
  })
  afterEach(async () => {
    await expectConsistent(app.storage)
    await app.close()
  })

  const serialOf = async (id: string) =>
    (await app.storage.first(query.selectFrom('zones').select('serial').where('id', '=', id)))?.serial
  const get = (id: string) => app.must<Zone>('GET', `/zones/${id}`)

  test('has the shape of the live API, with its keys in order', async () => {
    const zone = await app.must<Zone>('POST', '/zones', {
      name: 'example.com',
      account: { id: app.accountId },
    })
    const created = expect.stringMatching(/^2026-01-05T10:20:30\.\d{6}Z$/)
    expect(zone).toEqual({
      id: zone.id,
      name: 'example.com',
      status: 'pending',
      paused: false,
      type: 'full',
      development_mode: 0,
      name_servers: NAME_SERVERS,
      original_name_servers: null,
      original_registrar: null,
      original_dnshost: null,
      modified_on: created,
      created_on: created,
      activated_on: null,
      vanity_name_servers: [],
      vanity_name_servers_ips: null,
      meta: { step: 2, custom_certificate_quota: 0, page_rule_quota: 125, phishing_detected: false },
      owner: { id: null, type: 'user', email: null },
      account: { id: app.accountId, name: 'Zonereeve' },
      tenant: { id: null, name: null },
      tenant_unit: { id: null },
      permissions: expect.arrayContaining(['#dns_records:edit', '#dns_records:read', '#zone:read']),
      plan: {
        id: '94f3b7b768b0458b56d2cac4fe5ec0f9',
        name: 'Enterprise Website',
        price: 0,
        currency: 'USD',
        frequency: '',
        is_subscribed: true,
        can_subscribe: false,
        legacy_id: 'enterprise',
        legacy_discount: false,
        externally_managed: false,
      },
    })
    expect(Object.keys(zone).join()).toBe(
      'id,name,status,paused,type,development_mode,name_servers,original_name_servers,original_registrar,original_dnshost,modified_on,created_on,activated_on,vanity_name_servers,vanity_name_servers_ips,meta,owner,account,tenant,tenant_unit,permissions,plan',
    )
    expect(await get(zone.id)).toEqual(zone)
  })

  test('starts with the time as its serial, which changes of records bump and those of settings do not', async () => {
    const { id } = await app.must('POST', '/zones', { name: 'example.com' })
    const first = Math.floor(START / 1000)
    expect(await serialOf(id)).toBe(first)
    const record = await app.must('POST', `/zones/${id}/dns_records`, A)
    await app.must('PATCH', `/zones/${id}`, { paused: true })
    expect(await serialOf(id)).toBe(first + 1)
    await app.must('DELETE', `/zones/${id}/dns_records/${record.id}`)
    expect(await serialOf(id)).toBe(first + 2)
    const log = await app.changeLog(id)
    expect(log.map(({ number, serial, ops }) => [number, serial, ops[0]?.kind])).toEqual([
      [1, first, 'zone.create'],
      [2, first + 1, 'dns_record.create'],
      [3, first + 1, 'zone.update'],
      [4, first + 2, 'dns_record.delete'],
    ])
  })

  test('is pending until its first address, then active for good', async () => {
    const { id } = await app.must('POST', '/zones', { name: 'example.com' })
    const states = [await get(id)]
    await app.must('POST', `/zones/${id}/dns_records`, TXT)
    await app.must('PUT', `/zones/${id}/activation_check`)
    states.push(await get(id))
    const record = await app.must('POST', `/zones/${id}/dns_records`, A)
    states.push(await get(id))
    await app.must('DELETE', `/zones/${id}/dns_records/${record.id}`)
    states.push(await get(id))
    expect(states.map(({ status, activated_on: on, meta }) => [status, on === null, meta])).toMatchObject([
      ['pending', true, { step: 2 }],
      ['pending', true, { step: 2 }],
      ['active', false, { step: 4 }],
      ['active', false, { step: 4 }],
    ])
    expect(states[3]?.['activated_on']).toBe(states[2]?.['activated_on'])
  })

  test('that is deleted loses its records, and keeps its history', async () => {
    const zone = await app.must('POST', '/zones', { name: 'example.com' })
    const remaining = await app.must('POST', '/zones', { name: 'example.net' })
    const records = []
    for (const record of [A, TXT])
      records.push(await app.must('POST', `/zones/${zone.id}/dns_records`, record))
    await app.must('POST', `/zones/${remaining.id}/dns_records`, A)
    app.events.length = 0
    expect(await app.must('DELETE', `/zones/${zone.id}`)).toEqual({ id: zone.id })
    expect(app.events.flatMap(describeEvent)).toEqual(['zone deleted'])

    for (const path of [`/zones/${zone.id}`, `/zones/${zone.id}/dns_records`]) {
      expect((await app.call({ method: 'GET', path })).json.errors[0]?.code).toBe(1001)
    }
    const left = await app.storage.all(query.selectFrom('dns_records').select('zone_id'))
    expect(left).toEqual([{ zone_id: remaining.id }])
    const log = await app.changeLog(zone.id)
    expect(
      log.map(({ ops }) => ops.map(({ kind, object_id, after }) => [kind, object_id, after === null])),
    ).toEqual([
      [['zone.create', zone.id, false]],
      [['dns_record.create', records[0]?.id, false]],
      [['dns_record.create', records[1]?.id, false]],
      [
        ['zone.delete', zone.id, true],
        ['dns_record.delete', records[0]?.id, true],
        ['dns_record.delete', records[1]?.id, true],
      ],
    ])
    const [, ...deleted] = log[3]?.ops ?? []
    expect(deleted.map(({ before }) => JSON.parse(before ?? '') as unknown)).toEqual(records)
  })

  test('can be created again, as another one with a later serial', async () => {
    const first = await app.must('POST', '/zones', { name: 'example.com' })
    await app.must('DELETE', `/zones/${first.id}`)
    app.clock.advance(10_000)
    const second = await app.must('POST', '/zones', { name: 'example.com' })
    expect(second.id).not.toBe(first.id)
    expect(await serialOf(second.id)).toBe(Math.floor(START / 1000) + 10)
    expect(await app.must('GET', `/zones/${second.id}/dns_records`)).toEqual([])
  })

  test('created again before the clock has passed its last serial continues from there, every time', async () => {
    const serials: (number | undefined)[] = []
    for (let round = 0; round < 3; round += 1) {
      const { id } = await app.must('POST', '/zones', { name: 'example.com' })
      serials.push(await serialOf(id))
      await app.must('POST', `/zones/${id}/dns_records`, A)
      await app.must('POST', `/zones/${id}/dns_records`, TXT)
      await app.must('DELETE', `/zones/${id}`)
    }
    const first = Math.floor(START / 1000)
    expect(serials).toEqual([first, first + 3, first + 6])
    const other = await app.must('POST', '/zones', { name: 'example.net' })
    expect(await serialOf(other.id)).toBe(first)
  })

  test.each([
    ['the time, if no zone had the name', undefined, 1_000],
    ['the time, if it is later', 998, 1_000],
    ['the time, if it is the successor', 999, 1_000],
    ['the successor, at the same time', 1_000, 1_001],
    ['the successor, if the serial is ahead of the time', 5_000, 5_001],
    ['the time, if the serial has yet to wrap', 2 ** 32 - 1, 1_000],
    ['the successor, at half the number space', 2 ** 31 + 999, 2 ** 31 + 1_000],
  ])('starts with %s', (_, last, serial) => {
    expect(firstSerial(1_000_000, last)).toBe(serial)
  })

  test('deleted twice is gone, and the second delete writes nothing', async () => {
    const { id } = await app.must('POST', '/zones', { name: 'example.com' })
    await app.must('DELETE', `/zones/${id}`)
    const before = await app.changeCount()
    const answer = await app.call({ method: 'DELETE', path: `/zones/${id}` })
    expect([answer.status, answer.json.errors[0]?.code, (await app.changeCount()) - before]).toEqual([
      404, 1001, 0,
    ])
  })

  test('created twice at the same time exists once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        app.call({ method: 'POST', path: '/zones', body: { name: 'example.com' } }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400])
    expect(
      answers.filter(({ status }) => status === 400).every(({ json }) => json.errors[0]?.code === 1061),
    ).toBe(true)
    expect(app.events.flatMap(describeEvent)).toEqual(['zone created'])
  })

  test('is created in the intended account: the only one, a named one, or none', async () => {
    const other = await app.must('POST', '/accounts', { name: 'other' })
    const make = (name: string, more: object, token?: string) =>
      app.call<Zone>({
        method: 'POST',
        path: '/zones',
        body: { name, ...more },
        ...(token === undefined ? {} : { token }),
      })
    expect((await make('a.example', {})).json.errors).toMatchObject([
      { code: 1067, source: { pointer: '/account/id' } },
    ])
    expect((await make('a.example', { account: { id: other.id } })).json.result.account).toEqual({
      id: other.id,
      name: 'other',
    })
    const narrow = await makeToken(app, [allow(['Zone Write'], `account.${other.id}`)])
    expect((await make('b.example', {}, narrow)).json.result.account.id).toBe(other.id)
    expect((await make('c.example', { account: { id: app.accountId } }, narrow)).json.errors).toMatchObject([
      { code: 0, source: { pointer: '/account/id' } },
    ])
    const ofZones = await makeToken(app, [allow(['Zone Write'], `account.zone.${ABSENT}`)])
    expect((await make('d.example', {}, ofZones)).status).toBe(403)
  })
})

describe('a list of zones', () => {
  let app: TestApp
  let second: string
  beforeAll(async () => {
    app = await startTestApp()
    second = (await app.must('POST', '/accounts', { name: 'École' })).id
    const zones: [string, string, string?][] = [
      ['example.com', app.accountId],
      ['sub.example.com', app.accountId, 'free'],
      ['example.net', second],
      ['bücher.example', second, 'pro'],
      ['my_zone.test', app.accountId],
      ['myxzone.test', app.accountId],
    ]
    for (const [name, id, plan = 'enterprise'] of zones) {
      const zone = await app.must('POST', '/zones', { name, account: { id }, plan: { legacy_id: plan } })
      if (name.startsWith('example')) await app.must('POST', `/zones/${zone.id}/dns_records`, A)
    }
  })
  afterAll(() => app.close())

  const ALL = [
    'example.com',
    'example.net',
    'my_zone.test',
    'myxzone.test',
    'sub.example.com',
    'bücher.example',
  ]
  const list = async (search: string) => {
    const answer = await app.call<Zone[]>({ method: 'GET', path: `/zones?${search}` })
    return {
      names: answer.json.result.map(({ name }) => name),
      info: answer.json.result_info,
      text: answer.text,
    }
  }

  const filters: [search: string, expected: string[]][] = [
    ['', ALL],
    ['name=example.com', ['example.com']],
    ['name=equal:example.com', ['example.com']],
    ['name=EQUAL:example.com', []],
    ['name=example', []],
    ['name=not_equal:example.com', ALL.filter((name) => name !== 'example.com')],
    ['name=starts_with:example', ['example.com', 'example.net']],
    ['name=ends_with:.com', ['example.com', 'sub.example.com']],
    ['name=contains:example.', ['example.com', 'example.net', 'sub.example.com']],
    ['name=contains:EXAMPLE.', ['example.com', 'example.net', 'sub.example.com']],
    ['name=contains_case_sensitive:example.', ['example.com', 'example.net', 'sub.example.com']],
    ['name=equal_case_sensitive:example.com', ['example.com']],
    ['name=equal_case_sensitive:Example.com', []],
    ['name=starts_with_case_sensitive:EXA', []],
    ['name=starts_with_case_sensitive:exa', ['example.com', 'example.net']],
    ['name=ends_with_case_sensitive:.COM', []],
    ['name=ends_with_case_sensitive:.com', ['example.com', 'sub.example.com']],
    ['name=contains_case_sensitive:AMP', []],
    ['name=equal_case_sensitive:b%C3%BCcher.example', ['bücher.example']],
    ['name=equal_case_sensitive:B%C3%9CCHER.example', []],
    ['name=not_equal_case_sensitive:EXAMPLE.com', ALL],
    ['account.name=starts_with_case_sensitive:%C3%89co', ['example.net', 'bücher.example']],
    ['account.name=starts_with_case_sensitive:%C3%A9co', []],
    ['account.name=contains_case_sensitive:COLE', []],
    ['account.name=contains:COLE', ['example.net', 'bücher.example']],
    ['name=contains:_', ['my_zone.test']],
    ['name=contains:%25', []],
    ['name=starts_with:my_', ['my_zone.test']],
    ['name=b%C3%BCcher.example', ['bücher.example']],
    ['name=B%C3%9CCHER.example.', ['bücher.example']],
    ['name=xn--bcher-kva.example', ['bücher.example']],
    ['name=', []],
    ['status=active', ['example.com', 'example.net']],
    ['status=pending', ['my_zone.test', 'myxzone.test', 'sub.example.com', 'bücher.example']],
    ['status=moved', []],
    ['type=full', ALL],
    ['type=partial,full', ALL],
    ['type=secondary', []],
    ['account.name=%C3%89cole', ['example.net', 'bücher.example']],
    ['account.name=%C3%A9COLE', ['example.net', 'bücher.example']],
    ['account.name=starts_with:zone', ['example.com', 'my_zone.test', 'myxzone.test', 'sub.example.com']],
    ['account.name=not_equal:zonereeve', ['example.net', 'bücher.example']],
    ['account.id=nothing', []],
    ['name=example.net&status=active', ['example.net']],
    ['name=example.net&status=pending', []],
    [
      'name=example.net&status=pending&match=any',
      ['example.net', 'my_zone.test', 'myxzone.test', 'sub.example.com', 'bücher.example'],
    ],
    ['match=any', ALL],
    ['order=name&direction=desc', ALL.toReversed()],
    [
      'order=status',
      ['example.com', 'example.net', 'my_zone.test', 'myxzone.test', 'sub.example.com', 'bücher.example'],
    ],
    [
      'order=status&direction=desc',
      ['bücher.example', 'sub.example.com', 'myxzone.test', 'my_zone.test', 'example.net', 'example.com'],
    ],
    [
      'order=plan.id',
      ['example.com', 'example.net', 'my_zone.test', 'myxzone.test', 'sub.example.com', 'bücher.example'],
    ],
    [
      'order=account.name',
      ['example.com', 'my_zone.test', 'myxzone.test', 'sub.example.com', 'example.net', 'bücher.example'],
    ],
  ]
  test.each(filters)('?%s', async (search, expected) => {
    const { names, info } = await list(search)
    expect(names).toEqual(expected)
    expect(info).toMatchObject({ count: expected.length, total_count: expected.length, total_pages: 1 })
  })

  test('by account', async () => {
    expect((await list(`account.id=${second}`)).names).toEqual(['example.net', 'bücher.example'])
    expect((await list(`account.id=${second}&status=active`)).names).toEqual(['example.net'])
  })

  test('ordered by account, in either direction', async () => {
    const [first = '', ...rest] = [app.accountId, second].toSorted()
    const inOrder = (await Promise.all([first, ...rest].map((id) => list(`account.id=${id}`)))).flatMap(
      ({ names }) => names,
    )
    expect((await list('order=account.id')).names).toEqual(inOrder)
    expect((await list('order=account.id&direction=desc')).names).toEqual(inOrder.toReversed())
  })

  test('in pages that add up to the whole', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`per_page=2&page=${page}`)))
    expect(pages.flatMap(({ names }) => names)).toEqual(ALL)
    expect(pages.map(({ info }) => info)).toEqual(
      [2, 2, 2, 0].map((count, index) => ({
        page: index + 1,
        per_page: 2,
        count,
        total_count: 6,
        total_pages: 3,
      })),
    )
  })

  test('has its counts before success, as the live API sends them', async () => {
    const { text } = await list('name=example.com')
    expect(text).toMatch(
      /\}\],"result_info":\{"page":1,"per_page":20,"count":1,"total_count":1,"total_pages":1\},"success":true,"errors":\[\],"messages":\[\]\}$/,
    )
  })
})
