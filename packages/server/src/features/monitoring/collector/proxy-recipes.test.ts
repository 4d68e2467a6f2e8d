// The recipes of docs/monitoring.md, run as they are written: the real Apache adds the headers to documents and passes
// reports on, and the file for Traefik has the headers in the form that its file provider reads.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../../../../../scripts/test-requirements.ts'
import { ADMIN_TOKEN, startTestApp, type TestApp } from '../../../testing/app.ts'

const LOOPBACK = '127.0.0.1'
const MODULES = ['mpm_event', 'authz_core', 'unique_id', 'headers', 'proxy', 'proxy_http']
const docs = readFileSync(new URL('../../../../../../docs/monitoring.md', import.meta.url), 'utf8')

/** In the background: it asks the server of this process. */
async function runScript(folder: string, name: string, app: TestApp, zone: string) {
  writeFileSync(join(folder, name), block('sh', name))
  const child = spawn('sh', [join(folder, name), 'https://www.example.com/checkout'], {
    env: {
      PATH: '/usr/bin:/bin',
      api: `http://${LOOPBACK}:${app.port}/client/v4`,
      auth: `Authorization: Bearer ${ADMIN_TOKEN}`,
      ZONE: zone,
    },
  })
  const [stdout, stderr] = await Promise.all([child.stdout.toArray(), child.stderr.toArray()])
  if (child.exitCode === null) await once(child, 'exit')
  return { status: child.exitCode, stdout: stdout.join(''), stderr: stderr.join('') }
}

/** A fenced block of the docs, by its language and a text in it. */
function block(language: string, having: string): string {
  const blocks = [...docs.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
  const found = blocks.filter(([, its, text]) => its === language && text?.includes(having) === true)
  const [only, ...others] = found
  if (only?.[2] === undefined || others.length > 0)
    throw new Error(`${found.length} blocks of ${language} with ${having} in docs/monitoring.md`)
  return only[2]
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, LOOPBACK, done))
  return (server.address() as AddressInfo).port
}

describeWith(['apache2', 'jq', 'curl'], 'Apache with the recipe', () => {
  const folder = mkdtempSync(join(tmpdir(), 'zonereeve-apache-'))
  let app: TestApp
  let shop: Server
  let apache: ChildProcess
  let front = ''
  let zone = ''

  beforeAll(async () => {
    app = await startTestApp({ trustProxy: ['127.0.0.0/8'] })
    zone = (await app.must('POST', '/zones', { name: 'example.com' })).id
    await app.must('PUT', `/zones/${zone}/page_shield`, { enabled: true })
    shop = createServer((request, response) => {
      const isPage = request.url === '/checkout'
      response.setHeader('content-type', isPage ? 'text/html; charset=utf-8' : 'text/javascript')
      response.end('ok')
    })
    const origin = await listen(shop)
    const reserved = createServer()
    const port = await listen(reserved)
    await new Promise((done) => reserved.close(done))
    const made = await runScript(folder, 'csp-apache.sh', app, zone)
    expect([made.status, made.stderr]).toEqual([0, ''])
    writeFileSync(join(folder, 'zonereeve-csp.conf'), made.stdout)
    const recipe = block('apache', 'zonereeve-csp.conf')
      .replaceAll('/etc/apache2/zonereeve-csp.conf', join(folder, 'zonereeve-csp.conf'))
      .replaceAll('http://127.0.0.1:8080', `http://${LOOPBACK}:${app.port}`)
      .replaceAll('http://shop:3000', `http://${LOOPBACK}:${origin}`)
      .replace('*:80', `${LOOPBACK}:${port}`)
    writeFileSync(
      join(folder, 'apache.conf'),
      [
        `ServerRoot "${folder}"`,
        `ServerName www.example.com`,
        `Listen ${LOOPBACK}:${port}`,
        `PidFile "${folder}/apache.pid"`,
        `DefaultRuntimeDir "${folder}"`,
        `Mutex file:${folder} default`,
        `ErrorLog "${folder}/error.log"`,
        'User www-data',
        'Group www-data',
        ...MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
        recipe,
      ].join('\n'),
    )
    const checked = spawnSync('apache2', ['-t', '-f', join(folder, 'apache.conf')], { encoding: 'utf8' })
    expect([checked.status, checked.stderr]).toEqual([0, expect.stringContaining('Syntax OK')])
    apache = spawn('apache2', ['-X', '-f', join(folder, 'apache.conf')], { stdio: 'ignore' })
    front = `http://${LOOPBACK}:${port}`
    for (;;) {
      if (apache.exitCode !== null) throw new Error(readFileSync(join(folder, 'error.log'), 'utf8'))
      if (
        await fetch(`${front}/checkout`).then(
          (reply) => reply.ok,
          () => false,
        )
      )
        break
      await new Promise((next) => setTimeout(next, 50))
    }
  })

  afterAll(async () => {
    const ended = new Promise((done) => apache.once('exit', done))
    apache.kill('SIGTERM')
    await ended
    shop.closeAllConnections()
    shop.close()
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('documents have the headers of the API, other responses have none', async () => {
    const page = await fetch(`${front}/checkout`, { headers: { host: 'www.example.com' } })
    expect([page.status, await page.text()]).toEqual([200, 'ok'])
    const asked = `/zonereeve/zones/${zone}/page_shield/headers?url=https://www.example.com/checkout`
    const { headers } = await app.must<{ headers: { name: string; value: string }[] }>('GET', asked)
    expect(headers.length).toBeGreaterThan(1)
    for (const { name, value } of headers) expect([name, page.headers.get(name)]).toEqual([name, value])
    const script = await fetch(`${front}/app.js`)
    for (const { name } of headers) expect(script.headers.get(name)).toBeNull()
  })

  test('reports reach the collector, which refuses long ones', async () => {
    const page = await fetch(`${front}/checkout`)
    const policy = page.headers.get('content-security-policy-report-only') ?? ''
    const address = /report-uri (\S+?);?(?:\s|$)/.exec(policy)?.[1] ?? ''
    const path = address.replace('https://www.example.com', '')
    const send = (body: string) =>
      fetch(front + path, { method: 'POST', headers: { 'content-type': 'application/csp-report' }, body })
    const report = {
      'document-uri': 'https://www.example.com/checkout',
      'blocked-uri': 'https://cdn.example.net/a.js',
      'effective-directive': 'script-src-elem',
    }
    expect((await send(JSON.stringify({ 'csp-report': report }))).status).toBe(204)
    await app.collector.flush()
    const scripts = await app.must<{ url: string }[]>(
      'GET',
      `/zones/${zone}/page_shield/scripts?status=active,infrequent`,
    )
    expect(scripts.map(({ url }) => url)).toEqual(['https://cdn.example.net/a.js'])
    expect((await send('x'.repeat(70_000))).status).toBe(413)
  })
})

describeWith(['jq', 'curl'], 'the file for Traefik', () => {
  test('has the headers, each name once, and a route for the reports', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'zonereeve-traefik-'))
    const app = await startTestApp()
    try {
      const { id } = await app.must<{ id: string }>('POST', '/zones', { name: 'example.com' })
      await app.must('PUT', `/zones/${id}/page_shield`, { enabled: true })
      const { status, stdout, stderr } = await runScript(folder, 'csp-traefik.sh', app, id)
      expect([status, stderr]).toEqual([0, ''])
      const asked = `/zonereeve/zones/${id}/page_shield/headers?url=https://www.example.com/checkout`
      const { headers } = await app.must<{ headers: { name: string; value: string }[] }>('GET', asked)
      const own = Object.fromEntries(headers.map(({ name, value }) => [name, value]))
      expect(JSON.parse(stdout)).toEqual({
        http: {
          middlewares: { 'zonereeve-csp': { headers: { customResponseHeaders: own } } },
          routers: {
            'zonereeve-reports': {
              rule: 'Path(`/cdn-cgi/script_monitor/report`)',
              service: 'zonereeve-reports',
            },
          },
          services: {
            'zonereeve-reports': { loadBalancer: { servers: [{ url: 'http://127.0.0.1:8080' }] } },
          },
        },
      })
    } finally {
      await app.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
