// Limits guessing. Attempts are counted before they are checked, so that many at the same time are no way around it.
import { BoundedMap } from '@zonereeve/cooperate'

export interface AttemptLimit {
  /** Failed attempts that lock a key. */
  readonly failures: number
  /** How long failures count, from the first, and how long a key stays locked. */
  readonly windowMillis: number
  /** Keys that are remembered; the oldest is forgotten for a new one. */
  readonly maxKeys: number
}

/** An attempt that has been counted. */
export interface Attempt {
  /** Attempts left after this one has failed. */
  readonly left: number
  /** Takes the count back: the attempt showed nothing about a secret. */
  cancel(): void
  /** Forgets all failures of the key. */
  succeed(): void
}

export interface Attempts {
  /** Counts an attempt. @returns milliseconds until the key is unlocked, if it is locked. */
  begin(key: string): Attempt | { readonly lockedMillis: number }
}

/** @param now milliseconds since the epoch. */
export function createAttempts(
  now: () => number,
  { failures, windowMillis, maxKeys }: AttemptLimit,
): Attempts {
  const windows = new BoundedMap<string, { count: number; until: number }>(maxKeys)
  return {
    begin(key) {
      const known = windows.get(key)
      const window = known !== undefined && known.until > now() ? known : { count: 0, until: 0 }
      if (window.count >= failures) return { lockedMillis: window.until - now() }
      window.count += 1
      // The last failure locks for the whole time.
      if (window.count === 1 || window.count === failures) window.until = now() + windowMillis
      if (window !== known) windows.set(key, window)
      return {
        left: failures - window.count,
        cancel: () => void (window.count -= 1),
        succeed: () => void windows.delete(key),
      }
    },
  }
}
