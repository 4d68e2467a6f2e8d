// One query to a nameserver, and the check which packets answer it (RFC 5452 §9; mixed case:
// draft-vixie-dnsext-dns0x20).
import {
  CLASS,
  decodeMessage,
  encodeMessage,
  type Message,
  type Name,
  plainMessage,
  WireError,
  byteAt,
  uint16At,
} from '@zonereeve/dns'

/** Octets of a message header. */
const HEADER_OCTETS = 12

/** Advertised UDP payload size: avoids fragments, which can be forged (DNS flag day 2020). */
const UDP_PAYLOAD_OCTETS = 1232

/** Random octets; from node:crypto in production. */
export type Random = (octets: number) => Uint8Array

export interface QuestionOptions {
  readonly name: Name
  readonly type: number
  /** False for servers that reject EDNS (RFC 6891 §6.2.2). */
  readonly edns: boolean
  /** Whether to set RD, so that the server queries others for us. */
  readonly recursion: boolean
}

/**
 * An answer. It is not `exact` if the case of its question differs from ours: honest servers do that too, but it may
 * be forged, so the query is repeated over TCP.
 */
export interface Reply {
  readonly message: Message
  readonly exact: boolean
}

export interface Question {
  readonly wire: Uint8Array
  /**
   * Parses the packet as the answer to this query; undefined for anything else, including malformed or forged
   * packets.
   */
  read(packet: Uint8Array): Reply | undefined
}

/** Builds a query with a random id and with random case of the letters in its name. */
export function createQuestion({ name, type, edns, recursion }: QuestionOptions, random: Random): Question {
  const wire = encodeMessage(
    plainMessage({
      id: uint16At(random(2), 0),
      rd: recursion,
      questions: [{ name, type, class: CLASS.IN }],
      ...(edns
        ? { edns: { udpPayloadSize: UDP_PAYLOAD_OCTETS, version: 0, dnssecOk: false, options: [] } }
        : {}),
    }),
  )
  const end = nameEnd(wire) + 4
  mixCase(wire, end - 4, random(end))
  return { wire, read: (packet) => readReply(packet, wire, end) }
}

function readReply(packet: Uint8Array, query: Uint8Array, end: number): Reply | undefined {
  const sameId = packet.length >= end && packet[0] === query[0] && packet[1] === query[1]
  if (!sameId || (byteAt(packet, 2) & 0xf8) !== 0x80) return undefined // a response, with opcode QUERY
  if (packet[4] !== 0 || packet[5] !== 1) return undefined
  let exact = true
  for (let at = HEADER_OCTETS; at < end; at += 1) {
    const [is, was] = [byteAt(packet, at), byteAt(query, at)]
    if (is === was) continue
    if (at >= end - 4 || !isLetter(is) || (is ^ was) !== 0x20) return undefined
    exact = false
  }
  try {
    return { message: decodeMessage(packet), exact }
  } catch (error) {
    if (error instanceof WireError) return undefined
    throw error
  }
}

function nameEnd(wire: Uint8Array): number {
  let at = HEADER_OCTETS
  for (let length = byteAt(wire, at); length !== 0; length = byteAt(wire, at)) at += 1 + length
  return at + 1
}

/** One random bit per letter. Length octets are below 64, where there are no letters. */
function mixCase(wire: Uint8Array, end: number, bits: Uint8Array): void {
  for (let at = HEADER_OCTETS; at < end; at += 1) {
    const octet = byteAt(wire, at)
    if (isLetter(octet) && (byteAt(bits, at) & 1) === 1) wire[at] = octet ^ 0x20
  }
}

const isLetter = (octet: number): boolean =>
  (octet >= 0x41 && octet <= 0x5a) || (octet >= 0x61 && octet <= 0x7a)
