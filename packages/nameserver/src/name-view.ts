// Shows what the nameserver would answer for a name, as records. Used to resolve aliases in advance.
import { labelsOf, type Name, nameToWire } from '@zonereeve/dns'
import { createFound, lookUp } from './look-up.ts'
import { findRrset } from './node.ts'
import { TYPE } from './rrset.ts'
import { WireName } from './wire-name.ts'
import type { ZoneRecord } from './zone-data.ts'
import type { ZoneTable } from './zone-table.ts'

export type NameView =
  /**
   * In no served zone, or below a cut or a DNAME: other servers answer. `apexLabels` is the label count of the zone
   * that cuts it off.
   */
  | { readonly kind: 'elsewhere'; readonly apexLabels: number | undefined }
  | { readonly kind: 'absent'; readonly apexLabels: number }
  | {
      readonly kind: 'present'
      readonly apexLabels: number
      readonly zoneId: string
      /** The name whose records answer: the name itself, or a wildcard. */
      readonly owner: Name
      /** The records of a type. */
      records(type: number): readonly ZoneRecord[]
    }

/** Looks up names as answering does, without following aliases. */
export function createNameView(table: ZoneTable): (name: Name) => NameView {
  const wire = new WireName()
  const found = createFound()

  return (name) => {
    const octets = nameToWire(name)
    wire.read(octets, 0, octets.length)
    const zone = table.find(wire, 0)
    if (zone === undefined) return { kind: 'elsewhere', apexLabels: undefined }
    const apexLabels = zone.apex.labels
    lookUp(found, zone, wire, TYPE.A)
    const { node, encloser } = found
    if (found.cut !== undefined || found.dname !== undefined) return { kind: 'elsewhere', apexLabels }
    if (node === undefined) return { kind: 'absent', apexLabels }
    return {
      kind: 'present',
      apexLabels,
      zoneId: zone.zoneId,
      owner: encloser === undefined ? name : wildcardBelow(name, encloser),
      records: (type) => findRrset(node, type)?.records ?? [], // no rrset
    }
  }
}

function wildcardBelow(name: Name, encloser: number): Name {
  return ['*', ...labelsOf(name).slice(encloser)].join('.') as Name // a wildcard above labels of a valid name is a valid name
}
