// All limits of the resolver, with reasons.

export interface ResolverLimits {
  /** Milliseconds to wait for a server's answer. */
  readonly attemptMs: number
  /** Queries sent for one answer, over all servers. */
  readonly attempts: number
  /** Wrong packets that are skipped before a query is repeated over TCP: replies may be forged (RFC 5452 §9.2). */
  readonly wrongReplies: number
  /** Concurrent queries; further ones are queued. */
  readonly concurrency: number
  /** Cached answers. Beyond this, unwatched ones are evicted first; then new names fail. */
  readonly entries: number
  /** Minimum seconds that an answer is cached, whatever its TTL: limits how often one name is queried. */
  readonly minHoldSeconds: number
  /** Seconds after which an answer is queried again, however long its TTL. */
  readonly maxHoldSeconds: number
  /** Maximum seconds that a negative answer is cached (RFC 2308 §5 would allow hours). */
  readonly maxNegativeSeconds: number
  /** Seconds that an answer is used beyond its TTL while there is no newer one (RFC 8767 §5 proposes 1 to 3 days). */
  readonly maxStaleSeconds: number
  /** TTL of stale answers (RFC 8767 §4). */
  readonly staleTtlSeconds: number
  /** Seconds between attempts after a failure (RFC 8767 §5: at least 30). */
  readonly retrySeconds: number
  /** Consecutive queries without a reply from any server after which callers should not wait for an answer. */
  readonly silencesUntilDown: number
}

export const DEFAULT_RESOLVER_LIMITS: ResolverLimits = {
  attemptMs: 1500,
  attempts: 4,
  wrongReplies: 20,
  concurrency: 64,
  entries: 100_000,
  minHoldSeconds: 30,
  maxHoldSeconds: 3600,
  maxNegativeSeconds: 300,
  maxStaleSeconds: 86_400,
  staleTtlSeconds: 30,
  retrySeconds: 30,
  silencesUntilDown: 3,
}
