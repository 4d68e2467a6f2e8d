// PTR: a pointer to another name, mostly from an address to its host.

import type { Name } from '../name.ts'
import { defineRecordType } from './define.ts'
import { domainName } from './fields.ts'
import { isAddress } from './host-rules.ts'

/** A pointer (RFC 1035 §3.3.12). */
export interface Ptr {
  /** Any name: service discovery points to names with spaces (RFC 6763 §4.1). */
  readonly target: Name
}

/** A target that is not a host name is fine outside the reverse zones, so it is no issue here. */
export const ptr = defineRecordType<Ptr>({
  type: 'PTR',
  code: 12,
  refs: ['RFC 1035 §3.3.12', 'RFC 2181 §10.2'],
  fields: { target: domainName({ compress: true }) },
  rules: [
    {
      rule: 'ptr.target-address',
      field: 'target',
      source: 'RFC 1035 §3.3.12',
      message: 'must be a name, not an IP address',
      broken: (d) => isAddress(d.target),
    },
  ],
})
