// CNAME: the name is an alias of another one.

import type { Name } from '../name.ts'
import { defineRecordType } from './define.ts'
import { domainName } from './fields.ts'
import { isAddress, isNoAliasTarget } from './host-rules.ts'

/** An alias (RFC 1035 §3.3.1, RFC 2181 §10.1). */
export interface Cname {
  /** The canonical name: a host, or a name with underscores, as used for services and validations. */
  readonly target: Name
}

/** That a CNAME must be alone at its name (RFC 1034 §3.6.2) is a rule of the zone, not of the record. */
export const cname = defineRecordType<Cname>({
  type: 'CNAME',
  code: 5,
  refs: ['RFC 1035 §3.3.1', 'RFC 2181 §10.1'],
  fields: { target: domainName({ compress: true }) },
  rules: [
    {
      rule: 'cname.target-root',
      field: 'target',
      source: 'RFC 1034 §3.6.2',
      message: 'must be a name, not the root',
      broken: (d) => d.target === '.',
    },
    {
      rule: 'cname.target-address',
      field: 'target',
      source: 'RFC 1035 §3.3.1',
      message: 'must be a name, not an IP address',
      broken: (d) => isAddress(d.target),
    },
    {
      rule: 'cname.target-host',
      field: 'target',
      source: 'RFC 1123 §2.1',
      message: 'must be a host name, underscores allowed; no URL, no port, no path',
      broken: (d) => d.target !== '.' && isNoAliasTarget(d.target),
    },
  ],
})
