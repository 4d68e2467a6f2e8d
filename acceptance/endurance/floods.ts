// Floods from unknown and heavy clients, over raw connections. Each flood is bounded and ends by itself.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DnsAddress } from '../dns-client.ts'

export interface HttpAddress {
  readonly host: string
  readonly port: number
}

/** Sends `count` requests at once over one connection, reads for `readMs`, then disconnects without further replies. */
export async function pipeline(
  { host, port }: HttpAddress,
  { path, token, count, readMs }: { path: string; token?: string; count: number; readMs: number },
): Promise<void> {
  const credential = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`
  const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${credential}\r\n`
  const socket = await opened(host, port)
  if (socket === undefined) return
  socket.resume()
  socket.write(request.repeat(count))
  await sleep(readMs)
  socket.destroy()
}

/** A client that requests much data and reads nothing. */
export async function neverRead(
  { host, port }: HttpAddress,
  { path, token, count, holdMs }: { path: string; token: string; count: number; holdMs: number },
): Promise<void> {
  const socket = await opened(host, port)
  if (socket === undefined) return
  socket.pause()
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`.repeat(count),
  )
  await sleep(holdMs)
  socket.destroy()
}

/** Opens `count` idle connections and holds them. @returns how many were still open at the end. */
export async function holdIdle(
  { host, port }: HttpAddress | DnsAddress,
  { count, holdMs, from }: { count: number; holdMs: number; from?: (index: number) => string },
): Promise<number> {
  const sockets = await Promise.all(
    Array.from({ length: count }, (_, index) => opened(host, port, from?.(index))),
  )
  await sleep(holdMs)
  let open = 0
  for (const socket of sockets) {
    if (socket !== undefined && !socket.destroyed && socket.readyState === 'open') open++
    socket?.destroy()
  }
  return open
}

/** Sends requests with unknown tokens. @returns the number of replies per status. */
export async function guess({ host, port }: HttpAddress, count: number): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  for (let number = 0; number < count; number++) {
    const token = `guess-${number}-${'x'.repeat(30)}`
    const reply = await fetch(`http://${host}:${port}/client/v4/zones`, {
      headers: { authorization: `Bearer ${token}` },
    }).catch(() => undefined)
    if (reply === undefined) continue
    await reply.arrayBuffer()
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
  }
  return statuses
}

/** @returns undefined if the connection is refused, as a full server may do. */
function opened(host: string, port: number, localAddress?: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, ...(localAddress === undefined ? {} : { localAddress }) })
    socket.once('connect', () => resolve(socket))
    socket.on('error', () => resolve(undefined)) // kept: an idle connection may be evicted at any time
  })
}
