// X25: an address in a packet network.

import { defineRecordType } from './define.ts'
import { characterString } from './fields.ts'

/** An address of a public data network (RFC 1183 §3.1). */
export interface X25 {
  /** Digits of X.121, beginning with the four of the network. */
  readonly address: string
}

export const x25 = defineRecordType<X25>({
  type: 'X25',
  code: 19,
  refs: ['RFC 1183 §3.1'],
  fields: { address: characterString({ quoted: true }) },
  rules: [
    {
      rule: 'x25.address-digits',
      field: 'address',
      source: 'RFC 1183 §3.1',
      message: 'must be four or more digits',
      broken: (d) => !/^\d{4,}$/.test(d.address),
    },
  ],
})
