// What the nameserver counts. The hooks run on the hot path: they must be quick and must not throw.
import type { Transport } from './peer.ts'

/** Why no answer was sent: no query at all, an answer that nobody takes, a connection too many, or answers too many. */
export type DropReason = 'garbage' | 'backlog' | 'connections' | 'rate'

/** A zone as it is counted. */
export interface CountedZone {
  readonly zoneId: string
  readonly name: string
}

export interface NameserverMetrics {
  /** An answer was made, from a zone if the question was in one. `rcode` is its mnemonic, `NXDOMAIN`. */
  countQuery(transport: Transport, rcode: string, zone: CountedZone | undefined): void
  countDropped(transport: Transport, reason: DropReason): void
}

export const noMetrics: NameserverMetrics = { countQuery() {}, countDropped() {} }
