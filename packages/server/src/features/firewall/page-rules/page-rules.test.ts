// Page rules over HTTP: values, errors, priorities, quotas, and the change log.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { allow, makeToken } from '../../../testing/test-tokens.ts'
import { scenarios, type Send } from '../../../testing/scenarios.ts'
import { pageRuleSettings } from '@zonereeve/firewall'

const path = '/zones/{zone}/pagerules'
const NOWHERE = 'f'.repeat(32)
const target = (value: string, operator = 'matches') => ({ target: 'url', constraint: { operator, value } })
const rule = (value: string, more: object = {}) => ({
  targets: [target(value)],
  actions: [{ id: 'disable_security' }],
  ...more,
})
const create = (body: unknown): Send => ({ method: 'POST', path, body })
const withAction = (action: unknown) => create(rule('example.com/', { actions: [action] }))
const withTarget = (sent: unknown) => create(rule('', { targets: [sent] }))

const VALUES: Readonly<
  Record<string, { readonly good: readonly unknown[]; readonly bad: readonly unknown[] }>
> = {
  none: { good: [undefined, null, 'on'], bad: ['off', 1, {}] },
  toggle: { good: ['on', 'off'], bad: [undefined, null, true, 'ON', ''] },
  browser_cache_ttl: { good: [0, 31_536_000], bad: [-1, 31_536_001, 1.5, '30', null] },
  edge_cache_ttl: { good: [1, 31_536_000], bad: [0, 31_536_001, '30'] },
  bypass_cache_on_cookie: { good: ['a=.*', 'x'.repeat(150)], bad: ['', 'x'.repeat(151), 1] },
  cache_on_cookie: { good: ['a=.*'], bad: ['', null] },
  host_header_override: { good: ['other.example.com'], bad: ['', 1, 'x'.repeat(256)] },
  resolve_override: { good: ['other.example.com'], bad: ['', {}] },
  cache_level: {
    good: ['bypass', 'basic', 'simplified', 'aggressive', 'cache_everything'],
    bad: ['all', null],
  },
  polish: { good: ['off', 'lossless', 'lossy'], bad: ['on'] },
  security_level: { good: ['off', 'essentially_off', 'low', 'medium', 'high', 'under_attack'], bad: ['on'] },
  ssl: { good: ['off', 'flexible', 'full', 'strict', 'origin_pull'], bad: ['on'] },
  minify: { good: [{ css: 'on', html: 'off', js: 'on' }, {}], bad: ['on', { css: true }, { svg: 'on' }, []] },
  cache_ttl_by_status: {
    good: [{ '200': 60, '201-299': 'no-cache', '500-599': 'no-store', '404': -1 }, {}],
    bad: ['60', { '99': 1 }, { '200': '60' }, { '200': -2 }, { ok: 1 }, { '200-2999': 1 }],
  },
  forwarding_url: {
    good: [
      { url: 'https://example.net/$1', status_code: 301 },
      { url: 'u'.repeat(1_500), status_code: 302 },
    ],
    bad: [
      { url: 'https://example.net' },
      { status_code: 301 },
      { url: '', status_code: 301 },
      { url: 'u'.repeat(1_501), status_code: 302 },
      { url: 'x', status_code: 307 },
      { url: 'x', status_code: 301, preserve: true },
      'https://example.net',
    ],
  },
  cache_key_fields: {
    good: [
      {
        cookie: { check_presence: ['a'], include: ['b'] },
        header: { check_presence: [], exclude: ['c'], include: ['d'] },
        host: { resolved: true },
        query_string: { include: '*', exclude: ['e'], ignore: false },
        user: { device_type: true, geo: false, lang: true },
      },
      {},
    ],
    bad: [
      { cookies: {} },
      { cookie: ['a'] },
      { cookie: { include: 'a' } },
      { cookie: { include: [''] } },
      { cookie: { include: Array.from({ length: 51 }, String) } },
      { host: { resolved: 'on' } },
      { query_string: { include: '**' } },
      { user: { city: true } },
      { constructor: {} },
    ],
  },
}
const SETTINGS = pageRuleSettings()
const valuesOf = ({ id, properties }: (typeof SETTINGS)[number]) =>
  VALUES[id] ?? VALUES[properties[0]?.type ?? 'none'] ?? { good: [], bad: [] }
const text = (value: unknown) => JSON.stringify(value)?.slice(0, 60) ?? 'nothing'

scenarios('values of page rule settings', [
  ...SETTINGS.flatMap((setting) =>
    valuesOf(setting).good.map((value) => ({
      name: `${setting.id} accepts ${text(value)}`,
      send: withAction({ id: setting.id, value }),
      expect: {
        status: 200,
        changes: 1,
        result: {
          actions: [value === undefined || value === null ? { id: setting.id } : { id: setting.id, value }],
        },
      },
    })),
  ),
  ...SETTINGS.flatMap((setting) =>
    valuesOf(setting).bad.map((value, index) => ({
      name: `${setting.id} rejects ${text(value)} (${index})`,
      send: withAction({ id: setting.id, value }),
      expect: { status: 400, codes: [1004], messages: [1], text: /"pointer":"\/actions\/0\/value/ },
    })),
  ),
])

scenarios('/zones/:id/pagerules', [
  {
    name: 'no rules: an empty list, as octoDNS expects',
    send: { method: 'GET', path: `${path}?status=active` },
    expect: { status: 200, result: [], text: /^\{"result":\[\],"success":true/ },
  },
  {
    name: 'only the required members',
    send: create(rule('www.example.com/admin*')),
    expect: {
      status: 200,
      changes: 1,
      result: {
        targets: [target('www.example.com/admin*')],
        actions: [{ id: 'disable_security' }],
        priority: 1,
        status: 'disabled',
      },
    },
  },
  {
    name: 'all members, as older Terraform providers and flarectl send it',
    send: create({
      id: '',
      targets: [target('https://example.com/*')],
      actions: [
        { id: 'always_use_https', value: null },
        { id: 'waf', value: 'off' },
      ],
      priority: 7,
      status: 'active',
      modified_on: '0001-01-01T00:00:00Z',
      created_on: '0001-01-01T00:00:00Z',
    }),
    expect: {
      status: 200,
      changes: 1,
      result: {
        actions: [{ id: 'always_use_https' }, { id: 'waf', value: 'off' }],
        priority: 7,
        status: 'active',
      },
      text: /"created_on":"2026/,
    },
  },
  ...['matches', 'contains', 'equals', 'not_equal', 'not_contain'].map((operator) => ({
    name: `operator ${operator}`,
    send: withTarget(target('example.com/x', operator)),
    expect: { status: 200, changes: 1, result: { targets: [target('example.com/x', operator)] } },
  })),
  ...[
    '*example.com/*',
    '*.example.com/',
    'a.b.example.com:8443/*',
    'http*://*.com/*',
    '*/x',
    'EXAMPLE.com/?q=*',
  ].map((value) => ({
    name: `pattern ${value}`,
    send: withTarget(target(value)),
    expect: { status: 200, changes: 1, result: { targets: [target(value)] } },
  })),
  ...['example.net/*', '*.example.net/*', 'badexample.com/', 'example.com.example.net/'].map((value) => ({
    name: `pattern ${value}, which matches no URL of the zone, has a notice`,
    send: withTarget(target(value)),
    expect: { status: 200, changes: 1, messages: [19570], result: { targets: [target(value)] } },
  })),
  ...[
    ['no target', 'text', '/targets/0/target'],
    ['another target', { target: 'host', constraint: target('example.com').constraint }, '/targets/0/target'],
    ['another operator', target('example.com', 'like'), '/targets/0/constraint/operator'],
    ['five wildcards', target('*.*.*.*.*/'), '/targets/0/constraint/value'],
    ['no URL', target(''), '/targets/0/constraint/value'],
    ['no host', target('/path'), '/targets/0/constraint/value'],
    ['a space', target('example.com/a b'), '/targets/0/constraint/value'],
    ['a line break', target('example.com/\n'), '/targets/0/constraint/value'],
    ['too long', target(`example.com/${'x'.repeat(1_500)}`), '/targets/0/constraint/value'],
  ].map(([name, sent, pointer]) => ({
    name: `target: ${String(name)}`,
    send: withTarget(sent),
    expect: {
      status: 400,
      text: new RegExp(`"code":1004,[^}]*"pointer":"${String(pointer)}"`),
      ...oneProblem(sent),
    },
  })),
  {
    name: 'all errors are reported at once',
    send: create({ targets: [], actions: [{ id: 'waf' }, { id: 'warp' }], priority: 'first', status: 'on' }),
    expect: {
      status: 400,
      codes: [1004, 1004, 1004, 1004, 1004],
      pointers: ['/targets', '/actions/0/value', '/actions/1/id', '/priority', '/status'],
      messages: [1, 1, 1, 1, 1],
      text: '".actions[0].value: must be on or off","type":null',
    },
  },
  {
    name: 'an empty body',
    send: create({}),
    expect: { status: 400, codes: [1004, 1004], pointers: ['/targets', '/actions'], messages: [1, 1] },
  },
  { name: 'not an object', send: create([]), expect: { status: 400, codes: [6008], pointers: [null] } },
  {
    name: 'no settings',
    send: create(rule('example.com/', { actions: [] })),
    expect: { status: 400, codes: [1004], pointers: ['/actions'], messages: [1] },
  },
  {
    name: 'a setting twice',
    send: create(
      rule('example.com/', {
        actions: [
          { id: 'waf', value: 'on' },
          { id: 'waf', value: 'off' },
        ],
      }),
    ),
    expect: { status: 400, codes: [1004], pointers: ['/actions/1/id'], messages: [1] },
  },
  {
    name: 'forwarding with other settings',
    send: create(
      rule('example.com/', {
        actions: [
          { id: 'forwarding_url', value: { url: 'https://example.net', status_code: 301 } },
          { id: 'disable_security' },
        ],
      }),
    ),
    expect: { status: 400, codes: [1004], pointers: ['/actions'], messages: [1] },
  },
  {
    name: 'the URL of another rule',
    before: [create(rule('example.com/'))],
    send: create(rule('example.com/', { actions: [{ id: 'waf', value: 'off' }] })),
    expect: {
      status: 400,
      codes: [1004],
      pointers: ['/targets'],
      messages: [1],
      text: '.distinctTargetUrl: Your zone already has an existing page rule with that URL.',
    },
  },
  ...(
    [
      ['free', 3],
      ['pro', 20],
      ['business', 50],
      ['enterprise', 125],
    ] as const
  ).flatMap(([plan, quota]) => {
    const rules = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        create(rule(`example.com/${index}`, { priority: index + 1 })),
      )
    return [
      {
        name: `${quota} rules on plan ${plan}`,
        plan,
        before: rules(quota - 1),
        send: create(rule('example.com/last', { priority: 999 })),
        expect: { status: 200, changes: 1 },
      },
      {
        name: `one more than ${quota} on plan ${plan}`,
        plan,
        before: rules(quota),
        send: create(rule('example.com/more', { priority: 999 })),
        expect: { status: 400, codes: [1004], messages: [1], text: `at most ${quota} page rules` },
      },
    ]
  }),
  ...[{ order: 'name' }, { direction: 'up' }, { match: 'some' }, { status: 'paused' }].map((query) => ({
    name: `list: ${JSON.stringify(query)}`,
    send: { method: 'GET', path: `${path}?${new URLSearchParams(query).toString()}` },
    expect: { status: 400, codes: [6008], pointers: [`/${Object.keys(query).join()}`] },
  })),
  ...['GET', 'PUT', 'PATCH', 'DELETE'].flatMap((method) => [
    {
      name: `${method} an unknown rule`,
      send: {
        method,
        path: `${path}/${NOWHERE}`,
        ...(method.startsWith('P') ? { body: rule('example.com/') } : {}),
      },
      expect: { status: 404, codes: [1002] },
    },
    {
      name: `${method} an invalid ID`,
      send: { method, path: `${path}/first` },
      expect: { status: 400, codes: [7003] },
    },
  ]),
  {
    name: 'the available settings, for forms',
    send: { method: 'GET', path: `${path}/settings` },
    expect: {
      status: 200,
      text: '{"id":"edge_cache_ttl","properties":[{"name":"value","type":"range","min":1,"max":31536000}]}',
    },
  },
])

/** A string has neither target nor operator nor URL; every other row has one problem. */
function oneProblem(sent: unknown): object {
  const problems = typeof sent === 'string' ? 3 : 1
  return { codes: Array(problems).fill(1004), messages: Array(problems).fill(1) }
}

interface Shown {
  readonly id: string
  readonly priority: number
  readonly status: string
  readonly targets: readonly { readonly constraint: { readonly value: string } }[]
}

describe('beyond the tables', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  const newZone = async (name: string, plan = 'enterprise') =>
    `/zones/${(await app.must('POST', '/zones', { name, plan: { legacy_id: plan } })).id}`
  const list = async (zone: string, query = '') =>
    (await app.must<Shown[]>('GET', `${zone}/pagerules${query}`)).map(
      ({ targets, priority }) => `${targets[0]?.constraint.value} ${priority}`,
    )

  test('members are in the order of the live API', async () => {
    const zone = await newZone('order.example')
    const made = await app.must('POST', `${zone}/pagerules`, rule('order.example/', { priority: 3 }))
    const { text } = await app.call({ method: 'GET', path: `${zone}/pagerules/${made.id}` })
    const at = '"2026-01-05T10:20:30\\.\\d{6}Z"'
    expect(text.replace(new RegExp(at, 'g'), '"at"')).toBe(
      `{"result":{"id":"${made.id}","targets":[{"target":"url","constraint":{"operator":"matches","value":"order.example/"}}],"actions":[{"id":"disable_security"}],"priority":3,"status":"disabled","created_on":"at","modified_on":"at"},"success":true,"errors":[],"messages":[]}`,
    )
  })

  test('the highest number comes first; occupied priorities move up to the first gap, in the same change set', async () => {
    const zone = await newZone('priorities.example')
    for (const [name, priority] of [
      ['a', 1],
      ['b', 2],
      ['d', 4],
      ['e', 5],
    ] as const)
      await app.must('POST', `${zone}/pagerules`, rule(`priorities.example/${name}`, { priority }))
    const before = await app.changeCount()
    await app.must('POST', `${zone}/pagerules`, rule('priorities.example/new'))
    const host = 'priorities.example/'
    expect(await list(zone)).toEqual(['e 5', 'd 4', 'b 3', 'a 2', 'new 1'].map((line) => host + line))
    expect(await app.changeCount()).toBe(before + 1)
    const ops = (await app.changeLog(zone.slice('/zones/'.length))).at(-1)?.ops ?? []
    expect(ops.map(({ kind, before, after }) => [kind, priorityIn(before), priorityIn(after)])).toEqual([
      ['page_rule.create', undefined, 1],
      ['page_rule.update', 1, 2],
      ['page_rule.update', 2, 3],
    ])
  })

  test('a rule with a new priority moves others up, and leaves a gap', async () => {
    const zone = await newZone('moves.example')
    for (const priority of [1, 2, 3])
      await app.must('POST', `${zone}/pagerules`, rule(`moves.example/${priority}`, { priority }))
    const [top] = await app.must<Shown[]>('GET', `${zone}/pagerules`)
    await app.must('PATCH', `${zone}/pagerules/${top?.id}`, { priority: 1 })
    expect(await list(zone)).toEqual(['moves.example/2 3', 'moves.example/1 2', 'moves.example/3 1'])
    await app.must('PATCH', `${zone}/pagerules/${top?.id}`, { priority: 9 })
    expect(await list(zone, '?direction=asc')).toEqual([
      'moves.example/1 2',
      'moves.example/2 3',
      'moves.example/3 9',
    ])
  })

  test('PATCH keeps members that are not sent, PUT resets them; repeating it is not a change', async () => {
    const zone = await newZone('edits.example')
    const sent = rule('edits.example/', { priority: 5, status: 'active' })
    const { id } = await app.must('POST', `${zone}/pagerules`, sent)
    const at = `${zone}/pagerules/${id}`
    const actions = [{ id: 'ssl', value: 'full' }]
    expect(await app.must<object>('PATCH', at, { actions })).toMatchObject({ ...sent, actions })
    const count = await app.changeCount()
    await app.must('PATCH', at, { actions })
    expect(await app.changeCount()).toBe(count)
    expect(await app.must<object>('PUT', at, rule('edits.example/put'))).toMatchObject({
      id,
      priority: 1,
      status: 'disabled',
      actions: [{ id: 'disable_security' }],
    })
    const refused = await app.call({ method: 'PUT', path: at, body: { actions } })
    expect([refused.status, refused.json.errors.map(({ source }) => source?.pointer)]).toEqual([
      400,
      ['/targets'],
    ])
    expect(await app.must<{ id: string }>('DELETE', at)).toEqual({ id })
    expect(await list(zone)).toEqual([])
  })

  test('a dry run shows the effect on other rules, too, and stores nothing', async () => {
    const zone = await newZone('dry.example')
    await app.must('POST', `${zone}/pagerules`, rule('dry.example/a'))
    const count = await app.changeCount()
    const answer = await app.call<Shown>({
      method: 'POST',
      path: `${zone}/pagerules?dry_run=true`,
      body: rule('dry.example/b'),
    })
    expect([answer.status, answer.json.result.priority]).toEqual([200, 1])
    expect(answer.json).toMatchObject({
      changes: [{ serial: null, ops: [{ kind: 'page_rule.create' }, { kind: 'page_rule.update' }] }],
    })
    expect(await app.changeCount()).toBe(count)
    expect(await list(zone)).toEqual(['dry.example/a 1'])
  })

  test('history shows the change, and reverting it alone is rejected by name', async () => {
    const zone = await newZone('history.example')
    await app.must('POST', `${zone}/pagerules`, rule('history.example/'))
    const history = `/zonereeve${zone}/changes`
    expect(await app.must<object>('GET', `${history}/2`)).toMatchObject({ number: 2, serial: null })
    const { status, json } = await app.call({ method: 'POST', path: `${history}/2/revert`, body: {} })
    expect([status, json.errors[0]?.code, json.errors[0]?.message]).toEqual([
      400,
      19602,
      expect.stringMatching(/page_rule\.create/),
    ])
    expect(await list(zone)).toHaveLength(1)
  })

  test.each([
    ['GET', 'Zone Read', 200],
    ['GET', 'Page Rules Read', 200],
    ['GET', 'DNS Read', 403],
    ['POST', 'Page Rules Write', 200],
    ['POST', 'Page Rules Read', 403],
    ['POST', 'Zone Write', 403],
  ] as const)('%s with %s: %i', async (method, group, status) => {
    const name = `${group.replaceAll(' ', '-')}.${method}.example`
    const zone = await newZone(name)
    const token = await makeToken(app, [allow([group], `account.zone.${zone.slice('/zones/'.length)}`)])
    const body = method === 'POST' ? { body: rule(`${name}/`) } : {}
    expect((await app.call({ method, path: `${zone}/pagerules`, token, ...body })).status).toBe(status)
  })

  test('sorted by status in both directions, and filtered by status', async () => {
    const zone = await newZone('status.example')
    for (const [name, status] of [
      ['1', 'active'],
      ['2', 'disabled'],
      ['3', 'active'],
    ])
      await app.must(
        'POST',
        `${zone}/pagerules`,
        rule(`status.example/${name}`, { status, priority: Number(name) }),
      )
    const names = async (query: string) => (await list(zone, query)).map((line) => line.at(-1))
    expect(await names('?order=status&direction=asc')).toEqual(['3', '1', '2'])
    expect(await names('?order=status')).toEqual(['2', '1', '3'])
    expect(await names('?status=active&match=any')).toEqual(['3', '1'])
    expect(await names('?status=disabled')).toEqual(['2'])
  })

  test('a rule of another zone is not found', async () => {
    const [zone, other] = [await newZone('own.example'), await newZone('other.example')]
    const { id } = await app.must('POST', `${zone}/pagerules`, rule('own.example/'))
    for (const method of ['GET', 'DELETE'])
      expect((await app.call({ method, path: `${other}/pagerules/${id}` })).json.errors).toMatchObject([
        { code: 1002 },
      ])
    expect(await list(zone)).toHaveLength(1)
  })

  test('deleted with the zone, and the change log has it', async () => {
    const zone = await newZone('gone.example')
    await app.must('POST', `${zone}/pagerules`, rule('gone.example/'))
    await app.must('DELETE', zone)
    const log = await app.changeLog(zone.slice('/zones/'.length))
    expect(log.map(({ serial, ops }) => [serial === null, ops.map(({ kind }) => kind)])).toEqual([
      [false, expect.arrayContaining(['zone.create'])],
      [true, ['page_rule.create']],
      [false, ['zone.delete', 'page_rule.delete']],
    ])
  })
})

const priorityIn = (text: string | null): unknown =>
  text === null ? undefined : (JSON.parse(text) as { priority: number }).priority
