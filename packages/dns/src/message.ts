// Whole DNS messages (RFC 1035 §4.1), with EDNS(0) separated from the additional section (RFC 6891).

import { META_TYPE, OPCODE, RCODE } from './codes.ts'
import { readOpt, writeOpt } from './edns.ts'
import type { Edns } from './edns.ts'
import { WireError } from './errors.ts'
import type { Name } from './name.ts'
import { ROOT } from './name.ts'
import { readRdata, writeRdata } from './rdata/define.ts'
import { recordTypeByCode } from './rdata/registry.ts'
import { MAX_MESSAGE_OCTETS, Reader, Writer } from './wire.ts'

/** Header fields and flags (RFC 1035 §4.1.1; AD and CD: RFC 4035 §3.1.6). */
export interface Header {
  /** 16 bits. */
  readonly id: number
  /** Whether it is a response. */
  readonly qr: boolean
  readonly opcode: number
  /** Authoritative answer. */
  readonly aa: boolean
  /** Truncated. */
  readonly tc: boolean
  readonly rd: boolean
  readonly ra: boolean
  readonly ad: boolean
  readonly cd: boolean
  /** All 12 bits, the upper eight from EDNS. */
  readonly rcode: number
}

/** An entry of the question section. */
export interface Question {
  readonly name: Name
  readonly type: number
  readonly class: number
}

/** A resource record; unknown types keep their octets (RFC 3597 §3). */
export interface ResourceRecord {
  readonly name: Name
  readonly type: number
  readonly class: number
  /** Seconds, as sent: readers treat values over 2^31-1 as 0 (RFC 2181 §8). */
  readonly ttl: number
  /** Names decompressed. Empty in updates and prerequisites (RFC 2136 §2.4). */
  readonly rdata: Uint8Array
}

/** A message. `edns` is absent if there is no OPT record. */
export interface Message extends Header {
  readonly questions: readonly Question[]
  readonly answers: readonly ResourceRecord[]
  readonly authorities: readonly ResourceRecord[]
  readonly additionals: readonly ResourceRecord[]
  readonly edns?: Edns
}

/**
 * A message with the given fields; the others are those of a query without flags and without records (RFC 1035 §4.1).
 *
 * @param given `id` has 16 bits; everything else as in Message.
 */
export function plainMessage(given: Partial<Message> & Pick<Message, 'id'>): Message {
  return {
    qr: false,
    opcode: OPCODE.QUERY,
    aa: false,
    tc: false,
    rd: false,
    ra: false,
    ad: false,
    cd: false,
    rcode: RCODE.NOERROR,
    questions: [],
    answers: [],
    authorities: [],
    additionals: [],
    ...given,
  }
}

/** Reads a message. @throws WireError for anything malformed, two OPT records or octets after the end. */
export function decodeMessage(octets: Uint8Array): Message {
  const reader = new Reader(octets)
  const id = reader.u16()
  const flags = reader.u16()
  const [questions, answers, authorities, additionals] = [
    reader.u16(),
    reader.u16(),
    reader.u16(),
    reader.u16(),
  ]
  const opt: { edns?: Edns; extendedRcode: number } = { extendedRcode: 0 }
  const message = {
    ...headerFromFlags(id, flags),
    questions: times(questions, () => readQuestion(reader)),
    answers: times(answers, () => readRecord(reader)),
    authorities: times(authorities, () => readRecord(reader)),
    additionals: readAdditionals(reader, additionals, opt),
  }
  reader.done()
  const rcode = message.rcode | (opt.extendedRcode << 4)
  return opt.edns === undefined ? message : { ...message, rcode, edns: opt.edns }
}

/**
 * Writes a message, names compressed where allowed. The OPT record goes last.
 * @throws WireError for values that do not fit, more than 65535 octets, or a response code over 15 without EDNS
 */
export function encodeMessage(message: Message): Uint8Array {
  const writer = new Writer({ compression: true })
  const { questions, answers, authorities, additionals, edns } = message
  if (edns === undefined && message.rcode > 15)
    throw new WireError('wire.edns', 2, 'this response code needs EDNS')
  writer.u16(message.id)
  writer.u16(flagsOf(message))
  for (const count of [questions, answers, authorities]) writer.u16(count.length)
  writer.u16(additionals.length + (edns === undefined ? 0 : 1))
  for (const question of questions) {
    writer.name(question.name)
    writer.u16(question.type)
    writer.u16(question.class)
  }
  for (const record of [...answers, ...authorities, ...additionals]) writeRecord(writer, record)
  if (edns !== undefined) writeOpt(writer, edns, message.rcode)
  if (writer.offset > MAX_MESSAGE_OCTETS) throw new WireError('wire.too-long', 0, 'the message is too long')
  return writer.finish()
}

function headerFromFlags(id: number, flags: number): Header {
  const bit = (mask: number): boolean => (flags & mask) !== 0
  return {
    id,
    qr: bit(0x8000),
    opcode: (flags >> 11) & 0xf,
    aa: bit(0x0400),
    tc: bit(0x0200),
    rd: bit(0x0100),
    ra: bit(0x0080),
    ad: bit(0x0020),
    cd: bit(0x0010),
    rcode: flags & 0xf,
  }
}

function flagsOf(header: Header): number {
  if (header.opcode > 15) throw new WireError('wire.value', 2, 'an operation code has 4 bits')
  const bit = (on: boolean, mask: number): number => (on ? mask : 0)
  return (
    bit(header.qr, 0x8000) |
    (header.opcode << 11) |
    bit(header.aa, 0x0400) |
    bit(header.tc, 0x0200) |
    bit(header.rd, 0x0100) |
    bit(header.ra, 0x0080) |
    bit(header.ad, 0x0020) |
    bit(header.cd, 0x0010) |
    (header.rcode & 0xf)
  )
}

function readQuestion(reader: Reader): Question {
  return { name: reader.name(), type: reader.u16(), class: reader.u16() }
}

function readRecord(reader: Reader): ResourceRecord {
  return readRecordAfterType(reader, reader.name(), reader.u16())
}

function readRecordAfterType(reader: Reader, name: Name, type: number): ResourceRecord {
  const recordClass = reader.u16()
  const ttl = reader.u32()
  const rdata = plainRdata(type, reader.part(reader.u16()))
  return { name, type, class: recordClass, ttl, rdata }
}

/**
 * Types whose names may be compressed in received messages: NS, CNAME, SOA, PTR, MX, RP, SRV, NAPTR (RFC 3597 §4) and
 * DNAME. The rdata of all others is passed through, so that formats unknown to us are preserved.
 */
const COMPRESSIBLE: ReadonlySet<number> = new Set([2, 5, 6, 12, 15, 17, 33, 35, 39])
/** The same and MINFO, AFSDB, RT, PX, which old servers compress and we do not (RFC 3597 §4). */
const DECOMPRESSED: ReadonlySet<number> = new Set([...COMPRESSIBLE, 14, 18, 21, 26])

/** Rdata without compression. Empty rdata stays as it is: updates name whole rrsets by it (RFC 2136 §2.5.2). */
function plainRdata(code: number, rdata: Reader): Uint8Array {
  const type = DECOMPRESSED.has(code) && rdata.remaining > 0 ? recordTypeByCode(code) : undefined
  if (type === undefined) return rdata.rest()
  const value = type.read(rdata)
  rdata.done()
  return writeRdata(type, value)
}

function readAdditionals(
  reader: Reader,
  count: number,
  opt: { edns?: Edns; extendedRcode: number },
): ResourceRecord[] {
  const records: ResourceRecord[] = []
  for (let i = 0; i < count; i += 1) {
    const at = reader.offset
    const name = reader.name()
    const type = reader.u16()
    if (type !== META_TYPE.OPT) records.push(readRecordAfterType(reader, name, type))
    else if (opt.edns !== undefined) throw new WireError('wire.edns', at, 'more than one OPT record')
    else if (name !== ROOT) throw new WireError('wire.edns', at, 'the OPT record must be owned by the root')
    else Object.assign(opt, readOpt(reader))
  }
  return records
}

function writeRecord(writer: Writer, record: ResourceRecord): void {
  writer.name(record.name)
  writer.u16(record.type)
  writer.u16(record.class)
  writer.u32(record.ttl)
  const isPlain = record.rdata.length === 0 || !COMPRESSIBLE.has(record.type)
  const type = isPlain ? undefined : recordTypeByCode(record.type)
  writer.counted(() => {
    if (type === undefined) writer.bytes(record.rdata)
    else type.write(writer, readRdata(type, record.rdata))
  })
}

function times<T>(count: number, read: () => T): T[] {
  return Array.from({ length: count }, read)
}
