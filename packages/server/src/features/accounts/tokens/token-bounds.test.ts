// Bounded tokens: what a token may grant to another one, by create, update and roll, for users and accounts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_EMAIL, ADMIN_KEY, startTestApp, START, type TestApp } from '../../../testing/app.ts'
import {
  allow,
  deny,
  EVERYTHING,
  makeToken,
  wirePolicy,
  type TestPolicy,
} from '../../../testing/test-tokens.ts'

const ZONE = '0123456789abcdef0123456789abcdef'
const MAKER = allow(['API Tokens Write'], 'user.*')
const at = (seconds: number) => new Date(START + seconds * 1_000).toISOString().replace('.123Z', 'Z')

interface Limits {
  readonly condition?: object
  readonly expires_on?: string
}

interface Case {
  readonly name: string
  readonly minter: readonly TestPolicy[]
  readonly minterLimits?: Limits
  readonly made: readonly TestPolicy[]
  readonly limits?: Limits
  /** Codes and pointers; empty if the token is created. */
  readonly refused: readonly string[]
}

const ip = (request_ip: object) => ({ condition: { request_ip } })
const CASES: readonly Case[] = [
  { name: 'what the minter has', minter: [MAKER], made: [MAKER], refused: [] },
  {
    name: 'another permission',
    minter: [MAKER],
    made: [MAKER, allow(['Zone Read', 'DNS Write'], 'account.zone.*')],
    refused: ['19870 /policies/1/permission_groups/0', '19870 /policies/1/permission_groups/1'],
  },
  {
    name: 'one zone of all',
    minter: [MAKER, allow(['DNS Read'], 'account.zone.*')],
    made: [allow(['DNS Read'], `account.zone.${ZONE}`)],
    refused: [],
  },
  {
    name: 'all zones of one',
    minter: [MAKER, allow(['DNS Read'], `account.zone.${ZONE}`)],
    made: [allow(['DNS Read'], 'account.zone.*')],
    refused: ['19870 /policies/0/permission_groups/0'],
  },
  {
    name: 'a permission of another group on the same zone',
    minter: [
      MAKER,
      allow(['DNS Read'], `account.zone.${ZONE}`),
      allow(['DNS Write'], `account.zone.${'f'.repeat(32)}`),
    ],
    made: [allow(['DNS Write'], `account.zone.${ZONE}`)],
    refused: ['19870 /policies/0/permission_groups/0'],
  },
  {
    name: 'what the minter is denied',
    minter: [MAKER, allow(['DNS Read'], 'account.zone.*'), deny(['DNS Read'], `account.zone.${ZONE}`)],
    made: [allow(['DNS Read'], 'account.zone.*')],
    refused: ['19871 /policies/0/permission_groups/0'],
  },
  {
    name: 'the same with the same denial',
    minter: [MAKER, allow(['DNS Read'], 'account.zone.*'), deny(['DNS Read'], `account.zone.${ZONE}`)],
    made: [allow(['DNS Read'], 'account.zone.*'), deny(['DNS Read'], `account.zone.${ZONE}`)],
    refused: [],
  },
  {
    name: 'no condition, although the minter has one',
    minter: [MAKER],
    minterLimits: ip({ in: ['127.0.0.0/8'] }),
    made: [MAKER],
    refused: ['19872 /condition/request_ip/in'],
  },
  {
    name: 'wider and narrower networks',
    minter: [MAKER],
    minterLimits: ip({ in: ['127.0.0.0/8'] }),
    made: [MAKER],
    limits: ip({ in: ['127.0.0.1', '0.0.0.0/0', '127.0.0.0/7'] }),
    refused: ['19872 /condition/request_ip/in/1', '19872 /condition/request_ip/in/2'],
  },
  {
    name: 'a narrower network',
    minter: [MAKER],
    minterLimits: ip({ in: ['127.0.0.0/8'] }),
    made: [MAKER],
    limits: ip({ in: ['127.0.0.1'] }),
    refused: [],
  },
  {
    name: 'addresses that are excluded for the minter',
    minter: [MAKER],
    minterLimits: ip({ not_in: ['192.0.2.0/24'] }),
    made: [MAKER],
    limits: ip({ not_in: ['192.0.2.0/25'] }),
    refused: ['19873 /condition/request_ip/not_in'],
  },
  {
    name: 'no expiry, although the minter has one',
    minter: [MAKER],
    minterLimits: { expires_on: at(60) },
    made: [MAKER],
    refused: ['19874 /expires_on'],
  },
  {
    name: 'a later end',
    minter: [MAKER],
    minterLimits: { expires_on: at(60) },
    made: [MAKER],
    limits: { expires_on: at(61) },
    refused: ['19874 /expires_on'],
  },
  {
    name: 'the same expiry',
    minter: [MAKER],
    minterLimits: { expires_on: at(60) },
    made: [MAKER],
    limits: { expires_on: at(60) },
    refused: [],
  },
]

const draft = (policies: readonly TestPolicy[], limits: Limits = {}) => ({
  name: 'made',
  policies: policies.map(wirePolicy),
  ...limits,
})

describe('a token created with a token', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())
  const make = async (policies: readonly TestPolicy[], limits?: Limits) =>
    app.must<{ id: string; value: string }>('POST', '/user/tokens', draft(policies, limits))
  const outcome = async (method: string, path: string, token: string, body?: object) => {
    const before = await app.changeCount()
    const { status, json } = await app.call({ method, path, token, body })
    const refused = json.errors.map(({ code, source }) => `${code} ${source?.pointer}`)
    return { refused, status, changes: (await app.changeCount()) - before }
  }

  test.each(CASES)('$name', async ({ minter, minterLimits, made, limits, refused }) => {
    const { value } = await make(minter, minterLimits)
    const other = await make([MAKER], minterLimits)
    const strong = await make(made, limits)
    const expected =
      refused.length === 0 ? { refused, status: 200, changes: 1 } : { refused, status: 403, changes: 0 }
    expect(await outcome('POST', '/user/tokens', value, draft(made, limits))).toEqual(expected)
    expect(await outcome('PUT', `/user/tokens/${other.id}`, value, draft(made, limits))).toEqual(expected)
    expect(await outcome('PUT', `/user/tokens/${strong.id}/value`, value)).toEqual(expected)
  })

  test('an update key for a token that does not exceed the minter', async () => {
    const keyMaker = allow(['API Tokens Write', 'API Tokens Read'], 'user.*')
    const { id, value } = await make([keyMaker])
    const both = allow(['DNS Read', 'DNS Write'], 'account.zone.*')
    const strong = await make([keyMaker, both, allow(['DNS Read'], 'account.zone.*')])
    const path = '/zonereeve/update_keys'
    const { json } = await app.call({
      method: 'POST',
      path,
      token: value,
      body: { name: 'strong.update', token_id: strong.id },
    })
    expect(json.errors[0]?.message).toContain(' does not hold "DNS Read", "DNS Write" on ')
    expect(await outcome('POST', path, value, { name: 'strong.update', token_id: strong.id })).toEqual({
      refused: ['19870 /token_id'],
      status: 403,
      changes: 0,
    })
    expect(await outcome('POST', path, value, { name: 'own.update', token_id: id })).toMatchObject({
      status: 200,
    })
  })

  test('cannot widen itself, but can roll itself', async () => {
    const { id, value } = await make([MAKER])
    const wider = draft([MAKER, allow(['User Details Read'], 'user.*')])
    expect(await outcome('PUT', `/user/tokens/${id}`, value, wider)).toMatchObject({
      status: 403,
      changes: 0,
    })
    expect(await outcome('PUT', `/user/tokens/${id}/value`, value)).toMatchObject({ status: 200, changes: 1 })
  })

  test('an account token grants what it has in its account, and no more', async () => {
    const path = `/accounts/${app.accountId}/tokens`
    const { id: zone } = await app.must('POST', '/zones', { name: 'bounded.example' })
    const maker = allow(['Account API Tokens Write', 'DNS Read'], `account.${app.accountId}`)
    const value = await makeToken(app, [maker], app.accountId)
    const codes = async (...policies: TestPolicy[]) =>
      (await outcome('POST', path, value, draft(policies))).refused
    expect(await codes(maker)).toEqual([])
    expect(await codes(allow(['DNS Read'], 'account.zone.*'))).toEqual([])
    expect(await codes(allow(['DNS Read'], `account.zone.${zone}`))).toEqual([])
    expect(await codes(allow(['DNS Write'], `account.zone.${zone}`))).toEqual([
      '19870 /policies/0/permission_groups/0',
    ])
    const user = await makeToken(app, [maker])
    expect(
      (await outcome('POST', path, user, draft([allow(['DNS Read'], `account.zone.${zone}`)]))).refused,
    ).toEqual([])
    expect((await outcome('POST', path, user, draft([allow(['DNS Write'], 'account.zone.*')]))).status).toBe(
      403,
    )
  })

  test('the legacy key and the administrator’s token grant everything', async () => {
    const all = allow(['DNS Write', 'API Tokens Write', 'Account Settings Write'], ...EVERYTHING)
    const headers = { 'x-auth-email': ADMIN_EMAIL, 'x-auth-key': ADMIN_KEY }
    const body = draft([all])
    expect(
      (await app.call({ method: 'POST', path: '/user/tokens', token: null, headers, body })).status,
    ).toBe(200)
    expect((await app.call({ method: 'POST', path: '/user/tokens', body })).status).toBe(200)
  })
})

test('the profile vendor has no bounds', async () => {
  const app = await startTestApp({ profile: 'vendor' })
  const value = await makeToken(app, [MAKER])
  const body = draft([allow(['DNS Write'], 'account.zone.*')])
  expect((await app.call({ method: 'POST', path: '/user/tokens', token: value, body })).status).toBe(200)
  await app.close()
})
