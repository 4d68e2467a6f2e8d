// Watched pages against a real server: what is compared, which differences are events, drift of policies, failures.
import { scanPage } from '@zonereeve/page-scanner'
import { createAddressGuard, createSafeFetch } from '@zonereeve/safe-fetch'
import { createServer, type OutgoingHttpHeaders, type Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { describeWith } from '../../../../../../scripts/test-requirements.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { createPageChecks } from './page-checks.ts'

const DAY = 86_400_000
const HEADERS: OutgoingHttpHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'x-frame-options': 'DENY',
  'set-cookie': ['sid=secret-1; Path=/; Secure'],
}
const HTML = '<script src="/a.js?_=1700000000001"></script><script>go("x")</script>'

let app: TestApp
let server: Server
let zone: string
let port: number
let page: { readonly status?: number; readonly headers: OutgoingHttpHeaders; readonly html: string | Buffer }
let asked: string[]
/** undefined = the first on the search path. */
let chromium: string | undefined

beforeEach(async () => {
  page = { headers: HEADERS, html: HTML }
  asked = []
  chromium = undefined
  server = createServer((request, response) => {
    asked.push(`${request.url} ${String(request.headers.cookie)}`)
    if (request.url === '/moved') return void response.writeHead(302, { location: '/checkout' }).end()
    response.writeHead(page.status ?? 200, page.headers).end(page.html)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  ;({ port } = address)
  app = await startTestApp()
  zone = (await app.must('POST', '/zones', { name: 'example.com' })).id
  await app.must('PUT', `/zones/${zone}/page_shield`, { enabled: true })
})
afterEach(async () => {
  await app.close()
  server.closeAllConnections()
  server.close()
})

const own = (text: string) => `/zonereeve/zones/${zone}/page_shield${text}`
const watch = (path = '/checkout') =>
  app.must<{ id: string }>('POST', own('/pages'), { url: `http://www.example.com:${port}${path}` })

interface Current {
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly scripts: readonly Readonly<Record<string, unknown>>[] | null
  readonly final_url: string
  readonly first_seen_at: string
  readonly last_seen_at: string
  readonly missing_policies: readonly string[]
}
interface Watched {
  readonly status: Readonly<Record<string, unknown>>
  readonly current: Current | null
}
const watched = (id: string) => app.must<Watched>('GET', own(`/pages/${id}`))
const history = (id: string, query = '') =>
  app.must<(Current & Readonly<Record<string, unknown>>)[]>('GET', own(`/pages/${id}/history${query}`))
const eventsOf = async (id: string) =>
  (await app.must<{ kind: string; resource_id: string }[]>('GET', own('/events')))
    .filter(({ resource_id: of }) => of === id)
    .map(({ kind }) => kind)
    .toReversed()

function check(mayConnect = createAddressGuard(['127.0.0.0/8'])): Promise<void> {
  const log = {
    debug() {},
    info() {},
    warn() {},
    error: (fields: object, event: string) => void app.logged.push({ level: 'error', event, fields }),
  }
  return createPageChecks({
    observations: app.pageObservations,
    safeFetch: createSafeFetch({
      mayConnect,
      hostAddresses: () => Promise.resolve(['127.0.0.1']),
      ports: 'any',
      userAgent: 'tests',
    }),
    scanPage: (url, signal) =>
      scanPage(
        url,
        {
          mayConnect,
          hostAddresses: () => Promise.resolve(['127.0.0.1']),
          ports: 'any',
          chromium,
          environment: { PATH: '/usr/bin:/usr/local/bin' },
          hasSandbox: false,
        },
        signal,
      ),
    recordScan: app.recordScan,
    log,
  })(new AbortController().signal)
}
const nextDay = async (): Promise<void> => {
  app.clock.advance(DAY + 1)
  await check()
}

describe('watched pages', () => {
  test('a page is fetched without cookies, and its headers and scripts are stored without secrets', async () => {
    const { id } = await watch()
    await check()
    expect(asked).toEqual(['/checkout undefined'])
    const { status, current } = await watched(id)
    expect(status).toMatchObject({
      failures: 0,
      problem: null,
      checked_at: expect.stringMatching(/^2026-01-05/),
    })
    expect(current).toMatchObject({
      final_url: `http://www.example.com:${port}/checkout`,
      headers: [
        { name: 'set-cookie', value: 'sid; path=/; secure' },
        { name: 'x-frame-options', value: 'DENY' },
      ],
      scripts: [
        { kind: 'external', url: `http://www.example.com:${port}/a.js`, hash: null },
        { kind: 'inline', url: null, hash: expect.stringMatching(/^sha256-.{43}=$/), sample: 'go("x")' },
      ],
    })
    expect(
      JSON.stringify(await app.storage.all(query.selectFrom('page_shield_page_snapshots').selectAll())),
    ).not.toContain('secret-1')
    expect(await eventsOf(id)).toEqual([])
  })

  test('it is checked again after its interval; what did not change is seen again', async () => {
    const { id } = await watch()
    await check()
    await check()
    expect(asked).toHaveLength(1)
    page = {
      headers: { ...HEADERS, 'set-cookie': ['sid=secret-2; Secure; Path=/'], date: 'other' },
      html: '<script>go("x")</script><!-- new --><script src="/a.js?_=1800000000001"></script>',
    }
    await nextDay()
    expect(asked).toHaveLength(2)
    expect(await eventsOf(id)).toEqual([])
    const snapshots = await history(id)
    expect(snapshots).toHaveLength(1)
    expect(snapshots[0]?.last_seen_at).not.toBe(snapshots[0]?.first_seen_at)
  })

  test('changed headers and scripts are events, with their differences in the history', async () => {
    const { id } = await watch()
    await check()
    page = { headers: { ...HEADERS, 'x-frame-options': 'SAMEORIGIN' }, html: HTML }
    await nextDay()
    expect(await eventsOf(id)).toEqual(['page.headers_changed'])
    page = { ...page, html: `${HTML}<script src="https://evil.example/x.js"></script>` }
    await nextDay()
    expect(await eventsOf(id)).toEqual(['page.headers_changed', 'page.scripts_changed'])
    page = { headers: HEADERS, html: '<p>gone</p>' }
    await nextDay()
    expect(await eventsOf(id)).toHaveLength(4)
    const snapshots = await history(id)
    expect(snapshots).toHaveLength(4)
    expect(snapshots[2]).toMatchObject({
      changed_headers: [{ name: 'x-frame-options', before: 'DENY', after: 'SAMEORIGIN' }],
      added_scripts: [],
      removed_scripts: [],
    })
    expect(snapshots[1]).toMatchObject({
      changed_headers: [],
      added_scripts: [{ url: 'https://evil.example/x.js' }],
    })
    expect(snapshots[0]?.['removed_scripts']).toHaveLength(3)
    expect(snapshots[3]).toMatchObject({ changed_headers: [], added_scripts: [], removed_scripts: [] })
    // A page of the history has the differences from what is on the next one.
    for (const [index, snapshot] of snapshots.entries())
      expect(await history(id, `?per_page=1&page=${index + 1}`)).toEqual([snapshot])
    expect(await history(id, '?per_page=1&page=5')).toEqual([])
  })

  test('a scan that fails counts as a failed check, and what was fetched is stored', async () => {
    chromium = '/nonexistent/chromium'
    const { id } = await watch()
    await app.must('PATCH', own(`/pages/${id}`), { scan: true })
    for (let failures = 1; failures <= 3; failures++) {
      await check()
      const { status, current } = await watched(id)
      expect([status['failures'], status['problem'], current?.scripts?.length]).toEqual([
        failures,
        'browser',
        2,
      ])
      app.clock.advance(DAY)
    }
    expect(await eventsOf(id)).toEqual(['page.failed'])
    await app.must('PATCH', own(`/pages/${id}`), { scan: false })
    await check()
    expect((await watched(id)).status).toMatchObject({ failures: 0, problem: null })
  })

  test('events of pages reach webhooks', async () => {
    const posted: string[] = []
    await app.close()
    app = await startTestApp({
      async postWebhook({ body }) {
        posted.push(body)
        return undefined
      },
    })
    zone = (await app.must('POST', '/zones', { name: 'example.com' })).id
    await app.must('PUT', `/zones/${zone}/page_shield`, { enabled: true })
    await app.must('POST', own('/webhooks'), {
      url: 'https://alerts.example.net/',
      kinds: ['page.headers_changed'],
    })
    const { id } = await watch()
    await check()
    page = { ...page, headers: { 'content-type': 'text/html' } }
    await nextDay()
    await app.notifyWebhooks()
    expect(posted.map((body) => JSON.parse(body).events)).toMatchObject([
      [{ kind: 'page.headers_changed', resource_id: id, page_url: `www.example.com:${port}/checkout` }],
    ])
  })

  test('a redirect to another page is a change', async () => {
    const { id } = await watch('/moved')
    await check()
    const { current } = await watched(id)
    expect(current).toMatchObject({
      final_url: `http://www.example.com:${port}/checkout`,
      scripts: [{ url: `http://www.example.com:${port}/a.js` }, { kind: 'inline' }],
    })
    expect(await eventsOf(id)).toEqual([])
  })

  test('a deployed policy that is not sent is drift, once, until it is sent', async () => {
    const policy = await app.must('POST', `/zones/${zone}/page_shield/policies`, {
      action: 'allow',
      description: 'scripts',
      enabled: true,
      expression: 'http.request.uri.path eq "/checkout"',
      value: "script-src 'self'",
    })
    await app.must('POST', `/zones/${zone}/page_shield/policies`, {
      action: 'allow',
      description: 'another page',
      enabled: true,
      expression: 'http.request.uri.path eq "/other"',
      value: "script-src 'none'",
    })
    const { id } = await watch()
    const sent = {
      ...HEADERS,
      'content-security-policy': "script-src 'self'; report-uri /cdn-cgi/script_monitor/report?v=1",
    }
    page = { ...page, headers: sent }
    await check()
    expect((await watched(id)).current?.missing_policies).toEqual([])
    page = { ...page, headers: { ...sent, 'content-security-policy': "script-src 'self' 'unsafe-inline'" } }
    await nextDay()
    expect((await watched(id)).current?.missing_policies).toEqual([policy.id])
    expect(await eventsOf(id)).toEqual(['page.headers_changed', 'page.policy_drift'])
    await nextDay()
    expect(await eventsOf(id)).toHaveLength(2)
    page = { ...page, headers: sent }
    await nextDay()
    expect(await eventsOf(id)).toEqual(['page.headers_changed', 'page.policy_drift', 'page.headers_changed'])
  })

  test.each<[problem: string, given: Partial<typeof page>]>([
    ['status', { status: 503 }],
    ['type', { headers: { 'content-type': 'text/plain' } }],
    ['size', { html: Buffer.alloc(5 * 1_048_576 + 1, 'a') }],
  ])('a failed check (%s) is repeated, and an event after three', async (problem, given) => {
    const { id } = await watch()
    page = { ...page, ...given }
    for (let failures = 1; failures <= 4; failures++) {
      await check()
      await check()
      expect((await watched(id)).status).toMatchObject({ failures, problem })
      expect(await eventsOf(id)).toEqual(failures < 3 ? [] : ['page.failed'])
      app.clock.advance(DAY)
    }
    expect(asked).toHaveLength(4)
    page = { headers: HEADERS, html: HTML }
    await check()
    expect((await watched(id)).status).toMatchObject({ failures: 0, problem: null })
    expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('nothing is fetched from the own network', async () => {
    const { id } = await watch()
    await check(createAddressGuard([]))
    expect(asked).toEqual([])
    expect((await watched(id)).status).toMatchObject({ problem: 'address' })
  })

  test('nothing is fetched while monitoring is off', async () => {
    await watch()
    await app.must('PUT', `/zones/${zone}/page_shield`, { enabled: false })
    await check()
    expect(asked).toEqual([])
  })

  test('a check can be requested once a minute', async () => {
    const { id } = await watch()
    await check()
    const request = () => app.call({ method: 'POST', path: own(`/pages/${id}/check`), body: {} })
    expect((await request()).json.errors[0]?.code).toBe(19657)
    app.clock.advance(60_001)
    expect((await request()).status).toBe(200)
    await check()
    expect(asked).toHaveLength(2)
  })

  test('a hundred snapshots of a page are kept, and deleted with it', async () => {
    const { id } = await watch()
    for (let index = 0; index < 103; index++) {
      page = { ...page, headers: { ...HEADERS, 'x-frame-options': `v${index}` } }
      await nextDay()
    }
    const count = async () =>
      (await app.storage.all(query.selectFrom('page_shield_page_snapshots').select('position'))).length
    expect(await count()).toBe(100)
    await app.must('DELETE', own(`/pages/${id}`))
    expect(await count()).toBe(0)
    await watch()
    await check()
    await app.must('DELETE', `/zones/${zone}`)
    expect(await count()).toBe(0)
  })
})

describeWith(['chromium'], 'watched pages that are scanned', () => {
  test(
    'what scripts add is in the inventory, and changes of it are events',
    { timeout: 120_000 },
    async () => {
      const added = (name: string): string =>
        `<script>document.cookie = 'cart=secret'; const s = document.createElement('script'); s.src = '/${name}'; document.head.append(s)</script>`
      page = { headers: HEADERS, html: added('added.js') }
      const { id } = await watch()
      await app.must('PATCH', own(`/pages/${id}`), { scan: true })
      await check()
      const scripts = await app.must<{ url: string }[]>(
        'GET',
        `/zones/${zone}/page_shield/scripts?status=active,infrequent`,
      )
      expect(scripts.map(({ url }) => url)).toEqual([`http://www.example.com:${port}/added.js`])
      const cookies = await app.must<{ name: string; set_by: string | null }[]>(
        'GET',
        `/zones/${zone}/page_shield/cookies`,
      )
      expect(cookies.map(({ name, set_by: by }) => [name, by]).toSorted()).toEqual([['cart', 'script']])
      page = { headers: { ...HEADERS, 'x-frame-options': 'SAMEORIGIN' }, html: added('skimmer.js') }
      await nextDay()
      expect((await eventsOf(id)).toSorted()).toEqual([
        'page.headers_changed',
        'page.headers_changed',
        'page.scripts_changed',
        'page.scripts_changed',
      ])
      const scans = (await history(id)).filter(({ source }) => source === 'scan')
      expect(scans).toHaveLength(2)
      expect(scans[0]).toMatchObject({
        added_scripts: [{ url: `http://www.example.com:${port}/skimmer.js` }],
        removed_scripts: [{ url: `http://www.example.com:${port}/added.js` }],
      })
      expect((await watched(id)).status).toMatchObject({ failures: 0, problem: null })
    },
  )
})
