// Requests to nodes that answer, refuse, do not reply, or cannot be reached.
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createAsking, explainFailure, type Unanswered } from './asking.ts'

const LIMITS = { connectMillis: 100, silenceMillis: 100 }

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

function ask(address: string): Promise<number | Unanswered> {
  const asking = createAsking(LIMITS)
  onTestFinished(() => asking.close())
  return new Promise((resolve) => {
    const asked = asking.begin({ address, method: 'POST', path: '/', headers: {} })
    asked.once('response', (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0) // each has one
    })
    asked.on('error', (failure) => resolve(explainFailure(failure, asked)))
    asked.end('body')
  })
}

describe('a request to another node', () => {
  test('is answered', async () => {
    const { address } = await startServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\n\r\n')),
    )
    expect(await ask(address)).toBe(204)
  })

  test('ends when the node takes it and is silent: it may have been carried out', async () => {
    const { address } = await startServer((socket) => socket.resume())
    expect(await ask(address)).toMatchObject({ isSent: true, message: expect.stringContaining('silent') })
  })

  test('ends when the node closes the connection: it may have been carried out', async () => {
    const { address } = await startServer((socket) => socket.once('data', () => socket.destroy()))
    expect(await ask(address)).toMatchObject({ isSent: true })
  })

  test('was not carried out if nothing listens', async () => {
    expect(await ask('http://127.0.0.1:1')).toMatchObject({ isSent: false })
  })

  test('was not carried out if there is no connection in time', async () => {
    // TLS is not begun by the other side: as good as a network that swallows everything.
    const { address } = await startServer((socket) => socket.resume())
    expect(await ask(address.replace('http:', 'https:'))).toMatchObject({
      isSent: false,
      message: expect.stringContaining('no connection'),
    })
  })
})
