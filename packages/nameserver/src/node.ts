// One name of a zone with its rrsets. Immutable: a change replaces it.
import { TYPE } from './rrset.ts'
import type { Rrset } from './rrset.ts'
import type { NameState } from './zone-data.ts'

/** A name that exists: it owns rrsets, or names below it do (an empty non-terminal, RFC 4592 §2.2.2). */
export interface Node {
  readonly rrsets: readonly Rrset[]
  /** The CNAME of this name. */
  readonly cname: Rrset | undefined
  /** The NS rrset of a delegation (RFC 1034 §4.2.1); never at the apex. */
  readonly delegation: Rrset | undefined
  /** The DNAME of this name, which redirects all names below it (RFC 6672). */
  readonly dname: Rrset | undefined
  readonly state: NameState | undefined
}

/** All empty non-terminals share this node. */
export const EMPTY_NODE: Node = {
  rrsets: [],
  cname: undefined,
  delegation: undefined,
  dname: undefined,
  state: undefined,
}

/** Makes a node from its rrsets. */
export function createNode(rrsets: readonly Rrset[], isApex: boolean, state?: NameState): Node {
  if (rrsets.length === 0 && state === undefined) return EMPTY_NODE
  return {
    rrsets,
    cname: findIn(rrsets, TYPE.CNAME),
    delegation: isApex ? undefined : findIn(rrsets, TYPE.NS),
    dname: findIn(rrsets, TYPE.DNAME),
    state,
  }
}

/** Returns the rrset of a type at a node. */
export function findRrset(node: Node, type: number): Rrset | undefined {
  return findIn(node.rrsets, type)
}

function findIn(rrsets: readonly Rrset[], type: number): Rrset | undefined {
  for (const rrset of rrsets) if (rrset.type === type) return rrset
  return undefined
}
