// Every bound of the resolver, with its reason.

export interface ResolverLimits {
  /** Milliseconds until a server's answer is no longer waited for. */
  readonly attemptMs: number
  /** Questions that are sent for one answer, over all servers. */
  readonly attempts: number
  /** Wrong packets that are passed over before one question is taken to TCP: somebody is guessing (RFC 5452 §9.2). */
  readonly wrongReplies: number
  /** Answers that are waited for at once; more wait their turn. */
  readonly concurrency: number
  /** Answers that are held. Beyond, those that nobody watches go first; then new names fail. */
  readonly entries: number
  /** Seconds that an answer is held at least, whatever its TTL: how often one name may be asked for. */
  readonly minHoldSeconds: number
  /** Seconds after which an answer is asked for again, however long its TTL. */
  readonly maxHoldSeconds: number
  /** Seconds that a "no" is held at most (RFC 2308 §5 would allow hours). */
  readonly maxNegativeSeconds: number
  /** Seconds that an answer is used beyond its TTL while nothing newer is to be had (RFC 8767 §5 proposes 1 to 3 days). */
  readonly maxStaleSeconds: number
  /** TTL of stale answers (RFC 8767 §4). */
  readonly staleTtlSeconds: number
  /** Seconds between attempts after a failure (RFC 8767 §5: at least 30). */
  readonly retrySeconds: number
  /** Questions in a row that no server replied to, after which nobody should wait for an answer. */
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
