import { describe, expect, test } from 'vitest'
import { parseName } from './name.ts'
import { compareOctets, octetsFromHex } from './octets.ts'
import { encodeRdata, genericText, rdataFromText, rdataFromTextByCode, rdataTextByCode } from './rdata.ts'
import { typeCode, typeText } from './type-code.ts'

const bytes = (hex: string): Uint8Array => octetsFromHex(hex) ?? new Uint8Array()

describe('rdataFromText', () => {
  test('names are relative to the origin when there is one', () => {
    const origin = parseName('example.com')
    expect(rdataFromText('CNAME', 'www', { origin }).target).toBe('www.example.com')
    expect(rdataFromText('CNAME', '@', { origin }).target).toBe('example.com')
    expect(rdataFromText('CNAME', 'www.', { origin }).target).toBe('www')
    expect(rdataFromText('CNAME', 'www').target).toBe('www')
  })

  test('generic form is read for known types too, also in several words', () => {
    expect(rdataFromText('A', '\\# 4 c000 0201').address).toBe('192.0.2.1')
    expect(() => rdataFromText('A', '\\# 3 c00002')).toThrow(
      expect.objectContaining({ rule: 'wire.truncated' }),
    )
  })

  test('a quoted generic marker is an ordinary string', () => {
    expect(rdataFromText('TXT', '"\\#" 4').strings).toHaveLength(2)
  })
})

describe('rdataTextByCode', () => {
  const cases: [name: string, code: number, hex: string, text: string][] = [
    ['a known type', 1, 'c0000201', '192.0.2.1'],
    ['an unknown type', 65_280, 'c0000201', '\\# 4 c0000201'],
    ['no octets', 65_280, '', '\\# 0'],
    ['malformed octets', 1, 'c00002', '\\# 3 c00002'],
  ]
  test('has cases', () => expect(cases.length).toBeGreaterThan(0))
  test.each(cases)('%s', (_, code, hex, text) => expect(rdataTextByCode(code, bytes(hex))).toBe(text))
  test.each(cases.slice(0, 3))('round trip: %s', (_, code, hex, text) =>
    expect(rdataFromTextByCode(code, text)).toEqual(bytes(hex)),
  )
  test('generic form of malformed octets is refused for a known type', () => {
    expect(() => rdataFromTextByCode(1, '\\# 3 c00002')).toThrow(
      expect.objectContaining({ rule: 'wire.truncated' }),
    )
    expect(() => rdataFromTextByCode(65_280, '192.0.2.1')).toThrow(
      expect.objectContaining({ rule: 'text.generic' }),
    )
  })
  test('generic form only', () => expect(genericText(bytes('0aff'))).toBe('\\# 2 0aff'))
})

test('rdata of more than 65535 octets is refused', () => {
  const strings = Array.from({ length: 257 }, () => new Uint8Array(255))
  expect(() => encodeRdata('TXT', { strings })).toThrow(expect.objectContaining({ rule: 'wire.too-long' }))
})

describe('type numbers', () => {
  const cases: [text: string, code: number][] = [
    ['A', 1],
    ['AAAA', 28],
    ['CAA', 257],
    ['ANY', 255],
    ['AXFR', 252],
    ['TYPE65280', 65_280],
    ['TYPE65535', 65_535],
  ]
  test('has cases', () => expect(cases.length).toBeGreaterThan(0))
  test.each(cases)('%s is %i', (text, code) => {
    expect(typeCode(text)).toBe(code)
    expect(typeCode(text.toLowerCase())).toBe(code)
    expect(typeText(code)).toBe(text)
  })

  test.each(['', 'NOPE', 'TYPE', 'TYPE65536', 'TYPE-1', 'TYPE1x', 'CONSTRUCTOR'])(
    '%j is not a type',
    (text) => {
      expect(typeCode(text)).toBeUndefined()
    },
  )
})

test('octets are ordered left-justified, shorter first (RFC 4034 §6.3)', () => {
  const ordered = ['', '00', '0000', '01', '0100', 'ff'].map(bytes)
  expect(ordered.toReversed().toSorted(compareOctets)).toEqual(ordered)
})
