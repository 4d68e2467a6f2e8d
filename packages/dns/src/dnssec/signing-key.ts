// Keys of a zone (RFC 4034 §2), as far as signing needs them. Cryptography is passed in by parameter, so that this
// package runs anywhere.

import { encodeRdata } from '../rdata.ts'
import type { Dnskey } from '../rdata/dnskey.ts'

/** Supported signing algorithms (RFC 6605, RFC 8080); RFC 8624 §3.1 requires both. */
export const SIGNING_ALGORITHM = { ECDSAP256SHA256: 13, ED25519: 15 } as const

/** Flags of a DNSKEY: a zone key, and one that is also the secure entry point (RFC 4034 §2.1.1). */
export const KEY_FLAGS = { zone: 256, entryPoint: 257 } as const

/** Protocol of every DNSKEY (RFC 4034 §2.1.2). */
export const DNSKEY_PROTOCOL = 3

/** A key that can sign. */
export interface SigningKey {
  /** 256 signs data; 257 signs the keys, and the parent's DS refers to it. */
  readonly flags: number
  readonly algorithm: number
  /** In the format of its algorithm (RFC 6605 §4, RFC 8080 §3). */
  readonly publicKey: Uint8Array
  readonly keyTag: number
  /**
   * The signature over the octets, in the format of its algorithm: 64 octets for both. The octets are valid only during the
   * call, because their array is used again.
   */
  sign(octets: Uint8Array): Uint8Array
}

/** The DNSKEY of a key. */
export function dnskeyOf({
  flags,
  algorithm,
  publicKey,
}: Pick<SigningKey, 'flags' | 'algorithm' | 'publicKey'>): Dnskey {
  return { flags, protocol: DNSKEY_PROTOCOL, algorithm, publicKey }
}

/** The tag of a key, 0..65535 (RFC 4034 Appendix B; the older method of algorithm 1 is not implemented). */
export function keyTag(dnskey: Dnskey): number {
  const rdata = encodeRdata('DNSKEY', dnskey)
  let sum = 0
  for (const [at, octet] of rdata.entries()) sum += at % 2 === 0 ? octet << 8 : octet
  return (sum + (sum >>> 16)) & 0xffff
}
