// Every limit of the nameserver, with its reason.

export interface NameserverLimits {
  /**
   * Largest UDP answer, whatever size the client offers: avoids fragments (RFC 9715; DNS flag day 2020). At least
   * 512.
   */
  readonly udpPayloadOctets: number
  /** Links of a CNAME chain in one answer; the resolver continues from there. */
  readonly cnameLinks: number
  /** Open TCP connections in total; one more replaces the connection that was idle the longest. */
  readonly tcpConnections: number
  /** Open TCP connections of one address. */
  readonly tcpConnectionsPerAddress: number
  /**
   * Milliseconds without a complete query until a connection is closed (RFC 7766 §6.2.3 recommends a few seconds).
   */
  readonly tcpIdleMs: number
  /** Octets of answers that a client may leave unread before its queries are no longer read. */
  readonly tcpUnsentOctets: number
  /** Pending answers of one connection (for example to updates) before its queries are no longer read. */
  readonly tcpPendingAnswers: number
  /**
   * Signatures per second for denials and for wildcard names over UDP, and as many over all other transports
   * together: about a tenth of a core each. Beyond the limit, UDP clients get TC and others SERVFAIL.
   */
  readonly madeSignaturesPerSecond: number
  /** Octets of UDP answers that may wait for the network card before further queries are dropped. */
  readonly udpUnsentOctets: number
}

export const DEFAULT_LIMITS: NameserverLimits = {
  udpPayloadOctets: 1232,
  cnameLinks: 16,
  tcpConnections: 1000,
  tcpConnectionsPerAddress: 100,
  tcpIdleMs: 10_000,
  tcpUnsentOctets: 262_144,
  tcpPendingAnswers: 16,
  madeSignaturesPerSecond: 2000,
  udpUnsentOctets: 1_048_576,
}
