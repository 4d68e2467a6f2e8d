// Numbers of the DNS header and the types that carry no zone data (RFC 6895, IANA "DNS Parameters").

/** Classes (RFC 6895 §3.2). NONE and ANY have a meaning in updates and questions only. */
export const CLASS = { IN: 1, CH: 3, HS: 4, NONE: 254, ANY: 255 } as const

/** Operation codes (RFC 6895 §2.2). */
export const OPCODE = { QUERY: 0, IQUERY: 1, STATUS: 2, NOTIFY: 4, UPDATE: 5 } as const

/** Response codes; those above 15 need EDNS for their upper bits (RFC 6895 §2.3, RFC 6891 §6.1.3). */
export const RCODE = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  YXDOMAIN: 6,
  YXRRSET: 7,
  NXRRSET: 8,
  NOTAUTH: 9,
  NOTZONE: 10,
  BADVERS: 16,
  BADCOOKIE: 23,
} as const

/** What is wrong with a signature; in the TSIG record, never in the header (RFC 8945 §3, IANA "TSIG Error Codes"). */
export const TSIG_ERROR = { BADSIG: 16, BADKEY: 17, BADTIME: 18 } as const

/** Types that are no zone data: pseudo records and question types (RFC 6895 §3.1). */
export const META_TYPE = {
  OPT: 41,
  TKEY: 249,
  TSIG: 250,
  IXFR: 251,
  AXFR: 252,
  MAILB: 253,
  MAILA: 254,
  ANY: 255,
} as const

/** Types of the records that signers make: printed, and never read from text (RFC 4034, RFC 5155). */
export const SIGNER_TYPE = { RRSIG: 46, NSEC: 47, NSEC3: 50, NSEC3PARAM: 51 } as const

/** Name of a response code, `RCODE24` for one without a name here. */
export function rcodeText(rcode: number): string {
  return RCODE_NAMES[rcode] ?? `RCODE${rcode}`
}

/** By their codes, the unassigned left out. */
const RCODE_NAMES: readonly (string | undefined)[] = Object.entries(RCODE).reduce<string[]>(
  (names, [name, code]) => {
    names[code] = name
    return names
  },
  [],
)
