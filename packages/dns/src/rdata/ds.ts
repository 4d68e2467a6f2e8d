// DS: the digest of a child zone's key, published by its parent.

import { defineRecordType } from './define.ts'
import { u16, u8 } from './fields.ts'
import { ALGORITHMS, withMnemonics } from './mnemonics.ts'
import { hexRest } from './octet-fields.ts'

/** A delegation signer (RFC 4034 §5.1). */
export interface Ds {
  /** Key tag of the DNSKEY (RFC 4034 Appendix B). */
  readonly keyTag: number
  /** Algorithm of the DNSKEY, 1..255. */
  readonly algorithm: number
  readonly digestType: number
  /** Its length depends on its type, for the types known here. */
  readonly digest: Uint8Array
}

/** Fields of DS and of CDS, which share a format (RFC 7344 §3.1). */
export const dsFields = {
  keyTag: u16,
  algorithm: withMnemonics(u8, ALGORITHMS),
  digestType: u8,
  digest: hexRest({ upper: true }),
} as const

/** Unknown algorithms and digest types are allowed: new ones are registered over time. */
export const ds = defineRecordType<Ds>({
  type: 'DS',
  code: 43,
  refs: ['RFC 4034 §5', 'RFC 4509', 'RFC 6605 §2', 'RFC 9558', 'RFC 9563'],
  fields: dsFields,
  rules: [
    {
      rule: 'ds.algorithm-reserved',
      field: 'algorithm',
      source: 'RFC 8078 §4',
      message: 'must not be 0, which is only valid in CDS',
      broken: (d) => d.algorithm === 0,
    },
    {
      rule: 'ds.digest-type-reserved',
      field: 'digestType',
      source: 'RFC 3658 §2.4',
      message: 'must not be 0, which is reserved',
      broken: (d) => d.digestType === 0,
    },
    {
      rule: 'ds.digest-length',
      field: 'digest',
      source: 'RFC 4034 §5.1.4',
      message: 'must have 20 octets for type 1, 48 for type 4, 32 for types 2, 3, 5 and 6',
      broken: hasWrongDigestLength,
    },
  ],
})

/** Octets of a digest by its type: SHA-1, SHA-256, GOST R 34.11-94, SHA-384, GOST R 34.11-2012, SM3. */
export function hasWrongDigestLength({ digestType, digest }: Ds): boolean {
  const octets = [undefined, 20, 32, 32, 48, 32, 32][digestType]
  return octets !== undefined && digest.length !== octets
}
