// The router, the contract and the document list the same operations; nothing else answers under the base paths.
import { OPERATIONS, type Operation } from '@zonereeve/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { expectDocumented, operationAt, validatorOf } from '../testing/documented.ts'
import { BASE_PATHS, routerPath } from './paths.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const PATHS = [...new Set(OPERATIONS.map(({ path }) => path))]
const SAMPLES: Readonly<Record<string, string>> = { number: '1' }

/** Status and code without a credential; for a public write, without a body. */
function withoutCredential({ permission, method }: Operation): readonly unknown[] {
  if (permission.on === 'session') return [401, 19890]
  if (permission.on !== 'public') return [400, 9106]
  return method === 'GET' ? [200, undefined] : [400, 9207]
}

/** A path of that shape whose objects do not exist. */
const samplePath = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => SAMPLES[name] ?? 'f'.repeat(32))

describe('the router', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  test('implements every operation of the contract, each once, and no other', () => {
    const routed = app.routes.map(({ operation }) => operation.id)
    expect(routed.toSorted()).toEqual(OPERATIONS.map(({ id }) => id).toSorted())
    for (const { operation } of app.routes) expect(OPERATIONS).toContain(operation)
  })

  test('has each at its method and path', () => {
    for (const { method, path } of OPERATIONS) {
      expect([path, app.server.hasRoute({ method, url: `/client/v4${routerPath(path)}` })]).toEqual([
        path,
        true,
      ])
    }
  })

  test.each(PATHS)('answers at %s only the methods of its operations', async (path) => {
    for (const method of METHODS) {
      const found = operationAt(method, samplePath(path))
      const { status, json } = await app.call({ method, path: samplePath(path), token: null })
      // The last segment of /user/tokens/verify is read as an identifier by the methods of another operation.
      const expected =
        found === undefined ? [405, 10000] : found.path === path ? withoutCredential(found) : [400, 7003]
      expect([method, status, json.errors[0]?.code]).toEqual([method, ...expected])
    }
  })

  test.each(BASE_PATHS)('answers below %s', async (base) => {
    expect((await app.call({ method: 'GET', path: '/user', base })).status).toBe(200)
    expect((await app.call({ method: 'GET', path: '/user/', base })).status).toBe(200)
    expect((await app.call({ method: 'GET', path: '', base })).json.errors).toMatchObject([{ code: 7000 }])
  })

  test('answers nothing elsewhere', async () => {
    for (const base of ['', '/client', '/api', '/client/v4/client/v4', '/v3', '/V4', '/client/v4/v4']) {
      const { status, json } = await app.call({ method: 'GET', path: '/user', base })
      expect([base, status, json.errors[0]?.code]).toEqual([base, 404, 7000])
    }
  })
})

describe('the document', () => {
  test.each(OPERATIONS.map((operation) => [operation.id, operation] as const))(
    'describes the replies of %s strictly',
    (_, operation) => {
      // The compiler is strict: it rejects unknown keywords, broken references and impossible types.
      expect(validatorOf(operation, '4XX')).toBeTypeOf('function')
      expect(() => validatorOf(operation, '200')).not.toThrow()
    },
  )

  test('is used to check replies: an undescribed one is reported', () => {
    const failure = { result: null, success: false, errors: [{ code: 1000, message: 'no' }], messages: [] }
    expect(() => expectDocumented('GET', '/user', 400, failure)).not.toThrow()
    expect(() => expectDocumented('GET', '/user', 400, { ...failure, more: 1 })).toThrow(/problems/)
    expect(() => expectDocumented('GET', '/user', 400, { ...failure, errors: [] })).toThrow(/problems/)
    expect(() => expectDocumented('GET', '/user', 200, failure)).toThrow(/problems/)
  })
})
