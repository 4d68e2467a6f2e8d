// What was counted already: a set of keys that forgets, in two generations, so that its size is bounded whatever comes.

export interface RecentKeys {
  /** Notes a key. @returns false where it was noted within the time. */
  add(key: string, nowMillis: number): boolean
  readonly size: number
}

/**
 * @param keepMillis how long a key is known at least (and twice that at most).
 * @param maxKeys in a generation; when it is full, the older one is forgotten before its time.
 */
export function createRecentKeys(keepMillis: number, maxKeys: number): RecentKeys {
  let young = new Set<number>()
  let old = new Set<number>()
  let turnAt = Number.NEGATIVE_INFINITY
  return {
    add(key, nowMillis) {
      if (nowMillis >= turnAt || young.size >= maxKeys) {
        // After a long silence, what is young is old, too.
        old = nowMillis >= turnAt + keepMillis ? new Set() : young
        young = new Set()
        turnAt = nowMillis + keepMillis
      }
      const digest = digestOf(key)
      if (young.has(digest) || old.has(digest)) return false
      young.add(digest)
      return true
    },
    get size() {
      return young.size + old.size
    },
  }
}

const PRIME_A = 2_654_435_761
const PRIME_B = 1_597_334_677
const HIGH_BITS = 2 ** 32
const USED_HIGH_BITS = 0x1f_ffff

/** 53 bits: a number keeps where texts of many characters would take ten times as much. */
function digestOf(text: string): number {
  let a = 0xdead_beef
  let b = 0x41c6_ce57
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    a = Math.imul(a ^ code, PRIME_A)
    b = Math.imul(b ^ code, PRIME_B)
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909)
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909)
  return HIGH_BITS * (b & USED_HIGH_BITS) + (a >>> 0)
}
