// Limits the API's connections. A new connection beyond the limit replaces the one that was idle longest, so that
// clients that only connect do not lock others out.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createLimitedLog } from '@zonereeve/nameserver'
import type { Log } from '@zonereeve/platform'

/** `evicted`: idle, closed for a new one. `refused`: new, while all others had pending requests. */
export type ClosedConnection = 'evicted' | 'refused'

export interface ConnectionLimit {
  readonly max: number
  readonly log: Pick<Log, 'warn'>
  /** Called with the number of open connections after each change. */
  readonly setOpen: (count: number) => void
  readonly countClosed: (how: ClosedConnection) => void
}

interface Connection {
  /** Requests whose headers have arrived and whose replies have not ended. */
  pending: number
  idleSince: number
}

export function limitConnections(server: Server, { max, log, setOpen, countClosed }: ConnectionLimit): void {
  const open = new Map<Socket, Connection>()
  /** Increases with each request that ends and each new connection. */
  let clock = 0
  const isLimitReached = createLimitedLog((count) =>
    log.warn({ limit: max, count }, 'http connections at their limit'),
  )
  let acceptError: Error | undefined
  const acceptFailed = createLimitedLog((count) =>
    log.warn({ err: acceptError, count }, 'http connections not accepted'),
  )

  server.on('connection', (socket: Socket) => {
    if (open.size >= max && !evictOldest()) return void socket.destroy()
    open.set(socket, { pending: 0, idleSince: (clock += 1) })
    setOpen(open.size)
    socket.once('close', () => forget(socket))
  })
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = open.get(socket)
    if (connection === undefined) return
    connection.pending += 1
    // One function for all: a function per request keeps requests alive until the next full garbage collection.
    response.on('close', endRequest)
  })
  // For example, too many open files: waiting connections are accepted later.
  server.on('error', (error) => {
    acceptError = error
    acceptFailed()
  })

  function endRequest(this: ServerResponse): void {
    const connection = open.get(this.req.socket)
    if (connection === undefined) return
    connection.pending -= 1
    connection.idleSince = clock += 1
  }

  /** @returns false if all of them have pending requests. */
  function evictOldest(): boolean {
    isLimitReached()
    let oldest: Socket | undefined
    let since = Number.POSITIVE_INFINITY
    // Looked for only here: an order kept for each request would cost all requests.
    for (const [socket, { pending, idleSince }] of open) {
      if (pending > 0 || idleSince >= since) continue
      oldest = socket
      since = idleSince
    }
    countClosed(oldest === undefined ? 'refused' : 'evicted')
    if (oldest === undefined) return false
    forget(oldest)
    oldest.destroy()
    return true
  }

  function forget(socket: Socket): void {
    if (open.delete(socket)) setOpen(open.size)
  }
}
