// Content security policies over HTTP: what is accepted, rejected and shown, and the change log.
import { PERMISSION_GROUPS } from '@zonereeve/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { scenarios, type Scenario, type Send } from '../../../testing/scenarios.ts'

const PATH = '/zones/{zone}/page_shield/policies'
const policy = {
  description: 'Checkout',
  action: 'log',
  expression: 'ends_with(http.request.uri.path, "/checkout")',
  enabled: true,
  value: "script-src 'self' https://cdn.example.com",
}
const post = (change: object = {}): Send => ({ method: 'POST', path: PATH, body: { ...policy, ...change } })
const without = (name: keyof typeof policy): Send => ({
  method: 'POST',
  path: PATH,
  body: Object.fromEntries(Object.entries(policy).filter(([key]) => key !== name)),
})
const repeated = (count: number): Send[] => Array.from({ length: count }, () => post())
const UNKNOWN_ID = '0'.repeat(32)

/** Notes on what `'self'` and a host cover. */
const NOTES = [19649, 19649]

const taken = (
  name: string,
  change: object,
  result: object,
  messages: number[] = 'value' in change ? [] : NOTES,
): Scenario => ({
  name,
  send: post(change),
  expect: { status: 200, changes: 1, result, messages },
})

const refused = (name: string, change: object, codes: number[], pointers: string[]): Scenario => ({
  name,
  send: post(change),
  expect: { status: 400, codes, pointers },
})

scenarios('/zones/:id/page_shield/policies', [
  taken('one', {}, policy),
  taken('an action in capitals', { action: 'LOG' }, { action: 'log' }),
  taken('allow', { action: 'Allow' }, { action: 'allow' }),
  taken('reporting for the origin’s own', { action: 'add_reporting_directives', value: '' }, { value: '' }),
  taken('a switch as a text stays one', { enabled: 'true' }, { enabled: 'true' }),
  taken('off, as a text', { enabled: 'false' }, { enabled: 'false' }),
  taken('a boolean stays one', { enabled: false }, { enabled: false }),
  taken('without a description', { description: '' }, { description: '' }),
  taken('a field of the response', { expression: 'http.response.code eq 200' }, {}),
  taken('an id, as clients with one type for all send it', { id: '' }, policy),
  taken('any id: it gets its own', { id: UNKNOWN_ID }, policy),
  refused('an unknown member', { priority: 1 }, [6008], ['/priority']),
  refused('several', { Value: "img-src 'none'", zone_id: UNKNOWN_ID }, [6008, 6008], ['/Value', '/zone_id']),
  taken('ignored parts are noted', { value: 'script-src self' }, {}, [19649]),
  taken('URLs that a source does not cover are noted', { value: "script-src self 'self'" }, {}, NOTES),
  taken('a path that covers one file', { value: 'img-src https://cdn.test/a.png' }, {}, NOTES),
  taken('an empty list blocks everything', { value: 'script-src' }, {}, [19649]),
  refused(
    'the request body, which is not available then',
    { expression: 'http.request.body.size gt 5' },
    [19701],
    ['/expression'],
  ),
  taken('two notes', { value: 'img-src nonce-x; img-src *' }, {}, [19649, 19649]),
  taken('6000 characters', { value: `img-src 'none'${' '.repeat(5986)}` }, {}),

  taken(
    'a thousand notes are limited to fifty',
    { value: `img-src${' a_b'.repeat(1000)}` },
    {},
    Array.from({ length: 50 }, () => 19649),
  ),
  refused(
    'a thousand errors',
    { value: Array.from({ length: 1000 }, (_, n) => `x${n}`).join(';') },
    Array.from({ length: 50 }, () => 19646),
    Array.from({ length: 50 }, () => '/value'),
  ),
  refused('6001 characters', { value: `img-src 'none'${' '.repeat(5987)}` }, [19647], ['/value']),
  refused('an empty value', { value: '' }, [19646], ['/value']),
  refused('an unknown directive', { value: 'scripts *' }, [19646], ['/value']),
  refused('a nonce', { value: "script-src 'nonce-abc'" }, [19646], ['/value']),
  refused('two policies in one', { value: "img-src *, script-src 'none'" }, [19646], ['/value']),
  refused(
    'a whole header line',
    { value: 'img-src *\r\nset-cookie: a=b' },
    [19646, 19646],
    ['/value', '/value'],
  ),
  refused(
    'own reporting directives',
    { value: 'img-src *; report-uri https://elsewhere.test' },
    [19646],
    ['/value'],
  ),
  refused(
    'a value beside add_reporting_directives',
    { action: 'add_reporting_directives' },
    [19648],
    ['/value'],
  ),
  refused('another action', { action: 'block' }, [19642], ['/action']),
  refused('no action', { action: null }, [19642], ['/action']),
  refused('an invalid boolean', { enabled: 'yes' }, [19643], ['/enabled']),
  refused('a number as boolean', { enabled: 1 }, [19643], ['/enabled']),
  refused('an unknown field', { expression: 'zone.colour eq "red"' }, [19701], ['/expression']),
  refused('a named list', { expression: 'not ip.src in $offices' }, [19525], ['/expression']),
  refused('no condition', { expression: 'http.host' }, [19701], ['/expression']),
  refused('an empty expression', { expression: '' }, [6008], ['/expression']),
  refused(
    'several errors at once',
    { expression: '(', value: 'x' },
    [19701, 19646],
    ['/expression', '/value'],
  ),
  refused('a description of two lines', { description: 'a\nb' }, [6008], ['/description']),
  refused('too long a description', { description: 'a'.repeat(1025) }, [6008], ['/description']),
  refused('values of other types', { value: 5, description: {} }, [6008, 6008], ['/description', '/value']),
  ...(['description', 'action', 'expression', 'enabled', 'value'] as const).map((name): Scenario => ({
    name: `without ${name}`,
    send: without(name),
    expect: { status: 400, pointers: [`/${name}`], codes: [6008] },
  })),
  { name: 'no object', send: { ...post(), body: [] }, expect: { status: 400, codes: [6008] } },

  {
    name: 'the fifth',
    before: repeated(4),
    send: post(),
    expect: { status: 200, changes: 1, messages: NOTES },
  },
  {
    name: 'the sixth',
    before: repeated(5),
    send: post(),
    expect: {
      status: 400,
      codes: [19640],
      text: 'exceeded the maximum number of rules in the phase http_response_page_shield: 6 out of 5',
    },
  },
  {
    name: 'a plan without policies',
    plan: 'business',
    send: post(),
    expect: {
      status: 400,
      codes: [19640],
      text: '1 validation errors: exceeded the maximum number of rules in the phase http_response_page_shield: 1 out of 0',
    },
  },
  {
    name: 'none',
    send: { method: 'GET', path: PATH },
    expect: {
      status: 200,
      result: [],
      info: { page: 1, per_page: 100, count: 0, total_count: 0, total_pages: 1 },
    },
  },
  {
    name: 'a list, in the order of creation',
    before: [post(), post({ description: 'second' })],
    send: { method: 'GET', path: PATH },
    expect: { status: 200, result: [policy, { ...policy, description: 'second' }], info: { total_count: 2 } },
  },
  {
    name: 'a page of it',
    before: [post(), post({ description: 'second' })],
    send: { method: 'GET', path: `${PATH}?page=2&per_page=1` },
    expect: {
      status: 200,
      result: [{ description: 'second' }],
      info: { count: 1, total_count: 2, total_pages: 2 },
    },
  },
  {
    name: 'an unknown policy',
    send: { method: 'GET', path: `${PATH}/${UNKNOWN_ID}` },
    expect: { status: 404, codes: [19645] },
  },
  {
    name: 'changing an unknown policy',
    send: { method: 'PUT', path: `${PATH}/${UNKNOWN_ID}`, body: policy },
    expect: { status: 404, codes: [19645] },
  },
  {
    name: 'deleting an unknown policy',
    send: { method: 'DELETE', path: `${PATH}/${UNKNOWN_ID}` },
    expect: { status: 404, codes: [19645] },
  },
  {
    name: 'an invalid identifier',
    send: { method: 'GET', path: `${PATH}/first` },
    expect: { status: 400, codes: [7003] },
  },
  {
    name: 'an unknown zone',
    send: { method: 'GET', path: `/zones/${UNKNOWN_ID}/page_shield/policies` },
    expect: { status: 404, codes: [1001] },
  },
])

const one = (body: object): Send => ({ method: 'PUT', path: `${PATH}/{policy}`, body })

scenarios('/zones/:id/page_shield/policies/:id, members', [
  {
    name: 'the id of the path, as GET shows it',
    before: [{ ...post(), as: 'policy' }],
    send: one({ ...policy, id: '{policy}', enabled: false }),
    expect: { status: 200, changes: 1, result: { enabled: false }, messages: NOTES },
  },
  {
    name: 'an empty id, as clients with one type for all send it',
    before: [{ ...post(), as: 'policy' }],
    send: one({ ...policy, id: '', action: 'allow' }),
    expect: { status: 200, changes: 1, result: { action: 'allow' }, messages: NOTES },
  },
  {
    name: 'another id',
    before: [{ ...post(), as: 'policy' }],
    send: one({ id: UNKNOWN_ID, enabled: false }),
    expect: { status: 400, codes: [19661], pointers: ['/id'] },
  },
  {
    name: 'an unknown member',
    before: [{ ...post(), as: 'policy' }],
    send: one({ enabled: false, paused: true }),
    expect: { status: 400, codes: [6008], pointers: ['/paused'] },
  },
])

scenarios(
  '/zones/:id/page_shield/policies under vendor',
  [
    taken('a switch as a text becomes a boolean', { enabled: 'true' }, { enabled: true }),
    taken('off', { enabled: 'false' }, { enabled: false }),
  ],
  { app: { profile: 'vendor' } },
)

scenarios(
  '/zones/:id/page_shield/policies with another quota',
  [
    {
      name: 'the second of two',
      before: [post()],
      send: post(),
      expect: { status: 200, changes: 1, messages: NOTES },
    },
    {
      name: 'the third',
      before: repeated(2),
      send: post(),
      expect: { status: 400, codes: [19640], text: '3 out of 2' },
    },
  ],
  { app: { maxPolicies: 2 } },
)

describe('other behavior', () => {
  let app: TestApp
  let zoneId: string
  beforeAll(async () => {
    app = await startTestApp()
    zoneId = (await app.must('POST', '/zones', { name: 'policies.example' })).id
  })
  afterAll(() => app.close())
  const path = (id = '') => `/zones/${zoneId}/page_shield/policies${id === '' ? '' : `/${id}`}`
  const create = (change: object = {}) => app.must('POST', path(), { ...policy, ...change })

  test('members are in the order of the live API', async () => {
    const { id } = await create()
    const { text } = await app.call({ method: 'GET', path: path(id) })
    const members = [
      '"description":"Checkout"',
      '"action":"log"',
      `"expression":${JSON.stringify(policy.expression)}`,
    ]
    const shown = `{"id":"${id}",${members.join()},"enabled":true,"value":${JSON.stringify(policy.value)}}`
    expect(text).toBe(`{"result":${shown},"success":true,"errors":[],"messages":[]}`)
    await app.must('DELETE', path(id))
  })

  test.each([
    ['the description', { description: 'Basket' }],
    ['the action', { action: 'allow' }],
    ['the expression', { expression: 'true' }],
    ['the switch', { enabled: false }],
    ['the value', { value: "img-src 'none'" }],
    [
      'all',
      { description: 'All', action: 'allow', expression: 'true', enabled: false, value: "img-src 'none'" },
    ],
  ])('changing %s leaves the rest', async (_, patch) => {
    const { id } = await create()
    const before = await app.changeCount()
    expect(await app.must('PUT', path(id), patch)).toEqual({ id, ...policy, ...patch })
    expect(await app.must('GET', path(id))).toEqual({ id, ...policy, ...patch })
    expect(await app.changeCount()).toBe(before + 1)
    await app.must('DELETE', path(id))
  })

  test.each([
    ['nothing', {}],
    ['the same', policy],
  ])('sending %s changes nothing', async (_, patch) => {
    const { id } = await create()
    const before = await app.changeCount()
    expect(await app.must('PUT', path(id), patch)).toEqual({ id, ...policy })
    expect(await app.changeCount()).toBe(before)
    await app.must('DELETE', path(id))
  })

  test.each([
    ['a broken value', { value: 'x' }, 19646, '/value'],
    ['an action that does not match the value', { action: 'add_reporting_directives' }, 19648, '/value'],
    ['an action that does not exist', { action: 'deny' }, 19642, '/action'],
  ])('%s is refused, and the policy is unchanged', async (_, patch, code, pointer) => {
    const { id } = await create()
    const before = await app.changeCount()
    const { status, json } = await app.call({ method: 'PUT', path: path(id), body: patch })
    expect([status, json.errors[0]?.code, json.errors[0]?.source?.pointer]).toEqual([400, code, pointer])
    expect(await app.must('GET', path(id))).toEqual({ id, ...policy })
    expect(await app.changeCount()).toBe(before)
    await app.must('DELETE', path(id))
  })

  test('deleting answers 204 without a body, and a dry run of it deletes nothing', async () => {
    const { id } = await create()
    const dry = await app.call({ method: 'DELETE', path: `${path(id)}?dry_run=true` })
    expect(dry.status).toBe(200)
    expect(await app.must('GET', path(id))).toMatchObject({ id })
    const { status, text } = await app.call({ method: 'DELETE', path: path(id) })
    expect([status, text]).toEqual([204, ''])
    expect((await app.call({ method: 'GET', path: path(id) })).status).toBe(404)
  })

  test('a dry run shows what would be stored, and stores nothing', async () => {
    const before = await app.changeCount()
    const dry = await app.call({ method: 'POST', path: `${path()}?dry_run=true`, body: policy })
    expect([dry.status, dry.json.messages.map(({ code }) => code)]).toEqual([200, [19030, ...NOTES]])
    expect(dry.json.result).toMatchObject(policy)
    expect(await app.must('GET', path())).toEqual([])
    expect(await app.changeCount()).toBe(before)
  })

  test('another zone does not see it', async () => {
    const { id } = await create()
    const other = await app.must('POST', '/zones', { name: 'other.example' })
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { body: { enabled: false } } : {}
      const answer = await app.call({
        method,
        path: `/zones/${other.id}/page_shield/policies/${id}`,
        ...body,
      })
      expect(answer.status).toBe(404)
    }
    expect(await app.must('GET', path(id))).toEqual({ id, ...policy })
    await app.must('DELETE', path(id))
  })

  test('the log has the old values; policies are deleted with the zone, and never bump the serial', async () => {
    const zone = await app.must('POST', '/zones', { name: 'log.example' })
    const at = `/zones/${zone.id}/page_shield/policies`
    const { id } = await app.must('POST', at, { ...policy, enabled: 'true' })
    await app.must('PUT', `${at}/${id}`, { action: 'allow' })
    await app.must('DELETE', `${at}/${id}`)
    const { id: last } = await app.must('POST', at, policy)
    const sets = (await app.changeLog(zone.id)).slice(1)
    expect(sets.map(({ serial, ops }) => [serial, ops.map(({ kind }) => kind).join()])).toEqual([
      [null, 'page_shield_policy.create'],
      [null, 'page_shield_policy.update'],
      [null, 'page_shield_policy.delete'],
      [null, 'page_shield_policy.create'],
    ])
    const [, updated] = sets
    expect(JSON.parse(updated?.ops[0]?.before ?? '')).toMatchObject({
      id,
      action: 'log',
      isEnabledText: true,
    })
    expect(JSON.parse(updated?.ops[0]?.after ?? '')).toMatchObject({ id, action: 'allow' })
    await app.must('DELETE', `/zones/${zone.id}`)
    const deleted = (await app.changeLog(zone.id)).at(-1)
    expect(deleted?.ops.map(({ kind, object_id }) => [kind, object_id])).toContainEqual([
      'page_shield_policy.delete',
      last,
    ])
  })

  test.each([
    ['GET', 'Domain Page Shield Read', 200],
    ['GET', 'Zone Settings Read', 200],
    ['GET', 'DNS Write', 403],
    ['POST', 'Domain Page Shield', 200],
    ['POST', 'Zone Settings Write', 200],
    ['POST', 'Domain Page Shield Read', 403],
  ] as const)('%s with %s: %i', async (method, group, status) => {
    const before = await app.changeCount()
    const token = await app.must<{ value: string }>('POST', '/user/tokens', {
      name: group,
      policies: [
        {
          effect: 'allow',
          resources: { [`com.cloudflare.api.account.zone.${zoneId}`]: '*' },
          permission_groups: [{ id: PERMISSION_GROUPS.find(({ name }) => name === group)?.id }],
        },
      ],
    })
    const body = method === 'POST' ? { body: policy } : {}
    const answer = await app.call({ method, path: path(), token: token.value, ...body })
    expect(answer.status).toBe(status)
    expect(await app.changeCount()).toBe(before + 1 + (method === 'POST' && status === 200 ? 1 : 0))
  })
})
