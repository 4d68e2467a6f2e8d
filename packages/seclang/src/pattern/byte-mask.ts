// Which rare bytes occur in a text, as 32 bits: patterns without words can still be ruled out by them.
import type { Bytes } from '../bytes.ts'

/** One bit each; the last ones are for groups of bytes. */
const SINGLE = '<>\'"();:=/\\[]{}$&|@#%+*,-.!`'

const BITS = new Int32Array(256)
for (let i = 0; i < SINGLE.length; i += 1) BITS[SINGLE.charCodeAt(i)] = 1 << i
for (const byte of '~^_?') BITS[byte.charCodeAt(0)] = 1 << 28
for (const byte of '0123456789') BITS[byte.charCodeAt(0)] = 1 << 29
for (const byte of ' \t\f\v') BITS[byte.charCodeAt(0)] = 1 << 30
for (let byte = 0; byte < 256; byte += 1) {
  // Ends of lines are among them: many patterns look for those, and few values have any.
  const isRare = (byte < 32 && BITS[byte] === 0) || byte >= 127
  if (isRare) BITS[byte] = 1 << 31
}

/** The bit of a byte; 0 for letters. */
export const byteBit = (byte: number): number => BITS[byte & 0xff] ?? 0 // every byte has an entry

/** The table itself, for loops that read every byte of a text. */
export const BYTE_BITS: Int32Array = BITS

export function byteMask(text: Bytes): number {
  let mask = 0
  for (let i = 0; i < text.length; i += 1) mask |= byteBit(text.charCodeAt(i))
  return mask
}
