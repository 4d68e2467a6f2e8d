// Who may hold a TCP connection, how many, and for how long (RFC 7766 §6.2.2, §6.2.3, §10).
import type { Socket } from 'node:net'
import type { ListenerDeps } from './listener.ts'

/** Milliseconds that clients get to take their last answers when the server stops. */
const CLOSE_GRACE_MS = 1000

export function createConnections({ limits, metrics }: Pick<ListenerDeps, 'limits' | 'metrics'>) {
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
      metrics.countDropped('tcp', 'connections')
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
