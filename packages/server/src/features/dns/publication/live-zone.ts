// A zone as publication holds it: only names that are not published as stored, and what is needed to change them.
import type { Name } from '@zonereeve/dns'
import type { NameMark, NameState, ZoneAuthority, ZoneRecord } from '@zonereeve/nameserver'
import {
  isSpecial,
  planName,
  type Alias,
  type NameRules,
  type NameSettings,
  type PlanContext,
} from './plan.ts'
import { diffRecords } from './record-diff.ts'
import { TYPE, type StoredRecord } from './stored-record.ts'

export interface ServedZone {
  readonly zoneId: string
  readonly apex: Name
  readonly authority: ZoneAuthority
  readonly settings: NameSettings
}

export interface LiveZone {
  readonly zoneId: string
  readonly apex: Name
  rules: NameRules
  readonly derived: Map<Name, DerivedName>
  /** Names whose chains have changed, and whose answers change only when the serial does. */
  readonly waiting: Set<DependentName>
}

/** A name of a zone. */
export interface DependentName {
  readonly zone: LiveZone
  readonly name: Name
}

/** A name that is not published as stored, or whose records have options. */
export interface DerivedName {
  readonly place: DependentName
  readonly stored: readonly StoredRecord[]
  readonly alias: Alias | undefined
  /** The records in the table: from the plan alone, and from the end of the alias's chain. */
  readonly fixed: readonly ZoneRecord[]
  readonly targetRecords: readonly ZoneRecord[]
  readonly state: NameState | undefined
}

/** Changes to the table and to the zone, applied together. */
export interface ZoneEdit {
  readonly removed: ZoneRecord[]
  readonly added: ZoneRecord[]
  readonly marks: NameMark[]
  readonly derived: Map<Name, DerivedName | undefined>
}

export const contextOf = ({ apex, rules }: Pick<LiveZone, 'apex' | 'rules'>): PlanContext => ({
  apex,
  ...rules,
})

/** A zone all of whose names are published as stored. */
export const plainZone = (zoneId: string, apex: Name, rules: NameRules): LiveZone => ({
  zoneId,
  apex,
  rules,
  derived: new Map(),
  waiting: new Set(),
})

export const newEdit = (): ZoneEdit => ({ removed: [], added: [], marks: [], derived: new Map() })

/** Gives a name new records. `before` is called only if the zone does not hold the stored records. */
export function editName(
  edit: ZoneEdit,
  place: DependentName,
  around: PlanContext,
  before: readonly StoredRecord[],
  after: readonly StoredRecord[],
): void {
  const old = place.zone.derived.get(place.name)
  const derived = deriveName(place, after, around, old)
  replaceName(edit, place.name, old, derived, { before, after })
}

/** Replaces the state of a name; undefined = published as stored. */
export function replaceName(
  edit: ZoneEdit,
  name: Name,
  old: DerivedName | undefined,
  next: DerivedName | undefined,
  stored: { readonly before: readonly StoredRecord[]; readonly after: readonly StoredRecord[] },
): void {
  const { removed, added } = diffRecords(
    old === undefined ? stored.before : servedOf(old),
    next === undefined ? stored.after : servedOf(next),
  )
  edit.removed.push(...removed)
  edit.added.push(...added)
  if (old?.state !== next?.state) edit.marks.push({ name, state: next?.state })
  if (old !== next) edit.derived.set(name, next)
}

/** Returns undefined if the name is published as stored. Does not follow an alias. */
function deriveName(
  place: DependentName,
  stored: readonly StoredRecord[],
  around: PlanContext,
  old: DerivedName | undefined,
): DerivedName | undefined {
  if (!stored.some((record) => isSpecial(record, around))) return undefined
  const { records: fixed, alias } = planName(stored, around)
  const base = { place, stored, alias, fixed }
  if (alias === undefined)
    return { ...base, targetRecords: [], state: fixed.length === 0 ? 'empty' : undefined }
  // The result of the last chain stays until the new one has been followed.
  if (old?.alias === undefined) return { ...base, targetRecords: [], state: 'failing' }
  return { ...base, targetRecords: old.targetRecords, state: old.state }
}

const servedOf = ({ fixed, targetRecords }: DerivedName): readonly ZoneRecord[] => [
  ...fixed,
  ...targetRecords,
]

export interface SortedRecords {
  /** Published as stored. */
  readonly plain: readonly StoredRecord[]
  /** All records of names that have a special record. */
  readonly special: ReadonlyMap<Name, readonly StoredRecord[]>
}

/** Splits a zone's records into plain and special ones. */
export function sortRecords(records: Iterable<StoredRecord>, around: PlanContext): SortedRecords {
  const special = new Map<string, StoredRecord[]>()
  const others: StoredRecord[] = []
  for (const record of records) {
    const those = special.get(record.name)
    if (!isSpecial(record, around)) others.push(record)
    else if (those === undefined) special.set(record.name, [record])
    else those.push(record)
  }
  const joins = (record: StoredRecord): boolean => {
    if (isApexOwn(record, around.apex)) return false
    const those = special.get(record.name)
    those?.push(record)
    return those !== undefined
  }
  const plain = special.size === 0 ? others : others.filter((record) => !joins(record))
  return { plain, special: special as Map<Name, StoredRecord[]> } // records have Names
}

/**
 * NS and ZONEMD records at the apex go straight into the table, which publishes them with its own, or not at all.
 */
export const isApexOwn = ({ type, name }: ZoneRecord, apex: Name): boolean =>
  (type === TYPE.NS || type === TYPE.ZONEMD) && name === apex
