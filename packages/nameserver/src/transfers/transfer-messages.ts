// Splits a sequence of records into the messages of one answer (RFC 5936 §2.2, RFC 1995 §4). Names are those of the
// zone's nodes and point to the question, which is the apex, so that compression needs no lookups.
import { byteAt, META_TYPE, RCODE, uint16At, type EdnsOption, type Message } from '@zonereeve/dns'
import { RDATA_OFFSET, type Rrset } from '../rrset.ts'

/** An rrset and the key of its owner. */
export interface OwnedRrset {
  readonly key: string
  readonly rrset: Rrset
}

/** Records as they become available; undefined: the next ones are being built, and the reader should yield first. */
export type ComingRrsets = Iterable<OwnedRrset | undefined>

/** Octets of a message, unless a single record takes more: few system calls, and short turns. */
const DEFAULT_MESSAGE_OCTETS = 16_384
const HEADER_OCTETS = 12
const OPT_OCTETS = 11
const MAX_OCTETS = 65_535
const OPTION_HEAD_OCTETS = 4

export interface TransferAnswer {
  readonly request: Message
  /** The question in wire form, as received. */
  readonly question: Uint8Array
  readonly records: ComingRrsets
  /** Options of the OPT record, which the first message has if the request had one (RFC 5936 §2.2.5). */
  readonly options: readonly EdnsOption[]
  readonly udpPayloadOctets: number
  /** Octets that a signature will need. */
  readonly reservedOctets: number
}

/**
 * Yields messages, and undefined while records are being built. @throws RangeError for a record that fits no message
 */
export function* transferMessages(
  answer: TransferAnswer,
): Generator<Uint8Array | undefined, void, undefined> {
  const { question, records, reservedOctets } = answer
  const start = HEADER_OCTETS + question.length
  const out = Buffer.alloc(MAX_OCTETS)
  out.set(question, HEADER_OCTETS)
  let at = start
  let count = 0
  let isFirst = true
  const most = MAX_OCTETS - reservedOctets - optOctets(answer)

  for (const owned of records) {
    if (owned === undefined) {
      yield undefined
      continue
    }
    const { key, rrset } = owned
    const { wire } = rrset
    for (let from = 0; from < wire.length;) {
      const octets = RDATA_OFFSET + uint16At(wire, from + 10)
      const end = at + key.length + octets
      if (count > 0 && end > DEFAULT_MESSAGE_OCTETS) {
        yield finish()
        continue
      }
      if (end > most) throw new RangeError('a record fits no message')
      out.write(key, at, 'latin1')
      out.set(wire.subarray(from, from + octets), at + key.length)
      at = end
      from += octets
      count += 1
    }
  }
  yield finish()

  function finish(): Uint8Array {
    const end = isFirst ? writeOpt(out, at, answer) : at
    writeHeader(out, answer.request, count, end > at ? 1 : 0)
    const message = new Uint8Array(out.subarray(0, end))
    at = start
    count = 0
    isFirst = false
    return message
  }
}

function writeHeader(out: Buffer, request: Message, answers: number, additionals: number): void {
  out.writeUInt16BE(request.id, 0)
  out.writeUInt16BE(0x8400 | (request.rd ? 0x0100 : 0) | RCODE.NOERROR, 2) // QR, AA
  out.writeUInt16BE(1, 4)
  out.writeUInt16BE(answers, 6)
  out.writeUInt16BE(0, 8)
  out.writeUInt16BE(additionals, 10)
}

function optOctets({ request, options }: TransferAnswer): number {
  if (request.edns === undefined) return 0
  return options.reduce((octets, { data }) => octets + OPTION_HEAD_OCTETS + data.length, OPT_OCTETS)
}

function writeOpt(out: Buffer, at: number, answer: TransferAnswer): number {
  if (answer.request.edns === undefined) return at
  out.fill(0, at, at + OPT_OCTETS)
  out.writeUInt16BE(META_TYPE.OPT, at + 1)
  out.writeUInt16BE(answer.udpPayloadOctets, at + 3)
  out.writeUInt16BE(optOctets(answer) - OPT_OCTETS, at + 9)
  let end = at + OPT_OCTETS
  for (const { code, data } of answer.options) {
    out.writeUInt16BE(code, end)
    out.writeUInt16BE(data.length, end + 2)
    out.set(data, end + OPTION_HEAD_OCTETS)
    end += OPTION_HEAD_OCTETS + data.length
  }
  return end
}

/** Octets of the question of a message that has one. Its name is not compressed, because no name precedes it. */
export function questionOctets(message: Uint8Array): Uint8Array {
  let end = HEADER_OCTETS
  while (byteAt(message, end) !== 0) end += 1 + byteAt(message, end)
  return message.subarray(HEADER_OCTETS, end + 5)
}
