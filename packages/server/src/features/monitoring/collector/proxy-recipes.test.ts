// The recipes of docs/monitoring.md, run as they are written: the real Apache, HAProxy and Caddy add the headers to
// documents and pass reports on, and the file for Traefik has the headers in the form that its file provider reads.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeWith } from '../../../../../../scripts/test-requirements.ts'
import { ADMIN_TOKEN, startTestApp, type TestApp } from '../../../testing/app.ts'

const LOOPBACK = '127.0.0.1'
const MONITORING = 'content-security-policy-report-only'
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

interface Sent {
  readonly name: string
  readonly value: string
  readonly sampled: boolean
}

interface Place {
  readonly folder: string
  readonly front: number
  readonly origin: number
  readonly collector: number
}

interface Proxy {
  readonly name: string
  /** The Debian package's program. */
  readonly program: 'apache2' | 'haproxy' | 'caddy'
  readonly script: string
  /** What the script's output is written to, in the docs. */
  readonly output: string
  readonly language: string
  /** The recipe with what a whole configuration needs around it. */
  readonly configure: (recipe: string, place: Place) => string
  readonly check: (path: string) => readonly string[]
  readonly run: (path: string) => readonly string[]
}

const PROXIES: readonly Proxy[] = [
  {
    name: 'Apache',
    program: 'apache2',
    script: 'csp-apache.sh',
    output: '/etc/apache2/zonereeve-csp.conf',
    language: 'apache',
    configure: (recipe, { folder, front }) =>
      [
        `ServerRoot "${folder}"`,
        `ServerName www.example.com`,
        `Listen ${LOOPBACK}:${front}`,
        `PidFile "${folder}/apache.pid"`,
        `DefaultRuntimeDir "${folder}"`,
        `Mutex file:${folder} default`,
        `ErrorLog "${folder}/error.log"`,
        'User www-data',
        'Group www-data',
        ...MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
        recipe.replace('*:80', `${LOOPBACK}:${front}`),
      ].join('\n'),
    check: (path) => ['-t', '-f', path],
    run: (path) => ['-X', '-f', path],
  },
  {
    name: 'HAProxy',
    program: 'haproxy',
    script: 'csp-haproxy.sh',
    output: '/etc/haproxy/csp.map',
    language: 'haproxy',
    configure: (recipe, { front }) =>
      [
        'defaults',
        '    mode http',
        '    timeout client 10s',
        '    timeout server 10s',
        '    timeout connect 5s',
        '',
        recipe.replace('bind :80', `bind ${LOOPBACK}:${front}`),
      ].join('\n'),
    check: (path) => ['-c', '-f', path],
    run: (path) => ['-db', '-f', path],
  },
  {
    name: 'Caddy',
    program: 'caddy',
    script: 'csp-caddy.sh',
    output: '/etc/caddy/zonereeve-csp',
    language: 'caddyfile',
    configure: (recipe, { front }) =>
      ['{', '    admin off', '}', recipe.replace('http://www.example.com', `http://:${front}`)].join('\n'),
    check: (path) => ['validate', '--adapter', 'caddyfile', '--config', path],
    run: (path) => ['run', '--adapter', 'caddyfile', '--config', path],
  },
]

describe.each(PROXIES)('$name', (proxy) => {
  describeWith([proxy.program, 'jq', 'curl'], 'with the recipe', () => runsRecipe(proxy))
})

function runsRecipe(proxy: Proxy): void {
  const folder = mkdtempSync(join(tmpdir(), `zonereeve-${proxy.program}-`))
  let app: TestApp
  let shop: Server
  let child: ChildProcess | undefined
  let front = ''
  let zone = ''
  let output = ''

  beforeAll(async () => {
    app = await startTestApp({ trustProxy: ['127.0.0.0/8'] })
    zone = (await app.must('POST', '/zones', { name: 'example.com' })).id
    await app.must('PUT', `/zones/${zone}/page_shield`, { enabled: true })
    await app.must('PUT', `/zonereeve/zones/${zone}/page_shield/sampling`, { mode: 'fixed', one_in: 2 })
    await app.must('POST', `/zones/${zone}/page_shield/policies`, {
      description: 'no objects',
      action: 'allow',
      expression: 'true',
      enabled: true,
      value: "object-src 'none'; img-src *",
    })
    shop = createServer((request, response) => {
      const isPage = request.url === '/checkout'
      response.setHeader('content-type', isPage ? 'text/html; charset=utf-8' : 'text/javascript')
      response.end('ok')
    })
    const origin = await listen(shop)
    const reserved = createServer()
    const port = await listen(reserved)
    await new Promise((done) => reserved.close(done))
    const written = await runScript(folder, proxy.script, app, zone)
    expect([written.status, written.stderr]).toEqual([0, ''])
    output = join(folder, 'output')
    // The pages of the test are asked for by address; a key of the map for HAProxy begins with the host.
    writeFileSync(output, written.stdout.replaceAll(':www.example.com/', `:${LOOPBACK}:${port}/`))
    const recipe = block(proxy.language, proxy.output)
      .replaceAll(proxy.output, output)
      .replaceAll('127.0.0.1:8080', `${LOOPBACK}:${app.port}`)
      .replaceAll('shop:3000', `${LOOPBACK}:${origin}`)
    const configuration = join(folder, 'configuration')
    writeFileSync(
      configuration,
      `${proxy.configure(recipe, { folder, front: port, origin, collector: app.port })}\n`,
    )
    const env = { PATH: '/usr/sbin:/usr/bin:/bin', HOME: folder }
    const checked = spawnSync(proxy.program, [...proxy.check(configuration)], { encoding: 'utf8', env })
    expect([checked.status, checked.stderr]).toEqual([0, expect.not.stringContaining('rror')])
    const log = openSync(join(folder, 'log'), 'w')
    child = spawn(proxy.program, [...proxy.run(configuration)], { stdio: ['ignore', log, log], env })
    front = `http://${LOOPBACK}:${port}`
    for (;;) {
      if (child.exitCode !== null) throw new Error(readFileSync(join(folder, 'log'), 'utf8'))
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
    if (child?.kill() === true) await once(child, 'exit')
    shop.closeAllConnections()
    shop.close()
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('documents have the headers of the API, half of them the sampled one, and other responses have none', async () => {
    const asked = `/zonereeve/zones/${zone}/page_shield/headers?url=https://www.example.com/checkout`
    const { headers } = await app.must<{ headers: Sent[] }>('GET', asked)
    const always = headers.filter(({ sampled }) => !sampled)
    expect([headers.length - always.length, always.length]).toEqual([1, 2])
    const seen = new Set<string | null>()
    for (let times = 0; times < 60; times++) {
      const page = await fetch(`${front}/checkout`)
      expect([page.status, await page.text()]).toEqual([200, 'ok'])
      for (const { name, value } of always) expect([name, page.headers.get(name)]).toEqual([name, value])
      seen.add(page.headers.get(MONITORING))
    }
    expect(seen).toEqual(new Set([null, headers.find(({ sampled }) => sampled)?.value]))
    const script = await fetch(`${front}/app.js`)
    for (const { name } of headers) expect(script.headers.get(name)).toBeNull()
  })

  test('reports reach the collector, which refuses long ones', async () => {
    const pages = Array.from({ length: 60 }, () => fetch(`${front}/checkout`))
    const policies = (await Promise.all(pages)).map(({ headers }) => headers.get(MONITORING))
    const policy = policies.find((sent) => sent !== null)
    const address = /report-uri (\S+?);?(?:\s|$)/.exec(policy ?? '')?.[1] ?? ''
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
}

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
