// The columns of records that the nameserver needs.
import type { Name } from '@zonereeve/dns'
import { checksum, type Database, decodeRow, prepare, query, type Reader } from '@zonereeve/storage'
import { throwDamagedRecord } from './record-body.store.ts'

export { createServedRecordList } from '@zonereeve/storage'

export interface ServedRow {
  readonly id: string
  readonly name: Name
  readonly type: string
  readonly ttl: number
  readonly rdata: Uint8Array
  readonly proxied: boolean
  readonly settings: Readonly<Record<string, boolean>>
}

/** The state of a zone that its records are of. */
export interface ReadState {
  readonly serial: number
  /** The number of the zone's last change. Serials may go back: those of a primary that was set up again. */
  readonly change: number
}

/** Zones whose records {@link eachServedRow} reads at most at once. */
export const ZONES_IN_A_READ = 100

/**
 * Walks all records of zones by one statement, with the columns that the nameserver needs. Those of deleted zones are left out.
 *
 * @returns the states of the zones that have records.
 */
export async function eachServedRow(
  db: Reader,
  zoneIds: readonly string[],
  take: (zoneId: string, row: ServedRow) => void,
): Promise<ReadonlyMap<string, ReadState>> {
  const states = new Map<string, ReadState>()
  // Many records share few distinct settings strings.
  const settings = new Map<string, Readonly<Record<string, boolean>>>()
  const rows = zoneIds.length === 1 ? rowsOfOne : rowsOfSome
  await db.each(rows({ zoneIds }), (row) => {
    let parsed = settings.get(row.settings)
    if (!areServedColumnsWhole(row))
      decodeRow(db, { table: 'dns_records' }, row, () => throwDamagedRecord(row.id))
    if (parsed === undefined) {
      parsed = decodeRow(db, { table: 'dns_records' }, row, () => parseSettings(row.settings))
      settings.set(row.settings, parsed)
    }
    const { id, zone_id: zoneId, type, ttl, rdata, zone_serial: serial, last_change: change } = row
    if (!states.has(zoneId)) states.set(zoneId, { serial, change: change ?? 0 }) // 0: the log has none
    const proxied = row.proxied === 1
    take(zoneId, { id, name: row.name as Name, type, ttl, rdata, proxied, settings: parsed }) // only Names are stored
  })
  return states
}

const COLUMNS = ['id', 'name', 'type', 'ttl', 'rdata', 'proxied', 'settings', 'served_checksum'] as const

/** With the states of the zones in the same statement, because another node may write between two. */
const rowsOf = ({ zoneIds }: { zoneIds: readonly string[] }) =>
  query
    .with(
      (states) => states('states').materialized(),
      (db) =>
        db
          .selectFrom('zones')
          .select(['id as zone_id', 'serial as zone_serial'])
          .select((eb) =>
            eb
              .selectFrom('changes')
              .select(({ fn }) => fn.max('number').as('number'))
              .whereRef('scope_id', '=', 'zones.id')
              .as('last_change'),
          )
          .where('id', 'in', zoneIds),
    )
    .selectFrom('dns_records')
    .innerJoin('states', 'states.zone_id', 'dns_records.zone_id')
    .select(COLUMNS)
    .select(['states.zone_id', 'zone_serial', 'last_change'])
    .where('dns_records.zone_id', 'in', zoneIds)

const rowsOfOne = prepare(rowsOf, { zoneIds: 1 })
const rowsOfSome = prepare(rowsOf, { zoneIds: ZONES_IN_A_READ })

type ServedColumns = Pick<Database['dns_records'], 'name' | 'type' | 'ttl' | 'proxied' | 'settings' | 'rdata'>

export const servedChecksum = ({ name, type, ttl, proxied, settings, rdata }: ServedColumns): number =>
  checksum(name, type, ttl, proxied, settings, rdata)

/** Whether the columns that are published still match the row's checksum. */
export const areServedColumnsWhole = (
  row: ServedColumns & Pick<Database['dns_records'], 'served_checksum'>,
) => row.served_checksum === null || row.served_checksum === servedChecksum(row)

export const parseSettings = (text: string): Readonly<Record<string, boolean>> =>
  JSON.parse(text) as Record<string, boolean> // written by storedRecord
