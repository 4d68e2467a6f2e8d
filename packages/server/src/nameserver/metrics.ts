// What the nameserver counts. The hooks run on the hot path: they must be quick and must not throw.

export type Transport = 'udp' | 'tcp'

/** Why no answer was sent: no query at all, an answer that nobody takes, or a connection too many. */
export type DropReason = 'garbage' | 'backlog' | 'connections'

export interface NameserverMetrics {
  /** An answer was made. `rcode` is its mnemonic, `NXDOMAIN`. */
  countQuery(transport: Transport, rcode: string): void
  countDropped(transport: Transport, reason: DropReason): void
}

export const noMetrics: NameserverMetrics = { countQuery() {}, countDropped() {} }
