// One rrset of a signed copy with its signatures. Both are made when somebody first takes them, and then are the same for
// everybody who has the zone with that serial: differences say exactly what there was.
import type { Rrset } from '../nameserver/index.ts'
import type { Change } from './journal.ts'

/** What signs. */
export interface RrsetSigner {
  signaturesFor(rrset: SignedRrset): { readonly signatures: Rrset; readonly renewAt: number }
}

export class SignedRrset {
  /** Of the owner, as WireName.key makes it. */
  readonly key: string
  readonly type: number
  /** False for what is not the zone's own word: NS of a delegation, glue. */
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

  /** Whether somebody may have it. Nobody can who has not taken its signatures. */
  get isTaken(): boolean {
    return !this.isSigned || this.#signatures !== undefined
  }

  /** When its signatures are to be made anew, milliseconds since 1970; never, while there are none. */
  get renewAt(): number {
    return this.#renewAt
  }

  /** Undefined where it is not signed. */
  signatures(signer: RrsetSigner): Rrset | undefined {
    if (!this.isSigned) return undefined
    if (this.#signatures === undefined) {
      const { signatures, renewAt } = signer.signaturesFor(this)
      this.#signatures = signatures
      this.#renewAt = renewAt
    }
    return this.#signatures
  }

  /** The same without signatures: the next who takes it has it signed anew. */
  renewed(): SignedRrset {
    return new SignedRrset(this.key, this.type, this.#rrset, this.isSigned)
  }
}

/** What one rrset of the copy became. */
export type SignedChange = Change<SignedRrset>
