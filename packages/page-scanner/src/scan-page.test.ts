// A page of a loopback site in a real Chromium: what is listed, what is refused, and what ends in a clear error.
import { createSocket } from 'node:dgram'
import { createServer, type Server } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { createAddressGuard } from '@zonereeve/safe-fetch'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeWith } from '../../../scripts/test-requirements.ts'
import { environmentOfBrowser, findChromium, loadPlaywright, NoBrowser } from './find-browser.ts'
import { createPageLoads, kindOfRequest, nameOfSetCookie, pageCookies } from './page-loads.ts'
import { ScanFailed, scanPage, type ScanDeps } from './scan-page.ts'

const OWN = '127.0.0.1'
/** Of this machine, too, and not permitted. */
const FORBIDDEN = '127.0.0.2'

let server: Server
let victim: Server
let origin = ''
let elsewhere = ''
/** A page with calls to a private host. */
let callPage = ''
const asked: string[] = []
const reached: string[] = []

const deps: ScanDeps = {
  chromium: undefined,
  environment: { PATH: '/usr/bin:/usr/local/bin' },
  hasSandbox: false,
  mayConnect: createAddressGuard([`${OWN}/32`]),
  hostAddresses: async (host) =>
    host === 'shop.example' ? [OWN] : host === 'inside.example' ? [FORBIDDEN] : [],
  ports: 'any',
}

const mayNot = (url: string): string => `${new URL(url).host} may not be connected to`

const pageWith = () => `<!doctype html><title>shop</title>
<script src="/a.js"></script><iframe src="/frame.html"></iframe>
<iframe srcdoc="<script src='/in-srcdoc.js'></script>"></iframe>
<img src="/p.png"><script src="${elsewhere}/private.js"></script><script src="http://inside.example/x.js"></script>
<script>
document.cookie = 'by_script=secret; path=/shop'
fetch('/api?card=1'); navigator.sendBeacon('/beacon', 'x')
new Worker('/worker.js')
setTimeout(() => { const s = document.createElement('script'); s.src = '/late.js'; document.body.append(s) }, 500)
open('/popup')
</script>`

beforeAll(async () => {
  victim = createServer((request, response) => {
    reached.push(request.url ?? '')
    response.end()
  })
  await new Promise<void>((done) => victim.listen(0, FORBIDDEN, done))
  elsewhere = `http://${FORBIDDEN}:${(victim.address() as AddressInfo).port}`
  server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    if (path === '/moved') return void response.writeHead(302, { location: '/shop/checkout' }).end()
    if (path === '/inside') return void response.writeHead(302, { location: `${elsewhere}/secret` }).end()
    if (path === '/forbidden') return void response.writeHead(403).end('<script src="/a.js"></script>')
    if (path === '/endless.js') return
    const isScript = path.endsWith('.js')
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    if (path.startsWith('/shop')) {
      response.setHeader('x-frame-options', 'DENY')
      response.setHeader('set-cookie', ['session=secret; HttpOnly; SameSite=Lax', 'theme=secret; Max-Age=60'])
    }
    if (path === '/call') return void response.end(callPage)
    response.end(isScript ? 'self.x = 1' : path.startsWith('/shop') ? pageWith() : '<p>ok</p>')
  })
  await new Promise<void>((done) => server.listen(0, OWN, done))
  origin = `http://shop.example:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  server.closeAllConnections()
  await Promise.all([server, victim].map((one) => new Promise((done) => one.close(done))))
})

describeWith(['chromium'], 'a scan', () => {
  test('lists what a page loads, and nothing private is reached', { timeout: 90_000 }, async () => {
    const found = await scanPage(`${origin}/moved`, deps)
    expect(found.finalUrl).toBe(`${origin}/shop/checkout`)
    expect(found.headers).toContainEqual(['x-frame-options', 'DENY'])
    expect(found.scripts.toSorted()).toEqual(
      [
        ...['a.js', 'in-srcdoc.js', 'late.js', 'worker.js'].map((name) => `${origin}/${name}`),
        `${elsewhere}/private.js`,
        'http://inside.example/x.js',
      ].toSorted(),
    )
    expect(found.connections.toSorted()).toEqual([`${origin}/api?card=1`, `${origin}/beacon`])
    expect(found.frames).toEqual([`${origin}/frame.html`])
    expect(found.setCookie.map((line) => line.replace(/Expires=[^;]*/, 'Expires=…')).toSorted()).toEqual([
      'session=; Path=/shop; HttpOnly; SameSite=Lax',
      'theme=; Path=/shop; Expires=…; SameSite=Lax',
    ])
    expect(found.scriptCookies).toEqual(['by_script=; Path=/shop; SameSite=Lax'])
    expect(JSON.stringify(found)).not.toContain('secret')
    expect(found.refused.toSorted()).toEqual([
      [elsewhere.replace('http://', ''), 'address'],
      ['inside.example:80', 'address'],
    ])
    expect(found.omitted).toBe(0)
    expect(reached).toEqual([])
  })

  test.each<readonly [string, () => string, () => string, Partial<ScanDeps>]>([
    ['a private page', () => `${elsewhere}/`, () => mayNot(elsewhere), {}],
    ['a page that redirects to a private one', () => `${origin}/inside`, () => mayNot(elsewhere), {}],
    [
      'a name with a private address',
      () => 'http://inside.example/',
      () => 'inside.example:80 may not be connected to',
      {},
    ],
    ['an unknown name', () => 'http://unknown.example/', () => 'unknown.example:80 does not resolve', {}],
    [
      'an unknown name with TLS',
      () => 'https://unknown.example/',
      () => 'unknown.example:443 does not resolve',
      {},
    ],
    ['a port that is not permitted', () => `${origin}/shop`, () => mayNot(origin), { ports: [80, 443] }],
    ['a page with an error', () => `${origin}/forbidden`, () => 'status 403', {}],
  ])('of %s fails, and nothing private is reached', { timeout: 90_000 }, async (_, url, reason, more) => {
    await expect(scanPage(url(), { ...deps, ...more })).rejects.toEqual(new ScanFailed(reason()))
    expect(reached).toEqual([])
  })

  test(
    'of a page that calls a private host sends nothing around the proxy',
    { timeout: 90_000 },
    async () => {
      const arrived: string[] = []
      const udp = createSocket('udp4', () => arrived.push('udp'))
      const tcp = createTcpServer((socket) => {
        arrived.push('tcp')
        socket.on('error', () => socket.destroy()).destroy()
      })
      await new Promise<void>((done) => udp.bind(0, FORBIDDEN, done))
      await new Promise<void>((done) => tcp.listen(0, FORBIDDEN, done))
      const turn = `turn:${FORBIDDEN}:${(tcp.address() as AddressInfo).port}?transport=tcp`
      callPage = `<script>
const call = new RTCPeerConnection({ iceServers: [
  { urls: 'stun:${FORBIDDEN}:${udp.address().port}' }, { urls: '${turn}', username: 'u', credential: 'c' }] })
call.createDataChannel('x')
call.createOffer().then((offer) => call.setLocalDescription(offer)).then(() => fetch('/called'))
</script>`
      asked.length = 0
      try {
        await scanPage(`${origin}/call`, deps)
      } finally {
        udp.close()
        await new Promise((done) => tcp.close(done))
      }
      expect(asked).toContain('/called')
      expect(arrived).toEqual([])
    },
  )

  test('leaves the signals of the process alone', { timeout: 90_000 }, async () => {
    const handled = () => ['SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => process.listenerCount(name))
    const before = handled()
    asked.length = 0
    const scan = scanPage(`${origin}/shop`, deps)
    while (!asked.includes('/shop')) await new Promise((next) => setTimeout(next, 20))
    const during = handled()
    await scan
    expect(during).toEqual(before)
  })

  test('that is stopped ends', { timeout: 90_000 }, async () => {
    asked.length = 0
    const stopping = new AbortController()
    const scan = scanPage(`${origin}/shop`, deps, stopping.signal)
    const failed = scan.catch((error: unknown) => error)
    while (!asked.includes('/late.js')) await new Promise((next) => setTimeout(next, 20))
    stopping.abort()
    expect(await failed).toEqual(new ScanFailed('the scan was stopped'))
    await expect(scanPage(`${origin}/shop`, deps, stopping.signal)).rejects.toThrow(ScanFailed)
  })
})

describe('without a browser', () => {
  test('the error says what to install', async () => {
    await expect(loadPlaywright('playwright-core-that-is-not-there')).rejects.toThrow(/npm install/)
    await expect(findChromium(undefined, '/nonexistent')).rejects.toThrow(NoBrowser)
    await expect(findChromium('/nonexistent/chromium', '')).rejects.toThrow(
      '/nonexistent/chromium is not a program',
    )
    const given = { ...deps, chromium: '/bin/false' }
    await expect(scanPage('http://shop.example/', given)).rejects.toThrow(/does not start/)
  })
})

test.each([
  ['PATH', true],
  ['HOME', true],
  ['LC_ALL', true],
  ['XDG_RUNTIME_DIR', true],
  ['FONTCONFIG_FILE', true],
  ['ZONEREEVE_ADMIN_TOKEN', false],
  ['AWS_SECRET_ACCESS_KEY', false],
  ['PGPASSWORD', false],
  ['LD_PRELOAD', false],
  ['MY_PATH', false],
  ['PATH_SECRET', false],
])('a browser is started with the variable %s: %s', (name, isPassed) => {
  expect(environmentOfBrowser({ [name]: 'x' })).toEqual(isPassed ? { [name]: 'x' } : {})
})

describe('what a page loads', () => {
  test.each([
    ['script', false, 'script'],
    ['document', false, undefined],
    ['document', true, 'frame'],
    ['ping', false, 'connection'],
    ['image', false, undefined],
  ] as const)('a request of type %s (in a frame: %s) is %s', (type, isInFrame, kind) => {
    expect(kindOfRequest(type, isInFrame)).toBe(kind)
  })

  test('is listed once and up to a limit; what has no host is left out', () => {
    const loads = createPageLoads(2)
    for (const url of ['https://a.example/', 'https://a.example/', 'data:,x', 'blob:https://a.example/1'])
      loads.add('script', url)
    loads.add('connection', 'wss://a.example/')
    loads.add('frame', 'https://b.example/')
    const listed = {
      scripts: ['https://a.example/'],
      connections: ['wss://a.example/'],
      frames: [],
      omitted: 1,
    }
    expect(loads.taken()).toEqual(listed)
  })

  test('cookies of other hosts are left out', () => {
    const cookie = {
      name: 'n',
      path: '/',
      expires: -1,
      httpOnly: false,
      secure: true,
      sameSite: 'None' as const,
    }
    const domains = ['shop.example', '.example', 'api.shop.example', '.other.example', 'example']
    const all = domains.map((domain) => ({ ...cookie, domain }))
    expect(pageCookies(all, 'shop.example', new Set(['n'])).setCookie).toEqual([
      'n=; Path=/; Secure; SameSite=None',
      'n=; Domain=example; Path=/; Secure; SameSite=None',
    ])
  })

  test.each([
    ['a=b; Path=/', 'a'],
    [' a =b=c', 'a'],
    ['nothing', ''],
    ['', ''],
  ])('the name in %j is %j', (header, name) => expect(nameOfSetCookie(header)).toBe(name))
})
