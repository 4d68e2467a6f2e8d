// Access to metrics: on the API, tokens that may read every zone; on the separate listener, clients that use
// one of its names. Also the warnings about listeners that are reachable from other hosts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '@zonereeve/config'
import { randomIds, silentLog, systemClock } from '@zonereeve/platform'
import { exchangeOctets } from '../../testing/http-client.ts'
import { wirePolicy, allow } from '../../testing/test-tokens.ts'
import { startApp, type App } from '../app.ts'

const TOKEN = 'a'.repeat(40)
const METRICS = expect.stringMatching(/^# HELP zonereeve_dns_zone_queries_total /m) as string
const NO_METRICS = expect.not.stringMatching(/zonereeve_/) as string

async function start(flags: Record<string, string>) {
  const warnings: object[] = []
  const config = loadConfig({
    flags: {
      http: '127.0.0.1:0',
      dns: '127.0.0.1:0',
      'dns-threads': '0',
      resolver: 'off',
      'script-fetches': '0',
      ...flags,
    },
    environment: { ZONEREEVE_ADMIN_TOKEN: TOKEN },
  })
  const log = {
    ...silentLog,
    warn: (fields: object, event: string) => void warnings.push({ ...fields, event }),
  }
  const app = await startApp({ config, clock: systemClock(), ids: randomIds(), log, inMemory: true })
  return { app, warnings }
}

async function get(port: number, path: string, ...headers: readonly string[]) {
  const lines = [`GET ${path} HTTP/1.1`, 'Connection: close', ...headers].join('\r\n')
  const octets = await exchangeOctets(port, `${lines}\r\n\r\n`)
  const [head = '', body = ''] = octets.split(/\r\n\r\n([^]*)/)
  return { status: Number(head.slice(9, 12)), head: head.toLowerCase(), body }
}

let app: App
let limited: string
beforeAll(async () => {
  app = (await start({ metrics: '127.0.0.1:0', 'allowed-hosts': 'metrics.example.com' })).app
  const url = `http://127.0.0.1:${app.http.port}/client/v4`
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
    const reply = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return ((await reply.json()) as { result: { id: string; value: string } }).result
  }
  const { id } = await post('/zones', { name: 'example.com' })
  const policies = [wirePolicy(allow(['Zone Read'], `account.zone.${id}`))]
  limited = (await post('/user/tokens', { name: 'of one zone', policies })).value
})
afterAll(() => app.close())

const HOST = 'Host: 127.0.0.1'

describe('/metrics on the API', () => {
  test.each([
    ['without a credential', () => [], 400, 9106],
    ['with an unknown token', () => [`Authorization: Bearer ${'b'.repeat(40)}`], 403, 9109],
    ['with a token of one zone', () => [`Authorization: Bearer ${limited}`], 403, 10000],
  ])('%s is rejected', async (_, credential, status, code) => {
    const reply = await get(app.http.port, '/metrics', HOST, ...credential())
    expect(reply).toMatchObject({ status, body: NO_METRICS })
    expect(reply.body).toContain(`"code":${code}`)
  })

  test('is available to tokens that may read every zone', async () => {
    const reply = await get(app.http.port, '/metrics', HOST, `Authorization: Bearer ${TOKEN}`)
    expect(reply).toMatchObject({ status: 200, body: METRICS })
  })
})

describe('the listener of metrics', () => {
  test.each([
    ['metrics', '/metrics', [HOST], 200, METRICS],
    ['metrics by a configured name', '/metrics?x=1', ['Host: metrics.example.com:1'], 200, METRICS],
    ['nothing by another name', '/metrics', ['Host: rebound.example.net'], 421, NO_METRICS],
    ['nothing by two names', '/metrics', [HOST, 'Host: rebound.example.net'], 400, NO_METRICS],
    ['nothing of the API', '/client/v4/user', [HOST], 404, NO_METRICS],
    ['no pages', '/docs', [HOST], 404, NO_METRICS],
  ])('has %s', async (_, path, headers, status, body) => {
    const reply = await get(app.metrics?.port ?? 0, path, ...headers)
    expect(reply).toMatchObject({ status, body })
    expect(reply.head).toContain('x-content-type-options: nosniff')
  })
})

describe('the log', () => {
  test.each([
    ['has no warning for loopback', { http: '[::1]:0', metrics: '127.0.0.1:0' }, []],
    ['warns of plain HTTP on all addresses', { http: '0.0.0.0:0' }, ['http']],
    ['warns of metrics on all addresses', { metrics: '0.0.0.0:0' }, ['metrics']],
  ])('%s', async (_, flags: Record<string, string>, settings) => {
    const started = await start(flags)
    await started.app.close()
    expect(started.warnings).toMatchObject(
      settings.map((setting) => ({ setting, event: expect.stringContaining('beyond loopback') as string })),
    )
  })
})
