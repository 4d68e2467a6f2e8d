// Finds a name in its zone: exact, below a cut or a DNAME, or by a wildcard (RFC 1034 §4.3.2 step 3, RFC 4592, RFC
// 6672 §3.2).
import type { Node } from './node.ts'
import { TYPE } from './rrset.ts'
import type { Rrset } from './rrset.ts'
import { wildcardKey } from './wire-name.ts'
import type { WireName } from './wire-name.ts'
import type { Zone } from './zone.ts'

/** The result of a look-up: the node of the name, or the node that cuts it off with the label of the cut. */
export interface LookupResult {
  node: Node | undefined
  cut: Rrset | undefined
  /** The node with the cut. */
  cutNode: Node | undefined
  cutLabel: number
  /** The DNAME above the name, at the label `cutLabel`. */
  dname: Rrset | undefined
  /**
   * If the node, or the one with the cut, is a wildcard: the label of the name at which the wildcard's parent begins.
   */
  encloser: number | undefined
}

/** A reusable result for lookUp. */
export const createFound = (): LookupResult => ({
  node: undefined,
  cut: undefined,
  cutNode: undefined,
  cutLabel: 0,
  dname: undefined,
  encloser: undefined,
})

/**
 * Fills `found`. Looks for cuts and DNAMEs from the apex down, so that nothing below one is seen (RFC 1034 §4.3.2
 * step 3b, RFC 6672 §2.4).
 */
export function lookUp(found: LookupResult, zone: Zone, name: WireName, type: number): void {
  const apexLabel = name.labels - zone.apex.labels
  found.node = zone.node(name.key(0, apexLabel))
  found.cut = undefined
  found.dname = undefined
  found.encloser = undefined
  if (zone.cuts === 0 && zone.dnames === 0 && (found.node !== undefined || zone.wildcards === 0)) return
  let encloser = apexLabel
  for (let label = apexLabel; label >= 0; label -= 1) {
    const node = zone.node(name.key(label, apexLabel))
    if (node === undefined) break
    if (isCut(found, node, label, type) || isRedirected(found, node, label)) return
    encloser = label
  }
  if (found.node !== undefined || zone.wildcards === 0) return
  // The source of synthesis is directly below the closest encloser (RFC 4592 §3.3.1); an empty one has no data
  // (§2.2.2).
  const wildcard = zone.node(wildcardKey(name.key(encloser, apexLabel)))
  if (wildcard === undefined) return
  found.encloser = encloser
  if (!isCut(found, wildcard, 0, type)) found.node = wildcard
}

/** Stores the DNAME of a node if the name is below it. Returns whether it did. */
function isRedirected(found: LookupResult, node: Node, label: number): boolean {
  if (node.dname === undefined || label === 0) return false
  found.node = undefined
  found.dname = node.dname
  found.cutLabel = label
  return true
}

/**
 * Stores the cut at a node if it applies to this type: DS at the cut itself is data of this side. Returns whether it
 * did.
 */
function isCut(found: LookupResult, node: Node, label: number, type: number): boolean {
  if (node.delegation === undefined || (label === 0 && type === TYPE.DS)) return false
  found.cut = node.delegation
  found.cutNode = node
  found.cutLabel = label
  return true
}
