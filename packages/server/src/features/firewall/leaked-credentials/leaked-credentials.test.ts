// The check of credentials over HTTP: the switch, the places of a zone, rules that use it, and what is refused.
import { installLeakedPasswords } from '@zonereeve/firewall'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { scenarios, type Send } from '../../../testing/scenarios.ts'

beforeEach(() => installLeakedPasswords({ isLeaked: (text) => text === 'hunter2' }))
afterAll(() => installLeakedPasswords(undefined))

const PATH = '/zones/{zone}/leaked-credential-checks'
const PLACES = `${PATH}/detections`
const read: Send = { method: 'GET', path: PATH }
const set = (enabled: unknown): Send => ({ method: 'POST', path: PATH, body: { enabled } })
const add = (body: unknown): Send => ({ method: 'POST', path: PLACES, body })
const UNKNOWN = '0'.repeat(32)
const place = {
  username: 'lookup_json_string(http.request.body.raw, "who")',
  password: 'lookup_json_string(http.request.body.raw, "secret")',
}

scenarios(PATH, [
  { name: 'off by default', send: read, expect: { status: 200, result: { enabled: false } } },
  { name: 'on', send: set(true), expect: { status: 200, changes: 1, result: { enabled: true } } },
  { name: 'and read', before: [set(true)], send: read, expect: { status: 200, result: { enabled: true } } },
  { name: 'off again: no change', send: set(false), expect: { status: 200, result: { enabled: false } } },
  ...[{}, { enabled: 'yes' }, { enabled: 1 }, { enabled: null }].map((body) => ({
    name: `refused: ${JSON.stringify(body)}`,
    send: { method: 'POST', path: PATH, body },
    expect: { status: 400, codes: [6008], pointers: ['/enabled'] },
  })),
  { name: 'no places', send: { method: 'GET', path: PLACES }, expect: { status: 200, result: [] } },
  { name: 'a place', send: add(place), expect: { status: 200, changes: 1, result: place } },
  {
    name: 'a place without a user name',
    send: add({ password: place.password }),
    expect: { status: 200, changes: 1, result: { username: '', password: place.password } },
  },
  {
    name: 'expressions that cannot be read: both are reported',
    send: add({ username: 'no.such.field', password: 'lower(' }),
    expect: { status: 400, codes: [20127, 20127], pointers: ['/username', '/password'] },
  },
  {
    name: 'a password that is no text',
    send: add({ password: 'http.request.body.size' }),
    expect: { status: 400, codes: [19535], pointers: ['/password'] },
  },
  {
    name: 'no password',
    send: add({ username: place.username }),
    expect: { status: 400, codes: [6008], pointers: ['/password'] },
  },
  {
    name: 'one place too many',
    before: Array.from({ length: 10 }, () => add(place)),
    send: add(place),
    expect: { status: 400, codes: [20352] },
  },
  ...(['GET', 'DELETE', 'PUT'] as const).map((method) => ({
    name: `${method} of an unknown place`,
    send: { method, path: `${PLACES}/${UNKNOWN}`, ...(method === 'PUT' && { body: place }) },
    expect: { status: 404, codes: [20351] },
  })),
  {
    name: 'an unknown zone',
    send: { method: 'GET', path: `/zones/${UNKNOWN}/leaked-credential-checks` },
    expect: { status: 404, codes: [1001] },
  },
])

describe('beyond the table', () => {
  let app: TestApp
  let zone: string
  beforeAll(async () => {
    app = await startTestApp()
    zone = (await app.must<{ id: string }>('POST', '/zones', { name: 'login.example' })).id
  })
  afterAll(() => app.close())

  const signIn = (password: string) => ({
    method: 'POST',
    url: 'https://login.example/login',
    ip: '192.0.2.1',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ who: 'anna', secret: password }),
  })
  const decide = async (password: string): Promise<string> => {
    const path = `/zonereeve/zones/${zone}/firewall/decide`
    return (await app.must<{ action: string }>('POST', path, signIn(password))).action
  }
  const ENTRY = 'rulesets/phases/http_request_firewall_custom/entrypoint'

  test('a rule decides by it: on, with a place, without the place, off', async () => {
    const rule = { action: 'block', expression: 'cf.waf.credential_check.password_leaked' }
    await app.must('PUT', `/zones/${zone}/${ENTRY}`, { rules: [rule] })
    expect(await decide('hunter2')).toBe('allow')
    const path = `/zones/${zone}/leaked-credential-checks`
    await app.must('POST', path, { enabled: true })
    expect(await decide('hunter2')).toBe('allow')
    const { id } = await app.must<{ id: string }>('POST', `${path}/detections`, place)
    expect([await decide('hunter2'), await decide('hunter3')]).toEqual(['block', 'allow'])
    const other = { ...place, password: 'lookup_json_string(http.request.body.raw, "who")' }
    await app.must('PUT', `${path}/detections/${id}`, other)
    expect(await app.must('GET', `${path}/detections/${id}`)).toEqual({ id, ...other })
    expect(await decide('hunter2')).toBe('allow')
    await app.must('PUT', `${path}/detections/${id}`, place)
    expect(await decide('hunter2')).toBe('block')
    await app.must('DELETE', `${path}/detections/${id}`)
    expect(await decide('hunter2')).toBe('allow')
    const kinds = (await app.changeLog(zone)).flatMap(({ ops }) => ops.map(({ kind }) => kind))
    expect(kinds.filter((kind) => kind === 'leaked_credentials.update')).toHaveLength(5)
  })

  test('exposed_credential_check is returned as sent, and decides', async () => {
    const check = { username_expression: place.username, password_expression: place.password }
    const rule = { action: 'block', expression: 'true', exposed_credential_check: check }
    const { rules } = await app.must<{ rules: object[] }>('PUT', `/zones/${zone}/${ENTRY}`, { rules: [rule] })
    expect(rules).toEqual([expect.objectContaining(rule)])
    expect([await decide('hunter2'), await decide('hunter3')]).toEqual(['block', 'allow'])
  })

  test.each([
    [{ username_expression: 'http.host' }, 19529, '/rules/0/exposed_credential_check/password_expression'],
    [
      { username_expression: 'http.host', password_expression: 'nothing' },
      20127,
      '/rules/0/exposed_credential_check/password_expression',
    ],
    [5, 19535, '/rules/0/exposed_credential_check'],
  ])('refused: %j', async (check, code, pointer) => {
    const before = await app.changeCount()
    const body = { rules: [{ action: 'block', expression: 'true', exposed_credential_check: check }] }
    const { status, json } = await app.call({ method: 'PUT', path: `/zones/${zone}/${ENTRY}`, body })
    expect([status, json.errors.map((error) => [error.code, error.source?.pointer])]).toEqual([
      400,
      [[code, pointer]],
    ])
    expect(await app.changeCount()).toBe(before)
  })

  test('without a collection it cannot be turned on, and rules that need it are refused', async () => {
    installLeakedPasswords(undefined)
    const { status, json } = await app.call({
      method: 'POST',
      path: `/zones/${zone}/leaked-credential-checks`,
      body: { enabled: true },
    })
    expect([status, json.errors[0]?.code, json.errors[0]?.source?.pointer]).toEqual([400, 20353, '/enabled'])
    const body = { rules: [{ action: 'block', expression: 'cf.waf.credential_check.password_leaked' }] }
    const refused = await app.call({ method: 'PUT', path: `/zones/${zone}/${ENTRY}`, body })
    expect([refused.status, refused.json.errors[0]?.message]).toEqual([
      400,
      expect.stringContaining('--leaked-passwords'),
    ])
  })
})
