// Numbers of the DNS header and the types that carry no zone data (RFC 6895, IANA "DNS Parameters").

/** Classes (RFC 6895 §3.2). NONE and ANY are only for updates and questions. */
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

/** Types that are not zone data: pseudo records and question types (RFC 6895 §3.1). */
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

/**
 * Types with their own presentation format, each with a file in rdata/. The table is here so that such a file can
 * name types.
 */
export const DATA_TYPE = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  HINFO: 13,
  MINFO: 14,
  MX: 15,
  TXT: 16,
  RP: 17,
  AFSDB: 18,
  X25: 19,
  ISDN: 20,
  RT: 21,
  NSAP: 22,
  KEY: 25,
  PX: 26,
  GPOS: 27,
  AAAA: 28,
  LOC: 29,
  SRV: 33,
  NAPTR: 35,
  KX: 36,
  CERT: 37,
  DNAME: 39,
  APL: 42,
  DS: 43,
  SSHFP: 44,
  IPSECKEY: 45,
  DNSKEY: 48,
  DHCID: 49,
  TLSA: 52,
  SMIMEA: 53,
  HIP: 55,
  TALINK: 58,
  CDS: 59,
  CDNSKEY: 60,
  OPENPGPKEY: 61,
  CSYNC: 62,
  ZONEMD: 63,
  SVCB: 64,
  HTTPS: 65,
  SPF: 99,
  NID: 104,
  L32: 105,
  L64: 106,
  LP: 107,
  EUI48: 108,
  EUI64: 109,
  URI: 256,
  CAA: 257,
  AVC: 258,
  DLV: 32_769,
} as const

/**
 * Types that are known by name but written only in generic form: they are printed as TYPEn, which every server reads.
 */
export const GENERIC_TYPE = {
  MD: 3,
  MF: 4,
  MB: 7,
  MG: 8,
  MR: 9,
  NULL: 10,
  WKS: 11,
  'NSAP-PTR': 23,
  SIG: 24,
  NXT: 30,
  EID: 31,
  NIMLOC: 32,
  ATMA: 34,
  A6: 38,
  SINK: 40,
  NINFO: 56,
  RKEY: 57,
  UINFO: 100,
  UID: 101,
  GID: 102,
  UNSPEC: 103,
  DOA: 259,
  AMTRELAY: 260,
  RESINFO: 261,
  WALLET: 262,
  CLA: 263,
  IPN: 264,
  TA: 32_768,
} as const

/** Types of the records that signers make: printed, but never parsed (RFC 4034, RFC 5155). */
export const SIGNER_TYPE = { RRSIG: 46, NSEC: 47, NSEC3: 50, NSEC3PARAM: 51 } as const

/** Name of a response code; `RCODE24` for one without a name here. */
export function rcodeText(rcode: number): string {
  return RCODE_NAMES[rcode] ?? `RCODE${rcode}`
}

/** Indexed by code; unassigned codes are undefined. */
const RCODE_NAMES: readonly (string | undefined)[] = Object.entries(RCODE).reduce<string[]>(
  (names, [name, code]) => {
    names[code] = name
    return names
  },
  [],
)
