// Which rare bytes occur in a text, as 32 bits: patterns without words can still be ruled out by them.
import type { Bytes } from '../bytes.ts'

/** One bit each; the last ones are for groups of bytes. */
const SINGLE = '<>\'"();:=/\\[]{}$&|@#%+*,-.!`'

/** Of control characters, with the ends of lines, and of bytes above ASCII. */
export const RARE_BIT = 1 << 31

const BITS = new Int32Array(256)
for (let i = 0; i < SINGLE.length; i += 1) BITS[SINGLE.charCodeAt(i)] = 1 << i
for (const byte of '~^_?') BITS[byte.charCodeAt(0)] = 1 << 28
for (const byte of '0123456789') BITS[byte.charCodeAt(0)] = 1 << 29
for (const byte of ' \t\f\v') BITS[byte.charCodeAt(0)] = 1 << 30
for (let byte = 0; byte < 256; byte += 1) {
  // Ends of lines are among them: many patterns look for those, and few values have any.
  const isRare = (byte < 32 && BITS[byte] === 0) || byte >= 127
  if (isRare) BITS[byte] = RARE_BIT
}

/** The bit of a byte; 0 for letters. */
export const byteBit = (byte: number): number => BITS[byte & 0xff] ?? 0 // every byte has an entry

/** The rarest letters of ordinary texts, the rarest first. */
export const RARE_LETTERS = 'zqxjkvbpygwfmucdlhr'

/** How often a bit is set in ordinary texts, in parts of a hundred; the others are rare. */
const FREQUENT = new Map([
  [byteBit(0x20), 60],
  [byteBit(0x30), 50],
  ...Array.from('.-,/:=?&;()"\'', (byte, i) => [byteBit(byte.charCodeAt(0)), 30 - 2 * i] as const),
])

/** The less, the more texts are ruled out by asking for one of these bits. */
export function frequencyOf(mask: number): number {
  let sum = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) sum += FREQUENT.get(rest & -rest) ?? 1
  return sum
}

/** The table itself, for loops that read every byte of a text. */
export const BYTE_BITS: Int32Array = BITS

export function byteMask(text: Bytes): number {
  let mask = 0
  for (let i = 0; i < text.length; i += 1) mask |= byteBit(text.charCodeAt(i))
  return mask
}
