// Access rules at an edge, over real sockets: the embedded proxy decides by rules of the zone, the account and all zones,
// follows their changes, and sends their events.
import { request } from 'node:http'
import { startEdge, type Edge } from '@zonereeve/edge'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { edgeOptions } from '../testing/edge-options.ts'
import { allow, makeToken } from '../testing/test-tokens.ts'

describe('an edge', () => {
  let app: TestApp
  let edge: Edge
  let zone = ''

  const get = (path = '/', headers: Readonly<Record<string, string>> = {}) =>
    new Promise<number | undefined>((resolve, reject) => {
      const { port } = edge.proxy ?? expect.fail('the proxy is off')
      const all = { host: 'www.guarded.example', ...headers }
      request({ host: '127.0.0.1', port, path, headers: all, agent: false }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode))
      })
        .on('error', reject)
        .end()
    })
  const waitFor = (status: number, path?: string, headers?: Readonly<Record<string, string>>) =>
    vi.waitFor(async () => expect(await get(path, headers)).toBe(status), { timeout: 60_000, interval: 50 })

  beforeAll(async () => {
    app = await startTestApp()
    zone = (await app.must('POST', '/zones', { name: 'guarded.example', account: { id: app.accountId } })).id
    const token = await makeToken(app, [allow(['Edge Decide'], 'account.zone.*')])
    edge = await startEdge(
      edgeOptions(app, token, undefined, {
        // Nothing listens there: a request that passes gets 502.
        origins: { origin: { host: '127.0.0.1', port: 1 }, scheme: 'http', isPrivateAllowed: true },
        now: () => Date.now(),
      }),
    )
    await edge.synced
  })
  afterAll(async () => {
    await edge.close()
    await app.close()
  })

  test.each(['zones', 'accounts', 'user'])('follows access rules below /%s', async (owner) => {
    const id = owner === 'zones' ? `/${zone}` : owner === 'accounts' ? `/${app.accountId}` : ''
    const path = `/${owner}${id}/firewall/access_rules/rules`
    const configuration = { target: 'ip', value: '127.0.0.1' }
    const rule = await app.must('POST', path, { mode: 'block', configuration })
    await waitFor(403)
    await app.must('DELETE', `${path}/${rule.id}`)
    await waitFor(502)
    expect(await app.must<unknown[]>('GET', path)).toEqual([])
  })

  test('lockdown, user-agent rules and the security level stop requests, and their events arrive', async () => {
    await app.must('POST', `/zones/${zone}/firewall/lockdowns`, {
      urls: ['www.guarded.example/admin*'],
      configurations: [{ target: 'ip', value: '198.51.100.1' }],
    })
    await waitFor(403, '/admin')
    await app.must('POST', `/zones/${zone}/firewall/ua_rules`, {
      mode: 'block',
      configuration: { target: 'ua', value: 'Bad' },
    })
    await waitFor(403, '/', { 'user-agent': 'Bad' })
    await app.must('PATCH', `/zones/${zone}/settings/security_level`, { value: 'under_attack' })
    await waitFor(403, '/', { accept: 'text/html' })
    expect(await get('/')).toBe(502)
    await app.must('PATCH', `/zones/${zone}/settings/security_level`, { value: 'medium' })
    await waitFor(502, '/', { accept: 'text/html' })
    await edge.flush()
    const events = await app.must<{ source: string }[]>('GET', `/zonereeve/zones/${zone}/security/events`)
    const sources = new Set(events.map(({ source }) => source))
    expect(sources).toEqual(new Set(['ip', 'zoneLockdown', 'uaBlock', 'securityLevel']))
  })
})
