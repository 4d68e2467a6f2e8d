// KX: a host that exchanges keys for another.

import type { Name } from '../name.ts'
import { defineRecordType } from './define.ts'
import { domainName, u16 } from './fields.ts'
import { noAddress } from './host-rules.ts'

/** A key exchanger (RFC 2230 §3). */
export interface Kx {
  /** Lower is tried first. */
  readonly preference: number
  /** Host name of the exchanger. */
  readonly exchanger: Name
}

export const kx = defineRecordType<Kx>({
  type: 'KX',
  code: 36,
  refs: ['RFC 2230 §3'],
  fields: { preference: u16, exchanger: domainName() },
  rules: [noAddress('kx.exchanger-address', 'exchanger', 'RFC 2230 §3')],
})
