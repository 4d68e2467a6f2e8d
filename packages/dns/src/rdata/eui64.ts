// EUI64: a hardware address of 64 bits.

import { defineRecordType } from './define.ts'
import { hyphenatedOctets } from './octet-fields.ts'

/** A hardware address (RFC 7043 §4). */
export interface Eui64 {
  /** 8 octets. */
  readonly address: Uint8Array
}

export const eui64 = defineRecordType<Eui64>({
  type: 'EUI64',
  code: 109,
  refs: ['RFC 7043 §4'],
  fields: { address: hyphenatedOctets(8) },
})
