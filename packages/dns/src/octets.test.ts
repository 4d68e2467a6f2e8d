import { Buffer } from 'node:buffer'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  compareOctets,
  hexFromOctets,
  latin1FromOctets,
  octetsFromHex,
  octetsFromLatin1,
  utf8Octets,
} from './octets.ts'

describe('UTF-8', () => {
  const points = [
    0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff, 0x1_0000, 0x10_ffff,
  ]
  test('has points', () => expect(points.length).toBeGreaterThan(0))
  test.each(points)('code point %i as the platform does it', (point) => {
    expect(utf8Octets(point)).toEqual([...Buffer.from(String.fromCodePoint(point), 'utf8')])
  })
})

describe('hexadecimal', () => {
  const cases: [text: string, octets: number[] | undefined][] = [
    ['', []],
    ['00fF', [0, 255]],
    ['abc', undefined],
    ['0g', undefined],
    ['0x', undefined],
    [' 00', undefined],
  ]
  test('has cases', () => expect(cases.length).toBeGreaterThan(0))
  test.each(cases)('%j', (text, octets) =>
    expect(octetsFromHex(text)).toEqual(octets && Uint8Array.from(octets)),
  )

  test('reads back', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (octets) => {
        expect(octetsFromHex(hexFromOctets(octets))).toEqual(octets)
        expect(octetsFromLatin1(latin1FromOctets(octets))).toEqual(octets)
      }),
    )
  })
})

test('octets are ordered as Buffer.compare orders them', () => {
  const short = fc.uint8Array({ maxLength: 4, max: 2 })
  fc.assert(
    fc.property(short, short, (a, b) => {
      expect(Math.sign(compareOctets(a, b))).toBe(Buffer.compare(a, b))
    }),
  )
})
