// Messages that are more than questions for data: transfers, notifications, and all signed messages. The hot path
// only recognizes them; the message handler processes them outside of it.
import { META_TYPE, OPCODE } from '@zonereeve/dns'
import { OPTION } from './edns.ts'
import type { Peer } from './peer.ts'
import { HEADER_OCTETS, skipName, u16 } from './query.ts'

/** One message, or several that are pulled one by one (TCP and TLS only), or none. */
export type Answered = Uint8Array | Messages | undefined
/** The same from another thread; the promise of it does not reject. */
export type RemoteAnswered = Uint8Array | RemoteMessages | undefined

/**
 * An iterator of messages. undefined: the next one is still being made, and other work runs first. If the next one
 * fails, the connection is closed.
 */
export type Messages = Iterator<Uint8Array | undefined>

export type RemoteMessages = AsyncIterator<Uint8Array | undefined>

export interface MessageHandler {
  /** Must not throw. The handler may keep `message`. */
  answer(message: Uint8Array, peer: Peer): Answered
}

/** In this thread or in another one. */
export interface AnyMessageHandler {
  answer(message: Uint8Array, peer: Peer): Answered | Promise<RemoteAnswered>
}

/** In another thread, so that its answers take a while. */
export interface RemoteMessageHandler extends AnyMessageHandler {
  answer(message: Uint8Array, peer: Peer): Promise<RemoteAnswered>
}

/** Offset of the length in an OPT record, whose owner is the root. */
const OPT_LENGTH_AT = 9
const SOA = 6

/**
 * Whether a message is for the message handler: a notification, a transfer request, a signed message, or an SOA query
 * with the EXPIRE option (RFC 7314). A malformed message is not.
 */
export function needsMessageHandler(packet: Uint8Array, length: number): boolean {
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
  // Most queries have exactly one OPT record and nothing else.
  if (additionals === 1 && u16(packet, 6) + u16(packet, 8) === 0 && u16(packet, first + 1) === META_TYPE.OPT)
    return type === SOA && hasExpire(packet, first + OPT_LENGTH_AT, length)
  return hasTsig(packet, length, first)
}

/** A signature in a wrong place makes the message malformed; its reader rejects it (RFC 8945 §5.1). */
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

/** @param at offset of the rdata length of an OPT record. */
function hasExpire(packet: Uint8Array, at: number, length: number): boolean {
  const end = Math.min(length, at + 2 + u16(packet, at))
  for (let option = at + 2; option + 4 <= end; option += 4 + u16(packet, option + 2))
    if (u16(packet, option) === OPTION.EXPIRE) return true
  return false
}
