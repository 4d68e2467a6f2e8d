// Rows of secondary zones.
import { decodeRdata } from '@zonereeve/dns'
import { query, type Reader, tables, type Transaction } from '@zonereeve/storage'
import type { SecondaryAuthority } from '../../zones/index.ts'
import { refreshTimesOf } from './refresh-times.rules.ts'

/** The primaries of a zone. */
export interface Incoming {
  readonly zoneId: string
  /** In the order in which they are queried. */
  readonly peerIds: readonly string[]
  readonly autoRefreshSeconds: number
  readonly createdOn: string
  readonly modifiedOn: string
}

/** The last known state of a primary. */
export interface SecondaryState {
  readonly zoneId: string
  /** RDATA of the primary's SOA; null before the first transfer. */
  readonly soa: Uint8Array | null
  readonly soaTtlSeconds: number | null
  readonly checkedOn: string | null
  readonly refreshedAtMillis: number | null
  readonly transferredOn: string | null
  readonly primarySerial: number | null
  readonly problem: string | null
}

export const withoutPrimary = (zoneId: string): SecondaryState => ({
  zoneId,
  soa: null,
  soaTtlSeconds: null,
  checkedOn: null,
  refreshedAtMillis: null,
  transferredOn: null,
  primarySerial: null,
  problem: null,
})

const incomingTransfers = tables.incoming_transfers.of<Incoming>()
const secondaryZones = tables.followed_zones.of<SecondaryState>()

export const findIncoming = (db: Reader, zoneId: string): Promise<Incoming | undefined> =>
  incomingTransfers.find(db, { zoneId })

/** All of an account. */
export async function allIncoming(db: Reader, accountId: string): Promise<Incoming[]> {
  const rows = query
    .selectFrom('incoming_transfers')
    .innerJoin('zones', 'zones.id', 'incoming_transfers.zone_id')
    .selectAll('incoming_transfers')
    .where('zones.account_id', '=', accountId)
    .orderBy('zones.name')
  return incomingTransfers.readable(db, rows)
}

export const saveIncoming = (tx: Transaction, incoming: Incoming): Promise<void> =>
  incomingTransfers.save(tx, incoming)

/** @returns the number of deleted rows. */
export const deleteIncoming = (tx: Transaction, zoneId: string): Promise<number> =>
  incomingTransfers.remove(tx, { zoneId })

export const findSecondary = async (db: Reader, zoneId: string): Promise<SecondaryState> =>
  (await secondaryZones.find(db, { zoneId })) ?? withoutPrimary(zoneId)

/** Of these zones: as many as fit a statement. Zones that were never transferred are in it, those that cannot be read are not. */
export async function secondariesOf(
  db: Reader,
  zoneIds: readonly string[],
): Promise<ReadonlyMap<string, SecondaryState>> {
  if (zoneIds.length === 0) return new Map()
  const rows = query.selectFrom('followed_zones').where('zone_id', 'in', zoneIds)
  const stored = new Set((await db.all(rows.select('zone_id'))).map((row) => row.zone_id))
  const never = zoneIds.filter((id) => !stored.has(id)).map(withoutPrimary)
  const read = await secondaryZones.readable(db, rows.selectAll(), (state) => {
    authorityOf(state) // its SOA can be read, too
    return state
  })
  return new Map([...never, ...read].map((state) => [state.zoneId, state]))
}

export const saveSecondary = (tx: Transaction, secondary: SecondaryState): Promise<void> =>
  secondaryZones.save(tx, secondary)

/** The SOA and expiry that the zone is answered with; undefined before the first transfer. */
export async function findAuthority(db: Reader, zoneId: string): Promise<SecondaryAuthority | undefined> {
  return authorityOf(await findSecondary(db, zoneId))
}

/** The same for all zones. @returns a lookup by zone. @throws DomainError: storage.unreadable_row, from the lookup */
export async function allAuthorities(
  db: Reader,
): Promise<(zoneId: string) => SecondaryAuthority | undefined> {
  const rows = await db.all(query.selectFrom('followed_zones').selectAll())
  const byZone = new Map(rows.map((row) => [row.zone_id, row]))
  return (zoneId) => {
    const row = byZone.get(zoneId)
    return row && secondaryZones.read(db, row, authorityOf)
  }
}

/** When each secondary zone expires that has been transferred and can be read, by zone. */
export async function allExpiries(db: Reader): Promise<ReadonlyMap<string, number>> {
  const rows = query
    .selectFrom('followed_zones')
    .innerJoin('zones', 'zones.id', 'followed_zones.zone_id')
    .selectAll('followed_zones')
    .where('zones.type', '=', 'secondary')
  const zones = await secondaryZones.readable(db, rows)
  const expiries = new Map<string, number>()
  for (const zone of zones) {
    const authority = authorityOf(zone)
    if (authority !== undefined) expiries.set(zone.zoneId, authority.expiresAtMillis)
  }
  return expiries
}

export function authorityOf(
  secondary: Pick<SecondaryState, 'soa' | 'soaTtlSeconds' | 'refreshedAtMillis'>,
): SecondaryAuthority | undefined {
  const { soa: rdata, soaTtlSeconds, refreshedAtMillis } = secondary
  if (rdata === null || soaTtlSeconds === null || refreshedAtMillis === null) return undefined
  const soa = decodeRdata('SOA', rdata)
  return {
    soa,
    soaTtlSeconds,
    expiresAtMillis: refreshedAtMillis + refreshTimesOf(soa).expireSeconds * 1_000,
  }
}
