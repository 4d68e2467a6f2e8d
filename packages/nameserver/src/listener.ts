// Types and functions that all listeners share.
import type { Server } from 'node:net'
import { createLimitedLog } from './limited-log.ts'
import type { Log } from './log.ts'
import type { AnswerCache } from './answer-cache.ts'
import type { AnyMessageHandler } from './message-handler.ts'
import type { NameserverLimits } from './limits.ts'
import type { NameserverMetrics } from './metrics.ts'
import type { Peer, Transport } from './peer.ts'
import type { FastPath } from './fast-path.ts'
import type { Respond } from './responder.ts'
import type { SharedConnections } from './stream-connections.ts'
import type { IsProxy } from './trusted-proxies.ts'

/**
 * Answers a message that needs more than memory; its buffer may be overwritten after this returns. Undefined:
 * `respond` answers it. The promise never rejects; undefined in it means no answer.
 */
export type RespondLater = (packet: Uint8Array, peer: Peer) => Promise<Uint8Array | undefined> | undefined

export interface ListenerDeps {
  readonly respond: Respond
  readonly respondLater?: RespondLater | undefined
  /** Undefined: transfers and notifications are refused, and signatures are not looked at. */
  readonly messageHandler?: AnyMessageHandler | undefined
  /** The fast path over UDP, tried first. */
  readonly fastPath?: FastPath | undefined
  /** The answer cache for UDP. */
  readonly answers?: AnswerCache | undefined
  readonly log: Log
  readonly limits: NameserverLimits
  readonly metrics: NameserverMetrics
  /** Whether messages from an address must have a header of the PROXY protocol; undefined: from none. */
  readonly isProxy?: IsProxy | undefined
  /** Undefined: no other thread has connections. */
  readonly connections?: SharedConnections | undefined
}

export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** Where the nameserver listens; `passed`: sockets that are already open there. */
export interface PlainEndpoint extends Endpoint {
  readonly passed?: { readonly stream: number; readonly datagram: number | undefined } | undefined
}

/** Where to listen; `descriptor`: a listening socket that other threads accept connections of, too. */
export interface ListenEndpoint extends Endpoint {
  readonly descriptor?: number | undefined
}

export interface Listener {
  readonly port: number
  /** Resolves when the port is free again. */
  close(): Promise<void>
}

/** Resolves when the server listens. @throws the system's error, for example if the port is taken */
export async function startListening(
  server: Server,
  { host, port, descriptor }: ListenEndpoint,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(descriptor === undefined ? { host, port } : { fd: descriptor }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Logs connections of a listening server that could not be accepted; the number of lines is limited. */
export function logServerErrors(server: Server, transport: Transport, log: Pick<Log, 'warn'>): void {
  let latest: Error | undefined
  const failed = createLimitedLog((count) =>
    log.warn({ transport, err: latest, count }, 'dns connections not accepted'),
  )
  server.on('error', (error) => {
    latest = error
    failed()
  })
}

export function portOf(server: Server): number {
  const address = server.address()
  return address === null || typeof address === 'string' ? 0 : address.port
}
