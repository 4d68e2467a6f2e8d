// SSHFP: the fingerprint of a host's SSH key.

import { defineRecordType } from './define.ts'
import { u8 } from './fields.ts'
import { hexRest } from './octet-fields.ts'

/** A fingerprint of a host key (RFC 4255 §3.1). */
export interface Sshfp {
  /** 1 RSA, 2 DSA, 3 ECDSA, 4 Ed25519 (RFC 7479), 6 Ed448 (RFC 8709); 1..255. */
  readonly algorithm: number
  /** 1 SHA-1, 2 SHA-256 (RFC 6594); 1..255. */
  readonly type: number
  /** Its length depends on its type, for the types known here. */
  readonly fingerprint: Uint8Array
}

/** Unknown algorithms and types are allowed: new ones are registered over time. */
export const sshfp = defineRecordType<Sshfp>({
  type: 'SSHFP',
  code: 44,
  refs: ['RFC 4255 §3', 'RFC 6594', 'RFC 7479', 'RFC 8709'],
  fields: { algorithm: u8, type: u8, fingerprint: hexRest({ upper: false }) },
  rules: [
    {
      rule: 'sshfp.algorithm-reserved',
      field: 'algorithm',
      source: 'RFC 4255 §3.1.1',
      message: 'must not be 0, which is reserved',
      broken: (d) => d.algorithm === 0,
    },
    {
      rule: 'sshfp.type-reserved',
      field: 'type',
      source: 'RFC 4255 §3.1.2',
      message: 'must not be 0, which is reserved',
      broken: (d) => d.type === 0,
    },
    {
      rule: 'sshfp.fingerprint-length',
      field: 'fingerprint',
      source: 'RFC 6594 §4',
      message: 'must have 20 octets for type 1 (SHA-1), 32 for type 2 (SHA-256)',
      broken: ({ type, fingerprint }) => {
        const octets = [undefined, 20, 32][type]
        return octets !== undefined && fingerprint.length !== octets
      },
    },
  ],
})
