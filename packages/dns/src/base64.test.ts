import { Buffer } from 'node:buffer'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { base64FromOctets, octetsFromBase64 } from './base64.ts'
import { octetsFromLatin1 } from './octets.ts'

describe('base64', () => {
  // RFC 4648 §10.
  test.each([
    ['', ''],
    ['f', 'Zg=='],
    ['fo', 'Zm8='],
    ['foo', 'Zm9v'],
    ['foob', 'Zm9vYg=='],
    ['fooba', 'Zm9vYmE='],
    ['foobar', 'Zm9vYmFy'],
  ])('%j is %j', (plain, text) => {
    expect(base64FromOctets(octetsFromLatin1(plain))).toBe(text)
    expect(octetsFromBase64(text)).toEqual(octetsFromLatin1(plain))
  })

  test.each(['Z', 'Zg', 'Zg=', 'Zg===', '=', 'Zm9v=', 'Zm 9v', 'Zm9_', 'Zm9-', 'Zg==Zg==', '\u0100m9v'])(
    '%j is none',
    (text) => expect(octetsFromBase64(text)).toBeUndefined(),
  )

  test('is what the platform writes and reads', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (octets) => {
        const text = Buffer.from(octets).toString('base64')
        expect(base64FromOctets(octets)).toBe(text)
        expect(octetsFromBase64(text)).toEqual(octets)
      }),
    )
  })
})
