// Messages that are more than questions for data: transfers, notifications, and all that is signed. The hot path only
// tells them apart; whoever is given as the exchange takes its time with them.
import { META_TYPE, OPCODE } from '@zonereeve/dns'
import { OPTION } from './edns.ts'
import type { Peer } from './peer.ts'
import { HEADER_OCTETS, skipName, u16 } from './query.ts'

/** One message, several that are asked for one by one (over TCP and TLS alone), or none. */
export type Answered = Uint8Array | Messages | undefined

/** Message after message; undefined: the next is being made, and others have a turn first. */
export type Messages = Iterator<Uint8Array | undefined>

export interface Exchange {
  /** Must not throw. `message` is the exchange's own to keep. */
  answer(message: Uint8Array, peer: Peer): Answered
}

/** Octets from the start of an OPT record without an owner's labels to its length. */
const OPT_LENGTH_AT = 9
const SOA = 6

/**
 * Whether a message is for the exchange: a notification, a question for a transfer, a signed one, or one for an SOA
 * with the EXPIRE option (RFC 7314). A malformed message is not.
 */
export function isExchange(packet: Uint8Array, length: number): boolean {
  if (length < HEADER_OCTETS || (u16(packet, 2) & 0x8000) !== 0) return false
  const opcode = (u16(packet, 2) >> 11) & 0xf
  if (opcode === OPCODE.NOTIFY) return true
  if (opcode !== OPCODE.QUERY || u16(packet, 4) !== 1) return false
  const nameEnd = skipName(packet, HEADER_OCTETS, length)
  if (nameEnd === -1 || nameEnd + 4 > length) return false
  const type = u16(packet, nameEnd)
  if (type === META_TYPE.AXFR || type === META_TYPE.IXFR) return true
  const additionals = u16(packet, 10)
  if (additionals === 0) return false
  const first = nameEnd + 4
  // By far most have an OPT record there, and nothing else.
  if (additionals === 1 && u16(packet, 6) + u16(packet, 8) === 0 && u16(packet, first + 1) === META_TYPE.OPT)
    return type === SOA && hasExpire(packet, first + OPT_LENGTH_AT, length)
  return hasTsig(packet, length, first)
}

/** A signature in a wrong place makes the message malformed, which whoever reads it says (RFC 8945 §5.1). */
function hasTsig(packet: Uint8Array, length: number, start: number): boolean {
  const records = u16(packet, 6) + u16(packet, 8) + u16(packet, 10)
  for (let i = 0, at = start; i < records; i += 1) {
    const afterName = skipName(packet, at, length)
    if (afterName === -1 || afterName + 10 > length) return false
    if (u16(packet, afterName) === META_TYPE.TSIG) return true
    at = afterName + 10 + u16(packet, afterName + 8)
  }
  return false
}

/** @param at where the length of an OPT record's rdata stands. */
function hasExpire(packet: Uint8Array, at: number, length: number): boolean {
  const end = Math.min(length, at + 2 + u16(packet, at))
  for (let option = at + 2; option + 4 <= end; option += 4 + u16(packet, option + 2))
    if (u16(packet, option) === OPTION.EXPIRE) return true
  return false
}
