// Real nginx, HAProxy and Caddy with the configuration that `zonereeve edge config` writes, and the embedded proxy, in
// front of one origin, and ask over sockets in the file system: their verdicts are those of the trace, and streams and WebSockets pass.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installConfiguration, startEdge } from '@zonereeve/edge'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { BASE, startTestApp } from '../testing/app.ts'
import { edgeOptions } from '../testing/edge-options.ts'
import { allow, makeToken } from '../testing/test-tokens.ts'
import { main } from './cli.ts'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'

const PROXIES = ['nginx', 'haproxy', 'caddy'] as const
type Proxy = (typeof PROXIES)[number]
const INSTALLED = PROXIES.filter(
  (name) => spawnSync(name, [name === 'caddy' ? 'version' : '-v']).status === 0,
)
for (const name of PROXIES)
  if (!INSTALLED.includes(name)) process.stderr.write(`SKIPPED: ${name} is not installed\n`)

const CRLF = '\r\n'
const LOOPBACK = '127.0.0.1'

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, LOOPBACK, resolve)
  })
  return (server.address() as AddressInfo).port
}

/** When the origin has sent its last event. */
let sentAt = 0

function startOrigin(): Server {
  const origin = createServer((incoming, response) => {
    response.setHeader('x-origin', 'reached')
    if (incoming.url === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      sentAt = performance.now()
      response.write('data: first\n\n')
      return
    }
    incoming.resume().on('end', () => response.end(`origin ${incoming.method} ${incoming.url}`))
    incoming.on('error', () => response.destroy())
  })
  origin.on('upgrade', (incoming, socket) => {
    const key = `${incoming.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11` // RFC 6455 §1.3
    const accept = createHash('sha1').update(key).digest('base64')
    const lines = ['Upgrade: websocket', 'Connection: Upgrade', `Sec-WebSocket-Accept: ${accept}`]
    socket.write(['HTTP/1.1 101 Switching Protocols', ...lines, '', ''].join(CRLF))
    socket.on('error', () => socket.destroy())
    socket.pipe(socket)
  })
  return origin
}

interface Sent {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer
}

interface Reply {
  readonly status: number
  readonly text: string
  readonly isFromOrigin: boolean
}

const octetsOf = ({ method, target, headers, body }: Sent): Buffer =>
  Buffer.concat([
    Buffer.from(
      [`${method} ${target} HTTP/1.1`, ...headers.map((line) => line.join(': ')), '', ''].join(CRLF),
      'latin1',
    ),
    body,
  ])

/** Sends a request as it is. The connection ends with the response. */
function exchange(port: number, sent: Sent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, LOOPBACK)
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
    socket.on('error', (error) => (text === '' ? reject(error) : undefined))
    socket.on('close', () => {
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1])
      resolve({ status, text, isFromOrigin: /^x-origin: reached\r$/im.test(text) })
    })
    socket.write(octetsOf(sent))
  })
}

const BROWSER = [
  ['Host', 'example.com'],
  ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0)'],
  ['Accept', 'text/html,*/*;q=0.8'],
  ['Connection', 'close'],
] as const
const NO_BODY = Buffer.alloc(0)
const page = (target: string): Sent => ({ method: 'GET', target, headers: BROWSER, body: NO_BODY })

const RULES = [
  { action: 'block', expression: 'http.request.uri.path eq "/blocked"' },
  { action: 'log', expression: 'http.request.uri.path eq "/logged"' },
  { action: 'managed_challenge', expression: 'http.request.uri.path eq "/challenged"' },
  { action: 'block', expression: 'any(http.request.headers["x-bad"][*] eq "yes")' },
  { action: 'block', expression: 'http.request.body.raw contains "forbidden words"' },
]

const folder = mkdtempSync(join(tmpdir(), 'edge-proxies-'))
// The processes of nginx have another user.
chmodSync(folder, 0o711)
/** Other tests have proxies that ask at ports. */
const [DECISIONS, SPOP] = [join(folder, 'decisions'), join(folder, 'spop')]

async function makeWorld() {
  const app = await startTestApp()
  const zone = await app.must('POST', '/zones', { name: 'example.com' })
  const put = (phase: string, rules: readonly object[]) =>
    app.must('PUT', `/zones/${zone.id}/rulesets/phases/${phase}/entrypoint`, { rules })
  await put('http_request_firewall_custom', RULES)
  await put('http_request_firewall_managed', [
    {
      action: 'execute',
      expression: 'true',
      action_parameters: { id: 'efb7b8c949ac4650a09736fc376e9aee' },
    },
  ])
  const token = await makeToken(app, [allow(['Edge Decide'], 'account.zone.*')])
  const origin = startOrigin()
  const originPort = await listen(origin)
  const url = `http://${LOOPBACK}:${app.port}${BASE}`
  const edge = await startEdge(
    edgeOptions(app, token, originPort, { decisions: { path: DECISIONS }, spop: { path: SPOP } }),
  )
  await edge.synced
  return { app, zoneId: zone.id, token, url, edge, origin, originPort }
}

type World = Awaited<ReturnType<typeof makeWorld>>
let world: World
const running: ChildProcess[] = []
const ports = new Map<string, number>()

const address = (port: number): string => `${LOOPBACK}:${port}`

/** The command line, as a user calls it. */
async function writeConfiguration(proxy: string, port: number, more: readonly string[]): Promise<number> {
  const { url, originPort } = world
  const listeners = ['--decisions', `unix:${DECISIONS}`, '--spop', `unix:${SPOP}`]
  const sides = ['--listen', address(port), '--origin', address(originPort), '--url', url]
  return main(['edge', 'config', proxy, '--zone', 'example.com', ...sides, ...listeners, ...more])
}

/** Debian's proxies read more files; these read only the written one. */
function commandOf(proxy: Proxy, file: string): readonly string[] {
  const whole = join(folder, `${proxy}.whole`)
  if (proxy === 'haproxy') return ['-db', '-f', file]
  if (proxy === 'caddy') {
    writeFileSync(whole, `{\n    admin off\n}\nimport ${file}\n`)
    return ['run', '--config', whole, '--adapter', 'caddyfile']
  }
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  writeFileSync(
    whole,
    `daemon off; pid ${folder}/pid; events {} http { access_log off; ${paths.join(' ')} include ${file}; }`,
  )
  return ['-p', folder, '-c', whole, '-e', join(folder, 'error.log')]
}

async function startProxy(proxy: Proxy): Promise<void> {
  const port = await freePort()
  const file = join(folder, proxy)
  expect(await writeConfiguration(proxy, port, ['--output', file])).toBe(0)
  const homes = ['HOME', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME'].map((name) => `${name}=${folder}`)
  running.push(spawn('/usr/bin/env', [...homes, proxy, ...commandOf(proxy, file)], { stdio: 'ignore' }))
  ports.set(proxy, port)
  await vi.waitFor(async () => expect((await exchange(port, page('/'))).status).toBe(200), {
    timeout: 20_000,
    interval: 100,
  })
}

const portOf = (proxy: string): number => {
  const port = ports.get(proxy)
  if (port === undefined) throw new Error(`${proxy} does not run`)
  return port
}

beforeAll(async () => {
  world = await makeWorld()
  vi.stubEnv('ZONEREEVE_TOKEN', world.token)
  for (const proxy of INSTALLED) await startProxy(proxy)
  const { proxy: embedded } = world.edge
  if (embedded !== undefined) ports.set('embedded', embedded.port)
}, 60_000)

afterAll(async () => {
  for (const child of running) {
    if (child.exitCode !== null) continue
    const ended = new Promise((resolve) => {
      child.once('exit', resolve)
    })
    // Killed at once, nginx would leave its workers behind; Caddy waits for open connections.
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 1_000)
    await ended
    clearTimeout(timer)
  }
  await world.edge.close()
  await world.app.close()
  world.origin.closeAllConnections()
  world.origin.close()
  rmSync(folder, { recursive: true, force: true })
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const ADAPTERS = [...INSTALLED, 'embedded']

describe.each(ADAPTERS)('%s', (proxy) => {
  test('stops an attack with a ray ID, and lets other requests through', async () => {
    const passed = await exchange(portOf(proxy), page('/shop?q=white+shoes'))
    expect([passed.status, passed.isFromOrigin]).toEqual([200, true])
    const attack = await exchange(
      portOf(proxy),
      page("/shop?id=1'%20UNION%20SELECT%20name,password%20FROM%20users--%20-"),
    )
    expect([attack.status, attack.isFromOrigin]).toEqual([403, false])
    const rayId = /^x-ray-id: ([0-9a-f]{16})\r$/im.exec(attack.text)?.[1]
    expect(rayId).toBeDefined()
    expect(attack.text.split(CRLF + CRLF)[1]).toContain(rayId)
  })

  test('passes the first event of a stream on at once', async () => {
    const delays: number[] = []
    for (let run = 0; run < 5; run += 1) {
      const arrivedAt = await new Promise<number>((resolve, reject) => {
        const socket = connect(portOf(proxy), LOOPBACK)
        let text = ''
        socket.on('error', reject)
        socket.on('data', (chunk: Buffer) => {
          text += chunk.toString('latin1')
          if (!text.includes('data: first')) return
          socket.destroy()
          resolve(performance.now())
        })
        socket.write(octetsOf(page('/events')))
      })
      delays.push(arrivedAt - sentAt)
    }
    // The best of several: the machine of the test may be busy.
    expect(Math.min(...delays)).toBeLessThan(100)
  })

  test('passes WebSockets through, and refuses those that a rule blocks', async () => {
    const handshake = (target: string): Buffer =>
      octetsOf({
        ...page(target),
        headers: [
          ['Host', 'example.com'],
          ['User-Agent', 'Mozilla/5.0'],
          ['Connection', 'Upgrade'],
          ['Upgrade', 'websocket'],
          ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
          ['Sec-WebSocket-Version', '13'],
        ],
      })
    const converse = (target: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = connect(portOf(proxy), LOOPBACK, () => socket.write(handshake(target)))
        let text = ''
        socket.on('error', reject)
        socket.on('close', () => resolve(text))
        socket.on('data', (chunk: Buffer) => {
          text += chunk.toString('latin1')
          if (text.endsWith(CRLF + CRLF) && text.startsWith('HTTP/1.1 101')) socket.write('hello')
          if (text.endsWith('hello') || text.startsWith('HTTP/1.1 403')) socket.destroy()
        })
      })
    expect(await converse('/socket')).toMatch(/^HTTP\/1\.1 101 .*hello$/s)
    expect(await converse('/blocked')).toMatch(/^HTTP\/1\.1 403 /)
  })
})

const REQUESTS: readonly (readonly [name: string, target: string, header?: readonly [string, string]])[] = [
  ['a page', '/'],
  ['a page with a query', '/search?q=white+shoes&page=2'],
  ['a path that a rule blocks', '/blocked'],
  ['the same path in another spelling', '/BLOCKED'],
  ['a rule that logs', '/logged'],
  ['a challenge', '/challenged'],
  ['a header that a rule blocks', '/', ['X-Bad', 'yes']],
  ['the header with another value', '/', ['X-Bad', 'no']],
  ['a script in the query', '/shop?q=%3Cscript%3Ealert(1)%3C/script%3E'],
  ['a path out of the folder', '/files?name=../../../../etc/passwd'],
]

describe('the verdict of every proxy is that of the trace', () => {
  test.each(REQUESTS.map(([name, target, header]) => ({ name, target, header })))(
    '$name',
    async ({ target, header }) => {
      const headers: Sent['headers'] = header === undefined ? BROWSER : [...BROWSER, header]
      const trace = await world.app.must<{ effective: { action: string } }>(
        'POST',
        `/zonereeve/zones/${world.zoneId}/firewall/trace`,
        {
          method: 'GET',
          url: `http://example.com${target}`,
          headers: Object.fromEntries(headers),
          ip: LOOPBACK,
        },
      )
      const isStopped = !['allow', 'log'].includes(trace.effective.action)
      for (const proxy of ADAPTERS) {
        const { status, isFromOrigin } = await exchange(portOf(proxy), { ...page(target), headers })
        expect([proxy, status, isFromOrigin]).toEqual([proxy, isStopped ? 403 : 200, !isStopped])
      }
    },
  )

  // Of the adapters, only these see bodies.
  test.each(ADAPTERS)('a body through %s', async (proxy) => {
    const body = Buffer.from('some forbidden words')
    const headers = [...BROWSER, ['Content-Length', String(body.length)] as const]
    const { status } = await exchange(portOf(proxy), { method: 'POST', target: '/form', headers, body })
    expect(status).toBe(['haproxy', 'embedded'].includes(proxy) ? 403 : 200)
  })
})

describe.each(INSTALLED)('the configuration of %s', (proxy) => {
  const file = join(folder, `${proxy}-again`)
  const calls = join(folder, `${proxy}-calls`)
  const reload = ['--reload', `echo reloaded >> ${calls}`]
  const callCount = (): number =>
    existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n').length : 0
  let errorText = ''
  const errors = (): string => errorText
  const spyOnErrors = (): void => {
    errorText = ''
    const spy = vi.spyOn(process.stderr, 'write')
    spy.mockImplementation((text) => {
      errorText += String(text)
      return true
    })
  }
  afterEach(() => void vi.restoreAllMocks())

  test('replaces the file, and reloads the proxy only for a change', async () => {
    expect(await writeConfiguration(proxy, 8080, ['--output', file, ...reload])).toBe(0)
    const before = readFileSync(file, 'utf8')
    expect(before).toContain('example.com')
    expect(callCount()).toBe(1)
    expect(await writeConfiguration(proxy, 8080, ['--output', file, ...reload])).toBe(0)
    expect(callCount()).toBe(1)
    // A minute later, so that this test does not wait.
    const earlier = new Date(Date.now() - 61_000)
    utimesSync(`${file}.reloaded`, earlier, earlier)
    expect(await writeConfiguration(proxy, 8081, ['--output', file, ...reload])).toBe(0)
    expect(callCount()).toBe(2)
    const changed = readFileSync(file, 'utf8')
    expect(changed).toBe(before.replaceAll(':8080', ':8081'))
    // The next one waits for the rest of the minute.
    const waits: number[] = []
    const wait = (millis: number) => Promise.resolve(waits.push(millis))
    const { mtimeMs } = statSync(`${file}.reloaded`)
    const now = () => mtimeMs + 20_000
    const other =
      proxy === 'haproxy' ? { other: { suffix: '.spoe', text: readFileSync(`${file}.spoe`, 'utf8') } } : {}
    const configurationAt = (at: string) => ({ main: `# Again.\n${changed.replaceAll(file, at)}`, ...other })
    await installConfiguration({ proxy, path: file, configurationAt, reload: reload[1], now, wait })
    expect([waits, callCount()]).toEqual([[40_000], 3])
  })

  test('stays as it is if the proxy refuses the new one', async () => {
    const before = [readFileSync(file, 'utf8'), statSync(file).ino, callCount()]
    const configurationAt = () => ({ main: 'nonsense {\n' })
    const installing = installConfiguration({ proxy, path: file, configurationAt, reload: reload[1] })
    await expect(installing).rejects.toThrow(`${proxy} refuses the configuration; nothing was changed`)
    expect([readFileSync(file, 'utf8'), statSync(file).ino, callCount()]).toEqual(before)
  })

  test.each([
    ['an unknown zone', ['--zone', 'example.org'], /--zone: the token may not decide about example\.org/],
    ['an address that could be more', ['--origin', 'x;}:1'], /--origin must be an address or a host name/],
    ['an invalid address', ['--listen', 'somewhere'], /--listen must be host:port/],
    ['a reload without a file', ['--reload', 'true'], /--reload needs --output/],
  ])('is not written for %s', async (_, more, message) => {
    spyOnErrors()
    expect(await writeConfiguration(proxy, 8083, more)).toBe(1)
    expect(errors()).toMatch(message)
  })
})
