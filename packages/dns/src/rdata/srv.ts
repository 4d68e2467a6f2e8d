// SRV: the location of a service.

import type { Name } from '../name.ts'
import { defineRecordType } from './define.ts'
import { domainName, u16 } from './fields.ts'
import { isAddress, isNoHost } from './host-rules.ts'

/** A service location (RFC 2782). */
export interface Srv {
  /** Lower is tried first, 0..65535. */
  readonly priority: number
  /** Share among equal priorities, 0..65535. */
  readonly weight: number
  readonly port: number
  /** Host name, not an alias; the root means that the service is not available. */
  readonly target: Name
}

/** The target must not be compressed (RFC 2782, "Target"). */
export const srv = defineRecordType<Srv>({
  type: 'SRV',
  code: 33,
  refs: ['RFC 2782'],
  fields: { priority: u16, weight: u16, port: u16, target: domainName() },
  rules: [
    {
      rule: 'srv.target-address',
      field: 'target',
      source: 'RFC 2782',
      message: 'must be a host name, not an IP address',
      broken: (d) => isAddress(d.target),
    },
    {
      rule: 'srv.target-host',
      field: 'target',
      source: 'RFC 2782',
      message: 'must be a host name, or the root for a service that is not available',
      broken: (d) => d.target !== '.' && isNoHost(d.target),
    },
  ],
})
