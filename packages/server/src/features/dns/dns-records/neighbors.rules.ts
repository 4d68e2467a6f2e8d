// The records at the names of a zone during writes, updated with each write, so that each record is checked against
// few neighbors, however many records its name has.
import type { Name } from '@zonereeve/dns'
import { StringMap } from '@zonereeve/platform'
import { DNAME, type Sibling } from './coexistence.rules.ts'
import type { RecordFields } from './dns-records.rules.ts'

/** A record and its name. */
export interface IndexedRecord extends Sibling {
  readonly id: string
  readonly name: Name
}

/** By type, then by identity. */
type NameRecords = Map<string, Map<string, IndexedRecord>>

export interface NeighborIndex {
  /** Whether the records at a name are loaded. */
  knows(name: Name): boolean
  /** Marks these names as loaded and empty. */
  open(names: Iterable<Name>): void
  /**
   * Marks all names as loaded and empty.
   *
   * @param hasOne whether a name will have a single record.
   */
  openAll(hasOne?: (name: Name) => boolean): void
  /** Adds a record. Ignored for names that are not loaded. */
  put(record: IndexedRecord): void
  drop(record: IndexedRecord): void
  /**
   * Returns the neighbors that a record of this identity is checked against: the identical one, all TXT, and one of
   * each other type.
   *
   * @param exceptId a record that is not its own neighbor.
   */
  around(record: Pick<RecordFields, 'name' | 'type'>, identity: string, exceptId?: string): readonly Sibling[]
}

/**
 * Most names have one record, and very many names may be loaded: a single record is stored without maps, and as a text
 * if it is an ordinary one.
 */
type HeldRecords = string | IndexedRecord | NameRecords

const NO_RECORDS: NameRecords = new Map()

/** The records of names, those with one ordinary record as octets. */
function createHeldRecords() {
  const singles = new StringMap()
  const others = new Map<Name, IndexedRecord | NameRecords>()
  return {
    get: (name: Name): HeldRecords | undefined =>
      (others.size === 0 ? undefined : others.get(name)) ?? singles.get(name),
    set(name: Name, held: HeldRecords): void {
      if (typeof held === 'string') {
        if (others.size > 0) others.delete(name)
        singles.set(name, held)
      } else {
        singles.delete(name)
        others.set(name, held)
      }
    },
    clear(): void {
      singles.clear()
      others.clear()
    },
  }
}

export function createNeighborIndex(): NeighborIndex {
  const neighbors = createHeldRecords()
  let knowsAll = false
  let hasOne: (name: Name) => boolean = () => false
  return {
    knows: (name) => knowsAll || neighbors.get(name) !== undefined,
    open(names) {
      for (const name of names) neighbors.set(name, NO_RECORDS)
    },
    openAll(newHasOne = () => false) {
      neighbors.clear()
      knowsAll = true
      hasOne = newHasOne
    },
    put(record) {
      // Names below a DNAME look for it.
      if (record.type !== DNAME && hasOne(record.name)) return
      const held = neighbors.get(record.name) ?? (knowsAll ? NO_RECORDS : undefined)
      if (held === undefined) return
      if (held === NO_RECORDS) return void neighbors.set(record.name, shortForm(record))
      const place = placeOf(record.name, held)
      if (place !== held) neighbors.set(record.name, place)
      const rrset = place.get(record.type)
      if (rrset === undefined) place.set(record.type, new Map([[record.identity, record]]))
      else rrset.set(record.identity, record)
    },
    drop(record) {
      const held = neighbors.get(record.name)
      if (held === undefined) return
      if (held instanceof Map) {
        const rrset = held.get(record.type)
        if (rrset?.get(record.identity)?.id === record.id) rrset.delete(record.identity)
      } else {
        const { id, identity } = longForm(record.name, held)
        if (id === record.id && identity === record.identity) neighbors.set(record.name, NO_RECORDS)
      }
    },
    around({ name, type }, identity, exceptId) {
      const around: Sibling[] = []
      if (type !== DNAME && hasOne(name)) return around
      const held = neighbors.get(name)
      if (held === undefined) return around
      const place = placeOf(name, held)
      const identical = place.get(type)?.get(identity)
      if (identical !== undefined && identical.id !== exceptId) around.push(identical)
      for (const [other, rrset] of place) {
        for (const record of rrset.values()) {
          if (record.id === exceptId || record === identical) continue
          around.push(record)
          // The total size of TXT records at a name is limited, so there are never many.
          if (other !== 'TXT') break
        }
      }
      return around
    },
  }
}

function placeOf(name: Name, held: HeldRecords): NameRecords {
  if (held instanceof Map) return held
  const record = longForm(name, held)
  return new Map([[record.type, new Map([[record.identity, record]])]])
}

/** Neither IDs, types nor identities contain it. */
const SEPARATOR = ' '
const NO_OPTIONS = {}

function shortForm(record: IndexedRecord): HeldRecords {
  const { id, type, identity, searchText, proxied, settings } = record
  const isOrdinary = searchText === null && !proxied && Object.values(settings).every((option) => !option)
  return isOrdinary ? [id, type, identity].join(SEPARATOR) : record
}

/** An option that is off is the same as none, and the length counts for TXT only, which is not ordinary. */
function longForm(name: Name, held: string | IndexedRecord): IndexedRecord {
  if (typeof held !== 'string') return held
  const [id = '', type = '', identity = ''] = held.split(SEPARATOR) // as written by shortForm
  return { id, name, type, identity, rdataBytes: 0, searchText: null, proxied: false, settings: NO_OPTIONS }
}
