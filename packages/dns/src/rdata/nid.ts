// NID: a node identifier (ILNP).

import { defineRecordType } from './define.ts'
import { u16 } from './fields.ts'
import { groups64 } from './octet-fields.ts'

/** 64 bits of an address, and their preference (RFC 6742 §2.1). */
export interface Nid {
  /** Lower is preferred. */
  readonly preference: number
  /** Eight octets. */
  readonly nodeId: Uint8Array
}

export const nid = defineRecordType<Nid>({
  type: 'NID',
  code: 104,
  refs: ['RFC 6742 §2.1'],
  fields: { preference: u16, nodeId: groups64 },
})
