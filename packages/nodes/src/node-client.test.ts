// Requests to nodes that answer, refuse, do not reply, or cannot be reached.
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createNodeClient, explainFailure, type NodeClientLimits, type Unanswered } from './node-client.ts'

/** Never reached: a test that expects a reply must not fail on a slow machine. */
const LIMITS = { connectMillis: 60_000, silenceMillis: 60_000 }

/** A server that does this with each connection. */
async function startServer(
  take: (socket: Socket) => void,
): Promise<{ address: string; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    take(socket)
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets } // of a listening server
}

function sendToNode(address: string, limits: Partial<NodeClientLimits> = {}): Promise<number | Unanswered> {
  const client = createNodeClient({ ...LIMITS, ...limits })
  onTestFinished(() => client.close())
  return new Promise((resolve) => {
    const nodeRequest = client.begin({ address, method: 'POST', path: '/', headers: {} })
    nodeRequest.once('response', (reply) => {
      reply.resume()
      resolve(reply.statusCode ?? 0) // each has one
    })
    nodeRequest.on('error', (failure) => resolve(explainFailure(failure, nodeRequest)))
    nodeRequest.end('body')
  })
}

describe('a request to another node', () => {
  test('is answered', async () => {
    const { address } = await startServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\n\r\n')),
    )
    expect(await sendToNode(address)).toBe(204)
  })

  test('ends when the node takes it and is silent: it may have been carried out', async () => {
    const { address } = await startServer((socket) => socket.resume())
    expect(await sendToNode(address, { silenceMillis: 100 })).toMatchObject({
      isSent: true,
      message: expect.stringContaining('silent'),
    })
  })

  test('ends when the node closes the connection: it may have been carried out', async () => {
    const { address } = await startServer((socket) => socket.once('data', () => socket.destroy()))
    expect(await sendToNode(address)).toMatchObject({ isSent: true })
  })

  test('was not carried out if nothing listens', async () => {
    expect(await sendToNode('http://127.0.0.1:1')).toMatchObject({ isSent: false })
  })

  test('was not carried out if there is no connection in time', async () => {
    // TLS is not begun by the other side: as good as a network that swallows everything.
    const { address } = await startServer((socket) => socket.resume())
    expect(await sendToNode(address.replace('http:', 'https:'), { connectMillis: 100 })).toMatchObject({
      isSent: false,
      message: expect.stringContaining('no connection'),
    })
  })
})
