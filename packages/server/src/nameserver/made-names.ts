// What was signed for a name because somebody asked: denials, and answers of wildcards. Anybody can ask for as many of them
// as there are names, so that all zones together have room for a fixed number, and time for a fixed part of a second.
import type { Node } from './node.ts'
import type { Rrset } from './rrset.ts'
import type { Freshness } from './signature-times.ts'

/** Names of all zones: some 20 MiB. */
export const MAX_NAMES = 20_000

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

/**
 * When there is no more room, what was used longest ago goes. What is used is put behind the others only after half of them
 * have come: until then it costs nothing, and afterwards it is still far from going.
 */
export class MadeNames {
  readonly #held = new Map<string, { readonly named: MadeName; readonly turn: number }>()
  /** Goes on where it stood, whatever is deleted and put behind: all before it are gone. */
  readonly #oldest = this.#held.keys()
  #turns = 0
  #signers = 0

  /** A number of its own for who signs. */
  newSigner(): number {
    return (this.#signers += 1)
  }

  get size(): number {
    return this.#held.size
  }

  get(key: string): MadeName | undefined {
    const held = this.#held.get(key)
    if (held === undefined) return undefined
    if (this.#turns - held.turn > MAX_NAMES / 2) this.put(key, held.named)
    return held.named
  }

  put(key: string, named: MadeName): void {
    this.#held.delete(key)
    this.#held.set(key, { named, turn: (this.#turns += 1) })
    if (this.#held.size <= MAX_NAMES) return
    const oldest = this.#oldest.next()
    if (oldest.done !== true) this.#held.delete(oldest.value)
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
