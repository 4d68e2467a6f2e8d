// LP: the name that has the locators of a node (ILNP).

import type { Name } from '../name.ts'
import { defineRecordType } from './define.ts'
import { domainName, u16 } from './fields.ts'
import { noAddress } from './host-rules.ts'

/** A locator pointer (RFC 6742 §2.4). */
export interface Lp {
  /** Lower is preferred. */
  readonly preference: number
  /** Name with L32 or L64 records. */
  readonly target: Name
}

export const lp = defineRecordType<Lp>({
  type: 'LP',
  code: 107,
  refs: ['RFC 6742 §2.4'],
  fields: { preference: u16, target: domainName() },
  rules: [noAddress('lp.target-address', 'target', 'RFC 6742 §2.4.1')],
})
