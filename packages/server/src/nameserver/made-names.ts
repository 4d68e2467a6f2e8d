// What was signed for a name because somebody asked: denials, and answers of wildcards. Anybody can ask for as many of them
// as there are names, so that all zones together have room for a fixed number, and time for a fixed part of a second.
import type { Node } from './node.ts'
import type { Rrset } from './rrset.ts'
import type { Freshness } from './signature-times.ts'

/** Names in each of two generations, of all zones: some 20 MiB in all. */
const MAX_NAMES = 10_000

/** A slice of time has its own share, so that the rest of a second is not used up at its beginning. */
const SLICE_MS = 50

/** A record that denies, with its signatures. */
export interface Denial {
  readonly rrset: Rrset
  /** The label below the apex that owns it; undefined where the denied name itself does. */
  readonly hashLabel: Uint8Array | undefined
}

export interface MadeName extends Denial, Freshness {
  /** Who signed it: see MadeNames.newSigner. */
  readonly signer: number
  /** What it was made of: it holds only for that. */
  readonly source: Rrset | Node | undefined
  readonly ttl: number
}

/** What is used moves from the older generation to the newer. */
export class MadeNames {
  #newer = new Map<string, MadeName>()
  #older = new Map<string, MadeName>()
  #signers = 0

  /** A number of its own for who signs. */
  newSigner(): number {
    return (this.#signers += 1)
  }

  get size(): number {
    return this.#newer.size + this.#older.size
  }

  get(key: string): MadeName | undefined {
    const known = this.#newer.get(key)
    if (known !== undefined) return known
    const older = this.#older.get(key)
    if (older !== undefined) this.put(key, older)
    return older
  }

  put(key: string, named: MadeName): void {
    if (this.#newer.size >= MAX_NAMES) {
      this.#older = this.#newer
      this.#newer = new Map()
    }
    this.#newer.set(key, named)
  }
}

/** Returns whether one more signature may be made at this time, in milliseconds, and counts it. */
export type TakeSignature = (now: number) => boolean

/** So many signatures in a second, spread over it. */
export function createSignatureBudget(perSecond: number): TakeSignature {
  const perSlice = Math.max(1, Math.floor((perSecond * SLICE_MS) / 1000))
  let slice = 0
  let taken = 0
  return (now) => {
    const current = Math.floor(now / SLICE_MS)
    if (current !== slice) {
      slice = current
      taken = 0
    }
    if (taken >= perSlice) return false
    taken += 1
    return true
  }
}
