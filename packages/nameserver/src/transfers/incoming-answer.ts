// Reads the answer to AXFR and IXFR record by record (RFC 5936 §2.2, RFC 1995 §4). Records out of order, of another
// class or zone, or beyond the limits end the transfer, and nothing of it is used.
import {
  decodeRdata,
  isAtOrBelow,
  isDataType,
  OPCODE,
  RCODE,
  rcodeText,
  serialAfter,
  typeText,
  type Message,
  type Name,
  type ResourceRecord,
  type Soa,
} from '@zonereeve/dns'
import { TYPE } from '../rrset.ts'

export interface TransferredRecord {
  readonly name: Name
  readonly type: number
  readonly ttlSeconds: number
  readonly rdata: Uint8Array
}

export interface TransferredStep {
  readonly removed: readonly TransferredRecord[]
  readonly added: readonly TransferredRecord[]
}

/** A complete transfer. */
export type ReceivedTransfer =
  | { readonly kind: 'current' }
  | {
      readonly kind: 'zone'
      readonly soa: Soa
      readonly soaTtlSeconds: number
      /** The serial that a difference starts from. */
      readonly fromSerial: number | undefined
      readonly contents:
        | { readonly kind: 'whole'; readonly records: readonly TransferredRecord[] }
        | { readonly kind: 'difference'; readonly steps: readonly TransferredStep[] }
    }

/** Why an answer is not used. The message is shown to users. */
export class TransferFault extends Error {
  override readonly name = 'TransferFault'
}

export interface AnswerLimits {
  readonly records: number
  readonly octets: number
}

export interface AnswerReader {
  /** Takes the next message. @returns the transfer once it is complete. @throws TransferFault */
  take(message: Message, octets: number): ReceivedTransfer | undefined
}

interface OpenStep {
  readonly removed: TransferredRecord[]
  readonly added: TransferredRecord[]
}

/** @param fromSerial the serial of an IXFR request; undefined for an AXFR. */
export function createAnswerReader(
  {
    id,
    apex,
    fromSerial,
  }: { readonly id: number; readonly apex: Name; readonly fromSerial: number | undefined },
  limits: AnswerLimits,
): AnswerReader {
  const steps: OpenStep[] = []
  const records: TransferredRecord[] = []
  let first: { readonly soa: Soa; readonly ttlSeconds: number } | undefined
  /** The kind of records that come next; `undecided` after the first SOA. */
  let part: 'undecided' | 'whole' | 'removed' | 'added' | 'done' = 'undecided'
  let serial = 0
  let count = 0
  let octetCount = 0

  return { take }

  function take(message: Message, octets: number): ReceivedTransfer | undefined {
    octetCount += octets
    count += message.answers.length
    if (octetCount > limits.octets) throw new TransferFault(`more than ${limits.octets} octets were sent`)
    if (count > limits.records) throw new TransferFault(`more than ${limits.records} records were sent`)
    requireAnswer(message, { id, apex })
    if (message.answers.length === 0) throw new TransferFault('a message without records was sent')
    for (const record of message.answers) takeRecord(record)
    if (part === 'done') return result()
    // A single SOA means that there is nothing new (RFC 1995 §4); over TCP a newer SOA may be followed by more
    // messages.
    const isCurrent =
      part === 'undecided' &&
      first !== undefined &&
      fromSerial !== undefined &&
      !serialAfter(first.soa.serial, fromSerial)
    return isCurrent ? { kind: 'current' } : undefined
  }

  function takeRecord(record: ResourceRecord): void {
    if (part === 'done') throw new TransferFault('records follow the last SOA')
    if (record.class !== 1) throw new TransferFault(`a record of class ${record.class} was sent`)
    if (!isAtOrBelow(record.name, apex)) throw new TransferFault(`${record.name} is not in the zone`)
    if (!isDataType(record.type))
      throw new TransferFault(`a record of type ${typeText(record.type)} was sent`)
    if (record.type === TYPE.SOA) return takeSoa(record)
    if (first === undefined) throw new TransferFault('the first record is not the SOA')
    if (part === 'undecided') part = 'whole'
    const { name, type, ttl: ttlSeconds, rdata } = record
    const value = { name, type, ttlSeconds, rdata }
    if (part === 'whole') records.push(value)
    else steps.at(-1)?.[part === 'removed' ? 'removed' : 'added'].push(value)
  }

  function takeSoa({ name, rdata, ttl }: ResourceRecord): void {
    if (name !== apex) throw new TransferFault(`an SOA at ${name}, which is not the apex, was sent`)
    const soa = decodeRdata('SOA', rdata)
    if (first === undefined) {
      first = { soa, ttlSeconds: ttl }
    } else if (part === 'whole' || (part === 'undecided' && soa.serial === first.soa.serial)) {
      if (soa.serial !== first.soa.serial) throw new TransferFault('the zone changed while it was sent')
      part = 'done'
    } else if (part === 'undecided') {
      if (soa.serial !== fromSerial) throw new TransferFault(`the difference is from ${soa.serial}`)
      begin(soa.serial)
    } else if (part === 'removed') {
      if (!serialAfter(soa.serial, serial)) throw new TransferFault('the difference goes back')
      serial = soa.serial
      part = 'added'
    } else if (soa.serial !== serial)
      throw new TransferFault('the parts of the difference are not contiguous')
    else if (serial === first.soa.serial) part = 'done'
    else begin(serial)
  }

  function begin(from: number): void {
    serial = from
    steps.push({ removed: [], added: [] })
    part = 'removed'
  }

  function result(): ReceivedTransfer {
    if (first === undefined) throw new TransferFault('the first record is not the SOA')
    const isDifference = steps.length > 0
    return {
      kind: 'zone',
      soa: first.soa,
      soaTtlSeconds: first.ttlSeconds > MAX_TTL_SECONDS ? 0 : first.ttlSeconds,
      fromSerial: isDifference ? fromSerial : undefined,
      contents: isDifference ? { kind: 'difference', steps } : { kind: 'whole', records },
    }
  }
}

/** RFC 2181 §8. */
const MAX_TTL_SECONDS = 0x7fff_ffff

/** Reads the serial from the answer to an SOA query. @throws TransferFault */
export function readSerial(message: Message, query: { readonly id: number; readonly apex: Name }): number {
  requireAnswer(message, query)
  const soa = message.answers.find(({ type, name }) => type === TYPE.SOA && name === query.apex)
  if (!message.aa || soa === undefined) throw new TransferFault('the primary does not answer for the zone')
  return decodeRdata('SOA', soa.rdata).serial
}

/** @throws TransferFault if it is no answer to the query, or a refusal. */
function requireAnswer(message: Message, { id, apex }: { readonly id: number; readonly apex: Name }): void {
  const { qr, opcode, rcode, tc, questions } = message
  if (!qr || message.id !== id || opcode !== OPCODE.QUERY || tc)
    throw new TransferFault('the reply does not match the query')
  if (rcode !== RCODE.NOERROR) throw new TransferFault(`the primary answers ${rcodeText(rcode)}`)
  // Messages after the first may have no question (RFC 5936 §2.2.1).
  if (questions.some(({ name }) => name !== apex)) throw new TransferFault('another zone was sent')
}
