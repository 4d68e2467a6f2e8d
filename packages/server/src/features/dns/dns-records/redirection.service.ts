// Nothing may exist below a DNAME (RFC 6672 §2.4). Zones without a DNAME are not searched.
import { parentOf, type Name } from '@zonereeve/dns'
import type { Issue } from '@zonereeve/platform'
import type { Transaction } from '@zonereeve/storage'
import type { Zone } from '../../zones/index.ts'
import { DNAME } from './coexistence.rules.ts'
import type { RecordFields } from './dns-records.rules.ts'
import { eachOwner, hasType } from './dns-records.store.ts'
import type { NeighborIndex } from './neighbors.rules.ts'

type RecordPlace = Pick<RecordFields, 'name' | 'type'>

/** Tracks the DNAMEs of a zone within one transaction. */
export function openRedirection(tx: Transaction, zone: Zone, neighbors: NeighborIndex) {
  /** Whether the zone may have a DNAME; undefined until that is looked up. */
  let hasDnames: boolean | undefined
  /** Number of records below each name; undefined until a DNAME is written. */
  let below: Map<Name, number> | undefined
  return { isAbsent, clear, namesToLoadAbove, issues, count }

  /** Whether the zone is known to have no DNAME: then only a new one can conflict. */
  function isAbsent(): boolean {
    return hasDnames === false
  }

  /** Treats the zone as empty. */
  function clear(): void {
    hasDnames = false
    below = new Map()
  }

  /** Returns the names above `names` whose records must be loaded, too, to check records at these. */
  async function namesToLoadAbove(names: readonly Name[]): Promise<readonly Name[]> {
    hasDnames ??= await hasType(tx, zone.id, DNAME)
    return hasDnames ? names.flatMap(namesAbove) : []
  }

  /** Returns the conflicts of a record that was `before`. Its names to load must be loaded. */
  async function issues(
    { name, type }: RecordPlace,
    before: { readonly id: string; readonly name: Name } | undefined,
  ): Promise<Issue[]> {
    const owner =
      hasDnames === true ? namesAbove(name).find((above) => hasDname(above, before?.id)) : undefined
    if (owner !== undefined) return [refusal(`${name} is below the DNAME at ${owner}.`)]
    if (type !== DNAME) return []
    below ??= await countAll()
    const own = before !== undefined && namesAbove(before.name).includes(name) ? 1 : 0
    const records = below.get(name)
    return records !== undefined && records > own ? [refusal(`There are records below ${name}.`)] : []
  }

  /** Counts a record that is added (1) or removed (-1). */
  function count({ name, type }: RecordPlace, by: 1 | -1): void {
    if (type === DNAME) hasDnames = true
    if (below !== undefined) addTo(below, name, by)
  }

  function hasDname(name: Name, exceptId: string | undefined): boolean {
    return neighbors.around({ name, type: DNAME }, '', exceptId).some(({ type }) => type === DNAME)
  }

  async function countAll(): Promise<Map<Name, number>> {
    const counts = new Map<Name, number>()
    await eachOwner(tx, zone.id, (name, records) => addTo(counts, name, records))
    return counts
  }

  function addTo(counts: Map<Name, number>, name: Name, by: number): void {
    for (const above of namesAbove(name)) counts.set(above, (counts.get(above) ?? 0) + by)
  }

  /** Up to the apex. */
  function namesAbove(name: Name): Name[] {
    const names: Name[] = []
    for (let at: Name | undefined = name; at !== undefined && at !== zone.name;) {
      at = parentOf(at)
      if (at !== undefined) names.push(at)
    }
    return names
  }
}

const refusal = (detail: string): Issue => ({ reason: 'record.dname_exclusive', pointer: '/name', detail })
