// The data types of SPOP, the protocol between HAProxy and its agents: variable-length integers, typed values, and
// lists of them. HAProxy 2.6, doc/SPOE.txt, section 3.1.
import type { Bytes, HeaderLine } from '@zonereeve/expr'

/** Status codes of DISCONNECT frames. */
export const SPOP_STATUS = {
  normal: 0,
  frameTooBig: 3,
  invalidFrame: 4,
  versionMissing: 5,
  frameSizeMissing: 6,
  capabilitiesMissing: 7,
  unsupportedVersion: 8,
  badFrameSize: 9,
  fragmentation: 10,
  unknown: 99,
} as const

/** A frame that the agent refuses; the connection ends with the status. */
export class SpopError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Strings have one character for each octet. */
export type SpopValue =
  | { readonly type: 'null' }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'int32' | 'uint32' | 'int64' | 'uint64'; readonly value: bigint }
  | { readonly type: 'ipv4' | 'ipv6' | 'binary'; readonly value: Uint8Array }
  | { readonly type: 'string'; readonly value: Bytes }

export type SpopPair = readonly [name: Bytes, value: SpopValue]

const TYPES = [
  'null',
  'boolean',
  'int32',
  'uint32',
  'int64',
  'uint64',
  'ipv4',
  'ipv6',
  'string',
  'binary',
] as const
const TYPE_MASK = 0x0f
const TRUE_FLAG = 0x10
const ADDRESS_BYTES = { ipv4: 4, ipv6: 16 } as const

/** Smallest value that needs a second octet; its four low bits are in the first one. */
const LONG_FORM = 240
const FIRST_BITS = 4
const NEXT_BITS = 7
const CONTINUED = 0x80
const INTEGER_BITS = 64
const OCTET = 0xff

const createEndError = (): SpopError => new SpopError(SPOP_STATUS.invalidFrame, 'the frame ends too early')

/** Reads one value after the other. All functions throw SpopError if the octets end, or mean nothing. */
export function createReader(octets: Buffer) {
  let position = 0
  return { isAtEnd, octet, take, rest, integer, text, value, pairs, headerLines }

  function isAtEnd(): boolean {
    return position >= octets.length
  }

  function octet(): number {
    const found = octets[position]
    if (found === undefined) throw createEndError()
    position += 1
    return found
  }

  /** @returns where the octets begin. */
  function skip(length: number): number {
    if (length > octets.length - position) throw createEndError()
    position += length
    return position - length
  }

  /** A view, not a copy. */
  function take(length: number): Buffer {
    const start = skip(length)
    return octets.subarray(start, position)
  }

  function rest(): Buffer {
    return take(octets.length - position)
  }

  /** Unsigned, at most 64 bits. */
  function integer(): bigint {
    const first = octet()
    return first < LONG_FORM ? BigInt(first) : longInteger(first)
  }

  function longInteger(first: number): bigint {
    let sum = BigInt(first)
    for (let shift = FIRST_BITS; ; shift += NEXT_BITS) {
      const next = octet()
      sum += BigInt(next) << BigInt(shift)
      if (sum >> BigInt(INTEGER_BITS) > 0n)
        throw new SpopError(SPOP_STATUS.invalidFrame, 'an integer has more than 64 bits')
      if (next < CONTINUED) return sum
      if (shift > INTEGER_BITS) throw new SpopError(SPOP_STATUS.invalidFrame, 'an integer is too long')
    }
  }

  /** Nearly all have one octet or two, which need no large integers. */
  function length(): number {
    const first = octet()
    if (first < LONG_FORM) return first
    const next = octets[position]
    if (next !== undefined && next < CONTINUED) {
      position += 1
      return first + (next << FIRST_BITS)
    }
    const found = longInteger(first)
    if (found > BigInt(octets.length)) throw createEndError()
    return Number(found)
  }

  function text(): Bytes {
    const start = skip(length())
    return octets.toString('latin1', start, position)
  }

  function value(): SpopValue {
    const tag = octet()
    const type = TYPES[tag & TYPE_MASK]
    if (type === undefined)
      throw new SpopError(SPOP_STATUS.invalidFrame, `data type ${tag & TYPE_MASK} is not defined`)
    switch (type) {
      case 'null':
        return { type }
      case 'boolean':
        return { type, value: (tag & TRUE_FLAG) !== 0 }
      case 'int32':
      case 'int64':
        return { type, value: BigInt.asIntN(type === 'int32' ? 32 : INTEGER_BITS, integer()) }
      case 'uint32':
      case 'uint64':
        return { type, value: BigInt.asUintN(type === 'uint32' ? 32 : INTEGER_BITS, integer()) }
      case 'ipv4':
      case 'ipv6':
        return { type, value: take(ADDRESS_BYTES[type]) }
      case 'string':
        return { type, value: text() }
      case 'binary':
        return { type, value: take(length()) }
    }
  }

  /** @param count how many; undefined: until the end. */
  function pairs(count?: number): SpopPair[] {
    const found: SpopPair[] = []
    while (count === undefined ? !isAtEnd() : found.length < count) found.push([text(), value()])
    return found
  }

  /** The sample `req.hdrs_bin`: names and values, and two empty strings at the end. */
  function headerLines(): HeaderLine[] {
    const lines: HeaderLine[] = []
    for (;;) {
      const line = [text(), text()] as const
      if (line[0] === '') return lines
      lines.push(line)
    }
  }
}

const FIRST_CAPACITY = 512

/** Writes one value after the other into one buffer, which grows: a copy for each value would cost more than all the rest. */
export class OctetWriter {
  private buffer = Buffer.allocUnsafe(FIRST_CAPACITY)
  private size = 0

  /** What was written: a view, and the writer is used up. */
  finish(): Buffer {
    return this.buffer.subarray(0, this.size)
  }

  octet(value: number): this {
    this.reserve(1)
    this.buffer[this.size++] = value
    return this
  }

  octets(values: Uint8Array): this {
    this.reserve(values.length)
    this.buffer.set(values, this.size)
    this.size += values.length
    return this
  }

  /** Variable-length form of an unsigned integer of at most 64 bits. */
  integer(value: bigint): this {
    if (value < BigInt(LONG_FORM)) return this.octet(Number(value))
    this.octet(Number(value & BigInt(OCTET)) | LONG_FORM)
    let rest = (value - BigInt(LONG_FORM)) >> BigInt(FIRST_BITS)
    while (rest >= BigInt(CONTINUED)) {
      this.octet(Number(rest & BigInt(OCTET)) | CONTINUED)
      rest = (rest - BigInt(CONTINUED)) >> BigInt(NEXT_BITS)
    }
    return this.octet(Number(rest))
  }

  text(text: Bytes): this {
    this.length(text.length)
    this.reserve(text.length)
    this.buffer.write(text, this.size, 'latin1')
    this.size += text.length
    return this
  }

  value(value: SpopValue): this {
    const tag = TYPES.indexOf(value.type)
    switch (value.type) {
      case 'null':
        return this.octet(tag)
      case 'boolean':
        return this.octet(value.value ? tag | TRUE_FLAG : tag)
      case 'int32':
      case 'uint32':
      case 'int64':
      case 'uint64':
        return this.octet(tag).integer(BigInt.asUintN(INTEGER_BITS, value.value))
      case 'ipv4':
      case 'ipv6':
        return this.octet(tag).octets(value.value)
      case 'string':
        return this.octet(tag).text(value.value)
      case 'binary':
        return this.octet(tag).length(value.value.length).octets(value.value)
    }
  }

  private length(length: number): this {
    return length < LONG_FORM ? this.octet(length) : this.integer(BigInt(length))
  }

  private reserve(more: number): void {
    const needed = this.size + more
    if (needed <= this.buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.buffer.length))
    this.buffer.copy(larger, 0, 0, this.size)
    this.buffer = larger
  }
}

export const encodeInteger = (value: bigint): Buffer => new OctetWriter().integer(value).finish()

export const encodeValue = (value: SpopValue): Buffer => new OctetWriter().value(value).finish()

export function encodePairs(pairs: readonly SpopPair[]): Buffer {
  const writer = new OctetWriter()
  for (const [name, value] of pairs) writer.text(name).value(value)
  return writer.finish()
}
