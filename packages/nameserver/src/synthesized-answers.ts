// Signed answers that are synthesized for one queried name: denials and wildcard answers. Clients can query for any
// number of names, so all zones share a limited number of stored answers and a limited number of signatures per
// second.
import { BoundedMap } from '@zonereeve/cooperate'
import type { Rrset } from './rrset.ts'
import type { Freshness } from './signature-times.ts'

/** Names of all zones: about 20 MiB. */
export const MAX_NAMES = 20_000

/** Each interval has its own budget, so that a burst cannot use up the whole second. */
const SLICE_MS = 50

/** A denying record (NSEC or NSEC3) with its signatures. */
export interface Denial {
  readonly rrset: Rrset
  /** The label below the apex that owns the record; undefined if the denied name itself owns it. */
  readonly hashLabel: Uint8Array | undefined
}

export interface SynthesizedName extends Denial, Freshness {
  /** The signer's ID: see SynthesizedAnswers.newSigner. */
  readonly signer: number
  /** What it was built from; it is valid only for the same. */
  readonly source: string
  /** So many octets of the rrset, too. */
  readonly sourceOctets: number
  readonly ttl: number
}

/**
 * When full, it evicts the name that was used longest ago. A use moves a name to the newest place only if MAX_NAMES /
 * 2 names were stored since its last move: this keeps reads cheap, and the name is still far from eviction.
 */
export class SynthesizedAnswers {
  readonly #held = new BoundedMap<string, { readonly named: SynthesizedName; readonly turn: number }>(
    MAX_NAMES,
  )
  #turns = 0
  #signers = 0

  /** Returns a unique ID for a signer. */
  newSigner(): number {
    return (this.#signers += 1)
  }

  get size(): number {
    return this.#held.size
  }

  get(key: string): SynthesizedName | undefined {
    const held = this.#held.get(key)
    if (held === undefined) return undefined
    if (this.#turns - held.turn > MAX_NAMES / 2) this.put(key, held.named)
    return held.named
  }

  put(key: string, named: SynthesizedName): void {
    this.#held.set(key, { named, turn: (this.#turns += 1) })
  }

  /** What is stored elsewhere now. */
  forget(key: string): void {
    this.#held.delete(key)
  }
}

/** Returns whether one more signature may be made at this time, in milliseconds, and counts it. */
export type TakeSignature = (now: number) => boolean

/** A budget of signatures per second, spread evenly over the second. */
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

/** Iterations of NSEC3 that cost as much as a signature. */
const ITERATIONS_OF_A_SIGNATURE = 20

/** Takes signatures for the iterations of hashed names. */
export function createIterationBudget(takeSignature: () => boolean): (iterations: number) => boolean {
  /** Of the last signature that was taken. */
  let left = 0
  return (iterations) => {
    while (left < iterations) {
      if (!takeSignature()) return false
      left += ITERATIONS_OF_A_SIGNATURE
    }
    left -= iterations
    return true
  }
}
