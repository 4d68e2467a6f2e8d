// The check of a chain of entries: each must follow the one before, and have the hash of its content.
import { linkHash, type LinkedEntry, type Sha256 } from './entry.ts'

/** An entry of the chain by its number and hash; number 0 stands before the first. */
export interface Link {
  readonly number: number
  readonly hash: string
}

/** The first entry that is wrong. */
export interface ChainFault {
  readonly number: number
  /**
   * - `gap`: entries before it are missing.
   * - `content`: it, or the entry before it, was changed.
   * - `expected`: it is not the entry that the caller knows.
   * - `missing`: the chain ends before it.
   */
  readonly kind: 'gap' | 'content' | 'expected' | 'missing'
}

export interface ChainCheck {
  /** Checks the next entry. @returns what is wrong; after that, the check is of no more use. */
  take(entry: LinkedEntry): ChainFault | undefined
  /** @returns the last entry, or that the chain ends before the expected one. */
  end(): Link | ChainFault
}

/**
 * Checks a chain, entry by entry.
 *
 * @param start the entry before the first.
 * @param expected an entry that the chain must contain, known from earlier.
 */
export function checkChain(sha256: Sha256, start: Link, expected?: Link): ChainCheck {
  let last = start
  return {
    take(entry) {
      const { number, hash } = entry
      if (number !== last.number + 1) return { number, kind: 'gap' }
      if (hash !== linkHash(sha256, last.hash, entry)) return { number, kind: 'content' }
      if (number === expected?.number && hash !== expected.hash) return { number, kind: 'expected' }
      last = { number, hash }
      return undefined
    },
    end: () =>
      expected !== undefined && expected.number > last.number
        ? { number: expected.number, kind: 'missing' }
        : last,
  }
}
