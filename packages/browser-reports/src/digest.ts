// Keyed 53-bit digests of strings: a number takes about a tenth of the memory of a long string.

/** Never 0. */
export type Digest = number

/** @returns the digest of a string, optionally chained to the digest of a preceding string. */
export type Digester = (text: string, behind?: Digest) => Digest

/**
 * @param seed two secret 32-bit numbers: anybody who knew them could craft a script URL that collides with
 * another one.
 */
export function createDigester([seedA, seedB]: readonly [number, number]): Digester {
  return (text, behind = 0) => {
    let a = seedA ^ behind
    let b = seedB ^ Math.floor(behind / HIGH_BITS)
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      a = Math.imul(a ^ code, PRIME_A)
      b = Math.imul(b ^ code, PRIME_B)
    }
    a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909)
    b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909)
    return HIGH_BITS * (b & USED_HIGH_BITS) + (a >>> 0) || 1
  }
}

const PRIME_A = 2_654_435_761
const PRIME_B = 1_597_334_677
const HIGH_BITS = 2 ** 32
const USED_HIGH_BITS = 0x1f_ffff

/** Limits the search, even if digests are chosen to collide in one bucket. */
const MAX_STEPS = 64

/**
 * Maps digests to slots of a table twice their number: one memory access where a Set of such numbers takes
 * several.
 */
export interface DigestTable {
  /** Returns the slot of a digest, or -1 if it is not in the table. */
  find(digest: Digest): number
  /** @returns the slot of the added digest; in rare cases it replaces another digest. */
  add(digest: Digest): number
  clear(): void
  readonly size: number
  /** Number of slots. */
  readonly places: number
}

/** @param max maximum number of digests: the caller must clear the table before adding more. */
export function createDigestTable(max: number): DigestTable {
  const mask = 2 ** Math.ceil(Math.log2(max * 2)) - 1
  const table = new Float64Array(mask + 1)
  let size = 0
  return {
    find(digest) {
      const place = placeOf(digest)
      return table[place] === digest ? place : -1
    },
    add(digest) {
      const place = placeOf(digest)
      if (table[place] === 0) size += 1
      table[place] = digest
      return place
    },
    clear() {
      if (size > 0) table.fill(0)
      size = 0
    },
    get size() {
      return size
    },
    places: mask + 1,
  }

  /** The slot of a digest, or the slot it would take; 0 marks an empty slot. */
  function placeOf(digest: Digest): number {
    let place = digest & mask
    for (let step = 0; step < MAX_STEPS && table[place] !== 0 && table[place] !== digest; step++)
      place = (place + 1) & mask
    return place
  }
}
