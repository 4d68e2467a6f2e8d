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

/**
 * Walks all records of a zone, with the columns that the nameserver needs.
 *
 * @returns undefined if it has none.
 */
export async function eachServedRow(
  db: Reader,
  zoneId: string,
  take: (row: ServedRow) => void,
): Promise<ReadState | undefined> {
  let state: ReadState | undefined
  const decode = createDecoder(db)
  await db.each(servedRows({ zoneId }), (row) => {
    // Of a deleted zone, there is none.
    if (row.zone_serial !== null) state ??= { serial: row.zone_serial, change: row.last_change ?? 0 }
    take(decode(row, zoneId))
  })
  return state
}

/** Zones whose records {@link eachServedRowOf} reads at once. */
export const ZONES_IN_A_READ = 100

/** Walks all records of some zones, by one statement. @returns the states of those that have records */
export async function eachServedRowOf(
  db: Reader,
  zoneIds: readonly string[],
  take: (zoneId: string, row: ServedRow) => void,
): Promise<ReadonlyMap<string, ReadState>> {
  const states = new Map<string, ReadState>()
  const decode = createDecoder(db)
  await db.each(servedRowsOfSome({ zoneIds }), (row) => {
    const { zone_id: zoneId, zone_serial: serial, last_change: change } = row
    if (!states.has(zoneId)) states.set(zoneId, { serial, change: change ?? 0 }) // 0: the log has none
    take(zoneId, decode(row, zoneId))
  })
  return states
}

type Columns = Pick<Database['dns_records'], (typeof COLUMNS)[number]>

function createDecoder(db: Reader) {
  // Many records share few distinct settings strings.
  const settings = new Map<string, Readonly<Record<string, boolean>>>()
  return (row: Columns, zoneId: string): ServedRow => {
    let parsed = settings.get(row.settings)
    const place = { ...row, zone_id: zoneId }
    if (!areServedColumnsWhole(row))
      decodeRow(db, { table: 'dns_records' }, place, () => throwDamagedRecord(row.id))
    if (parsed === undefined) {
      parsed = decodeRow(db, { table: 'dns_records' }, place, () => parseSettings(row.settings))
      settings.set(row.settings, parsed)
    }
    const { id, type, ttl, rdata } = row
    return { id, name: row.name as Name, type, ttl, rdata, proxied: row.proxied === 1, settings: parsed } // only Names are stored
  }
}

const COLUMNS = ['id', 'name', 'type', 'ttl', 'rdata', 'proxied', 'settings', 'served_checksum'] as const

/** With the zone's state in the same statement, because another node may write between two. */
const servedRows = prepare(({ zoneId }: { zoneId: string }) =>
  query
    .selectFrom('dns_records')
    .select([
      ...COLUMNS,
      query.selectFrom('zones').select('serial').where('id', '=', zoneId).as('zone_serial'),
      query
        .selectFrom('changes')
        .select(({ fn }) => fn.max('number').as('number'))
        .where('scope_id', '=', zoneId)
        .as('last_change'),
    ])
    .where('zone_id', '=', zoneId),
)

const servedRowsOfSome = prepare(
  ({ zoneIds }: { zoneIds: readonly string[] }) =>
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
      .where('dns_records.zone_id', 'in', zoneIds),
  { zoneIds: ZONES_IN_A_READ },
)

type ServedColumns = Pick<Database['dns_records'], 'name' | 'type' | 'ttl' | 'proxied' | 'settings' | 'rdata'>

export const servedChecksum = ({ name, type, ttl, proxied, settings, rdata }: ServedColumns): number =>
  checksum(name, type, ttl, proxied, settings, rdata)

/** Whether the columns that are published still match the row's checksum. */
export const areServedColumnsWhole = (
  row: ServedColumns & Pick<Database['dns_records'], 'served_checksum'>,
) => row.served_checksum === null || row.served_checksum === servedChecksum(row)

export const parseSettings = (text: string): Readonly<Record<string, boolean>> =>
  JSON.parse(text) as Record<string, boolean> // written by storedRecord
