// Firewall rules over HTTP: arrays and single rules, their filters, their order, and errors.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { scenarios, type Send } from '../../../testing/scenarios.ts'
import { allow, makeToken } from '../../../testing/test-tokens.ts'
import { ACTIONS, compareRules } from './firewall-rules.rules.ts'

const path = '/zones/{zone}/firewall/rules'
const NOWHERE = 'f'.repeat(32)
const expression = 'ip.src in {192.0.2.0/24}'
const filter = { expression }
const block = { action: 'block', filter }
const post = (body: unknown): Send => ({ method: 'POST', path, body })

scenarios('/zones/:id/firewall/rules', [
  {
    name: 'none',
    send: { method: 'GET', path },
    expect: { status: 200, result: [], info: { per_page: 25 } },
  },
  {
    name: 'a rule with its filter, in one change set',
    send: post([block]),
    expect: {
      status: 200,
      changes: 1,
      result: [{ paused: false, action: 'block', priority: null, filter: { paused: false, expression } }],
    },
  },
  {
    name: 'as older Terraform providers and flarectl send it',
    send: post([
      {
        paused: false,
        description: '',
        action: 'bypass',
        priority: null,
        filter: { expression, paused: false, description: '', ref: '' },
        products: ['waf', 'rateLimit'],
        created_on: '0001-01-01T00:00:00Z',
        modified_on: '0001-01-01T00:00:00Z',
      },
    ]),
    expect: {
      status: 200,
      changes: 1,
      result: [{ description: '', action: 'bypass', products: ['waf', 'rateLimit'], filter: { expression } }],
    },
  },
  {
    name: 'a single one, as the SDKs send it',
    send: post({ ...block, priority: 7, ref: 'R-1' }),
    expect: { status: 200, changes: 1, result: [{ priority: 7, ref: 'R-1' }] },
  },
  ...ACTIONS.map((action) => ({
    name: `action ${action}`,
    send: post([{ action, filter, ...(action === 'bypass' ? { products: ['waf'] } : {}) }]),
    expect: { status: 200, changes: 1, result: [{ action }] },
  })),
  {
    name: 'bypass of all products',
    send: post([
      {
        action: 'bypass',
        filter,
        products: ['zoneLockdown', 'uaBlock', 'bic', 'hot', 'securityLevel', 'rateLimit', 'waf'],
      },
    ]),
    expect: { status: 200, changes: 1 },
  },
  {
    name: 'bypass without products',
    send: post([{ action: 'bypass', filter }]),
    expect: {
      status: 400,
      codes: [19562],
      pointers: ['/0/products'],
      text: "products must be specified for the 'bypass' action",
    },
  },
  {
    name: 'bypass of an empty list',
    send: post({ action: 'bypass', filter, products: [] }),
    expect: { status: 400, codes: [19562], pointers: ['/products'] },
  },
  {
    name: 'products with another action',
    send: post([block, { action: 'allow', filter: { expression: 'ssl' }, products: ['waf'] }]),
    expect: {
      status: 400,
      codes: [19561],
      pointers: ['/1/products'],
      text: "products is only valid for the 'bypass' action",
    },
  },
  {
    name: 'empty products with another action are ignored',
    send: post([{ ...block, products: [] }]),
    expect: { status: 200, changes: 1, result: [{ action: 'block' }] },
  },
  ...['free', 'pro', 'business'].map((plan) => ({
    name: `the action log on plan ${plan}`,
    plan,
    send: post([{ action: 'log', filter }]),
    expect: { status: 403, codes: [19560], pointers: ['/0/action'] },
  })),
  ...[
    ['an unknown action', [{ action: 'drop', filter }], ['/0/action']],
    ['the action of a rate limit', [{ action: { mode: 'ban' }, filter }], ['/0/action']],
    ['no action', [{ filter }], ['/0/action']],
    ['no filter', [{ action: 'block' }], ['/0/filter']],
    ['a filter that is a string', [{ action: 'block', filter: expression }], ['/0/filter']],
    ['an unknown product', [{ action: 'bypass', filter, products: ['cdn'] }], ['/0/products/0']],
    ['a product twice', [{ action: 'bypass', filter, products: ['waf', 'waf'] }], ['/0/products']],
    ['a negative priority', [{ ...block, priority: -1 }], ['/0/priority']],
    ['a priority above the maximum', [{ ...block, priority: 2_147_483_648 }], ['/0/priority']],
    ['a priority that is a string', [{ ...block, priority: '1' }], ['/0/priority']],
    ['paused that is not a boolean', [{ ...block, paused: 1 }], ['/0/paused']],
    ['a description of 501 characters', [{ ...block, description: 'x'.repeat(501) }], ['/0/description']],
    ['a description with NUL', [{ ...block, description: 'a\0' }], ['/0/description']],
    ['a ref of 51 characters', [{ ...block, ref: 'x'.repeat(51) }], ['/0/ref']],
    ['no rule', [], [null]],
  ].map(([name, body, pointers]) => ({
    name: String(name),
    send: post(body),
    expect: { status: 400, codes: [6008], pointers: pointers as (string | null)[] },
  })),
  {
    name: 'an empty filter',
    send: post([{ action: 'block', filter: {} }]),
    expect: { status: 400, codes: [19559], pointers: ['/0/filter'] },
  },
  {
    name: 'an unknown filter: the rule before it is not created',
    send: post([block, { action: 'block', filter: { id: NOWHERE } }]),
    expect: { status: 400, codes: [19559], pointers: ['/1/filter/id'] },
  },
  {
    name: 'an invalid expression',
    send: post([{ action: 'block', filter: { expression: 'ssl eq 1' } }]),
    expect: {
      status: 400,
      codes: [19701],
      pointers: ['/0/filter/expression'],
      text: 'Filter parsing error (1:4)',
    },
  },
  {
    name: 'the expression of an existing filter',
    before: [{ method: 'POST', path: '/zones/{zone}/filters', body: [filter] }],
    send: post([block]),
    expect: {
      status: 400,
      codes: [10202],
      pointers: ['/0/filter'],
      text: /"meta":\{"id":"[0-9a-f]{32}"\}/,
    },
  },
  ...(
    [
      ['free', 5],
      ['pro', 20],
      ['business', 100],
      ['enterprise', 1_000],
    ] as const
  ).flatMap(([plan, quota]) => {
    const rules = (count: number, from = 0) =>
      Array.from({ length: count }, (_, index) => ({
        action: 'block',
        filter: { expression: `cf.threat_score eq ${from + index}` },
      }))
    return [
      {
        name: `${quota} rules on plan ${plan}`,
        plan,
        send: post(rules(quota)),
        expect: { status: 200, changes: 1 },
      },
      {
        name: `one more than ${quota} on plan ${plan}`,
        plan,
        before: [post(rules(quota - 1))],
        send: post(rules(2, quota)),
        expect: { status: 400, codes: [19563] },
      },
    ]
  }),
  ...['GET', 'PUT', 'PATCH', 'DELETE'].flatMap((method) => [
    {
      name: `${method} an unknown rule`,
      send: { method, path: `${path}/${NOWHERE}`, ...(method.startsWith('P') ? { body: block } : {}) },
      expect: { status: 404, codes: [19564] },
    },
    {
      name: `${method} an invalid ID`,
      send: { method, path: `${path}/first` },
      expect: { status: 400, codes: [7003] },
    },
  ]),
  ...['PUT', 'PATCH'].flatMap((method) => [
    {
      name: `${method} several, one of which does not exist`,
      send: { method, path, body: [{ id: NOWHERE, ...block }] },
      expect: { status: 404, codes: [19564], pointers: ['/0/id'] },
    },
    {
      name: `${method} several without their IDs`,
      send: { method, path, body: [block] },
      expect: { status: 400, codes: [6008], pointers: ['/0/id'] },
    },
  ]),
  ...['', '?id=', '?id=,'].map((sent) => ({
    name: `DELETE without IDs: ${sent}`,
    send: { method: 'DELETE', path: path + sent },
    expect: { status: 400, codes: [6008], pointers: ['/id'] },
  })),
])

describe('the evaluation order of rules', () => {
  const rule = (id: string, action: (typeof ACTIONS)[number], priority: number | null, createdOn = '1') => ({
    id,
    action,
    priority,
    createdOn,
  })
  test.each([
    [
      'numbers first, lower ones before higher ones',
      [rule('c', 'log', null), rule('b', 'log', 2), rule('a', 'log', 0)],
      'abc',
    ],
    [
      'equal ones by action',
      [
        rule('g', 'block', 1),
        rule('f', 'js_challenge', 1),
        rule('e', 'managed_challenge', 1),
        rule('d', 'challenge', 1),
        rule('c', 'allow', 1),
        rule('b', 'bypass', 1),
        rule('a', 'log', 1),
      ],
      'abcdefg',
    ],
    ['without numbers too', [rule('b', 'block', null), rule('a', 'allow', null)], 'ab'],
    [
      'then the older one',
      [rule('b', 'block', null, '2'), rule('c', 'block', null, '2'), rule('a', 'block', null, '1')],
      'abc',
    ],
  ])('%s', (_, rules, order) => {
    expect(
      rules
        .toSorted(compareRules)
        .map(({ id }) => id)
        .join(''),
    ).toBe(order)
    expect(
      rules
        .toReversed()
        .toSorted(compareRules)
        .map(({ id }) => id)
        .join(''),
    ).toBe(order)
  })
})

interface Shown {
  readonly id: string
  readonly action: string
  readonly modified_on: string
  readonly filter: { readonly id: string; readonly expression: string; readonly deleted?: boolean }
}

describe('beyond the tables', () => {
  let app: TestApp
  let zone: string
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    zone = (await app.must('POST', '/zones', { name: `z${crypto.randomUUID()}.example` })).id
  })

  const rules = () => `/zones/${zone}/firewall/rules`
  const make = async (...bodies: object[]) => app.must<Shown[]>('POST', rules(), bodies)
  const makeOne = async (body: object = block) => (await make(body))[0] ?? expect.fail('no rule')
  const list = (query = '') => app.must<Shown[]>('GET', `${rules()}?${query}`)
  const filterCount = async () => (await app.must<object[]>('GET', `/zones/${zone}/filters`)).length

  test('members are in the order of the live API', async () => {
    const made = await makeOne({
      ref: 'r',
      action: 'bypass',
      products: ['waf'],
      description: 'd',
      priority: 3,
      paused: true,
      filter: { expression, description: 'f' },
    })
    const { text } = await app.call({ method: 'GET', path: `${rules()}/${made.id}` })
    expect(text.replace(/"2026-01-05T10:20:30\.\d{6}Z"/g, '"at"')).toBe(
      `{"result":{"id":"${made.id}","paused":true,"description":"d","action":"bypass","priority":3,"products":["waf"],"filter":{"id":"${made.filter.id}","paused":false,"description":"f","expression":"${expression}"},"ref":"r","created_on":"at","modified_on":"at"},"success":true,"errors":[],"messages":[]}`,
    )
  })

  test('lists are in evaluation order, filtered by each parameter, and paged', async () => {
    await make(
      { ...block, description: 'Last' },
      { action: 'allow', filter: { expression: 'ssl' }, description: 'third' },
      { action: 'block', filter: { expression: 'not ssl' }, priority: 9, paused: true },
      { action: 'challenge', filter: { expression: 'http.host eq "bot.example"' }, priority: 1 },
    )
    const actions = async (query: string) => (await list(query)).map(({ action }) => action)
    expect(await actions('')).toEqual(['challenge', 'block', 'allow', 'block'])
    expect(await actions('action=block')).toEqual(['block', 'block'])
    expect(await actions('paused=true')).toEqual(['block'])
    expect(await actions('description=LAST')).toEqual(['block'])
    expect(await actions('action=none')).toEqual([])
    expect(await actions('per_page=3&page=2')).toEqual(['block'])
    const [first] = await list()
    expect(await list(`id=${first?.id}`)).toEqual([first])
  })

  test('a filter may be given by ID, and two rules may share it', async () => {
    const made = await makeOne()
    const other = await makeOne({ action: 'log', filter: { id: made.filter.id, expression: 'ssl' } })
    expect(other.filter).toEqual(made.filter)
    expect(await filterCount()).toBe(1)
  })

  test('PUT replaces the rule, and does not change its filter', async () => {
    const made = await makeOne({ ...block, description: 'd', priority: 4 })
    const body = { id: made.id, action: 'allow', filter: { id: made.filter.id, expression: 'ssl' } }
    const put = await app.must<Shown>('PUT', `${rules()}/${made.id}`, body)
    expect(put).toMatchObject({ id: made.id, action: 'allow', priority: null, filter: { expression } })
    expect(put).not.toHaveProperty('description')
    const count = await app.changeCount()
    expect(await app.must<Shown>('PUT', `${rules()}/${made.id}`, body)).toEqual(put)
    await app.must('PUT', `${rules()}/${made.id}`, { action: 'allow', filter: { expression } })
    expect(await app.changeCount()).toBe(count)
    const other = { action: 'allow', filter: { expression: 'not ssl' } }
    expect((await app.must<Shown>('PUT', `${rules()}/${made.id}`, other)).filter.expression).toBe('not ssl')
    expect(await filterCount()).toBe(2)
  })

  test('PATCH keeps members that are not sent, and returns a list', async () => {
    const made = await makeOne({ ...block, description: 'd', priority: 4, ref: 'r' })
    const [patched] = await app.must<Shown[]>('PATCH', `${rules()}/${made.id}`, {
      priority: null,
      paused: true,
    })
    expect(patched).toMatchObject({
      action: 'block',
      priority: null,
      paused: true,
      description: 'd',
      ref: 'r',
    })
    const wrong = await app.call({
      method: 'PATCH',
      path: `${rules()}/${made.id}`,
      body: { action: 'bypass' },
    })
    expect([wrong.status, wrong.json.errors[0]?.code]).toEqual([400, 19562])
    const [cleared] = await app.must<Shown[]>('PATCH', rules(), [
      { id: made.id, action: 'bypass', products: ['hot'], description: null },
    ])
    expect(cleared).toMatchObject({ action: 'bypass', products: ['hot'] })
    expect(cleared).not.toHaveProperty('description')
    const back = [{ id: made.id, action: 'block', products: null, filter: { id: made.filter.id } }]
    expect((await app.must<Shown[]>('PATCH', rules(), back))[0]).not.toHaveProperty('products')
  })

  test('several are changed in one change set, or none of them', async () => {
    const [a, b] = await make(block, { action: 'allow', filter: { expression: 'ssl' } })
    const count = await app.changeCount()
    const both = [
      { id: a?.id, priority: 2 },
      { id: b?.id, priority: 1 },
    ]
    await app.must('PATCH', rules(), both)
    expect(await app.changeCount()).toBe(count + 1)
    expect((await list()).map(({ id }) => id)).toEqual([b?.id, a?.id])
    const wrong = [
      { id: a?.id, priority: 8 },
      { id: NOWHERE, priority: 1 },
    ]
    expect((await app.call({ method: 'PATCH', path: rules(), body: wrong })).status).toBe(404)
    expect(await app.changeCount()).toBe(count + 1)
    expect((await list()).map(({ id }) => id)).toEqual([b?.id, a?.id])
  })

  test('deleting rules keeps their filters, or deletes those that no other rule uses', async () => {
    const [a, b, c] = await make(
      block,
      { action: 'allow', filter: { expression: 'ssl' } },
      { action: 'log', filter: { expression: 'not ssl' } },
    )
    expect(await app.must<object>('DELETE', `${rules()}/${a?.id}`)).toEqual({ id: a?.id })
    expect(await filterCount()).toBe(3)
    const shared = await makeOne({ action: 'block', filter: { id: b?.filter.id } })
    expect(
      await app.must<object[]>('DELETE', `${rules()}?id=${b?.id}&id=${c?.id}&delete_filter_if_unused=true`),
    ).toEqual([
      { id: b?.id, filter: { id: b?.filter.id, deleted: false } },
      { id: c?.id, filter: { id: c?.filter.id, deleted: true } },
    ])
    const body = { delete_filter_if_unused: true }
    expect(await app.must<object>('DELETE', `${rules()}/${shared.id}`, body)).toEqual({
      id: shared.id,
      filter: { id: b?.filter.id, deleted: true },
    })
    expect(await filterCount()).toBe(1)
    const unknown = await app.call({ method: 'DELETE', path: `${rules()}?id=${NOWHERE}` })
    expect([unknown.status, unknown.json.errors[0]?.code]).toEqual([404, 19564])
  })

  test('a rule of another zone is not found, nor is its filter', async () => {
    const made = await makeOne()
    const other = (await app.must('POST', '/zones', { name: `o${crypto.randomUUID()}.example` })).id
    for (const method of ['GET', 'DELETE'])
      expect((await app.call({ method, path: `/zones/${other}/firewall/rules/${made.id}` })).status).toBe(404)
    const body = [{ action: 'block', filter: { id: made.filter.id } }]
    const answer = await app.call({ method: 'POST', path: `/zones/${other}/firewall/rules`, body })
    expect([answer.status, answer.json.errors[0]?.code]).toEqual([400, 19559])
    expect(await list()).toEqual([made])
  })

  test('deleted with the zone, filters after rules; the change log has it and no serial increases', async () => {
    await makeOne()
    await app.must('DELETE', `/zones/${zone}`)
    const log = await app.changeLog(zone)
    expect(log.slice(1).map(({ ops }) => ops.map(({ kind }) => kind))).toEqual([
      ['filter.create', 'firewall_rule.create'],
      ['zone.delete', 'firewall_rule.delete', 'filter.delete'],
    ])
    expect(log[1]?.serial).toBeNull()
  })

  test('a dry run shows the change and stores nothing', async () => {
    const answer = await app.call({ method: 'POST', path: `${rules()}?dry_run=true`, body: [block] })
    expect(answer.json).toMatchObject({
      changes: [{ serial: null, ops: [{ kind: 'filter.create' }, { kind: 'firewall_rule.create' }] }],
    })
    expect([await list(), await filterCount()]).toEqual([[], 0])
  })

  test.each([
    ['GET', 'Firewall Services Read', 200],
    ['GET', 'Zone Read', 403],
    ['POST', 'Firewall Services Write', 200],
    ['POST', 'Firewall Services Read', 403],
  ] as const)('%s with %s: %i', async (method, group, status) => {
    const token = await makeToken(app, [allow([group], `account.zone.${zone}`)])
    const body = method === 'POST' ? { body: [block] } : {}
    expect((await app.call({ method, path: rules(), token, ...body })).status).toBe(status)
  })
})
