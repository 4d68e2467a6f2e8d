// L64: a locator of 64 bits (ILNP).

import { defineRecordType } from './define.ts'
import { u16 } from './fields.ts'
import { groups64 } from './octet-fields.ts'

/** 64 bits of an address, and their preference (RFC 6742 §2.3). */
export interface L64 {
  /** Lower is preferred. */
  readonly preference: number
  /** Eight octets: an IPv6 prefix. */
  readonly locator: Uint8Array
}

export const l64 = defineRecordType<L64>({
  type: 'L64',
  code: 106,
  refs: ['RFC 6742 §2.3'],
  fields: { preference: u16, locator: groups64 },
})
