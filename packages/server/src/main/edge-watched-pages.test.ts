// Watched pages as an edge sends them: an embedded proxy in front of an origin, reporting to a real server.
import { createServer, request, type OutgoingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startEdge, type Edge } from '@zonereeve/edge'
import { query } from '@zonereeve/storage'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { edgeOptions } from '../testing/edge-options.ts'
import { allow, makeToken } from '../testing/test-tokens.ts'

const HOUR = 3_600_000
const URL = 'http://example.com/checkout'
const VALUE = "script-src 'self'"
const POLICY = {
  description: 'pages',
  action: 'allow',
  expression: 'http.request.uri.path eq "/checkout"',
  enabled: true,
  value: VALUE,
}

let app: TestApp
let zone: string
let page: string
let token: string
let origin: Server
let edge: Edge
let served: { readonly status: number; readonly headers: OutgoingHttpHeaders }

const HEADERS: OutgoingHttpHeaders = {
  'content-type': 'text/html',
  'x-frame-options': 'DENY',
  'set-cookie': ['sid=do-not-store; Path=/', 'seen=do-not-store'],
  'x-powered-by': 'do-not-store',
  server: 'do-not-store',
}
const withFrames = (value: string): OutgoingHttpHeaders => ({ ...HEADERS, 'x-frame-options': value })

const own = (text: string) => `/zonereeve/zones/${zone}/page_shield${text}`
const activity = (body: object) =>
  app.call({ method: 'POST', path: `/zonereeve/zones/${zone}/edge/activity`, body, token })

interface Observation {
  readonly source: string
  readonly final_url: string
  readonly first_seen_at: string
  readonly last_seen_at: string
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly scripts: null
  readonly missing_policies: readonly string[]
  readonly changed_headers: readonly object[]
}
const observations = async () =>
  (await app.must<Observation[]>('GET', own(`/pages/${page}/history`))).filter(
    ({ source }) => source === 'edge',
  )
const events = async () =>
  (await app.must<{ kind: string; resource_id: string }[]>('GET', own('/events')))
    .filter(({ resource_id: of }) => of === page)
    .map(({ kind }) => kind)
    .toReversed()

interface Visit {
  readonly method?: string
  readonly path?: string
  readonly host?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A request through the proxy, and everything that waits is delivered. */
async function visit({ method = 'GET', path = '/checkout', host = 'example.com', headers }: Visit = {}) {
  await new Promise<void>((resolve, reject) => {
    const target = { host: '127.0.0.1', port: edge.proxy?.port, method, path, agent: false }
    const outgoing = request({ ...target, headers: { ...headers, host } }, (response) => {
      response.on('error', reject)
      response.on('end', resolve).resume()
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
  await edge.flush()
}

/** Resolves when the edge knows which page is watched, and has reported it. */
const firstObservation = (): Promise<void> =>
  vi.waitFor(
    async () => {
      await visit()
      expect(await observations()).toHaveLength(1)
    },
    { timeout: 20_000, interval: 100 },
  )

beforeEach(async () => {
  served = { status: 200, headers: HEADERS }
  origin = createServer((_incoming, response) => {
    response.writeHead(served.status, served.headers).end('<title>a page</title>')
  })
  await new Promise<void>((resolve) => {
    origin.listen(0, '127.0.0.1', resolve)
  })
  app = await startTestApp()
  zone = (await app.must('POST', '/zones', { name: 'example.com' })).id
  await app.must('PUT', `/zones/${zone}/page_shield`, { enabled: true })
  await app.must('POST', `/zones/${zone}/page_shield/policies`, POLICY)
  page = (await app.must('POST', own('/pages'), { url: URL })).id
  token = await makeToken(app, [allow(['Edge Decide'], 'account.zone.*')])
  edge = await startEdge(
    edgeOptions(app, token, (origin.address() as AddressInfo).port, {
      decisions: undefined,
      now: () => app.clock.now(),
    }),
  )
  await edge.synced
})
afterEach(async () => {
  await edge.close()
  await app.close()
  origin.closeAllConnections()
  origin.close()
})

describe('a watched page through an edge', () => {
  test('is stored as it was sent: its security-relevant headers, without cookies and secrets', async () => {
    await firstObservation()
    const [first] = await observations()
    expect(first).toMatchObject({
      final_url: URL,
      scripts: null,
      missing_policies: [],
      headers: [
        { name: 'content-security-policy', value: VALUE },
        { name: 'x-frame-options', value: 'DENY' },
      ],
    })
    expect(await app.must('GET', own(`/pages/${page}/history`))).toHaveLength(1) // nothing was fetched
    expect(JSON.stringify(first)).not.toContain('do-not-store')
    expect(await events()).toEqual([])
    const { status } = await app.must<{ status: object }>('GET', own(`/pages/${page}`))
    expect(status).toMatchObject({ checked_at: null }) // it was no check
  })

  test('that differs is an event, and in the history with the difference', async () => {
    await firstObservation()
    served = { status: 200, headers: withFrames('SAMEORIGIN') }
    await visit()
    const [latest, ...earlier] = await observations()
    expect(earlier).toHaveLength(1)
    expect(latest?.changed_headers).toEqual([
      { name: 'x-frame-options', before: 'DENY', after: 'SAMEORIGIN' },
    ])
    expect(await events()).toEqual(['page.headers_changed'])
  })

  test('that differs between visitors is reported each ten minutes', async () => {
    await firstObservation()
    for (const value of ['A', 'B', 'C', 'D']) {
      served = { status: 200, headers: withFrames(value) }
      await visit()
    }
    expect(await events()).toEqual(['page.headers_changed'])
    app.clock.advance(600_000)
    await visit()
    expect((await observations()).map(({ headers }) => headers.at(-1)?.value)).toEqual(['D', 'A', 'DENY'])
  })

  test('that stays as it is is seen again each hour', async () => {
    await firstObservation()
    const seen = async () => (await observations()).map(({ last_seen_at: at }) => Date.parse(at))
    const [first = 0] = await seen()
    app.clock.advance(HOUR - 1_000)
    await visit()
    expect(await seen()).toEqual([first])
    app.clock.advance(1_000)
    await visit()
    expect(await seen()).toEqual([first + HOUR])
    expect(await events()).toEqual([])
  })

  test.each<[string, Visit, Partial<typeof served>]>([
    ['another page', { path: '/other' }, {}],
    ['another query', { path: '/checkout?a=b' }, {}],
    ['another host', { host: 'www.example.com' }, {}],
    ['a form', { method: 'POST' }, {}],
    ['a script of another site', { headers: { origin: 'https://evil.example' } }, {}],
    ['an error page', {}, { status: 503 }],
    ['data', {}, { headers: { ...withFrames('ALLOW'), 'content-type': 'application/json' } }],
    ['a redirect', {}, { status: 302 }],
    ['a cookie for this visitor only', {}, { headers: { ...HEADERS, 'set-cookie': 'new=do-not-store' } }],
    ['a header that is not compared', {}, { headers: { ...HEADERS, 'x-request-id': 'do-not-store' } }],
  ])('is not: %s', async (_name, visited, answer) => {
    await firstObservation()
    const before = await observations()
    served = { status: 200, headers: withFrames('ALLOW'), ...answer }
    await visit(visited)
    expect(await observations()).toEqual(before)
    expect(await events()).toEqual([])
  })

  test('is no longer compared when it is deleted, or monitoring ends', async () => {
    await firstObservation()
    await app.must('PUT', `/zones/${zone}/page_shield`, { enabled: false })
    const sent = { url: URL, headers: [{ name: 'x-frame-options', value: 'late' }] }
    expect((await activity({ events: [], pages: [sent] })).status).toBe(200) // of an edge that does not know yet
    expect(await observations()).toHaveLength(1)
    await app.must('PUT', `/zones/${zone}/page_shield`, { enabled: true })
    const remaining = { url: 'http://example.com/other' }
    const other = (await app.must('POST', own('/pages'), remaining)).id
    await app.call({ method: 'DELETE', path: own(`/pages/${page}`) })
    expect((await activity({ events: [], pages: [sent] })).status).toBe(200)
    expect(await app.must('GET', own(`/pages/${other}/history`))).toEqual([])
  })

  test('does not hold up others when its history is unreadable', async () => {
    await firstObservation()
    const other = (await app.must('POST', own('/pages'), { url: 'http://example.com/other' })).id
    const broken = query.updateTable('page_shield_page_snapshots').set({ headers: '{' })
    await app.storage.write((tx) => tx.run(broken))
    const reported = [URL, 'http://example.com/other'].map((url) => ({ url, headers: [] }))
    expect((await activity({ events: [], pages: reported })).status).toBe(200)
    expect(await app.must('GET', own(`/pages/${other}/history`))).toMatchObject([{ source: 'edge' }])
    expect(await observations()).toEqual([])
  })

  test('without a policy that is deployed is drift', async () => {
    const sent = { url: URL, headers: [{ name: 'content-security-policy', value: "script-src 'none'" }] }
    expect((await activity({ events: [], pages: [sent] })).status).toBe(200)
    expect(await observations()).toMatchObject([{ missing_policies: [expect.any(String)] }])
    expect(await events()).toEqual(['page.policy_drift'])
    await firstHeadersOfEdge()
    expect((await observations())[0]?.missing_policies).toEqual([])
    expect(await events()).toEqual(['page.policy_drift', 'page.headers_changed'])

    /** The real edge sends the policy. */
    async function firstHeadersOfEdge(): Promise<void> {
      await vi.waitFor(
        async () => {
          await visit()
          expect(await observations()).toHaveLength(2)
        },
        { timeout: 20_000, interval: 100 },
      )
    }
  })

  const NAMED = { name: 'x-frame-options', value: 'DENY' }
  test.each<[string, object, string]>([
    ['an unknown member', { url: URL, headers: [], scripts: [] }, '/pages/0/scripts'],
    ['no headers', { url: URL }, '/pages/0/headers'],
    ['a header without a value', { url: URL, headers: [{ name: 'a' }] }, '/pages/0/headers/0/value'],
    ['too many headers', { url: URL, headers: Array.from({ length: 101 }, () => NAMED) }, '/pages/0/headers'],
    [
      'a value that is too long',
      { url: URL, headers: [{ ...NAMED, value: 'x'.repeat(8_193) }] },
      '/pages/0/headers/0/value',
    ],
  ])('is refused with %s, and nothing is stored', async (_name, sent, pointer) => {
    const refused = await activity({ events: [], pages: [sent] })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain(`"${pointer}"`)
    expect(await observations()).toEqual([])
  })

  test('is refused with more than ten others', async () => {
    const sent = Array.from({ length: 11 }, () => ({ url: URL, headers: [] }))
    expect((await activity({ events: [], pages: sent })).status).toBe(400)
    expect(await observations()).toEqual([])
  })
})
