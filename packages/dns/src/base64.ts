// Base64 with padding (RFC 4648 §4), without the platform's codecs: this package runs anywhere.

import { byteAt } from './checked-reads.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const VALUES: ReadonlyMap<string, number> = new Map(
  [...ALPHABET].map((character, value) => [character, value]),
)
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Decodes padded base64 without whitespace; returns undefined for anything else. Unused bits are ignored. */
export function octetsFromBase64(text: string): Uint8Array | undefined {
  if (!BASE64.test(text)) return undefined
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const octets = new Uint8Array((text.length / 4) * 3 - padding)
  for (let at = 0, to = 0; at < text.length; at += 4) {
    let bits = 0
    // The padding contributes no bits.
    for (let i = 0; i < 4; i += 1) bits = (bits << 6) | (VALUES.get(text.charAt(at + i)) ?? 0)
    for (let shift = 16; shift >= 0 && to < octets.length; shift -= 8, to += 1)
      octets[to] = (bits >> shift) & 0xff
  }
  return octets
}

/** Padded base64 on one line. */
export function base64FromOctets(octets: Uint8Array): string {
  let text = ''
  for (let at = 0; at < octets.length; at += 3) {
    const count = Math.min(3, octets.length - at)
    // Bits beyond the end are zero (RFC 4648 §4).
    const bits = (byteAt(octets, at) << 16) | ((octets[at + 1] ?? 0) << 8) | (octets[at + 2] ?? 0)
    for (let i = 0; i < 4; i += 1) text += i <= count ? ALPHABET.charAt((bits >> (18 - 6 * i)) & 0x3f) : '='
  }
  return text
}
