// Zone settings over HTTP: values, errors, and whether the zone's serial moved.
import { PERMISSION_GROUPS } from '@zonereeve/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { scenarios, type Send } from '../../../testing/scenarios.ts'

const path = (name = '') => `/zones/{zone}/settings${name === '' ? '' : `/${name}`}`
const set = (name: string, body: unknown): Send => ({ method: 'PATCH', path: path(name), body })
const fallback = (id: string) => ({ id, value: 'on', modified_on: null, editable: true })

const SECURITY = { id: 'security_level', value: 'medium', modified_on: null, editable: true }

scenarios('/zones/:id/settings', [
  {
    name: 'all of a new zone',
    send: { method: 'GET', path: path() },
    expect: { status: 200, result: [fallback('http2'), fallback('http3'), SECURITY, fallback('waf')] },
  },
  {
    name: 'one of them',
    send: { method: 'GET', path: path('http3') },
    expect: { status: 200, result: fallback('http3') },
  },
  ...['http2', 'http3'].map((name) => ({
    name: `${name} off`,
    send: set(name, { value: 'off' }),
    expect: {
      status: 200,
      changes: 1,
      events: ['zone settings'],
      result: { id: name, value: 'off', editable: true },
    },
  })),
  {
    name: 'on again',
    before: [set('http2', { value: 'off' })],
    send: set('http2', { value: 'on' }),
    expect: { status: 200, changes: 1, events: ['zone settings'], result: { value: 'on' } },
  },
  {
    name: 'the current value: no change',
    send: set('http2', { id: 'http2', value: 'on' }),
    expect: { status: 200, result: fallback('http2') },
  },
  {
    name: 'the other setting keeps its value',
    before: [set('http2', { value: 'off' })],
    send: { method: 'GET', path: path('http3') },
    expect: { status: 200, result: fallback('http3') },
  },
  ...[{}, { value: 'ON' }, { value: true }, { value: null }, { value: ['on'] }, { value: '' }].map(
    (body) => ({
      name: `invalid value: ${JSON.stringify(body)}`,
      send: set('http3', body),
      expect: { status: 400, codes: [1007], pointers: ['/value'] },
    }),
  ),
  ...['http4', 'constructor', 'HTTP2', '0'.repeat(32)].flatMap((name) => [
    {
      name: `unknown setting: ${name}`,
      send: { method: 'GET', path: path(name) },
      expect: { status: 400, codes: [1003] },
    },
    {
      name: `unknown setting to change: ${name}`,
      send: set(name, { value: 'off' }),
      expect: { status: 400, codes: [1003] },
    },
  ]),
  {
    name: 'legacy managed rules: the DNS of the zone does not change',
    send: set('waf', { value: 'off' }),
    expect: { status: 200, changes: 1, result: { id: 'waf', value: 'off', editable: true } },
  },
  {
    name: 'waf neither on nor off',
    send: set('waf', { value: 'simulate' }),
    expect: { status: 400, codes: [1007], pointers: ['/value'] },
  },
  ...['pro', 'business'].map((plan) => ({
    name: `waf is on on plan ${plan}`,
    plan,
    send: { method: 'GET', path: path('waf') },
    expect: { status: 200, result: fallback('waf') },
  })),
  {
    name: 'waf is off on plan free',
    plan: 'free',
    send: { method: 'GET', path: path('waf') },
    expect: { status: 200, result: { ...fallback('waf'), value: 'off', editable: false } },
  },
  ...['on', 'off'].map((value) => ({
    name: `waf cannot be set on plan free: ${value}`,
    plan: 'free',
    send: set('waf', { value }),
    expect: { status: 403, codes: [19551] },
  })),
  {
    name: 'a downgrade of the plan switches waf off',
    before: [
      set('waf', { value: 'on' }),
      { method: 'PATCH', path: '/zones/{zone}', body: { plan: { id: 'free' } } },
    ],
    send: { method: 'GET', path: path('waf') },
    expect: { status: 200, result: { value: 'off', editable: false } },
  },
  {
    name: 'the security level under_attack: the DNS of the zone does not change',
    send: set('security_level', { value: 'under_attack' }),
    expect: { status: 200, changes: 1, result: { value: 'under_attack' } },
  },
  ...['off', 'essentially_off', 'low', 'high'].map((value) => ({
    name: `the security level ${value} says that it has no effect`,
    before: [set('security_level', { value: 'under_attack' })],
    send: set('security_level', { value }),
    expect: { status: 200, changes: 1, messages: [19598], result: { value } },
  })),
  {
    name: 'an unknown security level',
    send: set('security_level', { value: 'on' }),
    expect: { status: 400, codes: [1007], pointers: ['/value'] },
  },
  {
    name: 'an unknown zone',
    send: { method: 'GET', path: `/zones/${'f'.repeat(32)}/settings` },
    expect: { status: 404, codes: [1001] },
  },
  {
    name: 'an invalid identifier',
    send: { method: 'GET', path: '/zones/http2/settings/http2' },
    expect: { status: 400, codes: [7003] },
  },
])

describe('beyond the table', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  test('members are in the order of the live API; the time of a change is shown', async () => {
    const { id } = await app.must('POST', '/zones', { name: 'order.example' })
    const at = '2026-01-05T10:20:30'
    await app.must('PATCH', `/zones/${id}/settings/http3`, { value: 'off' })
    const { text } = await app.call({ method: 'GET', path: `/zones/${id}/settings/http3` })
    const shape = text.replace(new RegExp(`"${at}\\.\\d{6}Z"`), '"at"')
    expect(shape).toBe(
      '{"result":{"id":"http3","value":"off","modified_on":"at","editable":true},"success":true,"errors":[],"messages":[]}',
    )
  })

  test('waf cannot be changed after the zone has been migrated', async () => {
    const { id } = await app.must('POST', '/zones', { name: 'migrated.example' })
    await app.must('PATCH', `/zones/${id}/settings/waf`, { value: 'off' })
    await app.storage.write((tx) =>
      tx.run(query.insertInto('waf_migrations').values({ zone_id: id, state: 'done' })),
    )
    const before = await app.changeCount()
    const { status, json } = await app.call({
      method: 'PATCH',
      path: `/zones/${id}/settings/waf`,
      body: { value: 'on' },
    })
    expect([status, json.errors[0]?.code]).toEqual([410, 19550])
    expect(await app.must<object>('GET', `/zones/${id}/settings/waf`)).toMatchObject({
      value: 'off',
      editable: false,
    })
    await app.must('PATCH', `/zones/${id}/settings/http3`, { value: 'off' })
    expect(await app.changeCount()).toBe(before + 1)
  })

  test('change sets contain the previous value; settings are deleted with the zone', async () => {
    const { id } = await app.must('POST', '/zones', { name: 'log.example' })
    await app.must('PATCH', `/zones/${id}/settings/http3`, { value: 'off' })
    await app.must('DELETE', `/zones/${id}`)
    const ops = (await app.changeLog(id)).flatMap((set) => set.ops)
    const on = '{"name":"http3","value":"on"}'
    const off = '{"name":"http3","value":"off"}'
    expect(ops.slice(1).map(({ kind, before, after }) => [kind, before, after])).toEqual([
      ['zone_setting.update', on, off],
      ['zone.delete', expect.any(String), null],
      ['zone_setting.update', off, null],
    ])
  })

  test.each([
    ['GET', 'Zone Settings Read', 200],
    ['GET', 'Zone Settings Write', 200],
    ['GET', 'DNS Read', 403],
    ['PATCH', 'Zone Settings Write', 200],
    ['PATCH', 'Zone Settings Read', 403],
  ] as const)('%s with %s: %i', async (method, group, status) => {
    const { id } = await app.must('POST', '/zones', {
      name: `${group.replaceAll(' ', '-')}.${method}.example`,
    })
    const policy = {
      effect: 'allow',
      resources: { [`com.cloudflare.api.account.zone.${id}`]: '*' },
      permission_groups: [{ id: PERMISSION_GROUPS.find(({ name }) => name === group)?.id }],
    }
    const token = await app.must<{ value: string }>('POST', '/user/tokens', {
      name: group,
      policies: [policy],
    })
    const body = method === 'PATCH' ? { body: { value: 'off' } } : {}
    const answer = await app.call({
      method,
      path: `/zones/${id}/settings/http2`,
      token: token.value,
      ...body,
    })
    expect(answer.status).toBe(status)
  })
})
