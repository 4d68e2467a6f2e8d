// MINFO: the mailboxes of a mailing list.

import type { Name } from '../name.ts'
import { defineRecordType } from './define.ts'
import { domainName } from './fields.ts'
import { noAddress } from './host-rules.ts'

/** Mailbox information (RFC 1035 §3.3.7). Its names may be compressed, which we do not do. */
export interface Minfo {
  /** Mailbox of the owner of the list, its first label the local part. */
  readonly responsible: Name
  /** Mailbox for errors, its first label the local part. */
  readonly errors: Name
}

export const minfo = defineRecordType<Minfo>({
  type: 'MINFO',
  code: 14,
  refs: ['RFC 1035 §3.3.7'],
  fields: { responsible: domainName(), errors: domainName() },
  rules: [
    noAddress('minfo.responsible-address', 'responsible', 'RFC 1035 §3.3.7'),
    noAddress('minfo.errors-address', 'errors', 'RFC 1035 §3.3.7'),
  ],
})
