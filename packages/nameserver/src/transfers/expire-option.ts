// The EDNS option EXPIRE (RFC 7314): how long a copy of a zone stays valid without its primary.
import { Reader, type EdnsOption } from '@zonereeve/dns'

/** RFC 7314 §2. */
export const EXPIRE_OPTION = 9

/** Octets of the option with its value. */
export const EXPIRE_OCTETS = 8

/** @param seconds 0..2^32-1. */
export function expireOption(seconds: number): EdnsOption {
  const data = new Uint8Array(4)
  new DataView(data.buffer).setUint32(0, seconds)
  return { code: EXPIRE_OPTION, data }
}

/** Adds an option to a reply whose last record is an OPT record, as in all our replies to EDNS. */
export function withOption(reply: Uint8Array, { code, data }: EdnsOption): Uint8Array {
  const lengthAt = lastLengthAt(reply)
  const longer = new Uint8Array(reply.length + 4 + data.length)
  longer.set(reply)
  const view = new DataView(longer.buffer)
  view.setUint16(lengthAt, reply.length - lengthAt - 2 + 4 + data.length)
  view.setUint16(reply.length, code)
  view.setUint16(reply.length + 2, data.length)
  longer.set(data, reply.length + 4)
  return longer
}

/** Returns the offset of the length of the last record's RDATA. */
function lastLengthAt(reply: Uint8Array): number {
  const reader = new Reader(reply)
  reader.bytes(4)
  const questions = reader.u16()
  const records = reader.u16() + reader.u16() + reader.u16()
  for (let i = 0; i < questions; i += 1) {
    reader.name()
    reader.bytes(4)
  }
  let at = reader.offset
  for (let i = 0; i < records; i += 1) {
    reader.name()
    reader.bytes(8)
    at = reader.offset
    reader.bytes(reader.u16())
  }
  return at
}
