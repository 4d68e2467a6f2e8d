// Signs rrsets when a client first asks for their signatures, and stores the signatures: those of rrsets with the
// rrset, and those of synthesized answers (wildcard answers, denials) for a limited number of names (synthesized-answers.ts).
//
// Names that a wildcard answers for are signed as if they existed. Names that do not exist are denied by one record
// at the name itself, as RFC 9824 allows for servers that hold the keys.
import {
  base32Hex,
  isSignedByEntryPoint,
  nextHash,
  nextName,
  NSEC,
  NSEC3,
  nsec3Hash,
  nsec3Rdata,
  nsecRdata,
  NXNAME,
  type RrsetToSign,
  RRSIG,
  signRrset,
  DEFAULT_NSEC3,
} from '@zonereeve/dns'
import type { Denial, SynthesizedName, SynthesizedAnswers, TakeSignature } from './synthesized-answers.ts'
import type { Node } from './node.ts'
import { findRrset } from './node.ts'
import { rdatasOf, SignedRecords, synthesiseRrset, TYPE } from './rrset.ts'
import type { Rrset } from './rrset.ts'
import { isFresh, signatureTimes, type Freshness, type SignatureTimes } from './signature-times.ts'
import type { WireName } from './wire-name.ts'
import type { ZoneSigning } from './zone-signing.ts'

export interface Signed extends Freshness {
  readonly rrset: Rrset
  readonly signatures: Rrset
}

export class ZoneSigner {
  readonly signing: ZoneSigning
  readonly #apex: Uint8Array
  readonly #signed = new WeakMap<Rrset, Signed>()
  /** By name and type. */
  readonly #made: SynthesizedAnswers
  /** This signer's ID in `#made`. */
  readonly #self: number

  constructor(apex: WireName, signing: ZoneSigning, made: SynthesizedAnswers) {
    this.signing = signing
    this.#apex = wireFrom(apex, 0)
    this.#made = made
    this.#self = made.newSigner()
  }

  /** Returns an rrset that is no node's with its signatures, which are kept as long as the object. */
  signed(rrset: Rrset, name: WireName, label: number): Rrset {
    const remaining = this.#signed.get(rrset)
    if (remaining !== undefined && isFresh(remaining, this.signing.now())) return remaining.rrset
    const signed = this.sign(rrset, name, label)
    this.#signed.set(rrset, signed)
    return signed.rrset
  }

  /** Signs an rrset of the name from label `label` on. */
  sign(rrset: Rrset, name: WireName, label: number): Signed {
    return this.#sign(rrset, wireFrom(name, label))
  }

  /**
   * Returns an rrset that is answered for many names, with its signatures for the name from label `label` on.
   * Undefined if it is not signed yet and `take` does not allow it.
   */
  expanded(rrset: Rrset, name: WireName, label: number, take: TakeSignature): Rrset | undefined {
    const key = `${rrset.type} ${name.absoluteKey(label)}`
    const source = Buffer.from(rrset.wire).toString('latin1')
    return this.#remember(key, source, rrset.ttl, take, () => ({
      signed: this.#sign(rrset, wireFrom(name, label)),
      hashLabel: undefined,
    }))?.rrset
  }

  /** As expanded(), without a limit; `made` is called with new signatures. */
  keeping(
    rrset: Rrset,
    name: WireName,
    label: number,
    made: (signatures: Rrset, times: Freshness) => void,
  ): Rrset {
    const key = `${rrset.type} ${name.absoluteKey(label)}`
    const source = Buffer.from(rrset.wire).toString('latin1')
    const known = this.#known(key, source, rrset.ttl, this.signing.now())
    if (known !== undefined) return known.rrset
    const signed = this.sign(rrset, name, label)
    this.#put(key, source, rrset.ttl, signed, undefined)
    made(signed.signatures, { usableFrom: signed.usableFrom, refreshAt: signed.refreshAt })
    return signed.rrset
  }

  /**
   * Denies what does not exist at the name from label `label` on: types that its node does not have, or the name if
   * there is no node. Undefined if it is not signed yet and `take` does not allow it.
   *
   * @param ttl the TTL of negative answers (RFC 9077 §3)
   */
  denial(
    name: WireName,
    label: number,
    node: Node | undefined,
    ttl: number,
    take: TakeSignature,
  ): Denial | undefined {
    const key = `- ${name.absoluteKey(label)}`
    return this.#remember(key, sourceOf(node), ttl, take, () => {
      const owner = wireFrom(name, label)
      const types = typesOf(node)
      if (this.signing.denial === 'nsec') {
        const nsec = nsecRdata(nextName(owner, this.#apex), [...types, RRSIG, NSEC])
        return { signed: this.#sign(synthesiseRrset(NSEC, ttl, [nsec]), owner), hashLabel: undefined }
      }
      const hash = nsec3Hash(owner, DEFAULT_NSEC3, this.signing.sha1)
      const hasSignature = types.some((type) => type !== TYPE.NS || node?.delegation === undefined)
      const all = hasSignature && node !== undefined ? [...types, RRSIG] : types
      const nsec3 = nsec3Rdata(DEFAULT_NSEC3, nextHash(hash), all)
      const hashLabel = lengthAnd(Buffer.from(base32Hex(hash), 'latin1'))
      const hashOwner = Buffer.concat([hashLabel, this.#apex])
      return { signed: this.#sign(synthesiseRrset(NSEC3, ttl, [nsec3]), hashOwner), hashLabel }
    })
  }

  /** As denial() for the whole name, if that was signed before and is still valid. */
  knownDenial(name: WireName, node: Node | undefined, ttl: number): Denial | undefined {
    return this.#known(`- ${name.absoluteKey(0)}`, sourceOf(node), ttl, this.signing.now())
  }

  /** Signs any rrset without storing the signatures. Returns their rdatas and when they should be renewed. */
  signaturesOf(rrset: RrsetToSign): { readonly rdatas: readonly Uint8Array[]; readonly refreshAt: number } {
    const times = signatureTimes(this.signing.now(), this.signing.random())
    return { rdatas: this.#signatures(rrset, times), refreshAt: times.refreshAt }
  }

  #signatures(rrset: RrsetToSign, { window }: SignatureTimes): readonly Uint8Array[] {
    const { keys, unpublished } = this.signing
    const isForEntryPoint = isSignedByEntryPoint(rrset.type)
    const signatures: Uint8Array[] = []
    for (const some of rrset.type === TYPE.DNSKEY ? [keys] : [keys, unpublished])
      for (const key of some)
        if (isEntryPoint(key) === isForEntryPoint) signatures.push(signRrset(rrset, this.#apex, key, window))
    return signatures
  }

  #remember(
    key: string,
    source: string,
    ttl: number,
    take: TakeSignature,
    make: () => { readonly signed: Signed; readonly hashLabel: Uint8Array | undefined },
  ): SynthesizedName | undefined {
    const now = this.signing.now()
    const known = this.#known(key, source, ttl, now)
    if (known !== undefined) return known
    if (!take(now)) return undefined
    const { signed, hashLabel } = make()
    return this.#put(key, source, ttl, signed, hashLabel)
  }

  #put(
    key: string,
    source: string,
    ttl: number,
    { rrset, usableFrom, refreshAt }: Signed,
    hashLabel: Uint8Array | undefined,
  ): SynthesizedName {
    const made = { rrset, hashLabel, usableFrom, refreshAt, signer: this.#self, source, ttl }
    this.#made.put(key, made)
    return made
  }

  /** Returns the stored answer for this source if it is still valid. */
  #known(key: string, source: string, ttl: number, now: number): SynthesizedName | undefined {
    const known = this.#made.get(key)
    const isStill = known?.signer === this.#self && known.source === source && known.ttl === ttl
    return isStill && isFresh(known, now) ? known : undefined
  }

  #sign(rrset: Rrset, owner: Uint8Array): Signed {
    const { now, random } = this.signing
    const times = signatureTimes(now(), random())
    const { type, ttl } = rrset
    const rdatas = this.#signatures({ owner, type, ttl, rdatas: rdatasOf(rrset) }, times)
    const signatures = synthesiseRrset(RRSIG, ttl, rdatas)
    const { usableFrom, refreshAt } = times
    const wire = Buffer.concat([rrset.wire, signatures.wire])
    const signed = new SignedRecords(rrset, { count: rrset.count + signatures.count, wire })
    return { rrset: signed, signatures, usableFrom, refreshAt }
  }
}

/** Secure entry point (RFC 4034 §2.1.1). */
const isEntryPoint = ({ flags }: { readonly flags: number }): boolean => (flags & 1) === 1

/** The types that a denial lists for the name. */
function typesOf(node: Node | undefined): number[] {
  if (node === undefined) return [NXNAME]
  // At a delegation, this side of the cut has no other types (RFC 4035 §2.3).
  if (node.delegation !== undefined)
    return findRrset(node, TYPE.DS) === undefined ? [TYPE.NS] : [TYPE.NS, TYPE.DS]
  const types = node.rrsets.map(({ type }) => type)
  // Addresses that are currently unknown are not denied.
  return node.state === 'failing' ? [...types, TYPE.A, TYPE.AAAA] : types
}

/** What a denial of other types at a node depends on. */
const sourceOf = (node: Node | undefined): string =>
  `${node?.delegation === undefined ? '' : 'cut '}${typesOf(node).join(' ')}`

/** A copy of the name from a label on, including the root. */
function wireFrom(name: WireName, label: number): Uint8Array {
  return new Uint8Array(name.wire(label))
}

const lengthAnd = (label: Uint8Array): Uint8Array => Uint8Array.of(label.length, ...label)
