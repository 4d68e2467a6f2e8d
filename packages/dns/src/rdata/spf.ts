// SPF: a sender policy; TXT is used for it today.

import { defineRecordType } from './define.ts'
import { tooManyStrings, txtFields } from './txt.ts'
import type { Txt } from './txt.ts'

/** Obsolete (RFC 7208 §3.1), but still in zones: the format of TXT. */
export const spf = defineRecordType<Txt>({
  type: 'SPF',
  code: 99,
  refs: ['RFC 4408 §3.1.1', 'RFC 7208 §3.1'],
  fields: txtFields,
  rules: [tooManyStrings('spf.too-long')],
})
