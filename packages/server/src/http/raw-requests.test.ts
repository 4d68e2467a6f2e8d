// Requests that no HTTP library would send, over a bare socket: old versions, rubbish, and too much of everything.
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

/** Status lines and bodies of all replies in what came back. */
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

describe('requests that say something else than they should', () => {
  const post = (headers: string, body: Buffer) => [
    `POST /client/v4/zones HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${AUTHORIZATION}${headers}Content-Length: ${body.length}\r\n\r\n`,
    body,
  ]
  const json = 'Content-Type: application/json\r\n'
  const valid = Buffer.from('{"name":"octets.example"}')

  test.each([
    ['octets that are no UTF-8', json, Buffer.from('{"name":"x\xff\xfe.example"}', 'latin1'), 400, 6007],
    ['another charset', 'Content-Type: application/json; charset=utf-16\r\n', valid, 415, 6003],
    ['a packed body', `${json}Content-Encoding: gzip\r\n`, valid, 415, 6003],
  ])('%s: refused, and no zone is made', async (_, headers, body, status, code) => {
    const [reply] = await send(...post(headers, body))
    expect(reply?.status).toBe(status)
    expect(reply?.body).toContain(`"code":${code}`)
    expect((await app.must<unknown[]>('GET', '/zones')).length).toBe(0)
  })

  test.each([
    ['as many lists within each other as there may be', MAX_JSON_DEPTH - 1, 1002],
    ['one more', MAX_JSON_DEPTH, 19682],
    ['more than the stack would bear', 200_000, 19682],
  ])('%s: refused, and no zone is made', async (_, lists, code) => {
    // Quotes and brackets of texts do not count.
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
      `QUERY /client/v4/zones HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${AUTHORIZATION}Content-Length: 0\r\n\r\n`,
    )
    expect(replies).toMatchObject([{ status: 405, body: expect.stringContaining('"code":10000') as string }])
  })

  test('a page that JSON cannot say', async () => {
    const { status, json: reply } = await app.call({ method: 'GET', path: '/zones?page=1e400' })
    expect([status, reply.errors[0]?.code, reply.errors[0]?.source?.pointer]).toEqual([400, 6008, '/page'])
  })
})

describe('requests that never end', () => {
  const half = `POST /client/v4/zones HTTP/1.1\r\nHost: x\r\n${AUTHORIZATION}Content-Length: 100\r\n\r\n{`

  test('one whose client closes its side is refused, and its socket with it', async () => {
    expect(repliesIn(await exchangeHalfClosed(app.port, half))).toMatchObject([{ status: 400 }])
  })

  test('rubbish in place of a chunk is refused at once', async () => {
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
    '%i NUL bytes behind an HTTP/1.0 request do not spoil its reply (inadyn)',
    async (count) => {
      const replies = await send(
        `GET ${USER} HTTP/1.0\r\nHost: x\r\n${AUTHORIZATION}\r\n`,
        Buffer.alloc(count),
      )
      expect(replies).toMatchObject([{ status: 200, body: expect.stringMatching(/"success":true/) }])
    },
  )

  test('NUL bytes behind a request that is closed do not spoil its reply', async () => {
    const replies = await send(
      `GET ${USER} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${AUTHORIZATION}\r\n${'\0'.repeat(3000)}`,
    )
    expect(replies).toMatchObject([{ status: 200, body: expect.stringMatching(/"success":true/) }])
  })

  test('a reply after rubbish fits eight kilobytes, and nothing follows it', async () => {
    const octets = await exchangeOctets(
      app.port,
      `GET ${USER} HTTP/1.0\r\n${AUTHORIZATION}\r\n${'\0'.repeat(3000)}`,
    )
    expect(octets.length).toBeLessThan(8192)
    expect(octets.endsWith('}')).toBe(true)
  })

  test('requests behind each other are answered in order', async () => {
    const request = (path: string, more = '') =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}${AUTHORIZATION}\r\n`
    const replies = await send(
      request(USER) + request('/client/v4/nowhere') + request('/client/v4/zones', 'Connection: close\r\n'),
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 200])
  })

  const refused: [name: string, request: string, status: number, code: number][] = [
    ['rubbish', 'rubbish\r\n\r\n', 400, 6007],
    ['a method that there is not', `NOPE ${USER} HTTP/1.1\r\nHost: x\r\n\r\n`, 400, 6007],
    ['a TLS greeting', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000', 400, 6007],
    ['another version', `GET ${USER} HTTP/9.9\r\n\r\n`, 400, 6007],
    ['a broken header', `GET ${USER} HTTP/1.1\r\nHost x\r\n\r\n`, 400, 6007],
    [
      'two lengths',
      `POST ${USER} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
      400,
      6007,
    ],
    [
      'a length that is no number',
      `POST ${USER} HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n`,
      400,
      6007,
    ],
    [
      'a length beside chunks, which could hide a second request',
      `POST ${USER} HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      6007,
    ],
    [
      'headers that are too large',
      `GET ${USER} HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(MAX_HEADER_BYTES)}\r\n\r\n`,
      431,
      19431,
    ],
    [
      'a path that is too large',
      `GET ${USER}?${'a'.repeat(MAX_HEADER_BYTES)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      431,
      19431,
    ],
  ]
  test.each(refused)(
    '%s is refused in the envelope, and the connection closed',
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
    // The server looks for late requests at intervals of its own; here it is told that it has found one.
    const { server } = slow.server
    const socketSeen = new Promise<unknown>((resolve) => server.once('connection', resolve))
    const exchange = exchangeOctets(slow.port, `GET ${USER} HTTP/1.1\r\nHost: x\r\n`)
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

  test('a body that is larger than its limit is refused before it has all come', async () => {
    const zone = await app.must('POST', '/zones', { name: 'raw.example' })
    const head = `POST /client/v4/zones/${zone.id}/dns_records HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${AUTHORIZATION}Content-Type: application/json\r\nContent-Length: 100000000\r\n\r\n`
    const replies = await send(`${head}{"type":"A"`)
    expect(replies).toMatchObject([{ status: 413, body: expect.stringMatching(/"code":19413/) }])
  })

  test('a chunked body is counted as it comes', async () => {
    const zone = await app.must('POST', '/zones', { name: 'chunked.example' })
    const head = `POST /client/v4/zones/${zone.id}/dns_records HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${AUTHORIZATION}Transfer-Encoding: chunked\r\n\r\n`
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

  test('the server is as well as before', async () => {
    expect((await app.call({ method: 'GET', path: '/user' })).status).toBe(200)
    expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
  })
})
