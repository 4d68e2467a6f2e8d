// TALINK: the neighbors of a trust anchor in its history.

import type { Name } from '../name.ts'
import { defineRecordType } from './define.ts'
import { domainName } from './fields.ts'
import { noAddress } from './host-rules.ts'

/** Links of a list (IANA "DNS Parameters"; draft-ietf-dnsop-dnssec-trust-history). */
export interface Talink {
  /** Name of the one before; the root for none. */
  readonly previous: Name
  /** Name of the one after; the root for none. */
  readonly next: Name
}

export const talink = defineRecordType<Talink>({
  type: 'TALINK',
  code: 58,
  refs: ['draft-ietf-dnsop-dnssec-trust-history §3'],
  fields: { previous: domainName(), next: domainName() },
  rules: [
    noAddress('talink.previous-address', 'previous', 'RFC 1034 §3.1'),
    noAddress('talink.next-address', 'next', 'RFC 1034 §3.1'),
  ],
})
