import { hexFromOctets } from '@zonereeve/dns'
import { describe, expect, test } from 'vitest'
import { sipHash } from './siphash.ts'

// The vectors of the reference implementation: key 00 01 … 0f, input 00 01 … of each length.
const VECTORS: readonly [octets: number, hash: string][] = [
  [0, '310e0edd47db6f72'],
  [1, 'fd67dc93c539f874'],
  [2, '5a4fa9d909806c0d'],
  [3, '2d7efbd796666785'],
  [7, '37d1018bf50002ab'],
  [8, '6224939a79f5f593'],
  [15, 'e545be4961ca29a1'],
  [63, '724506eb4c328a95'],
]

describe('SipHash-2-4', () => {
  test('has vectors', () => expect(VECTORS.length).toBeGreaterThan(0))
  test.each(VECTORS)('of %i octets', (octets, hash) => {
    const count = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => i)
    expect(hexFromOctets(sipHash(count(16), count(octets)))).toBe(hash)
  })
})
