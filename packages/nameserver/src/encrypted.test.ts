// DNS over TLS and over HTTPS, over real sockets.
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2'
import { request as requestHttps } from 'node:https'
import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { decodeMessage, type Message } from '@zonereeve/dns'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from './silent-log.cases.ts'
import { scratchFolder } from './scratch-folder.cases.ts'
import { opt, queryOf, seen, zoneOf } from './asking.cases.ts'
import { FIRST, SECOND } from './certificate.cases.ts'
import { readCertificate, watchCertificate } from './certificate.ts'
import { createNameserver, createZoneTable, type Nameserver, type NameserverOptions } from './index.ts'

const HOST = '127.0.0.1'
const MEDIA_TYPE = 'application/dns-message'
const ZONE = zoneOf(
  'example.com',
  `www 300 A 192.0.2.1\nlong 60 TXT ${Array(8)
    .fill(`"${'x'.repeat(250)}"`)
    .join(' ')}`,
)
const LOOK_MS = 20

function writeFiles(folder: string, { cert, key }: { readonly cert: string; readonly key: string }) {
  const files = { certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  // As renewal tools do it: the new file atomically replaces the old one.
  for (const [path, text] of [
    [files.certificate, cert],
    [files.key, key],
  ] as const) {
    writeFileSync(`${path}.new`, text)
    renameSync(`${path}.new`, path)
  }
  return files
}

async function start(folder: string, options: Partial<NameserverOptions> = {}) {
  const table = createZoneTable()
  table.load(ZONE)
  const server = createNameserver({ table, log: silentLog, ...options })
  const { tls, https } = await server.listenEncrypted({
    files: writeFiles(folder, FIRST),
    tls: { host: HOST, port: 0 },
    https: { host: HOST, port: 0 },
    lookMs: LOOK_MS,
  })
  return { server, folder, tlsPort: tls?.port ?? 0, httpsPort: https?.port ?? 0 }
}

/** `once` would reject on an earlier error. */
const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => void socket.once('close', () => resolve()))

function framed(query: Uint8Array): Buffer {
  return Buffer.from([query.length >> 8, query.length & 255, ...query])
}

async function dial(port: number, ca = [FIRST.cert, SECOND.cert]): Promise<TLSSocket> {
  const socket = connectTls({ port, host: HOST, ca, servername: 'localhost', ALPNProtocols: ['dot'] })
  await once(socket, 'secureConnect')
  return socket
}

/** The next `count` messages. */
async function read(socket: TLSSocket, count: number): Promise<Message[]> {
  const messages: Message[] = []
  let octets = Buffer.alloc(0)
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    octets = Buffer.concat([octets, chunk])
    while (octets.length >= 2 && octets.length >= 2 + octets.readUInt16BE()) {
      const end = 2 + octets.readUInt16BE()
      messages.push(decodeMessage(octets.subarray(2, end)))
      octets = octets.subarray(end)
    }
    if (messages.length >= count) break
  }
  return messages
}

describe('one server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'zonereeve-test-'))
  let server: Nameserver
  let ports = { tls: 0, https: 0 }
  beforeAll(async () => {
    const started = await start(folder)
    server = started.server
    ports = { tls: started.tlsPort, https: started.httpsPort }
  })
  afterAll(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })

  test('TLS: many queries on one connection, each complete, padded if the query is', async () => {
    const socket = await dial(ports.tls)
    expect([socket.alpnProtocol, socket.authorized]).toEqual(['dot', true])
    const padding = opt(1232, { rdata: [0, 12, 0, 0] })
    socket.write(
      Buffer.concat([
        framed(queryOf('www.example.com A', { tail: padding })),
        framed(queryOf('long.example.com TXT')),
      ]),
    )
    const [short, long] = await read(socket, 2)
    expect(short && seen(short)).toMatchObject({ flags: 'aa', answer: ['www.example.com 300 A 192.0.2.1'] })
    expect(short?.edns?.options.map(({ code }) => code)).toEqual([12])
    expect([long?.answers.length, long?.tc]).toEqual([1, false])
  })

  test('plain TCP on the TLS port does no harm', async () => {
    const socket = connectTcp(ports.tls, HOST)
    socket.on('error', () => {})
    socket.write(framed(queryOf('www.example.com A')))
    await closed(socket)
    const other = await dial(ports.tls)
    other.write(framed(queryOf('www.example.com A')))
    expect((await read(other, 1)).length).toBe(1)
  })

  const query = Buffer.from(queryOf('www.example.com A', { id: 0 }))
  const inUrl = (octets: Uint8Array): string => `/dns-query?dns=${Buffer.from(octets).toString('base64url')}`

  test('HTTP/2: GET and POST on one connection', async () => {
    const session = connectHttp2(`https://localhost:${ports.https}`, { ca: FIRST.cert })
    const ask = async (headers: IncomingHttpHeaders, body?: Uint8Array) => {
      const stream = session.request(headers, { endStream: body === undefined })
      if (body !== undefined) stream.end(body)
      const [got] = (await once(stream, 'response')) as [IncomingHttpHeaders] // http2 emits the headers with 'response'
      const chunks: Buffer[] = []
      for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
      return { got, message: decodeMessage(Buffer.concat(chunks)) }
    }
    const [get, post] = await Promise.all([
      ask({ ':path': inUrl(query) }),
      ask({ ':path': '/dns-query', ':method': 'POST', 'content-type': MEDIA_TYPE }, query),
    ])
    for (const { got, message } of [get, post]) {
      expect([got[':status'], got['content-type']]).toEqual([200, MEDIA_TYPE])
      expect(seen(message).answer).toEqual(['www.example.com 300 A 192.0.2.1'])
    }
    expect([get.got['cache-control'], post.got['cache-control']]).toEqual(['max-age=300', 'no-store'])
    session.close()
  })

  const negative = Buffer.from(queryOf('no.example.com A'))
  const cases: [
    name: string,
    method: string,
    path: string,
    headers: Record<string, string>,
    body: Uint8Array | undefined,
    status: number,
  ][] = [
    ['GET', 'GET', inUrl(query), {}, undefined, 200],
    ['HEAD', 'HEAD', inUrl(query), {}, undefined, 200],
    ['a name that does not exist', 'GET', inUrl(negative), {}, undefined, 200],
    ['POST', 'POST', '/dns-query', { 'content-type': MEDIA_TYPE }, query, 200],
    [
      'POST with a parameter of the type',
      'POST',
      '/dns-query',
      { 'content-type': `${MEDIA_TYPE}; x=y` },
      query,
      200,
    ],
    ['another path', 'GET', '/', {}, undefined, 404],
    ['no query', 'GET', '/dns-query', {}, undefined, 400],
    ['an empty query', 'GET', '/dns-query?dns=', {}, undefined, 400],
    ['two queries', 'GET', `${inUrl(query)}&dns=AAAA`, {}, undefined, 400],
    ['base64 with the other alphabet', 'GET', '/dns-query?dns=ab%2Fd', {}, undefined, 400],
    ['padded base64', 'GET', `${inUrl(query)}=`, {}, undefined, 400],
    ['a message cut short', 'GET', inUrl(query.subarray(0, 8)), {}, undefined, 400],
    ['a response', 'GET', inUrl(Buffer.from(queryOf('a. A', { flags: 0x8000 }))), {}, undefined, 400],
    ['PUT', 'PUT', '/dns-query', { 'content-type': MEDIA_TYPE }, query, 405],
    ['another media type', 'POST', '/dns-query', { 'content-type': 'application/json' }, query, 415],
    ['no media type', 'POST', '/dns-query', {}, query, 415],
    [
      'a body longer than any message',
      'POST',
      '/dns-query',
      { 'content-type': MEDIA_TYPE },
      Buffer.alloc(65_536),
      413,
    ],
  ]
  test.each(cases)('HTTP/1.1: %s', async (_, method, path, headers, body, status) => {
    const request = requestHttps({
      port: ports.https,
      host: HOST,
      ca: FIRST.cert,
      method,
      path,
      headers,
      agent: false,
    })
    request.end(body)
    const [response] = await once(request, 'response')
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    const octets = Buffer.concat(chunks)
    expect(response.statusCode).toBe(status)
    if (status === 200 && method !== 'HEAD') expect(decodeMessage(octets).qr).toBe(true)
    else expect(octets.length).toBe(0)
  })
})

describe('each with its own server', () => {
  const open: Nameserver[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => server.close()))
  })
  const startOwn = async (options: Partial<NameserverOptions> = {}) => {
    const started = await start(scratchFolder(), options)
    open.push(started.server)
    return started
  }
  const nameOf = async (port: number): Promise<string | undefined> => {
    const socket = await dial(port)
    const { subject } = socket.getPeerCertificate()
    socket.destroy()
    return [subject.CN].flat()[0]
  }
  const until = async (isTrue: () => Promise<boolean>): Promise<void> => {
    while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }

  test('a renewed certificate is used for new connections; open ones stay', async () => {
    const { folder, tlsPort, httpsPort } = await startOwn()
    const before = await dial(tlsPort)
    expect(before.getPeerCertificate().subject.CN).toBe('ns1.example.com')
    writeFiles(folder, SECOND)
    await until(async () => (await nameOf(tlsPort)) === 'ns2.example.com')
    const session = connectHttp2(`https://localhost:${httpsPort}`, { ca: SECOND.cert })
    await once(session, 'connect')
    session.close()
    before.write(framed(queryOf('www.example.com A')))
    expect((await read(before, 1)).length).toBe(1)
  })

  test('if a new certificate does not match its key, the old one stays in use until it does', async () => {
    const warned: string[] = []
    const log = { ...silentLog, warn: (_: object, event: string) => void warned.push(event) }
    const { folder, tlsPort } = await startOwn({ log })
    writeFiles(folder, { cert: SECOND.cert, key: FIRST.key })
    await until(() => Promise.resolve(warned.includes('certificate not loaded')))
    expect(await nameOf(tlsPort)).toBe('ns1.example.com')
    writeFiles(folder, SECOND)
    await until(async () => (await nameOf(tlsPort)) === 'ns2.example.com')
  })

  test('a certificate that was replaced before the first look is used', async () => {
    const folder = scratchFolder()
    const files = writeFiles(folder, FIRST)
    await readCertificate(files)
    writeFiles(folder, SECOND)
    const used: string[] = []
    const use = ({ cert }: { readonly cert: Buffer }) => void used.push(cert.toString())
    const watch = watchCertificate(files, { everyMs: LOOK_MS, log: silentLog, use })
    await until(() => Promise.resolve(used.length > 0))
    watch.stop()
    expect(used).toEqual([SECOND.cert])
  })

  test('fails to start with a certificate that does not match its key', async () => {
    const server = createNameserver({ table: createZoneTable(), log: silentLog })
    open.push(server)
    const files = writeFiles(scratchFolder(), { cert: SECOND.cert, key: FIRST.key })
    await expect(server.listenEncrypted({ files, tls: { host: HOST, port: 0 } })).rejects.toThrow(/key/i)
  })

  test('connections per address are limited, and counted before the handshake', async () => {
    const dropped: string[] = []
    const metrics = {
      countQuery: () => {},
      countDropped: (transport: string, reason: string) => void dropped.push(`${transport} ${reason}`),
    }
    const { tlsPort } = await startOwn({ metrics, limits: { tcpConnectionsPerAddress: 2 } })
    const [first] = [await dial(tlsPort), await dial(tlsPort)]
    const third = connectTls({ port: tlsPort, host: HOST, rejectUnauthorized: false })
    third.on('error', () => {})
    await closed(third)
    expect(dropped).toEqual(['tls connections'])
    first.end()
    await closed(first)
    await until(async () => {
      const next = connectTls({ port: tlsPort, host: HOST, rejectUnauthorized: false })
      next.on('error', () => {})
      return Promise.race([
        once(next, 'secureConnect').then(() => true),
        once(next, 'close').then(() => false),
      ])
    })
  })

  test('a connection without a handshake is closed', async () => {
    const { tlsPort, httpsPort } = await startOwn({ limits: { tcpIdleMs: 50 } })
    for (const port of [tlsPort, httpsPort]) {
      const silent = connectTcp(port, HOST)
      silent.on('error', () => {})
      await closed(silent)
      expect(silent.bytesRead).toBe(0)
    }
  })
})
