// All limits of a scan, with reasons.

export interface DnsScanLimits {
  /** Milliseconds after which a scan ends with what it has found: a client waits for it. */
  readonly totalMs: number
  /** Milliseconds to wait for a server's answer. */
  readonly attemptMs: number
  /** Wrong packets that are skipped before a query is repeated over TCP: replies may be forged (RFC 5452 §9.2). */
  readonly wrongReplies: number
  /** Concurrent queries: limits the load on external servers. */
  readonly concurrency: number
  /** Total number of queries. */
  readonly questions: number
  /** Number of times that one query is sent, to one server after another. */
  readonly attempts: number
  /** Consecutive failures after which a server is no longer queried. */
  readonly failuresUntilDropped: number
  /** Maximum number of servers to query. */
  readonly servers: number
  /** Maximum number of records to keep. */
  readonly records: number
  /** Number of rounds in which names referred to by found records are queried too. */
  readonly rounds: number
}

export const DEFAULT_DNS_SCAN_LIMITS: DnsScanLimits = {
  totalMs: 25_000,
  attemptMs: 1500,
  wrongReplies: 20,
  concurrency: 8,
  questions: 3000,
  attempts: 3,
  failuresUntilDropped: 3,
  servers: 8,
  records: 1000,
  rounds: 3,
}
