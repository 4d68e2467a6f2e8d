// One question to a nameserver, and which packets answer it (RFC 5452 §9; mixed case: draft-vixie-dnsext-dns0x20).
import { CLASS, decodeMessage, encodeMessage, plainMessage, WireError } from '@zonereeve/dns'
import type { Message, Name } from '@zonereeve/dns'

/** Octets of a message header. */
const HEADER_OCTETS = 12

/** Largest UDP answer asked for: avoids fragments, which can be forged (DNS flag day 2020). */
const UDP_PAYLOAD_OCTETS = 1232

/** Random octets; crypto's in the program. */
export type Random = (octets: number) => Uint8Array

export interface Asked {
  readonly name: Name
  readonly type: number
  /** Without, for servers that refuse EDNS (RFC 6891 §6.2.2). */
  readonly edns: boolean
  /** Whether the server is to ask others on our behalf. */
  readonly recursion: boolean
}

/**
 * An answer. It is not `exact` when its question is spelled in other case than ours: honest servers do that too, but it
 * may be forged, so it is worth asking again where nobody can forge.
 */
export interface Reply {
  readonly message: Message
  readonly exact: boolean
}

export interface Question {
  readonly wire: Uint8Array
  /** The packet as the answer to this question; undefined for any other, everything malformed or forged among them. */
  read(packet: Uint8Array): Reply | undefined
}

/** Makes a question with a random id and the case of its name's letters mixed. */
export function createQuestion({ name, type, edns, recursion }: Asked, random: Random): Question {
  const [high = 0, low = 0] = random(2)
  const wire = encodeMessage(
    plainMessage({
      id: (high << 8) | low,
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

function readReply(packet: Uint8Array, asked: Uint8Array, end: number): Reply | undefined {
  const sameId = packet.length >= end && packet[0] === asked[0] && packet[1] === asked[1]
  if (!sameId || ((packet[2] ?? 0) & 0xf8) !== 0x80) return undefined // a response, to a query
  if (packet[4] !== 0 || packet[5] !== 1) return undefined
  let exact = true
  for (let at = HEADER_OCTETS; at < end; at += 1) {
    const [is, was] = [packet[at] ?? 0, asked[at] ?? 0]
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
  while ((wire[at] ?? 0) !== 0) at += 1 + (wire[at] ?? 0)
  return at + 1
}

/** One random bit a letter. Length octets are below 64, where no letters are. */
function mixCase(wire: Uint8Array, end: number, bits: Uint8Array): void {
  for (let at = HEADER_OCTETS; at < end; at += 1) {
    const octet = wire[at] ?? 0
    if (isLetter(octet) && ((bits[at] ?? 0) & 1) === 1) wire[at] = octet ^ 0x20
  }
}

const isLetter = (octet: number): boolean =>
  (octet >= 0x41 && octet <= 0x5a) || (octet >= 0x61 && octet <= 0x7a)
