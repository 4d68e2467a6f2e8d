// Who may hold a connection, how many, and for how long (RFC 7766 §6.2.2, §6.2.3, §10).
import type { Server, Socket } from 'node:net'
import type { ListenerDeps } from './listener.ts'
import type { Transport } from './peer.ts'

/** Milliseconds that clients get to take their last answers when the server stops. */
const CLOSE_GRACE_MS = 1000

export function createConnections(
  transport: Transport,
  { limits, metrics }: Pick<ListenerDeps, 'limits' | 'metrics'>,
) {
  const open = new Set<Socket>()
  const byAddress = new Map<string, number>()

  return { admit, close }

  /**
   * Takes a connection in, or closes it when there are too many. Returns what is to be called at every complete query:
   * only those keep a connection open, not single octets (RFC 7766 §6.2.3).
   */
  function admit(socket: Socket): (() => void) | undefined {
    const address = socket.remoteAddress ?? ''
    const ofAddress = byAddress.get(address) ?? 0
    if (open.size >= limits.tcpConnections || ofAddress >= limits.tcpConnectionsPerAddress) {
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
    return () => void idle.refresh()
  }

  /** Ends all connections: those with answers under way after these, or after the grace. */
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
 * Takes in the connections of a server that encrypts, before it does. Returns what finds the `refreshIdle` of a connection
 * by its encrypted end, which does not know the plain one.
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
