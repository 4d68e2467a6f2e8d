// Answers of a zone that was signed elsewhere: the signatures and denials are those that its primary sent, and nothing
// is signed here. With NSEC as in RFC 4035 §3.1.3, with NSEC3 as in RFC 5155 §7.2.
import { base32Hex, nsec3Hash, type Nsec3Parameters } from '@zonereeve/dns'
import { hash } from 'node:crypto'
import { findRrset } from './node.ts'
import { withSignatures } from './own-signatures.ts'
import type { Reply } from './reply.ts'
import { RDATA_OFFSET, type Rrset, SignedRecords } from './rrset.ts'
import { type WireName, wildcardKey } from './wire-name.ts'
import { NameInOrder } from './zone-store/ordered-index.ts'
import type { OwnDenial } from './zone-store/own-denials.ts'
import type { RunView } from './zone-store/run.ts'
import type { ZoneView } from './zone-view.ts'

/** The SOA of negative answers, with the signatures of the SOA and its own TTL (RFC 2308 §3). */
export function negativeWithSignatures(zone: ZoneView): Rrset {
  const { negative } = zone
  const signed = withSignatures(zone.names.apexNode(), negative)
  if (signed === negative) return negative
  const wire = Buffer.from(signed.wire)
  for (let at = 0; at < wire.length; at += RDATA_OFFSET + wire.readUInt16BE(at + 10))
    wire.writeUInt32BE(negative.ttl, at + 6)
  return new SignedRecords(negative, { count: signed.count, wire })
}

/** A denial, and where its owner is: a key below the apex, whose name is at `parent` in the message. */
interface Proof {
  readonly rrset: Rrset
  readonly key: string
  readonly parent: number
}

/** Returns whether one more name may be hashed with so many iterations now, and counts them. */
type TakeHash = (iterations: number) => boolean

/**
 * What an answer has to prove about names that do not exist, until all of its answers are written. Each addition returns
 * false if no more names may be hashed: then the proof is not complete.
 */
export class Proofs {
  readonly #take: TakeHash
  #proofs: Proof[] = []
  readonly #order = new NameInOrder()

  constructor(take: TakeHash) {
    this.#take = take
  }

  clear(): void {
    if (this.#proofs.length > 0) this.#proofs = []
  }

  /** Writes the proofs. Returns false if one does not fit. */
  write(reply: Reply): boolean {
    const proofs = this.#proofs
    this.clear()
    return proofs.every(({ rrset, key, parent }) =>
      key === ''
        ? reply.authority(rrset, parent)
        : reply.authorityBelow(rrset, Buffer.from(key, 'latin1'), parent),
    )
  }

  /** The name from label `label` on exists, but not with this type. */
  addNoData(zone: ZoneView, name: WireName, label: number): boolean {
    const prover = this.#proverFor(zone, name)
    if (prover === undefined || prover.addOwn(label)) return true
    // Below an opt-out, names may have no denial of their own (RFC 5155 §7.2.4, §7.2.7).
    const provable = prover.provableEncloser(label + 1)
    prover.addOwn(provable)
    prover.addCovering(provable - 1)
    return prover.isComplete
  }

  /**
   * There is no name from label `label` on, and the wildcard below its closest encloser does not exist or does not have
   * this type. Undefined: the encloser is not known.
   */
  addNoName(zone: ZoneView, name: WireName, label: number, known: number | undefined): boolean {
    const prover = this.#proverFor(zone, name)
    if (prover === undefined) return true
    const encloser = prover.provableEncloser(known ?? closestEncloser(zone, name, label))
    if (prover.isHashed) prover.addOwn(encloser)
    prover.addCovering(prover.isHashed ? encloser - 1 : label)
    prover.addWildcard(encloser)
    return prover.isComplete
  }

  /** A wildcard below the encloser stands for the name from label `label` on, which does not exist itself. */
  addExpansion(zone: ZoneView, name: WireName, label: number, encloser: number): boolean {
    const prover = this.#proverFor(zone, name)
    if (prover === undefined) return true
    prover.addCovering(prover.isHashed ? encloser - 1 : label)
    return prover.isComplete
  }

  #proverFor(zone: ZoneView, name: WireName): Prover | undefined {
    const denial = zone.names.ownDenial()
    const shared = { order: this.#order, take: this.#take, add: (proof: Proof) => this.#add(proof) }
    return denial && new Prover(zone, name, denial, shared)
  }

  #add(proof: Proof): void {
    const isKnown = this.#proofs.some(({ key, parent }) => key === proof.key && parent === proof.parent)
    if (!isKnown) this.#proofs.push(proof)
  }
}

/** What the provers of an answer share. */
interface Shared {
  readonly order: NameInOrder
  readonly take: TakeHash
  readonly add: (proof: Proof) => void
}

/** A name in the order of denials. */
interface Place {
  /** The denial at or before it. */
  readonly view: RunView
  readonly isOwn: boolean
}

/** Finds the denials of one name in its zone. */
class Prover {
  readonly isHashed: boolean
  /** Whether all names that had to be hashed could be. */
  isComplete = true
  readonly #zone: ZoneView
  readonly #name: WireName
  readonly #apexLabel: number
  readonly #denial: OwnDenial
  readonly #shared: Shared
  /** The name that was sought last. */
  #last: { readonly key: string; readonly place: Place } | undefined

  constructor(zone: ZoneView, name: WireName, denial: OwnDenial, shared: Shared) {
    this.#zone = zone
    this.#name = name
    this.#apexLabel = name.labels - zone.apex.labels
    this.#denial = denial
    this.#shared = shared
    this.isHashed = denial.parameters !== undefined
  }

  /** Adds the denial at the name from label `label` on. With NSEC, an empty name has none of its own: its predecessor's. */
  addOwn(label: number): boolean {
    return this.#addAt(this.#keyFrom(label), this.isHashed)
  }

  /** Adds the denial that covers the name from label `label` on. */
  addCovering(label: number): void {
    if (label >= 0) this.#addAt(this.#keyFrom(label), false)
  }

  /** Adds the denial of the wildcard below the name from label `encloser` on: its own, or one that covers it. */
  addWildcard(encloser: number): void {
    this.#addAt(wildcardKey(this.#keyFrom(encloser)), false)
  }

  /** The longest name at or above that from label `label` on which has a denial of its own. */
  provableEncloser(label: number): number {
    if (!this.isHashed) return label
    let encloser = label
    while (encloser < this.#apexLabel && this.#find(this.#keyFrom(encloser))?.isOwn === false) encloser += 1
    return encloser
  }

  #keyFrom(label: number): string {
    return this.#name.key(label, this.#apexLabel)
  }

  /** Returns whether it was added: not if only the name's own is wanted, and there is none. */
  #addAt(key: string, onlyOwn: boolean): boolean {
    const place = this.#find(key)
    if (place === undefined || (onlyOwn && !place.isOwn)) return false
    const { view } = place
    const node = view.node(this.#zone.apex)
    const rrset = findRrset(node, this.#denial.type)
    if (rrset === undefined) throw new Error('a name with a denial has none')
    const parent = this.#name.offset(this.#apexLabel)
    this.#shared.add({ rrset: withSignatures(node, rrset), key: view.key, parent })
    return true
  }

  /** Undefined if the name may not be hashed now. */
  #find(key: string): Place | undefined {
    if (this.#last?.key === key) return this.#last.place
    const { parameters } = this.#denial
    if (parameters !== undefined && parameters.iterations > 0)
      this.isComplete = this.isComplete && this.#shared.take(parameters.iterations)
    if (!this.isComplete) return undefined
    const sought = parameters === undefined ? key : hashedKey(key, this.#zone.apex, parameters)
    const octets = Buffer.from(sought, 'latin1')
    const view = this.#zone.names.denialAtOrBefore(this.#shared.order.show(octets, 0, octets.length))
    const place = { view, isOwn: view.key === sought }
    this.#last = { key, place }
    return place
  }
}

/** The key of the owner of a name's NSEC3 (RFC 5155 §3). */
function hashedKey(key: string, apex: WireName, parameters: Nsec3Parameters): string {
  const name = Buffer.concat([Buffer.from(key, 'latin1'), apex.wire()])
  const label = base32Hex(nsec3Hash(name, parameters, sha1))
  return `${String.fromCharCode(label.length)}${label}`
}

const sha1 = (octets: Uint8Array): Uint8Array => hash('sha1', octets, 'buffer')

/** The label from which on the longest existing name above the name from label `label` on begins. */
function closestEncloser(zone: ZoneView, name: WireName, label: number): number {
  const apexLabel = name.labels - zone.apex.labels
  let encloser = label + 1
  while (encloser < apexLabel && !zone.find(name, encloser)) encloser += 1
  return encloser
}
