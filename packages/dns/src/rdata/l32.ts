// L32: a locator of 32 bits (ILNP).

import { formatIpv4, parseIpv4 } from '../address.ts'
import { defineRecordType } from './define.ts'
import { address, u16 } from './fields.ts'

/** 32 bits of an address, and their preference (RFC 6742 §2.2). */
export interface L32 {
  /** Lower is preferred. */
  readonly preference: number
  /** An IPv4 prefix, as a dotted quad. */
  readonly locator: string
}

export const l32 = defineRecordType<L32>({
  type: 'L32',
  code: 105,
  refs: ['RFC 6742 §2.2'],
  fields: { preference: u16, locator: address(4, parseIpv4, formatIpv4) },
})
