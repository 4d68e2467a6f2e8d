// Reading and writing octets in network order, with names and their compression (RFC 1035 §2.3.2, §4.1.4).

import { byteAt, putUint16, uint16At } from './checked-reads.ts'
import { WireError } from './errors.ts'
import { labelText, MAX_LABEL_OCTETS, MAX_NAME_OCTETS, nameToWire, ROOT } from './name.ts'
import type { Name } from './name.ts'
import { parentOf } from './name-tree.ts'

/** Largest message and largest rdata in octets: both have 16-bit lengths (RFC 1035 §4.2.2, §3.2.1). */
export const MAX_MESSAGE_OCTETS = 65_535

/** Highest offset that a compression pointer can hold (RFC 1035 §4.1.4). */
const MAX_POINTER = 0x3fff

/** Bounds-checked cursor over octets. Every method throws WireError `wire.truncated` instead of reading past its end. */
export class Reader {
  readonly #message: Uint8Array
  readonly #end: number
  readonly #pointers: boolean
  #at: number

  /** `pointers: false` refuses compressed names, as rdata outside a message must. */
  constructor(
    message: Uint8Array,
    {
      start = 0,
      end = message.length,
      pointers = true,
    }: { start?: number; end?: number; pointers?: boolean } = {},
  ) {
    this.#message = message
    this.#at = start
    this.#end = end
    this.#pointers = pointers
  }

  /** Octets from the start of the message to the cursor. */
  get offset(): number {
    return this.#at
  }

  /** Octets left before the end. */
  get remaining(): number {
    return this.#end - this.#at
  }

  u8(): number {
    return byteAt(this.#message, this.#take(1))
  }

  u16(): number {
    return (this.u8() << 8) | this.u8()
  }

  u32(): number {
    return this.u16() * 0x1_0000 + this.u16()
  }

  /** A copy of the next `count` octets: a plain Uint8Array even of a Buffer, whose own slice would share memory. */
  bytes(count: number): Uint8Array {
    const start = this.#take(count)
    return new Uint8Array(this.#message.subarray(start, start + count))
  }

  /** A copy of everything up to the end. */
  rest(): Uint8Array {
    return this.bytes(this.remaining)
  }

  /** A reader for the next `count` octets; its names may point back into the whole message. */
  part(count: number): Reader {
    const start = this.#take(count)
    return new Reader(this.#message, { start, end: start + count, pointers: this.#pointers })
  }

  /** @throws WireError `wire.trailing` unless everything has been read. */
  done(): void {
    if (this.remaining > 0)
      throw new WireError('wire.trailing', this.#at, `${this.remaining} octets too many`)
  }

  /**
   * A name, decompressed and case-folded. Each pointer must lead to before the labels that it ends, so that every jump
   * goes backwards and loops cannot exist.
   * @throws WireError `wire.pointer`, `wire.label-type`, `wire.name-too-long` or `wire.truncated`.
   */
  name(): Name {
    const message = this.#message
    let text = ''
    let octets = 1
    let at = this.#at
    let end = this.#end
    let chunkStart = at
    let jumped = false
    for (;;) {
      const length = at < end ? message[at] : undefined
      if (length === undefined) throw new WireError('wire.truncated', at, 'the name has no end')
      if (length === 0) break
      if (length >= 0xc0) {
        const target = this.#pointerTarget(at, end, chunkStart)
        if (!jumped) this.#at = at + 2
        jumped = true
        end = message.length
        at = target
        chunkStart = target
        continue
      }
      if (length > MAX_LABEL_OCTETS) throw new WireError('wire.label-type', at, 'not an ordinary label')
      if (at + 1 + length > end) throw new WireError('wire.truncated', at, 'the label is cut short')
      octets += 1 + length
      if (octets > MAX_NAME_OCTETS) throw new WireError('wire.name-too-long', at, 'the name is too long')
      if (text !== '') text += '.'
      text += labelText(message, at + 1, at + 1 + length)
      at += 1 + length
    }
    if (!jumped) this.#at = at + 1
    return text === '' ? ROOT : (text as Name) // built from canonical label texts only
  }

  #pointerTarget(at: number, end: number, chunkStart: number): number {
    if (!this.#pointers) throw new WireError('wire.pointer', at, 'names must not be compressed here')
    if (at + 1 >= end) throw new WireError('wire.truncated', at, 'the pointer is cut short')
    const target = uint16At(this.#message, at) & MAX_POINTER
    if (target >= chunkStart) throw new WireError('wire.pointer', at, 'the pointer does not lead backwards')
    return target
  }

  #take(count: number): number {
    const start = this.#at
    if (count > this.#end - start) {
      throw new WireError('wire.truncated', start, `${count} octets needed, ${this.#end - start} left`)
    }
    this.#at = start + count
    return start
  }
}

/** Growing buffer. Methods throw WireError `wire.value` for a number that does not fit, `wire.too-long` past the limit. */
export class Writer {
  readonly #names: Map<Name, number> | undefined
  #buffer = new Uint8Array(64)
  #at = 0

  /** `compression: true` lets names that allow it point to earlier ones; offsets then count from the writer's start. */
  constructor(options: { compression?: boolean } = {}) {
    this.#names = options.compression === true ? new Map() : undefined
  }

  /** Octets written so far. */
  get offset(): number {
    return this.#at
  }

  u8(value: number): void {
    this.#integer(value, 1)
  }

  u16(value: number): void {
    this.#integer(value, 2)
  }

  u32(value: number): void {
    this.#integer(value, 4)
  }

  bytes(octets: Uint8Array): void {
    const start = this.#grow(octets.length)
    this.#buffer.set(octets, start)
  }

  /**
   * Writes the name; with compression as labels and a pointer, if it is `compressible` (RFC 3597 §4 lists the
   * fields).
   */
  name(name: Name, compressible = true): void {
    if (this.#names === undefined) return this.bytes(nameToWire(name))
    const wire = nameToWire(name)
    let written = 0
    for (
      let suffix: Name | undefined = name;
      suffix !== undefined && suffix !== ROOT;
      suffix = parentOf(suffix)
    ) {
      const known = this.#names.get(suffix)
      if (known !== undefined && compressible) {
        this.u16(0xc000 | known)
        return undefined
      }
      if (known === undefined && this.#at <= MAX_POINTER) this.#names.set(suffix, this.#at)
      const labelOctets = byteAt(wire, written) + 1
      this.bytes(wire.subarray(written, written + labelOctets))
      written += labelOctets
    }
    this.u8(0)
  }

  /** Runs `body` and writes the number of octets that it wrote before them, in 16 bits. */
  counted(body: () => void): void {
    const start = this.#grow(2)
    body()
    const length = this.#at - start - 2
    if (length > 0xffff)
      throw new WireError('wire.too-long', start, `${length} octets do not fit a 16-bit length`)
    putUint16(this.#buffer, start, length)
  }

  /** A copy of what has been written. */
  finish(): Uint8Array {
    return this.#buffer.slice(0, this.#at)
  }

  #integer(value: number, octets: 1 | 2 | 4): void {
    if (!Number.isInteger(value) || value < 0 || value >= 2 ** (8 * octets)) {
      throw new WireError('wire.value', this.#at, `${value} is not an unsigned number of ${8 * octets} bits`)
    }
    const start = this.#grow(octets)
    for (let i = octets - 1, rest = value; i >= 0; i -= 1, rest = Math.floor(rest / 256)) {
      this.#buffer[start + i] = rest & 0xff
    }
  }

  #grow(octets: number): number {
    const start = this.#at
    const end = start + octets
    if (end > 2 * MAX_MESSAGE_OCTETS) throw new WireError('wire.too-long', start, 'the message is too long')
    if (end > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(end, 2 * this.#buffer.length))
      larger.set(this.#buffer)
      this.#buffer = larger
    }
    this.#at = end
    return start
  }
}
