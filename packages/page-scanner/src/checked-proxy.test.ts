// The proxy of a scan before raw servers that answer what no HTTP server may.
import { request } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createAddressGuard } from '@zonereeve/safe-fetch'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startCheckedProxy, type CheckedProxy } from './checked-proxy.ts'

const OWN = '127.0.0.1'

let origin: Server
let port: number
let proxy: CheckedProxy
let answer: string

beforeEach(async () => {
  answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
  origin = createServer((socket: Socket) => {
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
  ['a protocol that nobody asked for', 'HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', 502],
  ['no HTTP', 'SSH-2.0-x\r\n', 502],
  ['nothing', '', 502],
])('an origin that answers with %s does not end the process', async (_, given, status) => {
  answer = given
  expect(await statusOf()).toBe(status)
  answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
  expect(await statusOf()).toBe(200)
})
