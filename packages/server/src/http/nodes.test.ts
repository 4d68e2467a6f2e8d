// Requests that a node passes to the one that writes: which, what of them changes, and when they are refused.
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { createSecureContext } from 'node:tls'
import { FIRST } from '@zonereeve/nameserver/certificate.cases.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { limitConnections } from './connections.ts'
import type { NodeAccess } from './nodes.ts'
import { listenSecurely } from './secure-listener.ts'

const CREDENTIAL = 'credential-of-the-nodes-of-this-test'

/** A node as another part of the program sees it. */
interface FakeNode extends NodeAccess {
  address: string | undefined
  writes: boolean
  position: number
  readonly waited: number[]
  /** undefined: the database does not answer. */
  otherAddresses: readonly string[] | undefined
  isBehind: boolean
}

function fakeNode(): FakeNode {
  const node: FakeNode = {
    address: undefined,
    writes: false,
    position: 0,
    waited: [],
    otherAddresses: [],
    isBehind: false,
    credential: CREDENTIAL,
    isWriter: () => node.writes,
    writerAddress: () => node.address,
    async others() {
      if (node.otherAddresses === undefined) throw new Error('the database is away')
      return node.otherAddresses
    },
    shareCounts: () => {},
    reached: () => node.position,
    async waitFor(position) {
      node.waited.push(position)
      return !node.isBehind
    },
  }
  return node
}

async function startNode(node: FakeNode): Promise<TestApp> {
  const app = await startTestApp({ nodes: node })
  onTestFinished(() => app.close())
  return app
}

const zone = { method: 'POST', path: '/zones', body: { name: 'example.com' } } as const

describe('a node that does not write', () => {
  test('answers reads itself, and refuses writes while there is no writer', async () => {
    const app = await startNode(fakeNode())
    expect((await app.call({ method: 'GET', path: '/zones' })).status).toBe(200)
    const before = await app.changeCount()
    const { status, headers, json } = await app.call(zone)
    expect([status, headers['retry-after'], json.errors[0]?.code]).toEqual([503, '2', 19_832])
    expect(await app.changeCount()).toBe(before)
  })

  test('refuses writes if the writer does not answer, and says when they may be stored', async () => {
    const node = fakeNode()
    const app = await startNode(node)
    const server = createServer((request) => request.socket.destroy())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // of a listening server
    node.address = `http://127.0.0.1:${port}`
    const uncertain = await app.call(zone)
    expect([uncertain.status, uncertain.json.errors[0]?.message]).toEqual([
      503,
      expect.stringContaining('the change may be stored'),
    ])
    await new Promise<void>((resolve) => server.close(() => resolve()))
    const refused = await app.call(zone)
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2'])
    expect(refused.json.errors[0]?.message).not.toContain('may be stored')
  })

  test('answers a client whose long body the writer does not take', async () => {
    const node = fakeNode()
    const app = await startNode(node)
    const long = { ...zone, body: { name: 'example.com', more: 'x'.repeat(900_000) } }
    node.address = 'http://127.0.0.1:1'
    const refused = await app.call(long)
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2'])
    // One that refuses a body unread closes the connection.
    const server = createTcpServer((socket) => {
      socket
        .on('error', () => {})
        .once('data', () => {
          socket.end('HTTP/1.1 413 Payload Too Large\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}')
        })
    })
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    node.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // of a listening server
    expect((await app.call(long)).status).toBe(413)
    // The connection of the client goes on.
    expect((await app.call({ method: 'GET', path: '/zones' })).status).toBe(200)
  })

  test('sends a read again if the writer has just closed the connection, but not a write, which may be stored', async () => {
    const node = fakeNode()
    const app = await startNode(node)
    const received: string[] = []
    // Answers the first request of each connection, and closes it at the second.
    const server = createTcpServer((socket) => {
      let requests = 0
      socket
        .on('error', () => {})
        .on('data', (chunk: Buffer) => {
          if (!/^[A-Z]+ \//.test(chunk.toString())) return // the rest of a body
          received.push(chunk.toString().split(' ', 1)[0] ?? '') // a method
          if ((requests += 1) > 1) socket.destroy()
          else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')
        })
    })
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    node.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // of a listening server
    const path = '/zones/0123456789abcdef0123456789abcdef/secondary_dns/outgoing'
    const read = async () => (await app.call({ method: 'GET', path })).status
    expect([await read(), await read(), await read()]).toEqual([200, 200, 200])
    const { status, json } = await app.call(zone)
    expect([status, json.errors[0]?.message]).toEqual([503, expect.stringContaining('may be stored')])
    expect(received).toEqual(['GET', 'GET', 'GET', 'GET', 'POST'])
  })

  test('does not send a read again when its client has left', async () => {
    const node = fakeNode()
    const app = await startNode(node)
    let requests = 0
    let note: () => void = () => {}
    const second = new Promise<void>((resolve) => {
      note = resolve
    })
    // Answers the first request, and is silent then.
    const server = createTcpServer((socket) => {
      socket
        .on('error', () => {})
        .on('data', () => {
          if ((requests += 1) === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')
          else note()
        })
    })
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    node.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // of a listening server
    const path = '/zones/0123456789abcdef0123456789abcdef/secondary_dns/outgoing'
    expect((await app.call({ method: 'GET', path })).status).toBe(200)
    const leaving = new AbortController()
    const left = fetch(`http://127.0.0.1:${app.port}/client/v4${path}`, {
      signal: leaving.signal,
    }).catch(() => 'left')
    await second
    leaving.abort()
    expect(await left).toBe('left')
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(requests).toBe(2)
  })

  test('passes a write on, and replies once it has applied what the writer wrote', async () => {
    const [follower, writer] = [fakeNode(), fakeNode()]
    const [here, there] = [await startNode(follower), await startNode(writer)]
    follower.address = `http://127.0.0.1:${there.port}`
    writer.writes = true
    writer.position = 7
    const { status, headers, json } = await here.call(zone)
    expect([status, json.result, follower.waited]).toEqual([
      200,
      expect.objectContaining({ name: 'example.com' }),
      [7],
    ])
    expect(Object.keys(headers).filter((name) => name.startsWith('zonereeve-'))).toEqual([])
    expect(await here.call({ method: 'GET', path: '/zones' })).toMatchObject({ json: { result: [] } })
    const listed = await there.call({ method: 'GET', path: '/zones' })
    expect(listed.json.result).toHaveLength(1)
    expect(Object.keys(listed.headers).filter((name) => name.startsWith('zonereeve-'))).toEqual([])
  })

  test('does not pass a request on twice, and takes nothing from clients that say they are nodes', async () => {
    const [first, second] = [fakeNode(), fakeNode()]
    const [one, other] = [await startNode(first), await startNode(second)]
    first.address = `http://127.0.0.1:${other.port}`
    second.address = `http://127.0.0.1:${one.port}`
    const { status, json } = await one.call(zone)
    expect([status, json.errors[0]?.message]).toEqual([503, expect.stringContaining('does not any more')])
    second.writes = true
    const client = JSON.stringify({ ip: '192.0.2.9', protocol: 'https', host: 'example.com' })
    const headers = { 'zonereeve-node': 'guessed', 'zonereeve-node-client': client }
    const guessed = await other.call({ ...zone, headers })
    expect([guessed.status, guessed.headers['zonereeve-node-position']]).toEqual([200, undefined])
  })

  test('what it passes has the headers and the body of the client, and no others of nodes', async () => {
    const node = fakeNode()
    const app = await startNode(node)
    const received: { request: IncomingMessage; body: string }[] = []
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        received.push({ request, body })
        response.writeHead(418, { 'x-of-the-writer': 'yes', 'zonereeve-node-position': '3' }).end('{"a":1}')
      })
    })
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    node.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // of a listening server
    const answer = await app.call({
      method: 'PATCH',
      path: '/zones/0123456789abcdef0123456789abcdef?a=b%20c',
      body: '{ "paused" : true }',
      headers: { 'x-of-the-client': 'a', 'zonereeve-node': 'guessed' },
    })
    expect([answer.status, answer.text, answer.headers['x-of-the-writer'], node.waited]).toEqual([
      418,
      '{"a":1}',
      'yes',
      [3],
    ])
    const [{ request, body }] = received as [(typeof received)[0]] // one request
    expect([request.method, request.url, body]).toEqual([
      'PATCH',
      '/client/v4/zones/0123456789abcdef0123456789abcdef?a=b%20c',
      '{ "paused" : true }',
    ])
    expect(request.headers).toMatchObject({ 'zonereeve-node': CREDENTIAL, authorization: expect.any(String) })
    expect(JSON.parse(String(request.headers['zonereeve-node-client']))).toMatchObject({ ip: '127.0.0.1' })
  })

  test.each([
    [
      'DELETE',
      '/client/v4/zones/0123456789abcdef0123456789abcdef',
      'PUT /client/v4/smuggled HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n',
    ],
    ['POST', '/client/v4/zones', '{"name":"example.net"}'],
  ])('frames the body of %s, so that no part of it is another request', async (method, path, body) => {
    const node = fakeNode()
    const app = await startNode(node)
    const received: { readonly method: string | undefined; readonly body: string }[] = []
    const server = createServer((asked, response) => {
      let body = ''
      asked.on('data', (chunk: Buffer) => (body += chunk.toString()))
      asked.on('end', () => {
        received.push({ method: asked.method, body })
        response.end('{}')
      })
    })
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    node.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // of a listening server
    const headers = { 'transfer-encoding': 'chunked', 'content-type': 'application/json' }
    await new Promise<void>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: app.port, method, path, headers }, (answer) => {
        answer.resume().on('end', resolve)
      })
      sent.on('error', reject)
      sent.end(body)
    })
    await app.call(zone)
    expect(received).toEqual([
      { method, body },
      { method: 'POST', body: JSON.stringify(zone.body) },
    ])
  })

  test('asks for the name of the node over TLS, not for the host of the client, and trusts only its certificate', async () => {
    const node = fakeNode()
    const app = await startNode(node)
    const names: string[] = []
    let requests = 0
    const server = createSecureServer(
      {
        ...FIRST,
        SNICallback: (name, done) => {
          names.push(name)
          done(null, createSecureContext(FIRST))
        },
      },
      () => (requests += 1),
    )
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    node.address = `https://localhost:${(server.address() as AddressInfo).port}` // of a listening server
    const { status, json } = await app.call(zone)
    expect([status, json.errors[0]?.message]).toEqual([503, expect.stringContaining('certificate')])
    expect([names, requests]).toEqual([['localhost'], 0])
  })
})

/** A client that sends half of a body over HTTP/2. @returns what makes it leave. */
async function beginHttp2(plain: Server): Promise<() => void> {
  const certificate = { cert: Buffer.from(FIRST.cert), key: Buffer.from(FIRST.key) }
  const [warn, debug, setOpen, countClosed] = [() => {}, () => {}, () => {}, () => {}]
  const connections = limitConnections({ max: 1, log: { warn }, setOpen, countClosed })
  const listener = await listenSecurely({ host: '127.0.0.1', port: 0 }, certificate, {
    plain,
    connections,
    clientError: () => {},
    hstsDays: 0,
    log: { debug },
  })
  onTestFinished(() => listener.close(0))
  const session = connectHttp2(`https://localhost:${listener.port}`, {
    ca: FIRST.cert,
    servername: 'localhost',
  }).on('error', () => {})
  const head = { ':method': 'POST', ':path': '/client/v4/zones', 'content-type': 'application/json' }
  session
    .request(head)
    .on('error', () => {})
    .write('{"name":')
  return () => session.destroy()
}

async function beginHttp1(plain: Server): Promise<() => void> {
  const socket = connect((plain.address() as AddressInfo).port, '127.0.0.1') // of a listening server
  socket.write('POST /client/v4/zones HTTP/1.1\r\nhost: localhost\r\ncontent-length: 22\r\n\r\n{"name":')
  return () => socket.destroy()
}

describe.each([
  ['HTTP/1.1', beginHttp1],
  ['HTTP/2', beginHttp2],
])('a client over %s that leaves', (_, begin) => {
  async function listen(server: Server): Promise<string> {
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // of a listening server
  }

  test('before its turn: its write is not passed on', async () => {
    const node = fakeNode()
    const app = await startNode(node)
    let connections = 0
    const writer = createServer((_, response) => response.end('{}')).on(
      'connection',
      () => (connections += 1),
    )
    node.address = await listen(writer)
    const front = createServer()
    await listen(front)
    const asked = once(front, 'request') as Promise<[IncomingMessage, ServerResponse]> // as emitted
    const leave = await begin(front)
    const [raw, response] = await asked
    // Its turn comes when it has left.
    const closed = once(response, 'close')
    leave()
    await closed
    app.server.routing(raw, response)
    expect((await app.call(zone)).status).toBe(200)
    expect([connections, app.logged.filter(({ level }) => level === 'error')]).toEqual([1, []])
  })

  test('within its body: the writer does not take the half for the whole', async () => {
    const node = fakeNode()
    const app = await startNode(node)
    const received: string[] = []
    const writer = createServer((asked) => {
      asked.on('error', () => {}) // it is cut off
      asked.once('close', () => received.push(asked.complete ? 'whole' : 'half'))
    })
    node.address = await listen(writer)
    const asked = once(writer, 'request') as Promise<[IncomingMessage]> // as emitted
    const leave = await begin(app.server.server)
    const [passed] = await asked
    await once(passed, 'data')
    leave()
    await expect.poll(() => received).toEqual(['half'])
  })
})

/** Messages about nodes; the zone has others. */
const aboutNodes = ({
  messages,
}: {
  readonly messages: readonly { readonly code: number; readonly message: string }[]
}) => messages.filter(({ code }) => code === 19_031)

describe('wait=all', () => {
  const waiting = { ...zone, path: '/zones?wait=all' }

  test('the reply follows when every other node has applied the change, and names those that have not', async () => {
    const [writer, first, second] = [fakeNode(), fakeNode(), fakeNode()]
    writer.writes = true
    writer.position = 9
    const [app, one, other] = [await startNode(writer), await startNode(first), await startNode(second)]
    const addresses = [`http://127.0.0.1:${one.port}`, `http://127.0.0.1:${other.port}`]
    writer.otherAddresses = addresses
    const all = await app.call(waiting)
    expect([all.status, aboutNodes(all.json), all.headers['zonereeve-nodes-behind']]).toEqual([
      200,
      [],
      undefined,
    ])
    expect([first.waited, second.waited]).toEqual([[9], [9]])
    second.isBehind = true
    const some = await app.call({ ...waiting, body: { name: 'example.net' } })
    expect([some.status, some.json.result, some.headers['zonereeve-nodes-behind']]).toEqual([
      200,
      expect.objectContaining({ name: 'example.net' }),
      addresses[1],
    ])
    expect(aboutNodes(some.json)).toEqual([
      { code: 19_031, message: expect.stringContaining(addresses[1] ?? '') },
    ])
    // No node gets a request for a write that does not wait, or for one that is refused.
    await app.call({ ...zone, body: { name: 'example.org' } })
    expect((await app.call(waiting)).status).toBe(400)
    expect([first.waited, second.waited]).toEqual([
      [9, 9],
      [9, 9],
    ])
  })

  test('a node that is gone is named, and so is it if the database does not name the nodes', async () => {
    const writer = fakeNode()
    writer.writes = true
    const app = await startNode(writer)
    writer.otherAddresses = ['http://127.0.0.1:1']
    const gone = await app.call(waiting)
    expect([gone.status, gone.headers['zonereeve-nodes-behind']]).toEqual([200, 'http://127.0.0.1:1'])
    writer.otherAddresses = undefined
    const unknown = await app.call({ ...waiting, body: { name: 'example.net' } })
    expect([unknown.status, aboutNodes(unknown.json), unknown.headers['zonereeve-nodes-behind']]).toEqual([
      200,
      [{ code: 19_031, message: expect.stringContaining('nodes that are not known at the moment') }],
      'unknown',
    ])
  })

  test('one server has applied its change at once; other values are refused, and change nothing', async () => {
    const app = await startTestApp()
    onTestFinished(() => app.close())
    const { status, json } = await app.call(waiting)
    expect([status, aboutNodes(json)]).toEqual([200, []])
    const before = await app.changeCount()
    const refused = await app.call({ ...zone, path: '/zones?wait=some', body: { name: 'example.net' } })
    expect([refused.status, refused.json.errors[0]?.source]).toEqual([400, { pointer: '/wait' }])
    expect(await app.changeCount()).toBe(before)
  })

  test('only nodes can read how far a node is', async () => {
    const node = fakeNode()
    const app = await startNode(node)
    const path = '/nodes/reached?position=1'
    const asked = async (headers: Record<string, string>): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        request({ host: '127.0.0.1', port: app.port, path, headers }, (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        })
          .on('error', reject)
          .end()
      })
    expect(await asked({ 'zonereeve-node': 'guessed' })).toBe(404)
    expect(node.waited).toEqual([])
    expect(await asked({ 'zonereeve-node': CREDENTIAL })).toBe(204)
    node.isBehind = true
    expect(await asked({ 'zonereeve-node': CREDENTIAL })).toBe(504)
  })
})

test('only nodes get checksums of zones, and have zones read again', async () => {
  const reread: string[] = []
  const zones = {
    ids: () => ['a'],
    outOfStep: () => [],
    stateOf: async (id: string) => (id === 'a' ? { serial: 1, checksum: 'c' } : undefined),
    reread: async (id: string) => void reread.push(id),
  }
  const app = await startNode({ ...fakeNode(), zones })
  const ask = async (method: string, credential: string) => {
    const address = `http://127.0.0.1:${app.port}/nodes/zone-states?zones=a,b`
    const answer = await fetch(address, { method, headers: { 'zonereeve-node': credential } })
    return [answer.status, answer.status === 200 ? await answer.json() : undefined]
  }
  for (const method of ['GET', 'POST']) expect(await ask(method, 'guessed')).toEqual([404, undefined])
  expect(await ask('GET', CREDENTIAL)).toEqual([200, { a: { serial: 1, checksum: 'c' } }])
  expect(reread).toEqual([])
  expect(await ask('POST', CREDENTIAL)).toEqual([200, { a: { serial: 1, checksum: 'c' } }])
  expect(reread).toEqual(['a', 'b'])
})
