// Loads a zone into the nameserver's table, from its stored records or from a snapshot; and captures zones for one.
import type { Name } from '@zonereeve/dns'
import type { ZoneContents, ZoneTable } from '@zonereeve/nameserver'
import { contextOf, editName, newEdit, sortRecords, type LiveZone, type ZoneEdit } from './live-zone.ts'
import { byName, captureZone, type CapturedZone, type SavedZone } from './saved-zone.ts'
import type { StoredRecord } from './stored-record.ts'

type Contents = Omit<ZoneContents, 'records'>

/** Loads a zone into the table. Returns what publication has to remember of it. @throws ZoneDataError */
export function loadZone(
  table: ZoneTable,
  live: LiveZone,
  contents: Contents,
  { records, saved }: { readonly records: Iterable<StoredRecord>; readonly saved: SavedZone | undefined },
): ZoneEdit {
  if (saved !== undefined) return restoreZone(table, live, contents, saved)
  return fillZone(table, live, contents, records)
}

/** Loads a zone with its stored records. */
function fillZone(
  table: ZoneTable,
  live: LiveZone,
  contents: Contents,
  records: Iterable<StoredRecord>,
): ZoneEdit {
  const around = contextOf(live)
  const { plain, special } = sortRecords(records, around)
  const edit = newEdit()
  for (const [name, stored] of special) editName(edit, { zone: live, name }, around, [], stored)
  const all = edit.added.length === 0 ? plain : [...plain, ...edit.added]
  table.load({ ...contents, records: all, marks: edit.marks })
  return edit
}

/**
 * Loads a zone from a snapshot. Special names are planned again: edge addresses and the ends of chains may be others
 * than then.
 */
function restoreZone(table: ZoneTable, live: LiveZone, contents: Contents, saved: SavedZone): ZoneEdit {
  const { zoneId, soa } = contents
  table.load({ ...contents, records: [], image: saved.image })
  const edit = newEdit()
  for (const [text, stored] of byName(saved.special)) {
    const name = text as Name // publication has saved it
    editName(edit, { zone: live, name }, contextOf(live), table.records(zoneId, name), stored)
    edit.marks.push({ name, state: edit.derived.get(name)?.state })
  }
  if (edit.marks.length > 0) table.apply({ zoneId, serial: soa.serial, ...edit })
  return edit
}

/** All zones as they are when they are reached. */
export function* captureZones(
  table: ZoneTable,
  zones: Iterable<LiveZone>,
): Generator<CapturedZone, void, void> {
  for (const live of zones) {
    const image = table.zone(live.zoneId)?.capture()
    if (image !== undefined) yield captureZone(live, image)
  }
}
