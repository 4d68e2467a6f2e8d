// One rrset of a signed copy with its signatures. Both are created when first used and are then the same for every
// secondary with that serial: differences refer to exactly what was sent.
import type { Rrset } from '../rrset.ts'
import type { Change } from './journal.ts'

/** Creates signatures. */
export interface RrsetSigner {
  signaturesFor(rrset: SignedRrset): { readonly signatures: Rrset; readonly renewAt: number }
}

export class SignedRrset {
  /** Key of the owner, from WireName.key. */
  readonly key: string
  readonly type: number
  /** False for data that is not authoritative: NS of a delegation, glue. */
  readonly isSigned: boolean
  #rrset: Rrset | (() => Rrset)
  #signatures: Rrset | undefined
  #renewAt = Infinity

  constructor(key: string, type: number, rrset: Rrset | (() => Rrset), isSigned: boolean) {
    this.key = key
    this.type = type
    this.#rrset = rrset
    this.isSigned = isSigned
  }

  get rrset(): Rrset {
    if (typeof this.#rrset === 'function') this.#rrset = this.#rrset()
    return this.#rrset
  }

  /** Whether a secondary may have it: none can before its signatures were read. */
  get isTaken(): boolean {
    return !this.isSigned || this.#signatures !== undefined
  }

  /** When its signatures must be renewed, milliseconds since 1970; Infinity while there are none. */
  get renewAt(): number {
    return this.#renewAt
  }

  /** Undefined if it is not signed. */
  signatures(signer: RrsetSigner): Rrset | undefined {
    if (!this.isSigned) return undefined
    if (this.#signatures === undefined) {
      const { signatures, renewAt } = signer.signaturesFor(this)
      this.#signatures = signatures
      this.#renewAt = renewAt
    }
    return this.#signatures
  }

  /** The same without signatures: the next reader has it signed again. */
  renewed(): SignedRrset {
    return new SignedRrset(this.key, this.type, this.#rrset, this.isSigned)
  }
}

/** The change of one rrset of the copy. */
export type SignedChange = Change<SignedRrset>
