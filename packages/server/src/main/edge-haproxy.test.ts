// The configuration of HAProxy in docs/edge.md, run by a real HAProxy in front of a real edge.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEdge } from '@zonereeve/edge'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { describeWith } from '../../../../scripts/test-requirements.ts'
import { startTestApp } from '../testing/app.ts'
import { edgeOptions } from '../testing/edge-options.ts'
import { allow, makeToken } from '../testing/test-tokens.ts'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'

const DOCUMENT = readFileSync(fileURLToPath(new URL('../../../../docs/edge.md', import.meta.url)), 'utf8')
const [MAIN = '', SPOE = ''] = [...DOCUMENT.matchAll(/```haproxy\n(.*?)```/gs)].map(([, block]) => block)

interface Reply {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

const ask = (
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string | readonly string[],
) =>
  new Promise<Reply>((resolve, reject) => {
    const all = { host: 'example.com', 'user-agent': 'Mozilla/5.0', ...headers }
    const method = body === undefined ? 'GET' : 'POST'
    const options = { host: '127.0.0.1', port, path, method, headers: all, agent: false }
    const outgoing = request(options, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    outgoing.on('error', reject)
    if (typeof body === 'object') for (const chunk of body) outgoing.write(chunk)
    outgoing.end(typeof body === 'string' ? body : undefined)
  })

const CUSTOM = [
  { action: 'log', expression: 'http.request.uri.query contains "logged"' },
  { action: 'block', expression: 'http.request.uri.path eq "/blocked" and http.request.method eq "POST"' },
  { action: 'block', expression: 'http.request.uri.query contains "bad" and ip.src eq 127.0.0.1' },
  { action: 'block', expression: 'http.request.body.raw contains "forbidden words"' },
  { action: 'block', expression: 'http.request.uri.path eq "/upload" and http.request.body.truncated' },
  { action: 'managed_challenge', expression: 'http.request.uri.path eq "/challenged"' },
  {
    action: 'block',
    expression: 'http.request.uri.path eq "/own"',
    action_parameters: {
      response: { status_code: 418, content_type: 'text/plain', content: '100%\n"a teapot" äöü\n' },
    },
  },
]
const LIMIT = {
  action: 'block',
  expression: 'http.request.uri.path eq "/login"',
  ratelimit: {
    characteristics: ['cf.colo.id', 'ip.src'],
    period: 60,
    mitigation_timeout: 60,
    requests_per_period: 2,
    counting_expression: 'http.request.uri.path eq "/login" and http.response.code eq 401',
  },
}

async function makeWorld() {
  const app = await startTestApp()
  const zone = await app.must('POST', '/zones', { name: 'example.com' })
  const put = (phase: string, rules: readonly object[]) =>
    app.must('PUT', `/zones/${zone.id}/rulesets/phases/${phase}/entrypoint`, { rules })
  await put('http_request_firewall_custom', CUSTOM)
  await put('http_ratelimit', [LIMIT])
  const from_value = { status_code: 308, target_url: { value: 'https://example.com/new' } }
  await put('http_request_dynamic_redirect', [
    { action: 'redirect', expression: 'http.request.uri.path eq "/old"', action_parameters: { from_value } },
  ])
  const token = await makeToken(app, [allow(['Edge Decide'], 'account.zone.*')])
  const warnings: object[] = []
  const start = (port: number, decisions: number) =>
    startEdge(
      edgeOptions(app, token, undefined, {
        decisions: { host: '127.0.0.1', port: decisions },
        proxy: undefined,
        spop: { host: '127.0.0.1', port },
        log: { info: () => undefined, warn: (fields) => void warnings.push(fields) },
      }),
    )
  const edge = await start(0, 0)
  await edge.synced
  const reached: string[] = []
  const origin = createServer((incoming, response) => {
    reached.push(`${incoming.method} ${incoming.url} ${String(incoming.headers['x-ray-id'])}`)
    let size = 0
    incoming.on('data', (chunk: Buffer) => (size += chunk.length))
    incoming.on('end', () => {
      if (incoming.url === '/checkout')
        response.setHeaders(
          new Map([
            ['content-type', 'text/html'],
            ['x-frame-options', 'DENY'],
            ['set-cookie', 'a=secret'],
          ]),
        )
      response.statusCode = incoming.url?.endsWith('wrong') === true ? 401 : 200
      response.end(`origin ${incoming.method} ${incoming.url} ${size}`)
    })
  })
  await new Promise<void>((resolve) => {
    origin.listen(0, '127.0.0.1', resolve)
  })
  return { app, zoneId: zone.id, edge, origin, reached, warnings, start }
}

type World = Awaited<ReturnType<typeof makeWorld>>

/** The documented files with the ports of this test. */
function writeConfiguration(folder: string, port: number, { edge, origin }: World): string {
  const spoe = join(folder, 'zonereeve-spoe.conf')
  // A busy machine must not change decisions; what happens without an edge does not depend on this time.
  writeFileSync(spoe, SPOE.replace('timeout processing 500ms', 'timeout processing 5s'))
  const main = MAIN.replace('127.0.0.1:8091', `127.0.0.1:${edge.spop?.port}`)
    .replace('127.0.0.1:8090', `127.0.0.1:${edge.decisions?.port}`)
    .replace('127.0.0.1:3000', `127.0.0.1:${(origin.address() as AddressInfo).port}`)
    .replace(/bind .*/, `bind 127.0.0.1:${port}`)
    .replace('/etc/haproxy/zonereeve-spoe.conf', spoe)
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, main)
  return file
}

describeWith('haproxy', 'HAProxy with the documented configuration', () => {
  const folder = mkdtempSync(join(tmpdir(), 'edge-haproxy-'))
  let world: World
  let port: number
  let haproxy: ReturnType<typeof spawn>

  beforeAll(async () => {
    world = await makeWorld()
    port = await freePort()
    const file = writeConfiguration(folder, port, world)
    const checked = spawnSync('haproxy', ['-c', '-f', file], { encoding: 'utf8' })
    expect(checked.stderr).not.toMatch(/ALERT|WARNING/)
    haproxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
    await vi.waitFor(async () => expect((await ask(port, '/')).status).toBe(200), {
      timeout: 20_000,
      interval: 100,
    })
  })
  afterAll(async () => {
    const ended = new Promise((resolve) => {
      haproxy.once('exit', resolve)
    })
    haproxy.kill('SIGTERM')
    await ended
    await world.edge.close()
    await world.app.close()
    world.origin.closeAllConnections()
    world.origin.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test.each<readonly [string, string, string | undefined, number]>([
    ['a page', '/', undefined, 200],
    ['a page that only POST may not have', '/blocked', undefined, 200],
    ['a form', '/form', 'a=1&b=2', 200],
    ['a blocked form', '/blocked', 'a=1', 403],
    ['a body that a rule blocks', '/form', 'some forbidden words', 403],
    ['a body that a rule does not see whole', '/form', `${'x'.repeat(200_000)} forbidden words`, 200],
    ['such a body where a rule refuses it', '/upload', `${'x'.repeat(200_000)} forbidden words`, 403],
    ['a blocked query, by the client address', '/?q=bad', undefined, 403],
    ['a redirect', '/old', undefined, 308],
    ['a challenge', '/challenged', undefined, 403],
  ])('%s: %s', async (_, path, body, status) => {
    world.reached.length = 0
    // Variables and headers of the decision cannot be sent by the client.
    const forged = { 'x-ray-id': 'forged', 'x-forwarded-for': '192.0.2.1' }
    const reply = await ask(port, path, forged, body)
    expect(reply.status).toBe(status)
    expect(reply.headers['x-ray-id']).toMatch(/^[0-9a-f]{16}$/)
    const method = body === undefined ? 'GET' : 'POST'
    expect(world.reached).toEqual(status === 200 ? [`${method} ${path} ${reply.headers['x-ray-id']}`] : [])
    const length = body === undefined ? 0 : body.length
    if (status === 200) expect(reply.text).toBe(`origin ${method} ${path} ${length}`)
    if (status === 403) expect(reply.text).toContain(String(reply.headers['x-ray-id']))
    if (status === 308) expect(reply.headers.location).toBe('https://example.com/new')
  })

  test('the page of a challenge arrives with its policy, and is not stored', async () => {
    const { headers, text } = await ask(port, '/challenged')
    const nonce = /nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1]
    expect(text).toContain(`<script nonce="${nonce}">`)
    expect(text).toMatch(/<\/html>\n$/)
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
  })

  test("a rule's own response arrives as it is", async () => {
    const { status, headers, text } = await ask(port, '/own')
    expect([status, headers['content-type'], text]).toEqual([418, 'text/plain', '100%\n"a teapot" äöü\n'])
  })

  test('a chunked body is seen, and may be truncated', async () => {
    const chunks = ['some ', 'forbidden', ' words']
    expect((await ask(port, '/form', {}, chunks)).status).toBe(403)
    expect((await ask(port, '/upload', {}, chunks.slice(0, 1))).status).toBe(200)
    expect((await ask(port, '/upload', {}, ['x'.repeat(60_000), 'y'.repeat(60_000)])).status).toBe(403)
  })

  test('a rate limit counts by the status of the origin', async () => {
    const login = async (path: string) => (await ask(port, path, {}, 'a=1')).status
    const statuses: number[] = []
    for (const path of ['/login', '/login', '/login?wrong', '/login', '/login?wrong', '/login'])
      statuses.push(await login(path))
    expect(statuses).toEqual([200, 200, 401, 200, 401, 429])
  })

  test('many requests at once are answered, each with its own decision', async () => {
    const paths = Array.from({ length: 60 }, (_, index) =>
      index % 3 === 0 ? `/a?q=bad${index}` : `/a?q=${index}`,
    )
    const replies = await Promise.all(paths.map((path) => ask(port, path)))
    expect(replies.map(({ status }) => status)).toEqual(
      paths.map((path) => (path.includes('bad') ? 403 : 200)),
    )
    expect(new Set(replies.map(({ headers }) => headers['x-ray-id'])).size).toBe(paths.length)
    expect(world.warnings).toEqual([])
  })

  test('a watched page is observed as it is sent', async () => {
    const { app, zoneId } = world
    await app.must('PUT', `/zones/${zoneId}/page_shield`, { enabled: true })
    const pages = `/zonereeve/zones/${zoneId}/page_shield/pages`
    const { id } = await app.must('POST', pages, { url: 'http://example.com/checkout' })
    await vi.waitFor(
      async () => {
        expect((await ask(port, '/checkout')).status).toBe(200)
        await world.edge.flush()
        expect(await app.must('GET', `${pages}/${id}/history`)).toMatchObject([
          { source: 'edge', headers: [{ name: 'x-frame-options', value: 'DENY' }] },
        ])
      },
      { timeout: 20_000, interval: 100 },
    )
  })

  test('the event of a request has what the origin answered', async () => {
    const { headers, status } = await ask(port, '/api?logged')
    await world.edge.flush()
    const events = `/zonereeve/zones/${world.zoneId}/security/events?ray_id=${String(headers['x-ray-id'])}`
    expect(await world.app.must('GET', events)).toMatchObject([{ action: 'log', origin_status: status }])
  })

  test('without the edge requests are refused, and pass again with it', async () => {
    const { spop, decisions } = world.edge
    if (spop?.port === undefined || decisions?.port === undefined) throw new Error('a listener is off')
    await world.edge.close()
    world.reached.length = 0
    expect((await ask(port, '/')).status).toBe(503)
    expect(world.reached).toEqual([])
    world.edge = await world.start(spop.port, decisions.port)
    await world.edge.synced
    await vi.waitFor(async () => expect((await ask(port, '/')).status).toBe(200), {
      timeout: 20_000,
      interval: 100,
    })
    expect((await ask(port, '/?q=bad')).status).toBe(403)
  })
})
