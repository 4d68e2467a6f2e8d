// What stands at the names of a zone while records are written: kept in step write by write, so that each of a great
// many records is judged by few neighbours, however many there are at its name.
import type { Name } from '@zonereeve/dns'
import type { Sibling } from './coexistence.rules.ts'
import type { RecordFields } from './dns-records.rules.ts'

/** A record at its name. */
export interface PlacedRecord extends Sibling {
  readonly id: string
  readonly name: Name
}

/** By type, then by identity. */
type NamePlace = Map<string, Map<string, PlacedRecord>>

export interface Places {
  /** Whether it is known what stands at a name. */
  knows(name: Name): boolean
  /** From now on it is known what stands at these names: nothing but what is put there. */
  open(names: Iterable<Name>): void
  /** The same of all names. */
  openAll(): void
  /** Names that are not known stay so. */
  put(record: PlacedRecord): void
  drop(record: PlacedRecord): void
  /**
   * The neighbours that a record of this identity is judged by: the identical one, all TXT, and one of each other type.
   *
   * @param exceptId a record that is not its own neighbour.
   */
  around(record: Pick<RecordFields, 'name' | 'type'>, identity: string, exceptId?: string): readonly Sibling[]
}

/** Most names have one record, and very many names may be known. */
type Held = PlacedRecord | NamePlace

const NOBODY: NamePlace = new Map()

export function createPlaces(): Places {
  const places = new Map<Name, Held>()
  let knowsAll = false
  return {
    knows: (name) => knowsAll || places.has(name),
    open(names) {
      for (const name of names) places.set(name, NOBODY)
    },
    openAll() {
      places.clear()
      knowsAll = true
    },
    put(record) {
      const held = places.get(record.name) ?? (knowsAll ? NOBODY : undefined)
      if (held === undefined) return
      if (held === NOBODY) return void places.set(record.name, record)
      const place = placeOf(held)
      if (place !== held) places.set(record.name, place)
      const rrset = place.get(record.type)
      if (rrset === undefined) place.set(record.type, new Map([[record.identity, record]]))
      else rrset.set(record.identity, record)
    },
    drop(record) {
      const held = places.get(record.name)
      if (held === undefined) return
      if (held instanceof Map) {
        const rrset = held.get(record.type)
        if (rrset?.get(record.identity)?.id === record.id) rrset.delete(record.identity)
      } else if (held.id === record.id && held.identity === record.identity) places.set(record.name, NOBODY)
    },
    around({ name, type }, identity, exceptId) {
      const around: Sibling[] = []
      const place = placeOf(places.get(name) ?? NOBODY)
      const identical = place.get(type)?.get(identity)
      if (identical !== undefined && identical.id !== exceptId) around.push(identical)
      for (const [other, rrset] of place) {
        for (const record of rrset.values()) {
          if (record.id === exceptId || record === identical) continue
          around.push(record)
          // The size of TXT records counts together, so that there are never many.
          if (other !== 'TXT') break
        }
      }
      return around
    },
  }
}

const placeOf = (held: Held): NamePlace =>
  held instanceof Map ? held : new Map([[held.type, new Map([[held.identity, held]])]])
