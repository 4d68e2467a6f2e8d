// Every bound of the nameserver, with its reason.

export interface NameserverLimits {
  /** Largest UDP answer, whatever the client offers: avoids fragments (RFC 9715; DNS flag day 2020). At least 512. */
  readonly udpPayloadOctets: number
  /** Links of a CNAME chain in one answer; the resolver asks on from there. */
  readonly cnameLinks: number
  /** Open TCP connections in all; more are closed at once. */
  readonly tcpConnections: number
  /** Open TCP connections of one address. */
  readonly tcpConnectionsPerAddress: number
  /** Milliseconds without a complete query until a connection is closed (RFC 7766 §6.2.3 advises a few seconds). */
  readonly tcpIdleMs: number
  /** Octets of answers that a client may leave unread before we stop reading its queries. */
  readonly tcpUnsentOctets: number
  /** Answers of one connection that may still be to come (updates are) before we stop reading its queries. */
  readonly tcpPendingAnswers: number
  /**
   * Signatures in a second for denials, and for names that a wildcard answers for, over UDP, and as many over everything else:
   * some tenth of a core for each. Beyond, UDP clients are told to ask over TCP, and others that the server failed.
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
