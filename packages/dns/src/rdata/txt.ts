// TXT: descriptive text, and nearly everything else.

import { defineRecordType } from './define.ts'
import { characterStrings } from './fields.ts'

/** One or more character strings (RFC 1035 §3.3.14). Readers of SPF, DKIM and DMARC join them (RFC 7208 §3.3). */
export interface Txt {
  /** At least one, each of at most 255 octets. */
  readonly strings: readonly Uint8Array[]
}

/** An empty string is a valid record; APIs that refuse it do so themselves. */
export const txt = defineRecordType<Txt>({
  type: 'TXT',
  code: 16,
  refs: ['RFC 1035 §3.3.14', 'RFC 1464'],
  fields: { strings: characterStrings },
  rules: [
    {
      rule: 'txt.too-long',
      field: 'strings',
      source: 'RFC 1035 §3.2.1',
      message: 'all strings with their length octets must fit 65535 octets',
      broken: (d) => d.strings.reduce((octets, string) => octets + 1 + string.length, 0) > 0xffff,
    },
  ],
})
