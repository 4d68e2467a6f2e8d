// Overrides of the legacy managed rules over HTTP.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { scenarios, type Send } from '../../../testing/scenarios.ts'
import { allow, makeToken } from '../../../testing/test-tokens.ts'
import { LEGACY_GROUPS, MANAGED_RULES } from '@zonereeve/firewall'

const path = '/zones/{zone}/firewall/waf/overrides'
const NOWHERE = 'f'.repeat(32)
const group = LEGACY_GROUPS[0]?.id ?? ''
const rule = MANAGED_RULES.find(({ legacy }) => legacy !== null)?.legacy?.id ?? ''
const least = { urls: ['shop.example.com/*'], rules: { [rule]: 'disable' } }
const post = (body: unknown): Send => ({ method: 'POST', path, body })

scenarios('/zones/:id/firewall/waf/overrides', [
  {
    name: 'none',
    send: { method: 'GET', path },
    expect: { status: 200, result: [], info: { per_page: 50 } },
  },
  {
    name: 'only the required members',
    send: post(least),
    expect: {
      status: 200,
      changes: 1,
      result: { ...least, description: null, priority: 1, groups: {}, rewrite_action: {}, paused: false },
    },
  },
  {
    name: 'all members',
    send: post({
      description: 'Shop',
      urls: ['http://shop.example.com/*', '*.example.com/shop'],
      priority: -1_000_000_000,
      groups: { [group]: 'default' },
      rules: { [rule]: 'challenge' },
      rewrite_action: {
        default: 'block',
        challenge: 'block',
        block: 'simulate',
        simulate: 'disable',
        disable: 'default',
      },
      paused: true,
    }),
    expect: {
      status: 200,
      changes: 1,
      result: { description: 'Shop', priority: -1_000_000_000, groups: { [group]: 'default' }, paused: true },
    },
  },
  {
    name: 'as older clients send it, with null for empty members',
    send: post({ ...least, description: '', groups: null, rewrite_action: null, priority: 0, paused: false }),
    expect: {
      status: 200,
      changes: 1,
      result: { description: '', groups: {}, rewrite_action: {}, priority: 0 },
    },
  },
  {
    name: 'unknown groups and rules are stored, with a notice that they have no effect',
    send: post({ urls: ['example.com/'], groups: { [NOWHERE]: 'default' }, rules: { '1000159': 'disable' } }),
    expect: {
      status: 200,
      changes: 1,
      messages: [19571, 19571],
      result: { groups: { [NOWHERE]: 'default' }, rules: { '1000159': 'disable' } },
    },
  },
  {
    name: 'an empty override',
    send: post({ urls: ['example.com/'] }),
    expect: { status: 400, codes: [19552], pointers: ['/rules'] },
  },
  {
    name: 'keys that are not IDs',
    send: post({ urls: ['example.com/'], groups: { specials: 'block' }, rules: { 'a/b': 'block' } }),
    expect: { status: 400, codes: [19553, 19553], pointers: ['/groups/specials', '/rules/a~1b'] },
  },
  ...[
    ['no URLs', { rules: least.rules }, '/urls'],
    ['an empty list of URLs', { ...least, urls: [] }, '/urls'],
    ['an empty URL', { ...least, urls: [''] }, '/urls/0'],
    ['a URL with a space', { ...least, urls: ['a b'] }, '/urls/0'],
    ['a hundred and one URLs', { ...least, urls: Array.from({ length: 101 }, () => 'a/') }, '/urls'],
    ['an unknown action', { ...least, rules: { [rule]: 'log' } }, `/rules/${rule}`],
    ['an unknown action to rewrite', { ...least, rewrite_action: { log: 'block' } }, '/rewrite_action/log'],
    [
      'an unknown action to rewrite to',
      { ...least, rewrite_action: { block: 'log' } },
      '/rewrite_action/block',
    ],
    ['a priority above the maximum', { ...least, priority: 1_000_000_001 }, '/priority'],
    ['an invalid priority', { ...least, priority: 'high' }, '/priority'],
    ['a description of 1025 characters', { ...least, description: 'x'.repeat(1_025) }, '/description'],
    ['paused that is not a boolean', { ...least, paused: 0 }, '/paused'],
  ].map(([name, body, pointer]) => ({
    name: String(name),
    send: post(body),
    expect: { status: 400, codes: [6008], pointers: [String(pointer)] },
  })),
  {
    name: 'plan free has no overrides',
    plan: 'free',
    send: post(least),
    expect: { status: 403, codes: [19551] },
  },
  {
    name: 'on plan free the list is empty',
    plan: 'free',
    send: { method: 'GET', path },
    expect: { status: 200, result: [] },
  },
  ...['GET', 'PUT', 'DELETE'].flatMap((method) => [
    {
      name: `${method} an unknown override`,
      send: { method, path: `${path}/${NOWHERE}`, ...(method === 'PUT' ? { body: least } : {}) },
      expect: { status: 404, codes: [19555] },
    },
    {
      name: `${method} an invalid ID`,
      send: { method, path: `${path}/first` },
      expect: { status: 400, codes: [7003] },
    },
  ]),
])

interface Shown {
  readonly id: string
  readonly description: string | null
}

describe('beyond the table', () => {
  let app: TestApp
  let zone: string
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    zone = (await app.must('POST', '/zones', { name: `z${crypto.randomUUID()}.example` })).id
  })
  const overrides = () => `/zones/${zone}/firewall/waf/overrides`
  const make = (more: object = {}) => app.must<Shown>('POST', overrides(), { ...least, ...more })
  const list = () => app.must<Shown[]>('GET', overrides())

  test('members are in the order of the live API', async () => {
    const { id } = await make({ description: 'd' })
    const { text } = await app.call({ method: 'GET', path: `${overrides()}/${id}` })
    expect(text).toBe(
      `{"result":{"id":"${id}","description":"d","urls":["shop.example.com/*"],"priority":1,"groups":{},"rewrite_action":{},"rules":{"${rule}":"disable"},"paused":false},"success":true,"errors":[],"messages":[]}`,
    )
  })

  test('the strongest comes first', async () => {
    for (const [description, priority] of [
      ['last', 5],
      ['first', -5],
      ['second', 0],
    ] as const)
      await make({ description, priority })
    expect((await list()).map(({ description }) => description)).toEqual(['first', 'second', 'last'])
  })

  test('PUT replaces, repeating it is not a change, DELETE returns the deleted ID', async () => {
    const { id } = await make({ description: 'd', paused: true })
    const body = { id, urls: ['example.com/*'], rules: least.rules, rewrite_action: { block: 'simulate' } }
    const put = await app.must<Shown>('PUT', `${overrides()}/${id}`, body)
    expect(put).toMatchObject({ ...body, description: null, paused: false })
    const count = await app.changeCount()
    expect(await app.must<Shown>('PUT', `${overrides()}/${id}`, body)).toEqual(put)
    expect(await app.changeCount()).toBe(count)
    const { status } = await app.call({ method: 'PUT', path: `${overrides()}/${id}`, body: { urls: ['x/'] } })
    expect([status, await list()]).toEqual([400, [put]])
    expect(await app.must<object>('DELETE', `${overrides()}/${id}`)).toEqual({ id })
    expect(await list()).toEqual([])
  })

  test('deleted with the zone; no serial increases', async () => {
    await make()
    await app.must('DELETE', `/zones/${zone}`)
    const log = (await app.changeLog(zone)).slice(1)
    expect(log.map(({ serial, ops }) => [serial === null, ops.map(({ kind }) => kind)])).toEqual([
      [true, ['waf_override.create']],
      [false, ['zone.delete', 'waf_override.delete']],
    ])
  })

  test('a dry run shows the change and stores nothing', async () => {
    const answer = await app.call({ method: 'POST', path: `${overrides()}?dry_run=true`, body: least })
    expect(answer.json).toMatchObject({ changes: [{ serial: null, ops: [{ kind: 'waf_override.create' }] }] })
    expect(await list()).toEqual([])
  })

  test('once the zone has migrated, they are gone permanently', async () => {
    const { id } = await make()
    await app.storage.write((tx) =>
      tx.run(query.insertInto('waf_migrations').values({ zone_id: zone, state: 'done' })),
    )
    for (const [method, rest, body] of [
      ['GET', ''],
      ['POST', '', least],
      ['GET', `/${id}`],
      ['PUT', `/${id}`, least],
      ['DELETE', `/${id}`],
    ] as const) {
      const { status, json } = await app.call({ method, path: overrides() + rest, body })
      expect([method, status, json.errors[0]?.code]).toEqual([method, 410, 19550])
    }
  })

  test.each([
    ['GET', 'Zone Settings Read', 200],
    ['GET', 'Firewall Services Read', 403],
    ['POST', 'Zone Settings Write', 200],
    ['POST', 'Zone Settings Read', 403],
  ] as const)('%s with %s: %i', async (method, group, status) => {
    const token = await makeToken(app, [allow([group], `account.zone.${zone}`)])
    const body = method === 'POST' ? { body: least } : {}
    expect((await app.call({ method, path: overrides(), token, ...body })).status).toBe(status)
  })
})
