// What was counted already: a set of digests that forgets, in two generations, so that its size is bounded whatever comes.
import { createDigestTable, type Digest } from './digest.ts'

export interface RecentKeys {
  /** Notes a key. @returns false where it was noted within the time. */
  add(key: Digest, nowMillis: number): boolean
  readonly size: number
}

/**
 * @param keepMillis how long a key is known at least (and twice that at most).
 * @param maxKeys in a generation; when it is full, the older one is forgotten before its time.
 */
export function createRecentKeys(keepMillis: number, maxKeys: number): RecentKeys {
  let young = createDigestTable(maxKeys)
  let old = createDigestTable(maxKeys)
  let turnAt = Number.NEGATIVE_INFINITY
  return {
    add(key, nowMillis) {
      if (nowMillis >= turnAt || young.size >= maxKeys) {
        old.clear()
        // After a long silence, what is young is old, too.
        if (nowMillis >= turnAt + keepMillis) young.clear()
        ;[old, young] = [young, old]
        turnAt = nowMillis + keepMillis
      }
      if (old.find(key) >= 0 || young.find(key) >= 0) return false
      young.add(key)
      return true
    },
    get size() {
      return young.size + old.size
    },
  }
}
