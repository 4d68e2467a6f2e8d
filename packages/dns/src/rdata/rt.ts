// RT: an intermediate host for a host without a direct connection.

import type { Name } from '../name.ts'
import { defineRecordType } from './define.ts'
import { domainName, u16 } from './fields.ts'
import { noAddress } from './host-rules.ts'

/** A route through (RFC 1183 §3.3). */
export interface Rt {
  /** Lower is tried first. */
  readonly preference: number
  /** Host name of the intermediate. */
  readonly host: Name
}

export const rt = defineRecordType<Rt>({
  type: 'RT',
  code: 21,
  refs: ['RFC 1183 §3.3'],
  fields: { preference: u16, host: domainName() },
  rules: [noAddress('rt.host-address', 'host', 'RFC 1183 §3.3')],
})
