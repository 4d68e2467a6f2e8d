// Pipelined requests: one per connection at a time, other work in between, none for a client that has disconnected.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { queueRequests } from './request-queue.ts'

interface SeenRequest {
  readonly url: string
  readonly response: ServerResponse
}

/** A server that records the requests that reach it, and answers only on command. */
async function start(work: (seen: SeenRequest) => void = () => {}) {
  const seen: SeenRequest[] = []
  const read: Socket[] = []
  const server = createServer((request, response) => {
    seen.push({ url: request.url ?? '', response })
    work({ url: request.url ?? '', response })
  })
  queueRequests(server)
  server.on('connection', (socket: Socket) => void read.push(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a listening TCP server
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const client = async () => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  const seenAtLeast = async (count: number) => {
    while (seen.length < count) await turn()
  }
  return { seen, sockets: read, client, seenAtLeast }
}

const get = (path: string, version = '1.1') => `GET ${path} HTTP/${version}\r\nHost: localhost\r\n\r\n`
const manyGets = (count: number) => Array.from({ length: count }, (_, index) => get(`/${index}`)).join('')

const textOf = async (socket: Socket, end: string) => {
  let text = ''
  for await (const chunk of socket) {
    text += String(chunk)
    if (text.includes(end)) break
  }
  return text
}

describe('requests of one connection', () => {
  test('reach the server when the previous one has been answered, in order', async () => {
    const { seen, client, seenAtLeast } = await start()
    const socket = await client()
    const answered = textOf(socket, 'end')
    socket.write(manyGets(5))
    for (let index = 0; index < 5; index += 1) {
      await seenAtLeast(index + 1)
      for (let turns = 0; turns < 5; turns += 1) await turn()
      expect(seen.map(({ url }) => url)).toEqual(Array.from({ length: index + 1 }, (_, at) => `/${at}`))
      seen[index]?.response.end(index === 4 ? 'end' : `reply ${index} `)
    }
    expect((await answered).match(/reply \d|end/g)).toEqual([
      'reply 0',
      'reply 1',
      'reply 2',
      'reply 3',
      'end',
    ])
  })

  test('without end are not read while one is answered', async () => {
    const { seen, sockets, client, seenAtLeast } = await start()
    const socket = await client()
    const flood = Buffer.from(manyGets(100_000))
    socket.write(flood)
    await seenAtLeast(1)
    let read = -1
    while (read !== sockets[0]?.bytesRead) {
      read = sockets[0]?.bytesRead ?? 0
      for (let turns = 0; turns < 20; turns += 1) await turn()
    }
    expect(read).toBeLessThan(flood.length / 4)
    expect(seen.length).toBe(1)
  })

  test('are dropped when the client disconnects', async () => {
    const { seen, sockets, client, seenAtLeast } = await start()
    const socket = await client()
    socket.write(manyGets(200))
    await seenAtLeast(1)
    socket.resetAndDestroy()
    // Writing replies that nobody reads shows that the client has disconnected.
    seen[0]?.response.end('x'.repeat(1_000_000))
    while (sockets[0]?.destroyed !== true) await turn()
    for (let turns = 0; turns < 20; turns += 1) await turn()
    expect(seen.length).toBeLessThanOrEqual(2)
  })

  test('with bodies arrive whole', async () => {
    const bodies: string[] = []
    const { client } = await start(({ response }) => {
      let body = ''
      response.req.on('data', (chunk: Buffer) => (body += chunk.toString()))
      response.req.on('end', () => {
        bodies.push(`${body.length} ${body.slice(0, 1)}`)
        response.end(bodies.length === 3 ? 'end' : '')
      })
    })
    const socket = await client()
    const post = (body: string) =>
      `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    socket.write(post('a'.repeat(200_000)) + post('b') + post('c'.repeat(200_000)))
    await textOf(socket, 'end')
    expect(bodies).toEqual(['200000 a', '1 b', '200000 c'])
  })

  test('in sequence on a keep-alive connection are not delayed', async () => {
    const { seen, client } = await start(({ response }) => void response.end('end'))
    const socket = await client()
    for (let index = 0; index < 3; index += 1) {
      socket.write(get('/'))
      let text = ''
      while (!text.endsWith('end')) text += String((await once(socket, 'data'))[0])
    }
    expect(seen.length).toBe(3)
  })
})

describe('requests of many connections', () => {
  test('yield to everything else, although each keeps the process busy', async () => {
    const turns: number[] = []
    let turnNumber = 0
    let counting = true
    const count = (): void => {
      turnNumber += 1
      if (counting) setImmediate(count)
    }
    const { seen, client, seenAtLeast } = await start(({ response }) => {
      turns.push(turnNumber)
      const until = performance.now() + 5 // more than the time of one turn
      while (performance.now() < until);
      response.end()
    })
    const sockets = await Promise.all(Array.from({ length: 20 }, client))
    setImmediate(count)
    for (const socket of sockets) socket.write(get('/'))
    await seenAtLeast(20)
    counting = false
    expect(new Set(turns).size).toBe(20)
    expect(seen.length).toBe(20)
  })
})
