// Byte strings: each character is one byte, U+0000 to U+00FF.

export type Bytes = string

/** ASCII letters in lower case; all other bytes stay. */
export const foldCase = (text: Bytes): Bytes =>
  /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text

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
  if (!text.includes('%')) return text.includes('+') ? text.replaceAll('+', ' ') : text
  return text.replaceAll(/\+|%([0-9a-fA-F]{2})/g, (all: string, hex?: string) =>
    hex === undefined ? (all === '+' ? ' ' : all) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
