// Rows of zone settings. There are none for settings that were never set.
import { query, type Reader, type Transaction } from '../../storage/index.ts'
import { toSwitches, type Switches } from './zone-settings.rules.ts'

export interface StoredSetting {
  readonly value: unknown
  readonly modifiedOn: string
}

/** What was ever set for a zone, by name. */
export async function storedSettings(
  db: Reader,
  zoneId: string,
): Promise<ReadonlyMap<string, StoredSetting>> {
  const rows = await db.all(
    query
      .selectFrom('zone_settings')
      .select(['name', 'value', 'modified_on'])
      .where('zone_id', '=', zoneId)
      .orderBy('name'),
  )
  return new Map(rows.map((row) => [row.name, { value: JSON.parse(row.value), modifiedOn: row.modified_on }]))
}

export async function switchesOf(db: Reader, zoneId: string): Promise<Switches> {
  const stored = await storedSettings(db, zoneId)
  return toSwitches(new Map([...stored].map(([name, { value }]) => [name, value])))
}

/** Of zones for which anything was ever set. */
export async function allSwitches(db: Reader): Promise<ReadonlyMap<string, Switches>> {
  const values = new Map<string, Map<string, unknown>>()
  await db.each(query.selectFrom('zone_settings').select(['zone_id', 'name', 'value']), (row) => {
    const ofZone = values.get(row.zone_id) ?? new Map<string, unknown>()
    values.set(row.zone_id, ofZone.set(row.name, JSON.parse(row.value)))
  })
  return new Map([...values].map(([zoneId, ofZone]) => [zoneId, toSwitches(ofZone)]))
}

export async function saveSetting(
  tx: Transaction,
  zoneId: string,
  name: string,
  { value, modifiedOn }: StoredSetting,
): Promise<void> {
  const columns = { value: JSON.stringify(value), modified_on: modifiedOn }
  await tx.run(
    query
      .insertInto('zone_settings')
      .values({ zone_id: zoneId, name, ...columns })
      .onConflict((conflict) => conflict.columns(['zone_id', 'name']).doUpdateSet(columns)),
  )
}

export async function deleteSettings(tx: Transaction, zoneId: string): Promise<void> {
  await tx.run(query.deleteFrom('zone_settings').where('zone_id', '=', zoneId))
}
