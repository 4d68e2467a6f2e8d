// For tests: signing settings for a zone with any keys.
import { createHash } from 'node:crypto'
import { dnskeyOf, encodeRdata, type SigningKey } from '@zonereeve/dns'
import type { ZoneSigning } from './zone-signing.ts'

/** The first key is the one that the parent's DS refers to. */
export function signingWith(keys: readonly SigningKey[], given: Partial<ZoneSigning> = {}): ZoneSigning {
  return {
    keys,
    unpublished: [],
    dnskeys: keys.map((key) => encodeRdata('DNSKEY', dnskeyOf(key))),
    cds: [Uint8Array.of(0, 1, 13, 2, 1)],
    cdnskeys: keys.slice(0, 1).map((key) => encodeRdata('CDNSKEY', dnskeyOf(key))),
    multiSigner: false,
    denial: 'nsec',
    sha1: (octets) => createHash('sha1').update(octets).digest(),
    now: () => 0,
    random: () => 0.5,
    ...given,
  }
}

/** The same key as a thread would open it. */
export const KEY = { flags: 257, algorithm: 13, publicKey: new Uint8Array(64), keyTag: 1, sign: sumOf }

/** No signature, but it depends on all octets. */
function sumOf(octets: Uint8Array): Uint8Array {
  const sum = new Uint8Array(64)
  for (const [i, octet] of octets.entries()) sum[i % 64] = ((sum[i % 64] ?? 0) * 31 + octet) & 255 // undefined only beyond 64
  return sum
}
