// DNSKEY: a public key of a zone.

import { defineRecordType } from './define.ts'
import { u16, u8 } from './fields.ts'
import { ALGORITHMS, withMnemonics } from './mnemonics.ts'
import { base64Rest } from './octet-fields.ts'

/** A public key (RFC 4034 §2.1). */
export interface Dnskey {
  /** 256 = zone key, 1 = secure entry point, 128 = revoked (RFC 5011 §7); the others are reserved. */
  readonly flags: number
  /** Always 3. */
  readonly protocol: number
  /** 1..255. */
  readonly algorithm: number
  /** Its format depends on the algorithm. */
  readonly publicKey: Uint8Array
}

/** Fields of DNSKEY and of CDNSKEY, which share a format (RFC 7344 §3.2). */
export const dnskeyFields = {
  flags: u16,
  protocol: u8,
  algorithm: withMnemonics(u8, ALGORITHMS),
  publicKey: base64Rest,
} as const

export const dnskey = defineRecordType<Dnskey>({
  type: 'DNSKEY',
  code: 48,
  refs: ['RFC 4034 §2', 'RFC 5011 §7', 'RFC 8624'],
  fields: dnskeyFields,
  rules: [
    {
      rule: 'dnskey.flags-reserved',
      field: 'flags',
      source: 'RFC 4034 §2.1.1',
      message: 'must be 0, 256 or 257, or with the revoked bit 384 or 385',
      broken: hasReservedFlags,
    },
    {
      rule: 'dnskey.protocol-value',
      field: 'protocol',
      source: 'RFC 4034 §2.1.2',
      message: 'must be 3',
      broken: (d) => d.protocol !== 3,
    },
    {
      rule: 'dnskey.algorithm-reserved',
      field: 'algorithm',
      source: 'RFC 8078 §4',
      message: 'must not be 0, which is only valid in CDNSKEY',
      broken: (d) => d.algorithm === 0,
    },
  ],
})

/** The entry-point and revoked flags are only valid for zone keys. */
export function hasReservedFlags({ flags }: Dnskey): boolean {
  return ![0, 256, 257, 384, 385].includes(flags)
}
