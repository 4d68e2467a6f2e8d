// Limits the API's connections. A new connection beyond the limit replaces the one that was idle longest, so that
// clients that only connect do not lock others out.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createLimitedLog } from '@zonereeve/nameserver'
import type { Log } from '../platform/log.ts'

/** `evicted`: idle, closed for a new one. `refused`: new, while all others had pending requests. */
export type ClosedConnection = 'evicted' | 'refused'

export interface ConnectionLimit {
  readonly max: number
  readonly log: Pick<Log, 'warn'>
  /** Called with the number of open connections after each change. */
  readonly setOpen: (count: number) => void
  readonly countClosed: (how: ClosedConnection) => void
}

export function limitConnections(server: Server, { max, log, setOpen, countClosed }: ConnectionLimit): void {
  /** By socket: number of pending requests whose headers have arrived. */
  const open = new Map<Socket, number>()
  /** Longest idle first. */
  const idle = new Set<Socket>()
  const isLimitReached = createLimitedLog((count) =>
    log.warn({ limit: max, count }, 'http connections at their limit'),
  )
  let acceptError: Error | undefined
  const acceptFailed = createLimitedLog((count) =>
    log.warn({ err: acceptError, count }, 'http connections not accepted'),
  )

  server.on('connection', (socket: Socket) => {
    if (open.size >= max && !evictOldest()) return void socket.destroy()
    open.set(socket, 0)
    idle.add(socket)
    setOpen(open.size)
    socket.once('close', () => forget(socket))
  })
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    addRequests(socket, 1)
    response.once('close', () => addRequests(socket, -1))
  })
  // For example, too many open files: waiting connections are accepted later.
  server.on('error', (error) => {
    acceptError = error
    acceptFailed()
  })

  /** @returns false if all of them have pending requests. */
  function evictOldest(): boolean {
    isLimitReached()
    const [oldest] = idle
    countClosed(oldest === undefined ? 'refused' : 'evicted')
    if (oldest === undefined) return false
    forget(oldest)
    oldest.destroy()
    return true
  }

  function addRequests(socket: Socket, by: 1 | -1): void {
    const before = open.get(socket)
    if (before === undefined) return
    open.set(socket, before + by)
    idle.delete(socket)
    if (before + by === 0) idle.add(socket)
  }

  function forget(socket: Socket): void {
    idle.delete(socket)
    if (open.delete(socket)) setOpen(open.size)
  }
}
