// Reads queries and checks that they are well-formed (RFC 1035 §4.1, RFC 8906, RFC 9619).
import { byteAt, CLASS, META_TYPE, NXNAME, OPCODE, RCODE } from '@zonereeve/dns'
import { readOpt } from './edns.ts'
import { WireName } from './wire-name.ts'

/** Octets of a message header. */
export const HEADER_OCTETS = 12

/**
 * No answer is sent: the packet is too short for a header, or it is a response. Answering responses would let two
 * servers loop.
 */
export const DROP = -1

/**
 * Response codes for opcodes other than QUERY: unknown ones must be NOTIMP (RFC 8906 §8.1.4); NOTIFY is refused here.
 */
const OPCODE_RCODE: Readonly<Record<number, number>> = { [OPCODE.NOTIFY]: RCODE.REFUSED }

/** Response codes for types that are not data (RFC 6895 §3.1; RFC 9824 §3.5). ANY and all data types are answered. */
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

/** Holds one query at a time; the object is reused. */
export class Query {
  readonly name = new WireName()
  id = 0
  /** The 16 bits after the ID. */
  flags = 0
  type = 0
  /** End of the question; HEADER_OCTETS if there is no question to repeat or answer. */
  questionEnd = HEADER_OCTETS
  /** Whether there is a valid OPT record; then the answer must have one too (RFC 6891 §6.1.1). */
  hasEdns = false
  /** As offered, 0..65535. */
  udpPayloadOctets = 0
  dnssecOk = false
  /** The client knows compact denial and wants NXDOMAIN anyway (RFC 9824 §5.1). */
  compactOk = false
  /** Position and length of the cookie in the packet; length 0 if there is none. */
  cookieAt = 0
  cookieOctets = 0
  wantsNsid = false
  wantsKeepalive = false
  isPadded = false

  /** Reads a packet. Returns DROP, or the response code so far: NOERROR if it is to be answered. */
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

  /** A query with a cookie and no question asks for a server cookie (RFC 7873 §5.4). */
  #readCookieRequest(packet: Uint8Array, length: number): number {
    const rcode = this.#readRecords(packet, length)
    return rcode !== RCODE.NOERROR || this.cookieOctets > 0 ? rcode : RCODE.FORMERR
  }

  /** Skips the records after the question and reads EDNS from the additional ones. */
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

/** The response code of a message with a header, without the upper bits that EDNS adds. */
export const rcodeOf = (message: Uint8Array): number => byteAt(message, 3) & 0xf

export function u16(octets: Uint8Array, at: number): number {
  return ((octets[at] ?? 0) << 8) | (octets[at + 1] ?? 0)
}

/** Returns the end of a name without reading it; pointers are not followed. -1 if it has no end. */
export function skipName(packet: Uint8Array, start: number, length: number): number {
  for (let at = start; at < length;) {
    const octet = packet[at] as number // before `length`
    if (octet === 0) return at + 1
    if (octet >= 0xc0) return at + 2
    if (octet > 63) return -1
    at += 1 + octet
  }
  return -1
}
