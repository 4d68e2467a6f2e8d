// EDNS(0): the OPT record of a query and of its answer (RFC 6891 §6.1; DO: RFC 3225 §3). Options are in
// edns-options.ts.
import { byteAt, META_TYPE, RCODE, uint16At } from '@zonereeve/dns'
import type { Query } from './query.ts'

/** Octets of an OPT record without options: the root, type, payload size, extended rcode, version, flags, length. */
export const OPT_OCTETS = 11

/** The smallest UDP payload that every client accepts (RFC 1035 §2.3.4, RFC 6891 §6.2.3). */
export const MIN_PAYLOAD_OCTETS = 512

/** Options that are implemented (IANA "DNS EDNS0 Option Codes"). */
export const OPTION = { NSID: 3, EXPIRE: 9, COOKIE: 10, KEEPALIVE: 11, PADDING: 12 } as const

/** Lengths of a client cookie, and of the server cookie that may follow it (RFC 7873 §4). */
const CLIENT_COOKIE_OCTETS = 8
const MIN_COOKIE_OCTETS = 16
const MAX_COOKIE_OCTETS = 40

/**
 * Reads an OPT record whose type field is at `at` and whose rdata ends at `end`. Unknown options and flags are ignored
 * (RFC 6891 §6.1.2, §6.1.4). Returns NOERROR, BADVERS for a version other than 0, or FORMERR.
 */
export function readOpt(query: Query, packet: Uint8Array, at: number, end: number): number {
  const isKnownVersion = packet[at + 5] === 0
  // The option format of other versions is unknown.
  if (isKnownVersion && !readOptions(query, packet, at + 10, end)) return RCODE.FORMERR
  query.hasEdns = true
  query.udpPayloadOctets = uint16At(packet, at + 2)
  query.dnssecOk = (byteAt(packet, at + 6) & 0x80) !== 0
  query.compactOk = (byteAt(packet, at + 6) & 0x40) !== 0
  return isKnownVersion ? RCODE.NOERROR : RCODE.BADVERS
}

/** Returns whether the options are complete and the known ones well-formed. */
function readOptions(query: Query, packet: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end;) {
    if (at + 4 > end) return false
    const code = uint16At(packet, at)
    const octets = uint16At(packet, at + 2)
    at += 4
    if (at + octets > end || !readOption(query, code, at, octets)) return false
    at += octets
  }
  return true
}

/** Stores an option in the query. Returns whether it is well-formed: cookies have a required length, others none. */
function readOption(query: Query, code: number, at: number, octets: number): boolean {
  switch (code) {
    case OPTION.NSID:
      query.wantsNsid = true
      return true
    case OPTION.COOKIE:
      // Only the first one counts (RFC 7873 §5.2).
      if (query.cookieOctets > 0) return true
      query.cookieAt = at
      query.cookieOctets = octets
      return octets === CLIENT_COOKIE_OCTETS || (octets >= MIN_COOKIE_OCTETS && octets <= MAX_COOKIE_OCTETS)
    case OPTION.KEEPALIVE:
      query.wantsKeepalive = true
      return true
    case OPTION.PADDING:
      query.isPadded = true
      return true
    default:
      return true
  }
}

/** Maximum size of an answer over UDP. */
export function udpLimit(query: Query, maxOctets: number): number {
  if (!query.hasEdns) return MIN_PAYLOAD_OCTETS
  return Math.min(Math.max(query.udpPayloadOctets, MIN_PAYLOAD_OCTETS), maxOctets)
}

/** Writes our OPT record without options at `at`. Its extended rcode has the upper bits of `rcode`; DO is copied. */
export function writeOpt(
  query: Pick<Query, 'dnssecOk'>,
  out: Uint8Array,
  at: number,
  payloadOctets: number,
  rcode: number,
): void {
  out[at] = 0
  out[at + 1] = 0
  out[at + 2] = META_TYPE.OPT
  out[at + 3] = payloadOctets >> 8
  out[at + 4] = payloadOctets & 0xff
  out[at + 5] = rcode >> 4
  out[at + 6] = 0
  out[at + 7] = query.dnssecOk ? 0x80 : 0
  out[at + 8] = 0
  out[at + 9] = 0
  out[at + 10] = 0
}
