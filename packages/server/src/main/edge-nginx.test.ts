// The configuration of nginx in docs/edge.md, run by a real nginx in front of a real edge.
import { spawn } from 'node:child_process'
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

const DOCUMENT = fileURLToPath(new URL('../../../../docs/edge.md', import.meta.url))
const [MAPS = '', LOCATIONS = ''] = [...readFileSync(DOCUMENT, 'utf8').matchAll(/```nginx\n(.*?)```/gs)].map(
  ([, block = '']) => block,
)

interface Reply {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

const get = (port: number, path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  new Promise<Reply>((resolve, reject) => {
    const all = { host: 'example.com', 'user-agent': 'Mozilla/5.0', ...headers }
    const outgoing = request(
      { host: '127.0.0.1', port, path, method, headers: all, agent: false },
      (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end(method === 'POST' ? 'a=1&b=2' : undefined)
  })

async function makeWorld() {
  const app = await startTestApp()
  const zone = await app.must('POST', '/zones', { name: 'example.com' })
  const put = (phase: string, rules: readonly object[]) =>
    app.must('PUT', `/zones/${zone.id}/rulesets/phases/${phase}/entrypoint`, { rules })
  await put('http_request_firewall_custom', [
    { action: 'block', expression: 'http.request.uri.path eq "/blocked" and http.request.method eq "POST"' },
    { action: 'block', expression: 'http.request.uri.query contains "bad" and ip.src eq 127.0.0.1' },
  ])
  const from_value = { status_code: 302, target_url: { value: 'https://example.com/new' } }
  await put('http_request_dynamic_redirect', [
    { action: 'redirect', expression: 'http.request.uri.path eq "/old"', action_parameters: { from_value } },
  ])
  const token = await makeToken(app, [allow(['Edge Decide'], 'account.zone.*')])
  const edge = await startEdge(edgeOptions(app, token, undefined, { proxy: undefined }))
  await edge.synced
  const origin = createServer((incoming, response) => {
    incoming.resume().on('end', () => response.end(`origin ${incoming.method} ${incoming.url}`))
  })
  await new Promise<void>((resolve) => {
    origin.listen(0, '127.0.0.1', resolve)
  })
  return { app, edge, origin }
}

type World = Awaited<ReturnType<typeof makeWorld>>

/** The documented locations with the ports of this test. */
function configuration(folder: string, port: number, { edge, origin }: World): string {
  const decisions = edge.decisions?.port
  // A busy machine must not change decisions.
  const own = LOCATIONS.replace('127.0.0.1:3000', `127.0.0.1:${(origin.address() as AddressInfo).port}`)
    .replace('proxy_connect_timeout 100ms', 'proxy_connect_timeout 5s')
    .replace('proxy_read_timeout 500ms', 'proxy_read_timeout 5s')
  return `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  ${MAPS.replace('127.0.0.1:8090', `127.0.0.1:${decisions}`)}
  server { listen 127.0.0.1:${port}; server_name _;
${own} }
}`
}

describeWith('nginx', 'nginx with the documented configuration', () => {
  const folder = mkdtempSync(join(tmpdir(), 'edge-nginx-'))
  let world: World
  let port: number
  let nginx: ReturnType<typeof spawn>

  beforeAll(async () => {
    world = await makeWorld()
    port = await freePort()
    const file = join(folder, 'nginx.conf')
    writeFileSync(file, configuration(folder, port, world))
    nginx = spawn('nginx', ['-p', folder, '-c', file, '-e', join(folder, 'error.log')], { stdio: 'ignore' })
    await vi.waitFor(() => get(port, '/'), { timeout: 20_000, interval: 100 })
  })
  afterAll(async () => {
    if (nginx.exitCode === null) {
      const ended = new Promise((resolve) => {
        nginx.once('exit', resolve)
      })
      nginx.kill('SIGTERM')
      await ended
    }
    await world.edge.close()
    await world.app.close()
    world.origin.closeAllConnections()
    world.origin.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test.each([
    ['a page', 'GET', '/', 200],
    ['a page that only POST may not have', 'GET', '/blocked', 200],
    ['a form', 'POST', '/form', 200],
    ['a blocked form', 'POST', '/blocked', 403],
    ['a blocked query, by the client address', 'GET', '/?q=bad', 403],
    ['a redirect', 'GET', '/old', 302],
  ])('%s: %s %s gets %i', async (_, method, path, status) => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '7' }
    // Headers that the configuration sets cannot be sent by the client.
    const forged = { 'x-original-uri': '/', 'x-original-client': '192.0.2.1', 'x-original-method': 'HEAD' }
    const reply = await get(port, path, { ...forged, ...(method === 'POST' ? form : {}) }, method)
    expect(reply.status).toBe(status)
    if (status === 200) expect(reply.text).toBe(`origin ${method} ${path}`)
    if (status === 403) expect(reply.text).toContain(String(reply.headers['x-ray-id']))
    if (status === 302) expect(reply.headers.location).toBe('https://example.com/new')
  })
})
