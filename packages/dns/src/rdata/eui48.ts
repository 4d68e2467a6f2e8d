// EUI48: a hardware address of 48 bits.

import { defineRecordType } from './define.ts'
import { hyphenatedOctets } from './octet-fields.ts'

/** A hardware address (RFC 7043 §3). */
export interface Eui48 {
  /** 6 octets. */
  readonly address: Uint8Array
}

export const eui48 = defineRecordType<Eui48>({
  type: 'EUI48',
  code: 108,
  refs: ['RFC 7043 §3'],
  fields: { address: hyphenatedOctets(6) },
})
