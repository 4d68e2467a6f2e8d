// Requests that no HTTP library would send, over a bare socket: old versions, garbage, and limits exceeded.
import { REPORTING_PATHS } from '@zonereeve/csp'
import { MAX_JSON_DEPTH } from './bodies.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_TOKEN, startTestApp, type TestApp } from '../testing/app.ts'
import { exchangeHalfClosed, exchangeOctets } from '../testing/http-client.ts'

const MAX_HEADER_BYTES = 16_384
const AUTHORIZATION = `Authorization: Bearer ${ADMIN_TOKEN}\r\n`
const USER = '/client/v4/user'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** Status lines and bodies of all replies in the received text. */
function repliesIn(octets: string): { status: number; body: string }[] {
  return octets
    .split(/(?=HTTP\/1\.[01] \d{3} )/)
    .filter((text) => text !== '')
    .map((text) => {
      const [head = '', ...rest] = text.split('\r\n\r\n')
      return { status: Number(head.slice(9, 12)), body: rest.join('\r\n\r\n') }
    })
}

const send = async (...octets: (string | Buffer)[]) => repliesIn(await exchangeOctets(app.port, ...octets))

describe('requests with invalid encodings', () => {
  const post = (headers: string, body: Buffer) => [
    `POST /client/v4/zones HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${AUTHORIZATION}${headers}Content-Length: ${body.length}\r\n\r\n`,
    body,
  ]
  const json = 'Content-Type: application/json\r\n'
  const valid = Buffer.from('{"name":"octets.example"}')

  test.each([
    ['octets that are not UTF-8', json, Buffer.from('{"name":"x\xff\xfe.example"}', 'latin1'), 400, 6007],
    ['another charset', 'Content-Type: application/json; charset=utf-16\r\n', valid, 415, 6003],
    ['a packed body', `${json}Content-Encoding: gzip\r\n`, valid, 415, 6003],
  ])('%s: rejected, and no zone is created', async (_, headers, body, status, code) => {
    const [reply] = await send(...post(headers, body))
    expect(reply?.status).toBe(status)
    expect(reply?.body).toContain(`"code":${code}`)
    expect((await app.must<unknown[]>('GET', '/zones')).length).toBe(0)
  })

  test.each([
    ['the maximum nesting of arrays', MAX_JSON_DEPTH - 1, 1002],
    ['one more', MAX_JSON_DEPTH, 19682],
    ['nesting beyond the stack limit', 200_000, 19682],
  ])('%s: rejected, and no zone is created', async (_, lists, code) => {
    // Quotes and brackets inside strings do not count.
    const body = `${'['.repeat(lists)}"\\"[[{"${']'.repeat(lists)}`
    const { status, json: reply } = await app.call({
      method: 'POST',
      path: '/zones',
      body: `{"name":${body}}`,
    })
    expect([status, reply.errors[0]?.code]).toEqual([400, code])
    expect((await app.must<unknown[]>('GET', '/zones')).length).toBe(0)
  })

  test('a method that no operation has', async () => {
    const replies = await send(
      `QUERY /client/v4/zones HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${AUTHORIZATION}Content-Length: 0\r\n\r\n`,
    )
    expect(replies).toMatchObject([{ status: 405, body: expect.stringContaining('"code":10000') as string }])
  })

  test('a page parameter that JSON cannot represent', async () => {
    const { status, json: reply } = await app.call({ method: 'GET', path: '/zones?page=1e400' })
    expect([status, reply.errors[0]?.code, reply.errors[0]?.source?.pointer]).toEqual([400, 6008, '/page'])
  })
})

describe('the Host header', () => {
  const ask = (...hosts: string[]) =>
    `GET ${USER} HTTP/1.1\r\n${hosts.map((host) => `Host: ${host}\r\n`).join('')}Connection: close\r\n${AUTHORIZATION}\r\n`

  test.each([
    ['an address', 'other.example.com', '127.0.0.1', 200],
    ['an IPv6 address with a port', 'other.example.com', '[::1]:8080', 200],
    ['localhost with a port', 'other.example.com', 'localhost:8080', 200],
    ['a name below localhost, with a trailing dot', 'other.example.com', 'zonereeve.LOCALHOST.', 200],
    ['an allowed name', 'dns.example.com', 'DNS.example.com:443', 200],
    ['a foreign name', 'dns.example.com', 'rebound.example.net', 421],
    ['a name below an allowed one', 'dns.example.com', 'a.dns.example.com', 421],
    ['a name that only looks like an address', 'dns.example.com', '127.0.0.1.example.net', 421],
    ['an empty name', 'dns.example.com', '', 421],
  ])('%s', async (_, allowed, host, status) => {
    const own = await startTestApp({ allowedHosts: [allowed] })
    const replies = repliesIn(await exchangeOctets(own.port, ask(host)))
    expect(replies).toMatchObject([
      {
        status,
        body: expect.stringContaining(status === 200 ? '"success":true' : '"code":19815') as string,
      },
    ])
    await own.close()
  })

  test('is not checked if any name is allowed', async () => {
    const own = await startTestApp({ allowedHosts: 'any' })
    expect(repliesIn(await exchangeOctets(own.port, ask('rebound.example.net')))).toMatchObject([
      { status: 200 },
    ])
    await own.close()
  })

  test.each([
    ['the same', ['localhost', 'localhost']],
    ['different ones', ['localhost', 'rebound.example.net']],
  ])('twice, %s, is rejected', async (_, hosts) => {
    const replies = await send(ask(...hosts))
    expect(replies).toMatchObject([{ status: 400, body: expect.stringContaining('"code":6007') as string }])
  })

  test('twice is rejected for reports too', async () => {
    const [reply] = await send(
      `POST ${REPORTING_PATHS[0]} HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    )
    expect(reply?.status).toBe(400)
  })

  test('may be a foreign site where its pages send reports', async () => {
    const path = `${REPORTING_PATHS[0] ?? ''}/`
    const [reply] = await send(`OPTIONS ${path} HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n`)
    expect(reply?.status).toBe(204)
  })
})

describe('requests that never end', () => {
  test('headers that come slowly are a 408 in the envelope, and the connection is closed', async () => {
    const slow = await startTestApp()
    const { server } = slow.server
    expect(server.headersTimeout).toBe(20_000)
    server.headersTimeout = 10
    const replies = repliesIn(await exchangeOctets(slow.port, `GET ${USER} HTTP/1.1\r\nHost: localh`))
    expect(replies).toMatchObject([{ status: 408, body: expect.stringContaining('"code":19408') as string }])
    await slow.close()
  })

  const half = `POST /client/v4/zones HTTP/1.1\r\nHost: localhost\r\n${AUTHORIZATION}Content-Length: 100\r\n\r\n{`

  test('a request whose client half-closes is rejected, and its socket closed', async () => {
    expect(repliesIn(await exchangeHalfClosed(app.port, half))).toMatchObject([{ status: 400 }])
  })

  test('garbage instead of a chunk is rejected at once', async () => {
    const chunked = half.replace('Content-Length: 100', 'Transfer-Encoding: chunked')
    expect(await send(`${chunked}zz\r\n`)).toMatchObject([{ status: 400 }])
  })
})

describe('raw requests', () => {
  test('HTTP/1.0 is answered, and the connection closed', async () => {
    const replies = await send(`GET ${USER} HTTP/1.0\r\n${AUTHORIZATION}\r\n`)
    expect(replies).toMatchObject([
      { status: 200, body: expect.stringMatching(/"email":"admin@example\.com"/) },
    ])
  })

  test.each([1, 100, 3000, 20_000])(
    '%i NUL bytes after an HTTP/1.0 request do not break its reply (inadyn)',
    async (count) => {
      const replies = await send(
        `GET ${USER} HTTP/1.0\r\nHost: localhost\r\n${AUTHORIZATION}\r\n`,
        Buffer.alloc(count),
      )
      expect(replies).toMatchObject([{ status: 200, body: expect.stringMatching(/"success":true/) }])
    },
  )

  test('NUL bytes after a request with Connection: close do not break its reply', async () => {
    const replies = await send(
      `GET ${USER} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${AUTHORIZATION}\r\n${'\0'.repeat(3000)}`,
    )
    expect(replies).toMatchObject([{ status: 200, body: expect.stringMatching(/"success":true/) }])
  })

  test('a reply after garbage fits eight kilobytes, and nothing follows it', async () => {
    const octets = await exchangeOctets(
      app.port,
      `GET ${USER} HTTP/1.0\r\n${AUTHORIZATION}\r\n${'\0'.repeat(3000)}`,
    )
    expect(octets.length).toBeLessThan(8192)
    expect(octets.endsWith('}')).toBe(true)
  })

  test('pipelined requests are answered in order', async () => {
    const request = (path: string, more = '') =>
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}${AUTHORIZATION}\r\n`
    const replies = await send(
      request(USER) + request('/client/v4/nowhere') + request('/client/v4/zones', 'Connection: close\r\n'),
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 200])
  })

  const refused: [name: string, request: string, status: number, code: number][] = [
    ['rubbish', 'rubbish\r\n\r\n', 400, 6007],
    ['an unknown method', `NOPE ${USER} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 400, 6007],
    ['a TLS greeting', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000', 400, 6007],
    ['another version', `GET ${USER} HTTP/9.9\r\n\r\n`, 400, 6007],
    ['a broken header', `GET ${USER} HTTP/1.1\r\nHost x\r\n\r\n`, 400, 6007],
    [
      'two lengths',
      `POST ${USER} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
      400,
      6007,
    ],
    [
      'a length that is not a number',
      `POST ${USER} HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n`,
      400,
      6007,
    ],
    [
      'a length beside chunks, which could smuggle a second request',
      `POST ${USER} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      6007,
    ],
    [
      'headers that are too large',
      `GET ${USER} HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'a'.repeat(MAX_HEADER_BYTES)}\r\n\r\n`,
      431,
      19431,
    ],
    [
      'a path that is too large',
      `GET ${USER}?${'a'.repeat(MAX_HEADER_BYTES)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      431,
      19431,
    ],
  ]
  test.each(refused)(
    '%s is rejected in the envelope, and the connection closed',
    async (_, request, status, code) => {
      const replies = await send(request)
      expect(replies.map((reply) => reply.status)).toEqual([status])
      expect(JSON.parse(replies[0]?.body ?? '')).toMatchObject({
        success: false,
        errors: [{ code }],
        messages: [],
        result: null,
      })
    },
  )

  test('a request that never ends is a 408 in the envelope', async () => {
    const slow = await startTestApp()
    // The server looks for late requests at intervals; the test emits the event directly.
    const { server } = slow.server
    const socketSeen = new Promise<unknown>((resolve) => server.once('connection', resolve))
    const exchange = exchangeOctets(slow.port, `GET ${USER} HTTP/1.1\r\nHost: localhost\r\n`)
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    server.emit('clientError', late, await socketSeen)
    const replies = repliesIn(await exchange)
    expect(replies.map(({ status }) => status)).toEqual([408])
    expect(JSON.parse(replies[0]?.body ?? '')).toMatchObject({
      success: false,
      errors: [{ code: 19408 }],
      result: null,
    })
    await slow.close()
  })

  test('a body larger than its limit is rejected before all of it has arrived', async () => {
    const zone = await app.must('POST', '/zones', { name: 'raw.example' })
    const head = `POST /client/v4/zones/${zone.id}/dns_records HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${AUTHORIZATION}Content-Type: application/json\r\nContent-Length: 100000000\r\n\r\n`
    const replies = await send(`${head}{"type":"A"`)
    expect(replies).toMatchObject([{ status: 413, body: expect.stringMatching(/"code":19413/) }])
  })

  test('a chunked body is counted while it arrives', async () => {
    const zone = await app.must('POST', '/zones', { name: 'chunked.example' })
    const head = `POST /client/v4/zones/${zone.id}/dns_records HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${AUTHORIZATION}Transfer-Encoding: chunked\r\n\r\n`
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`
    expect(await send(head, chunk.repeat(17), '0\r\n\r\n')).toMatchObject([
      { status: 413, body: expect.stringMatching(/"code":19413/) },
    ])
    const body = '{"type":"A","name":"www","content":"192.0.2.1"}'
    const small = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    expect(await send(head, small)).toMatchObject([
      { status: 200, body: expect.stringMatching(/"name":"www\.chunked\.example"/) },
    ])
  })

  test('the server still works', async () => {
    expect((await app.call({ method: 'GET', path: '/user' })).status).toBe(200)
    expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
  })
})
