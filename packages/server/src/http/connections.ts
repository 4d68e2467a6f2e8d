// Limits the API's connections. A new connection beyond the limit replaces the one that was idle longest, so that
// clients that only connect do not lock others out.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Http2SecureServer, Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Socket } from 'node:net'
import { createLimitedLog } from '@zonereeve/nameserver'
import type { Log } from '@zonereeve/platform'

/** `evicted`: idle, closed for a new one. `refused`: new, while all others had pending requests. */
export type ClosedConnection = 'evicted' | 'refused'

export interface ConnectionLimit {
  /** Of all servers together. */
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

export interface LimitedConnections {
  watch(server: Server): void
  /**
   * Watches a server over TLS. Requests refer to its encrypted sockets or to HTTP/2 sessions, so they are attributed to
   * connections by the client's address.
   * @returns a function that closes its idle connections now, and all others as soon as they are idle.
   */
  watchSecure(server: Http2SecureServer): () => void
}

export function limitConnections({ max, log, setOpen, countClosed }: ConnectionLimit): LimitedConnections {
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
  return { watch, watchSecure }

  function watch(server: Server): void {
    server.on('connection', (socket: Socket) => void admit(socket))
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      const connection = open.get(socket)
      if (connection === undefined) return
      connection.pending += 1
      // One function for all: a function per request keeps requests alive until the next full garbage collection.
      response.on('close', endRequest)
    })
    server.on('error', noteAcceptError)
  }

  function watchSecure(server: Http2SecureServer): () => void {
    const sockets = new Map<string, Socket>()
    const pending = new WeakMap<object, Socket>()
    let isClosing = false
    server.on('connection', (socket: Socket) => {
      if (!admit(socket)) return
      const key = keyOf(socket)
      sockets.set(key, socket)
      socket.once('close', () => sockets.delete(key))
    })
    server.prependListener('request', (request: Http2ServerRequest, response: Http2ServerResponse) => {
      const socket = sockets.get(keyOf(request.socket))
      const connection = socket && open.get(socket)
      if (socket === undefined || connection === undefined) return
      connection.pending += 1
      pending.set(response, socket)
      response.on('close', endSecureRequest)
    })
    server.on('error', noteAcceptError)
    return () => {
      isClosing = true
      for (const socket of sockets.values()) if (open.get(socket)?.pending === 0) socket.destroySoon()
    }

    function endSecureRequest(this: Http2ServerResponse): void {
      const socket = pending.get(this)
      const connection = socket && open.get(socket)
      if (socket === undefined || connection === undefined) return
      end(connection)
      if (isClosing && connection.pending === 0) socket.destroySoon()
    }
  }

  /** @returns false if there are too many with pending requests. */
  function admit(socket: Socket): boolean {
    if (open.size >= max && !evictOldest()) {
      socket.destroy()
      return false
    }
    open.set(socket, { pending: 0, idleSince: (clock += 1) })
    setOpen(open.size)
    socket.once('close', () => forget(socket))
    return true
  }

  /** For example, too many open files: waiting connections are accepted later. */
  function noteAcceptError(error: Error): void {
    acceptError = error
    acceptFailed()
  }

  function endRequest(this: ServerResponse): void {
    const connection = open.get(this.req.socket)
    if (connection !== undefined) end(connection)
  }

  function end(connection: Connection): void {
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

const keyOf = ({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string =>
  `${remoteAddress} ${remotePort}`
