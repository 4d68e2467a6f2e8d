// Messages that are more than questions for data: transfers, notifications, and all that is signed. The hot path only
// tells them apart; whoever is given as the exchange takes its time with them.
import { META_TYPE, OPCODE, rcodeText } from '@zonereeve/dns'
import type { Peer } from './peer.ts'
import { HEADER_OCTETS, skipName, u16 } from './query.ts'

export interface Client extends Peer {
  readonly port: number
}

/** One message, now or later, several that are asked for one by one (over a stream alone), or none. */
export type Answered = Uint8Array | Promise<Uint8Array> | Iterator<Uint8Array> | undefined

export interface Exchange {
  /** Must not throw, nor may what it promises reject. `message` is the exchange's own to keep. */
  answer(message: Uint8Array, client: Client): Answered
}

/** Mnemonic of the response code in the header of an answer. */
export const rcodeOf = (message: Uint8Array): string => rcodeText((message[3] ?? 0) & 0xf)

/** Whether a message is for the exchange: a notification, an update, a question for a transfer, or a signed one. */
export function isExchange(packet: Uint8Array, length: number): boolean {
  if (length < HEADER_OCTETS || (u16(packet, 2) & 0x8000) !== 0) return false
  const opcode = (u16(packet, 2) >> 11) & 0xf
  if (opcode === OPCODE.NOTIFY || opcode === OPCODE.UPDATE) return true
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
    return false
  return endsWithTsig(packet, length, first)
}

function endsWithTsig(packet: Uint8Array, length: number, start: number): boolean {
  const records = u16(packet, 6) + u16(packet, 8) + u16(packet, 10)
  let type = 0
  for (let i = 0, at = start; i < records; i += 1) {
    const afterName = skipName(packet, at, length)
    if (afterName === -1 || afterName + 10 > length) return false
    type = u16(packet, afterName)
    at = afterName + 10 + u16(packet, afterName + 8)
  }
  return type === META_TYPE.TSIG
}
