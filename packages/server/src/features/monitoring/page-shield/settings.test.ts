// Settings and retention of monitoring over HTTP: values, errors, plans, and the change log.
import { PERMISSION_GROUPS } from '@zonereeve/contract'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { SYSTEM } from '@zonereeve/platform'
import { query } from '@zonereeve/storage'
import { scenarios } from '../../../testing/scenarios.ts'
import { get, observe, ON, OWN, SETTINGS } from './observing.cases.ts'
import { DEFAULT_RETENTION } from './life-cycle.rules.ts'

const put = (body: unknown) => ({ method: 'PUT', path: SETTINGS, body })
const retain = (body: unknown) => ({ method: 'PUT', path: `${OWN}/retention`, body })
const OFF = {
  enabled: false,
  use_service_reporting_endpoint: true,
  use_connection_url_path: false,
  use_cloudflare_reporting_endpoint: true,
}
const ENDPOINT_OFF = { use_service_reporting_endpoint: false, use_cloudflare_reporting_endpoint: false }

scenarios('/zones/:id/page_shield', [
  {
    name: 'of a new zone: disabled',
    send: get(SETTINGS),
    expect: {
      status: 200,
      result: OFF,
      text: /^\{"result":\{"enabled":false,"updated_at":"[^"]{27}","use_service_reporting_endpoint":true,"use_connection_url_path":false,"use_cloudflare_reporting_endpoint":true\},/,
    },
  },
  {
    name: 'on',
    send: put({ enabled: true }),
    expect: { status: 200, changes: 1, result: { ...OFF, enabled: true } },
  },
  {
    name: 'enabled, as a string',
    send: put({ enabled: 'true' }),
    expect: { status: 200, changes: 1, result: { ...OFF, enabled: true } },
  },
  {
    name: 'the current value: no change',
    send: put({ enabled: 'false' }),
    expect: { status: 200, result: OFF },
  },
  { name: 'nothing said: no change', send: put({}), expect: { status: 200, result: OFF } },
  {
    name: 'the output of GET is accepted',
    send: put({ ...OFF, enabled: true, updated_at: '2026-01-05T10:20:30.123456Z' }),
    expect: { status: 200, changes: 1, result: { enabled: true } },
  },
  ...['plan', 'enable', 'Enabled', 'use_reporting_endpoint', '__proto__x'].map((member) => ({
    name: `an unknown member: ${member}`,
    send: put({ enabled: true, [member]: true }),
    expect: { status: 400, codes: [6008], pointers: [`/${member}`], text: member },
  })),
  {
    name: 'members not sent stay',
    before: [put({ enabled: true, use_connection_url_path: true })],
    send: put({ use_service_reporting_endpoint: false }),
    expect: {
      status: 200,
      changes: 1,
      result: { enabled: true, use_service_reporting_endpoint: false, use_connection_url_path: true },
    },
  },
  {
    name: 'the other name of the endpoint',
    send: put({ use_cloudflare_reporting_endpoint: false }),
    expect: { status: 200, changes: 1, result: { ...OFF, ...ENDPOINT_OFF } },
  },
  {
    name: 'both names, one value',
    send: put({ use_cloudflare_reporting_endpoint: 'false', use_service_reporting_endpoint: false }),
    expect: { status: 200, changes: 1, result: { use_service_reporting_endpoint: false } },
  },
  {
    name: 'what GET shows',
    send: put(OFF),
    expect: { status: 200, changes: 0, result: OFF },
  },
  {
    name: 'both names with two values are refused: the request is ambiguous, and a repeated request must have the same effect',
    send: put({ use_cloudflare_reporting_endpoint: true, use_service_reporting_endpoint: false }),
    expect: { status: 400, codes: [19614], pointers: ['/use_cloudflare_reporting_endpoint'] },
  },
  ...[1, 0, null, 'TRUE', 'yes', '', [], {}].map((enabled) => ({
    name: `no switch: ${JSON.stringify(enabled)}`,
    send: put({ enabled }),
    expect: { status: 400, codes: [19623], pointers: ['/enabled'] },
  })),
  { name: 'a list', send: put([]), expect: { status: 400, codes: [6008], pointers: [null] } },
  { name: 'no body', send: { method: 'PUT', path: SETTINGS }, expect: { status: 400, codes: [9207] } },
  {
    name: 'a dry run shows the change without applying it',
    send: { ...put({ enabled: true }), path: `${SETTINGS}?dry_run=false` },
    expect: { status: 200, changes: 1 },
  },
  ...(['free', 'pro', 'business'] as const).flatMap((plan) => [
    {
      name: `${plan}: can be enabled`,
      plan,
      send: put({ enabled: true, use_connection_url_path: false, use_service_reporting_endpoint: true }),
      expect: { status: 200, changes: 1, result: { enabled: true } },
    },
    {
      name: `${plan}: no paths of connections`,
      plan,
      send: put({ enabled: true, use_connection_url_path: true }),
      expect: { status: 403, codes: [19616], pointers: ['/use_connection_url_path'] },
    },
    {
      name: `${plan}: no own endpoint`,
      plan,
      send: put({ use_service_reporting_endpoint: false }),
      expect: { status: 403, codes: [19616], pointers: ['/use_service_reporting_endpoint'] },
    },
  ]),
  {
    name: 'an unknown zone',
    send: get(`/zones/${'f'.repeat(32)}/page_shield`),
    expect: { status: 404, codes: [1001] },
  },
  {
    name: 'no POST',
    send: { method: 'POST', path: SETTINGS, body: {} },
    expect: { status: 405, codes: [10000] },
  },
])

describe('profile vendor', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({ profile: 'vendor' })
  })
  afterAll(() => app.close())

  test('the endpoint has the other name, and both are understood', async () => {
    const { id } = await app.must('POST', '/zones', { name: 'vendor.example' })
    const path = `/zones/${id}/page_shield`
    const fresh = await app.call({ method: 'GET', path })
    expect(fresh.text).toContain('"use_cloudflare_reporting_endpoint":true,"use_connection_url_path":false}')
    for (const name of ['use_service_reporting_endpoint', 'use_cloudflare_reporting_endpoint']) {
      const on = await app.call({ method: 'PUT', path, body: { [name]: true } })
      const off = await app.call({ method: 'PUT', path, body: { [name]: false } })
      expect([on.text.includes('"use_cloudflare_reporting_endpoint":true'), off.text]).toEqual([
        true,
        expect.stringContaining('"use_cloudflare_reporting_endpoint":false'),
      ])
      expect(off.text).not.toContain('use_service')
    }
  })
})

const DEFAULTS = {
  active_page_views: 3,
  inactive_after_days: 7,
  forget_infrequent_after_days: 5,
  forget_after_days: 30,
  forget_cookies_after_days: 30,
  forget_events_after_days: 400,
  max_query_variants: 50,
}

scenarios('/zonereeve/zones/:id/page_shield/retention', [
  { name: 'as usual', send: get(`${OWN}/retention`), expect: { status: 200, result: DEFAULTS } },
  {
    name: 'partly set',
    send: retain({ forget_after_days: 400, active_page_views: 1 }),
    expect: {
      status: 200,
      changes: 1,
      result: { ...DEFAULTS, forget_after_days: 400, active_page_views: 1 },
    },
  },
  {
    name: 'as it is: no change',
    send: retain({ forget_after_days: 30 }),
    expect: { status: 200, result: DEFAULTS },
  },
  {
    name: 'configured values stay',
    before: [retain({ forget_after_days: 400 })],
    send: get(`${OWN}/retention`),
    expect: { status: 200, result: { ...DEFAULTS, forget_after_days: 400 } },
  },
  {
    name: 'forgotten before inactive',
    send: retain({ forget_after_days: 7 }),
    expect: { status: 400, codes: [19620], pointers: ['/forget_after_days'] },
  },
  {
    name: 'inactive when forgotten',
    send: retain({ inactive_after_days: 30 }),
    expect: { status: 400, codes: [19620], pointers: ['/inactive_after_days'] },
  },
  ...[0, 3651, 1.5, '7', null].map((value) => ({
    name: `not a number of days: ${JSON.stringify(value)}`,
    send: retain({ inactive_after_days: value }),
    expect: { status: 400, codes: [6008], pointers: ['/inactive_after_days'] },
  })),
  {
    name: 'an unknown member',
    send: retain({ forget_script_after_days: 3 }),
    expect: { status: 400, codes: [6008] },
  },
])

describe('other behavior', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  test('the schema and the rules have the same retention members', () => {
    expect(Object.keys(DEFAULTS).length).toBe(Object.keys(DEFAULT_RETENTION).length)
  })

  test('a dry run changes nothing', async () => {
    const { id } = await app.must('POST', '/zones', { name: 'dry.example' })
    const before = await app.changeCount()
    const { text, status } = await app.call({
      method: 'PUT',
      path: `/zones/${id}/page_shield?dry_run=true`,
      body: { enabled: true },
    })
    const reply = JSON.parse(text) as { changes: { ops: { kind: string }[] }[] } // a rehearsed envelope
    expect([status, reply.changes.flatMap(({ ops }) => ops.map(({ kind }) => kind))]).toEqual([
      200,
      ['page_shield.settings'],
    ])
    expect(await app.must('GET', `/zones/${id}/page_shield`)).toMatchObject({ enabled: false })
    expect(await app.changeCount()).toBe(before)
  })

  test('a change is a monitoring event, an unchanged value is not', async () => {
    const { id } = await app.must('POST', '/zones', { name: 'told.example' })
    app.events.length = 0
    const keep = (activePageViews: number) =>
      app.pageShield.settings.editRetention(id, { activePageViews }, SYSTEM)
    await keep(DEFAULT_RETENTION.activePageViews)
    expect(app.events).toEqual([])
    await keep(9)
    expect(app.events).toEqual([
      { topic: 'monitoring', scopeId: id, number: 2, serial: null, kinds: ['page_shield.retention'] },
    ])
  })

  test('updated_at moves only with a change', async () => {
    const { id } = await app.must('POST', '/zones', { name: 'times.example' })
    const at = async (body?: object) =>
      (await app.must<{ updated_at: string }>(body ? 'PUT' : 'GET', `/zones/${id}/page_shield`, body))
        .updated_at
    const created = await at()
    expect(await at({ enabled: false })).toBe(created)
    const changed = await at({ enabled: true })
    expect(changed > created).toBe(true)
    expect([await at({ enabled: true }), await at()]).toEqual([changed, changed])
  })

  test('change sets have the old values, without a serial; everything is deleted with the zone', async () => {
    const app = await startTestApp()
    onTestFinished(() => app.close())
    const { id } = await app.must('POST', '/zones', { name: 'log.example' })
    const path = (text: string) => text.replace('{zone}', id)
    await app.must('PUT', path(ON.path), ON.body)
    await app.must('PUT', path(`${OWN}/retention`), { active_page_views: 1 })
    const reported = observe({
      page_url: 'https://log.example/',
      scripts: ['https://a.example/'],
      cookie: 'a=b',
    })
    await app.must('POST', path(reported.path), reported.body)
    await app.must('DELETE', `/zones/${id}`)
    const sets = await app.changeLog(id)
    expect(sets.map(({ serial, ops }) => [serial === null, ops.map(({ kind }) => kind)])).toEqual([
      [false, ['zone.create']],
      [true, ['page_shield.settings']],
      [true, ['page_shield.retention']],
      [false, ['zone.delete', 'page_shield.settings', 'page_shield.retention']],
    ])
    const tables = ['resources', 'cookies', 'events', 'settings', 'retention', 'versions'] as const
    for (const table of tables) {
      const rows = await app.storage.all(query.selectFrom(`page_shield_${table}`).selectAll())
      expect([table, rows]).toEqual([table, []])
    }
  })

  test.each([
    ['GET', 'Domain Page Shield Read', 200],
    ['GET', 'Zone Settings Read', 200],
    ['GET', 'DNS Read', 403],
    ['PUT', 'Domain Page Shield', 200],
    ['PUT', 'Zone Settings Write', 200],
    ['PUT', 'Domain Page Shield Read', 403],
  ] as const)('%s with %s: %i', async (method, group, status) => {
    const name = `${group.replaceAll(' ', '-')}.${method}.example`
    const { id } = await app.must('POST', '/zones', { name })
    const policy = {
      effect: 'allow',
      resources: { [`com.cloudflare.api.account.zone.${id}`]: '*' },
      permission_groups: [{ id: PERMISSION_GROUPS.find((known) => known.name === group)?.id }],
    }
    const token = await app.must<{ value: string }>('POST', '/user/tokens', {
      name: group,
      policies: [policy],
    })
    const body = method === 'PUT' ? { body: { enabled: true } } : {}
    const path = `/zones/${id}/page_shield`
    expect((await app.call({ method, path, token: token.value, ...body })).status).toBe(status)
  })
})
