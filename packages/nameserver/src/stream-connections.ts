// Limits who may hold connections, how many, and for how long (RFC 7766 §6.2.2, §6.2.3, §10).
import type { Server, Socket } from 'node:net'
import { createLimitedLog } from './limited-log.ts'
import type { ListenerDeps } from './listener.ts'
import { remoteAddress } from './peer.ts'
import { ConnectionCounts, connectionCountsMemory, type StreamTransport } from './connection-counts.ts'

/** Milliseconds that clients get to read their last answers when the server stops. */
const CLOSE_GRACE_MS = 1000

/**
 * Connections by which the limit may be exceeded until another thread has closed idle ones. Beyond them, a thread
 * replaces its own, or refuses.
 */
const CONNECTIONS_OVER_LIMIT = 64

/** Connections in all threads. */
export interface SharedConnections {
  readonly counts: ConnectionCounts
  /** Makes the thread of a row close the connection that was idle the longest. */
  evictIn(row: number, transport: StreamTransport): void
  /** Calls `evict` when another thread requests it. */
  onEvict(transport: StreamTransport, evict: () => void): void
}

/** Connections of one thread alone. */
export function createOwnConnections(): SharedConnections {
  const counts = new ConnectionCounts(connectionCountsMemory(1), 0, Math.floor(Math.random() * 2 ** 32))
  return { counts, evictIn() {}, onEvict() {} }
}

export function createConnections(
  transport: StreamTransport,
  { limits, metrics, log, isProxy, connections = createOwnConnections() }: ConnectionsDeps,
) {
  /** Ordered by last query, oldest first. */
  const open = new Set<Socket>()
  const { counts } = connections
  const isLimitReached = createLimitedLog((count) =>
    log.warn({ transport, limit: limits.tcpConnections, count }, 'dns connections at their limit'),
  )

  connections.onEvict(transport, () => void evictOne())

  return { admit, close }

  /**
   * Admits a connection. If there are too many in total, it replaces the one that was idle the longest; if there are
   * too many of its address, it is refused. Returns a function to call at every complete query: only those keep a
   * connection open, not single octets (RFC 7766 §6.2.3).
   */
  function admit(socket: Socket): (() => void) | undefined {
    const address = remoteAddress(socket)
    const isAddressFull =
      counts.ofAddress(transport, address) >= limits.tcpConnectionsPerAddress && isProxy?.(address) !== true
    if (isAddressFull || (counts.total(transport) >= limits.tcpConnections && !makeSpace())) {
      metrics.countDropped(transport, 'connections')
      socket.destroy()
      return undefined
    }
    open.add(socket)
    counts.add(transport, address, 1)
    const idle = setTimeout(() => socket.destroy(), limits.tcpIdleMs)
    socket.once('close', () => {
      clearTimeout(idle)
      open.delete(socket)
      counts.add(transport, address, -1)
    })
    return () => {
      idle.refresh()
      if (open.delete(socket)) open.add(socket)
    }
  }

  /** Replaces a connection of the thread that has most of them. Returns false if none can be replaced. */
  function makeSpace(): boolean {
    isLimitReached()
    const fullest = counts.fullest(transport)
    const isOverLimit = counts.total(transport) >= limits.tcpConnections + CONNECTIONS_OVER_LIMIT
    if (fullest === counts.row || isOverLimit) return evictOne()
    connections.evictIn(fullest, transport)
    return true
  }

  /** Closes the connection that was idle the longest. Returns false if all of them have pending answers. */
  function evictOne(): boolean {
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

type ConnectionsDeps = Pick<ListenerDeps, 'limits' | 'metrics' | 'log' | 'connections' | 'isProxy'>

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
