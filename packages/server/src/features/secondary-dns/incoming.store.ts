// Rows of zones that follow a primary elsewhere.
import { decodeRdata } from '@zonereeve/dns'
import { query, type Database, type Reader, type Transaction } from '../../storage/index.ts'
import type { FollowedAuthority } from '../zones/index.ts'
import { refreshTimesOf } from './refresh-times.rules.ts'

/** Whom a zone follows. */
export interface Incoming {
  readonly zoneId: string
  /** In the order in which they are asked. */
  readonly peerIds: readonly string[]
  readonly autoRefreshSeconds: number
  readonly createdOn: string
  readonly modifiedOn: string
}

/** What a zone was last told. */
export interface Followed {
  readonly zoneId: string
  /** Rdata of the primary's SOA; null before the first transfer. */
  readonly soa: Uint8Array | null
  readonly soaTtlSeconds: number | null
  readonly checkedOn: string | null
  readonly refreshedAtMillis: number | null
  readonly transferredOn: string | null
  readonly primarySerial: number | null
  readonly problem: string | null
}

export const unfollowed = (zoneId: string): Followed => ({
  zoneId,
  soa: null,
  soaTtlSeconds: null,
  checkedOn: null,
  refreshedAtMillis: null,
  transferredOn: null,
  primarySerial: null,
  problem: null,
})

export async function findIncoming(db: Reader, zoneId: string): Promise<Incoming | undefined> {
  const row = await db.first(query.selectFrom('incoming_transfers').selectAll().where('zone_id', '=', zoneId))
  return row && fromIncomingRow(row)
}

/** Of an account. */
export async function allIncoming(db: Reader, accountId: string): Promise<Incoming[]> {
  const rows = query
    .selectFrom('incoming_transfers')
    .innerJoin('zones', 'zones.id', 'incoming_transfers.zone_id')
    .selectAll('incoming_transfers')
    .where('zones.account_id', '=', accountId)
    .orderBy('zones.name')
  return (await db.all(rows)).map(fromIncomingRow)
}

export async function saveIncoming(tx: Transaction, incoming: Incoming): Promise<void> {
  const columns = {
    peers: JSON.stringify(incoming.peerIds),
    auto_refresh_seconds: incoming.autoRefreshSeconds,
    created_on: incoming.createdOn,
    modified_on: incoming.modifiedOn,
  }
  await tx.run(
    query
      .insertInto('incoming_transfers')
      .values({ zone_id: incoming.zoneId, ...columns })
      .onConflict((conflict) => conflict.column('zone_id').doUpdateSet(columns)),
  )
}

export async function deleteIncoming(tx: Transaction, zoneId: string): Promise<void> {
  await tx.run(query.deleteFrom('incoming_transfers').where('zone_id', '=', zoneId))
}

export async function findFollowed(db: Reader, zoneId: string): Promise<Followed> {
  const row = await db.first(query.selectFrom('followed_zones').selectAll().where('zone_id', '=', zoneId))
  return row === undefined ? unfollowed(zoneId) : fromFollowedRow(row)
}

export async function saveFollowed(tx: Transaction, followed: Followed): Promise<void> {
  const columns = {
    soa: followed.soa,
    soa_ttl: followed.soaTtlSeconds,
    checked_on: followed.checkedOn,
    refreshed_at: followed.refreshedAtMillis,
    transferred_on: followed.transferredOn,
    primary_serial: followed.primarySerial,
    problem: followed.problem,
  }
  await tx.run(
    query
      .insertInto('followed_zones')
      .values({ zone_id: followed.zoneId, ...columns })
      .onConflict((conflict) => conflict.column('zone_id').doUpdateSet(columns)),
  )
}

/** What the zone is to be answered with; undefined before the first transfer. */
export async function findAuthority(db: Reader, zoneId: string): Promise<FollowedAuthority | undefined> {
  return authorityOf(await findFollowed(db, zoneId))
}

/** The same for all zones, by their ids. */
export async function allAuthorities(db: Reader): Promise<ReadonlyMap<string, FollowedAuthority>> {
  const rows = await db.all(query.selectFrom('followed_zones').selectAll())
  return new Map(
    rows.flatMap((row) => {
      const authority = authorityOf(fromFollowedRow(row))
      return authority === undefined ? [] : [[row.zone_id, authority] as const]
    }),
  )
}

export function authorityOf(followed: Followed): FollowedAuthority | undefined {
  const { soa: rdata, soaTtlSeconds, refreshedAtMillis } = followed
  if (rdata === null || soaTtlSeconds === null || refreshedAtMillis === null) return undefined
  const soa = decodeRdata('SOA', rdata)
  return {
    soa,
    soaTtlSeconds,
    expiresAtMillis: refreshedAtMillis + refreshTimesOf(soa).expireSeconds * 1_000,
  }
}

const fromIncomingRow = (row: Database['incoming_transfers']): Incoming => ({
  zoneId: row.zone_id,
  peerIds: JSON.parse(row.peers) as string[], // written by saveIncoming
  autoRefreshSeconds: row.auto_refresh_seconds,
  createdOn: row.created_on,
  modifiedOn: row.modified_on,
})

const fromFollowedRow = (row: Database['followed_zones']): Followed => ({
  zoneId: row.zone_id,
  soa: row.soa,
  soaTtlSeconds: row.soa_ttl,
  checkedOn: row.checked_on,
  refreshedAtMillis: row.refreshed_at,
  transferredOn: row.transferred_on,
  primarySerial: row.primary_serial,
  problem: row.problem,
})
