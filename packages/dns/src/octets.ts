// Converts octets to strings and back without the platform's codecs: this package runs anywhere.

import { byteAt } from './checked-reads.ts'

/** One code unit per octet, 0..255. */
export function latin1FromOctets(octets: Uint8Array): string {
  let text = ''
  for (const octet of octets) text += String.fromCharCode(octet)
  return text
}

/** The inverse of latin1FromOctets; code units above 255 lose their high bits, so check first. */
export function octetsFromLatin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

/** The UTF-8 octets of one character, given its code point (RFC 3629 §3). A lone surrogate becomes U+FFFD. */
export function utf8Octets(codePoint: number): number[] {
  if (codePoint < 0x80) return [codePoint]
  if (codePoint < 0x800) return [0xc0 | (codePoint >> 6), 0x80 | (codePoint & 0x3f)]
  if (codePoint >= 0xd800 && codePoint < 0xe000) return [0xef, 0xbf, 0xbd]
  const tail = [0x80 | ((codePoint >> 6) & 0x3f), 0x80 | (codePoint & 0x3f)]
  if (codePoint < 0x1_0000) return [0xe0 | (codePoint >> 12), ...tail]
  return [0xf0 | (codePoint >> 18), 0x80 | ((codePoint >> 12) & 0x3f), ...tail]
}

/** Lower-case hexadecimal, two digits per octet. */
export function hexFromOctets(octets: Uint8Array): string {
  let text = ''
  for (const octet of octets) text += octet.toString(16).padStart(2, '0')
  return text
}

/** Octets of an even number of hexadecimal digits in any case; undefined for anything else. */
export function octetsFromHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(text)) return undefined
  return Uint8Array.from({ length: text.length / 2 }, (_, i) =>
    Number.parseInt(text.slice(2 * i, 2 * i + 2), 16),
  )
}

/** Order of left-justified octet strings (RFC 4034 §6.3): negative, zero or positive. */
export function compareOctets(a: Uint8Array, b: Uint8Array): number {
  const common = Math.min(a.length, b.length)
  for (let i = 0; i < common; i += 1) {
    const difference = byteAt(a, i) - byteAt(b, i)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
