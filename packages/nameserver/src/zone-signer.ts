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
  rrsigOctets,
  type SigningKey,
  signRrset,
  writeRrsig,
  DEFAULT_NSEC3,
} from '@zonereeve/dns'
import type { Denial, SynthesizedName, SynthesizedAnswers, TakeSignature } from './synthesized-answers.ts'
import type { Node } from './node.ts'
import { findRrset } from './node.ts'
import { RDATA_OFFSET, rdatasOf, SignedRecords, synthesiseRrset, TYPE, writeHead } from './rrset.ts'
import type { Rrset } from './rrset.ts'
import { isFresh, signatureTimes, type Freshness, type SignatureTimes } from './signature-times.ts'
import type { WireName } from './wire-name.ts'
import type { ZoneSigning } from './zone-signing.ts'

export interface Signed extends Freshness {
  /** The records, and behind them their signatures. */
  readonly rrset: Rrset
  readonly recordOctets: number
  readonly signatureCount: number
}

const NO_OCTETS = new Uint8Array(0)

export class ZoneSigner {
  readonly signing: ZoneSigning
  readonly #apex: Uint8Array
  readonly #keysOf: ReturnType<typeof keysOf>
  readonly #signed = new WeakMap<Rrset, Signed>()
  /** By name and type. */
  readonly #made: SynthesizedAnswers
  /** This signer's ID in `#made`. */
  readonly #self: number

  constructor(apex: WireName, signing: ZoneSigning, made: SynthesizedAnswers) {
    this.signing = signing
    this.#apex = new Uint8Array(apex.wire())
    this.#keysOf = keysOf(signing)
    this.#made = made
    this.#self = made.newSigner()
  }

  /** Returns an rrset that is no node's with its signatures, which are kept as long as the object. */
  signed(rrset: Rrset, name: WireName, label: number): Rrset {
    const remaining = this.#signed.get(rrset)
    if (remaining !== undefined && isFresh(remaining, this.signing.now())) return remaining.rrset
    const signed = this.#sign(rrset, name.wire(label))
    this.#signed.set(rrset, signed)
    return signed.rrset
  }

  /** Signs an rrset of the name from label `label` on. The result should not be kept: see allocatePooled(). */
  sign(rrset: Rrset, name: WireName, label: number): Signed {
    return this.#sign(rrset, name.wire(label), allocatePooled)
  }

  /**
   * Returns an rrset that is answered for many names, with its signatures for the name from label `label` on.
   * Undefined if it is not signed yet and `take` does not allow it.
   */
  expanded(rrset: Rrset, name: WireName, label: number, take: TakeSignature): Rrset | undefined {
    const make = () => ({ signed: this.#sign(rrset, name.wire(label)), hashLabel: undefined })
    return this.#remember(keyOf(rrset, name, label), sourceOfRecords(rrset), take, make)?.rrset
  }

  /** As expanded(), without a limit; `made` is called with new signatures, which are kept until forget() of the key. */
  keeping(
    rrset: Rrset,
    name: WireName,
    label: number,
    made: (signed: Signed, key: string) => void,
  ): Pick<Signed, 'rrset'> {
    const key = keyOf(rrset, name, label)
    const source = sourceOfRecords(rrset)
    const known = this.#known(key, source, this.signing.now())
    if (known !== undefined) return known
    const signed = this.sign(rrset, name, label)
    this.#put(key, source, signed, undefined)
    made(signed, key)
    return signed
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
    return this.#remember(key, sourceOf(node, ttl), take, () => {
      const owner = name.wire(label)
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
    return this.#known(`- ${name.absoluteKey(0)}`, sourceOf(node, ttl), this.signing.now())
  }

  /** Signs any rrset without storing the signatures. Returns their rdatas and when they should be renewed. */
  signaturesOf(rrset: RrsetToSign): { readonly rdatas: readonly Uint8Array[]; readonly refreshAt: number } {
    const { window, refreshAt } = this.#times()
    return {
      rdatas: this.#keysFor(rrset.type).map((key) => signRrset(rrset, this.#apex, key, window)),
      refreshAt,
    }
  }

  #times(): SignatureTimes {
    return signatureTimes(this.signing.now(), this.signing.random())
  }

  #keysFor(type: number): readonly SigningKey[] {
    if (type === TYPE.DNSKEY) return this.#keysOf.dnskeys
    return isSignedByEntryPoint(type) ? this.#keysOf.entryPoint : this.#keysOf.others
  }

  #remember(
    key: string,
    source: Source,
    take: TakeSignature,
    make: () => { readonly signed: Signed; readonly hashLabel: Uint8Array | undefined },
  ): SynthesizedName | undefined {
    const now = this.signing.now()
    const known = this.#known(key, source, now)
    if (known !== undefined) return known
    if (!take(now)) return undefined
    const { signed, hashLabel } = make()
    return this.#put(key, source, signed, hashLabel)
  }

  #put(key: string, source: Source, signed: Signed, hashLabel: Uint8Array | undefined): SynthesizedName {
    // Without spreading, which V8 does property by property.
    const made: SynthesizedName = {
      rrset: signed.rrset,
      hashLabel,
      usableFrom: signed.usableFrom,
      refreshAt: signed.refreshAt,
      signer: this.#self,
      source: source.text,
      sourceOctets: source.records.length,
      ttl: source.ttl,
    }
    this.#made.put(key, made)
    return made
  }

  /** Returns the stored answer for this source if it is still valid. */
  #known(key: string, source: Source, now: number): SynthesizedName | undefined {
    const known = this.#made.get(key)
    return known?.signer === this.#self && isOf(known, source) && isFresh(known, now) ? known : undefined
  }

  #sign(rrset: Rrset, owner: Uint8Array, allocate = allocateExactly): Signed {
    const { type, ttl, wire: records } = rrset
    const { window, usableFrom, refreshAt } = this.#times()
    const keys = this.#keysFor(type)
    const toSign = { owner, type, ttl, rdatas: rdatasOf(rrset) }
    const octets = rrsigOctets(this.#apex)
    const wire = allocate(records.length + keys.length * (RDATA_OFFSET + octets))
    wire.set(records)
    let at = records.length
    for (const key of keys) {
      writeHead(wire, at, RRSIG, ttl, octets)
      writeRrsig(wire, at + RDATA_OFFSET, toSign, this.#apex, key, window)
      at += RDATA_OFFSET + octets
    }
    const signed = new SignedRecords(rrset, { count: rrset.count + keys.length, wire })
    return { rrset: signed, recordOctets: records.length, signatureCount: keys.length, usableFrom, refreshAt }
  }
}

/** Takes less time, but the buffer is part of a larger one, which stays as long as any of its parts. */
const allocatePooled = (octets: number): Uint8Array => Buffer.allocUnsafe(octets)
const allocateExactly = (octets: number): Uint8Array => new Uint8Array(octets)

/** What a synthesized answer is built from: it is valid only for the same. */
interface Source {
  readonly text: string
  /** The answer begins with them. */
  readonly records: Uint8Array
  readonly ttl: number
}

const sourceOfRecords = ({ wire, ttl }: Rrset): Source => ({ text: '', records: wire, ttl })

function isOf({ source, sourceOctets, ttl, rrset }: SynthesizedName, given: Source): boolean {
  const { records } = given
  if (source !== given.text || ttl !== given.ttl || sourceOctets !== records.length) return false
  for (let i = 0; i < sourceOctets; i += 1) if (rrset.wire[i] !== records[i]) return false
  return true
}

const keyOf = ({ type }: Rrset, name: WireName, label: number): string => `${type} ${name.absoluteKey(label)}`

/** The keys that sign, in the order of their signatures (RFC 4034 §6.3). */
function keysOf({ keys, unpublished }: ZoneSigning) {
  const inOrder = (some: readonly SigningKey[]): SigningKey[] =>
    some.toSorted((a, b) => a.algorithm - b.algorithm || a.keyTag - b.keyTag)
  const [all, published] = [inOrder([...keys, ...unpublished]), inOrder(keys)]
  return {
    dnskeys: published.filter(isEntryPoint),
    entryPoint: all.filter(isEntryPoint),
    others: all.filter((key) => !isEntryPoint(key)),
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
const sourceOf = (node: Node | undefined, ttl: number): Source => ({
  text: `${node?.delegation === undefined ? '' : 'cut '}${typesOf(node).join(' ')}`,
  records: NO_OCTETS,
  ttl,
})

const lengthAnd = (label: Uint8Array): Uint8Array => Uint8Array.of(label.length, ...label)
