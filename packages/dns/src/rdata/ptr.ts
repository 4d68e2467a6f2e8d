// PTR: a pointer to another name, mostly from an address to its host.

import type { Name } from '../name.ts'
import { defineRecordType } from './define.ts'
import { domainName } from './fields.ts'
import { isAddress, isNoAliasTarget, isServiceInstance } from './host-rules.ts'

/** A pointer (RFC 1035 §3.3.12). */
export interface Ptr {
  /** A host, a name with underscores, or an instance of a service, which may have spaces (RFC 6763 §4.1). */
  readonly target: Name
}

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
    {
      rule: 'ptr.target-host',
      field: 'target',
      source: 'RFC 1123 §2.1',
      message: 'must be a host name or an instance of a service; no URL, no port, no path',
      broken: (d) => d.target !== '.' && isNoAliasTarget(d.target) && !isServiceInstance(d.target),
    },
  ],
})
