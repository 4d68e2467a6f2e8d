// The edge against a real server, over real sockets: its adapters agree with the trace, events arrive, changes are
// followed, and decisions go on without the server.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEdge, type Edge, type EdgeOptions } from '@zonereeve/edge'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { START, startTestApp, type TestApp } from '../testing/app.ts'
import { edgeOptions } from '../testing/edge-options.ts'
import { allow, makeToken } from '../testing/test-tokens.ts'

const CUSTOM = 'http_request_firewall_custom'
const KEY = 'the key of the remediation components'
const CLIENT = '127.0.0.1'

interface Exchange {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

interface Sent {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

function exchange(port: number, { method = 'GET', path, headers = {}, body }: Sent): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode: status = 0, headers: received } = response
        resolve({ status, headers: received, text: Buffer.concat(chunks).toString() })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

interface World {
  readonly app: TestApp
  readonly token: string
  readonly zoneId: string
  readonly origin: Server
  readonly originPort: number
  readonly reached: string[]
  readonly folder: string
  readonly edge: Edge
}

let world: World
const logged: { readonly event: string; readonly fields: object }[] = []

const optionsFor = (
  app: Pick<TestApp, 'port'>,
  token: string,
  originPort: number,
  more: Partial<EdgeOptions> = {},
): EdgeOptions =>
  edgeOptions(app, token, originPort, {
    appSecKey: KEY,
    log: {
      info: (fields, event) => void logged.push({ event, fields }),
      warn: (fields, event) => void logged.push({ event, fields }),
    },
    now: () => START,
    ...more,
  })

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return (server.address() as AddressInfo).port
}

/** Echoes the path; `/events` streams, `/size` counts, `/large` sends. */
function answerAsOrigin(reached: string[], incoming: IncomingMessage, response: ServerResponse): void {
  reached.push(`${incoming.method} ${incoming.url}`)
  if (incoming.url === '/events') {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: first\n\n')
    incoming.on('close', () => reached.push('events closed'))
    return
  }
  if (incoming.url?.startsWith('/login') === true)
    return void response.writeHead(incoming.url.endsWith('right') ? 200 : 401).end()
  if (incoming.url?.startsWith('/page') === true) {
    response.setHeader('set-cookie', ['sid=do-not-store; Path=/; HttpOnly; Secure', 'theme=dark'])
    response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': "object-src 'none'" })
    return void response.end('<title>a page</title>')
  }
  if (incoming.url === '/large') {
    response.writeHead(200, { 'content-length': String(LARGE) })
    const chunk = Buffer.alloc(65_536, 'x')
    let left = LARGE
    const write = (): void => {
      while (left > 0) {
        left -= chunk.length
        if (!response.write(chunk)) return void response.once('drain', write)
      }
      response.end()
    }
    write()
    return
  }
  let size = 0
  incoming.on('data', (chunk: Buffer) => (size += chunk.length))
  incoming.on('end', () => {
    const { 'x-forwarded-for': forwardedFor, 'x-ray-id': rayId, connection } = incoming.headers
    response.setHeader('set-cookie', ['a=1', 'b=2'])
    response.end(JSON.stringify({ url: incoming.url, size, forwardedFor, rayId, connection }))
  })
}

/** Enough to notice that a body is held in memory: each way; buffers that are not collected yet count as well. */
const LARGE = 192 * 1_048_576
const LARGE_GROWTH = 128 * 1_048_576

const RULES = [
  { action: 'block', expression: 'http.request.uri.path eq "/blocked"', description: 'a path' },
  {
    action: 'block',
    expression: 'http.request.uri.path eq "/own"',
    action_parameters: { response: { status_code: 418, content_type: 'text/plain', content: 'a teapot' } },
  },
  { action: 'managed_challenge', expression: 'http.request.uri.path eq "/challenged"' },
  { action: 'log', expression: 'http.request.uri.path eq "/logged"' },
  { action: 'block', expression: 'any(http.request.headers["x-bad"][*] eq "yes")' },
  { action: 'block', expression: 'ip.src eq 198.51.100.9' },
  { action: 'block', expression: 'http.request.body.raw contains "forbidden words"' },
  { action: 'block', expression: 'http.request.uri.path eq "/upload" and http.request.body.truncated' },
]

const perAddress = { characteristics: ['cf.colo.id', 'ip.src'], period: 10, mitigation_timeout: 10 }
const LIMITS = [
  ...['/limited', '/few', '/together'].map((path) => ({
    action: 'block',
    expression: `http.request.uri.path eq "${path}"`,
    ratelimit: { ...perAddress, requests_per_period: 5 },
  })),
  {
    action: 'managed_challenge',
    expression: 'http.request.uri.path eq "/login"',
    ratelimit: {
      ...perAddress,
      requests_per_period: 2,
      counting_expression: 'http.request.uri.path eq "/login" and http.response.code eq 401',
    },
  },
]

beforeAll(async () => {
  const app = await startTestApp()
  const zone = await app.must('POST', '/zones', { name: 'example.com' })
  await app.must('PUT', `/zones/${zone.id}/rulesets/phases/${CUSTOM}/entrypoint`, { rules: RULES })
  await app.must('PUT', `/zones/${zone.id}/rulesets/phases/http_request_dynamic_redirect/entrypoint`, {
    rules: [
      {
        action: 'redirect',
        expression: 'http.request.uri.path eq "/old"',
        action_parameters: {
          from_value: { status_code: 302, target_url: { value: 'https://example.com/new' } },
        },
      },
    ],
  })
  await app.must('PUT', `/zones/${zone.id}/rulesets/phases/http_ratelimit/entrypoint`, { rules: LIMITS })
  await app.must('PUT', `/zones/${zone.id}/rulesets/phases/http_request_firewall_managed/entrypoint`, {
    rules: [
      {
        action: 'execute',
        expression: 'true',
        action_parameters: { id: 'efb7b8c949ac4650a09736fc376e9aee' },
      },
    ],
  })
  await app.must('PUT', `/zones/${zone.id}/rulesets/phases/ddos_l7/entrypoint`, {
    rules: [
      {
        action: 'execute',
        expression: 'http.request.uri.path eq "/flooded"',
        action_parameters: { id: '4d21379b4f9f4bb088e0729962c8b3cf' },
      },
    ],
  })
  const token = await makeToken(app, [allow(['Edge Decide'], 'account.zone.*')])
  const reached: string[] = []
  const origin = createServer((incoming, response) => answerAsOrigin(reached, incoming, response))
  origin.on('upgrade', (_incoming, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
    socket.on('error', () => socket.destroy())
    socket.pipe(socket)
  })
  const originPort = await listen(origin)
  const folder = mkdtempSync(join(tmpdir(), 'edge-'))
  const edge = await startEdge(optionsFor(app, token, originPort, { folder }))
  await edge.synced
  world = { app, token, zoneId: zone.id, origin, originPort, reached, folder, edge }
})

afterAll(async () => {
  await world.edge.close()
  await world.app.close()
  world.origin.closeAllConnections()
  world.origin.close()
  rmSync(world.folder, { recursive: true, force: true })
})

const portOf = (endpoint: Edge['decisions']): number => {
  if (endpoint?.port === undefined) throw new Error('the listener is off')
  return endpoint.port
}
const proxyPort = (): number => portOf(world.edge.proxy)
const decisionsPort = (): number => portOf(world.edge.decisions)

interface Case extends Sent {
  readonly name: string
  /** The status of the decision; undefined if the request passes. */
  readonly stopped?: number
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0)', accept: 'text/html,*/*;q=0.8' }
const CASES: readonly Case[] = [
  { name: 'a page', path: '/' },
  { name: 'a page with a query', path: '/search?q=white+shoes&page=2' },
  { name: 'a path that a rule blocks', path: '/blocked', stopped: 403 },
  { name: 'the same path in another spelling', path: '/BLOCKED' },
  { name: 'a rule with its own response', path: '/own', stopped: 418 },
  { name: 'a challenge', path: '/challenged', stopped: 403 },
  { name: 'a rule that logs', path: '/logged' },
  { name: 'a redirect', path: '/old', stopped: 302 },
  { name: 'a header that a rule blocks', path: '/', headers: { 'x-bad': 'yes' }, stopped: 403 },
  { name: 'the header with another value', path: '/', headers: { 'x-bad': 'no' } },
  {
    name: 'an injection in the query',
    path: "/shop?id=1'%20UNION%20SELECT%20name,password%20FROM%20users--%20-",
    stopped: 403,
  },
  { name: 'a script in the query', path: '/shop?q=%3Cscript%3Ealert(1)%3C/script%3E', stopped: 403 },
  { name: 'an HTML client', path: '/blocked', headers: { accept: 'text/html' }, stopped: 403 },
]

const BODY_CASES: readonly Case[] = [
  { name: 'a form', method: 'POST', path: '/form', headers: FORM, body: 'name=Ada&city=London' },
  {
    name: 'a body that a rule blocks',
    method: 'POST',
    path: '/form',
    body: 'some forbidden words',
    stopped: 403,
  },
  {
    name: 'an attack in a form',
    method: 'POST',
    path: '/form',
    headers: FORM,
    body: "id=1'%20UNION%20SELECT%20name,password%20FROM%20users--%20-",
    stopped: 403,
  },
]

async function traced({ method = 'GET', path, headers = {}, body }: Sent): Promise<string> {
  const length = body === undefined ? {} : { 'content-length': String(body.length) }
  const described = {
    method,
    url: `http://example.com${path}`,
    headers: { ...BROWSER, ...headers, ...length },
    ip: CLIENT,
    ...(body === undefined ? {} : { body: String(body) }),
  }
  const trace = await world.app.must<{ effective: { action: string } }>(
    'POST',
    `/zonereeve/zones/${world.zoneId}/firewall/trace`,
    described,
  )
  return trace.effective.action
}

const byProxy = ({ headers = {}, ...sent }: Sent): Promise<Exchange> =>
  exchange(proxyPort(), { ...sent, headers: { ...BROWSER, ...headers, host: 'example.com' } })

const byNginx = ({ method = 'GET', path, headers = {} }: Sent): Promise<Exchange> =>
  exchange(decisionsPort(), {
    path: '/auth/nginx',
    headers: {
      ...BROWSER,
      ...headers,
      'x-original-method': method,
      'x-original-uri': path,
      'x-original-host': 'example.com',
      'x-original-scheme': 'http',
      'x-original-client': CLIENT,
    },
  })

const byForwarded = ({ method = 'GET', path, headers = {} }: Sent): Promise<Exchange> =>
  exchange(decisionsPort(), {
    path: '/auth/forwarded',
    headers: {
      ...BROWSER,
      ...headers,
      'x-forwarded-method': method,
      'x-forwarded-uri': path,
      'x-forwarded-host': 'example.com',
      'x-forwarded-proto': 'http',
      'x-forwarded-for': `203.0.113.77, ${CLIENT}`,
    },
  })

const byEnvoy = ({ method = 'GET', path, headers = {} }: Sent): Promise<Exchange> =>
  exchange(decisionsPort(), {
    method,
    path: `/auth/envoy${path}`,
    headers: { ...BROWSER, ...headers, host: 'example.com', 'x-forwarded-for': CLIENT },
  })

const byAppSec = ({ method = 'GET', path, headers = {}, body }: Sent, key = KEY): Promise<Exchange> =>
  exchange(decisionsPort(), {
    method: body === undefined ? 'GET' : 'POST',
    path: '/appsec',
    headers: {
      ...BROWSER,
      ...headers,
      'x-crowdsec-appsec-api-key': key,
      'x-crowdsec-appsec-ip': CLIENT,
      'x-crowdsec-appsec-uri': path,
      'x-crowdsec-appsec-host': 'example.com',
      'x-crowdsec-appsec-verb': method,
    },
    ...(body === undefined ? {} : { body }),
  })

describe('every adapter decides as the trace does', () => {
  test.each([...CASES, ...BODY_CASES])('$name', async ({ stopped, ...sent }) => {
    const action = await traced(sent)
    const isStopped = !['allow', 'log'].includes(action)
    expect(isStopped).toBe(stopped !== undefined)
    const before = world.reached.length
    const proxied = await byProxy(sent)
    expect(proxied.status).toBe(stopped ?? 200)
    expect(proxied.headers['x-ray-id']).toMatch(/^[0-9a-f]{16}$/)
    // What is stopped does not reach the origin.
    expect(world.reached.length - before).toBe(isStopped ? 0 : 1)
    const appSec = await byAppSec(sent)
    expect([appSec.status, JSON.parse(appSec.text)]).toEqual(
      isStopped
        ? [403, { action: 'ban', http_status: stopped }]
        : [200, { action: 'allow', http_status: 200 }],
    )
    if (sent.body !== undefined) return
    expect((await byNginx(sent)).status).toBe(isStopped ? 403 : 204)
    expect((await byForwarded(sent)).status).toBe(stopped ?? 204)
    expect((await byEnvoy(sent)).status).toBe(stopped ?? 204)
  })

  test('nginx also gets the status and the location', async () => {
    const { headers } = await byNginx({ path: '/old' })
    expect([headers['x-edge-status'], headers['x-edge-location']]).toEqual(['302', 'https://example.com/new'])
  })

  test('clients that prefer JSON get JSON, others a page under a strict policy', async () => {
    const json = await byProxy({ path: '/blocked', headers: { accept: 'application/json' } })
    const rayId = json.headers['x-ray-id']
    expect(JSON.parse(json.text)).toEqual({
      error: 'Access denied',
      status: 403,
      action: 'block',
      ray_id: rayId,
    })
    const page = await byProxy({ path: '/blocked' })
    expect(page.text).toContain(page.headers['x-ray-id'])
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  })

  test('the address that the proxy added counts, not those that the client sent', async () => {
    const forwarded = (list: string) =>
      exchange(decisionsPort(), {
        path: '/auth/forwarded',
        headers: {
          'x-forwarded-method': 'GET',
          'x-forwarded-uri': '/',
          'x-forwarded-host': 'example.com',
          'x-forwarded-for': list,
        },
      })
    expect((await forwarded('203.0.113.1, 198.51.100.9')).status).toBe(403)
    expect((await forwarded('198.51.100.9, 203.0.113.1')).status).toBe(204)
  })

  test.each([
    ['no address', { 'x-original-method': 'GET', 'x-original-uri': '/', 'x-original-host': 'example.com' }],
    [
      'headers of another proxy',
      { 'x-forwarded-method': 'GET', 'x-forwarded-uri': '/', 'x-forwarded-for': CLIENT },
    ],
  ])('%s is refused, not passed', async (_, headers) => {
    const answer = await exchange(decisionsPort(), { path: '/auth/nginx', headers })
    expect(answer.status).toBe(400)
  })

  test('AppSec needs the key', async () => {
    expect((await byAppSec({ path: '/' }, 'another key')).status).toBe(401)
  })
})

describe('the activity log', () => {
  test('has the decision under the ray ID that the client got', async () => {
    const { headers } = await byProxy({ path: '/blocked?secret=1' })
    await world.edge.flush()
    await world.edge.flush()
    const events = await world.app.must<object[]>(
      'GET',
      `/zonereeve/zones/${world.zoneId}/security/events?ray_id=${String(headers['x-ray-id'])}`,
    )
    expect(events).toMatchObject([
      {
        action: 'block',
        source: 'firewallCustom',
        description: 'a path',
        // The edge does not send it if there is none.
        uninspected_field: null,
        host: 'example.com',
        path: '/blocked',
        ip: CLIENT,
      },
    ])
  })

  test('refuses what is no event, and stores an event once', async () => {
    const { app, token, zoneId } = world
    const path = `/zonereeve/zones/${zoneId}/edge/activity`
    const event = {
      ray_id: '00000000000000aa',
      occurred_at: '2031-01-01T00:00:00Z',
      action: 'block',
      source: 'firewallCustom',
      level: 'zone',
      phase: CUSTOM,
      ruleset_id: null,
      rule_id: 'r',
      description: null,
      expression: null,
      matched_field: null,
      uninspected_field: 'http.request.body.raw',
      method: 'GET',
      host: 'EXAMPLE.com:80',
      target: '/a?b=c',
      ip: '::ffff:192.0.2.1',
    }
    const post = (body: object) => app.call({ method: 'POST', path, token, body })
    expect((await post({ events: [event], dropped: 7 })).json.result).toEqual({ recorded: 1 })
    expect((await post({ events: [event] })).json.result).toEqual({ recorded: 0 })
    expect((await post({ events: [{ ...event, ray_id: 'x' }] })).status).toBe(400)
    expect((await post({ events: [{ ...event, action: 'explode' }] })).status).toBe(400)
    const [stored] = await app.must<object[]>(
      'GET',
      `/zonereeve/zones/${zoneId}/security/events?ray_id=${event.ray_id}`,
    )
    // A time in the future is the server's own; the query is not stored.
    const occurred_at = expect.stringMatching(/^2026-01-05T/)
    const { uninspected_field } = event
    const sent = { host: 'example.com', path: '/a', ip: '192.0.2.1', uninspected_field }
    expect(stored).toMatchObject({ ...sent, occurred_at })
    expect(app.logged.filter(({ event: name }) => name === 'security events sampled')).toHaveLength(1)
  })
})

describe('the embedded proxy', () => {
  test('forwards the path as received, names the client, and keeps repeated headers', async () => {
    const { text, headers } = await byProxy({
      path: '/a%2Fb/../c?x=%20',
      headers: { 'x-forwarded-for': '203.0.113.5' },
    })
    expect(JSON.parse(text)).toMatchObject({
      url: '/a%2Fb/../c?x=%20',
      forwardedFor: '127.0.0.1',
      rayId: headers['x-ray-id'],
    })
    expect(headers['set-cookie']).toEqual(['a=1', 'b=2'])
  })

  test('streams events as they come', async () => {
    const first = await new Promise<string>((resolve, reject) => {
      const outgoing = request(
        {
          host: '127.0.0.1',
          port: proxyPort(),
          path: '/events',
          headers: { ...BROWSER, host: 'example.com' },
          agent: false,
        },
        (response) => {
          response.once('data', (chunk: Buffer) => {
            resolve(chunk.toString())
            outgoing.destroy()
          })
          response.on('error', () => undefined) // its own end
        },
      )
      outgoing.on('error', reject)
      outgoing.end()
    })
    expect(first).toBe('data: first\n\n')
    // The origin learns that the client has left.
    await vi.waitFor(() => expect(world.reached).toContain('events closed'), 5_000)
  })

  test('passes WebSockets through, and refuses those that a rule blocks', async () => {
    const handshake = (path: string) =>
      `GET ${path} HTTP/1.1\r\nHost: example.com\r\nUser-Agent: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n`
    const converse = (path: string, until: string) =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(proxyPort(), '127.0.0.1', () => socket.write(handshake(path)))
        let text = ''
        socket.on('error', reject)
        socket.on('close', () => resolve(text))
        socket.on('data', (chunk: Buffer) => {
          text += chunk.toString('latin1')
          if (text.endsWith('\r\n\r\n') && text.startsWith('HTTP/1.1 101')) socket.write('hello')
          if (text.endsWith(until)) socket.destroy()
        })
      })
    expect(await converse('/socket', 'hello')).toMatch(/^HTTP\/1\.1 101 .*hello$/s)
    expect(await converse('/blocked', '\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /)
    // Nothing tells the edge about the response: the event does not wait for it.
    const countLogged = async (): Promise<number> => {
      await world.edge.flush()
      const events = await world.app.must<{ path: string }[]>(
        'GET',
        `/zonereeve/zones/${world.zoneId}/security/events?per_page=1000`,
      )
      return events.filter(({ path }) => path === '/logged').length
    }
    const before = await countLogged()
    await converse('/logged', 'hello')
    expect(await countLogged()).toBe(before + 1)
  })

  test('holds neither a large upload nor a large download in memory', async () => {
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers)), 5)
    const [received, sent] = await Promise.all([download('/large'), upload('/large-upload', LARGE)])
    clearInterval(watch)
    expect(received).toBe(LARGE)
    expect(JSON.parse(sent)).toMatchObject({ size: LARGE })
    expect(most - before).toBeLessThan(LARGE_GROWTH)
  })

  test('a rule can refuse a body that is longer than what rules see', async () => {
    const attack = `${'x'.repeat(200_000)} forbidden words`
    expect((await byProxy({ method: 'POST', path: '/form', body: attack })).status).toBe(200)
    expect((await byProxy({ method: 'POST', path: '/upload', body: attack })).status).toBe(403)
  })

  test('answers 404 for a host of no zone', async () => {
    const answer = await exchange(proxyPort(), { path: '/', headers: { host: 'example.org' } })
    expect(answer.status).toBe(404)
  })
})

async function download(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: proxyPort(),
        path,
        headers: { ...BROWSER, host: 'example.com' },
        agent: false,
      },
      (response) => {
        let size = 0
        response.on('data', (chunk: Buffer) => (size += chunk.length))
        response.on('end', () => resolve(size))
        response.on('error', reject)
      },
    )
    outgoing.on('error', reject)
    outgoing.end()
  })
}

async function upload(path: string, size: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { ...BROWSER, host: 'example.com', 'content-length': String(size) }
    const outgoing = request(
      { host: '127.0.0.1', port: proxyPort(), path, method: 'POST', headers, agent: false },
      (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () => resolve(text))
      },
    )
    outgoing.on('error', reject)
    const chunk = Buffer.alloc(65_536, 'x')
    let left = size
    const write = (): void => {
      while (left > 0) {
        left -= chunk.length
        if (!outgoing.write(chunk)) return void outgoing.once('drain', write)
      }
      outgoing.end()
    }
    write()
  })
}

describe('origins', () => {
  test('are the proxied records, and never in private networks unless that is allowed', async () => {
    const { app, token } = world
    const zone = await app.must('POST', '/zones', { name: 'example.net' })
    const add = (name: string, content: string, proxied: boolean, type = 'A') =>
      app.must<{ proxied: boolean }>('POST', `/zones/${zone.id}/dns_records`, {
        type,
        name,
        content,
        proxied,
      })
    const records = [
      await add('www', 'localhost', true, 'CNAME'),
      await add('named', '192.0.2.7', true),
      await add('plain', 'localhost', false, 'CNAME'),
      await add('*.wild', 'localhost', true, 'CNAME'),
    ]
    expect(records.map(({ proxied }) => proxied)).toEqual([true, true, false, true])
    const origins = { scheme: 'http', port: world.originPort } as const
    const statuses = async (isPrivateAllowed: boolean) => {
      const edge = await startEdge(
        optionsFor(app, token, 0, { origins: { ...origins, isPrivateAllowed }, decisions: undefined }),
      )
      await edge.synced
      const found: number[] = []
      for (const name of ['www', 'plain', 'a.wild', 'none']) {
        const answer = await exchange(portOf(edge.proxy), {
          path: '/',
          headers: { ...BROWSER, host: `${name}.example.net` },
        })
        found.push(answer.status)
      }
      await edge.close()
      return found
    }
    const before = world.reached.length
    expect(await statuses(false)).toEqual([502, 502, 502, 502])
    expect(world.reached).toHaveLength(before)
    expect(await statuses(true)).toEqual([200, 502, 200, 502])
  })
})

test('the origin gets paths as sent, unless the zone says that they are normalized in both directions', async () => {
  const { app, zoneId, reached } = world
  const path = '/%61//b/../c?q=%61'
  const seen = async (): Promise<string | undefined> => {
    expect((await byProxy({ path })).status).toBe(200)
    return reached.at(-1)
  }
  expect(await seen()).toBe(`GET ${path}`)
  const setting = `/zones/${zoneId}/url_normalization`
  await app.must('PUT', setting, { scope: 'both', type: 'cloudflare' })
  await vi.waitFor(async () => expect(await seen()).toBe('GET /a/c?q=%61'), 10_000)
  await app.must('PUT', setting, { scope: 'both', type: 'rfc3986' })
  await vi.waitFor(async () => expect(await seen()).toBe('GET /a//c?q=%61'), 10_000)
  await app.call({ method: 'DELETE', path: setting })
  await vi.waitFor(async () => expect(await seen()).toBe(`GET ${path}`), 10_000)
})

describe('rate limits', () => {
  test('let exactly as many requests pass as they say, whichever adapter asks', async () => {
    const statuses: number[] = []
    for (const ask of [byNginx, byForwarded, byEnvoy, byAppSec, byNginx, byNginx, byForwarded])
      statuses.push((await ask({ path: '/limited' })).status)
    expect(statuses).toEqual([204, 204, 204, 200, 204, 403, 429])
    expect((await byNginx({ path: '/' })).status).toBe(204)
  })

  test('tell a client of the embedded proxy that it sent too many requests', async () => {
    const statuses: number[] = []
    for (let sent = 0; sent < 7; sent += 1)
      statuses.push((await byProxy({ path: '/few', headers: BROWSER })).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    const { text, headers } = await byProxy({ path: '/few', headers: BROWSER })
    expect(text).toContain('Too many requests')
    expect(headers['x-ray-id']).toMatch(/^[0-9a-f]{16}$/)
    await world.edge.flush()
    const path = `/zonereeve/zones/${world.zoneId}/security/events?source=ratelimit`
    expect(await world.app.must('GET', path)).toContainEqual(
      expect.objectContaining({ ray_id: headers['x-ray-id'], action: 'block', path: '/few' }),
    )
  })

  test('are shared with other edges: what one has counted, the other knows', async () => {
    const { app, token, edge, originPort } = world
    const other = await startEdge(optionsFor(app, token, originPort))
    await other.synced
    const ask = async (port: number): Promise<number> =>
      (
        await exchange(port, {
          path: '/auth/envoy/together',
          headers: { ...BROWSER, host: 'example.com', 'x-forwarded-for': CLIENT },
        })
      ).status
    for (let sent = 0; sent < 3; sent += 1) expect(await ask(portOf(edge.decisions))).toBe(204)
    await edge.flush()
    await other.flush()
    const statuses: number[] = []
    for (let sent = 0; sent < 3; sent += 1) statuses.push(await ask(portOf(other.decisions)))
    expect(statuses).toEqual([204, 204, 429])
    await other.flush()
    await edge.flush()
    expect(await ask(portOf(edge.decisions))).toBe(429)
    await other.close()
  })

  test('stop a flood from one client, whichever adapters it meets, and say so in an event', async () => {
    const { app, zoneId, edge } = world
    const sent = { path: '/flooded' }
    const statuses: number[] = []
    for (let batch = 0; batch < 41; batch += 1) {
      const asked = Array.from({ length: 50 }, (_, index) =>
        index % 2 === 0 ? byEnvoy(sent) : byForwarded(sent),
      )
      for (const { status } of await Promise.all(asked)) statuses.push(status)
    }
    expect(statuses.filter((status) => status === 204)).toHaveLength(2_000)
    expect(statuses.filter((status) => status === 429)).toHaveLength(50)
    expect((await byEnvoy({ path: '/' })).status).toBe(204)
    await edge.flush()
    const events = await app.must('GET', `/zonereeve/zones/${zoneId}/security/events?source=l7ddos`)
    expect(events).toContainEqual(
      expect.objectContaining({ action: 'block', path: '/flooded', phase: 'ddos_l7', expression: null }),
    )
  })

  test('of zones that a token may not decide for are neither taken nor shown', async () => {
    const { app, token, zoneId } = world
    const stranger = await makeToken(app, [allow(['Zone WAF Read'], 'account.zone.*')])
    const count = { zone_id: zoneId, key: 'k', period_ms: 1_000, amount: 1 }
    const send = (by: string, edge: string, counts: readonly object[]) =>
      app.call({ method: 'POST', path: '/zonereeve/edge/counts', token: by, body: { edge, counts } })
    expect((await send(stranger, 'x', [{ ...count, amount: 999 }])).json.result).toMatchObject({ counts: [] })
    expect((await send(token, 'y', [count])).status).toBe(200)
    const seen = async (by: string): Promise<readonly object[]> => {
      const { counts } = (await send(by, 'z', [])).json.result as { counts: readonly { key: string }[] }
      return counts.filter(({ key }) => key === 'k')
    }
    expect(await seen(token)).toEqual([count])
    expect(await seen(stranger)).toEqual([])
  })

  test.each([
    [{ counts: [] }, '/edge'],
    [{ edge: 'a', counts: [{ zone_id: 'x', key: 'k', period_ms: 1, amount: 1 }] }, '/counts/0/zone_id'],
    [{ edge: 'a', counts: [{ zone_id: '0'.repeat(32), key: '', period_ms: 1, amount: 1 }] }, '/counts/0/key'],
    [
      { edge: 'a', counts: [{ zone_id: '0'.repeat(32), key: 'k', period_ms: 1, amount: 0 }] },
      '/counts/0/amount',
    ],
    [{ edge: 'a', after: -1, counts: [] }, '/after'],
  ])('an exchange is refused: %j', async (body, pointer) => {
    const { status, json } = await world.app.call({ method: 'POST', path: '/zonereeve/edge/counts', body })
    expect([status, json.errors[0]?.source?.pointer]).toEqual([400, pointer])
  })

  test('count by the answers of the origin', async () => {
    const statuses: number[] = []
    for (const path of ['/login?right', '/login?right', '/login?right', '/login', '/login', '/login?right'])
      statuses.push((await byProxy({ path, headers: BROWSER })).status)
    expect(statuses).toEqual([200, 200, 200, 401, 401, 403])
  })
})

describe('pages', () => {
  const ENFORCED = 'content-security-policy'
  const REPORT_ONLY = 'content-security-policy-report-only'
  const page = { path: '/page?a=1', headers: { ...BROWSER, cookie: 'sid=do-not-store; seen=do-not-store' } }
  const addressIn = (value: unknown): string => /report-uri (\S+)$/.exec(String(value))?.[1] ?? ''

  async function monitored(): Promise<Exchange> {
    let answer: Exchange | undefined
    await vi.waitFor(async () => {
      answer = await byProxy(page)
      expect(answer.headers[REPORT_ONLY]).toBeDefined()
    }, 10_000)
    return answer ?? expect.fail('no answer')
  }

  beforeAll(async () => {
    const { app, zoneId } = world
    await app.must('PUT', `/zones/${zoneId}/page_shield`, { enabled: true })
  })

  test('get the header of monitoring; other responses do not', async () => {
    const { headers, text } = await monitored()
    expect(headers[REPORT_ONLY]).toMatch(
      /connect-src 'none'; report-uri \/cdn-cgi\/script_monitor\/report\?v=1&z=/,
    )
    expect([headers[ENFORCED], text]).toEqual(["object-src 'none'", '<title>a page</title>'])
    expect((await byProxy({ path: '/data' })).headers[REPORT_ONLY]).toBeUndefined()
  })

  test('report through the proxy into the inventory of scripts', async () => {
    const { app, zoneId, reached } = world
    const address = addressIn((await monitored()).headers[REPORT_ONLY])
    const before = reached.length
    const report = {
      'csp-report': {
        'document-uri': 'http://example.com/page',
        'blocked-uri': 'https://cdn.example.net/shop.js',
        'violated-directive': 'script-src-elem',
        'effective-directive': 'script-src-elem',
        'original-policy': String((await monitored()).headers[REPORT_ONLY]),
        disposition: 'report',
      },
    }
    const body = JSON.stringify(report)
    const headers = { 'content-type': 'application/csp-report', 'content-length': String(body.length) }
    const sent = await byProxy({ method: 'POST', path: address, headers, body })
    expect(sent.status).toBe(204)
    await vi.waitFor(async () => {
      const scripts = await app.must<{ url: string }[]>(
        'GET',
        `/zones/${zoneId}/page_shield/scripts?status=active,infrequent`,
      )
      expect(scripts.map(({ url }) => url)).toContain('https://cdn.example.net/shop.js')
    }, 10_000)
    expect(reached.slice(before).filter((line) => line.startsWith('POST'))).toEqual([])
    const large = await byProxy({ method: 'POST', path: address, headers: {}, body: 'x'.repeat(65_537) })
    expect(large.status).toBe(413)
  })

  test('show their cookies in the inventory, without values', async () => {
    const { app, zoneId, edge } = world
    await monitored()
    await edge.flush()
    interface Cookie {
      readonly name: string
      readonly type: string
      readonly http_only_attribute?: boolean
    }
    let cookies: readonly Cookie[] = []
    await vi.waitFor(async () => {
      cookies = await app.must<Cookie[]>('GET', `/zones/${zoneId}/page_shield/cookies`)
      expect(cookies).toHaveLength(5)
    }, 10_000)
    expect(cookies.map(({ name, type }) => `${name} ${type}`).toSorted()).toEqual([
      'a first_party',
      'b first_party',
      'seen unknown',
      'sid first_party',
      'theme first_party',
    ])
    expect(cookies.find(({ name }) => name === 'sid')).toMatchObject({ http_only_attribute: true })
    expect(JSON.stringify(cookies)).not.toContain('do-not-store')
  })

  test('tell nginx what to send with a page', async () => {
    await monitored()
    const { headers } = await byNginx(page)
    expect(headers[`x-edge-${REPORT_ONLY}`]).toContain('report-uri /cdn-cgi/')
    expect((await byForwarded(page)).headers[`x-edge-${REPORT_ONLY}`]).toBeUndefined()
  })

  test('get policies, which change and end within moments', async () => {
    const { app, zoneId } = world
    const created = await app.must('POST', `/zones/${zoneId}/page_shield/policies`, {
      description: 'pages',
      action: 'allow',
      expression: 'http.request.uri.path eq "/page" and ip.src eq 127.0.0.1',
      enabled: true,
      value: "script-src 'self'",
    })
    const enforced = async (path: string): Promise<string> =>
      String((await byProxy({ path })).headers[ENFORCED])
    await vi.waitFor(
      async () => expect(await enforced('/page')).toContain("script-src 'self'; report-uri"),
      10_000,
    )
    expect(await enforced('/page/other')).toBe("object-src 'none'")
    await app.call({ method: 'DELETE', path: `/zones/${zoneId}/page_shield/policies/${created.id}` })
    await vi.waitFor(async () => expect(await enforced('/page')).toBe("object-src 'none'"), 10_000)
    await app.must('PUT', `/zones/${zoneId}/page_shield`, { enabled: false })
    await vi.waitFor(async () => expect((await byProxy(page)).headers[REPORT_ONLY]).toBeUndefined(), 10_000)
  })
})

describe('challenges', () => {
  const page = { path: '/challenged?a=1', headers: BROWSER }
  const offeredIn = (text: string): { token: string; bits: number; path: string } =>
    JSON.parse(/<script type="application\/json"[^>]*>(.*?)<\/script>/.exec(text)?.[1] ?? '{}')

  function solve({ token, bits }: { readonly token: string; readonly bits: number }): string {
    for (let solution = 0; ; solution += 1) {
      const hash = createHash('sha256').update(`${token}.${solution}`).digest()
      if (hash.readUInt32BE() >>> (32 - bits) === 0) return String(solution)
    }
  }

  test.each([
    ['the embedded proxy', (sent: Sent) => byProxy(sent), 200],
    ['forward authentication', (sent: Sent) => byForwarded(sent), 204],
    ['Envoy', (sent: Sent) => byEnvoy(sent), 204],
  ])('by %s: a solution opens this page for this client', async (_, send, passed) => {
    const before = world.reached.length
    const first = await send(page)
    expect([first.status, first.headers['cache-control']]).toEqual([403, 'no-store'])
    expect(first.headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'nonce-[\w+/=]+'/,
    )
    const offered = offeredIn(first.text)
    const query = new URLSearchParams({ t: offered.token, n: solve(offered), to: page.path })
    const second = await send({ path: `${offered.path}?${query}`, headers: BROWSER })
    expect([second.status, second.headers.location]).toEqual([303, page.path])
    expect(world.reached).toHaveLength(before)
    const cookie = String(second.headers['set-cookie']).split(';')[0] ?? ''
    const headers = { ...BROWSER, cookie }
    expect((await send({ ...page, headers })).status).toBe(passed)
    expect((await send({ path: '/blocked', headers })).status).toBe(403)
    expect((await send(page)).status).toBe(403)
  })

  test('a wrong solution leads back without a cookie', async () => {
    const query = new URLSearchParams({ t: 'x', n: '1', to: page.path })
    const { status, headers } = await byProxy({
      path: `/cdn-cgi/challenge/verify?${query}`,
      headers: BROWSER,
    })
    expect([status, headers.location, headers['set-cookie']]).toEqual([303, page.path, undefined])
  })

  test('a client of JSON gets JSON, and nothing to solve', async () => {
    const { status, text } = await byProxy({ ...page, headers: { accept: 'application/json' } })
    expect([status, JSON.parse(text)]).toEqual([
      403,
      { error: 'Access denied', status: 403, action: 'managed_challenge', ray_id: expect.any(String) },
    ])
  })
})

describe('configuration', () => {
  test('a change of the rules reaches the edge', async () => {
    const { app, zoneId } = world
    expect((await byNginx({ path: '/new-rule' })).status).toBe(204)
    const rules = [...RULES, { action: 'block', expression: 'http.request.uri.path eq "/new-rule"' }]
    await app.must('PUT', `/zones/${zoneId}/rulesets/phases/${CUSTOM}/entrypoint`, { rules })
    await vi.waitFor(async () => expect((await byNginx({ path: '/new-rule' })).status).toBe(403), 10_000)
  })

  test('survives a restart of the edge without its server; a damaged file is reported', async () => {
    const { token, zoneId, folder } = world
    await vi.waitFor(() => expect(readdirSync(folder)).toContain(`${zoneId}.json`), 10_000)
    writeFileSync(join(folder, `${'e'.repeat(32)}.json`), '{"format":1')
    const alone = await startEdge(optionsFor({ port: 9 }, token, 0, { folder }))
    const answer = await exchange(portOf(alone.decisions), {
      path: '/auth/envoy/blocked',
      headers: { host: 'example.com', 'x-forwarded-for': CLIENT },
    })
    await alone.close()
    rmSync(join(folder, `${'e'.repeat(32)}.json`))
    expect(answer.status).toBe(403)
    expect(logged.map(({ event }) => event)).toContain('stored configuration not readable')
  })

  test.each([
    ['open', 204],
    ['closed', 503],
  ] as const)(
    'without any configuration, an edge that fails %s answers %i, counts and logs',
    async (undecided, status) => {
      const modes = { mode: undecided, phases: new Map() }
      const alone = await startEdge(optionsFor({ port: 9 }, world.token, 0, { undecided: modes }))
      const before = logged.filter(({ event }) => event === 'request undecided').length
      const port = portOf(alone.decisions)
      const headers = { host: 'example.com', 'x-forwarded-for': CLIENT }
      const answers = [1, 2, 3].map(() => exchange(port, { path: '/auth/envoy/', headers }))
      expect((await Promise.all(answers)).map((answer) => answer.status)).toEqual([status, status, status])
      const shown = JSON.parse((await exchange(port, { path: '/status' })).text)
      await alone.close()
      expect(shown).toMatchObject({ ready: false, requests: { undecided: 3 } })
      expect(logged.filter(({ event }) => event === 'request undecided')).toHaveLength(before + 3)
    },
  )

  test('a token without the permission gets nothing', async () => {
    const { app, zoneId } = world
    const token = await makeToken(app, [allow(['Zone WAF Read', 'Zone WAF Write'], 'account.zone.*')])
    const read = (path: string) => app.call({ method: 'GET', path, token })
    expect((await read(`/zonereeve/zones/${zoneId}/edge/configuration`)).status).toBe(403)
    expect((await read('/zonereeve/edge/zones')).json.result).toMatchObject({ zones: [] })
    // And the permission to decide opens nothing else.
    const edgeOnly = { method: 'GET', token: world.token }
    expect((await app.call({ ...edgeOnly, path: `/zones/${zoneId}/rulesets` })).status).toBe(403)
    expect((await app.call({ ...edgeOnly, path: `/zones/${zoneId}/dns_records` })).status).toBe(403)
  })
})
