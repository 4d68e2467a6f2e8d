// The signatures of a zone that was signed elsewhere: one rrset of RRSIG records at each name.
import { RRSIG, uint16At } from '@zonereeve/dns'
import { findRrset, type Node } from './node.ts'
import { RDATA_OFFSET, type Rrset, SignedRecords } from './rrset.ts'
import type { RunView } from './zone-store/run.ts'

/** An rrset of a node with the node's signatures of it. */
export function withSignatures(node: Node | undefined, rrset: Rrset): Rrset {
  const signatures = node && findRrset(node, RRSIG)
  if (signatures === undefined) return rrset
  const { count, wire } = coveringIn(signatures.wire, rrset.type)
  if (count === 0) return rrset
  return new SignedRecords(rrset, { count: rrset.count + count, wire: Buffer.concat([rrset.wire, wire]) })
}

/** Signatures as in an answer. */
export interface Covering {
  readonly count: number
  readonly wire: Uint8Array
}

export const NO_SIGNATURES: Covering = { count: 0, wire: new Uint8Array(0) }

/** The signatures that the name itself has for an rrset of this type, not copied. */
export function coveringAt(name: RunView, type: number): Covering {
  const set = name.findSet(RRSIG)
  return set === -1 ? NO_SIGNATURES : coveringIn(name.records(set), type)
}

/** The signatures of a type: they are next to each other in the rrset of all signatures of a name. */
function coveringIn(wire: Uint8Array, type: number): Covering {
  let count = 0
  let start = 0
  let at = 0
  while (at < wire.length) {
    const end = at + RDATA_OFFSET + uint16At(wire, at + 10)
    const covered = end - at < RDATA_OFFSET + 2 ? 0 : uint16At(wire, at + RDATA_OFFSET)
    if (covered === type) count += 1
    else if (covered > type || count > 0) break
    else start = end
    at = end
  }
  return { count, wire: wire.subarray(start, at) }
}
