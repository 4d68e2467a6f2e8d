// What listeners have in common.
import type { Server } from 'node:net'
import type { Log } from '../platform/log.ts'
import type { AnswerCache } from './answer-cache.ts'
import type { Exchange } from './exchange.ts'
import type { NameserverLimits } from './limits.ts'
import type { NameserverMetrics } from './metrics.ts'
import type { Peer } from './peer.ts'
import type { QuickAnswer } from './quick-answer.ts'
import type { Respond } from './responder.ts'

/**
 * Answers a message that needs more than memory, whose octets may be overwritten when this returns. Undefined: `respond`
 * answers it. The promise never rejects; no octets mean no answer.
 */
export type RespondLater = (packet: Uint8Array, peer: Peer) => Promise<Uint8Array | undefined> | undefined

export interface ListenerDeps {
  readonly respond: Respond
  readonly respondLater?: RespondLater | undefined
  /** Undefined: transfers and notifications are refused, and signatures are not looked at. */
  readonly exchange?: Exchange | undefined
  /** The short way over UDP, tried first. */
  readonly quick?: QuickAnswer | undefined
  /** Answers that are kept, for UDP. */
  readonly answers?: AnswerCache | undefined
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
