// What the nameserver counts. The hooks run on the hot path: they must be fast and must not throw.
import type { Transport } from './peer.ts'

/**
 * Why no answer was sent: not a query, a client that does not read its answers, too many connections, an idle
 * connection that was evicted for a new one, or too many answers.
 */
export type DropReason = 'garbage' | 'backlog' | 'connections' | 'evicted' | 'rate'

/** A zone in the counters. */
export interface CountedZone {
  readonly zoneId: string
  readonly name: string
}

export interface NameserverMetrics {
  /**
   * Called for each answer, with the zone if the question was in one. `rcode` is the mnemonic, for example
   * `NXDOMAIN`. `count`: so many of them, 1 by default.
   */
  countQuery(transport: Transport, rcode: string, zone: CountedZone | undefined, count?: number): void
  countDropped(transport: Transport, reason: DropReason, count?: number): void
}

export const noMetrics: NameserverMetrics = { countQuery() {}, countDropped() {} }
