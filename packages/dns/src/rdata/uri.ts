// URI: the location of a service as a complete URI.

import { latin1FromOctets } from '../octets.ts'
import { defineRecordType } from './define.ts'
import { quotedRest, u16 } from './fields.ts'

/** A mapping from a service to a URI (RFC 7553 §4). */
export interface Uri {
  /** Lower is tried first, 0..65535. */
  readonly priority: number
  /** Share among equal priorities, 0..65535. */
  readonly weight: number
  /** A URI with its scheme; any octets from the wire. */
  readonly target: Uint8Array
}

export const uri = defineRecordType<Uri>({
  type: 'URI',
  code: 256,
  refs: ['RFC 7553 §4', 'RFC 3986'],
  fields: { priority: u16, weight: u16, target: quotedRest },
  rules: [
    {
      rule: 'uri.target-empty',
      field: 'target',
      source: 'RFC 7553 §4.4',
      message: 'must not be empty',
      broken: (d) => d.target.length === 0,
    },
    {
      rule: 'uri.target-syntax',
      field: 'target',
      source: 'RFC 3986 §3',
      message: 'must be a URI with its scheme, such as https://host/path',
      broken: (d) => d.target.length > 0 && !isUri(latin1FromOctets(d.target)),
    },
  ],
})

/** A scheme, then only characters of RFC 3986 §2, each `%` followed by two hexadecimal digits. */
function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9a-f]{2})+$/i.test(text)
}
