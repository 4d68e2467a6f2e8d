// A zone as answers read it: in the thread that changes it (zone.ts), and in threads that only have its pages
// (shared-zones.ts).
import { byteAt, RRSIG } from '@zonereeve/dns'
import type { NamesView } from './names-view.ts'
import type { Node } from './node.ts'
import { withSignatures } from './own-signatures.ts'
import type { Rrset } from './rrset.ts'
import type { WireName } from './wire-name.ts'
import type { Signed, ZoneSigner } from './zone-signer.ts'

/** The zones that a thread answers from. */
export interface AnsweringZones {
  /** The zone of a name from its label `fromLabel` on. */
  find(name: WireName, fromLabel: number): ZoneView | undefined
}

/** The signatures are in the zone. */
export const PRESIGNED = 'presigned'

/** What gives answers with DO their signatures. */
export type AnswerSigner = ZoneSigner | typeof PRESIGNED

export abstract class ZoneView {
  abstract readonly zoneId: string
  /** The apex as text. */
  abstract readonly name: string
  abstract readonly apex: WireName
  abstract readonly names: NamesView
  /** Whether the zone exists without being answered. */
  abstract readonly isExpired: boolean
  /** The SOA of negative answers; its TTL is the lower of the record's own and `minimum` (RFC 2308 §3, §5). */
  abstract readonly negative: Rrset
  /** Signs answers with DO; undefined if the zone is not signed. */
  abstract readonly signer: ZoneSigner | undefined

  /** Signs an rrset of the name from label `label` on, which `names` has found if `isThere`, and keeps the result. */
  protected abstract sign(
    signer: ZoneSigner,
    rrset: Rrset,
    name: WireName,
    label: number,
    isThere: boolean,
  ): Pick<Signed, 'rrset'>

  /** Nodes with a delegation; if there are none, answers need not look for cuts. */
  get cuts(): number {
    return this.names.tree.cuts
  }

  /** Nodes with a DNAME; if there are none, answers need not look for them. */
  get dnames(): number {
    return this.names.tree.dnames
  }

  /** Nodes whose first label is `*`. */
  get wildcards(): number {
    return this.names.tree.wildcards
  }

  /** Finds the name from label `label` on, which is below the apex or the apex: then `names.found` shows it. */
  find({ octets, labelAt, labels }: WireName, label: number): boolean {
    return this.names.find(octets, byteAt(labelAt, label), byteAt(labelAt, labels - this.apex.labels))
  }

  /** A copy of the node of the name from label `label` on. */
  nodeOf(name: WireName, label: number): Node | undefined {
    return this.find(name, label) ? this.names.node() : undefined
  }

  /** Whether the zone has its own signatures and denials, made elsewhere. */
  get isPresigned(): boolean {
    return this.names.tree.denials !== 0 && this.signer === undefined
  }

  /** An rrset of the node of the name from label `label` on, with its signatures. */
  signed(signer: AnswerSigner, rrset: Rrset, name: WireName, label: number): Rrset {
    if (signer === PRESIGNED) return withSignatures(this.nodeOf(name, label), rrset)
    const isThere = this.find(name, label)
    const known = isThere ? this.names.signed(rrset, signer.signing.now()) : undefined
    return known ?? this.sign(signer, rrset, name, label, isThere).rrset
  }

  /** The rrset of the name that `names` has found, which has no signatures, with new ones. */
  signedSet(signer: ZoneSigner, set: number, name: WireName): Rrset {
    return this.sign(signer, this.names.found.rrset(set), name, 0, true).rrset
  }

  /** The same without the rrset. */
  signatures(signer: ZoneSigner, rrset: Rrset, name: WireName, label: number): Rrset {
    const { count, wire } = this.signed(signer, rrset, name, label)
    const signatures = wire.subarray(rrset.wire.length)
    return { type: RRSIG, ttl: rrset.ttl, count: count - rrset.count, wire: signatures, records: [] }
  }
}
