// The proxy of a scan before raw servers that answer what no HTTP server may.
import { request } from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createAddressGuard } from '@zonereeve/safe-fetch'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startCheckedProxy, type CheckedProxy } from './checked-proxy.ts'

const OWN = '127.0.0.1'

let origin: Server
let port: number
let proxy: CheckedProxy
let answer: string
let connections: number

beforeEach(async () => {
  answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
  connections = 0
  origin = createServer((socket: Socket) => {
    connections += 1
    socket.on('error', () => socket.destroy())
    socket.once('data', () => socket.end(answer))
  })
  await new Promise<void>((done) => origin.listen(0, OWN, done))
  ;({ port } = origin.address() as AddressInfo)
  proxy = await start()
})
afterEach(async () => {
  await proxy.close()
  await new Promise((done) => origin.close(done))
})

const start = (hostAddresses = () => Promise.resolve([OWN])) =>
  startCheckedProxy({
    mayConnect: createAddressGuard([`${OWN}/32`]),
    hostAddresses,
    ports: 'any',
    maxConnections: 100,
    maxBytes: 1_000,
  })

function later<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => undefined
  const promise = new Promise<Value>((done) => (resolve = done))
  return { promise, resolve }
}

/** Asks for a page by the proxy; the status, or the code of the error. */
const statusOf = (path = '/', headers = {}): Promise<number | string | undefined> =>
  new Promise((done) => {
    const sent = request(`${proxy.url}`, {
      path: `http://shop.example:${port}${path}`,
      headers,
      agent: false,
    })
    sent.on('response', (response) => void response.resume().on('close', () => done(response.statusCode)))
    sent.on('error', (error: NodeJS.ErrnoException) => done(error.code))
    sent.end()
  })

test.each([
  ['a status below 100', 'HTTP/1.1 099 X\r\ncontent-length: 0\r\n\r\n', 502],
  ['a status of zero', 'HTTP/1.1 000 X\r\ncontent-length: 0\r\n\r\n', 502],
  ['the highest status', 'HTTP/1.1 999 X\r\ncontent-length: 0\r\n\r\n', 999],
  ['a protocol that was not requested', 'HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', 502],
  ['no HTTP', 'SSH-2.0-x\r\n', 502],
  ['nothing', '', 502],
])('an origin that answers with %s does not end the process', async (_, given, status) => {
  answer = given
  expect(await statusOf()).toBe(status)
  answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
  expect(await statusOf()).toBe(200)
})

test.each([
  ['a tunnel', () => `CONNECT shop.example:${port} HTTP/1.1\r\nhost: x\r\n\r\n`],
  ['a request', () => `GET http://shop.example:${port}/ HTTP/1.1\r\nhost: x\r\n\r\n`],
])('%s whose host resolves after the end of the proxy is not connected', async (_, text) => {
  const [asked, resolved] = [later<void>(), later<string[]>()]
  const slow = await start(() => {
    asked.resolve()
    return resolved.promise
  })
  const client = connect(Number(new URL(slow.url).port), OWN, () => client.write(text()))
  client.on('error', () => client.destroy())
  const gone = new Promise((done) => client.on('close', done))
  await asked.promise
  await slow.close()
  resolved.resolve([OWN])
  await gone
  // The next connection is made after one of the closed proxy would have been.
  expect([await statusOf(), connections]).toEqual([200, 1])
})

test('a client that leaves ends its request to the origin', async () => {
  const ended = later<string>()
  origin.removeAllListeners('connection').on('connection', (socket: Socket) => {
    socket.on('error', () => socket.destroy()).on('close', () => ended.resolve('closed'))
    socket.once('data', () => client.destroy())
  })
  const client = connect(Number(new URL(proxy.url).port), OWN, () =>
    client.write(`GET http://shop.example:${port}/ HTTP/1.1\r\nhost: x\r\n\r\n`),
  )
  expect(await ended.promise).toBe('closed')
})
