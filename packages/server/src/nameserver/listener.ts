// What UDP and TCP listeners have in common.
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
