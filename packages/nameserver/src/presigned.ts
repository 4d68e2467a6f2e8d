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

/** What an answer has to prove about names that do not exist, until all of its answers are written. */
export class Proofs {
  #proofs: Proof[] = []
  readonly #order = new NameInOrder()

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
  addNoData(zone: ZoneView, name: WireName, label: number): void {
    const prover = this.#proverFor(zone, name)
    if (prover === undefined || prover.addOwn(label)) return
    // Below an opt-out, names may have no denial of their own (RFC 5155 §7.2.4, §7.2.7).
    const provable = prover.provableEncloser(label + 1)
    prover.addOwn(provable)
    prover.addCovering(provable - 1)
  }

  /**
   * There is no name from label `label` on, and the wildcard below its closest encloser does not exist or does not have
   * this type. Undefined: the encloser is not known.
   */
  addNoName(zone: ZoneView, name: WireName, label: number, known: number | undefined): void {
    const prover = this.#proverFor(zone, name)
    if (prover === undefined) return
    const encloser = prover.provableEncloser(known ?? closestEncloser(zone, name, label))
    if (prover.isHashed) prover.addOwn(encloser)
    prover.addCovering(prover.isHashed ? encloser - 1 : label)
    prover.addWildcard(encloser)
  }

  /** A wildcard below the encloser stands for the name from label `label` on, which does not exist itself. */
  addExpansion(zone: ZoneView, name: WireName, label: number, encloser: number): void {
    const prover = this.#proverFor(zone, name)
    prover?.addCovering(prover.isHashed ? encloser - 1 : label)
  }

  #proverFor(zone: ZoneView, name: WireName): Prover | undefined {
    const denial = zone.names.ownDenial()
    return denial && new Prover(zone, name, denial, this.#order, (proof) => this.#add(proof))
  }

  #add(proof: Proof): void {
    const isKnown = this.#proofs.some(({ key, parent }) => key === proof.key && parent === proof.parent)
    if (!isKnown) this.#proofs.push(proof)
  }
}

/** Finds the denials of one name in its zone. */
class Prover {
  readonly isHashed: boolean
  readonly #zone: ZoneView
  readonly #name: WireName
  readonly #apexLabel: number
  readonly #denial: OwnDenial
  readonly #order: NameInOrder
  readonly #add: (proof: Proof) => void

  constructor(
    zone: ZoneView,
    name: WireName,
    denial: OwnDenial,
    order: NameInOrder,
    add: (proof: Proof) => void,
  ) {
    this.#zone = zone
    this.#name = name
    this.#apexLabel = name.labels - zone.apex.labels
    this.#denial = denial
    this.#order = order
    this.#add = add
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
    while (encloser < this.#apexLabel && !this.#find(this.#keyFrom(encloser)).isOwn) encloser += 1
    return encloser
  }

  #keyFrom(label: number): string {
    return this.#name.key(label, this.#apexLabel)
  }

  /** Returns whether it was added: not if only the name's own is wanted, and there is none. */
  #addAt(key: string, onlyOwn: boolean): boolean {
    const { view, owner, isOwn } = this.#find(key)
    if (onlyOwn && !isOwn) return false
    const node = view.node(this.#zone.apex)
    const rrset = findRrset(node, this.#denial.type)
    if (rrset === undefined) throw new Error('a name with a denial has none')
    const parent = this.#name.offset(this.#apexLabel)
    this.#add({ rrset: withSignatures(node, rrset), key: owner, parent })
    return true
  }

  #find(key: string) {
    const { parameters } = this.#denial
    const sought = parameters === undefined ? key : hashedKey(key, this.#zone.apex, parameters)
    const octets = Buffer.from(sought, 'latin1')
    const view = this.#zone.names.denialAtOrBefore(this.#order.show(octets, 0, octets.length))
    const owner = view.key
    return { view, owner, isOwn: owner === sought }
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
