// The keys of a signed zone, and the records at its apex derived from them.
import { createHash } from 'node:crypto'
import {
  CDNSKEY_DELETE,
  CDS_DELETE,
  DIGEST_SHA256,
  dnskeyOf,
  dsOf,
  encodeRdata,
  KEY_FLAGS,
  type Ds,
  type Name,
  type SigningKey,
} from '@zonereeve/dns'
import { type FlaggedKey, type KeyVault, openKeys, type SealedKeys } from '@zonereeve/platform'
import { entryPoint, isInKeySet, type KeyRole } from './dnssec.rules.ts'
import type { StoredDnssec, StoredKey } from './dnssec.store.ts'

export interface ZoneKeys {
  /** The keys of the DNSKEY records. All of them sign. */
  readonly keys: readonly SigningKey[]
  /**
   * Keys of an algorithm that is being added or removed: they sign all but the DNSKEY records, which do not contain
   * them.
   */
  readonly unpublished: readonly SigningKey[]
  /** RDATA of the records at the apex. */
  readonly dnskeys: readonly Uint8Array[]
  readonly cds: readonly Uint8Array[]
  readonly cdnskeys: readonly Uint8Array[]
  readonly multiSigner: boolean
  readonly denial: 'nsec' | 'nsec3'
  /** For other threads. */
  readonly sealed: SealedKeys
}

const flagsOf = (role: KeyRole): number => (role === 'ksk' ? KEY_FLAGS.entryPoint : KEY_FLAGS.zone)

export const dnskeyOfStored = ({ role, algorithm, publicKey }: Omit<StoredKey, 'secret'>) =>
  dnskeyOf({ flags: flagsOf(role), algorithm, publicKey })

/** The DS for the parent that refers to a key. */
export function dsOfStored(zone: Name, key: Omit<StoredKey, 'secret'>): Ds {
  const sha256 = (octets: Uint8Array): Uint8Array => createHash('sha256').update(octets).digest()
  return dsOf(zone, dnskeyOfStored(key), DIGEST_SHA256, sha256)
}

/** The context that a key is sealed with. */
export const belongsTo = (zoneId: string, keyId: string): string => `${zoneId}/${keyId}`

/** Undefined for an unsigned zone. @throws KeyVaultError */
export function zoneKeysOf(
  zone: { readonly id: string; readonly name: Name },
  dnssec: StoredDnssec | undefined,
  vault: KeyVault,
): ZoneKeys | undefined {
  if (dnssec === undefined || dnssec.status === 'disabled') return undefined
  const { status, keys, multiSigner, useNsec3 } = dnssec
  const desired = status === 'pending-disabled' ? undefined : entryPoint(keys)
  const cds = desired === undefined ? CDS_DELETE : dsOfStored(zone.name, desired)
  const cdnskey = desired === undefined ? CDNSKEY_DELETE : dnskeyOfStored(desired)
  const published = keys.filter(isInKeySet)
  const openKey = ({ id, algorithm, publicKey, secret: stored, role }: StoredKey): FlaggedKey => {
    const secret = vault.open(stored, belongsTo(zone.id, id))
    return { algorithm, publicKey, secret, flags: flagsOf(role) }
  }
  return openKeys({
    keys: published.map(openKey),
    unpublished: keys.filter((key) => !isInKeySet(key)).map(openKey),
    dnskeys: published.map((key) => encodeRdata('DNSKEY', dnskeyOfStored(key))),
    cds: [encodeRdata('CDS', cds)],
    cdnskeys: [encodeRdata('CDNSKEY', cdnskey)],
    multiSigner,
    denial: useNsec3 ? 'nsec3' : 'nsec',
  })
}
