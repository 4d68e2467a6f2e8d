// Webhooks over HTTP, and their deliveries: each event at least once, in order, signed, despite failures.
import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { scenarios, type Send } from '../../../testing/scenarios.ts'
import { webhookScenarios } from '../../../testing/webhook-scenarios.ts'
import { retryMillis } from '@zonereeve/alerts'
import { MAX_WEBHOOKS } from './page-shield-webhooks.rules.ts'
import { EVENTS_PER_REQUEST, type WebhookRequest } from './page-shield-webhooks.service.ts'

const WEBHOOKS = '/zonereeve/zones/{zone}/page_shield/webhooks'
const MISSING = 'f'.repeat(32)
const URL = 'https://alerts.example.com/hook'
const create = (body: unknown): Send => ({ method: 'POST', path: WEBHOOKS, body })
const add: Send = { ...create({ url: URL }), as: 'webhook' }
const patch = (body: unknown): Send => ({ method: 'PATCH', path: `${WEBHOOKS}/{webhook}`, body })
const get = (path: string): Send => ({ method: 'GET', path })

scenarios(WEBHOOKS, [
  ...webhookScenarios(WEBHOOKS, add, URL),
  {
    name: 'created: all kinds, enabled, with its secret',
    send: create({ url: URL }),
    expect: {
      status: 200,
      changes: 1,
      result: {
        url: URL,
        enabled: true,
        kinds: expect.arrayContaining(['script.new', 'connection.cleared']),
        secret: expect.stringMatching(/^.{32,}$/),
        status: { last_event: 0, delivered_at: null, failures: 0, problem: null },
      },
    },
  },
  {
    name: 'created: some kinds, disabled',
    send: create({
      url: 'http://alerts.example.com',
      kinds: ['script.reported', 'script.new'],
      enabled: false,
    }),
    expect: { status: 200, changes: 1, result: { kinds: ['script.reported', 'script.new'], enabled: false } },
  },
  ...(
    [
      ['nothing', {}, 6008, '/url'],
      ['no object', [], 6008, null],
      ['null', null, 6008, null],
      ['an empty url', { url: '' }, 6008, '/url'],
      ['no URL', { url: 'alerts.example.com/hook' }, 19668, '/url'],
      ['another scheme', { url: 'ftp://alerts.example.com/' }, 19668, '/url'],
      ['a script', { url: 'javascript:alert(1)' }, 19668, '/url'],
      ['credentials', { url: 'https://user:secret@alerts.example.com/' }, 19668, '/url'],
      ['a long url', { url: `https://alerts.example.com/${'a'.repeat(2048)}` }, 6008, '/url'],
      ['a number for a url', { url: 5 }, 6008, '/url'],
      ['an unknown kind', { url: URL, kinds: ['script.new', 'zone.changed'] }, 6008, '/kinds/1'],
      ['no kinds', { url: URL, kinds: [] }, 6008, '/kinds'],
      ['a kind twice', { url: URL, kinds: ['script.new', 'script.new'] }, 6008, '/kinds'],
      ['a string for enabled', { url: URL, enabled: 'yes' }, 6008, '/enabled'],
      ['a secret of its own', { url: URL, secret: 'mine' }, 6008, '/secret'],
    ] as const
  ).map(([name, body, code, pointer]) => ({
    name: `refused: ${name}`,
    send: create(body),
    expect: { status: 400, codes: [code], pointers: [pointer] },
  })),
  {
    name: 'changed: members not sent stay',
    before: [add],
    send: patch({ enabled: false }),
    expect: { status: 200, changes: 1, result: { url: URL, enabled: false }, text: /^(?!.*secret)/ },
  },
  {
    name: 'refused: changed to no URL',
    before: [add],
    send: patch({ url: 'alerts' }),
    expect: { status: 400, codes: [19668], pointers: ['/url'] },
  },
  {
    name: 'refused: an unknown member',
    before: [add],
    send: patch({ secret: 'mine' }),
    expect: { status: 400, codes: [6008], pointers: ['/secret'] },
  },
  {
    name: `no more than ${MAX_WEBHOOKS}`,
    before: Array.from({ length: MAX_WEBHOOKS }, () => create({ url: URL })),
    send: create({ url: URL }),
    expect: { status: 400, codes: [19667] },
  },
  {
    name: 'an unknown zone',
    send: get(`/zonereeve/zones/${MISSING}/page_shield/webhooks`),
    expect: { status: 404, codes: [1001] },
  },
])

interface PostedEvent {
  readonly kind: string
  readonly number: number
  readonly url: string
}

describe('webhook deliveries', () => {
  let app: TestApp
  let zone: string
  let posted: WebhookRequest[]
  let answer: (request: WebhookRequest) => string | undefined | Promise<string | undefined>

  beforeEach(async () => {
    posted = []
    answer = () => undefined
    app = await startTestApp({
      async postWebhook(request) {
        posted.push(request)
        return answer(request)
      },
    })
    zone = (await app.must('POST', '/zones', { name: 'example.com' })).id
    await app.must('PUT', `/zones/${zone}/page_shield`, { enabled: true })
  })
  afterEach(() => app.close())

  const path = () => `/zonereeve/zones/${zone}/page_shield/webhooks`
  const addWebhook = (more: object = {}) =>
    app.must<{ id: string; secret: string }>('POST', path(), { url: URL, ...more })
  const meet = (...names: readonly string[]) =>
    app.must('POST', `/zonereeve/zones/${zone}/page_shield/observations`, {
      observations: [
        {
          page_url: 'https://example.com/',
          scripts: names.map((name) => `https://${name}.example.net/a.js`),
        },
      ],
    })
  const reportedIn = ({ body }: WebhookRequest): readonly PostedEvent[] => JSON.parse(body).events
  const reportedHosts = () => posted.flatMap(reportedIn).map(({ url }) => url.slice(8).split('.')[0])
  /** A webhook that failed to accept the event of `a`, and now accepts everything. */
  async function addUntold(): Promise<string> {
    const { id } = await addWebhook()
    answer = () => 'status: 500'
    await meet('a')
    await app.notifyWebhooks()
    answer = () => undefined
    posted = []
    return id
  }
  const status = async (id: string) =>
    (await app.must<{ status: Record<string, unknown> }>('GET', `${path()}/${id}`)).status

  test('later events are posted as in the list, signed', async () => {
    await meet('before')
    const { id, secret } = await addWebhook()
    await app.notifyWebhooks()
    expect(posted).toEqual([])
    await meet('a', 'b')
    await app.notifyWebhooks()
    expect(posted).toHaveLength(1)
    const { url, body, headers } = posted[0] ?? { url: '', body: '', headers: {} as Record<string, string> }
    const events = await app.must<unknown[]>('GET', `/zonereeve/zones/${zone}/page_shield/events?per_page=2`)
    expect([url, JSON.parse(body)]).toEqual([
      URL,
      { webhook_id: id, zone_id: zone, events: events.toReversed() },
    ])
    const [, seconds, signature] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['zonereeve-signature'] ?? '') ?? []
    expect(Number(seconds)).toBe(Math.floor(app.clock.now() / 1000))
    expect(signature).toBe(createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'))
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'zonereeve-webhook': id })
    expect(await status(id)).toMatchObject({
      failures: 0,
      problem: null,
      delivered_at: expect.stringMatching(/^2026-01-05T10:20:30/),
    })
    await app.notifyWebhooks()
    expect(posted).toHaveLength(1)
  })

  test('many events are posted in several requests, oldest first, each once', async () => {
    await addWebhook()
    const names = Array.from({ length: 2 * EVENTS_PER_REQUEST + 1 }, (_, index) => `n${index}`)
    for (let at = 0; at < names.length; at += 200) await meet(...names.slice(at, at + 200))
    await app.notifyWebhooks()
    expect(posted.map((request) => reportedIn(request).length)).toEqual([
      EVENTS_PER_REQUEST,
      EVENTS_PER_REQUEST,
      1,
    ])
    expect(reportedHosts()).toEqual(names)
  })

  test('events of other kinds are skipped', async () => {
    const { id } = await addWebhook({ kinds: ['connection.new'] })
    await meet('a')
    await app.notifyWebhooks()
    expect(posted).toEqual([])
    expect(await status(id)).toMatchObject({ failures: 0, delivered_at: null })
    await app.must('POST', `/zonereeve/zones/${zone}/page_shield/observations`, {
      observations: [{ page_url: 'https://example.com/', connections: ['wss://api.example.net/'] }],
    })
    await app.notifyWebhooks()
    expect(posted.flatMap(reportedIn).map(({ kind }) => kind)).toEqual(['connection.new'])
  })

  test('a failed delivery is repeated with growing delays, without gaps and in order', async () => {
    const { id } = await addWebhook()
    answer = () => 'status: 503'
    await meet('a')
    for (let failures = 1; failures <= 3; failures++) {
      await app.notifyWebhooks()
      await app.notifyWebhooks()
      expect(posted).toHaveLength(failures)
      expect(await status(id)).toMatchObject({
        failures,
        problem: 'status: 503',
        delivered_at: null,
        next_attempt_at: new Date(app.clock.now() + retryMillis(failures)).toISOString(),
      })
      app.clock.advance(retryMillis(failures) + 1)
    }
    await meet('b')
    answer = () => undefined
    posted = []
    await app.notifyWebhooks()
    expect(reportedHosts()).toEqual(['a', 'b'])
    expect(await status(id)).toMatchObject({ failures: 0, problem: null })
  })

  test('dry runs show what would happen, and change nothing', async () => {
    const { id } = await addWebhook()
    const dry = async (method: string, at: string, body?: object) => {
      const { text } = await app.call({ method, path: `${at}?dry_run=true`, body })
      const { messages, changes } = JSON.parse(text)
      return [messages, changes]
    }
    const message = [expect.objectContaining({ code: 19030 })]
    const change = [expect.objectContaining({ operations: 1 })]
    expect(await dry('POST', path(), { url: URL })).toEqual([message, change])
    expect(await dry('PATCH', `${path()}/${id}`, { enabled: false })).toEqual([message, change])
    expect(await dry('DELETE', `${path()}/${id}`)).toEqual([message, change])
    expect(await app.must('GET', path())).toMatchObject([{ id, enabled: true }])
  })

  test('a delay is never longer than six hours', () => {
    expect([1, 2, 3].map(retryMillis)).toEqual([30_000, 60_000, 120_000])
    expect(retryMillis(1000)).toBe(6 * 3_600_000)
  })

  test('a disabled webhook waits; enabled again, it gets all events', async () => {
    const { id } = await addWebhook()
    await app.must('PATCH', `${path()}/${id}`, { enabled: false })
    await meet('a')
    await app.notifyWebhooks()
    expect(posted).toEqual([])
    await app.must('PATCH', `${path()}/${id}`, { enabled: true })
    await app.notifyWebhooks()
    expect(reportedHosts()).toEqual(['a'])
  })

  test('a new URL gets at once what the old one did not accept', async () => {
    const id = await addUntold()
    await app.must('PATCH', `${path()}/${id}`, { url: 'https://other.example.com/' })
    await app.notifyWebhooks()
    expect([reportedHosts(), posted[0]?.url]).toEqual([['a'], 'https://other.example.com/'])
  })

  test('a webhook deleted or changed during a delivery keeps that state', async () => {
    const { id } = await addWebhook()
    await meet('a')
    const change = (body: object) => app.must('PATCH', `${path()}/${id}`, body)
    answer = async () => {
      await change({ url: 'https://other.example.com/' })
      return undefined
    }
    await app.notifyWebhooks()
    answer = () => undefined
    posted = []
    await app.notifyWebhooks()
    expect(reportedHosts()).toEqual(['a'])
    await meet('b')
    answer = async () => {
      await app.must('DELETE', `${path()}/${id}`)
      return 'status: 500'
    }
    await app.notifyWebhooks()
    expect(await app.must('GET', path())).toEqual([])
    expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('a failing webhook does not delay others', async () => {
    await addWebhook({ url: 'https://down.example.com/' })
    await addWebhook()
    answer = ({ url }) => (url === URL ? undefined : 'network: ECONNREFUSED')
    await meet('a')
    await app.notifyWebhooks()
    expect(posted.filter(({ url }) => url === URL).flatMap(reportedIn)).toHaveLength(1)
  })

  test('more webhooks than the concurrency limit take turns', async () => {
    const zones: string[] = []
    for (let i = 0; i < 36; i++) {
      const other = (await app.must('POST', '/zones', { name: `z${i}.example` })).id
      await app.must('PUT', `/zones/${other}/page_shield`, { enabled: true })
      const url = `https://hook${i}.example.com/`
      await app.must('POST', `/zonereeve/zones/${other}/page_shield/webhooks`, { url })
      zones.push(other)
    }
    // Every delivery creates a new event for each of them.
    for (let round = 0; round < 2; round++) {
      for (const [i, other] of zones.entries())
        await app.must('POST', `/zonereeve/zones/${other}/page_shield/observations`, {
          observations: [
            { page_url: `https://z${i}.example/`, scripts: [`https://a.example.net/${round}.js`] },
          ],
        })
      app.clock.advance(1000)
      await app.notifyWebhooks()
    }
    const urls = zones.map((_, i) => `https://hook${i}.example.com/`)
    expect(new Set(posted.map(({ url }) => url))).toEqual(new Set(urls))
  })

  test('a PATCH without changes retries at once, and is no change', async () => {
    const id = await addUntold()
    const changes = await app.changeCount()
    await app.must('PATCH', `${path()}/${id}`, {})
    expect(await app.changeCount()).toBe(changes)
    await app.notifyWebhooks()
    expect(reportedHosts()).toEqual(['a'])
  })

  test('kinds added during a delivery miss none of their events', async () => {
    const { id } = await addWebhook({ kinds: ['connection.new'] })
    answer = async () => {
      await app.must('PATCH', `${path()}/${id}`, { kinds: ['connection.new', 'script.new'] })
      return undefined
    }
    const page = { page_url: 'https://example.com/', scripts: ['https://a.example.net/a.js'] }
    await app.must('POST', `/zonereeve/zones/${zone}/page_shield/observations`, {
      observations: [{ ...page, connections: ['https://c.example.net/c'] }],
    })
    await app.notifyWebhooks()
    expect(reportedHosts()).toEqual(['c'])
    answer = () => undefined
    posted = []
    await app.notifyWebhooks()
    expect(reportedHosts().toSorted()).toEqual(['a', 'c'])
  })

  test('a webhook whose state cannot be stored still waits, others do not', async () => {
    await addWebhook()
    answer = () => {
      throw new Error('no failure of a fetch')
    }
    await meet('a')
    for (let i = 0; i < 3; i++) await app.notifyWebhooks()
    expect(posted).toHaveLength(1)
    answer = () => undefined
    app.clock.advance(retryMillis(1) + 1)
    await app.notifyWebhooks()
    expect(reportedHosts()).toEqual(['a', 'a'])
  })

  test('a delivery interrupted by a stop is not a failure', async () => {
    const { id } = await addWebhook()
    await meet('a')
    const stopping = new AbortController()
    answer = () => {
      stopping.abort()
      return 'stopped: stopped'
    }
    await app.notifyWebhooks(stopping.signal)
    expect(await status(id)).toMatchObject({ failures: 0, problem: null, delivered_at: null })
    answer = () => undefined
    posted = []
    await app.notifyWebhooks()
    expect(reportedHosts()).toEqual(['a'])
  })

  test('a test is posted signed and without events, moves nothing, and not again for a while', async () => {
    const { id } = await addWebhook({ enabled: false })
    await meet('a')
    const before = await status(id)
    const tested = () => app.call<object>({ method: 'POST', path: `${path()}/${id}/test`, body: {} })
    expect((await tested()).json.result).toEqual({ accepted: true, problem: null })
    expect(posted).toHaveLength(1)
    expect(posted.flatMap(reportedIn)).toEqual([])
    expect(posted[0]?.headers['zonereeve-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/)
    expect(await status(id)).toEqual(before)
    const { id: other } = await addWebhook()
    for (const tooSoon of [id, other]) {
      const again = await app.call({ method: 'POST', path: `${path()}/${tooSoon}/test`, body: {} })
      expect([again.status, again.json.errors[0]?.code]).toEqual([429, 19653])
    }
    app.clock.advance(30_001)
    answer = () => 'status: 500'
    expect((await tested()).json.result).toEqual({ accepted: false, problem: 'status: 500' })
    expect(await status(id)).toEqual(before)
  })

  test('its secret is in no change set, and it is deleted with its zone', async () => {
    const { id, secret } = await addWebhook()
    await app.must('PATCH', `${path()}/${id}`, { enabled: false })
    await app.must('DELETE', `/zones/${zone}`)
    const log = JSON.stringify(await app.changeLog())
    expect(log).toContain(URL)
    expect(log.includes(secret)).toBe(false)
    expect(await app.storage.all(query.selectFrom('page_shield_webhooks').selectAll())).toEqual([])
  })
})
