// Slows down guessing: after too many failed credentials from one address, only credentials that have worked before
// are still looked at, so that a guesser does not lock out the tools that share the address.
import { hash } from 'node:crypto'
import type { Clock } from '../platform/clock.ts'
import { DomainError } from '../platform/domain-error.ts'

export const FAILURES_PER_WINDOW = 100
export const WINDOW_MILLIS = 60_000
const ADDRESSES_KEPT = 10_000
const CREDENTIALS_KEPT = 10_000

export interface FailureThrottle {
  /** @throws DomainError: auth.throttled. */
  check(ip: string, credential: string): void
  failed(ip: string): void
  succeeded(credential: string): void
}

export function createFailureThrottle(clock: Clock): FailureThrottle {
  const failures = new Map<string, { count: number; until: number }>()
  const proven = new Set<string>()
  return {
    check(ip, credential) {
      const window = failures.get(ip)
      if (window === undefined || window.until <= clock.now() || window.count < FAILURES_PER_WINDOW) return
      if (!proven.has(digest(credential))) throw new DomainError({ reason: 'auth.throttled' })
    },
    failed(ip) {
      const window = failures.get(ip)
      if (window !== undefined && window.until > clock.now()) window.count += 1
      else {
        failures.delete(ip)
        failures.set(ip, { count: 1, until: clock.now() + WINDOW_MILLIS })
        if (failures.size > ADDRESSES_KEPT) dropOldest(failures)
      }
    },
    succeeded(credential) {
      const key = digest(credential)
      if (proven.has(key)) return
      proven.add(key)
      if (proven.size > CREDENTIALS_KEPT) dropOldest(proven)
    },
  }
}

const digest = (credential: string): string => hash('sha256', credential, 'base64')

function dropOldest(kept: Map<string, unknown> | Set<string>): void {
  const [oldest] = kept.keys()
  if (oldest !== undefined) kept.delete(oldest)
}
