// Rows of zone settings. A setting that was never set has none.
import { type Database, query, type Reader, tables, type Transaction } from '@zonereeve/storage'
import { toSwitches, type Switches } from './zone-settings.rules.ts'

export interface StoredSetting {
  readonly value: unknown
  readonly modifiedOn: string
}

interface NamedSetting extends StoredSetting {
  readonly name: string
}

const settings = tables.zone_settings.beside('zone_id').of<NamedSetting>()

/** The values that were set for a zone, by name. */
export async function storedSettings(
  db: Reader,
  zoneId: string,
): Promise<ReadonlyMap<string, StoredSetting>> {
  const own = query.selectFrom('zone_settings').selectAll().where('zone_id', '=', zoneId).orderBy('name')
  return new Map(await settings.all(db, own, ({ name, ...stored }) => [name, stored] as const))
}

/** The value of one setting, also of those that the settings API does not list; undefined if it was never set. */
export const storedSetting = async (db: Reader, zoneId: string, name: string): Promise<unknown> =>
  (await storedSettings(db, zoneId)).get(name)?.value

export async function switchesOf(db: Reader, zoneId: string): Promise<Switches> {
  const stored = await storedSettings(db, zoneId)
  return toSwitches(new Map([...stored].map(([name, { value }]) => [name, value])))
}

/** For all zones. @returns a lookup by zone. @throws DomainError: storage.unreadable_row, from the lookup */
export async function allSwitches(db: Reader): Promise<(zoneId: string) => Switches | undefined> {
  const byZone = new Map<string, Database['zone_settings'][]>()
  await db.each(query.selectFrom('zone_settings').selectAll(), (row) => {
    const own = byZone.get(row.zone_id)
    if (own === undefined) byZone.set(row.zone_id, [row])
    else own.push(row)
  })
  return (zoneId) => {
    const rows = byZone.get(zoneId)
    return rows && toSwitches(new Map(rows.map((row) => [row.name, settings.read(db, row).value])))
  }
}

export const saveSetting = (
  tx: Transaction,
  zoneId: string,
  name: string,
  { value, modifiedOn }: StoredSetting,
): Promise<void> => settings.save(tx, { zoneId, name, value, modifiedOn })

export const deleteSettings = (tx: Transaction, zoneId: string): Promise<number> =>
  settings.remove(tx, { zoneId })
