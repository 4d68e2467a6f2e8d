// ISDN: a telephone number for data.

import { defineRecordType } from './define.ts'
import { characterString, optionalString } from './fields.ts'

/** An ISDN address (RFC 1183 §3.2). Both are octets, one code unit 0..255 each, at most 255. */
export interface Isdn {
  readonly address: string
  /** Absent is not the same as empty. */
  readonly subaddress: string | undefined
}

export const isdn = defineRecordType<Isdn>({
  type: 'ISDN',
  code: 20,
  refs: ['RFC 1183 §3.2'],
  fields: { address: characterString({ quoted: true }), subaddress: optionalString },
})
