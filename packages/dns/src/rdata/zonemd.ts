// ZONEMD: the digest of a zone.

import { defineRecordType } from './define.ts'
import { u32, u8 } from './fields.ts'
import { hexRest } from './octet-fields.ts'

/** A digest over the zone with this serial (RFC 8976 §2.2). */
export interface Zonemd {
  readonly serial: number
  /** 1 = simple. */
  readonly scheme: number
  /** 1 SHA-384, 2 SHA-512. */
  readonly hashAlgorithm: number
  readonly digest: Uint8Array
}

/** Shortest digest of any algorithm (RFC 8976 §2.2.4). */
const MIN_DIGEST_OCTETS = 12

export const zonemd = defineRecordType<Zonemd>({
  type: 'ZONEMD',
  code: 63,
  refs: ['RFC 8976 §2'],
  fields: { serial: u32, scheme: u8, hashAlgorithm: u8, digest: hexRest({ upper: true }) },
  rules: [
    {
      rule: 'zonemd.digest-length',
      field: 'digest',
      source: 'RFC 8976 §2.2.4',
      message: 'must have 48 octets for SHA-384, 64 for SHA-512, and at least 12 for any algorithm',
      broken: ({ hashAlgorithm, digest }) => {
        const octets = [undefined, 48, 64][hashAlgorithm]
        return octets === undefined ? digest.length < MIN_DIGEST_OCTETS : digest.length !== octets
      },
    },
  ],
})
