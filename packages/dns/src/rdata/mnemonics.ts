// Numbers that zone files may write as names (RFC 4034 Appendix A.1, RFC 4398 §2.1). They are printed as numbers.

import type { Field } from './define.ts'

/** `field` with the addition that its text may be one of `names`, case-insensitive. */
export function withMnemonics(field: Field<number>, names: ReadonlyMap<string, number>): Field<number> {
  return {
    ...field,
    fromText: (tokens) => {
      const token = tokens.peek()
      const number = token === undefined ? undefined : names.get(token.text.toUpperCase())
      if (number === undefined) return field.fromText(tokens)
      tokens.next()
      return number
    },
  }
}

/** DNSSEC algorithms (IANA "DNS Security Algorithm Numbers"). */
export const ALGORITHMS: ReadonlyMap<string, number> = new Map([
  ['RSAMD5', 1],
  ['DH', 2],
  ['DSA', 3],
  ['RSASHA1', 5],
  ['DSA-NSEC3-SHA1', 6],
  ['RSASHA1-NSEC3-SHA1', 7],
  ['RSASHA256', 8],
  ['RSASHA512', 10],
  ['ECC-GOST', 12],
  ['ECDSAP256SHA256', 13],
  ['ECDSAP384SHA384', 14],
  ['ED25519', 15],
  ['ED448', 16],
  ['INDIRECT', 252],
  ['PRIVATEDNS', 253],
  ['PRIVATEOID', 254],
])

/** Certificate types (RFC 4398 §2.1). */
export const CERTIFICATE_TYPES: ReadonlyMap<string, number> = new Map([
  ['PKIX', 1],
  ['SPKI', 2],
  ['PGP', 3],
  ['IPKIX', 4],
  ['ISPKI', 5],
  ['IPGP', 6],
  ['ACPKIX', 7],
  ['IACPKIX', 8],
  ['URI', 253],
  ['OID', 254],
])
