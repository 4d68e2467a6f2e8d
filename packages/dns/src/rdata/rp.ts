// RP: the person responsible for a name.

import type { Name } from '../name.ts'
import { defineRecordType } from './define.ts'
import { domainName } from './fields.ts'
import { isAddress } from './host-rules.ts'

/** A responsible person (RFC 1183 §2.2). */
export interface Rp {
  /** Mailbox, its first label the local part; the root means none. */
  readonly mailbox: Name
  /** Name of a TXT record with more information; the root means none. */
  readonly text: Name
}

export const rp = defineRecordType<Rp>({
  type: 'RP',
  code: 17,
  refs: ['RFC 1183 §2.2'],
  fields: { mailbox: domainName(), text: domainName() },
  rules: [
    {
      rule: 'rp.mailbox-address',
      field: 'mailbox',
      source: 'RFC 1183 §2.2',
      message: 'must be a mailbox, its @ written as a dot',
      broken: (d) => isAddress(d.mailbox),
    },
    {
      rule: 'rp.text-address',
      field: 'text',
      source: 'RFC 1183 §2.2',
      message: 'must be a name, not an IP address',
      broken: (d) => isAddress(d.text),
    },
  ],
})
