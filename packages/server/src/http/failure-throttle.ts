// Throttles guessing: after too many failed credentials from one network, further failures are answered 429. Valid
// credentials are never throttled: behind a proxy, a guesser shares its address with every tool.
import { BoundedMap } from '@zonereeve/cooperate'
import type { Clock } from '@zonereeve/platform'

export const FAILURES_PER_WINDOW = 100
export const WINDOW_MILLIS = 60_000
const NETWORKS_KEPT = 10_000

export interface FailureThrottle {
  /** Counts a failure of a network. @returns whether it had too many before. */
  countFailure(network: string): boolean
}

export function createFailureThrottle(clock: Clock): FailureThrottle {
  const failures = new BoundedMap<string, { count: number; readonly until: number }>(NETWORKS_KEPT)
  return {
    countFailure(network) {
      const window = failures.get(network)
      if (window !== undefined && window.until > clock.now()) {
        window.count += 1
        return window.count > FAILURES_PER_WINDOW
      }
      failures.set(network, { count: 1, until: clock.now() + WINDOW_MILLIS })
      return false
    },
  }
}
