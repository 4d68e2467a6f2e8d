// EDNS(0): the OPT pseudo record (RFC 6891 §6.1).

import { META_TYPE } from './codes.ts'
import { WireError } from './errors.ts'
import type { Reader, Writer } from './wire.ts'

/** An EDNS option (RFC 6891 §6.1.2). */
export interface EdnsOption {
  readonly code: number
  readonly data: Uint8Array
}

/** The content of an OPT record without the upper bits of the response code, which are in Message.rcode. */
export interface Edns {
  /** Largest UDP payload that the sender accepts, in octets; values below 512 mean 512 (RFC 6891 §6.2.3). */
  readonly udpPayloadSize: number
  /** 0 is the only one defined. */
  readonly version: number
  /** The sender wants DNSSEC records (RFC 3225 §3). */
  readonly dnssecOk: boolean
  readonly options: readonly EdnsOption[]
}

/** Reads an OPT record after its owner and type. @throws WireError */
export function readOpt(reader: Reader): { edns: Edns; extendedRcode: number } {
  const udpPayloadSize = reader.u16()
  const extendedRcode = reader.u8()
  const version = reader.u8()
  const dnssecOk = (reader.u16() & 0x8000) !== 0
  const rdata = reader.part(reader.u16())
  const options: EdnsOption[] = []
  while (rdata.remaining > 0) options.push({ code: rdata.u16(), data: rdata.bytes(rdata.u16()) })
  return { edns: { udpPayloadSize, version, dnssecOk, options }, extendedRcode }
}

/** Writes a whole OPT record; `rcode` is the full response code, whose upper eight bits go into it. */
export function writeOpt(writer: Writer, edns: Edns, rcode: number): void {
  if (rcode > 0xfff) throw new WireError('wire.value', writer.offset, 'a response code has 12 bits')
  writer.u8(0) // the root
  writer.u16(META_TYPE.OPT)
  writer.u16(edns.udpPayloadSize)
  writer.u8(rcode >> 4)
  writer.u8(edns.version)
  writer.u16(edns.dnssecOk ? 0x8000 : 0)
  writer.counted(() => {
    for (const option of edns.options) {
      writer.u16(option.code)
      writer.counted(() => writer.bytes(option.data))
    }
  })
}
