// Which of many keys were added once: two bits for each hash tell that, and an index of them all is not needed.
import { hashString } from './string-map.ts'

export interface SingleKeys {
  add(key: string): void
  /**
   * Whether a key that was added was added once. False for a few of these, whose bits others have, too; it says nothing
   * of keys that were not added.
   */
  hasOne(key: string): boolean
}

const BITS_PER_WORD = 32

/** @param bits for the keys; with 16 for each, one in 16 to 32 shares its bits with another. */
export function createSingleKeys(bits: number): SingleKeys {
  const length = 2 ** Math.ceil(Math.log2(Math.max(1, bits / BITS_PER_WORD)))
  const once = new Uint32Array(length)
  const again = new Uint32Array(length)
  const mask = length * BITS_PER_WORD - 1
  return { add, hasOne }

  function add(key: string): void {
    const hash = hashString(key) & mask
    const words = has(once, hash) ? again : once
    words[hash >>> 5] = wordOf(words, hash) | (1 << (hash & 31))
  }

  function hasOne(key: string): boolean {
    const hash = hashString(key) & mask
    return has(once, hash) && !has(again, hash)
  }
}

const wordOf = (words: Uint32Array, hash: number): number => words[hash >>> 5] as number // within them

const has = (words: Uint32Array, hash: number): boolean => ((wordOf(words, hash) >>> (hash & 31)) & 1) === 1
