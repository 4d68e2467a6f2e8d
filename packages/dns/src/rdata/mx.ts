// MX: a mail server of a domain.

import type { Name } from '../name.ts'
import { defineRecordType } from './define.ts'
import { domainName, u16 } from './fields.ts'
import { isAddress, isNoHost } from './host-rules.ts'

/** A mail exchange (RFC 1035 §3.3.9, RFC 5321 §5.1). */
export interface Mx {
  /** Lower is tried first, 0..65535. */
  readonly preference: number
  /** Host name of the mail server; the root with preference 0 means that the domain accepts no mail (RFC 7505 §3). */
  readonly exchange: Name
}

/** That a null MX must be the only one (RFC 7505 §3) is a rule of the rrset, not of the record. */
export const mx = defineRecordType<Mx>({
  type: 'MX',
  code: 15,
  refs: ['RFC 1035 §3.3.9', 'RFC 7505'],
  fields: { preference: u16, exchange: domainName({ compress: true }) },
  rules: [
    {
      rule: 'mx.null-preference',
      field: 'preference',
      source: 'RFC 7505 §3',
      message: 'must be 0 when the exchange is the root (no mail accepted)',
      broken: (d) => d.exchange === '.' && d.preference !== 0,
    },
    {
      rule: 'mx.exchange-address',
      field: 'exchange',
      source: 'RFC 5321 §5.1',
      message: 'must be a host name, not an IP address',
      broken: (d) => isAddress(d.exchange),
    },
    {
      rule: 'mx.exchange-host',
      field: 'exchange',
      source: 'RFC 5321 §2.3.5',
      message: 'must be a host name',
      broken: (d) => d.exchange !== '.' && isNoHost(d.exchange),
    },
  ],
})
