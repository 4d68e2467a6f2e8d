// DLV: a DS for zones whose parent has none, published elsewhere.

import { defineRecordType } from './define.ts'
import { dsFields, hasWrongDigestLength } from './ds.ts'
import type { Ds } from './ds.ts'

/** Historic (RFC 8749): the format of DS. */
export const dlv = defineRecordType<Ds>({
  type: 'DLV',
  code: 32_769,
  refs: ['RFC 4431 §2'],
  fields: dsFields,
  rules: [
    {
      rule: 'dlv.digest-length',
      field: 'digest',
      source: 'RFC 4431 §2',
      message: 'must have 20 octets for type 1, 48 for type 4, 32 for types 2, 3, 5 and 6',
      broken: hasWrongDigestLength,
    },
  ],
})
