// Finding a name in its zone: exact, below a cut, or from a wildcard (RFC 1034 §4.3.2 step 3, RFC 4592).
import type { Node } from './node.ts'
import { TYPE } from './rrset.ts'
import type { Rrset } from './rrset.ts'
import { wildcardKey } from './wire-name.ts'
import type { WireName } from './wire-name.ts'
import type { Zone } from './zone.ts'

/** Where a name was found: its node, or the node that cuts it off together with the label that is cut off. */
export interface Found {
  node: Node | undefined
  cut: Rrset | undefined
  /** The node that has the cut. */
  cutNode: Node | undefined
  cutLabel: number
  /** Where the node, or the one that has the cut, is a wildcard's: the label of the name from which on it is that below which the wildcard stands. */
  encloser: number | undefined
}

/** To be filled, again and again. */
export const createFound = (): Found => ({
  node: undefined,
  cut: undefined,
  cutNode: undefined,
  cutLabel: 0,
  encloser: undefined,
})

/** Fills `found`. Cuts are looked for from the apex down, so that nothing below one is seen (RFC 1034 §4.3.2 step 3b). */
export function lookUp(found: Found, zone: Zone, name: WireName, type: number): void {
  const apexLabel = name.labels - zone.apex.labels
  found.node = zone.node(name.key(0, apexLabel))
  found.cut = undefined
  found.encloser = undefined
  if (zone.cuts === 0 && (found.node !== undefined || zone.wildcards === 0)) return
  let encloser = apexLabel
  for (let label = apexLabel - 1; label >= 0; label -= 1) {
    const node = zone.node(name.key(label, apexLabel))
    if (node === undefined) break
    if (isCut(found, node, label, type)) return
    encloser = label
  }
  if (found.node !== undefined || zone.wildcards === 0) return
  // The source of synthesis is below the closest encloser only (RFC 4592 §3.3.1); an empty one has no data (§2.2.2).
  const wildcard = zone.node(wildcardKey(name.key(encloser, apexLabel)))
  if (wildcard === undefined) return
  found.encloser = encloser
  if (!isCut(found, wildcard, 0, type)) found.node = wildcard
}

/** Notes the cut at a node, if there is one for this type: DS at the cut itself is data of this side. */
function isCut(found: Found, node: Node, label: number, type: number): boolean {
  if (node.delegation === undefined || (label === 0 && type === TYPE.DS)) return false
  found.cut = node.delegation
  found.cutNode = node
  found.cutLabel = label
  return true
}
