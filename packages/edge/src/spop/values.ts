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
/** What six octets after the first one have is exact as a number; the next one is shifted by this. */
const LARGE_SHIFT = FIRST_BITS + 6 * NEXT_BITS
const MAX_SCALE = 2 ** LARGE_SHIFT
const OCTET = 0xff
const MAX_EXACT = BigInt(Number.MAX_SAFE_INTEGER)

const createEndError = (): SpopError => new SpopError(SPOP_STATUS.invalidFrame, 'the frame ends too early')

/** Longer ones have a body, which is not text. */
const MAX_SHARED_BYTES = 4_096

/** Reads one value after the other. All methods throw SpopError if the octets end, or mean nothing. */
export class OctetReader {
  readonly #octets: Buffer
  #position = 0
  /**
   * All octets as one string, of which the others are parts: a frame has dozens, and each conversion is a call. A part that is
   * kept keeps the whole.
   */
  #whole: Bytes | undefined

  constructor(octets: Buffer) {
    this.#octets = octets
  }

  get isAtEnd(): boolean {
    return this.#position >= this.#octets.length
  }

  octet(): number {
    const found = this.#octets[this.#position]
    if (found === undefined) throw createEndError()
    this.#position += 1
    return found
  }

  /** @returns where the octets begin. */
  #skip(length: number): number {
    if (length > this.#octets.length - this.#position) throw createEndError()
    this.#position += length
    return this.#position - length
  }

  /** A view, not a copy. */
  take(length: number): Buffer {
    const start = this.#skip(length)
    return this.#octets.subarray(start, this.#position)
  }

  rest(): Buffer {
    return this.take(this.#octets.length - this.#position)
  }

  /** Unsigned, at most 64 bits. */
  integer(): bigint {
    const first = this.octet()
    return first < LONG_FORM ? BigInt(first) : this.#longInteger(first)
  }

  /** Nearly all have few octets, which need no large integers. */
  #longInteger(first: number): bigint {
    let sum = first
    for (let scale = 1 << FIRST_BITS; scale < MAX_SCALE; scale *= CONTINUED) {
      const next = this.octet()
      sum += next * scale
      if (next < CONTINUED) return BigInt(sum)
    }
    return this.#largeInteger(BigInt(sum))
  }

  #largeInteger(start: bigint): bigint {
    let sum = start
    for (let shift = LARGE_SHIFT; ; shift += NEXT_BITS) {
      const next = this.octet()
      sum += BigInt(next) << BigInt(shift)
      if (sum >> BigInt(INTEGER_BITS) > 0n)
        throw new SpopError(SPOP_STATUS.invalidFrame, 'an integer has more than 64 bits')
      if (next < CONTINUED) return sum
      if (shift > INTEGER_BITS) throw new SpopError(SPOP_STATUS.invalidFrame, 'an integer is too long')
    }
  }

  #length(): number {
    const first = this.octet()
    if (first < LONG_FORM) return first
    const found = this.#longInteger(first)
    if (found > BigInt(this.#octets.length)) throw createEndError()
    return Number(found)
  }

  text(): Bytes {
    const start = this.#skip(this.#length())
    if (this.#octets.length > MAX_SHARED_BYTES) return this.#octets.toString('latin1', start, this.#position)
    this.#whole ??= this.#octets.toString('latin1')
    return this.#whole.slice(start, this.#position)
  }

  value(): SpopValue {
    const tag = this.octet()
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
        return { type, value: BigInt.asIntN(type === 'int32' ? 32 : INTEGER_BITS, this.integer()) }
      case 'uint32':
      case 'uint64':
        return { type, value: BigInt.asUintN(type === 'uint32' ? 32 : INTEGER_BITS, this.integer()) }
      case 'ipv4':
      case 'ipv6':
        return { type, value: this.take(ADDRESS_BYTES[type]) }
      case 'string':
        return { type, value: this.text() }
      case 'binary':
        return { type, value: this.take(this.#length()) }
    }
  }

  /** @param count how many; undefined: until the end. A later pair replaces an earlier one of its name. */
  pairs(count?: number): Map<Bytes, SpopValue> {
    const found = new Map<Bytes, SpopValue>()
    for (let read = 0; count === undefined ? !this.isAtEnd : read < count; read += 1)
      found.set(this.text(), this.value())
    return found
  }

  /** The sample `req.hdrs_bin`: names and values, and two empty strings at the end. */
  headerLines(): HeaderLine[] {
    const lines: HeaderLine[] = []
    for (;;) {
      const line = [this.text(), this.text()] as const
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

  get length(): number {
    return this.size
  }

  /** What was written: a view. The writer is empty afterwards. */
  finish(): Buffer {
    const written = this.buffer.subarray(0, this.size)
    this.buffer = this.buffer.subarray(this.size)
    this.size = 0
    return written
  }

  /** Forgets what was written after this length. */
  truncate(length: number): void {
    this.size = Math.min(this.size, length)
  }

  /** Puts an integer of 32 bits over four octets that were written. */
  overwrite(at: number, value: number): void {
    this.buffer.writeUInt32BE(value, at)
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
    if (value <= MAX_EXACT) return this.number(Number(value))
    this.octet(Number(value & BigInt(OCTET)) | LONG_FORM)
    let rest = (value - BigInt(LONG_FORM)) >> BigInt(FIRST_BITS)
    while (rest >= BigInt(CONTINUED)) {
      this.octet(Number(rest & BigInt(OCTET)) | CONTINUED)
      rest = (rest - BigInt(CONTINUED)) >> BigInt(NEXT_BITS)
    }
    return this.octet(Number(rest))
  }

  /** {@link integer} of at most 53 bits. */
  private number(value: number): this {
    if (value < LONG_FORM) return this.octet(value)
    this.octet((value % (OCTET + 1)) | LONG_FORM)
    let rest = Math.floor((value - LONG_FORM) / 2 ** FIRST_BITS)
    while (rest >= CONTINUED) {
      this.octet((rest % (OCTET + 1)) | CONTINUED)
      rest = Math.floor((rest - CONTINUED) / CONTINUED)
    }
    return this.octet(rest)
  }

  text(text: Bytes): this {
    this.number(text.length)
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
        return this.octet(tag).number(value.value.length).octets(value.value)
    }
  }

  private reserve(more: number): void {
    const needed = this.size + more
    if (needed <= this.buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.buffer.length, FIRST_CAPACITY))
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
