// A zone as this room keeps it: only of names that are not served as they are stored, and what it takes to change it.
import type { Name } from '@zonereeve/dns'
import type { NameMark, NameState, ZoneAuthority, ZoneRecord } from '../nameserver/index.ts'
import {
  isSpecial,
  planName,
  type Alias,
  type NameRules,
  type NameSettings,
  type Surroundings,
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
  /** Places whose chains lead elsewhere now, which is not answered before the serial has moved. */
  readonly waiting: Set<Place>
}

/** A name of a zone, whatever stands there. */
export interface Place {
  readonly zone: LiveZone
  readonly name: Name
}

/** A name that is not served as it is stored, or whose records carry options. */
export interface DerivedName {
  readonly place: Place
  readonly stored: readonly StoredRecord[]
  readonly alias: Alias | undefined
  /** As the table has them: by the plan alone, and from the end of the alias's chain. */
  readonly fixed: readonly ZoneRecord[]
  readonly followed: readonly ZoneRecord[]
  readonly state: NameState | undefined
}

/** What is to be changed in the table and in the zone, all at once. */
export interface ZoneEdit {
  readonly removed: ZoneRecord[]
  readonly added: ZoneRecord[]
  readonly marks: NameMark[]
  readonly derived: Map<Name, DerivedName | undefined>
}

export const newEdit = (): ZoneEdit => ({ removed: [], added: [], marks: [], derived: new Map() })

/** Gives a name new records. `before` is asked only where the zone does not know what was stored. */
export function editName(
  edit: ZoneEdit,
  place: Place,
  around: Surroundings,
  before: readonly StoredRecord[],
  after: readonly StoredRecord[],
): void {
  const old = place.zone.derived.get(place.name)
  const derived = deriveName(place, after, around, old)
  replaceName(edit, place.name, old, derived, { before, after })
}

/** Puts one state of a name in the place of another; undefined = served as stored. */
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

/** Undefined when nothing about the name is special. An alias is not followed here. */
function deriveName(
  place: Place,
  stored: readonly StoredRecord[],
  around: Surroundings,
  old: DerivedName | undefined,
): DerivedName | undefined {
  if (!stored.some((record) => isSpecial(record, around))) return undefined
  const { records: fixed, alias } = planName(stored, around)
  const base = { place, stored, alias, fixed }
  if (alias === undefined) return { ...base, followed: [], state: fixed.length === 0 ? 'empty' : undefined }
  // What the last chain led to stays until the new one has been followed.
  const last = old?.alias === undefined ? undefined : old
  return { ...base, followed: last?.followed ?? [], state: last === undefined ? 'failing' : last.state }
}

const servedOf = ({ fixed, followed }: DerivedName): readonly ZoneRecord[] => [...fixed, ...followed]

export interface SortedRecords {
  /** Served as they are. */
  readonly plain: readonly StoredRecord[]
  /** All records of names that have a special one. */
  readonly special: ReadonlyMap<Name, readonly StoredRecord[]>
}

/** Parts a whole zone's records by what becomes of them. */
export function sortRecords(records: Iterable<StoredRecord>, around: Surroundings): SortedRecords {
  const special = new Map<string, StoredRecord[]>()
  const others: StoredRecord[] = []
  for (const record of records) {
    const those = special.get(record.name)
    if (!isSpecial(record, around)) others.push(record)
    else if (those === undefined) special.set(record.name, [record])
    else those.push(record)
  }
  const joins = (record: StoredRecord): boolean => {
    if (isApexNs(record, around.apex)) return false
    const those = special.get(record.name)
    those?.push(record)
    return those !== undefined
  }
  const plain = special.size === 0 ? others : others.filter((record) => !joins(record))
  return { plain, special: special as Map<Name, StoredRecord[]> } // records have Names
}

/** NS records at the apex go straight into the table, which serves them with the zone's own or not at all. */
export const isApexNs = ({ type, name }: ZoneRecord, apex: Name): boolean => type === TYPE.NS && name === apex
