// What a signed zone is served with: its keys, and what stands at its apex of them.
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
import { entryPoint, isInKeySet, type KeyRole } from './dnssec.rules.ts'
import type { StoredDnssec, StoredKey } from './dnssec.store.ts'
import type { KeyVault } from './key-vault.ts'
import { signingKey } from './signing-keys.ts'

export interface ZoneKeys {
  /** Those of the DNSKEY records. All of them sign. */
  readonly keys: readonly SigningKey[]
  /** Those of an algorithm that comes or goes: they sign all but the DNSKEY records, among which they are not. */
  readonly unpublished: readonly SigningKey[]
  /** Rdata of what stands at the apex. */
  readonly dnskeys: readonly Uint8Array[]
  readonly cds: readonly Uint8Array[]
  readonly cdnskeys: readonly Uint8Array[]
  readonly multiSigner: boolean
  readonly denial: 'nsec' | 'nsec3'
}

const flagsOf = (role: KeyRole): number => (role === 'ksk' ? KEY_FLAGS.entryPoint : KEY_FLAGS.zone)

export const dnskeyOfStored = ({ role, algorithm, publicKey }: Omit<StoredKey, 'secret'>) =>
  dnskeyOf({ flags: flagsOf(role), algorithm, publicKey })

/** The DS that a parent is to have for a key. */
export function dsOfStored(zone: Name, key: Omit<StoredKey, 'secret'>): Ds {
  const sha256 = (octets: Uint8Array): Uint8Array => createHash('sha256').update(octets).digest()
  return dsOf(zone, dnskeyOfStored(key), DIGEST_SHA256, sha256)
}

/** What keys are sealed with. */
export const belongsTo = (zoneId: string, keyId: string): string => `${zoneId}/${keyId}`

/** Undefined for a zone that is not signed. @throws KeyVaultError */
export function zoneKeysOf(
  zone: { readonly id: string; readonly name: Name },
  dnssec: StoredDnssec | undefined,
  vault: KeyVault,
): ZoneKeys | undefined {
  if (dnssec === undefined || dnssec.status === 'disabled') return undefined
  const { status, keys, multiSigner, useNsec3 } = dnssec
  const wanted = status === 'pending-disabled' ? undefined : entryPoint(keys)
  const cds = wanted === undefined ? CDS_DELETE : dsOfStored(zone.name, wanted)
  const cdnskey = wanted === undefined ? CDNSKEY_DELETE : dnskeyOfStored(wanted)
  const published = keys.filter(isInKeySet)
  const opened = (key: StoredKey): SigningKey => {
    const secret = vault.open(key.secret, belongsTo(zone.id, key.id))
    return signingKey({ ...key, secret }, flagsOf(key.role))
  }
  return {
    keys: published.map(opened),
    unpublished: keys.filter((key) => !isInKeySet(key)).map(opened),
    dnskeys: published.map((key) => encodeRdata('DNSKEY', dnskeyOfStored(key))),
    cds: [encodeRdata('CDS', cds)],
    cdnskeys: [encodeRdata('CDNSKEY', cdnskey)],
    multiSigner,
    denial: useNsec3 ? 'nsec3' : 'nsec',
  }
}
