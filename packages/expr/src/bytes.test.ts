// Byte strings against the platform's own encoder, and the ASCII case functions.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  asciiLower,
  asciiUpper,
  decodeUtf8,
  fromOctets,
  isUtf8,
  toOctets,
  utf8,
  utf8Length,
} from './bytes.ts'

const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
})

describe('UTF-8', () => {
  test('encodes as the platform does, also lone surrogates', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect([...toOctets(utf8(text))]).toEqual([...new TextEncoder().encode(text)])
        expect(utf8Length(text)).toBe(utf8(text).length)
      }),
    )
  })

  test('recognizes UTF-8 as the platform does', () => {
    const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    const octets = fc.array(
      fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0x80, 0xc2, 0xe0, 0xed, 0xf0, 0xf4, 0xa0)),
    )
    fc.assert(
      fc.property(octets, (list) => {
        let text: string | undefined
        try {
          text = strict.decode(Uint8Array.from(list))
        } catch {
          // Not UTF-8: this is the expected result.
          text = undefined
        }
        expect(isUtf8(fromOctets(list))).toBe(text !== undefined)
        expect(text === undefined || decodeUtf8(fromOctets(list)) === text).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    ['\u007f', 1],
    ['\u0080', 2],
    ['\u07ff', 2],
    ['\u0800', 3],
    ['\uffff', 3],
    ['\u{10000}', 4],
    ['\u{10ffff}', 4],
    ['\ud800', 3],
    ['\ud800a', 4],
    ['\udc00\ud800', 6],
  ])('%j takes %i bytes', (text, length) => {
    expect(utf8Length(text)).toBe(length)
    expect(utf8(text)).toHaveLength(length)
  })

  test('invalid bytes are decoded one by one', () =>
    expect(decodeUtf8('a\u00ffb\u00e2\u0082')).toBe('a\ufffdb\ufffd\ufffd'))
})

describe('case', () => {
  test.each([
    ['ABC xyz', 'abc xyz', 'ABC XYZ'],
    ['', '', ''],
    [utf8('ÀÉß'), utf8('ÀÉß'), utf8('ÀÉß')],
    ['A\u00c0\u00df\u00ffz', 'a\u00c0\u00df\u00ffz', 'A\u00c0\u00df\u00ffZ'],
    ['\u00b5', '\u00b5', '\u00b5'],
  ])('%j', (text, lower, upper) => {
    expect(asciiLower(text)).toBe(lower)
    expect(asciiUpper(text)).toBe(upper)
  })
})
