// Seeded random choices, so that the data is reproducible.

export interface Choices {
  /** At least 0 and below 1. */
  readonly random: () => number
  readonly pick: <T>(items: readonly T[]) => T
  readonly number: (from: number, to: number) => number
  readonly key: (length: number) => string
}

/** Choices that depend only on a string. */
export function createChoices(seed: string): Choices {
  const random = createRandom(seed)
  const pick = <T>(items: readonly T[]): T => {
    const item = items[Math.floor(random() * items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  return {
    random,
    pick,
    number: (from, to) => from + Math.floor(random() * (to - from + 1)),
    key: (length) => Array.from({ length }, () => pick([...LETTERS])).join(''),
  }
}

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'

/** A generator of numbers from 0 to below 1 (xorshift with a hash of the seed). */
export function createRandom(seed: string): () => number {
  let state = 2_166_136_261
  for (let i = 0; i < seed.length; i += 1) state = Math.imul(state ^ seed.charCodeAt(i), 16_777_619)
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 4_294_967_296
  }
}
