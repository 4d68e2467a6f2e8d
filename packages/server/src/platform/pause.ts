// Long work lets others in between.

/** Resolves when whatever else waits (packets, requests, timers) has had its turn. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
