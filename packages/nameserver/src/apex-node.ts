// The node at the apex, where the zone itself has records beside the given ones.
import { isAuthorityType } from './apex-rrsets.ts'
import { APEX } from './names-view.ts'
import { createNode, EMPTY_NODE, type Node } from './node.ts'
import { type Rrset, TYPE } from './rrset.ts'
import type { ZoneAuthority } from './zone-data.ts'
import type { NamesChange } from './zone-names.ts'

/** Puts SOA and name servers at the apex, before its other rrsets. A digest is of the content before: it is removed. */
export function putApex(names: NamesChange, authority: readonly Rrset[]): void {
  const { rrsets, state } = names.node(APEX) ?? EMPTY_NODE
  const others = rrsets.filter(({ type }) => !isAuthorityType(type))
  names.put(APEX, createNode([...authority, ...others], true, state))
}

/** Puts a digest at the apex in place of the one that is there. */
export function putDigest(names: NamesChange, digest: Rrset): void {
  const { rrsets, state } = names.node(APEX) ?? EMPTY_NODE
  const others = rrsets.filter(({ type }) => type !== TYPE.ZONEMD)
  names.put(APEX, createNode([...others, digest], true, state))
}

/** The apex as far as it is given: a digest that is made here follows from all the rest. */
export function withoutDigest(node: Node | undefined, { hasDigest }: ZoneAuthority): Node {
  if (node === undefined) return EMPTY_NODE
  return hasDigest === true
    ? { ...node, rrsets: node.rrsets.filter(({ type }) => type !== TYPE.ZONEMD) }
    : node
}
