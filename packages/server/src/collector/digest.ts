// Texts told apart by 53 bits, under a secret: a number keeps where a text of many characters would take ten times as much.

/** Never 0. */
export type Digest = number

/** @returns the digest of a text, or of a text behind what another digest is of. */
export type Digester = (text: string, behind?: Digest) => Digest

/** @param seed two numbers of 32 bits, secret: whoever knew them could name a script so that it is taken for another one. */
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

/** Digests may come to be chosen so that they meet in one place: searching there is to cost no more than elsewhere. */
const MAX_STEPS = 64

/** Digests by place in a table of twice as many: one look into memory where a Set of such numbers takes several. */
export interface DigestTable {
  /** Where a digest is; -1 = it is not there. */
  find(digest: Digest): number
  /** @returns where it is now, in rare cases in the place of another one. */
  add(digest: Digest): number
  clear(): void
  readonly size: number
  /** How many places there are. */
  readonly places: number
}

/** @param max how many there may be: who adds more must clear before. */
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

  /** Where a digest is, or would be: 0 is an empty place. */
  function placeOf(digest: Digest): number {
    let place = digest & mask
    for (let step = 0; step < MAX_STEPS && table[place] !== 0 && table[place] !== digest; step++)
      place = (place + 1) & mask
    return place
  }
}
