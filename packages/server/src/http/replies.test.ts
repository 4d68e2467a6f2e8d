// Replies that are no envelope: files, and success without a body.
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import type { Reply, Route } from './route.ts'

/** The same route, answering otherwise and declared otherwise. */
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

  test('a file comes as its octets, under its name, with its own headers', async () => {
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

  test('success without a body is 204, with nothing in it', async () => {
    const path = `/user/tokens/${'f'.repeat(32)}`
    const { status, text, headers } = await app.call({ method: 'DELETE', path })
    expect([status, text, headers['content-type']]).toEqual([204, '', undefined])
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/)
  })

  test('its dry run is told in the envelope', async () => {
    const path = `/user/tokens/${'f'.repeat(32)}?dry_run=true`
    const { status, text } = await app.call({ method: 'DELETE', path })
    expect([status, JSON.parse(text)]).toMatchObject([200, { result: null, success: true, changes: [] }])
  })
})
