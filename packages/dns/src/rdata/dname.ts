// DNAME: another name for everything below a name.

import type { Name } from '../name.ts'
import { defineRecordType } from './define.ts'
import { domainName } from './fields.ts'
import { isAddress } from './host-rules.ts'

/** A redirection of a subtree (RFC 6672 §2.1). */
export interface Dname {
  readonly target: Name
}

/** The target must not be compressed (RFC 6672 §2.5). Which records may exist next to it is a rule of the zone. */
export const dname = defineRecordType<Dname>({
  type: 'DNAME',
  code: 39,
  refs: ['RFC 6672 §2'],
  fields: { target: domainName() },
  rules: [
    {
      rule: 'dname.target-address',
      field: 'target',
      source: 'RFC 6672 §2.1',
      message: 'must be a name, not an IP address',
      broken: (d) => isAddress(d.target),
    },
  ],
})
