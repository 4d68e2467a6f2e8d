// The list of security events: filters, pages, and retention.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, START, type TestApp } from '../../../testing/app.ts'
import type { WireSecurityEventSummary } from '@zonereeve/contract'
import { query } from '@zonereeve/storage'
import { barSeconds, barsOf, barStart, unitDigits } from './event-bars.rules.ts'
import { canonicalIp, readCursor, readFilter, writeCursor } from './security-event.rules.ts'
import { DELETED_PER_TRANSACTION } from './security-events.service.ts'

const DAY_MILLIS = 86_400_000

const event = {
  action: 'block',
  source: 'firewallCustom',
  level: 'zone',
  phase: 'http_request_firewall_custom',
  rulesetId: 'a'.repeat(32),
  ruleId: 'b'.repeat(32),
  description: 'first',
  expression: 'ssl',
  matchedField: null,
  uninspectedField: null,
  originStatus: null,
  loggedFields: null,
  method: 'GET',
  host: 'www.example.com',
  path: '/',
  ip: '192.0.2.1',
} as const

interface ListedEvent {
  readonly result: readonly { readonly ray_id: string; readonly path: string }[]
  readonly result_info?: { readonly cursors: { readonly after: string } }
}

async function startEvents(eventRetention = { days: 30, maxEvents: 100 }) {
  const app = await startTestApp({ eventRetention })
  const newZone = async (name: string) => (await app.must('POST', '/zones', { name })).id
  const list = async (zone: string, filter = '') => {
    const path = `/zonereeve/zones/${zone}/security/events${filter}`
    const { status, json } = await app.call({ method: 'GET', path })
    return {
      status,
      codes: json.errors.map(({ code, source }) => [code, source?.pointer]),
      json: json as never,
    }
  }
  const paths = async (zone: string, filter = '') =>
    ((await list(zone, filter)).json as ListedEvent).result.map(({ path }) => path)
  const stored = async () =>
    (await app.storage.all(query.selectFrom('security_events').select('number'))).length
  return { app, newZone, list, paths, stored }
}

describe('security events', () => {
  let site: Awaited<ReturnType<typeof startEvents>>
  let zone = ''
  const rays: string[] = []
  beforeAll(async () => {
    site = await startEvents()
    zone = await site.newZone('first.example')
    const other = await site.newZone('second.example')
    const record = async (change: Partial<Parameters<TestApp['securityEvents']['record']>[1]>) => {
      rays.push((await site.app.securityEvents.record(zone, { ...event, ...change })) ?? '')
      site.app.clock.advance(1_000)
    }
    await record({ path: '/1' })
    await record({
      path: '/2',
      action: 'log',
      source: 'waf',
      level: null,
      phase: null,
      rulesetId: null,
      ruleId: '100005',
    })
    await record({ path: '/3', method: 'POST', host: 'api.example.com' })
    await record({ path: '/4', ip: '2001:db8::1', rulesetId: 'c'.repeat(32) })
    await site.app.securityEvents.record(other, { ...event, path: '/other' })
  })
  afterAll(() => site.app.close())

  test.each([
    ['', ['/4', '/3', '/2', '/1']],
    ['?action=log', ['/2']],
    ['?action=js_challenge', []],
    ['?source=firewallCustom', ['/4', '/3', '/1']],
    ['?rule_id=100005', ['/2']],
    [`?ruleset_id=${'c'.repeat(32)}`, ['/4']],
    ['?host=API.example.com', ['/3']],
    ['?path=/1', ['/1']],
    ['?path=/', []],
    ['?method=POST', ['/3']],
    ['?ip=2001:DB8:0::1', ['/4']],
    ['?ip=192.0.2.1&method=GET', ['/2', '/1']],
    ['?since=2026-01-05T10:20:32Z', ['/4', '/3']],
    ['?since=2026-01-05T11:20:32%2B01:00', ['/4', '/3']],
    ['?until=2026-01-05T10:20:32.123Z', ['/2', '/1']],
    ['?since=2026-01-05T10:20:31Z&until=2026-01-05T10:20:32Z&action=log', ['/2']],
    ['?action.not=log', ['/4', '/3', '/1']],
    ['?action.not=log,block', []],
    ['?source.not=waf&method.not=POST', ['/4', '/1']],
    ['?rule_id.not=100005', ['/4', '/3', '/1']],
    [`?ruleset_id.not=${'c'.repeat(32)}`, ['/3', '/2', '/1']],
    ['?host.not=API.example.com', ['/4', '/2', '/1']],
    ['?path.not=/1,/3', ['/4', '/2']],
    ['?path.not=/1%5C,/3', ['/4', '/3', '/2', '/1']],
    ['?ip.not=2001:DB8:0::1', ['/3', '/2', '/1']],
    ['?method=GET&path.not=/1', ['/4', '/2']],
  ])('of one zone only, newest first, with %s', async (filter, expected) => {
    expect(await site.paths(zone, filter)).toEqual(expected)
  })

  test('one is found by its ray ID, only in its zone', async () => {
    expect(await site.paths(zone, `?ray_id=${rays[1]}`)).toEqual(['/2'])
    const elsewhere = await site.newZone('third.example')
    expect(await site.paths(elsewhere, `?ray_id=${rays[1]}`)).toEqual([])
  })

  test('pages of one and of three contain each event once', async () => {
    for (const perPage of [1, 3, 4, 5]) {
      const seen: string[] = []
      let after = ''
      for (let pages = 0; pages < 10; pages++) {
        const { json } = await site.list(zone, `?per_page=${perPage}${after}`)
        const { result, result_info: info } = json as ListedEvent
        seen.push(...result.map(({ path }) => path))
        if (info === undefined) break
        after = `&cursor=${info.cursors.after}`
      }
      expect(seen).toEqual(['/4', '/3', '/2', '/1'])
    }
  })

  test.each([
    ['action=allow', '/action'],
    ['source=firewall', '/source'],
    ['ray_id=1', '/ray_id'],
    ['ray_id=0123456789ABCDEF', '/ray_id'],
    ['ip=example', '/ip'],
    ['ip=192.0.2.0/24', '/ip'],
    ['since=yesterday', '/since'],
    ['until=2026-02-30', '/until'],
    ['since=2026-01-06T00:00:00Z&until=2026-01-05T00:00:00Z', '/until'],
    ['per_page=0', '/per_page'],
    ['per_page=1001', '/per_page'],
    ['cursor=x', '/cursor'],
    ['cursor=', '/cursor'],
    ['page=2', '/page'],
    ['user_agent=x', '/user_agent'],
    ['host=', '/host'],
    ['action.not=allow', '/action.not'],
    ['source.not=waf,', '/source.not'],
    ['ip.not=192.0.2.1,example', '/ip.not'],
    ['path.not=', '/path.not'],
    [`path.not=${Array.from({ length: 51 }, (_, index) => `/${index}`).join(',')}`, '/path.not'],
    ['ray_id.not=0123456789abcdef', '/ray_id.not'],
  ])('%s is rejected by name', async (filter, pointer) => {
    const { status, codes } = await site.list(zone, `?${filter}`)
    expect([status, codes]).toEqual([400, [[6008, pointer]]])
  })

  test('a summary counts what the list has: over time, and by value', async () => {
    const path = `/zonereeve/zones/${zone}/security/events/summary`
    const range = 'since=2026-01-05T10:20:00Z&until=2026-01-05T10:21:00Z'
    const summary = (filter: string) => site.app.must<WireSecurityEventSummary>('GET', `${path}?${filter}`)
    expect(await summary(`${range}&bars=60`)).toEqual({
      since: '2026-01-05T10:20:00.000Z',
      until: '2026-01-05T10:21:00.000000Z',
      bar_seconds: 1,
      events: 4,
      bars: [
        { start: '2026-01-05T10:20:30.000Z', actions: { block: 1 } },
        { start: '2026-01-05T10:20:31.000Z', actions: { log: 1 } },
        { start: '2026-01-05T10:20:32.000Z', actions: { block: 1 } },
        { start: '2026-01-05T10:20:33.000Z', actions: { block: 1 } },
      ],
      top: {
        action: [
          { value: 'block', events: 3 },
          { value: 'log', events: 1 },
        ],
        source: [
          { value: 'firewallCustom', events: 3 },
          { value: 'waf', events: 1 },
        ],
        rule_id: [
          { value: 'b'.repeat(32), description: 'first', source: 'firewallCustom', events: 3 },
          { value: '100005', description: 'first', source: 'waf', events: 1 },
        ],
        host: [
          { value: 'www.example.com', events: 3 },
          { value: 'api.example.com', events: 1 },
        ],
        path: ['/1', '/2', '/3', '/4'].map((value) => ({ value, events: 1 })),
        method: [
          { value: 'GET', events: 3 },
          { value: 'POST', events: 1 },
        ],
        ip: [
          { value: '192.0.2.1', events: 3 },
          { value: '2001:db8::1', events: 1 },
        ],
      },
    })
    const filtered = await summary(`${range}&bars=1&action.not=block`)
    expect(filtered).toMatchObject({
      bar_seconds: 60,
      events: 1,
      bars: [{ start: '2026-01-05T10:20:00.000Z', actions: { log: 1 } }],
    })
    expect(filtered.top.path).toEqual([{ value: '/2', events: 1 }])
    const all = await summary('')
    expect([all.events, all.bars.length, all.bar_seconds]).toEqual([4, 1, 43_200])
    expect(await summary('host=nothing.example')).toMatchObject({ events: 0, bars: [], top: { rule_id: [] } })
    expect(await summary('until=2020-01-01T00:00:00Z')).toMatchObject({ events: 0, bars: [] })
  })

  test('the export has a line for each listed event, newest first', async () => {
    const path = `/zonereeve/zones/${zone}/security/events/export?action.not=log`
    const { status, text, headers } = await site.app.call({ method: 'GET', path })
    const { json } = await site.list(zone, '?action.not=log')
    expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson'])
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual((json as ListedEvent).result)
    const refused = await site.app.call({ method: 'GET', path: `${path},allow` })
    expect(refused.status).toBe(400)
  })

  test('an unknown zone is rejected', async () => {
    expect((await site.list('f'.repeat(32))).status).toBe(404)
  })

  test('a token for DNS may neither read events nor decide', async () => {
    const groups = [{ id: '4755a26eedb94da69e1066d98aa820be' }] // DNS Write
    const policy = {
      effect: 'allow',
      permission_groups: groups,
      resources: { [`com.cloudflare.api.account.zone.${zone}`]: '*' },
    }
    const { value } = await site.app.must<{ value: string }>('POST', '/user/tokens', {
      name: 'dns',
      policies: [policy],
    })
    const root = `/zonereeve/zones/${zone}`
    const reading = await site.app.call({ method: 'GET', path: `${root}/security/events`, token: value })
    const body = { url: 'https://first.example/' }
    const deciding = await site.app.call({
      method: 'POST',
      path: `${root}/firewall/decide`,
      token: value,
      body,
    })
    expect([reading.status, deciding.status]).toEqual([403, 403])
  })
})

describe('retention of security events', () => {
  test('expired events are not listed, and deleted; the newest within the limit stay', async () => {
    const { app, newZone, paths, stored } = await startEvents({ days: 2, maxEvents: 3 })
    const zone = await newZone('first.example')
    for (const path of ['/1', '/2']) await app.securityEvents.record(zone, { ...event, path })
    app.clock.advance(2 * DAY_MILLIS + 1)
    expect(await paths(zone)).toEqual([])
    expect([await app.securityEvents.sweep(), await stored()]).toEqual([2, 0])
    for (const path of ['/3', '/4', '/5', '/6']) await app.securityEvents.record(zone, { ...event, path })
    expect([await app.securityEvents.sweep(), await stored()]).toEqual([1, 3])
    expect(await paths(zone)).toEqual(['/6', '/5', '/4'])
    expect(await app.securityEvents.sweep()).toBe(0)
    await app.close()
  })

  test('a sweep deletes more than fits one transaction, and the events of deleted zones', async () => {
    const { app, newZone, stored } = await startEvents({ days: 2, maxEvents: 10_000 })
    const zone = await newZone('first.example')
    const remaining = await newZone('second.example')
    await Promise.all(
      Array.from({ length: DELETED_PER_TRANSACTION + 1 }, () => app.securityEvents.record(zone, event)),
    )
    await app.securityEvents.record(remaining, event)
    await app.must('DELETE', `/zones/${zone}`)
    expect(await app.securityEvents.sweep()).toBe(DELETED_PER_TRANSACTION + 1)
    expect(await stored()).toBe(1)
    await app.close()
  })

  test('an aborted sweep stops deleting', async () => {
    const { app, newZone, stored } = await startEvents({ days: 2, maxEvents: 1 })
    const zone = await newZone('first.example')
    for (const path of ['/1', '/2']) await app.securityEvents.record(zone, { ...event, path })
    expect(await app.securityEvents.sweep(AbortSignal.abort())).toBe(0)
    expect(await stored()).toBe(2)
    await app.close()
  })

  test('with a limit of 0 nothing is recorded', async () => {
    const { app, newZone, stored } = await startEvents({ days: 2, maxEvents: 0 })
    expect(await app.securityEvents.record(await newZone('first.example'), event)).toBeUndefined()
    expect(await stored()).toBe(0)
    await app.close()
  })

  test('every filter is answered by an index', async () => {
    const { app } = await startEvents()
    const columns = ['action', 'source', 'rule_id', 'ruleset_id', 'host', 'path', 'method', 'ip'] as const
    for (const column of columns) {
      const rows = query.selectFrom('security_events').selectAll().where('zone_id', '=', 'z')
      const { sql } = rows
        .where(column, '=', 'x')
        .where('at', '>=', '2026')
        .orderBy('at', 'desc')
        .orderBy('number', 'desc')
        .compile()
      const plan = await app.storage.all<{ detail: string }>({
        compile: () => ({ sql: `EXPLAIN QUERY PLAN ${sql}`, parameters: ['z', 'x', '2026'] }) as never, // only its SQL is used
      })
      expect(plan.map(({ detail }) => detail)).toEqual([
        expect.stringContaining(`security_events_by_${column} (zone_id=? AND ${column}=? AND at>?)`),
      ])
    }
    await app.close()
  })
})

describe('bars', () => {
  test('at most so many cover a range, and every unit falls into the bar of its times', () => {
    const millis = fc.integer({ min: Date.parse('2020-01-01'), max: Date.parse('2040-01-01') })
    fc.assert(
      fc.property(
        millis,
        fc.nat(40 * DAY_MILLIS),
        fc.integer({ min: 1, max: 200 }),
        (since, length, count) => {
          const seconds = barSeconds(since, since + length, count)
          const starts = new Set<string>()
          for (const part of [0, 0.1, 0.5, 0.9, 1]) {
            const at = new Date(since + Math.floor(Math.max(0, length - 1) * part)).toISOString()
            const unit = at.slice(0, unitDigits(seconds))
            const [bar] = barsOf([{ unit, action: 'block', events: 1 }], seconds)
            expect(bar?.start).toBe(barStart(Date.parse(at), seconds))
            if (bar !== undefined) starts.add(bar.start)
          }
          expect(starts.size).toBeLessThanOrEqual(count)
        },
      ),
      // Bars of every round length start within the range.
      { examples: [[56 * 364 * DAY_MILLIS - 1, 2, 1]] },
    )
  })

  test.each([
    ['2026-01-05T00:00:00Z', '2026-01-06T00:00:00Z', 72, 1_200],
    ['2026-01-05T00:00:00Z', '2026-01-05T01:00:00Z', 60, 60],
    ['2026-01-05T00:00:30Z', '2026-01-05T01:00:30Z', 60, 120],
    ['2026-01-05T00:00:00Z', '2026-02-04T00:00:00Z', 72, 43_200],
    ['1900-01-01T00:00:00Z', '2100-01-01T00:00:00Z', 1, 73_050 * 86_400],
  ])('%s to %s in %d bars', (since, until, count, seconds) => {
    expect(barSeconds(Date.parse(since), Date.parse(until), count)).toBe(seconds)
  })
})

describe('filters and cursors', () => {
  test('a cursor encodes its place', () => {
    const at = fc
      .date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
      .map((date) => date.toISOString().replace('Z', '042Z'))
    fc.assert(
      fc.property(at, fc.nat(), (time, number) => {
        expect(readCursor(writeCursor({ at: time, number }))).toEqual({ at: time, number })
      }),
    )
  })

  test('any string is a cursor or rejected', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = readCursor(text)
        expect('reason' in read ? read.pointer : typeof read.at).toMatch(/^(\/cursor|string)$/)
      }),
    )
  })

  test.each([
    ['2026-01-05T10:20:30Z', '2026-01-05T10:20:30.000000Z'],
    ['2026-01-05T10:20:30.1234567+02:00', '2026-01-05T08:20:30.123456Z'],
    [new Date(START).toISOString(), '2026-01-05T10:20:30.123000Z'],
  ])('the time %s is stored as %s', (text, stored) => {
    expect(readFilter({ since: text })).toEqual({ filter: { since: stored }, issues: [] })
  })

  test('an address has one canonical form', () => {
    const strings = ['2001:DB8:0:0::1', '::ffff:192.0.2.1', '::FFFF:c000:201', '192.0.2.01', 'x']
    expect(strings.map(canonicalIp)).toEqual(['2001:db8::1', '192.0.2.1', '192.0.2.1', undefined, undefined])
  })
})
