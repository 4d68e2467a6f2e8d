// Tokens: created, shown once, verified, limited, rolled, deleted; rejected with a pointer to the mistake.
import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import {
  ADMIN_EMAIL,
  ADMIN_KEY,
  ADMIN_TOKEN,
  START,
  startTestApp,
  type Envelope,
  type TestApp,
} from '../../../testing/app.ts'
import { expectConsistent } from '../../../testing/change-log.ts'
import { scenarios, type Scenario } from '../../../testing/scenarios.ts'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { allow, deny, groupId, makeToken, wirePolicy } from '../../../testing/test-tokens.ts'

const ABSENT = 'f'.repeat(32)
const reader = wirePolicy(allow(['User Details Read'], 'user.*'))
const zoneReader = wirePolicy(allow(['Zone Read'], 'account.zone.*'))
const at = (millis: number) => new Date(START + millis).toISOString()

interface Token {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly value?: string
  readonly [member: string]: unknown
}

const TOKENS = '/user/tokens'
const draft = { name: 'a token', policies: [reader] }
const create = (more: object) => ({ method: 'POST', path: TOKENS, body: { ...draft, ...more } })
const policies = (policy: object) => ({ policies: [reader, { ...reader, ...policy }] })
const refused = (code: number, ...pointers: string[]) => ({
  status: 400,
  codes: pointers.map(() => code),
  pointers,
})

const definitions: Scenario[] = [
  {
    name: 'the least',
    send: create({}),
    expect: { status: 200, changes: 1, result: { name: 'a token', status: 'active' } },
  },
  {
    name: 'a name of 120 characters',
    send: create({ name: 'n'.repeat(120) }),
    expect: { status: 200, changes: 1 },
  },
  {
    name: 'a name of 121 characters',
    send: create({ name: 'n'.repeat(121) }),
    expect: refused(6008, '/name'),
  },
  ...['\0', 'a\nb', 'a\u007f'].map((name): Scenario => ({
    name: `a name with a control character: ${JSON.stringify(name)}`,
    send: create({ name }),
    expect: refused(6008, '/name'),
  })),
  { name: 'an empty name', send: create({ name: '' }), expect: refused(6008, '/name') },
  {
    name: 'no name',
    send: { method: 'POST', path: TOKENS, body: { policies: [reader] } },
    expect: refused(6008, '/name'),
  },
  {
    name: 'no policies',
    send: { method: 'POST', path: TOKENS, body: { name: 'x' } },
    expect: refused(6008, '/policies'),
  },
  { name: 'an empty list of policies', send: create({ policies: [] }), expect: refused(6008, '/policies') },
  {
    name: 'an unknown effect',
    send: create(policies({ effect: 'maybe' })),
    expect: refused(6008, '/policies/1/effect'),
  },
  {
    name: 'no permission groups',
    send: create(policies({ permission_groups: [] })),
    expect: refused(6008, '/policies/1/permission_groups'),
  },
  {
    name: 'an unknown permission group',
    send: create(policies({ permission_groups: [...reader.permission_groups, { id: ABSENT }] })),
    expect: refused(19204, '/policies/1/permission_groups/1/id'),
  },
  {
    name: 'a permission group by name only',
    send: create(policies({ permission_groups: [{ name: 'Zone Read' }] })),
    expect: refused(6008, '/policies/1/permission_groups/0/id'),
  },
  {
    name: 'no resources',
    send: create(policies({ resources: {} })),
    expect: refused(19205, '/policies/1/resources'),
  },
  ...[
    { 'com.cloudflare.api.account.zone.': '*' },
    { 'com.cloudflare.api.account.zone.abc': '*' },
    { [`com.cloudflare.api.account.zone.${ABSENT.toUpperCase()}`]: '*' },
    { [`com.cloudflare.edge.r2.bucket.${ABSENT}`]: '*' },
    { 'com.cloudflare.api.user.*': 'read' },
    { [`com.cloudflare.api.account.${ABSENT}`]: { 'com.cloudflare.api.user.*': '*' } },
    { [`com.cloudflare.api.account.${ABSENT}`]: { 'com.cloudflare.api.account.zone.*': 'read' } },
    { 'com.cloudflare.api.account.zone.*': { 'com.cloudflare.api.account.zone.*': '*' } },
    { __proto__: null, constructor: '*' },
    { '*': '*' },
  ].map((resources): Scenario => ({
    name: `invalid resources: ${JSON.stringify(resources)}`,
    send: create(policies({ resources })),
    expect: refused(19205, '/policies/1/resources'),
  })),
  ...[
    { 'com.cloudflare.api.account.*': '*' },
    { [`com.cloudflare.api.account.${ABSENT}`]: '*' },
    { [`com.cloudflare.api.account.zone.${ABSENT}`]: '*' },
    { [`com.cloudflare.api.user.${ABSENT}`]: '*' },
    { 'com.cloudflare.api.account.*': { 'com.cloudflare.api.account.zone.*': '*' } },
    { [`com.cloudflare.api.account.${ABSENT}`]: { [`com.cloudflare.api.account.zone.${ABSENT}`]: '*' } },
  ].map((resources): Scenario => ({
    name: `valid resources: ${JSON.stringify(resources)}`,
    send: create({ policies: [{ ...reader, resources }] }),
    expect: { status: 200, changes: 1, result: { policies: [{ effect: 'allow', resources }] } },
  })),
  ...[
    '192.0.2.0/33',
    '192.0.2',
    '192.0.2/24',
    '0x7f000001',
    '3221225985',
    '010.0.0.1',
    '2001:db8::/129',
    'localhost',
    '',
    '192.0.2.1/',
    '1.2.3.4.5',
  ].map((network): Scenario => ({
    name: `an invalid network: "${network}"`,
    send: create({ condition: { request_ip: { in: ['192.0.2.0/24', network] } } }),
    expect: refused(19202, '/condition/request_ip/in/1'),
  })),
  {
    name: 'an invalid network to exclude',
    send: create({ condition: { request_ip: { not_in: ['x'] } } }),
    expect: refused(19202, '/condition/request_ip/not_in/0'),
  },
  {
    name: 'addresses and networks of both families',
    send: create({
      condition: { request_ip: { in: ['192.0.2.1', '2001:db8::/32', '::1'], not_in: ['192.0.2.128/25'] } },
    }),
    expect: {
      status: 200,
      changes: 1,
      result: {
        condition: { request_ip: { in: ['192.0.2.1', '2001:db8::/32', '::1'], not_in: ['192.0.2.128/25'] } },
      },
    },
  },
  {
    name: 'the condition with the documentation’s member names',
    send: create({ condition: { 'request.ip': { in: ['192.0.2.0/24'] } } }),
    expect: { status: 200, changes: 1, result: { condition: { request_ip: { in: ['192.0.2.0/24'] } } } },
  },
  ...(
    [
      [{ request_ip: { inn: ['10.0.0.0/8'] } }, '/condition/request_ip/inn'],
      [{ request_ip: { in: ['10.0.0.0/8'], notin: ['10.0.0.1'] } }, '/condition/request_ip/notin'],
      [{ request_ip: {} }, '/condition/request_ip'],
      [{ 'request.ip': {} }, '/condition/request.ip'],
      [{ foo: 1 }, '/condition/foo'],
      [{ request_ip: { in: ['10.0.0.0/8'] }, foo: 1 }, '/condition/foo'],
      [{ request_ip: { in: ['10.0.0.0/8'] }, 'request.ip': { in: ['192.0.2.0/24'] } }, '/condition'],
    ] as const
  ).map(([condition, pointer]): Scenario => ({
    name: `a condition that would restrict nothing, or less than it says: ${JSON.stringify(condition)}`,
    send: create({ condition }),
    expect: refused(6008, pointer),
  })),
  {
    name: 'an empty condition means none',
    send: create({ condition: {} }),
    expect: { status: 200, changes: 1 },
  },
  {
    name: 'an invalid time',
    send: create({ expires_on: 'tomorrow' }),
    expect: refused(6008, '/expires_on'),
  },
  {
    name: 'an invalid day',
    send: create({ not_before: '2026-13-01T00:00:00Z' }),
    expect: refused(19201, '/not_before'),
  },
  {
    name: 'an end before the start',
    send: create({ not_before: at(2000), expires_on: at(1000) }),
    expect: refused(19201, '/expires_on'),
  },
  {
    name: 'an end at the start',
    send: create({ not_before: at(1000), expires_on: at(1000) }),
    expect: refused(19201, '/expires_on'),
  },
  {
    name: 'times with an offset',
    send: create({ not_before: '2026-01-01T00:00:00+02:00', expires_on: '2027-01-01T00:00:00+02:00' }),
    expect: { status: 200, changes: 1 },
  },
  {
    name: 'every mistake is reported at once',
    send: create({
      ...policies({ resources: {}, permission_groups: [{ id: 'x' }] }),
      condition: { request_ip: { in: ['x'] } },
      expires_on: '2026-99-99T00:00:00Z',
    }),
    expect: {
      status: 400,
      codes: [19204, 19205, 19202, 19201],
      pointers: [
        '/policies/1/permission_groups/0/id',
        '/policies/1/resources',
        '/condition/request_ip/in/0',
        '/expires_on',
      ],
    },
  },
  {
    name: 'an unknown token',
    send: { method: 'GET', path: `${TOKENS}/${ABSENT}` },
    expect: { status: 404, codes: [1003] },
  },
  {
    name: 'editing an unknown token',
    send: { method: 'PUT', path: `${TOKENS}/${ABSENT}`, body: draft },
    expect: { status: 404, codes: [1003] },
  },
  {
    name: 'rolling an unknown token',
    send: { method: 'PUT', path: `${TOKENS}/${ABSENT}/value`, body: {} },
    expect: { status: 404, codes: [1003] },
  },
  {
    name: 'deleting an unknown token',
    send: { method: 'DELETE', path: `${TOKENS}/${ABSENT}` },
    expect: { status: 404, codes: [1003] },
  },
]
scenarios('token definitions', definitions)

describe('tokens', () => {
  let app: TestApp
  beforeEach(async () => {
    app = await startTestApp()
  })
  afterEach(async () => {
    await expectConsistent(app.storage)
    await app.close()
  })

  const user = (token: string, headers = {}) => app.call({ method: 'GET', path: '/user', token, headers })
  const statusOf = async (token: string) => (await user(token)).status
  const make = (more: object = {}) =>
    app.must<Token & { value: string }>('POST', TOKENS, { ...draft, ...more })

  test('lifecycle: created, read, listed, replaced, rolled, deleted; each step is logged', async () => {
    const made = await make()
    expect(made).toEqual({
      id: made.id,
      name: 'a token',
      status: 'active',
      issued_on: expect.stringMatching(/^2026-01-05T10:20:30\.\d{6}Z$/),
      modified_on: made['issued_on'],
      policies: [
        {
          ...reader,
          id: expect.stringMatching(/^[0-9a-f]{32}$/),
          permission_groups: [{ id: groupId('User Details Read'), name: 'User Details Read', meta: {} }],
        },
      ],
      value: expect.stringMatching(/^[A-Za-z0-9_-]{40}$/),
    })
    expect(await statusOf(made.value)).toBe(200)

    const { value: _, ...shown } = made
    expect(await app.must('GET', `${TOKENS}/${made.id}`)).toEqual(shown)
    expect(await app.must<Token[]>('GET', TOKENS)).toMatchObject([{ name: 'administrator' }, { id: made.id }])

    const replaced = await app.must<Token>('PUT', `${TOKENS}/${made.id}`, {
      name: 'renamed',
      policies: [zoneReader],
    })
    expect(replaced).toMatchObject({ id: made.id, name: 'renamed', issued_on: made['issued_on'] })
    expect(replaced['modified_on']).not.toBe(made['modified_on'])
    expect(replaced.value).toBeUndefined()
    expect([
      await statusOf(made.value),
      (await app.call({ method: 'GET', path: '/zones', token: made.value })).status,
    ]).toEqual([403, 200])

    const rolled = await app.must<string>('PUT', `${TOKENS}/${made.id}/value`, {})
    expect(rolled).toMatch(/^[A-Za-z0-9_-]{40}$/)
    expect([rolled === made.value, await statusOf(made.value)]).toEqual([false, 403])
    expect((await user(made.value)).json.errors[0]?.code).toBe(9109)
    expect((await app.call({ method: 'GET', path: '/zones', token: rolled })).status).toBe(200)

    expect(await app.must('DELETE', `${TOKENS}/${made.id}`)).toEqual({ id: made.id })
    expect((await user(rolled)).json.errors[0]?.code).toBe(9109)
    expect((await app.must<Token[]>('GET', TOKENS)).length).toBe(1)

    const log = (await app.changeLog(app.userId)).slice(1)
    expect(log.map(({ ops }) => ops.map(({ kind, object_id }) => [kind, object_id]))).toEqual([
      [['token.create', made.id]],
      [['token.update', made.id]],
      [['token.roll', made.id]],
      [['token.delete', made.id]],
    ])
    expect(
      log.every(
        ({ serial, actor_kind, actor_name }) =>
          serial === null && actor_kind === 'token' && actor_name === 'administrator',
      ),
    ).toBe(true)
    expect(new Set(app.events.map(({ topic }) => topic))).toEqual(new Set(['access']))
  })

  test('a secret in use stops working as soon as it is rolled, disabled or deleted', async () => {
    const made = await make()
    const change = (method: string, path: string, body?: object) =>
      app.must<unknown>(method, `${TOKENS}/${made.id}${path}`, body)
    expect(await statusOf(made.value)).toBe(200)
    await change('PUT', '', { ...draft, status: 'disabled' })
    expect(await statusOf(made.value)).toBe(403)
    await change('PUT', '', draft)
    expect(await statusOf(made.value)).toBe(200)
    const rolled = await change('PUT', '/value')
    expect([await statusOf(made.value), await statusOf(String(rolled))]).toEqual([403, 200])
    await change('DELETE', '')
    expect(await statusOf(String(rolled))).toBe(403)
  })

  test('their secrets are nowhere in the log, in replies, or in the database', async () => {
    const made = await make()
    const rolled = await app.must<string>('PUT', `${TOKENS}/${made.id}/value`, {})
    await statusOf(rolled)
    await app.tokens.saveLastUse()
    const reported = JSON.stringify([
      await app.must('GET', TOKENS),
      await app.must('GET', `${TOKENS}/${made.id}`),
      await app.changeLog(),
      app.logged,
      app.events,
    ])
    for (const secret of [made.value, rolled, ADMIN_TOKEN, ADMIN_KEY]) {
      expect(reported).not.toContain(secret)
      expect(reported).not.toContain(hash('sha256', secret, 'hex'))
    }
  })

  test('the last use is shown, to the minute and after the next save', async () => {
    const made = await make()
    expect((await app.must<Token>('GET', `${TOKENS}/${made.id}`))['last_used_on']).toBeUndefined()
    await statusOf(made.value)
    const before = await app.changeCount()
    await app.tokens.saveLastUse()
    expect((await app.must<Token>('GET', `${TOKENS}/${made.id}`))['last_used_on']).toMatch(
      /^2026-01-05T10:20:30/,
    )
    expect(await app.changeCount()).toBe(before)
  })

  test('status in the list follows the clock, and expired ones can be filtered out', async () => {
    await make({ name: 'expiring', expires_on: at(60_000) })
    await make({ name: 'coming', not_before: at(60_000) })
    await make({ name: 'disabled', status: 'disabled' })
    const list = async (query = '') =>
      (await app.must<Token[]>('GET', `${TOKENS}${query}`))
        .slice(1)
        .map(({ name, status }) => `${name} ${status}`)
    expect(await list()).toEqual(['expiring active', 'coming disabled', 'disabled disabled'])
    app.clock.advance(60_000)
    expect(await list()).toEqual(['expiring expired', 'coming active', 'disabled disabled'])
    expect(await list('?include_expired=false')).toEqual(['coming active', 'disabled disabled'])
  })

  test('are listed in order and in pages', async () => {
    for (const name of ['a', 'b', 'c']) await make({ name })
    const page = async (query: string) => {
      const { json } = await app.call<Token[]>({ method: 'GET', path: `${TOKENS}?${query}` })
      return [json.result.map(({ name }) => name), json.result_info]
    }
    expect(await page('per_page=2')).toEqual([
      ['administrator', 'a'],
      { page: 1, per_page: 2, count: 2, total_count: 4, total_pages: 2 },
    ])
    expect(await page('per_page=2&page=2')).toEqual([
      ['b', 'c'],
      { page: 2, per_page: 2, count: 2, total_count: 4, total_pages: 2 },
    ])
    expect(await page('per_page=2&page=3')).toEqual([
      [],
      { page: 3, per_page: 2, count: 0, total_count: 4, total_pages: 2 },
    ])
    expect(await page('direction=desc')).toEqual([
      ['c', 'b', 'a', 'administrator'],
      { page: 1, per_page: 20, count: 4, total_count: 4, total_pages: 1 },
    ])
  })

  test('a token that could not be created writes nothing, not even a change set', async () => {
    const before = await app.changeCount()
    const answer = await app.call({ method: 'POST', path: TOKENS, body: { ...draft, policies: [] } })
    expect(answer.status).toBe(400)
    expect([await app.changeCount(), (await app.must<Token[]>('GET', TOKENS)).length]).toEqual([before, 1])
  })
})

describe('verification', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  const verify = (token: string, path = '/user/tokens/verify') => app.call({ method: 'GET', path, token })
  const UNVERIFIED =
    '{"result":null,"success":false,"errors":[{"code":1000,"message":"Invalid API Token"}],"messages":[]}'

  test('of an active token says so in the exact words', async () => {
    const [admin] = await app.must<Token[]>('GET', TOKENS)
    const { status, text } = await verify(ADMIN_TOKEN)
    expect([status, text]).toEqual([
      200,
      `{"result":{"id":"${admin?.id}","status":"active"},"success":true,"errors":[],"messages":[{"code":10000,"message":"This API Token is valid and active","type":null}]}`,
    ])
  })

  test('shows when a token starts and ends', async () => {
    const { value } = await app.must<{ value: string }>('POST', TOKENS, {
      ...draft,
      not_before: at(-1000),
      expires_on: at(1000),
    })
    expect((await verify(value)).json.result).toMatchObject({
      status: 'active',
      not_before: at(-1000),
      expires_on: at(1000),
    })
  })

  const inactive: [name: string, more: object][] = [
    ['disabled', { status: 'disabled' }],
    ['expired', { expires_on: at(-1) }],
    ['expiring now', { expires_on: at(0) }],
    ['not valid yet', { not_before: at(1) }],
  ]
  test.each(inactive)('of a token that is %s fails, and so does its use', async (_, more) => {
    const { value } = await app.must<{ value: string }>('POST', TOKENS, { ...draft, ...more })
    const { status, text } = await verify(value)
    expect([status, text]).toEqual([401, UNVERIFIED])
    const use = await app.call({ method: 'GET', path: '/user', token: value })
    expect([use.status, use.json.errors]).toEqual([403, [{ code: 9109, message: 'Invalid access token' }]])
  })

  test('of a token that starts now succeeds', async () => {
    const { value } = await app.must<{ value: string }>('POST', TOKENS, { ...draft, not_before: at(0) })
    expect((await verify(value)).status).toBe(200)
  })

  test('of a legacy key fails: it is not a token', async () => {
    const headers = { 'x-auth-email': ADMIN_EMAIL, 'x-auth-key': ADMIN_KEY }
    const { status, json } = await app.call({
      method: 'GET',
      path: '/user/tokens/verify',
      token: null,
      headers,
    })
    expect([status, json.errors[0]?.code]).toEqual([400, 19203])
  })

  test('needs no permission, only a valid token', async () => {
    const value = await makeToken(app, [deny(['Zone Read'], 'account.zone.*')])
    expect((await verify(value)).status).toBe(200)
  })

  test('of an account token works at its account and for the user, at no other account', async () => {
    const value = await makeToken(app, [allow(['Zone Read'], 'account.zone.*')], app.accountId)
    const other = await app.must('POST', '/accounts', { name: 'other' })
    const statuses = []
    for (const path of [
      '/user/tokens/verify',
      `/accounts/${app.accountId}/tokens/verify`,
      `/accounts/${other.id}/tokens/verify`,
    ]) {
      statuses.push((await verify(value, path)).status)
    }
    expect(statuses).toEqual([200, 200, 401])
    expect((await verify(ADMIN_TOKEN, `/accounts/${app.accountId}/tokens/verify`)).text).toBe(UNVERIFIED)
  })
})

describe('conditions on the address', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({ trustProxy: ['127.0.0.0/8'] })
  })
  afterAll(() => app.close())

  const rows: [name: string, condition: object, ip: string, allowed: boolean][] = [
    ['in a network', { in: ['192.0.2.0/24'] }, '192.0.2.7', true],
    ['outside the network', { in: ['192.0.2.0/24'] }, '192.0.3.7', false],
    ['exactly the address', { in: ['192.0.2.7'] }, '192.0.2.7', true],
    ['next to the address', { in: ['192.0.2.7'] }, '192.0.2.8', false],
    ['one of several', { in: ['198.51.100.0/24', '192.0.2.0/24'] }, '192.0.2.7', true],
    ['excluded', { not_in: ['192.0.2.0/24'] }, '192.0.2.7', false],
    ['not excluded', { not_in: ['192.0.2.0/24'] }, '198.51.100.7', true],
    [
      'in a network, but excluded',
      { in: ['192.0.2.0/24'], not_in: ['192.0.2.128/25'] },
      '192.0.2.200',
      false,
    ],
    ['in a network, not excluded', { in: ['192.0.2.0/24'], not_in: ['192.0.2.128/25'] }, '192.0.2.7', true],
    ['an empty list excludes no address', { in: [], not_in: [] }, '192.0.2.7', true],
    ['IPv6 in a network', { in: ['2001:db8::/32'] }, '2001:db8:1::7', true],
    ['IPv6 outside', { in: ['2001:db8::/32'] }, '2001:db9::7', false],
    ['IPv4 is in no IPv6 network', { in: ['::/0'] }, '192.0.2.7', false],
    ['IPv6 is in no IPv4 network', { in: ['0.0.0.0/0'] }, '2001:db8::7', false],
    ['IPv4-mapped IPv6 is IPv4', { in: ['192.0.2.0/24'] }, '::ffff:192.0.2.7', true],
    ['an invalid address', { in: ['0.0.0.0/0'] }, 'unknown', false],
    ['an invalid address, with an exclusion only', { not_in: [] }, 'unknown', false],
    ['half an address', { not_in: ['192.0.2.0/24'] }, '198.51.100', false],
    ['an address with a port', { not_in: ['192.0.2.0/24'] }, '198.51.100.1:80', false],
    ['IPv4-mapped IPv6 is excluded as IPv4', { not_in: ['192.0.2.0/24'] }, '::ffff:192.0.2.7', false],
  ]
  test.each(rows)('%s', async (_, condition, ip, allowed) => {
    const { value } = await app.must<{ value: string }>('POST', TOKENS, {
      ...draft,
      condition: { request_ip: condition },
    })
    const answer = await app.call({
      method: 'GET',
      path: '/user',
      token: value,
      headers: { 'x-forwarded-for': ip },
    })
    if (allowed) return expect(answer.status).toBe(200)
    expect([answer.status, answer.json.errors]).toEqual([
      403,
      [{ code: 9109, message: `Cannot use the access token from location: ${ip}` }],
    ])
  })
})

describe('tokens of accounts', () => {
  let app: TestApp
  let other: string
  beforeAll(async () => {
    app = await startTestApp()
    other = (await app.must('POST', '/accounts', { name: 'other' })).id
  })
  afterAll(() => app.close())

  test('belong to their account: its paths show them, the user’s and other accounts’ do not', async () => {
    const path = `/accounts/${other}/tokens`
    const made = await app.must<Token & { value: string }>('POST', path, {
      name: 'of the account',
      policies: [zoneReader],
    })
    expect(await app.must<Token[]>('GET', path)).toMatchObject([{ id: made.id }])
    expect((await app.must<Token[]>('GET', TOKENS)).map(({ id }) => id)).not.toContain(made.id)
    expect(await app.must<Token[]>('GET', `/accounts/${app.accountId}/tokens`)).toEqual([])
    for (const base of [TOKENS, `/accounts/${app.accountId}/tokens`]) {
      expect((await app.call({ method: 'GET', path: `${base}/${made.id}` })).json.errors[0]?.code).toBe(1003)
    }
    const rolled = await app.must<string>('PUT', `${path}/${made.id}/value`)
    expect((await app.call({ method: 'GET', path: '/zones', token: rolled })).status).toBe(200)
    await app.must('PUT', `${path}/${made.id}`, { name: 'renamed', policies: [zoneReader] })
    expect(await app.must('DELETE', `${path}/${made.id}`)).toEqual({ id: made.id })
    expect((await app.changeLog(other)).map(({ ops }) => ops[0]?.kind)).toEqual([
      'account.create',
      'token.create',
      'token.roll',
      'token.update',
      'token.delete',
    ])
  })

  test('act under their own name', async () => {
    const token = await makeToken(
      app,
      [allow(['Zone Write', 'Zone Read', 'DNS Write'], 'account.zone.*')],
      other,
    )
    const { json } = await app.call<{ id: string; account: { id: string } }>({
      method: 'POST',
      path: '/zones',
      token,
      body: { name: 'made-by-token.example' },
    })
    expect(json.result.account.id).toBe(other)
    expect((await app.changeLog(json.result.id))[0]).toMatchObject({
      actor_kind: 'token',
      actor_name: 'made for a test',
    })
  })

  test('are deleted with their account', async () => {
    const doomed = await app.must('POST', '/accounts', { name: 'doomed' })
    await makeToken(app, [allow(['Zone Read'], 'account.zone.*')], doomed.id)
    await app.must('DELETE', `/accounts/${doomed.id}`)
    const left = await app.storage.all(
      query.selectFrom('tokens').select('id').where('owner_id', '=', doomed.id),
    )
    expect(left).toEqual([])
  })
})

describe('permission groups', () => {
  const groups = async (
    app: TestApp,
    search: string,
  ): Promise<Envelope<{ id: string; name: string; scopes: string[] }[]>> =>
    (
      await app.call<{ id: string; name: string; scopes: string[] }[]>({
        method: 'GET',
        path: `/user/tokens/permission_groups${search}`,
      })
    ).json

  test('are listed completely, by name and by scope, and the same for accounts', async () => {
    const app = await startTestApp()
    const { result, result_info: info } = await groups(app, '')
    expect(result.length).toBeGreaterThan(0)
    expect(info).toMatchObject({ count: result.length, total_count: result.length, total_pages: 1 })
    expect(result).toContainEqual({
      id: '82e64a83756745bbbb1c9c2701bf816b',
      name: 'DNS Read',
      scopes: ['com.cloudflare.api.account.zone'],
    })
    expect((await groups(app, '?name=DNS%20Read')).result.map(({ name }) => name)).toEqual(['DNS Read'])
    expect((await groups(app, '?name=nothing')).result).toEqual([])
    const ofUser = (await groups(app, '?scope=com.cloudflare.api.user')).result
    expect([
      ofUser.length > 0,
      ofUser.every(({ scopes }) => scopes[0] === 'com.cloudflare.api.user'),
    ]).toEqual([true, true])
    expect(await app.must('GET', `/accounts/${app.accountId}/tokens/permission_groups`)).toEqual(result)
    await app.close()
  })
})

describe('at rest', () => {
  test('a database file contains hashes of secrets, never a secret', async () => {
    const folder = scratchFolder()
    const app = await startTestApp({ database: join(folder, 'zonereeve.db') })
    const made = await app.must<{ id: string; value: string }>('POST', TOKENS, draft)
    const rolled = await app.must<string>('PUT', `${TOKENS}/${made.id}/value`)
    await app.call({ method: 'GET', path: '/user', token: rolled })
    await app.tokens.saveLastUse()
    const stored = () =>
      readdirSync(folder)
        .map((file) => readFileSync(join(folder, file), 'latin1'))
        .join('\n')
    for (const when of ['while open', 'when closed']) {
      if (when === 'when closed') await app.close()
      const octets = stored()
      for (const secret of [made.value, rolled, ADMIN_TOKEN, ADMIN_KEY]) {
        expect([
          when,
          octets.includes(secret),
          octets.includes(Buffer.from(secret).toString('base64')),
        ]).toEqual([when, false, false])
      }
      expect(octets).toContain(hash('sha256', rolled, 'hex'))
      expect(octets).toContain(hash('sha256', ADMIN_TOKEN, 'hex'))
    }
  })
})
