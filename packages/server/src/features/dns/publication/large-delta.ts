// Splits a change set by names without holding it in memory: most records pass through to the table as they are read.
import { CHUNK_SIZE, type Chunked, chunksOf } from '@zonereeve/cooperate'
import type { Name } from '@zonereeve/dns'
import type { RecordsAhead, ZoneRecords, ZoneTable } from '@zonereeve/nameserver'
import { contextOf, isApexOwn, type LiveZone } from './live-zone.ts'
import { hasOrdinaryRules, isSpecial, type PlanContext } from './plan.ts'
import type { StoredRecord, StoredRecords } from './stored-record.ts'

/** What a change set does to one name. */
export interface NameChange {
  readonly removed: StoredRecord[]
  readonly added: StoredRecord[]
}

export interface SplitDelta {
  /** The names that are not published as stored, before or after the change. */
  readonly special: ReadonlyMap<Name, NameChange>
  /** The records that are published as they are. */
  readonly removed: ZoneRecords
  readonly added: ZoneRecords
}

interface Lists extends Readonly<Record<'removed' | 'added', StoredRecords>> {
  /** Whether with ordinary settings all added records are published as stored; undefined: unknown. */
  readonly arePlain?: boolean | undefined
}

/** Reads the change set twice, or not at all if all of its records pass. */
export function* splitByName(
  { derived }: LiveZone,
  around: PlanContext,
  { arePlain = false, ...lists }: Lists,
): Chunked<SplitDelta> {
  const special = new Map<string, NameChange>()
  if (arePlain && derived.size === 0 && hasOrdinaryRules(around)) return { special: new Map(), ...lists }
  const changeOf = (name: string): NameChange => {
    let known = special.get(name)
    if (known === undefined) special.set(name, (known = { removed: [], added: [] }))
    return known
  }
  let done = 0
  for (const record of lists.added) {
    if (isSpecial(record, around)) changeOf(record.name)
    if ((done += 1) % CHUNK_SIZE === 0) yield
  }
  if (special.size + derived.size === 0) return { special: new Map(), ...lists }
  const isOfSpecial = ({ name }: StoredRecord): boolean => special.has(name) || derived.has(name as Name) // a record has a Name
  const passes = (record: StoredRecord): boolean => !isOfSpecial(record) || isApexOwn(record, around.apex)
  const passing = { removed: 0, added: 0 }
  for (const kind of ['removed', 'added'] as const) {
    for (const record of lists[kind]) {
      if (passes(record)) passing[kind] += 1
      if (isOfSpecial(record)) changeOf(record.name)[kind].push(copyOf(record))
      if ((done += 1) % CHUNK_SIZE === 0) yield
    }
  }
  return {
    special: special as Map<string, NameChange> as Map<Name, NameChange>, // records have Names
    removed: filterRecords(lists.removed, passes, passing.removed),
    added: filterRecords(lists.added, passes, passing.added),
  }
}

/** What is kept of a special name must not keep the other octets of the change set. */
const copyOf = (record: StoredRecord): StoredRecord => ({ ...record, rdata: new Uint8Array(record.rdata) })

const filterRecords = (
  records: StoredRecords,
  passes: (record: StoredRecord) => boolean,
  length: number,
): ZoneRecords => ({
  length,
  *[Symbol.iterator]() {
    for (const record of records) if (passes(record)) yield record
  },
})

export interface BegunRecords {
  readonly ahead: RecordsAhead
  /** Drops all if one is not published as it is. */
  add(records: StoredRecords): Chunked<void>
}

/** Begins to publish the added records of a change set that is not complete. Undefined: the zone has names that are not published as stored. */
export function beginRecords(table: ZoneTable, zone: LiveZone | undefined): BegunRecords | undefined {
  const ahead = zone?.derived.size === 0 ? table.beginAhead(zone.zoneId) : undefined
  if (zone === undefined || ahead === undefined) return undefined
  const around = contextOf(zone)
  return {
    ahead,
    *add(records) {
      for (const some of ahead.isOpen ? chunksOf(records) : []) {
        if (some.some((record) => isSpecial(record, around))) ahead.drop()
        ahead.add(some)
        if (!ahead.isOpen) return
        yield
      }
    },
  }
}
