// TXT: descriptive text, and many other uses.

import { defineRecordType } from './define.ts'
import type { Rule } from './define.ts'
import { characterStrings } from './fields.ts'

/** One or more character strings (RFC 1035 §3.3.14). Readers of SPF, DKIM and DMARC join them (RFC 7208 §3.3). */
export interface Txt {
  /** At least one, each of at most 255 octets. */
  readonly strings: readonly Uint8Array[]
}

/** Fields of TXT, and of types with its format. */
export const txtFields = { strings: characterStrings } as const

/** The rule that all strings fit a record. */
export const tooManyStrings = (rule: string): Rule<Txt> => ({
  rule,
  field: 'strings',
  source: 'RFC 1035 §3.2.1',
  message: 'all strings with their length octets must fit 65535 octets',
  broken: (d) => d.strings.reduce((octets, string) => octets + 1 + string.length, 0) > 0xffff,
})

/** An empty string is a valid record; APIs that refuse it check that themselves. */
export const txt = defineRecordType<Txt>({
  type: 'TXT',
  code: 16,
  refs: ['RFC 1035 §3.3.14', 'RFC 1464'],
  fields: txtFields,
  rules: [tooManyStrings('txt.too-long')],
})
