// Sends prepared requests over connections that stay open, and needs little CPU itself: proxies are measured, not the client.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

const END_OF_HEAD = '\r\n\r\n'

export interface SentRequests {
  /** Of each request, in ms. */
  readonly times: readonly number[]
  /** By status. */
  readonly statuses: ReadonlyMap<number, number>
}

/** Sends each request once. @throws if a connection ends before the reply does. */
export async function sendAll(
  port: number,
  requests: readonly Buffer[],
  connections: number,
): Promise<SentRequests> {
  const left = requests.values()
  const times: number[] = []
  const statuses = new Map<number, number>()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      await once(socket, 'connect')
      for (const request of left) {
        const began = performance.now()
        const status = await exchange(socket, request)
        times.push(performance.now() - began)
        statuses.set(status, (statuses.get(status) ?? 0) + 1) // the first one
      }
      socket.destroy()
    }),
  )
  return { times, statuses }
}

function exchange(socket: Socket, request: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    let received = ''
    const end = (outcome: () => void): void => {
      socket.off('data', take).off('close', fail).off('error', fail)
      outcome()
    }
    const take = (chunk: Buffer): void => {
      received += chunk.toString('latin1')
      if (isWhole(received)) end(() => resolve(Number(received.slice(9, 12))))
    }
    const fail = (): void =>
      end(() => reject(new Error(`the connection ended after ${received.length} octets of a reply`)))
    socket.on('data', take).on('close', fail).on('error', fail)
    socket.write(request)
  })
}

function isWhole(received: string): boolean {
  const headEnd = received.indexOf(END_OF_HEAD)
  if (headEnd < 0) return false
  const head = received.slice(0, headEnd)
  const length = /^content-length: *(\d+)/im.exec(head)?.[1]
  if (length !== undefined) return received.length >= headEnd + END_OF_HEAD.length + Number(length)
  if (/^transfer-encoding: *chunked/im.test(head)) return received.endsWith('0\r\n\r\n')
  return head.startsWith('HTTP/1.1 204')
}
