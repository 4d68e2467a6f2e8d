// NS: a name server of a zone.

import type { Name } from '../name.ts'
import { defineRecordType } from './define.ts'
import { domainName } from './fields.ts'
import { parseIpv6 } from '../address.ts'
import { isNoHost } from './host-rules.ts'

/** An authoritative name server (RFC 1035 §3.3.11). */
export interface Ns {
  /**
   * The server's host name; must have addresses and must not be an alias (RFC 2181 §10.3). `192.0.2.1.` is a valid,
   * if unusual, name.
   */
  readonly target: Name
}

/** Name server records: at the apex the zone's own servers, below it a delegation (RFC 1034 §4.2.1). */
export const ns = defineRecordType<Ns>({
  type: 'NS',
  code: 2,
  refs: ['RFC 1035 §3.3.11', 'RFC 2181 §10.3'],
  fields: { target: domainName({ compress: true }) },
  rules: [
    {
      rule: 'ns.target-address',
      field: 'target',
      source: 'RFC 1035 §3.3.11',
      message: 'must be a host name, not an IP address',
      broken: (d) => parseIpv6(d.target) !== undefined,
    },
    {
      rule: 'ns.target-host',
      field: 'target',
      source: 'RFC 1123 §2.1',
      message: 'must be a host name',
      broken: (d) => isNoHost(d.target),
    },
  ],
})
