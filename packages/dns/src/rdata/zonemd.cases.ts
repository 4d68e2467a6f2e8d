import { someOctets, u32, u8 } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import { octetsFromHex } from '../octets.ts'
import type { Zonemd } from './zonemd.ts'
import type { TypeCases } from './type-cases.cases.ts'

const octets = (hex: string): Uint8Array => octetsFromHex(hex) ?? new Uint8Array()

export const zonemdCases: TypeCases<Zonemd> = {
  valid: [
    [
      'SHA-384',
      '2018031500 1 1 ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB',
      '7848b78c0101abababababababababababababababababababababababababababababababababababababababababababababababab',
    ],
    [
      'SHA-512',
      '2018031500 1 2 CDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCD',
      '7848b78c0102cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd',
    ],
    [
      'lower case',
      '1 1 1 abababababababababababababababababababababababababababababababababababababababababababababababab',
      '000000010101abababababababababababababababababababababababababababababababababababababababababababababababab',
      '1 1 1 ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB',
    ],
    [
      'another scheme',
      '1 240 1 ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB',
      '00000001f001abababababababababababababababababababababababababababababababababababababababababababababababab',
    ],
    ['another algorithm', '1 1 240 EFEFEFEFEFEFEFEFEFEFEFEF', '0000000101f0efefefefefefefefefefefef'],
    [
      'a long digest',
      '1 1 240 EFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEF',
      '0000000101f0efefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef',
    ],
    [
      'the highest numbers',
      '4294967295 255 255 0101010101010101010101010101010101010101010101010101010101010101',
      'ffffffffffff0101010101010101010101010101010101010101010101010101010101010101',
    ],
    ['zeros', '0 1 3 000000000000000000000000', '000000000103000000000000000000000000'],
    [
      'whitespace in the digest',
      '1 1 1 ABABABABABABABABABABABABABABABABABABABAB ABABABABABABABABABABABABABABABABABABABABABABABABABABABAB',
      '000000010101abababababababababababababababababababababababababababababababababababababababababababababababab',
      '1 1 1 ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB',
    ],
    [
      'parentheses',
      '( 1 1 1\n ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB )',
      '000000010101abababababababababababababababababababababababababababababababababababababababababababababababab',
      '1 1 1 ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB',
    ],
    [
      'a trailing comment',
      '1 1 1 ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB ; note',
      '000000010101abababababababababababababababababababababababababababababababababababababababababababababababab',
      '1 1 1 ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB',
    ],
  ],
  values: [
    [
      '1 1 240 EFEFEFEFEFEFEFEFEFEFEFEF',
      { serial: 1, scheme: 1, hashAlgorithm: 240, digest: octets('ef'.repeat(12)) },
    ],
  ],
  badText: [
    ['nothing', '', 'text.missing'],
    ['no digest', '1 1 1', 'text.missing', 5],
    ['half an octet', '1 1 1 ABC', 'text.hex', 6],
    ['no hexadecimal', '1 1 1 XY', 'text.hex', 6],
    ['a serial over 32 bits', '4294967296 1 1 AB', 'zonemd.serial', 0],
    ['a scheme over 255', '1 256 1 AB', 'zonemd.scheme', 2],
    ['an algorithm over 255', '1 1 256 AB', 'zonemd.hashAlgorithm', 4],
    ['an algorithm by name', '1 1 SHA384 AB', 'text.number', 4],
  ],
  badValue: [
    [
      'SHA-384 with 47 octets',
      { serial: 1, scheme: 1, hashAlgorithm: 1, digest: octets('ab'.repeat(47)) },
      ['zonemd.digest-length'],
    ],
    [
      'SHA-512 with 48 octets',
      { serial: 1, scheme: 1, hashAlgorithm: 2, digest: octets('ab'.repeat(48)) },
      ['zonemd.digest-length'],
    ],
    [
      '11 octets',
      { serial: 1, scheme: 1, hashAlgorithm: 3, digest: octets('ab'.repeat(11)) },
      ['zonemd.digest-length'],
    ],
    ['no digest', { serial: 1, scheme: 1, hashAlgorithm: 3, digest: octets('') }, ['zonemd.digest']],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['no digest', '000000010101', 'wire.truncated'],
  ],
  any: fc.record({ serial: u32, scheme: u8, hashAlgorithm: u8, digest: someOctets }),
  plain: fc.record({
    serial: u32,
    scheme: fc.constant(1),
    hashAlgorithm: fc.constant(240),
    digest: fc.uint8Array({ minLength: 12, maxLength: 80 }),
  }),
}
