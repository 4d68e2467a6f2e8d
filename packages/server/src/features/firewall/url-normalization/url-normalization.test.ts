// The normalization of paths over HTTP: the setting, what rules then see, and what is refused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { scenarios, type Send } from '../../../testing/scenarios.ts'

const PATH = '/zones/{zone}/url_normalization'
const read: Send = { method: 'GET', path: PATH }
const set = (body: unknown): Send => ({ method: 'PUT', path: PATH, body })
const remove: Send = { method: 'DELETE', path: PATH }
const DEFAULT = { scope: 'incoming', type: 'cloudflare' }
const other = { scope: 'both', type: 'rfc3986' }

scenarios(PATH, [
  { name: 'by default', send: read, expect: { status: 200, result: DEFAULT } },
  { name: 'set', send: set(other), expect: { status: 200, changes: 1, result: other } },
  { name: 'and read', before: [set(other)], send: read, expect: { status: 200, result: other } },
  { name: 'set to what it is: no change', send: set(DEFAULT), expect: { status: 200, result: DEFAULT } },
  { name: 'back to the default', before: [set(other)], send: remove, expect: { status: 204, changes: 1 } },
  {
    name: 'back, and read',
    before: [set(other), remove],
    send: read,
    expect: { status: 200, result: DEFAULT },
  },
  { name: 'back without a setting: no change', send: remove, expect: { status: 204 } },
  ...(
    [
      [{}, ['/scope', '/type']],
      [{ scope: 'both' }, ['/type']],
      [{ ...DEFAULT, scope: 'all' }, ['/scope']],
      [{ ...DEFAULT, type: 'RFC3986' }, ['/type']],
      [{ ...DEFAULT, type: null }, ['/type']],
    ] as const
  ).map(([body, pointers]) => ({
    name: `refused: ${JSON.stringify(body)}`,
    send: set(body),
    expect: { status: 400, codes: pointers.map(() => 6008), pointers: [...pointers] },
  })),
  {
    name: 'an unknown zone',
    send: { method: 'GET', path: `/zones/${'0'.repeat(32)}/url_normalization` },
    expect: { status: 404, codes: [1001] },
  },
])

describe('what rules see', () => {
  let app: TestApp
  let zone: string
  beforeAll(async () => {
    app = await startTestApp()
    zone = (await app.must<{ id: string }>('POST', '/zones', { name: 'path.example' })).id
    await app.must('PUT', `/zones/${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
      rules: [{ action: 'block', expression: 'http.request.uri.path eq "/admin/x"' }],
    })
  })
  afterAll(() => app.close())

  test.each([
    ['cloudflare', 'incoming', ['block', 'block', 'block']],
    ['rfc3986', 'both', ['block', 'allow', 'block']],
    ['rfc3986', 'none', ['block', 'allow', 'allow']],
  ])('%s, %s', async (type, scope, actions) => {
    await app.must('PUT', `/zones/${zone}/url_normalization`, { type, scope })
    const path = `/zonereeve/zones/${zone}/firewall/decide`
    const decided: unknown[] = []
    for (const target of ['/admin/x', '//admin/x', '/%61dmin/x']) {
      const body = { url: `https://path.example${target}`, ip: '192.0.2.1' }
      const { action } = await app.must<{ action: string }>('POST', path, body)
      const trace = await app.must<{ new: { action: string } }>(
        'POST',
        `/zonereeve/zones/${zone}/firewall/trace`,
        body,
      )
      expect(trace.new.action).toBe(action)
      decided.push(action)
    }
    expect(decided).toEqual(actions)
  })
})
