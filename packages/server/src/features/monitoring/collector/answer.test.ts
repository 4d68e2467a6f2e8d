// Replies to browsers over raw sockets, for every spelling of the address, and how each request is counted.
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startTestApp, type TestApp, type TestAppOptions } from '../../../testing/app.ts'
import { startRedis } from '@zonereeve/report-log/testing/redis.ts'
import { describeWith } from '../../../../../../scripts/test-requirements.ts'
import { exchangeHalfClosed, exchangeOctets } from '../../../testing/http-client.ts'
import { MAX_REPORT_BYTES } from './answer.ts'

const PATH = '/cdn-cgi/script_monitor/report'
const PATIENT = { timeout: 60_000 }

interface Site {
  readonly app: TestApp
  /** Includes the question mark. */
  readonly query: string
  send(...octets: readonly string[]): Promise<readonly Reply[]>
  /** Counters of the zone, and its inventory. */
  counts(): Promise<{ recorded: number; dropped: Record<string, number> }>
}

interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

async function openSite(options: TestAppOptions = {}): Promise<Site> {
  const app = await startTestApp(options)
  const { id: zoneId } = await app.must('POST', '/zones', { name: 'example.com' })
  await app.must('PUT', `/zones/${zoneId}/page_shield`, { enabled: true })
  const zone = { id: zoneId } as never // the address depends only on the id
  const url = await app.pageShield.reporting.reportingUrls(app.storage, zone)
  return {
    app,
    query: new URL(url(new URL('https://example.com/'), null)).search,
    send: async (...octets) => repliesIn(await exchangeOctets(app.port, ...octets)),
    counts: () => app.must('GET', `/zonereeve/zones/${zoneId}/page_shield/collector`),
  }
}

function repliesIn(octets: string): Reply[] {
  return octets
    .split(/(?=HTTP\/1\.[01] \d{3} )/)
    .filter((text) => text !== '')
    .map((text) => {
      const [head = '', ...rest] = text.split('\r\n\r\n')
      const [line = '', ...lines] = head.split('\r\n')
      const headers = Object.fromEntries(
        lines.map((header) => header.toLowerCase().split(': ') as [string, string]), // as Node writes them
      )
      return { status: Number(line.slice(9, 12)), headers, body: rest.join('\r\n\r\n') }
    })
}

let reported = 0
/** A report about a script that was not reported before. */
const reportBody = () =>
  JSON.stringify({
    'csp-report': {
      'document-uri': 'https://example.com/',
      'blocked-uri': `https://cdn.example.net/${++reported}.js`,
      'effective-directive': 'script-src-elem',
    },
  })

const CLOSE = 'Connection: close\r\n'
const post = (target: string, { headers = CLOSE, body = reportBody(), version = '1.1' } = {}): string =>
  `POST ${target} HTTP/${version}\r\nHost: example.com\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

describe('over a raw socket', () => {
  let site: Site
  beforeAll(async () => {
    site = await openSite()
  })
  afterAll(() => site.app.close())

  test.each<[name: string, target: (query: string) => string]>([
    ['in its canonical form', (query) => PATH + query],
    ['in the other spelling', (query) => `/cdn-cgi/script-monitor/report${query}`],
    ['with a trailing slash', (query) => `${PATH}/${query}`],
    ['in percents', (query) => `/cdn-cgi/script%5Fmonitor/report${query}`],
    ['in its absolute form', (query) => `http://example.com${PATH}${query}`],
  ])('an address %s takes reports, and answers preflights', async (_, target) => {
    const before = await site.counts()
    const replies = await site.send(
      post(target(site.query), { headers: '' }),
      `OPTIONS ${target('')} HTTP/1.1\r\nHost: example.com\r\n${CLOSE}\r\n`,
    )
    expect(replies).toEqual([
      {
        status: 204,
        headers: expect.objectContaining({ 'access-control-allow-origin': '*' }) as object,
        body: '',
      },
      {
        status: 204,
        headers: expect.objectContaining({ 'access-control-max-age': '86400' }) as object,
        body: '',
      },
    ])
    expect((await site.counts()).recorded).toBe(before.recorded + 1)
  })

  test.each([
    ['another method', `PUT ${PATH} HTTP/1.1`],
    ['a path with the same prefix', `POST ${PATH}s HTTP/1.1`],
    ['a path in capitals', `POST ${PATH.toUpperCase()} HTTP/1.1`],
  ])('%s is not for the collector', async (_, line) => {
    const before = await site.counts()
    const replies = await site.send(`${line}\r\nHost: localhost\r\n${CLOSE}Content-Length: 0\r\n\r\n`)
    expect(replies).toMatchObject([
      { status: 404, body: expect.stringContaining('"success":false') as string },
    ])
    expect(await site.counts()).toEqual(before)
  })

  test('pipelined requests are all answered in order, including API requests', async () => {
    const before = await site.counts()
    const replies = await site.send(
      post(PATH + site.query, { headers: '' }) +
        'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n' +
        post(PATH + site.query, { headers: '', body: '{' }) +
        post(PATH + site.query),
    )
    expect(replies.map(({ status }) => status)).toEqual([204, 404, 204, 204])
    const { recorded, dropped } = await site.counts()
    expect([recorded - before.recorded, dropped['malformed']]).toEqual([2, 1])
  })

  test('HTTP/1.0 is answered, a chunked body is assembled, and garbage after it does not affect its reply', async () => {
    const before = await site.counts()
    const body = reportBody()
    const chunked = `POST ${PATH}${site.query} HTTP/1.1\r\nHost: x\r\n${CLOSE}Transfer-Encoding: chunked\r\n\r\n`
    const half = `14\r\n${body.slice(0, 20)}\r\n`
    const rest = `${(body.length - 20).toString(16)}\r\n${body.slice(20)}\r\n0\r\n\r\n`
    for (const [index, octets] of [
      [post(PATH + site.query, { version: '1.0', headers: '' })],
      [chunked, half, rest],
      [post(PATH + site.query) + '\0'.repeat(3000)],
    ].entries())
      expect([index, (await site.send(...octets)).map(({ status }) => status)]).toEqual([index, [204]])
    expect((await site.counts()).recorded).toBe(before.recorded + 3)
  })

  test.each<[name: string, octets: (query: string) => string, status: number]>([
    [
      'an invalid content type',
      (query) => post(PATH + query, { headers: `${CLOSE}Content-Type: report\r\n` }),
      400,
    ],
    [
      'a Content-Length one octet over the limit, before the body arrives',
      (query) =>
        `POST ${PATH}${query} HTTP/1.1\r\nHost: x\r\nContent-Length: ${MAX_REPORT_BYTES + 1}\r\n\r\n`,
      413,
    ],
    [
      'a chunked body one octet over the limit, before its end',
      (query) =>
        `POST ${PATH}${query} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n10001\r\n${' '.repeat(MAX_REPORT_BYTES + 1)}\r\n`,
      413,
    ],
  ])('%s is refused, and the connection closed', async (_, octets, status) => {
    const before = await site.counts()
    expect(await site.send(octets(site.query))).toEqual([
      {
        status,
        headers: expect.objectContaining({
          connection: 'close',
          'access-control-allow-origin': '*',
        }) as object,
        body: '',
      },
    ])
    expect(await site.counts()).toEqual(before)
  })

  test('an incomplete request is rejected, and stores nothing', async () => {
    const before = await site.counts()
    const half = post(PATH + site.query).slice(0, -10)
    expect(repliesIn(await exchangeHalfClosed(site.app.port, half))).toMatchObject([{ status: 400 }])
    expect(await site.counts()).toEqual(before)
    expect(site.app.logged.filter(({ level }) => level === 'error')).toEqual([])
  })
})

describe('the rate', () => {
  const reportRate = { requests: 1, windowSeconds: 10 }
  const from = (address: string) => ({ headers: `${CLOSE}X-Forwarded-For: ${address}\r\n` })

  test.each([
    ['counts the client that a trusted proxy names', ['127.0.0.0/8'], [204, 204, 429]],
    ['counts the socket address if no proxy is trusted, and ignores headers', [], [204, 429, 429]],
  ])('%s', async (_, trustProxy, expected) => {
    const site = await openSite({ reportRate, trustProxy })
    onTestFinished(() => site.app.close())
    const statuses: number[] = []
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.1']) {
      const [reply] = await site.send(post(PATH + site.query, from(address)))
      statuses.push(reply?.status ?? 0)
      if (reply?.status === 429)
        expect(reply.headers).toMatchObject({ 'retry-after': '60', 'content-length': '0' })
    }
    expect(statuses).toEqual(expected)
    expect((await site.counts()).recorded).toBe(expected.filter((status) => status === 204).length)
  })
})

test('a zone that cannot be read is logged and counted, but not shown to the sender', async () => {
  const site = await openSite()
  onTestFinished(() => site.app.close())
  const { storage } = site.app
  const first = storage.first.bind(storage)
  storage.first = () => Promise.reject(new Error('disk failed'))
  const [reply] = await site.send(post(PATH + site.query))
  storage.first = first
  expect(reply).toMatchObject({ status: 204, body: '' })
  expect(site.app.logged.filter(({ level }) => level === 'error')).toMatchObject([
    { event: 'zone of reports not read' },
  ])
  expect((await site.counts()).recorded).toBe(0)
})

test('a closing server completes requests in progress, and then closes the connection', async () => {
  const site = await openSite()
  const { server } = site.app.server
  const socket = connect({ port: site.app.port, host: '127.0.0.1' })
  const octets = post(PATH + site.query, { headers: '' })
  const begun = once(server, 'request')
  socket.write(octets.slice(0, -1))
  await begun
  const closed = site.app.close()
  while (server.listening) await new Promise((resolve) => setImmediate(resolve))
  socket.write(octets.slice(-1))
  expect(repliesIn((await socket.toArray()).join(''))).toMatchObject([
    { status: 204, headers: { connection: 'close' } },
  ])
  await closed
})

describeWith('redis', 'the log of reports', () => {
  test('while it is gone, reports are refused for now, and can be sent again when it is back', async () => {
    const redis = await startRedis({ isKept: true })
    onTestFinished(redis.stop)
    const site = await openSite({ reportLog: redis.url })
    onTestFinished(() => site.app.close())
    const body = reportBody()
    const report = async () => {
      const [reply] = await site.send(post(PATH + site.query, { body }))
      return reply
    }
    // It connects when it can.
    await expect.poll(async () => (await report())?.status, PATIENT).toBe(204)
    await redis.kill()
    const gone = {
      status: 503,
      headers: { 'retry-after': '2', 'access-control-allow-origin': '*' },
      body: '',
    }
    const later = reportBody()
    const [refused] = await site.send(post(PATH + site.query, { body: later }))
    expect(refused).toMatchObject(gone)
    // A browser that sends it again learns the same: nothing remembers it as stored.
    expect((await site.send(post(PATH + site.query, { body: later })))[0]).toMatchObject(gone)
    await redis.start()
    const again = async () => (await site.send(post(PATH + site.query, { body: later })))[0]?.status
    await expect.poll(again, PATIENT).toBe(204)
  })
})
