// Limits who may hold connections, how many, and for how long (RFC 7766 §6.2.2, §6.2.3, §10).
import type { Server, Socket } from 'node:net'
import { createLimitedLog } from './limited-log.ts'
import type { ListenerDeps } from './listener.ts'
import { remoteAddress } from './peer.ts'
import type { Transport } from './peer.ts'

/** Milliseconds that clients get to read their last answers when the server stops. */
const CLOSE_GRACE_MS = 1000

export function createConnections(
  transport: Transport,
  { limits, metrics, log }: Pick<ListenerDeps, 'limits' | 'metrics' | 'log'>,
) {
  /** Ordered by last query, oldest first. */
  const open = new Set<Socket>()
  const byAddress = new Map<string, number>()
  const isLimitReached = createLimitedLog((count) =>
    log.warn({ transport, limit: limits.tcpConnections, count }, 'dns connections at their limit'),
  )

  return { admit, close }

  /**
   * Admits a connection. If there are too many in total, it replaces the one that was idle the longest; if there are
   * too many of its address, it is refused. Returns a function to call at every complete query: only those keep a
   * connection open, not single octets (RFC 7766 §6.2.3).
   */
  function admit(socket: Socket): (() => void) | undefined {
    const address = remoteAddress(socket)
    const ofAddress = byAddress.get(address) ?? 0 // its first connection
    if (ofAddress >= limits.tcpConnectionsPerAddress || (open.size >= limits.tcpConnections && !evictOne())) {
      metrics.countDropped(transport, 'connections')
      socket.destroy()
      return undefined
    }
    open.add(socket)
    byAddress.set(address, ofAddress + 1)
    const idle = setTimeout(() => socket.destroy(), limits.tcpIdleMs)
    socket.once('close', () => {
      clearTimeout(idle)
      open.delete(socket)
      const left = (byAddress.get(address) ?? 1) - 1
      if (left === 0) byAddress.delete(address)
      else byAddress.set(address, left)
    })
    return () => {
      idle.refresh()
      if (open.delete(socket)) open.add(socket)
    }
  }

  /** Closes the connection that was idle the longest. Returns false if all of them have pending answers. */
  function evictOne(): boolean {
    isLimitReached()
    for (const socket of open) {
      if (socket.writableLength > 0) continue
      open.delete(socket)
      metrics.countDropped(transport, 'evicted')
      socket.destroy()
      return true
    }
    return false
  }

  /** Ends all connections: those with pending answers after sending them, or after the grace period. */
  function close(): void {
    for (const socket of open) {
      const grace = setTimeout(() => socket.destroy(), CLOSE_GRACE_MS)
      socket.once('close', () => clearTimeout(grace))
      socket.destroySoon()
    }
  }
}

export type Connections = ReturnType<typeof createConnections>

/**
 * Admits the connections of an encrypting server before the handshake. Returns a function that finds the
 * `refreshIdle` of a connection by its encrypted socket, which has no reference to the plain one.
 */
export function admitAll(
  server: Server,
  connections: Connections,
): (end: Pick<Socket, 'remoteAddress' | 'remotePort'>) => () => void {
  const admitted = new Map<string, () => void>()
  server.on('connection', (socket) => {
    const refreshIdle = connections.admit(socket)
    if (refreshIdle === undefined) return
    const key = keyOf(socket)
    admitted.set(key, refreshIdle)
    socket.once('close', () => admitted.delete(key))
  })
  return (end) => admitted.get(keyOf(end)) ?? (() => {})
}

const keyOf = ({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string =>
  `${remoteAddress} ${remotePort}`
