// Byte strings. They are JavaScript strings with one character (0..255) per byte: equality, order, search and set
// membership are then the engine's own string operations, which work bytewise.

import { codePointAt } from './checked-reads.ts'

/** A byte string: every UTF-16 unit is one byte, 0..255. Create them with `utf8` or `fromOctets`. */
export type Bytes = string

const REPLACEMENT = 0xfffd

/** The UTF-8 bytes of a string. Lone surrogates become U+FFFD. */
export function utf8(text: string): Bytes {
  if (isAscii(text)) return text
  let out = ''
  for (const character of text) out += encodeScalar(codePointAt(character, 0))
  return out
}

/** The UTF-8 bytes of one code point. A surrogate becomes U+FFFD. */
export function encodeScalar(point: number): Bytes {
  const c = point >= 0xd800 && point <= 0xdfff ? REPLACEMENT : point
  if (c < 0x80) return String.fromCharCode(c)
  if (c < 0x800) return String.fromCharCode(0xc0 | (c >> 6), 0x80 | (c & 63))
  if (c < 0x10000) return String.fromCharCode(0xe0 | (c >> 12), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63))
  return String.fromCharCode(
    0xf0 | (c >> 18),
    0x80 | ((c >> 12) & 63),
    0x80 | ((c >> 6) & 63),
    0x80 | (c & 63),
  )
}

/** The length of a string in UTF-8 bytes. */
export function utf8Length(text: string): number {
  let length = 0
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) length += 1
    else if (unit < 0x800) length += 2
    else if (isPairAt(text, i)) {
      length += 4
      i += 1
    } else length += 3
  }
  return length
}

function isPairAt(text: string, i: number): boolean {
  const high = text.charCodeAt(i)
  if (high < 0xd800 || high > 0xdbff) return false
  const low = text.charCodeAt(i + 1)
  return low >= 0xdc00 && low <= 0xdfff
}

/** A byte string from numbers 0..255. */
export function fromOctets(octets: Iterable<number>): Bytes {
  let out = ''
  for (const octet of octets) out += String.fromCharCode(octet & 0xff)
  return out
}

/** The bytes as numbers. */
export function toOctets(bytes: Bytes): Uint8Array {
  const out = new Uint8Array(bytes.length)
  for (let i = 0; i < bytes.length; i += 1) out[i] = bytes.charCodeAt(i)
  return out
}

/** True if no character is above 0x7f. */
export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) > 0x7f) return false
  return true
}

/** The length of the UTF-8 sequence at `i`, or 0 if the bytes are not a valid sequence (RFC 3629 §4). */
export function sequenceLengthAt(bytes: Bytes, i: number): number {
  const first = bytes.charCodeAt(i)
  if (first < 0x80) return 1
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
  if (first < 0xc2 || first > 0xf4 || i + length > bytes.length) return 0
  for (let k = 1; k < length; k += 1) if ((bytes.charCodeAt(i + k) & 0xc0) !== 0x80) return 0
  const second = bytes.charCodeAt(i + 1)
  const isShortestForm = !(first === 0xe0 && second < 0xa0) && !(first === 0xf0 && second < 0x90)
  const isScalar = !(first === 0xed && second > 0x9f) && !(first === 0xf4 && second > 0x8f)
  return isShortestForm && isScalar ? length : 0
}

/** The code point of the valid sequence of `length` bytes at `i`. */
export function decodeScalarAt(bytes: Bytes, i: number, length: number): number {
  const first = bytes.charCodeAt(i)
  if (length === 1) return first
  let point = first & (0xff >> (length + 1))
  for (let k = 1; k < length; k += 1) point = (point << 6) | (bytes.charCodeAt(i + k) & 63)
  return point
}

/** True if the bytes are valid UTF-8. */
export function isUtf8(bytes: Bytes): boolean {
  for (let i = 0; i < bytes.length;) {
    const length = sequenceLengthAt(bytes, i)
    if (length === 0) return false
    i += length
  }
  return true
}

/** Decodes UTF-8; each byte that is not part of a valid sequence becomes U+FFFD. */
export function decodeUtf8(bytes: Bytes): string {
  if (isAscii(bytes)) return bytes
  let out = ''
  for (let i = 0; i < bytes.length;) {
    const length = sequenceLengthAt(bytes, i)
    out += String.fromCodePoint(length === 0 ? REPLACEMENT : decodeScalarAt(bytes, i, length))
    i += length === 0 ? 1 : length
  }
  return out
}

/** A-Z to a-z; every other byte is kept. */
export function asciiLower(bytes: Bytes): Bytes {
  const lower = bytes.toLowerCase()
  if (lower === bytes || isAscii(bytes)) return lower
  return mapBytes(bytes, (c) => (c >= 0x41 && c <= 0x5a ? c + 32 : c))
}

/** a-z to A-Z; every other byte is kept. */
export function asciiUpper(bytes: Bytes): Bytes {
  const upper = bytes.toUpperCase()
  if (upper === bytes || isAscii(bytes)) return upper
  return mapBytes(bytes, (c) => (c >= 0x61 && c <= 0x7a ? c - 32 : c))
}

function mapBytes(bytes: Bytes, change: (byte: number) => number): Bytes {
  let out = ''
  for (let i = 0; i < bytes.length; i += 1) out += String.fromCharCode(change(bytes.charCodeAt(i)))
  return out
}
