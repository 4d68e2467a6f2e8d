// Replies without the envelope: files, and success without a body.
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { joinInChunks } from '@zonereeve/platform'
import { startTestApp, type TestApp } from '../testing/app.ts'
import type { Reply, Route } from './route.ts'

/** The same route with another reply and declaration. */
const answering = (route: Route, reply: Reply, declared: object): Route => ({
  operation: { ...route.operation, ...declared },
  handle: async () => reply,
})

const FILE: Reply = {
  file: 'a,b\r\né,2\r\n',
  type: 'text/csv; charset=utf-8',
  name: 'list.csv',
  headers: { 'Content-Security-Policy': "default-src 'none'" },
}

const MEMBERS = { use_service_reporting_endpoint: true }
/** Enough for several chunks. */
const ITEMS = 120
const LIST = {
  page: 1,
  perPage: ITEMS,
  count: ITEMS,
  totalCount: ITEMS,
  get items() {
    return joinInChunks(
      Array.from({ length: ITEMS }, (_, index) => (index === 0 ? '' : ',') + JSON.stringify(MEMBERS)),
    )
  },
}

const REPLIES: Readonly<Record<string, readonly [Reply, object]>> = {
  'user.get': [FILE, { files: ['text/csv'] }],
  'user.tokens.delete': [{ result: null }, { noContent: true, result: Type.Null() }],
}

describe('replies without an envelope', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({
      alterRoutes: (routes) =>
        routes.map((route) => {
          const [reply, declared] = REPLIES[route.operation.id] ?? []
          return reply === undefined ? route : answering(route, reply, declared ?? {})
        }),
    })
  })
  afterAll(() => app.close())

  test('a file is sent as its octets, with its name and its own headers', async () => {
    const { status, text, headers } = await app.call({ method: 'GET', path: '/user' })
    expect([status, text]).toEqual([200, 'a,b\r\né,2\r\n'])
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="list.csv"',
      'content-security-policy': "default-src 'none'",
      'content-length': '11',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
  })

  test('success without a body is 204 and empty', async () => {
    const path = `/user/tokens/${'f'.repeat(32)}`
    const { status, text, headers } = await app.call({ method: 'DELETE', path })
    expect([status, text, headers['content-type']]).toEqual([204, '', undefined])
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/)
  })

  test('its dry run uses the envelope', async () => {
    const path = `/user/tokens/${'f'.repeat(32)}?dry_run=true`
    const { status, text } = await app.call({ method: 'DELETE', path })
    expect([status, JSON.parse(text)]).toMatchObject([200, { result: null, success: true, changes: [] }])
  })
})

describe.each([
  ['documented', 'use_service_reporting_endpoint'],
  ['vendor', 'use_cloudflare_reporting_endpoint'],
] as const)('a list in chunks, profile %s', (profile, member) => {
  test('equals the list in one piece', async () => {
    const app = await startTestApp({
      profile,
      alterRoutes: (routes) =>
        routes.map((route) => (route.operation.id === 'accounts.list' ? answering(route, LIST, {}) : route)),
    })
    const { status, text, headers } = await app.call({ method: 'GET', path: '/accounts' })
    await app.close()
    expect([status, headers['content-type'], headers['content-length']]).toEqual([
      200,
      'application/json',
      undefined,
    ])
    const items = Array.from({ length: ITEMS }, () => `{"${member}":true}`).join(',')
    expect(text).toBe(
      `{"result":[${items}],"success":true,"errors":[],"messages":[],"result_info":{"page":1,"per_page":${ITEMS},"count":${ITEMS},"total_count":${ITEMS},"total_pages":1}}`,
    )
  })
})
