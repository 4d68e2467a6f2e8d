// Compares octets and text with BIND's named-rrchecker (-u and -p).
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { octetsFromHex } from '../octets.ts'
import { genericText, rdataTextByCode } from '../rdata.ts'
import { typeCode, typeText } from '../type-code.ts'
import { signerText } from './presentation.ts'

const octets = (hex: string): Uint8Array => octetsFromHex(hex.toLowerCase()) ?? new Uint8Array()

test.each([
  [
    'RRSIG',
    '00010D030000012C6B0E0E006AF8F6000943076578616D706C6503636F6D0099DB2CC14CABDC33D6D77DA63A2F15F71112584F234E8D1DC428E39E8A4A97E1AA271A555DC90701E17E2A4C4B6F120B7C32D44F4AC02BD894CF2D4BE7778A19',
    'A 13 3 300 20261201000000 20261115000000 2371 example.com. mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==',
  ],
  [
    'RRSIG',
    'FF000F0000000000800000007FFFFFFFFFFF0000010203',
    'TYPE65280 15 0 0 20380119031408 20380119031407 65535 . AAECAw==',
  ],
  [
    'NSEC',
    '04686F7374076578616D706C6503636F6D000006400100000003041B000000000000000000000000000000000000000000000000000020',
    'host.example.com. A MX RRSIG NSEC TYPE1234',
  ],
  ['NSEC', '0100076578616D706C6503636F6D000006000000000001', '\\000.example.com. NSEC'],
  ['NSEC', '00', '.'],
  [
    'NSEC3',
    '0101000C04AABBCCDD14174EB2409FE28BCB4887A1836F957F0A8425E27B000722010000000290',
    '1 1 12 AABBCCDD 2T7B4G4VSA5SMI47K61MV5BV1A22BOJR NS SOA MX RRSIG DNSKEY NSEC3PARAM',
  ],
  [
    'NSEC3',
    '010000000014174EB2409FE28BCB4887A1836F957F0A8425E27B0006400000000002',
    '1 0 0 - 2T7B4G4VSA5SMI47K61MV5BV1A22BOJR A RRSIG',
  ],
  ['NSEC3PARAM', '0100000C04AABBCCDD', '1 0 12 AABBCCDD'],
  ['NSEC3PARAM', '0100000000', '1 0 0 -'],
])('%s %s', (type, wire, text) => {
  const code = typeCode(type) ?? 0
  expect(typeText(code)).toBe(type)
  expect(signerText(code, octets(wire))).toBe(text)
  expect(rdataTextByCode(code, octets(wire))).toBe(text)
})

describe('malformed octets are shown in generic form', () => {
  test.each([
    ['a missing signature', 'RRSIG', '00010D030000012C6B0E0E006AF8F600094300'],
    ['half a header', 'RRSIG', '00010D'],
    ['a compressed name', 'RRSIG', '00010D030000012C6B0E0E006AF8F6000943C0000102'],
    ['a window without octets', 'NSEC', '000000'],
    ['a missing hash', 'NSEC3', '010000000000'],
    ['a salt that is cut short', 'NSEC3PARAM', '01000000020A'],
    ['octets after the end', 'NSEC3PARAM', '010000000000'],
  ])('%s', (_, type, wire) => {
    expect(rdataTextByCode(typeCode(type) ?? 0, octets(wire))).toBe(genericText(octets(wire)))
  })

  test('arbitrary octets', () => {
    fc.assert(
      fc.property(fc.constantFrom(46, 47, 50, 51), fc.uint8Array({ maxLength: 60 }), (code, rdata) => {
        expect(rdataTextByCode(code, rdata)).not.toMatch(/undefined|NaN|Invalid/)
      }),
    )
  })
})

test('other types are ignored', () => expect(signerText(1, new Uint8Array(4))).toBeUndefined())
