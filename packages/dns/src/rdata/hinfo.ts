// HINFO: a host's hardware and system; today the answer to ANY questions (RFC 8482 §4.2).

import { defineRecordType } from './define.ts'
import { characterString } from './fields.ts'

/** Host information (RFC 1035 §3.3.2). Both are octets, one code unit 0..255 each, at most 255. */
export interface Hinfo {
  readonly cpu: string
  readonly os: string
}

/** Host information; `RFC8482` and an empty system in answers to ANY. */
export const hinfo = defineRecordType<Hinfo>({
  type: 'HINFO',
  code: 13,
  refs: ['RFC 1035 §3.3.2', 'RFC 8482 §4.2'],
  fields: { cpu: characterString({ quoted: true }), os: characterString({ quoted: true }) },
})
