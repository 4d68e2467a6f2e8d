// AFSDB: a database server of an AFS cell.

import type { Name } from '../name.ts'
import { defineRecordType } from './define.ts'
import { domainName, u16 } from './fields.ts'
import { noAddress } from './host-rules.ts'

/** A server of a cell (RFC 1183 §1). */
export interface Afsdb {
  /** 1 = AFS volume location server, 2 = DCE name server. */
  readonly subtype: number
  /** Host name of the server. */
  readonly hostname: Name
}

export const afsdb = defineRecordType<Afsdb>({
  type: 'AFSDB',
  code: 18,
  refs: ['RFC 1183 §1', 'RFC 5864'],
  fields: { subtype: u16, hostname: domainName() },
  rules: [noAddress('afsdb.hostname-address', 'hostname', 'RFC 1183 §1')],
})
