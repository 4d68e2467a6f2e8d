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

  /** A view, not a copy. */
  function take(length: number): Buffer {
    if (length > octets.length - position) throw createEndError()
    position += length
    return octets.subarray(position - length, position)
  }

  function rest(): Buffer {
    return take(octets.length - position)
  }

  /** Unsigned, at most 64 bits. */
  function integer(): bigint {
    const first = octet()
    let sum = BigInt(first)
    if (first < LONG_FORM) return sum
    for (let shift = FIRST_BITS; ; shift += NEXT_BITS) {
      const next = octet()
      sum += BigInt(next) << BigInt(shift)
      if (sum >> BigInt(INTEGER_BITS) > 0n)
        throw new SpopError(SPOP_STATUS.invalidFrame, 'an integer has more than 64 bits')
      if (next < CONTINUED) return sum
      if (shift > INTEGER_BITS) throw new SpopError(SPOP_STATUS.invalidFrame, 'an integer is too long')
    }
  }

  function length(): number {
    const found = integer()
    if (found > BigInt(octets.length)) throw createEndError()
    return Number(found)
  }

  function text(): Bytes {
    return take(length()).toString('latin1')
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

/** Variable-length form of an unsigned integer of at most 64 bits. */
export function encodeInteger(value: bigint): Buffer {
  if (value < BigInt(LONG_FORM)) return Buffer.of(Number(value))
  const octets = [Number(value & BigInt(OCTET)) | LONG_FORM]
  let rest = (value - BigInt(LONG_FORM)) >> BigInt(FIRST_BITS)
  while (rest >= BigInt(CONTINUED)) {
    octets.push(Number(rest & BigInt(OCTET)) | CONTINUED)
    rest = (rest - BigInt(CONTINUED)) >> BigInt(NEXT_BITS)
  }
  return Buffer.from([...octets, Number(rest)])
}

const encodeOctets = (octets: Uint8Array): Buffer =>
  Buffer.concat([encodeInteger(BigInt(octets.length)), octets])

export const encodeText = (text: Bytes): Buffer => encodeOctets(Buffer.from(text, 'latin1'))

export function encodeValue(value: SpopValue): Buffer {
  const tag = TYPES.indexOf(value.type)
  switch (value.type) {
    case 'null':
      return Buffer.of(tag)
    case 'boolean':
      return Buffer.of(value.value ? tag | TRUE_FLAG : tag)
    case 'int32':
    case 'uint32':
    case 'int64':
    case 'uint64':
      return Buffer.concat([Buffer.of(tag), encodeInteger(BigInt.asUintN(INTEGER_BITS, value.value))])
    case 'ipv4':
    case 'ipv6':
      return Buffer.concat([Buffer.of(tag), value.value])
    case 'string':
      return Buffer.concat([Buffer.of(tag), encodeText(value.value)])
    case 'binary':
      return Buffer.concat([Buffer.of(tag), encodeOctets(value.value)])
  }
}

export const encodePairs = (pairs: readonly SpopPair[]): Buffer =>
  Buffer.concat(pairs.flatMap(([name, value]) => [encodeText(name), encodeValue(value)]))
