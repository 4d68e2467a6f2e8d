// CDNSKEY: the key for which a child zone asks its parent to publish a DS.

import { defineRecordType } from './define.ts'
import { dnskeyFields, hasReservedFlags } from './dnskey.ts'
import type { Dnskey } from './dnskey.ts'

/** A DNSKEY record, or the request to delete all DS records (RFC 7344 §3.2, RFC 8078 §4). */
export type Cdnskey = Dnskey

export const cdnskey = defineRecordType<Cdnskey>({
  type: 'CDNSKEY',
  code: 60,
  refs: ['RFC 7344 §3.2', 'RFC 8078 §4'],
  fields: dnskeyFields,
  rules: [
    {
      rule: 'cdnskey.flags-reserved',
      field: 'flags',
      source: 'RFC 4034 §2.1.1',
      message: 'must be 0, 256 or 257, or with the revoked bit 384 or 385',
      broken: hasReservedFlags,
    },
    {
      rule: 'cdnskey.protocol-value',
      field: 'protocol',
      source: 'RFC 4034 §2.1.2',
      message: 'must be 3',
      broken: (d) => d.protocol !== 3,
    },
    {
      rule: 'cdnskey.delete',
      field: 'algorithm',
      source: 'RFC 8078 §4',
      message: 'may be 0 only in "0 3 0 AA==", which asks for deletion',
      broken: (d) => d.algorithm === 0 && !isDeletion(d),
    },
  ],
})

const isDeletion = ({ flags, publicKey }: Cdnskey): boolean =>
  flags === 0 && publicKey.length === 1 && publicKey[0] === 0
