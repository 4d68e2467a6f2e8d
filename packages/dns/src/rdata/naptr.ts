// NAPTR: a rewriting rule that turns a key into the next name or URI to look up.

import type { Name } from '../name.ts'
import { defineRecordType } from './define.ts'
import { characterString, domainName, u16 } from './fields.ts'
import { isAddress, isNoHost } from './host-rules.ts'

/** A naming authority pointer (RFC 3403 §4.1). */
export interface Naptr {
  /** Lower is processed first, 0..65535. */
  readonly order: number
  /** Lower is tried first among equal orders, 0..65535. */
  readonly preference: number
  /** Letters and digits; their meaning depends on the application. */
  readonly flags: string
  /** The available services, for example `SIP+D2U` or `E2U+email`; may be empty. */
  readonly services: string
  /** A substitution `!pattern!replacement!flags`; empty when the replacement is used. */
  readonly regexp: string
  /** Next name; the root when the regexp is used. */
  readonly replacement: Name
}

/** The replacement must not be compressed (RFC 3403 §4.1). */
export const naptr = defineRecordType<Naptr>({
  type: 'NAPTR',
  code: 35,
  refs: ['RFC 3403 §4', 'RFC 3402 §3.2'],
  fields: {
    order: u16,
    preference: u16,
    flags: characterString({ quoted: true }),
    services: characterString({ quoted: true }),
    regexp: characterString({ quoted: true }),
    replacement: domainName(),
  },
  rules: [
    {
      rule: 'naptr.flags-characters',
      field: 'flags',
      source: 'RFC 3403 §4.1',
      message: 'must be made of ASCII letters and digits',
      broken: (d) => !/^[a-z0-9]*$/i.test(d.flags),
    },
    {
      rule: 'naptr.regexp-syntax',
      field: 'regexp',
      source: 'RFC 3402 §3.2',
      message:
        'must be empty, or a pattern and its replacement, each between delimiters, as in !^.*$!sip:a@b!i',
      broken: (d) => d.regexp !== '' && !isSubstitution(d.regexp),
    },
    {
      rule: 'naptr.regexp-and-replacement',
      field: 'replacement',
      source: 'RFC 3403 §4.1',
      message: 'must be the root when there is a regexp',
      broken: (d) => d.regexp !== '' && d.replacement !== '.',
    },
    {
      rule: 'naptr.replacement-host',
      field: 'replacement',
      source: 'RFC 3403 §4.1',
      message: 'must be a domain name to look up next, or the root',
      broken: (d) => d.replacement !== '.' && (isAddress(d.replacement) || isNoHost(d.replacement)),
    },
  ],
})

/** The delimiter occurs three times, elsewhere only after a backslash; it is not a digit, backslash or flag. */
function isSubstitution(regexp: string): boolean {
  const [delimiter = ''] = regexp
  if (/[1-9i\\]/i.test(delimiter)) return false
  const parts: string[] = []
  let part = ''
  for (const [character] of regexp.slice(delimiter.length).matchAll(/\\?[^]/gu)) {
    if (character !== delimiter) part += character
    else {
      parts.push(part)
      part = ''
    }
  }
  return parts.length === 2 && parts[0] !== '' && /^i?$/i.test(part)
}
