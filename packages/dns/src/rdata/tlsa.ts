// TLSA: the certificate of a TLS server.

import { defineRecordType } from './define.ts'
import { u8 } from './fields.ts'
import { hexRest } from './octet-fields.ts'

/** A certificate association (RFC 6698 §2.1). */
export interface Tlsa {
  /** 0 PKIX-TA, 1 PKIX-EE, 2 DANE-TA, 3 DANE-EE (RFC 7218). */
  readonly usage: number
  /** 0 the whole certificate, 1 its public key. */
  readonly selector: number
  /** 0 as it is, 1 SHA-256, 2 SHA-512. */
  readonly matchingType: number
  /** Its length depends on the matching type, for the digests known here. */
  readonly certificate: Uint8Array
}

/** Fields of TLSA and of SMIMEA, which share a format (RFC 8162 §2). */
export const tlsaFields = { usage: u8, selector: u8, matchingType: u8 } as const

/** Unassigned numbers are allowed: new ones are registered over time, and 255 is for private use. */
export const tlsa = defineRecordType<Tlsa>({
  type: 'TLSA',
  code: 52,
  refs: ['RFC 6698 §2', 'RFC 7218', 'RFC 7671'],
  fields: { ...tlsaFields, certificate: hexRest({ upper: true }) },
  rules: [
    {
      rule: 'tlsa.certificate-length',
      field: 'certificate',
      source: 'RFC 6698 §2.1.3',
      message: 'must have 32 octets for matching type 1 (SHA-256), 64 for 2 (SHA-512)',
      broken: hasWrongCertificateLength,
    },
  ],
})

/** Whether a certificate digest has the wrong length for its matching type. */
export function hasWrongCertificateLength({ matchingType, certificate }: Tlsa): boolean {
  const octets = [undefined, 32, 64][matchingType]
  return octets !== undefined && certificate.length !== octets
}
