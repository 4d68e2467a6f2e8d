// KEY: a public key of a name, for SIG(0) and the predecessor of DNSKEY.

import { defineRecordType } from './define.ts'
import { u16, u8 } from './fields.ts'
import { ALGORITHMS, withMnemonics } from './mnemonics.ts'
import { optionalBase64Rest } from './octet-fields.ts'

/** A public key (RFC 2535 §3.1, RFC 3445 §3). */
export interface Key {
  readonly flags: number
  readonly protocol: number
  readonly algorithm: number
  /** Empty if the flags say that there is no key. */
  readonly publicKey: Uint8Array
}

/** Both bits of the flags set: there is no key (RFC 2535 §3.1.2). */
const NO_KEY = 0xc000

export const key = defineRecordType<Key>({
  type: 'KEY',
  code: 25,
  refs: ['RFC 2535 §3.1', 'RFC 3445 §3'],
  fields: {
    flags: u16,
    protocol: u8,
    algorithm: withMnemonics(u8, ALGORITHMS),
    publicKey: optionalBase64Rest,
  },
  rules: [
    {
      rule: 'key.no-key',
      field: 'publicKey',
      source: 'RFC 2535 §3.1.2',
      message: 'is required, unless the upper two bits of the flags are set',
      broken: (d) => ((d.flags & NO_KEY) === NO_KEY) !== (d.publicKey.length === 0),
    },
  ],
})
