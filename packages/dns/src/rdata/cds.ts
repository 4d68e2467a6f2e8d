// CDS: the DS that a child zone asks its parent to publish.

import { defineRecordType } from './define.ts'
import { dsFields, hasWrongDigestLength } from './ds.ts'
import type { Ds } from './ds.ts'

/** A DS record, or the request to delete all of them (RFC 7344 §3.1, RFC 8078 §4). */
export type Cds = Ds

export const cds = defineRecordType<Cds>({
  type: 'CDS',
  code: 59,
  refs: ['RFC 7344 §3.1', 'RFC 8078 §4'],
  fields: dsFields,
  rules: [
    {
      rule: 'cds.delete',
      field: 'algorithm',
      source: 'RFC 8078 §4',
      message: 'may be 0 only in "0 0 0 00", which asks for deletion',
      broken: (d) => d.algorithm === 0 && !isDeletion(d),
    },
    {
      rule: 'cds.digest-type-reserved',
      field: 'digestType',
      source: 'RFC 3658 §2.4',
      message: 'must not be 0, which is reserved',
      broken: (d) => d.algorithm !== 0 && d.digestType === 0,
    },
    {
      rule: 'cds.digest-length',
      field: 'digest',
      source: 'RFC 4034 §5.1.4',
      message: 'must have 20 octets for type 1, 48 for type 4, 32 for types 2, 3, 5 and 6',
      broken: hasWrongDigestLength,
    },
  ],
})

const isDeletion = ({ keyTag, digestType, digest }: Cds): boolean =>
  keyTag === 0 && digestType === 0 && digest.length === 1 && digest[0] === 0
