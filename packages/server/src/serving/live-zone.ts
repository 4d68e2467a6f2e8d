// A zone as this room keeps it: only of names that are not served as they are stored, and what it takes to change it.
import { decodeRdata } from '@zonereeve/dns'
import type { Name } from '@zonereeve/dns'
import type { NameMark, NameState, ZoneHead, ZoneRecord } from '../nameserver/index.ts'
import { isSpecial, planName, type Alias, type NameSettings, type Surroundings } from './plan.ts'
import { diffRecords } from './record-diff.ts'
import { TYPE, type StoredRecord } from './stored-record.ts'

export type ZoneServing = NameSettings & {
  /** The user's own NS records at the apex are served beside those of the head. */
  readonly multiProvider: boolean
}

export interface ServedZone {
  readonly zoneId: string
  readonly apex: Name
  readonly head: ZoneHead
  readonly settings: ZoneServing
}

export interface LiveZone {
  readonly zoneId: string
  readonly apex: Name
  head: ZoneHead
  settings: ZoneServing
  around: Surroundings
  /** NS records at the apex: the table takes those with the head, or not at all. */
  apexNs: readonly StoredRecord[]
  readonly derived: Map<Name, DerivedName>
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
  readonly plain: StoredRecord[]
  /** All records of names that have a special one. */
  readonly special: ReadonlyMap<Name, readonly StoredRecord[]>
  readonly apexNs: readonly StoredRecord[]
}

/** Parts a whole zone's records by what becomes of them. */
export function sortRecords(records: Iterable<StoredRecord>, around: Surroundings): SortedRecords {
  const special = new Map<string, StoredRecord[]>()
  const apexNs: StoredRecord[] = []
  const others: StoredRecord[] = []
  for (const record of records) {
    if (isApexNs(record, around.apex)) apexNs.push(record)
    else if (!isSpecial(record, around)) others.push(record)
    else {
      const those = special.get(record.name)
      if (those === undefined) special.set(record.name, [record])
      else those.push(record)
    }
  }
  const plain = special.size === 0 ? others : others.filter((record) => !joins(record, special))
  return { plain, special: special as Map<Name, StoredRecord[]>, apexNs } // records have Names
}

/** Puts a record with the others of its name, if one of those is special. */
function joins(record: StoredRecord, special: ReadonlyMap<string, StoredRecord[]>): boolean {
  const those = special.get(record.name)
  those?.push(record)
  return those !== undefined
}

export const isApexNs = ({ type, name }: ZoneRecord, apex: Name): boolean => type === TYPE.NS && name === apex

/** The head with the user's own name servers, where the zone's settings let them stand beside ours. */
export function headOf({ head, settings, apexNs }: Pick<LiveZone, 'head' | 'settings' | 'apexNs'>): ZoneHead {
  if (!settings.multiProvider || apexNs.length === 0) return head
  const own = apexNs.map(({ rdata }) => decodeRdata('NS', rdata).target)
  return { ...head, nameServers: [...head.nameServers, ...own] }
}
