import { describe, expect, test } from 'vitest'
import { hashKeyOf, hashOctets, KNOWN_HASH_KEY } from './octet-hash.ts'

describe('the hash', () => {
  test('depends on every octet, on the length and on the key', () => {
    const octets = Buffer.from('0123456789abcdef')
    const sums = new Set<number>()
    for (let length = 0; length <= octets.length; length += 1)
      sums.add(hashOctets(octets, 0, length, KNOWN_HASH_KEY))
    for (let at = 0; at < octets.length; at += 1) {
      const other = Uint8Array.from(octets, (octet, i) => (i === at ? octet ^ 0x80 : octet))
      sums.add(hashOctets(other, 0, other.length, KNOWN_HASH_KEY))
      sums.add(hashOctets(octets, 0, octets.length, hashKeyOf(Uint8Array.from([at, 2, 3, 4, 5, 6, 7, 8]))))
    }
    // Keys are odd, so two that differ only in the lowest bit are equal.
    expect(sums.size).toBeGreaterThanOrEqual(17 + 16 + 16)
  })

  test('of names in a pattern built against one factor spreads over many places', () => {
    const places = new Set<number>()
    for (let i = 0; i < 4096; i += 1) {
      const octets = Buffer.alloc(24)
      for (let word = 0; word < 12; word += 1) if ((i >> word) & 1) octets[2 * word + 1] = 0x80
      places.add(hashOctets(octets, 0, 24, KNOWN_HASH_KEY) & 0xffff)
    }
    expect(places.size).toBeGreaterThan(3500)
  })
})
