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
import { entryPoint, type KeyRole } from './dnssec.rules.ts'
import type { StoredDnssec, StoredKey } from './dnssec.store.ts'
import type { KeyVault } from './key-vault.ts'
import { signingKey } from './signing-keys.ts'

export interface ZoneKeys {
  /** All of them sign. */
  readonly keys: readonly SigningKey[]
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
  return {
    keys: keys.map((key) => {
      const secret = vault.open(key.secret, belongsTo(zone.id, key.id))
      return signingKey({ ...key, secret }, flagsOf(key.role))
    }),
    dnskeys: keys.map((key) => encodeRdata('DNSKEY', dnskeyOfStored(key))),
    cds: [encodeRdata('CDS', cds)],
    cdnskeys: [encodeRdata('CDNSKEY', cdnskey)],
    multiSigner,
    denial: useNsec3 ? 'nsec3' : 'nsec',
  }
}
