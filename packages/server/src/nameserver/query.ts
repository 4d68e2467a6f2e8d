// Sanity: what a packet asks, if it asks anything (RFC 1035 §4.1, RFC 8906, RFC 9619).
import { CLASS, META_TYPE, NXNAME, OPCODE, RCODE } from '@zonereeve/dns'
import { readOpt } from './edns.ts'
import { WireName } from './wire-name.ts'

/** Octets of a message header. */
export const HEADER_OCTETS = 12

/** Nothing to answer: too short for a header, or a response, and answering those would let two servers talk forever. */
export const DROP = -1

/** What an opcode other than QUERY gets: unknown ones must be NOTIMP (RFC 8906 §8.1.4); nobody may notify us. */
const OPCODE_RCODE: Readonly<Record<number, number>> = { [OPCODE.NOTIFY]: RCODE.REFUSED }

/** What types that are no data get when they are asked for (RFC 6895 §3.1; RFC 9824 §3.5). ANY and all data types are answered. */
const TYPE_RCODE: Readonly<Record<number, number>> = {
  0: RCODE.FORMERR,
  [NXNAME]: RCODE.FORMERR,
  [META_TYPE.OPT]: RCODE.FORMERR,
  [META_TYPE.TKEY]: RCODE.FORMERR,
  [META_TYPE.TSIG]: RCODE.FORMERR,
  [META_TYPE.IXFR]: RCODE.REFUSED,
  [META_TYPE.AXFR]: RCODE.REFUSED,
  [META_TYPE.MAILB]: RCODE.NOTIMP,
  [META_TYPE.MAILA]: RCODE.NOTIMP,
}

/** One query at a time, read into the same object. */
export class Query {
  readonly name = new WireName()
  id = 0
  /** The 16 bits after the id. */
  flags = 0
  type = 0
  /** Where the question ends; HEADER_OCTETS when there is none to repeat, or to answer. */
  questionEnd = HEADER_OCTETS
  /** Whether there is a valid OPT record, which the answer must then have too (RFC 6891 §6.1.1). */
  hasEdns = false
  /** As offered, 0..65535. */
  udpPayloadOctets = 0
  dnssecOk = false
  /** The client knows compact denial and wants NXDOMAIN all the same (RFC 9824 §5.1). */
  compactOk = false
  /** Where the cookie stands in the packet, and its octets; 0 when there is none. */
  cookieAt = 0
  cookieOctets = 0
  wantsNsid = false
  wantsKeepalive = false
  isPadded = false

  /** Reads a packet. Returns DROP, or the response code that it deserves so far: NOERROR when it is to be answered. */
  read(packet: Uint8Array, length: number): number {
    this.questionEnd = HEADER_OCTETS
    this.hasEdns = false
    this.dnssecOk = false
    this.cookieOctets = 0
    this.wantsNsid = false
    this.wantsKeepalive = false
    this.isPadded = false
    if (length < HEADER_OCTETS) return DROP
    this.id = u16(packet, 0)
    this.flags = u16(packet, 2)
    if ((this.flags & 0x8000) !== 0) return DROP
    const opcode = (this.flags >> 11) & 0xf
    if (opcode !== OPCODE.QUERY) return OPCODE_RCODE[opcode] ?? RCODE.NOTIMP
    const questions = u16(packet, 4)
    if (questions === 0) return this.#readCookieRequest(packet, length)
    if (questions !== 1) return RCODE.FORMERR
    const nameEnd = this.name.read(packet, HEADER_OCTETS, length)
    if (nameEnd === -1 || nameEnd + 4 > length) return RCODE.FORMERR
    this.questionEnd = nameEnd + 4
    this.type = u16(packet, nameEnd)
    const rcode = this.#readRecords(packet, length)
    if (rcode !== RCODE.NOERROR) return rcode
    if (u16(packet, nameEnd + 2) !== CLASS.IN) return RCODE.REFUSED
    return TYPE_RCODE[this.type] ?? RCODE.NOERROR
  }

  /** A cookie without a question asks for a cookie (RFC 7873 §5.4). */
  #readCookieRequest(packet: Uint8Array, length: number): number {
    const rcode = this.#readRecords(packet, length)
    return rcode !== RCODE.NOERROR || this.cookieOctets > 0 ? rcode : RCODE.FORMERR
  }

  /** Passes over the records after the question and takes EDNS out of the additional ones. */
  #readRecords(packet: Uint8Array, length: number): number {
    const before = u16(packet, 6) + u16(packet, 8)
    const all = before + u16(packet, 10)
    let at = this.questionEnd
    let rcode: number = RCODE.NOERROR
    for (let i = 0; i < all; i += 1) {
      const afterName = skipName(packet, at, length)
      if (afterName === -1 || afterName + 10 > length) return RCODE.FORMERR
      const end = afterName + 10 + u16(packet, afterName + 8)
      if (end > length) return RCODE.FORMERR
      if (i >= before && u16(packet, afterName) === META_TYPE.OPT) {
        if (this.hasEdns || afterName !== at + 1) return RCODE.FORMERR
        rcode = readOpt(this, packet, afterName, end)
        if (rcode === RCODE.FORMERR) return rcode
      }
      at = end
    }
    return at === length ? rcode : RCODE.FORMERR
  }
}

export function u16(octets: Uint8Array, at: number): number {
  return ((octets[at] ?? 0) << 8) | (octets[at + 1] ?? 0)
}

/** Where a name ends that nobody needs; pointers are not followed. -1 when it does not end. */
export function skipName(packet: Uint8Array, start: number, length: number): number {
  for (let at = start; at < length;) {
    const octet = packet[at] ?? 0
    if (octet === 0) return at + 1
    if (octet >= 0xc0) return at + 2
    if (octet > 63) return -1
    at += 1 + octet
  }
  return -1
}
