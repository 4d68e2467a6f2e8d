// Finds a name in its zone: exact, below a cut or a DNAME, or by a wildcard (RFC 1034 §4.3.2 step 3, RFC 4592, RFC
// 6672 §3.2).
import type { Node } from './node.ts'
import { TYPE } from './rrset.ts'
import type { Rrset } from './rrset.ts'
import { wildcardKey } from './wire-name.ts'
import type { WireName } from './wire-name.ts'
import { NAME_FLAG } from './zone-store/run.ts'
import type { ZoneView } from './zone-view.ts'

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
export function lookUp(found: LookupResult, zone: ZoneView, name: WireName, type: number): void {
  const { cuts, dnames, wildcards } = zone
  const apexLabel = name.labels - zone.apex.labels
  found.node = undefined
  found.cut = undefined
  found.dname = undefined
  found.encloser = undefined
  let isThere = cuts === 0 && dnames === 0 && zone.find(name, 0)
  let encloser = apexLabel
  if (!isThere && (cuts > 0 || dnames > 0 || wildcards > 0)) {
    for (let label = apexLabel; label > 0; label -= 1) {
      if (!zone.find(name, label)) break
      if (isCutOff(found, zone, label)) return
      encloser = label
    }
    isThere = zone.find(name, 0)
  }
  if (isThere) {
    if (type === TYPE.DS || !isCut(found, zone, 0)) found.node = zone.names.node()
    return
  }
  if (wildcards === 0) return
  // The source of synthesis is directly below the closest encloser (RFC 4592 §3.3.1); an empty one has no data
  // (§2.2.2).
  if (!zone.names.findKey(wildcardKey(name.key(encloser, apexLabel)))) return
  found.encloser = encloser
  if (type === TYPE.DS || !isCut(found, zone, 0)) found.node = zone.names.node()
}

/** Stores the cut or the DNAME of the name that was found, if it is above the one that is looked up. */
function isCutOff(found: LookupResult, zone: ZoneView, label: number): boolean {
  if (isCut(found, zone, label)) return true
  if ((zone.names.found.flags & NAME_FLAG.DNAME) === 0) return false
  found.dname = zone.names.node().dname
  found.cutLabel = label
  return true
}

/** Stores the cut of the name that was found. Returns whether there is one. */
function isCut(found: LookupResult, zone: ZoneView, label: number): boolean {
  if ((zone.names.found.flags & NAME_FLAG.CUT) === 0) return false
  found.cutNode = zone.names.node()
  found.cut = found.cutNode.delegation
  found.cutLabel = label
  return true
}
