// AAAA: an IPv6 address.

import { formatIpv6, parseIpv6 } from '../address.ts'
import { defineRecordType } from './define.ts'
import { address } from './fields.ts'

/** An IPv6 host address (RFC 3596 §2). */
export interface Aaaa {
  /** Any form of RFC 4291 §2.2; values that were read or parsed here have the form of RFC 5952. */
  readonly address: string
}

/** IPv4-mapped addresses are allowed and printed in mixed notation (RFC 5952 §5). */
export const aaaa = defineRecordType<Aaaa>({
  type: 'AAAA',
  code: 28,
  refs: ['RFC 3596 §2', 'RFC 5952'],
  fields: { address: address(16, parseIpv6, formatIpv6) },
  fromWord: parseIpv6,
})
