// Checksums of stored values: SQLite detects a broken page, but not a flipped bit in a value.
import { crc32 } from 'node:zlib'

export type CheckedValue = string | number | null | Uint8Array

/** CRC-32 of the values in order. SQL has the same function as `checksum(...)`, on each connection. */
export function checksum(...values: readonly CheckedValue[]): number {
  let sum = 0
  let text = ''
  for (const value of values) {
    // Bytes cannot shift from one value to the next, and null differs from the empty string.
    if (typeof value === 'object' && value !== null) sum = addOctets(value, crc32(text, sum))
    text = typeof value === 'object' && value !== null ? '' : `${text}${value === null ? '\u0001' : value}\0`
  }
  return text === '' ? sum : crc32(text, sum)
}

/** {@link checksum} of two texts, the second in UTF-8. */
export const textChecksum = (first: string, second: Uint8Array): number =>
  crc32(END_OF_TEXT, addOctets(second, crc32(`${first}\0`)))

const END_OF_TEXT = Uint8Array.of(0)

/** zlib resets the checksum for an empty array without an address. */
const addOctets = (octets: Uint8Array, sum: number): number =>
  octets.length <= MOST_BY_HAND ? addByHand(octets, sum) : crc32(octets, sum)

/** Up to this length, a call of zlib takes longer. */
const MOST_BY_HAND = 32
const POLYNOMIAL = 0xedb8_8320
const TABLE = Uint32Array.from({ length: 256 }, (_, octet) => {
  let sum = octet
  for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ ((sum & 1) * POLYNOMIAL)
  return sum
})

function addByHand(octets: Uint8Array, before: number): number {
  let sum = ~before
  for (const octet of octets) sum = (sum >>> 8) ^ (TABLE[(sum ^ octet) & 0xff] as number) // one for each octet
  return ~sum >>> 0
}
