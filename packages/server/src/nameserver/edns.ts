// EDNS(0): the OPT record of a query and of its answer (RFC 6891 §6.1; DO: RFC 3225 §3).
import { META_TYPE, RCODE } from '@zonereeve/dns'
import type { Query } from './query.ts'

/** Octets of an OPT record without options: the root, type, payload size, extended rcode, version, flags, length. */
export const OPT_OCTETS = 11

/** Smallest UDP payload that everybody takes (RFC 1035 §2.3.4, RFC 6891 §6.2.3). */
const MIN_PAYLOAD_OCTETS = 512

/**
 * Reads an OPT record whose type field is at `at` and whose rdata ends at `end`. Unknown options and flags are ignored
 * (RFC 6891 §6.1.2, §6.1.4). Returns NOERROR, BADVERS for a version other than 0, or FORMERR.
 */
export function readOpt(query: Query, packet: Uint8Array, at: number, end: number): number {
  for (let option = at + 10; option < end;) {
    if (option + 4 > end) return RCODE.FORMERR
    option += 4 + (((packet[option + 2] ?? 0) << 8) | (packet[option + 3] ?? 0))
    if (option > end) return RCODE.FORMERR
  }
  query.hasEdns = true
  query.udpPayloadOctets = ((packet[at + 2] ?? 0) << 8) | (packet[at + 3] ?? 0)
  query.dnssecOk = ((packet[at + 6] ?? 0) & 0x80) !== 0
  query.compactOk = ((packet[at + 6] ?? 0) & 0x40) !== 0
  return packet[at + 5] === 0 ? RCODE.NOERROR : RCODE.BADVERS
}

/** Octets that an answer over UDP may have. */
export function udpLimit(query: Query, maxOctets: number): number {
  if (!query.hasEdns) return MIN_PAYLOAD_OCTETS
  return Math.min(Math.max(query.udpPayloadOctets, MIN_PAYLOAD_OCTETS), maxOctets)
}

/** Writes our OPT record at `at`; its extended rcode has the upper bits of `rcode`, DO is copied. Returns its end. */
export function writeOpt(
  query: Query,
  out: Uint8Array,
  at: number,
  payloadOctets: number,
  rcode: number,
): number {
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
  return at + OPT_OCTETS
}
