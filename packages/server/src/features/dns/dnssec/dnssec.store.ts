// Rows of signed zones and their keys. A zone that was never signed has none.
import { query, type Reader, tables, type Transaction } from '@zonereeve/storage'
import type { SigningState, ZoneKey } from './dnssec.rules.ts'

/** A key pair; `secret` as stored by the key vault. */
export interface StoredKey extends ZoneKey {
  readonly publicKey: Uint8Array
  readonly secret: Uint8Array
}

export interface StoredDnssec extends SigningState<StoredKey> {
  readonly multiSigner: boolean
  readonly useNsec3: boolean
  /** The primary of the zone is to sign it. */
  readonly presigned: boolean
  readonly modifiedOn: string
}

const signedZones = tables.zone_dnssec.beside('zone_id').of<Omit<StoredDnssec, 'keys'>>()
const zoneKeys = tables.dnssec_keys.beside('zone_id').of<StoredKey>()

export async function findDnssec(db: Reader, zoneId: string): Promise<StoredDnssec | undefined> {
  const zone = await signedZones.find(db, { zoneId })
  if (zone === undefined) return undefined
  const keys = query.selectFrom('dnssec_keys').selectAll().where('zone_id', '=', zoneId).orderBy('id')
  return { ...zone, keys: await zoneKeys.all(db, keys) }
}

/** By zone, for all zones that have any. */
export async function allDnssec(db: Reader): Promise<ReadonlyMap<string, StoredDnssec>> {
  const keys = new Map<string, StoredKey[]>()
  await db.each(query.selectFrom('dnssec_keys').selectAll().orderBy('id'), (row) => {
    const own = keys.get(row.zone_id)
    if (own === undefined) keys.set(row.zone_id, [zoneKeys.read(db, row)])
    else own.push(zoneKeys.read(db, row))
  })
  const found = new Map<string, StoredDnssec>()
  await db.each(query.selectFrom('zone_dnssec').selectAll(), (row) => {
    const own = keys.get(row.zone_id) ?? [] // keys deleted, and the zone is not signed
    found.set(row.zone_id, { ...signedZones.read(db, row), keys: own })
  })
  return found
}

/** Replaces the stored state. */
export async function saveDnssec(tx: Transaction, zoneId: string, saved: StoredDnssec): Promise<void> {
  await deleteDnssec(tx, zoneId)
  await signedZones.insert(tx, { ...saved, zoneId })
  for (const key of saved.keys) await zoneKeys.insert(tx, { ...key, zoneId })
}

export async function deleteDnssec(tx: Transaction, zoneId: string): Promise<void> {
  await zoneKeys.remove(tx, { zoneId })
  await signedZones.remove(tx, { zoneId })
}
