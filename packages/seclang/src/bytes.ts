// Byte strings: each character is one byte, U+0000 to U+00FF.

export type Bytes = string

/** ASCII letters in lower case; all other bytes stay. */
export function foldCase(text: Bytes): Bytes {
  if (!/[\u0080-\u00ff]/.test(text)) return text.toLowerCase()
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** The UTF-8 form of a code point, as bytes. Surrogates are encoded as they are. */
export function utf8Bytes(point: number): Bytes {
  if (point < 0x80) return String.fromCharCode(point)
  if (point < 0x800) return String.fromCharCode(0xc0 | (point >> 6), 0x80 | (point & 0x3f))
  if (point < 0x10000) {
    return String.fromCharCode(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f))
  }
  return String.fromCharCode(
    0xf0 | ((point >> 18) & 7),
    0x80 | ((point >> 12) & 0x3f),
    0x80 | ((point >> 6) & 0x3f),
    0x80 | (point & 0x3f),
  )
}

/** The value of a hexadecimal digit; -1 if it is none. */
export function hexValue(unit: number): number {
  if (unit >= 48 && unit <= 57) return unit - 48
  const lower = unit | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}

const isHex = (unit: number): boolean => hexValue(unit) >= 0

/** The byte that two hexadecimal digits at `at` stand for; -1 if they are none. */
export function hexByteAt(text: Bytes, at: number): number {
  const high = text.charCodeAt(at)
  const low = text.charCodeAt(at + 1)
  return isHex(high) && isHex(low) ? hexValue(high) * 16 + hexValue(low) : -1
}

/** Decodes `%XX`, and `+` as a space. Escapes that are not valid stay. */
export function percentDecode(text: Bytes): Bytes {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  let next = spaced.indexOf('%')
  if (next === -1) return spaced
  if (spaced.length > LONG_BYTES) return percentDecodeLong(spaced, next)
  let out = ''
  let from = 0
  while (next !== -1) {
    const byte = hexByteAt(spaced, next + 1)
    if (byte === -1) next = spaced.indexOf('%', next + 1)
    else {
      out += spaced.slice(from, next) + String.fromCharCode(byte)
      from = next + 3
      next = spaced.indexOf('%', from)
    }
  }
  return out + spaced.slice(from)
}

/** Longer strings are decoded in chunks. */
const LONG_BYTES = 1_024
const CHUNK_SIZE = 8_192
const PERCENT = 37

function percentDecodeLong(text: Bytes, first: number): Bytes {
  let out = text.slice(0, first)
  const chunk = new Uint8Array(CHUNK_SIZE)
  let length = 0
  for (let at = first; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    const byte = unit === PERCENT ? hexByteAt(text, at + 1) : -1
    if (byte !== -1) at += 2
    chunk[length] = byte === -1 ? unit : byte
    length += 1
    if (length < CHUNK_SIZE) continue
    out += textOf(chunk)
    length = 0
  }
  return out + textOf(chunk.subarray(0, length))
}

// Spread, the bytes would become an array first.
const textOf = (bytes: Uint8Array): Bytes => String.fromCharCode.apply(null, bytes as unknown as number[]) // array-like
