// DS records: the digest of a key that its zone's parent publishes (RFC 4034 §5, RFC 4509).

import { nameToWire } from '../name.ts'
import type { Name } from '../name.ts'
import { encodeRdata } from '../rdata.ts'
import type { Dnskey } from '../rdata/dnskey.ts'
import type { Ds } from '../rdata/ds.ts'
import { concatOctets } from './octet-strings.ts'
import { keyTag } from './signing-key.ts'

/** SHA-256, the digest that every validator supports (RFC 8624 §3.3). */
export const DIGEST_SHA256 = 2

/** A hash function. */
export type Hash = (octets: Uint8Array) => Uint8Array

/** The DS of a zone's key. `hash` must match `digestType` (RFC 4034 §5.1.4). */
export function dsOf(zone: Name, dnskey: Dnskey, digestType: number, hash: Hash): Ds {
  const digest = hash(concatOctets([nameToWire(zone), encodeRdata('DNSKEY', dnskey)]))
  return { keyTag: keyTag(dnskey), algorithm: dnskey.algorithm, digestType, digest }
}

/** The CDS that asks the parent to remove its DS (RFC 8078 §4). */
export const CDS_DELETE: Ds = { keyTag: 0, algorithm: 0, digestType: 0, digest: Uint8Array.of(0) }

/** The same for CDNSKEY. */
export const CDNSKEY_DELETE: Dnskey = { flags: 0, protocol: 3, algorithm: 0, publicKey: Uint8Array.of(0) }
