// Rows of signed zones and their keys. There are none for a zone that never was signed.
import { query, type Database, type Reader, type Transaction } from '../../storage/index.ts'
import type { SigningState, ZoneKey } from './dnssec.rules.ts'

/** A key with its halves; `secret` as the key vault keeps it. */
export interface StoredKey extends ZoneKey {
  readonly publicKey: Uint8Array
  readonly secret: Uint8Array
}

export interface StoredDnssec extends SigningState<StoredKey> {
  readonly multiSigner: boolean
  readonly useNsec3: boolean
  readonly modifiedOn: string
}

export async function findDnssec(db: Reader, zoneId: string): Promise<StoredDnssec | undefined> {
  const row = await db.first(query.selectFrom('zone_dnssec').selectAll().where('zone_id', '=', zoneId))
  if (row === undefined) return undefined
  const keys = await db.all(
    query.selectFrom('dnssec_keys').selectAll().where('zone_id', '=', zoneId).orderBy('id'),
  )
  return fromRows(row, keys)
}

/** Of all zones that have any, by zone. */
export async function allDnssec(db: Reader): Promise<ReadonlyMap<string, StoredDnssec>> {
  const keys = new Map<string, Database['dnssec_keys'][]>()
  await db.each(query.selectFrom('dnssec_keys').selectAll().orderBy('id'), (row) => {
    const own = keys.get(row.zone_id)
    if (own === undefined) keys.set(row.zone_id, [row])
    else own.push(row)
  })
  const found = new Map<string, StoredDnssec>()
  await db.each(query.selectFrom('zone_dnssec').selectAll(), (row) => {
    found.set(row.zone_id, fromRows(row, keys.get(row.zone_id) ?? []))
  })
  return found
}

/** Stores all of it in place of what was. */
export async function saveDnssec(tx: Transaction, zoneId: string, saved: StoredDnssec): Promise<void> {
  await deleteDnssec(tx, zoneId)
  await tx.run(
    query.insertInto('zone_dnssec').values({
      zone_id: zoneId,
      status: saved.status,
      multi_signer: saved.multiSigner ? 1 : 0,
      use_nsec3: saved.useNsec3 ? 1 : 0,
      ds_gone_millis: saved.dsGoneMillis,
      ds_ttl_seconds: saved.dsTtlSeconds,
      modified_on: saved.modifiedOn,
    }),
  )
  for (const key of saved.keys) {
    await tx.run(
      query.insertInto('dnssec_keys').values({
        id: key.id,
        zone_id: zoneId,
        role: key.role,
        state: key.state,
        since_millis: key.sinceMillis,
        algorithm: key.algorithm,
        public_key: key.publicKey,
        secret: key.secret,
      }),
    )
  }
}

export async function deleteDnssec(tx: Transaction, zoneId: string): Promise<void> {
  await tx.run(query.deleteFrom('dnssec_keys').where('zone_id', '=', zoneId))
  await tx.run(query.deleteFrom('zone_dnssec').where('zone_id', '=', zoneId))
}

function fromRows(row: Database['zone_dnssec'], keys: readonly Database['dnssec_keys'][]): StoredDnssec {
  return {
    status: row.status,
    multiSigner: row.multi_signer === 1,
    useNsec3: row.use_nsec3 === 1,
    dsGoneMillis: row.ds_gone_millis,
    dsTtlSeconds: row.ds_ttl_seconds,
    modifiedOn: row.modified_on,
    keys: keys.map((key) => ({
      id: key.id,
      role: key.role,
      state: key.state,
      sinceMillis: key.since_millis,
      algorithm: key.algorithm,
      publicKey: key.public_key,
      secret: key.secret,
    })),
  }
}
