// What listeners have in common.
import type { Server } from 'node:net'
import type { Log } from '../platform/log.ts'
import type { Exchange } from './exchange.ts'
import type { NameserverLimits } from './limits.ts'
import type { NameserverMetrics } from './metrics.ts'
import type { Respond } from './responder.ts'

export interface ListenerDeps {
  readonly respond: Respond
  /** Undefined: transfers and notifications are refused, and signatures are not looked at. */
  readonly exchange: Exchange | undefined
  readonly log: Log
  readonly limits: NameserverLimits
  readonly metrics: NameserverMetrics
}

export interface Endpoint {
  readonly host: string
  readonly port: number
}

export interface Listener {
  readonly port: number
  /** Resolves when the port is free again. */
  close(): Promise<void>
}

/** Resolves when the server listens. @throws the system's error, as when the port is taken */
export async function startListening(server: Server, { host, port }: Endpoint): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

export function portOf(server: Server): number {
  const address = server.address()
  return address === null || typeof address === 'string' ? 0 : address.port
}
