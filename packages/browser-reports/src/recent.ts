// A set of recently counted digests that expires entries in two generations, so that its size is bounded.
import { createDigestTable, type Digest } from './digest.ts'

export interface RecentKeys {
  /**
   * Adds a key.
   * @returns false if it was already added within the time.
   */
  add(key: Digest, nowMillis: number): boolean
  has(key: Digest, nowMillis: number): boolean
  readonly size: number
}

/**
 * @param keepMillis minimum time a key is remembered (at most twice that).
 * @param maxKeys limit per generation; when it is reached, the older generation is dropped early.
 */
export function createRecentKeys(keepMillis: number, maxKeys: number): RecentKeys {
  let young = createDigestTable(maxKeys)
  let old = createDigestTable(maxKeys)
  let turnAt = Number.NEGATIVE_INFINITY
  const turn = (nowMillis: number): void => {
    old.clear()
    // After a long pause, the younger generation has expired too.
    if (nowMillis >= turnAt + keepMillis) young.clear()
    ;[old, young] = [young, old]
    turnAt = nowMillis + keepMillis
  }
  const isKnown = (key: Digest): boolean => old.find(key) >= 0 || young.find(key) >= 0
  return {
    add(key, nowMillis) {
      if (nowMillis >= turnAt || young.size >= maxKeys) turn(nowMillis)
      if (isKnown(key)) return false
      young.add(key)
      return true
    },
    has(key, nowMillis) {
      if (nowMillis >= turnAt) turn(nowMillis)
      return isKnown(key)
    },
    get size() {
      return young.size + old.size
    },
  }
}
