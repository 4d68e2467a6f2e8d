// SMIMEA: the certificate of a mail user.

import { defineRecordType } from './define.ts'
import { hexRest } from './octet-fields.ts'
import { hasWrongCertificateLength, tlsaFields } from './tlsa.ts'
import type { Tlsa } from './tlsa.ts'

/** A certificate association for S/MIME, in the format of TLSA (RFC 8162 §2). */
export type Smimea = Tlsa

export const smimea = defineRecordType<Smimea>({
  type: 'SMIMEA',
  code: 53,
  refs: ['RFC 8162 §2', 'RFC 6698 §2'],
  fields: { ...tlsaFields, certificate: hexRest({ upper: false }) },
  rules: [
    {
      rule: 'smimea.certificate-length',
      field: 'certificate',
      source: 'RFC 6698 §2.1.3',
      message: 'must have 32 octets for matching type 1 (SHA-256), 64 for 2 (SHA-512)',
      broken: hasWrongCertificateLength,
    },
  ],
})
