// AVC: information about an application.

import { defineRecordType } from './define.ts'
import { tooManyStrings, txtFields } from './txt.ts'
import type { Txt } from './txt.ts'

/** Application visibility and control: the format of TXT. */
export const avc = defineRecordType<Txt>({
  type: 'AVC',
  code: 258,
  refs: ['IANA DNS Parameters'],
  fields: txtFields,
  rules: [tooManyStrings('avc.too-long')],
})
