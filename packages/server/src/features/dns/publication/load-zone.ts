// Loads a zone into the nameserver's table, from its stored records or from a snapshot; and captures zones for one.
import type { Name } from '@zonereeve/dns'
import type { ZoneContents, ZoneTable } from '@zonereeve/nameserver'
import { contextOf, editName, newEdit, sortRecords, type LiveZone, type ZoneEdit } from './live-zone.ts'
import type { AllNameRules } from './plan.ts'
import { byName, type CapturedZone, type SavedZone } from './saved-zone.ts'
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

/** All zones as they are at the call. Their version must be held until the end. */
export function captureZones(
  table: ZoneTable,
  rules: AllNameRules,
  derived: Iterable<LiveZone>,
): Iterable<CapturedZone> {
  const special = new Map(Array.from(derived, (zone) => [zone.zoneId, storedOf(zone)]))
  return capturedZones(table.capture(), rules, special)
}

const storedOf = ({ derived }: LiveZone): readonly StoredRecord[] =>
  [...derived.values()].flatMap(({ stored }) => stored)

function* capturedZones(
  zones: ReturnType<ZoneTable['capture']>,
  rules: AllNameRules,
  specialOf: ReadonlyMap<string, readonly StoredRecord[]>,
): Generator<CapturedZone, void, void> {
  for (const { zoneId, apex, tag, image } of zones) {
    const settings = rules.numbered(tag)?.settings
    const special = specialOf.get(zoneId) ?? [] // all names are published as stored
    if (settings !== undefined) yield { zoneId, apex, settings, special, image }
  }
}
