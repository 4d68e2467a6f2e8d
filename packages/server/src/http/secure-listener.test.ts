// The API over TLS, over real sockets: HTTP/2 and HTTP/1.1 get the answers of plain HTTP, the certificate changes
// without closing connections, and broken clients affect no other.
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2'
import { request as requestHttp1 } from 'node:https'
import { connect as connectTcp } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { FIRST, SECOND } from '@zonereeve/nameserver/certificate.cases.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ADMIN_TOKEN, startTestApp, type TestApp } from '../testing/app.ts'
import { limitConnections } from './connections.ts'
import { createClientErrorHandler } from './client-errors.ts'
import { listenSecurely, type SecureListener } from './secure-listener.ts'

const HOST = '127.0.0.1'
/** A short answer. */
const USER = '/client/v4/user'
const DRAIN_MILLIS = 5_000
const MAX_CONNECTIONS = 4

const certificateOf = ({ cert, key }: typeof FIRST) => ({ cert: Buffer.from(cert), key: Buffer.from(key) })

let app: TestApp
let listener: SecureListener
let sessions: ClientHttp2Session[]
let openCount: number

async function start(hstsDays = 365, allowedHosts: readonly string[] = []): Promise<void> {
  app = await startTestApp({ allowedHosts })
  openCount = 0
  const connections = limitConnections({
    max: MAX_CONNECTIONS,
    log: { warn: () => {} },
    setOpen: (count) => void (openCount = count),
    countClosed: () => {},
  })
  const clientErrors = createClientErrorHandler()
  listener = await listenSecurely({ host: HOST, port: 0 }, certificateOf(FIRST), {
    plain: app.server.server,
    connections,
    clientError: clientErrors.handle,
    hstsDays,
    log: { debug: () => {} },
  })
  sessions = []
}

beforeEach(() => start())
afterEach(async () => {
  for (const session of sessions) session.destroy()
  await listener.close(0)
  await app.close()
})

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

function connect(ca = FIRST.cert): ClientHttp2Session {
  const session = connectHttp2(`https://localhost:${listener.port}`, { ca, servername: 'localhost' })
  session.on('error', () => {})
  sessions.push(session)
  return session
}

async function ask2(
  session: ClientHttp2Session,
  path: string,
  {
    body,
    headers = {},
  }: { readonly body?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Answer> {
  const stream = session.request({
    ':path': path,
    ':method': body === undefined ? 'GET' : 'POST',
    authorization: `Bearer ${ADMIN_TOKEN}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  })
  stream.end(body)
  const response = once(stream, 'response')
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  const [received] = (await response) as [Record<string, unknown>]
  await once(stream, 'close')
  return { status: Number(received[':status']), headers: received, text }
}

async function ask1(path: string, ca = FIRST.cert, headers: Record<string, string> = {}): Promise<Answer> {
  const request = requestHttp1({
    host: HOST,
    port: listener.port,
    path,
    ca,
    agent: false,
    servername: 'localhost',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, ...headers },
  }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response as AsyncIterable<Buffer>) text += chunk.toString()
  return { status: response.statusCode ?? 0, headers: response.headers, text }
}

describe('requests', () => {
  test('over HTTP/2 whose client leaves within the body change nothing, whatever was sent', async () => {
    const session = connect()
    const stream = session.request({
      ':path': '/client/v4/zones',
      ':method': 'POST',
      authorization: `Bearer ${ADMIN_TOKEN}`,
      'content-type': 'application/json',
    })
    stream.on('error', () => {})
    const arrived = once(app.server.server, 'request')
    stream.write('{"name":"half.example"}')
    await arrived
    await ask2(session, USER) // what was sent before has arrived
    session.destroy()
    const other = connect()
    for (let i = 0; i < 5; i++) await ask2(other, USER)
    const { json } = await app.call({ method: 'GET', path: '/zones' })
    expect(json.result).toEqual([])
  })

  test('over HTTP/2 and HTTP/1.1 are answered as over plain HTTP', async () => {
    const created = await ask2(connect(), '/client/v4/zones', { body: '{"name":"example.com"}' })
    expect(created.status).toBe(200)
    const { text } = await app.call({ method: 'GET', path: '/zones' })
    const [over2, over1] = [await ask2(connect(), '/client/v4/zones'), await ask1('/client/v4/zones')]
    expect([over2.status, over2.text, over1.status, over1.text]).toEqual([200, text, 200, text])
    for (const { headers } of [over2, over1]) {
      expect(headers['strict-transport-security']).toBe('max-age=31536000')
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
  })

  test('many at a time on one session', async () => {
    const session = connect()
    const answers = await Promise.all(Array.from({ length: 300 }, () => ask2(session, '/client/v4/user')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })

  test('without a credential, with an unknown path and with a bad body are refused', async () => {
    const session = connect()
    const refused = [
      await ask2(session, '/client/v4/zones', { headers: { authorization: 'none' } }),
      await ask2(session, '/client/v4/nothing'),
      await ask2(session, '/client/v4/zones', { body: '{' }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([400, 404, 400])
    expect(session.destroyed).toBe(false)
  })

  test('plain HTTP has no Strict-Transport-Security', async () => {
    const { headers } = await app.call({ method: 'GET', path: '/zones' })
    expect(headers).not.toHaveProperty('strict-transport-security')
  })
})

describe('hosts', () => {
  test('any name is answered on loopback, since the browser has checked the certificate', async () => {
    expect((await ask1(USER, FIRST.cert, { host: 'dns.example.com' })).status).toBe(200)
  })

  test('with allowed names, others are refused over both versions', async () => {
    await listener.close(0)
    await app.close()
    await start(0, ['dns.example.com'])
    const session = connect()
    const named = (authority: string) => ask2(session, USER, { headers: { ':authority': authority } })
    expect((await named('dns.example.com')).status).toBe(200)
    expect((await named('other.example.com')).status).toBe(421)
    expect((await ask1(USER, FIRST.cert, { host: 'other.example.com' })).status).toBe(421)
    // `:authority` counts, not the other header.
    const both = { ':authority': 'other.example.com', host: 'dns.example.com' }
    expect((await ask2(session, USER, { headers: both })).status).toBe(421)
    expect((await named('dns.example.com')).headers).not.toHaveProperty('strict-transport-security')
  })
})

describe('a new certificate', () => {
  test('is used for new connections, and open ones continue', async () => {
    const before = connect()
    expect((await ask2(before, USER)).status).toBe(200)
    listener.useCertificate(certificateOf(SECOND))
    expect((await ask1(USER, SECOND.cert)).status).toBe(200)
    await expect(ask1(USER, FIRST.cert)).rejects.toThrow(/self-signed|certificate/)
    expect((await ask2(before, USER)).status).toBe(200)
  })

  test('that does not match its key is refused, and the old one stays', async () => {
    expect(() => listener.useCertificate({ ...certificateOf(SECOND), key: Buffer.from(FIRST.key) })).toThrow(
      /mismatch/,
    )
    expect((await ask1(USER)).status).toBe(200)
  })
})

describe('clients that break the protocol', () => {
  test.each<[name: string, bytes: Buffer | string]>([
    ['plain HTTP', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['random octets', Buffer.alloc(600, 0xff)],
    ['nothing', ''],
  ])('%s instead of a handshake', async (_, bytes) => {
    const socket = connectTcp(listener.port, HOST)
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(bytes)
    if (bytes === '') socket.resetAndDestroy()
    await once(socket, 'close')
    expect((await ask1(USER)).status).toBe(200)
  })

  test.each<[name: string, protocol: string, bytes: string]>([
    ['garbage as HTTP/1.1', 'http/1.1', 'garbage\r\n\r\n'],
    ['garbage as HTTP/2', 'h2', 'garbage that is no preface at all\r\n\r\n'],
  ])('%s', async (_, protocol, bytes) => {
    const socket = connectTls({
      port: listener.port,
      host: HOST,
      ca: FIRST.cert,
      servername: 'localhost',
      ALPNProtocols: [protocol],
    })
    socket.on('error', () => {})
    await once(socket, 'secureConnect')
    let received = ''
    socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
    socket.write(bytes)
    await once(socket, 'close')
    if (protocol === 'http/1.1') expect(received).toMatch(/^HTTP\/1.1 400 /)
    expect((await ask1(USER)).status).toBe(200)
  })

  test('streams that are reset at once', async () => {
    const session = connect()
    for (let count = 0; count < 50; count += 1) {
      const stream = session.request({ ':path': '/client/v4/zones', authorization: `Bearer ${ADMIN_TOKEN}` })
      stream.on('error', () => {})
      stream.close()
    }
    expect((await ask1(USER)).status).toBe(200)
  })
})

test('the longest idle session gives way to a new connection', async () => {
  const first = connect()
  await ask2(first, USER)
  const others = Array.from({ length: MAX_CONNECTIONS - 1 }, () => connect())
  for (const session of others) await ask2(session, USER)
  expect(openCount).toBe(MAX_CONNECTIONS)
  const closed = once(first, 'close')
  expect((await ask2(connect(), USER)).status).toBe(200)
  await closed
  expect(others.every(({ destroyed }) => !destroyed)).toBe(true)
})

test('closing finishes the request in progress, and closes idle connections', async () => {
  const [idle, busy] = [connect(), connect()]
  await Promise.all([ask2(idle, USER), ask2(busy, USER)])
  const headers = { ':path': '/client/v4/zones', ':method': 'POST', authorization: `Bearer ${ADMIN_TOKEN}` }
  const stream = busy.request({ ...headers, 'content-type': 'application/json' })
  stream.write('{"name":')
  await ask2(busy, USER)
  const idleClosed = once(idle, 'close')
  const closed = listener.close(DRAIN_MILLIS)
  await idleClosed
  const response = once(stream, 'response')
  stream.end('"closing.example"}')
  const [{ ':status': status }] = (await response) as [{ ':status': number }]
  stream.resume()
  await closed
  expect(status).toBe(200)
})
