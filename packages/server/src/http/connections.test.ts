// The limit of HTTP connections, over real sockets: which connections are closed, and what is counted and logged.
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { limitConnections } from './connections.ts'

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

let server: Server
let closed: string[]
let lines: object[]
let openCount: number
let waiting: ServerResponse[]
let sockets: Socket[]

beforeEach(async () => {
  closed = []
  lines = []
  openCount = 0
  waiting = []
  sockets = []
  server = createServer((request, response) => {
    if (request.url === '/wait') waiting.push(response)
    else response.end('answered')
  })
  limitConnections({
    max: 3,
    log: { warn: (fields, event) => void lines.push({ ...fields, event }) },
    setOpen: (count) => void (openCount = count),
    countClosed: (how) => void closed.push(how),
  }).watch(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

async function open(): Promise<Socket> {
  const accepted = once(server, 'connection')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1') // it listens on TCP
  sockets.push(socket)
  socket.on('error', () => {})
  await Promise.all([accepted, once(socket, 'connect')])
  return socket
}

async function get(socket: Socket, text = GET): Promise<string> {
  socket.write(text)
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  return chunk.toString().split('\r\n\r\n')[1] ?? ''
}

const ended = (socket: Socket): Promise<unknown> => once(socket, 'close')

async function beginWaiting(socket: Socket): Promise<void> {
  const begun = once(server, 'request')
  socket.write('GET /wait HTTP/1.1\r\nHost: a\r\n\r\n')
  await begun
}

describe('at the limit', () => {
  test('the connection that was idle longest is closed, which is logged once', async () => {
    const [first, second, third] = [await open(), await open(), await open()]
    expect(await get(first)).toBe('answered')
    const gone = ended(second)
    const fourth = await open()
    await gone
    expect(await get(fourth)).toBe('answered')
    expect(await get(third)).toBe('answered')
    expect(await get(first)).toBe('answered')
    expect([closed, openCount]).toEqual([['evicted'], 3])
    expect(lines).toEqual([{ limit: 3, count: 1, event: 'http connections at their limit' }])
  })

  test('a connection that has sent half of its headers is idle', async () => {
    const slow = await open()
    slow.write('GET / HTTP/1.1\r\nHo')
    await open()
    await open()
    const gone = ended(slow)
    await open()
    await gone
    expect(closed).toEqual(['evicted'])
  })

  test('a connection with a pending request is never closed: the new one is refused', async () => {
    const busy = [await open(), await open(), await open()]
    for (const socket of busy) await beginWaiting(socket)
    const refused = await open()
    if (!refused.closed) await ended(refused)
    expect([closed, openCount]).toEqual([['refused'], 3])
    const [answered] = busy
    waiting[0]?.end('late')
    expect(answered && (await once(answered, 'data'))).toBeDefined()
    expect(busy.map((socket) => socket.destroyed)).toEqual([false, false, false])
    // Its request has ended: now it can be closed.
    expect(await get(await open())).toBe('answered')
    expect(closed).toEqual(['refused', 'evicted'])
  })

  test('of two requests sent together the last one counts', async () => {
    const pipelined = await open()
    const both = new Promise<void>((resolve) => {
      let requests = 0
      server.on('request', () => (requests += 1) === 2 && resolve())
    })
    pipelined.write('GET /wait HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2))
    await both
    waiting[0]?.end('first')
    await once(pipelined, 'data')
    const idle = [await open(), await open()]
    await open()
    expect(pipelined.destroyed).toBe(false)
    const [oldest] = idle
    if (oldest !== undefined && !oldest.closed) await ended(oldest)
    expect(closed).toEqual(['evicted'])
  })

  test('many connections without requests do not lock others out', async () => {
    for (let i = 0; i < 50; i += 1) await open()
    expect(await get(await open())).toBe('answered')
    expect([closed.length, new Set(closed), openCount]).toEqual([48, new Set(['evicted']), 3])
  })
})

test('closed connections are no longer counted', async () => {
  const sockets = [await open(), await open(), await open()]
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => openCount).toBe(0)
  expect(await get(await open())).toBe('answered')
  expect(closed).toEqual([])
})

test('an error of the server is logged, and the server continues', async () => {
  const error = Object.assign(new Error('too many open files'), { code: 'EMFILE' })
  server.emit('error', error)
  server.emit('error', error)
  expect(lines).toEqual([{ err: error, count: 1, event: 'http connections not accepted' }])
  expect(await get(await open())).toBe('answered')
})
