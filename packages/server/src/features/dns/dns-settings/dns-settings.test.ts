// DNS settings over HTTP, as tables: the request, the reply, and whether the zone's serial moved.
import { PERMISSION_GROUPS } from '@zonereeve/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { scenarios, type Expectation, type Scenario } from '../../../testing/scenarios.ts'

const PATH = '/zones/{zone}/dns_settings'
const ACCOUNT_PATH = '/accounts/{account}/dns_settings'

const DEFAULTS = {
  flatten_all_cnames: false,
  foundation_dns: false,
  internal_dns: {},
  multi_provider: false,
  nameservers: { type: 'cloudflare.standard', ns_set: 1 },
  ns_ttl: 86_400,
  secondary_overrides: false,
  soa: {
    mname: 'ns1.zonereeve.internal',
    rname: 'hostmaster.example.com',
    refresh: 10_000,
    retry: 2_400,
    expire: 604_800,
    min_ttl: 1_800,
    ttl: 3_600,
  },
  zone_mode: 'standard',
}

const ACCOUNT_DEFAULTS = {
  ...DEFAULTS,
  nameservers: { type: 'cloudflare.standard' },
  soa: { ...DEFAULTS.soa, mname: '', rname: '' },
}

const CHANGED = { status: 200, changes: 1, events: ['zone settings'] } as const

const patch = (name: string, body: object, expect: Expectation, more: Partial<Scenario> = {}): Scenario => ({
  name,
  send: { method: 'PATCH', path: PATH, body },
  expect,
  ...more,
})

const accepted = (name: string, body: object, result: object = body): Scenario =>
  patch(name, body, { ...CHANGED, result })

const refused = (name: string, body: object, codes: number[], pointers: string[]): Scenario =>
  patch(name, body, { status: 400, codes, pointers })

const soa = (members: object) => ({ soa: members })

const FOUNDATION_DNS = 19_801
const INTERNAL_DNS = 19_802
const MNAME = 19_803
const NAME_SERVERS = 19_804
const NS_SET = 19_805
const RANGE = 19_806
const RETRY_ABOVE_REFRESH = 19_807
const RNAME = 19_809
const SECONDARY = 19_810
const SOA_PLAN = 19_811
const SOA_ACCOUNT = 19_812
const ZONE_MODE = 19_813
const VANITY = 19_302

scenarios('/zones/:id/dns_settings', [
  {
    name: 'a new zone has the default settings',
    send: { method: 'GET', path: PATH },
    expect: { status: 200, result: DEFAULTS },
  },
  patch('an empty patch changes nothing', {}, { status: 200, result: DEFAULTS }),
  patch(
    'the current value is no change',
    { ns_ttl: 86_400, zone_mode: 'standard', ...soa({ ttl: 3_600, mname: null }) },
    { status: 200, result: DEFAULTS },
  ),
  patch('the whole reply, sent back, is no change', DEFAULTS, { status: 200, result: DEFAULTS }),
  patch('a misspelt member', { ns_tll: 60 }, { status: 400, codes: [6008], pointers: ['/ns_tll'] }),
  patch(
    'a misspelled member of the SOA',
    { soa: { retyr: 600 } },
    { status: 400, codes: [6008], pointers: ['/soa/retyr'] },
  ),

  accepted('aliases are flattened', { flatten_all_cnames: true }),
  accepted('other providers beside', { multi_provider: true }),
  accepted('proxied records only', { zone_mode: 'cdn_only' }),
  accepted('no proxied records', { zone_mode: 'dns_only' }),
  accepted(
    'one member of the SOA keeps the others',
    soa({ min_ttl: 300 }),
    soa({ ...DEFAULTS.soa, min_ttl: 300 }),
  ),
  accepted('several at once are one change', {
    flatten_all_cnames: true,
    ns_ttl: 3_600,
    ...soa({ mname: 'ns.example.net', refresh: 1_200, retry: 600 }),
  }),

  accepted('NS TTL, minimum', { ns_ttl: 30 }),
  refused('NS TTL, one below', { ns_ttl: 29 }, [RANGE], ['/ns_ttl']),
  patch('NS TTL, maximum', { ns_ttl: 86_400 }, CHANGED, {
    before: [{ method: 'PATCH', path: PATH, body: { ns_ttl: 60 } }],
  }),
  refused('NS TTL, one above', { ns_ttl: 86_401 }, [RANGE], ['/ns_ttl']),

  refused('foundation DNS', { foundation_dns: true }, [FOUNDATION_DNS], ['/foundation_dns']),
  refused(
    'an internal zone',
    { internal_dns: { reference_zone_id: '{zone}' } },
    [INTERNAL_DNS],
    ['/internal_dns/reference_zone_id'],
  ),
  patch('internal zone off', { internal_dns: {}, foundation_dns: false }, { status: 200 }),
  patch('internal zone null', { internal_dns: null }, { status: 200 }),
  refused('a second set', { nameservers: { ns_set: 2 } }, [NS_SET], ['/nameservers/ns_set']),
  ...['cloudflare.advanced', 'custom.account', 'custom.tenant', 'custom.zone', 'other'].map((type) =>
    refused(`name servers ${type}`, { nameservers: { type } }, [NAME_SERVERS], ['/nameservers/type']),
  ),
  patch('the standard name servers', { nameservers: { type: 'cloudflare.standard' } }, { status: 200 }),
  refused('overrides of a full zone', { secondary_overrides: true }, [SECONDARY], ['/secondary_overrides']),
  refused('another mode', { zone_mode: 'paused' }, [ZONE_MODE], ['/zone_mode']),
  refused(
    'every mistake is reported at once',
    {
      foundation_dns: true,
      nameservers: { type: 'custom.account', ns_set: 5 },
      ns_ttl: 1,
      secondary_overrides: true,
      zone_mode: 'none',
      ...soa({ mname: '', rname: '@', refresh: 1, retry: 1, expire: 1, min_ttl: 1, ttl: 1 }),
    },
    [
      FOUNDATION_DNS,
      NAME_SERVERS,
      NS_SET,
      RANGE,
      SECONDARY,
      ZONE_MODE,
      MNAME,
      RNAME,
      RANGE,
      RANGE,
      RANGE,
      RANGE,
      RANGE,
    ],
    [
      '/foundation_dns',
      '/nameservers/type',
      '/nameservers/ns_set',
      '/ns_ttl',
      '/secondary_overrides',
      '/zone_mode',
      '/soa/mname',
      '/soa/rname',
      '/soa/refresh',
      '/soa/retry',
      '/soa/expire',
      '/soa/min_ttl',
      '/soa/ttl',
    ],
  ),
  refused(
    'one mistake rejects all changes',
    { flatten_all_cnames: true, ...soa({ min_ttl: 300, ttl: 0 }) },
    [RANGE],
    ['/soa/ttl'],
  ),
  patch(
    'types of values',
    { ns_ttl: '60', multi_provider: 'yes', ...soa({ retry: 900.5 }) },
    { status: 400, codes: [6008, 6008, 6008], pointers: ['/multi_provider', '/ns_ttl', '/soa/retry'] },
  ),
])

/** Bounds of each time, in the table's profile; `others` are set so that only the bound itself is tested. */
function boundRows(rows: readonly (readonly [string, number, number, object?])[]): Scenario[] {
  return rows.flatMap(([member, minimum, maximum, others = {}]) => {
    const at = [`/soa/${member}`]
    const before = [
      {
        method: 'PATCH',
        path: PATH,
        body: soa({ refresh: 3_000, retry: 1_000, expire: 900_000, min_ttl: 61, ttl: 3_000, ...others }),
      },
    ]
    const given = (row: Scenario): Scenario => ({ ...row, before })
    return [
      given(accepted(`${member} ${minimum}`, soa({ [member]: minimum }))),
      given(refused(`${member} ${minimum - 1}`, soa({ [member]: minimum - 1 }), [RANGE], at)),
      given(accepted(`${member} ${maximum}`, soa({ [member]: maximum }))),
      given(refused(`${member} ${maximum + 1}`, soa({ [member]: maximum + 1 }), [RANGE], at)),
    ]
  })
}

scenarios(
  'bounds of the SOA as specified',
  boundRows([
    ['refresh', 600, 86_400, { retry: 600 }],
    ['retry', 600, 3_600, { refresh: 3_600 }],
    ['expire', 86_400, 2_419_200],
    ['min_ttl', 60, 86_400],
    ['ttl', 1_800, 3_600],
  ]),
)

scenarios(
  'bounds of the SOA as the live API has them',
  boundRows([
    ['refresh', 600, 86_400, { retry: 600 }],
    ['retry', 600, 86_400, { refresh: 86_400 }],
    ['expire', 86_400, 2_419_200],
    ['min_ttl', 60, 86_400],
    ['ttl', 300, 86_400],
  ]),
  { app: { profile: 'vendor' } },
)

scenarios('relations between the times of an SOA', [
  accepted('retry equal to refresh', soa({ refresh: 2_400 })),
  refused(
    'refresh below the current retry',
    soa({ refresh: 2_399 }),
    [RETRY_ABOVE_REFRESH],
    ['/soa/refresh'],
  ),
  refused(
    'retry above the refresh sent with it',
    soa({ refresh: 700, retry: 701 }),
    [RETRY_ABOVE_REFRESH],
    ['/soa/retry'],
  ),
  accepted('expire equal to refresh', soa({ refresh: 86_400, expire: 86_400 })),
])

const rnames: readonly (readonly [string, string, string])[] = [
  ['a name', 'dns.example.net', 'dns.example.net'],
  ['a name with a trailing dot', 'dns.example.net.', 'dns.example.net'],
  ['capitals', 'DNS.Example.NET', 'dns.example.net'],
  [
    'a name with a dot in its first label',
    String.raw`dns\.team.example.net`,
    String.raw`dns\.team.example.net`,
  ],
  ['the same in octets', String.raw`dns\046team.example.net`, String.raw`dns\.team.example.net`],
  ['an address', 'dns@example.net', 'dns.example.net'],
  ['an address with dots', 'the.dns.team@example.net', String.raw`the\.dns\.team.example.net`],
  ['an address with a sign', 'dns+soa@example.net', 'dns+soa.example.net'],
  ['an address in another script', 'dns@bücher.example', 'dns.xn--bcher-kva.example'],
  ['an escaped at-sign', String.raw`a\@b.example.net`, String.raw`a\@b.example.net`],
]

scenarios('the mailbox of an SOA', [
  ...rnames.map(([name, sent, shown]) => accepted(name, soa({ rname: sent }), soa({ rname: shown }))),
  ...[
    ['nothing', ''],
    ['one label', 'hostmaster'],
    ['the root', '.'],
    ['nothing before the sign', '@example.net'],
    ['nothing after the sign', 'dns@'],
    ['two signs', 'a@b@example.net'],
    ['a blank', 'dns team@example.net'],
    ['an address of a machine', 'dns@[192.0.2.1]'],
    ['an empty label', 'dns..example.net'],
    ['a label that is too long', `${'a'.repeat(64)}@example.net`],
    ['a name that is too long', `dns@${'a.'.repeat(126)}net`],
    ['another script before the sign', 'bücher@example.net'],
  ].map(([name = '', rname]) => refused(name, soa({ rname }), [RNAME], ['/soa/rname'])),
  patch(
    'null resets it to hostmaster',
    soa({ rname: null }),
    { ...CHANGED, result: DEFAULTS },
    {
      before: [{ method: 'PATCH', path: PATH, body: soa({ rname: 'dns.example.net' }) }],
    },
  ),
  patch('the default is no change', soa({ rname: 'hostmaster@example.com' }), { status: 200 }),
])

scenarios('the primary of an SOA', [
  accepted('a host', soa({ mname: 'NS.Example.net.' }), soa({ mname: 'ns.example.net' })),
  patch(
    'null resets it to the first name server',
    soa({ mname: null }),
    { ...CHANGED, result: DEFAULTS },
    {
      before: [{ method: 'PATCH', path: PATH, body: soa({ mname: 'ns.example.net' }) }],
    },
  ),
  patch(
    'the first name server itself is not stored',
    soa({ mname: 'NS1.zonereeve.internal.' }),
    { ...CHANGED, result: DEFAULTS },
    { before: [{ method: 'PATCH', path: PATH, body: soa({ mname: 'ns.example.net' }) }] },
  ),
  ...['', '.', '192.0.2.1', 'ns one.example.net', '-ns.example.net', 'a..b'].map((mname) =>
    refused(`not a host name: "${mname}"`, soa({ mname }), [MNAME], ['/soa/mname']),
  ),
])

scenarios('SOA values of smaller plans', [
  ...['free', 'pro', 'business'].map((plan) =>
    patch(
      `plan ${plan} cannot change them`,
      { flatten_all_cnames: true, ...soa({ min_ttl: 300 }) },
      { status: 403, codes: [SOA_PLAN], pointers: ['/soa'] },
      { plan },
    ),
  ),
  patch(
    'and errors within them are not reported',
    soa({ ttl: 1 }),
    { status: 403, codes: [SOA_PLAN], pointers: ['/soa'] },
    { plan: 'free' },
  ),
  patch('the current values may be sent', DEFAULTS, { status: 200 }, { plan: 'free' }),
  patch(
    'everything else may be changed',
    { flatten_all_cnames: true, ns_ttl: 60, zone_mode: 'dns_only', multi_provider: true },
    CHANGED,
    { plan: 'free' },
  ),
])

scenarios('custom name servers of the zone', [
  {
    name: 'are answered, and shown as their type',
    before: [{ method: 'PATCH', path: '/zones/{zone}', body: { vanity_name_servers: ['ns1.example.com'] } }],
    send: { method: 'GET', path: PATH },
    expect: { status: 200, result: { nameservers: { type: 'custom.zone', ns_set: 1 } } },
  },
  {
    name: 'bump the serial',
    send: {
      method: 'PATCH',
      path: '/zones/{zone}',
      body: { vanity_name_servers: ['NS1.example.com.', 'ns2.dns.example.com'] },
    },
    expect: {
      status: 200,
      changes: 1,
      events: ['zone changed'],
      result: { vanity_name_servers: ['ns1.example.com', 'ns2.dns.example.com'] },
    },
  },
  {
    name: 'go',
    before: [{ method: 'PATCH', path: '/zones/{zone}', body: { vanity_name_servers: ['ns1.example.com'] } }],
    send: { method: 'PATCH', path: '/zones/{zone}', body: { vanity_name_servers: [] } },
    expect: {
      status: 200,
      changes: 1,
      events: ['zone changed'],
      result: { vanity_name_servers: [] },
    },
  },
  {
    name: 'require the custom type, not the standard one',
    before: [{ method: 'PATCH', path: '/zones/{zone}', body: { vanity_name_servers: ['ns1.example.com'] } }],
    send: { method: 'PATCH', path: PATH, body: { nameservers: { type: 'cloudflare.standard' } } },
    expect: { status: 400, codes: [NAME_SERVERS], pointers: ['/nameservers/type'] },
  },
  {
    name: 'an NS record at the apex that says the same is there already',
    before: [{ method: 'PATCH', path: '/zones/{zone}', body: { vanity_name_servers: ['ns1.example.com'] } }],
    send: {
      method: 'POST',
      path: '/zones/{zone}/dns_records',
      body: { type: 'NS', name: '@', content: 'ns1.example.com' },
    },
    expect: { status: 400, codes: [81_058] },
  },
  {
    name: 'the same value is no change',
    before: [{ method: 'PATCH', path: '/zones/{zone}', body: { vanity_name_servers: ['ns1.example.com'] } }],
    send: { method: 'PATCH', path: '/zones/{zone}', body: { vanity_name_servers: ['ns1.example.com'] } },
    expect: { status: 200 },
  },
  {
    name: 'each invalid name is reported',
    send: {
      method: 'PATCH',
      path: '/zones/{zone}',
      body: {
        vanity_name_servers: ['ns1.example.com', 'ns1.example.net', 'example.com', 'a b', 'NS1.example.com'],
      },
    },
    expect: {
      status: 400,
      codes: [VANITY, VANITY, VANITY, VANITY],
      pointers: [1, 2, 3, 4].map((index) => `/vanity_name_servers/${index}`),
    },
  },
  {
    name: 'thirteen',
    send: {
      method: 'PATCH',
      path: '/zones/{zone}',
      body: { vanity_name_servers: Array.from({ length: 13 }, (_, index) => `ns${index}.example.com`) },
    },
    expect: { status: 200, changes: 1, events: ['zone changed'] },
  },
  {
    name: 'fourteen',
    send: {
      method: 'PATCH',
      path: '/zones/{zone}',
      body: { vanity_name_servers: Array.from({ length: 14 }, (_, index) => `ns${index}.example.com`) },
    },
    expect: { status: 400, codes: [VANITY], pointers: ['/vanity_name_servers'] },
  },
])

const account = (
  name: string,
  body: object,
  expect: Expectation,
  before: readonly { readonly method: string; readonly path: string; readonly body: object }[] = [],
): Scenario => ({
  name,
  before: [{ method: 'PATCH', path: ACCOUNT_PATH, body: RESET }, ...before],
  send: { method: 'PATCH', path: ACCOUNT_PATH, body },
  expect,
})

const RESET = {
  zone_defaults: ACCOUNT_DEFAULTS,
  enforce_dns_only: false,
}
const inAccount = (...members: string[]) => members.map((member) => `/zone_defaults/${member}`)

scenarios('/accounts/:id/dns_settings', [
  {
    name: 'a new account has the defaults',
    send: { method: 'GET', path: ACCOUNT_PATH },
    expect: { status: 200, result: { zone_defaults: ACCOUNT_DEFAULTS, enforce_dns_only: false } },
  },
  {
    name: 'an unknown account',
    send: { method: 'GET', path: `/accounts/${'0'.repeat(32)}/dns_settings` },
    expect: { status: 404, codes: [1003] },
  },
  {
    name: 'an unknown account cannot be changed',
    send: { method: 'PATCH', path: `/accounts/${'0'.repeat(32)}/dns_settings`, body: {} },
    expect: { status: 404, codes: [1003] },
  },
  account('an empty patch changes nothing', {}, { status: 200 }),
  account('the whole reply, sent back, is no change', RESET, { status: 200, result: RESET }),
  account('empty names of the SOA set no names', RESET, { status: 200, changes: 1, result: RESET }, [
    {
      method: 'PATCH',
      path: ACCOUNT_PATH,
      body: { zone_defaults: soa({ mname: 'ns.example.net', rname: 'dns@example.net' }) },
    },
  ]),
  account(
    'defaults are a change of the account and do not affect its zones',
    { zone_defaults: { ns_ttl: 60, secondary_overrides: true, ...soa({ rname: 'dns@example.net' }) } },
    {
      status: 200,
      changes: 1,
      result: {
        zone_defaults: { ns_ttl: 60, secondary_overrides: true, ...soa({ rname: 'dns.example.net' }) },
      },
    },
  ),
  account(
    'the rules are those of zones',
    {
      zone_defaults: {
        foundation_dns: true,
        nameservers: { type: 'cloudflare.standard.random' },
        ns_ttl: 29,
        ...soa({ retry: 3_601, ttl: 1_799 }),
      },
    },
    {
      status: 400,
      codes: [FOUNDATION_DNS, NAME_SERVERS, RANGE, RANGE, RANGE],
      pointers: inAccount('foundation_dns', 'nameservers/type', 'ns_ttl', 'soa/retry', 'soa/ttl'),
    },
  ),
  account(
    'name servers of a zone cannot be a default',
    { zone_defaults: { nameservers: { type: 'custom.zone' } } },
    { status: 400, codes: [NAME_SERVERS], pointers: inAccount('nameservers/type') },
  ),
  account(
    'enforced, each zone changes once',
    { enforce_dns_only: true },
    {
      status: 200,
      changes: 3,
      events: ['zone settings', 'zone settings'],
      result: { enforce_dns_only: true },
    },
    [{ method: 'POST', path: '/zones', body: { name: 'second.example', account: { id: '{account}' } } }],
  ),
  account(
    'enforced for zones that have it already, nothing changes',
    { enforce_dns_only: true },
    { status: 200, changes: 1 },
    [{ method: 'PATCH', path: PATH, body: { zone_mode: 'dns_only' } }],
  ),
  account('enforced again is no change', { enforce_dns_only: true }, { status: 200 }, [
    { method: 'PATCH', path: ACCOUNT_PATH, body: { enforce_dns_only: true } },
  ]),
  account(
    'no longer enforced',
    { enforce_dns_only: false },
    { status: 200, changes: 2, events: ['zone settings'] },
    [{ method: 'PATCH', path: ACCOUNT_PATH, body: { enforce_dns_only: true } }],
  ),
])

describe('beyond the tables', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  const accountId = async () => (await app.must<{ id: string }[]>('GET', '/accounts'))[0]?.id ?? ''
  const settingsOf = (zoneId: string) => app.must<object>('GET', `/zones/${zoneId}/dns_settings`)
  const newZone = (name: string, plan = 'enterprise') =>
    app.must('POST', '/zones', { name, plan: { legacy_id: plan } })

  test('members are in the order of the live API', async () => {
    const { id } = await newZone('order.example')
    const got = await settingsOf(id)
    expect(JSON.stringify(got)).toBe(
      JSON.stringify({ ...DEFAULTS, soa: { ...DEFAULTS.soa, rname: 'hostmaster.order.example' } }),
    )
    const text = JSON.stringify({ zone_defaults: ACCOUNT_DEFAULTS, enforce_dns_only: false })
    expect(JSON.stringify(await app.must('GET', `/accounts/${await accountId()}/dns_settings`))).toBe(text)
  })

  test('new zones take the account’s defaults, the SOA only if the plan allows it', async () => {
    const path = `/accounts/${await accountId()}/dns_settings`
    const older = await newZone('older.example')
    const defaults = {
      flatten_all_cnames: true,
      ns_ttl: 60,
      secondary_overrides: true,
      soa: { rname: 'dns@example.net', min_ttl: 300 },
      zone_mode: 'dns_only',
    }
    await app.must('PATCH', path, { zone_defaults: defaults })
    const large = await newZone('large.example')
    const small = await newZone('small.example', 'free')
    await app.must('PATCH', path, RESET)
    const newer = await newZone('newer.example')
    const taken = { ...DEFAULTS, flatten_all_cnames: true, ns_ttl: 60, zone_mode: 'dns_only' }
    expect(await settingsOf(large.id)).toEqual({
      ...taken,
      soa: { ...DEFAULTS.soa, rname: 'dns.example.net', min_ttl: 300 },
    })
    expect(await settingsOf(small.id)).toEqual({
      ...taken,
      soa: { ...DEFAULTS.soa, rname: 'hostmaster.small.example' },
    })
    for (const [{ id }, name] of [
      [older, 'older'],
      [newer, 'newer'],
    ] as const) {
      expect(await settingsOf(id)).toEqual({
        ...DEFAULTS,
        soa: { ...DEFAULTS.soa, rname: `hostmaster.${name}.example` },
      })
    }
    const [created] = await app.changeLog(large.id)
    expect(created?.ops.map(({ kind }) => kind)).toEqual(['zone.create', 'dns_settings.update'])
    const [plain] = await app.changeLog(newer.id)
    expect(plain?.ops.map(({ kind }) => kind)).toEqual(['zone.create'])
  })

  test('a change set records the actor, and the values before and after', async () => {
    const { id } = await newZone('log.example')
    await app.must('PATCH', `/zones/${id}/dns_settings`, { ns_ttl: 60 })
    const [first, second] = await app.changeLog(id)
    expect(second).toMatchObject({ actor_name: 'administrator', serial: (first?.serial ?? 0) + 1 })
    const [op] = second?.ops ?? []
    expect(op).toMatchObject({ kind: 'dns_settings.update', object_id: id })
    expect(JSON.parse(op?.before ?? '')).toMatchObject({ nsTtlSeconds: 86_400 })
    expect(JSON.parse(op?.after ?? '')).toMatchObject({ nsTtlSeconds: 60 })
  })

  test('they are deleted with their zone, and the change set keeps them', async () => {
    const { id } = await newZone('gone.example')
    await app.must('POST', `/zones/${id}/dns_records`, { type: 'A', name: 'www', content: '192.0.2.1' })
    await app.must('PATCH', `/zones/${id}/dns_settings`, { ns_ttl: 60 })
    await app.must('DELETE', `/zones/${id}`)
    const ops = (await app.changeLog(id)).at(-1)?.ops ?? []
    expect(ops.map(({ kind, after }) => [kind, after])).toEqual([
      ['zone.delete', null],
      ['dns_record.delete', null],
      ['dns_settings.update', null],
    ])
  })

  test('an account of type standard cannot set SOA values for its zones', async () => {
    const { id } = await app.must('POST', '/accounts', { name: 'Standard', type: 'standard' })
    const send = { method: 'PATCH', path: `/accounts/${id}/dns_settings` }
    const answer = await app.call({ ...send, body: { zone_defaults: { soa: { ttl: 3_000 } } } })
    expect([answer.status, answer.json.errors.map(({ code, source }) => [code, source?.pointer])]).toEqual([
      403,
      [[SOA_ACCOUNT, '/zone_defaults/soa']],
    ])
    expect(await app.changeLog(id)).toHaveLength(1)
    const allowed = await app.call({ ...send, body: { zone_defaults: { ns_ttl: 60 } } })
    expect(allowed.status).toBe(200)
    await app.must('DELETE', `/accounts/${id}`)
  })

  test.each([
    ['GET', 'Zone DNS Settings Read', 200],
    ['GET', 'DNS Read', 200],
    ['GET', 'Zone Read', 403],
    ['PATCH', 'Zone DNS Settings Write', 200],
    ['PATCH', 'DNS Write', 200],
    ['PATCH', 'DNS Read', 403],
    ['PATCH', 'Zone DNS Settings Read', 403],
  ] as const)('%s with %s: %i', async (method, group, status) => {
    const { id } = await newZone(`${group.replaceAll(' ', '-')}.${method}.example`)
    const token = await tokenWith(app, group, { [`com.cloudflare.api.account.zone.${id}`]: '*' })
    const body = method === 'PATCH' ? { body: { ns_ttl: 60 } } : {}
    const answer = await app.call({ method, path: `/zones/${id}/dns_settings`, token, ...body })
    expect(answer.status).toBe(status)
  })

  test.each([
    ['GET', 'Account DNS Settings Read', 200],
    ['GET', 'Account Settings Read', 403],
    ['PATCH', 'Account DNS Settings Write', 200],
    ['PATCH', 'Account DNS Settings Read', 403],
  ] as const)('account: %s with %s: %i', async (method, group, status) => {
    const id = await accountId()
    const token = await tokenWith(app, group, { [`com.cloudflare.api.account.${id}`]: '*' })
    const body = method === 'PATCH' ? { body: {} } : {}
    const answer = await app.call({ method, path: `/accounts/${id}/dns_settings`, token, ...body })
    expect(answer.status).toBe(status)
  })
})

/** A new token that holds one permission group on `resources`. */
async function tokenWith(app: TestApp, group: string, resources: object): Promise<string> {
  const id = PERMISSION_GROUPS.find(({ name }) => name === group)?.id
  const policies = [{ effect: 'allow', resources, permission_groups: [{ id }] }]
  return (await app.must<{ value: string }>('POST', '/user/tokens', { name: group, policies })).value
}
