// Accounts, memberships and the caller.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { ADMIN_EMAIL, startTestApp, type TestApp } from '../../../testing/app.ts'
import { expectConsistent } from '../../../testing/change-log.ts'
import { scenarios, type Scenario } from '../../../testing/scenarios.ts'
import { allow, makeToken } from '../../../testing/test-tokens.ts'

const ABSENT = 'f'.repeat(32)

interface Account {
  readonly id: string
  readonly name: string
  readonly [member: string]: unknown
}

const create = (body: unknown) => ({ method: 'POST', path: '/accounts', body })
const update = (body: unknown) => ({ method: 'PUT', path: '/accounts/{account}', body })
const refused = (...pointers: string[]) => ({ status: 400, codes: pointers.map(() => 6008), pointers })
const settings = { enforce_twofactor: false }
const WITHOUT_CONTACT = '"settings":{"enforce_twofactor":false}'

const definitions: Scenario[] = [
  {
    name: 'the least',
    send: create({ name: 'a' }),
    expect: { status: 200, changes: 1, result: { name: 'a', type: 'enterprise', settings } },
  },
  {
    name: 'everything',
    send: create({
      name: 'b',
      type: 'standard',
      settings: { enforce_twofactor: true, abuse_contact_email: 'abuse@example.com' },
    }),
    expect: {
      status: 200,
      changes: 1,
      result: {
        name: 'b',
        type: 'standard',
        settings: { enforce_twofactor: true, abuse_contact_email: 'abuse@example.com' },
      },
    },
  },
  { name: 'an existing name', send: create({ name: 'a' }), expect: { status: 200, changes: 1 } },
  {
    name: 'a name of 100 characters',
    send: create({ name: 'n'.repeat(100) }),
    expect: { status: 200, changes: 1 },
  },
  { name: 'a name of 101 characters', send: create({ name: 'n'.repeat(101) }), expect: refused('/name') },
  ...['\0', 'a\nb', 'a\u0085'].map((name): Scenario => ({
    name: `a name with a control character: ${JSON.stringify(name)}`,
    send: create({ name }),
    expect: refused('/name'),
  })),
  { name: 'an empty name', send: create({ name: '' }), expect: refused('/name') },
  { name: 'no name', send: create({}), expect: refused('/name') },
  {
    name: 'an unknown type',
    send: create({ name: 'c', type: 'premium' }),
    expect: refused('/type'),
  },
  {
    name: 'settings of the wrong type',
    send: create({ name: 'c', settings: { enforce_twofactor: 'yes' } }),
    expect: refused('/settings/enforce_twofactor'),
  },
  {
    name: 'unknown members are ignored',
    send: create({ name: 'd', id: ABSENT, managed_by: {}, unit: { id: 'x' } }),
    expect: { status: 200, changes: 1, result: { name: 'd' } },
  },
  {
    name: 'a new name',
    send: update({ name: 'renamed' }),
    expect: { status: 200, changes: 1, result: { name: 'renamed', type: 'enterprise', settings } },
  },
  {
    name: 'one setting keeps the others',
    send: update({ name: 'renamed', settings: { abuse_contact_email: 'abuse@example.com' } }),
    expect: {
      status: 200,
      changes: 1,
      result: { settings: { enforce_twofactor: false, abuse_contact_email: 'abuse@example.com' } },
    },
  },
  {
    name: 'null clears a setting',
    send: update({ name: 'renamed', settings: { abuse_contact_email: null } }),
    expect: { status: 200, changes: 1, text: WITHOUT_CONTACT },
  },
  { name: 'an update without a name', send: update({ type: 'standard' }), expect: refused('/name') },
  {
    name: 'an unknown account',
    send: { method: 'PUT', path: `/accounts/${ABSENT}`, body: { name: 'x' } },
    expect: { status: 404, codes: [1003] },
  },
  {
    name: 'deleting an unknown account',
    send: { method: 'DELETE', path: `/accounts/${ABSENT}` },
    expect: { status: 404, codes: [1003] },
  },
  {
    name: 'deleting an account that has zones',
    send: { method: 'DELETE', path: '/accounts/{account}' },
    expect: { status: 400, codes: [19101] },
  },
]
scenarios('account definitions', definitions)

describe('accounts', () => {
  let app: TestApp
  beforeEach(async () => {
    app = await startTestApp()
  })
  afterEach(async () => {
    await expectConsistent(app.storage)
    await app.close()
  })

  const list = async (search = '') => {
    const { json } = await app.call<Account[]>({ method: 'GET', path: `/accounts${search}` })
    return [json.result.map(({ name }) => name), json.result_info?.total_count]
  }

  test('have the shape of the live API', async () => {
    expect(await app.must('GET', `/accounts/${app.accountId}`)).toEqual({
      id: app.accountId,
      name: 'Zonereeve',
      type: 'enterprise',
      settings,
      created_on: expect.stringMatching(/^2026-01-05T10:20:30\.\d{6}Z$/),
    })
  })

  test('are listed oldest first, by name, in either direction, in pages', async () => {
    for (const name of ['b', 'a', 'c']) await app.must('POST', '/accounts', { name })
    expect(await list()).toEqual([['Zonereeve', 'b', 'a', 'c'], 4])
    expect(await list('?direction=desc')).toEqual([['c', 'a', 'b', 'Zonereeve'], 4])
    expect(await list('?name=a')).toEqual([['a'], 1])
    expect(await list('?name=nobody')).toEqual([[], 0])
    expect(await list('?per_page=3&page=2')).toEqual([['c'], 4])
    expect(await list('?page=9')).toEqual([[], 4])
  })

  test('are deleted with their memberships, and their history stays', async () => {
    const { id } = await app.must('POST', '/accounts', { name: 'short-lived' })
    expect(await app.must('DELETE', `/accounts/${id}`)).toEqual({ id })
    expect((await app.call({ method: 'GET', path: `/accounts/${id}` })).status).toBe(404)
    expect(await app.must<unknown[]>('GET', '/memberships')).toHaveLength(1)
    const log = await app.changeLog(id)
    expect(log.map(({ number, serial, ops }) => [number, serial, ops[0]?.kind])).toEqual([
      [1, null, 'account.create'],
      [2, null, 'account.delete'],
    ])
    expect(log[1]?.ops[0]).toMatchObject({ before: log[0]?.ops[0]?.after, after: null })
  })

  test('an update without changes writes nothing', async () => {
    const before = await app.changeCount()
    expect(await app.must('PUT', `/accounts/${app.accountId}`, { name: 'Zonereeve' })).toMatchObject({
      settings,
    })
    expect(await app.changeCount()).toBe(before)
  })

  test('the only one cannot be deleted', async () => {
    const answer = await app.call({ method: 'DELETE', path: `/accounts/${app.accountId}` })
    expect([answer.status, answer.json.errors[0]?.code]).toEqual([400, 19102])
    expect(await list()).toEqual([['Zonereeve'], 1])
  })

  test('one with zones is not deleted until the last is gone', async () => {
    const { id } = await app.must('POST', '/accounts', { name: 'with zones' })
    const zone = await app.must('POST', '/zones', { name: 'example.com', account: { id } })
    expect((await app.call({ method: 'DELETE', path: `/accounts/${id}` })).json.errors[0]?.code).toBe(19101)
    await app.must('DELETE', `/zones/${zone.id}`)
    expect(await app.must('DELETE', `/accounts/${id}`)).toEqual({ id })
  })
})

test('an account that follows a catalog zone is not deleted until it no longer does', async () => {
  const app = await startTestApp()
  const { id } = await app.must('POST', '/accounts', { name: 'follows' })
  const { id: peer } = await app.must('POST', `/accounts/${id}/secondary_dns/peers`, {
    name: 'primary',
    ip: '192.0.2.53',
  })
  const path = `/zonereeve/accounts/${id}/secondary_catalogs/catalog.example`
  await app.must('PUT', path, { peers: [peer] })
  const refusal = await app.call({ method: 'DELETE', path: `/accounts/${id}` })
  expect([refusal.status, refusal.json.errors[0]?.code]).toEqual([400, 19105])
  expect((await app.call({ method: 'GET', path })).status).toBe(200)
  await app.must('DELETE', path)
  expect(await app.must('DELETE', `/accounts/${id}`)).toEqual({ id })
  await app.close()
})

describe('memberships', () => {
  test('are those of the caller, in every account that they created', async () => {
    const app = await startTestApp()
    const { id } = await app.must('POST', '/accounts', { name: 'second' })
    const all = await app.must<
      { id: string; status: string; account: Account; roles: string[]; permissions: object }[]
    >('GET', '/memberships')
    expect(all.map(({ account, status }) => [account.id, account.name, status])).toEqual([
      [app.accountId, 'Zonereeve', 'accepted'],
      [id, 'second', 'accepted'],
    ])
    expect(all[0]).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      permissions: { dns_records: { read: true, write: true } },
    })
    expect(await app.must('GET', '/memberships?account.name=second')).toMatchObject([{ account: { id } }])
    expect(await app.must('GET', '/memberships?status=pending')).toEqual([])
    expect(await app.must('GET', '/memberships?direction=desc')).toMatchObject([{ account: { id } }, {}])
    const { json } = await app.call<unknown[]>({ method: 'GET', path: '/memberships?per_page=1&page=2' })
    expect([json.result, json.result_info]).toMatchObject([
      [{ account: { id } }],
      { total_count: 2, total_pages: 2 },
    ])
    await app.close()
  })
})

describe('the caller', () => {
  test('has the shape of the live API, without secrets', async () => {
    const app = await startTestApp()
    const user = await app.must('GET', '/user')
    expect(user).toEqual({
      id: app.userId,
      email: ADMIN_EMAIL,
      first_name: null,
      last_name: null,
      telephone: null,
      country: null,
      zipcode: null,
      two_factor_authentication_enabled: false,
      two_factor_authentication_locked: false,
      suspended: false,
      created_on: expect.stringMatching(/Z$/),
      modified_on: expect.stringMatching(/Z$/),
      organizations: [],
    })
    const [stored] = await app.storage.all(query.selectFrom('users').select('key_hash'))
    expect(JSON.stringify(user)).not.toContain(stored?.key_hash)
    await app.close()
  })

  test('is undefined for an account token', async () => {
    const app = await startTestApp()
    const token = await makeToken(app, [allow(['User Details Read'], 'user.*')], app.accountId)
    expect((await app.call({ method: 'GET', path: '/user', token })).json.errors).toMatchObject([
      { code: 10000 },
    ])
    await app.close()
  })
})
