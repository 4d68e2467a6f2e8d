// CERT: a certificate, or where to find one.

import { defineRecordType } from './define.ts'
import { u16, u8 } from './fields.ts'
import { ALGORITHMS, CERTIFICATE_TYPES, withMnemonics } from './mnemonics.ts'
import { base64Rest } from './octet-fields.ts'

/** A certificate or revocation list (RFC 4398 §2). */
export interface Cert {
  /** 1 PKIX, 2 SPKI, 3 PGP, 4 IPKIX, 5 ISPKI, 6 IPGP, 7 ACPKIX, 8 IACPKIX, 253 URI, 254 OID. */
  readonly type: number
  /** Key tag of the certificate's key (RFC 4034 Appendix B). */
  readonly keyTag: number
  /** As in DNSKEY; 0 = unknown. */
  readonly algorithm: number
  readonly certificate: Uint8Array
}

/** Unassigned types are allowed: new ones are registered over time. */
export const cert = defineRecordType<Cert>({
  type: 'CERT',
  code: 37,
  refs: ['RFC 4398 §2'],
  fields: {
    type: withMnemonics(u16, CERTIFICATE_TYPES),
    keyTag: u16,
    algorithm: withMnemonics(u8, ALGORITHMS),
    certificate: base64Rest,
  },
  rules: [
    {
      rule: 'cert.type-reserved',
      field: 'type',
      source: 'RFC 4398 §2.1',
      message: 'must not be 0, 255 or 65535, which are reserved',
      broken: (d) => d.type === 0 || d.type === 255 || d.type === 0xffff,
    },
  ],
})
