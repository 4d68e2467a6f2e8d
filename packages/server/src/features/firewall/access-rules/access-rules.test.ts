// IP access rules over HTTP, of zones, accounts and all zones: what is stored, found, refused, and what they decide.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { scenarios, type Scenario, type Send } from '../../../testing/scenarios.ts'
import { allow, makeToken } from '../../../testing/test-tokens.ts'

const MODES = ['block', 'challenge', 'whitelist', 'js_challenge', 'managed_challenge']
const UNKNOWN = '0'.repeat(32)
let number = 0
/** An address of its own: rules of accounts and of all zones stay between rows. */
const newAddress = (): string => `10.0.${Math.floor((number += 1) / 250)}.${number % 250}`

for (const [base, type] of [
  ['/zones/{zone}', 'zone'],
  ['/accounts/{account}', 'organization'],
  ['/user', 'user'],
] as const) {
  const path = `${base}/firewall/access_rules/rules`
  const rule = (target: string, value: string, more: object = {}) => ({
    mode: 'block',
    configuration: { target, value },
    ...more,
  })
  const create = (body: unknown): Send & { readonly as: string } => ({
    method: 'POST',
    path,
    body,
    as: 'rule',
  })
  const make = (more?: object) => create(rule('ip', newAddress(), more))
  const one = (method: string, body?: unknown): Send => ({
    method,
    path: `${path}/{rule}`,
    ...(body !== undefined && { body }),
  })
  const refused = (body: unknown, code: number, pointer: string): Scenario => ({
    name: `refused: ${JSON.stringify(body)}`,
    send: create(body),
    expect: { status: 400, codes: [code], pointers: [pointer] },
  })
  scenarios(path, [
    {
      name: 'a rule',
      send: create(rule('ip', '198.51.100.4', { notes: 'attack' })),
      expect: {
        status: 200,
        changes: 1,
        result: {
          notes: 'attack',
          allowed_modes: MODES,
          mode: 'block',
          configuration: { target: 'ip', value: '198.51.100.4' },
          scope: { type },
        },
      },
    },
    {
      name: 'a network is stored with its first address',
      send: create(rule('ip_range', '203.0.113.9/24', { mode: 'whitelist' })),
      expect: {
        status: 200,
        changes: 1,
        result: { mode: 'whitelist', notes: '', configuration: { value: '203.0.113.0/24' } },
      },
    },
    {
      name: 'an edited rule',
      before: [make()],
      send: one('PATCH', { mode: 'js_challenge', notes: 'new' }),
      expect: {
        status: 200,
        changes: 1,
        result: { mode: 'js_challenge', notes: 'new' },
      },
    },
    {
      name: 'an edit that changes nothing',
      before: [make()],
      send: one('PATCH', { mode: 'block' }),
      expect: { status: 200, result: { mode: 'block' } },
    },
    {
      name: 'the configuration cannot change',
      before: [make()],
      send: one('PATCH', { configuration: { target: 'ip', value: '192.0.2.99' }, mode: 'challenge' }),
      expect: { status: 400, codes: [20722], pointers: ['/configuration'] },
    },
    {
      name: 'one rule',
      before: [make({ notes: 'x' })],
      send: one('GET'),
      expect: { status: 200, result: { notes: 'x' } },
    },
    {
      name: 'deleted',
      before: [make()],
      send: one('DELETE'),
      expect: {
        status: 200,
        changes: 1,
      },
    },
    {
      name: 'similar rules elsewhere are not deleted',
      before: [make()],
      send: one('DELETE', { cascade: 'aggressive' }),
      expect: { status: 400, codes: [6008], pointers: ['/cascade'] },
    },
    ...['GET', 'PATCH', 'DELETE'].map((method) => ({
      name: `${method} of a rule that does not exist`,
      send: { method, path: `${path}/${UNKNOWN}`, ...(method === 'PATCH' && { body: { mode: 'block' } }) },
      expect: { status: 404, codes: [10001] },
    })),
    {
      name: 'the same target twice',
      before: [create(rule('ip_range', '100.64.0.0/16'))],
      send: create(rule('ip_range', '100.64.7.7/16', { mode: 'challenge' })),
      expect: { status: 400, codes: [10009], pointers: ['/configuration'] },
    },
    refused(rule('ip', '192.0.2.0/24'), 20720, '/configuration/value'),
    refused(rule('ip_range', '192.0.2.0/23'), 20720, '/configuration/value'),
    refused(rule('country', 'T1'), 20720, '/configuration/value'),
    refused(rule('country', 'DE'), 20721, '/configuration/target'),
    refused(rule('asn', 'AS64500'), 20721, '/configuration/target'),
    refused(rule('host', 'example.com'), 6008, '/configuration/target'),
    refused(rule('ip', '192.0.2.1', { mode: 'allow' }), 6008, '/mode'),
    refused(rule('ip', '192.0.2.1', { priority: 1 }), 6008, '/priority'),
    refused({ mode: 'block' }, 6008, '/configuration'),
  ])
}

describe('search', () => {
  let app: TestApp
  let path: string
  beforeAll(async () => {
    app = await startTestApp()
    const { id } = await app.must<{ id: string }>('POST', '/zones', { name: 'search.example' })
    path = `/zones/${id}/firewall/access_rules/rules`
    for (const [target, value, mode, notes] of [
      ['ip', '192.0.2.1', 'block', 'Attack 1'],
      ['ip_range', '192.0.2.0/24', 'challenge', 'office'],
      ['ip', '192.0.2.9', 'whitelist', 'ATTACK 2'],
    ])
      await app.must('POST', path, { mode, notes, configuration: { target, value } })
  })
  afterAll(() => app.close())
  test.each<[string, string[]]>([
    ['', ['192.0.2.1', '192.0.2.0/24', '192.0.2.9']],
    ['?notes=attack', ['192.0.2.1', '192.0.2.9']],
    ['?configuration.target=ip_range', ['192.0.2.0/24']],
    ['?configuration[target]=ip&mode=whitelist', ['192.0.2.9']],
    ['?configuration.value=192.0.2.1&mode=whitelist', []],
    ['?configuration.value=192.0.2.1&mode=whitelist&match=any', ['192.0.2.1', '192.0.2.9']],
    ['?order=mode&direction=desc', ['192.0.2.9', '192.0.2.0/24', '192.0.2.1']],
    ['?order=configuration.value', ['192.0.2.0/24', '192.0.2.1', '192.0.2.9']],
    ['?per_page=1&page=2', ['192.0.2.0/24']],
  ])('%s', async (query, values) => {
    const found = await app.must<{ configuration: { value: string } }[]>('GET', path + query)
    expect(found.map(({ configuration }) => configuration.value)).toEqual(values)
  })
})

describe('decisions', () => {
  let app: TestApp
  let zone: string
  beforeAll(async () => {
    app = await startTestApp()
    zone = (
      await app.must<{ id: string }>('POST', '/zones', {
        name: 'access.example',
        account: { id: app.accountId },
      })
    ).id
    await app.must('PUT', `/zones/${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
      rules: [{ action: 'block', expression: 'http.request.uri.path eq "/blocked"' }],
    })
  })
  afterAll(() => app.close())

  async function decideAndTrace(ip: string, path = '/', headers = {}) {
    const body = { url: `https://access.example${path}`, ip, headers }
    const decided = await app.must<{ action: string; ended_by: { phase: string } | null }>(
      'POST',
      `/zonereeve/zones/${zone}/firewall/decide`,
      body,
    )
    const trace = await app.must<{ new: { action: string; steps: { phase: string; because?: string[] }[] } }>(
      'POST',
      `/zonereeve/zones/${zone}/firewall/trace`,
      body,
    )
    expect(trace.new.action).toBe(decided.action)
    return { ...decided, steps: trace.new.steps }
  }

  test.each(['/zones/{zone}', '/accounts/{account}', '/user'])(
    'a rule below %s takes effect at once',
    async (base) => {
      const path = `${base.replace('{zone}', zone).replace('{account}', app.accountId)}/firewall/access_rules/rules`
      const ip = newAddress()
      expect((await decideAndTrace(ip)).action).toBe('allow')
      const { id } = await app.must<{ id: string }>('POST', path, {
        mode: 'block',
        configuration: { target: 'ip', value: ip },
      })
      const decided = await decideAndTrace(ip)
      expect(decided.action).toBe('block')
      expect(decided.ended_by?.phase).toBe('ip_access')
      await app.must('PATCH', `${path}/${id}`, { mode: 'whitelist' })
      expect((await decideAndTrace(ip, '/blocked')).action).toBe('allow')
      await app.must('DELETE', `${path}/${id}`)
      expect((await decideAndTrace(ip, '/blocked')).action).toBe('block')
    },
  )

  test('lockdown, user-agent rules and the security level, with their events and reasons', async () => {
    await app.must('POST', `/zones/${zone}/firewall/lockdowns`, {
      urls: ['access.example/admin*'],
      configurations: [{ target: 'ip', value: '198.51.100.1' }],
    })
    await app.must('POST', `/zones/${zone}/firewall/ua_rules`, {
      mode: 'challenge',
      configuration: { target: 'ua', value: 'Bad' },
    })
    await app.must('PATCH', `/zones/${zone}/settings/security_level`, { value: 'under_attack' })
    const locked = await decideAndTrace('192.0.2.1', '/admin/x')
    expect([locked.action, locked.ended_by?.phase]).toEqual(['block', 'zone_lockdown'])
    expect(locked.steps.at(-1)?.because).toEqual(expect.arrayContaining(['http.host eq "access.example"']))
    const challenged = await decideAndTrace('192.0.2.1', '/', { 'user-agent': 'Bad' })
    expect([challenged.action, challenged.ended_by?.phase]).toEqual(['challenge', 'user_agent'])
    const page = await decideAndTrace('192.0.2.1', '/', { accept: 'text/html' })
    expect([page.action, page.ended_by?.phase]).toEqual(['managed_challenge', 'security_level'])
    const events = await app.must<{ source: string }[]>('GET', `/zonereeve/zones/${zone}/security/events`)
    expect(new Set(events.map(({ source }) => source))).toEqual(
      new Set(['ip', 'firewallCustom', 'zoneLockdown', 'uaBlock', 'securityLevel']),
    )
  })

  test('rules of all zones need the permission on every account', async () => {
    const group = 'Account Firewall Access Rules Write'
    const token = await makeToken(app, [allow([group], `account.${app.accountId}`)])
    const own = await app.call({
      method: 'GET',
      path: `/accounts/${app.accountId}/firewall/access_rules/rules`,
      token,
    })
    expect(own.status).toBe(200)
    const all = await app.call({ method: 'GET', path: '/user/firewall/access_rules/rules', token })
    expect(all.status).toBe(403)
  })
})
