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
