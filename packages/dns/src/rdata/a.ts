// A: an IPv4 address.

import { formatIpv4, parseIpv4 } from '../address.ts'
import { defineRecordType } from './define.ts'
import { address } from './fields.ts'

/** An IPv4 host address (RFC 1035 §3.4.1). */
export interface A {
  /** Dotted quad without leading zeros. */
  readonly address: string
}

/** Any address is allowed, also private and loopback ones. */
export const a = defineRecordType<A>({
  type: 'A',
  code: 1,
  refs: ['RFC 1035 §3.4.1'],
  fields: { address: address(4, parseIpv4, formatIpv4) },
  fromWord: parseIpv4,
})
