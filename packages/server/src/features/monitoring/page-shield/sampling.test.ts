// Which fraction of a zone's documents gets monitoring's header: rules, estimates, settings, and the headers.
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '../../../testing/app.ts'
import { scenarios } from '../../../testing/scenarios.ts'
import { get, ON, OWN } from './observing.cases.ts'
import { createReportTraffic } from './report-traffic.ts'
import { readReportingQuery, reportingAddress } from './reporting.rules.ts'
import { MAX_ONE_IN, oneInFor, WHOLE_REPORTS_A_DAY, type Sampling } from './sampling.rules.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const DEFAULTS = {
  mode: 'adaptive',
  one_in: null,
  whole_paths: [],
  also_report: [],
  beacon: false,
  now: { one_in: 1, reports_a_day: 0 },
}

describe('the sampling rate', () => {
  const adaptive: Sampling = {
    mode: 'adaptive',
    wholePaths: ['/checkout', '/pay/'],
    alsoReport: [],
    beacon: false,
  }
  const fixed: Sampling = { ...adaptive, mode: 'fixed', oneIn: 7 }

  test.each<readonly [string, Sampling, string, number, number]>([
    ['a zone without traffic', adaptive, '/', 0, 1],
    ['a quiet zone', adaptive, '/', WHOLE_REPORTS_A_DAY, 1],
    ['almost twice as much', adaptive, '/', 2 * WHOLE_REPORTS_A_DAY - 1, 1],
    ['twice as much', adaptive, '/', 2 * WHOLE_REPORTS_A_DAY, 2],
    ['a hundred times', adaptive, '/', 100 * WHOLE_REPORTS_A_DAY, 100],
    ['any amount: at least one in a hundred', adaptive, '/', 1e12, MAX_ONE_IN],
    ['a path that is always reported', adaptive, '/checkout', 1e12, 1],
    ['a page below it', adaptive, '/checkout/done', 1e12, 1],
    ['a page with the same prefix', adaptive, '/checkouts', 1e12, MAX_ONE_IN],
    ['below a slash', adaptive, '/pay/card', 1e12, 1],
    ['a fixed rate in a quiet zone', fixed, '/', 0, 7],
    ['a fixed rate in a busy zone', fixed, '/', 1e12, 7],
    ['a fixed rate on a path that is always reported', fixed, '/pay/card', 0, 1],
  ])('%s', (_, sampling, path, reports, expected) => {
    expect(oneInFor(sampling, path, reports)).toBe(expected)
  })
})

describe('estimates of a day', () => {
  const clockAt = (at: { now: number }) => ({ now: () => at.now, timestamp: () => '' })

  test('steady traffic is estimated per day, whatever fraction is reported', () => {
    for (const oneIn of [1, 10]) {
      const at = { now: 0 }
      const traffic = createReportTraffic({ clock: clockAt(at) })
      // A thousand an hour, for ten days.
      for (; at.now < 10 * DAY; at.now += HOUR)
        for (let count = 0; count < 1000 / oneIn; count += 1) traffic.note({ zoneId: 'a', oneIn })
      expect(Math.abs(traffic.perDay('a') - 24_000)).toBeLessThan(600)
      expect(traffic.perDay('b')).toBe(0)
    }
  })

  test('past traffic is forgotten', () => {
    const at = { now: 0 }
    const traffic = createReportTraffic({ clock: clockAt(at) })
    traffic.note({ zoneId: 'a', oneIn: 100_000 })
    at.now = DAY
    expect(traffic.perDay('a')).toBe(36_788)
    at.now = 30 * DAY
    expect(traffic.perDay('a')).toBe(0)
  })

  test('the number of known zones is limited', () => {
    const traffic = createReportTraffic({ clock: clockAt({ now: 0 }) })
    for (let zone = 0; zone <= 10_000; zone += 1) traffic.note({ zoneId: `z${zone}`, oneIn: 1 })
    expect(['z0', 'z1', 'z10000'].map(traffic.perDay)).toEqual([0, 1, 1])
  })
})

describe('signed addresses', () => {
  const KEY = Buffer.alloc(32, 7)
  const zoneId = 'a'.repeat(32)
  const queryOf = (oneIn: number) =>
    reportingAddress(KEY, { zoneId, policyId: null, oneIn }, 0).split('?')[1] ?? ''

  test('contain the sampling rate', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_ONE_IN }), (oneIn) => {
        expect(readReportingQuery(KEY, queryOf(oneIn), 0)).toMatchObject({ ticket: { zoneId, oneIn } })
      }),
    )
    expect(queryOf(20)).toContain('&s=20&')
  })

  test('cannot be changed to another rate', () => {
    for (const other of ['s=2', 's=0', 's=', 's=1000', 's=-1', 's=20&s=1'])
      expect(readReportingQuery(KEY, queryOf(20).replace('s=20', other), 0)).toEqual({ problem: 'unsigned' })
  })
})

const SAMPLING = `${OWN}/sampling`
const put = (body: unknown) => ({ method: 'PUT', path: SAMPLING, body })

scenarios('/zonereeve/zones/:id/page_shield/sampling', [
  { name: 'as usual', send: get(SAMPLING), expect: { status: 200, result: DEFAULTS } },
  {
    name: 'a fixed rate',
    send: put({ mode: 'fixed', one_in: 10 }),
    expect: { status: 200, changes: 1, result: { mode: 'fixed', one_in: 10, now: { one_in: 10 } } },
  },
  {
    name: 'another fixed rate, without its mode',
    before: [put({ mode: 'fixed', one_in: 10 })],
    send: put({ one_in: 20 }),
    expect: { status: 200, changes: 1, result: { mode: 'fixed', one_in: 20 } },
  },
  {
    name: 'only paths: the rest stays',
    before: [put({ mode: 'fixed', one_in: 10 })],
    send: put({ whole_paths: ['/checkout'] }),
    expect: { status: 200, changes: 1, result: { mode: 'fixed', one_in: 10, whole_paths: ['/checkout'] } },
  },
  {
    name: 'adaptive again: the rate is removed',
    before: [put({ mode: 'fixed', one_in: 10 })],
    send: put({ mode: 'adaptive' }),
    expect: { status: 200, changes: 1, result: DEFAULTS },
  },
  {
    name: 'the current value: no change',
    send: put({ mode: 'adaptive' }),
    expect: { status: 200, result: DEFAULTS },
  },
  { name: 'nothing said: no change', send: put({}), expect: { status: 200, result: DEFAULTS } },
  {
    name: 'a rate with adaptive mode',
    send: put({ one_in: 10 }),
    expect: { status: 400, codes: [19665], pointers: ['/one_in'] },
  },
  {
    name: 'fixed mode without a rate',
    send: put({ mode: 'fixed' }),
    expect: { status: 400, codes: [19664], pointers: ['/one_in'] },
  },
  ...(
    [
      [{ mode: 'random' }, '/mode'],
      [{ mode: 'fixed', one_in: 0 }, '/one_in'],
      [{ mode: 'fixed', one_in: 101 }, '/one_in'],
      [{ mode: 'fixed', one_in: 1.5 }, '/one_in'],
      [{ mode: 'fixed', one_in: '10' }, '/one_in'],
      [{ mode: 'fixed', one_in: null }, '/one_in'],
      [{ whole_paths: '/checkout' }, '/whole_paths'],
      [{ whole_paths: ['checkout'] }, '/whole_paths/0'],
      [{ whole_paths: ['/a?b'] }, '/whole_paths/0'],
      [{ whole_paths: ['/a', '/a'] }, '/whole_paths'],
      [{ whole_paths: Array.from({ length: 51 }, (_, index) => `/${index}`) }, '/whole_paths'],
      [{ rate: 0.1 }, '/rate'],
      [{ now: { one_in: 1 } }, '/now'],
    ] as const
  ).map(([body, pointer]) => ({
    name: `refused: ${JSON.stringify(body).slice(0, 50)}`,
    send: put(body),
    expect: { status: 400, codes: [6008], pointers: [pointer] },
  })),
  {
    name: 'the header and its URL contain the sampling rate',
    before: [ON, put({ mode: 'fixed', one_in: 25, whole_paths: ['/checkout'] })],
    send: get(`${OWN}/headers?url=https://example.com/`),
    expect: {
      status: 200,
      result: {
        headers: [
          { policy_id: null, sampled: true, sample_one_in: 25, value: expectMatch(/&s=25&e=/) },
          { name: 'reporting-endpoints', sampled: false, sample_one_in: 1 },
        ],
      },
    },
  },
  {
    name: 'paths that always have the header',
    before: [ON, put({ mode: 'fixed', one_in: 25, whole_paths: ['/checkout'] })],
    send: get(`${OWN}/headers?url=https://example.com/checkout/pay`),
    expect: {
      status: 200,
      result: { headers: [{ sample_one_in: 1, value: expectMatch(/&s=1&e=/) }, { sample_one_in: 1 }] },
    },
  },
])

function expectMatch(pattern: RegExp): unknown {
  return expect.stringMatching(pattern)
}

describe('adaptive sampling of a busy zone', () => {
  test('fewer documents have the header, each report is weighted, page views are those reported', async () => {
    const app = await startTestApp()
    onTestFinished(() => app.close())
    const { id } = await app.must('POST', '/zones', { name: 'busy.example' })
    await app.must('PUT', `/zones/${id}/page_shield`, { enabled: true })
    const own = `/zonereeve/zones/${id}/page_shield`
    const headers = async () => {
      const path = `${own}/headers?url=https://busy.example/`
      return (await app.must<{ headers: { value: string; sample_one_in: number }[] }>('GET', path)).headers[0]
    }
    const report = async (policy: string, blocked: string) => {
      const address = /report-uri https:\/\/[^/]+(\S+?);? /.exec(`${policy} `)?.[1] ?? ''
      const body = {
        'csp-report': {
          'document-uri': 'https://busy.example/',
          'blocked-uri': blocked,
          'effective-directive': 'script-src-elem',
          'original-policy': "script-src 'none'",
        },
      }
      const headers = { 'content-type': 'application/csp-report' }
      const sent = await app.call({ method: 'POST', path: address, base: '', body, headers, token: null })
      expect(sent.status).toBe(204)
    }
    for (let count = 0; count < 60_000; count += 1) app.pageShield.traffic.note({ zoneId: id, oneIn: 1 })
    const sampled = await headers()
    expect(sampled).toMatchObject({ sample_one_in: 3 })
    await report(sampled?.value ?? '', 'https://cdn.example/a.js')
    expect(await app.must('GET', `${own}/sampling`)).toMatchObject({
      mode: 'adaptive',
      now: { one_in: 3, reports_a_day: 60_003 },
    })
    await app.collector.flush()
    const path = `/zones/${id}/page_shield/scripts?status=infrequent`
    expect(await app.must('GET', path)).toMatchObject([{ url: 'https://cdn.example/a.js' }])
  })

  test('the sampling is deleted with the zone, in the same change set', async () => {
    const app = await startTestApp()
    onTestFinished(() => app.close())
    const { id } = await app.must('POST', '/zones', { name: 'gone.example' })
    await app.must('PUT', `/zonereeve/zones/${id}/page_shield/sampling`, { mode: 'fixed', one_in: 2 })
    const dry = await app.call({
      method: 'PUT',
      path: `/zonereeve/zones/${id}/page_shield/sampling?dry_run=true`,
      body: { one_in: 3 },
    })
    expect([dry.status, await app.must('GET', `/zonereeve/zones/${id}/page_shield/sampling`)]).toMatchObject([
      200,
      { one_in: 2 },
    ])
    await app.must('DELETE', `/zones/${id}`)
    expect((await app.changeLog(id)).map(({ ops }) => ops.map(({ kind }) => kind))).toEqual([
      ['zone.create'],
      ['page_shield.sampling'],
      ['zone.delete', 'page_shield.sampling'],
    ])
  })
})
