// DHCID: the DHCP client that owns a name.

import { defineRecordType } from './define.ts'
import { base64Rest } from './octet-fields.ts'

/** Identity of a DHCP client (RFC 4701 §3). */
export interface Dhcid {
  /** Identifier type, digest type and digest; only the DHCP servers that created them read them. */
  readonly identity: Uint8Array
}

export const dhcid = defineRecordType<Dhcid>({
  type: 'DHCID',
  code: 49,
  refs: ['RFC 4701 §3'],
  fields: { identity: base64Rest },
})
