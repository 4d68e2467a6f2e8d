// A zone as a snapshot has it: its names as the nameserver holds them, and the stored records of the names that are
// not published as stored.
import type { ZoneImage } from '@zonereeve/nameserver'
import type { NameSettings } from './plan.ts'
import type { StoredRecord } from './stored-record.ts'

export interface SavedZone {
  readonly zoneId: string
  readonly apex: string
  /** By other settings, other names are published as stored. */
  readonly settings: NameSettings
  readonly special: readonly StoredRecord[]
  readonly image: ZoneImage
}

/** A zone at a time; `image` copies its names, as long as their version is held. */
export interface CapturedZone extends Omit<SavedZone, 'image'> {
  readonly image: () => ZoneImage
}

/** Whether names are published by the same rules. */
export const isSameRules = (a: NameSettings, b: NameSettings): boolean =>
  a.flattenAllCnames === b.flattenAllCnames &&
  a.zoneMode === b.zoneMode &&
  a.http2 === b.http2 &&
  a.http3 === b.http3

/** Records by their names. */
export function byName(records: Iterable<StoredRecord>): ReadonlyMap<StoredRecord['name'], StoredRecord[]> {
  const names = new Map<StoredRecord['name'], StoredRecord[]>()
  for (const record of records) {
    const others = names.get(record.name)
    if (others === undefined) names.set(record.name, [record])
    else others.push(record)
  }
  return names
}
