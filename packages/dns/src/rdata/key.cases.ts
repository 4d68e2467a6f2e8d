import { anyOctets, someOctets, u16, u8 } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import { octetsFromHex } from '../octets.ts'
import type { Key } from './key.ts'
import type { TypeCases } from './type-cases.cases.ts'

const octets = (hex: string): Uint8Array => octetsFromHex(hex) ?? new Uint8Array()

export const keyCases: TypeCases<Key> = {
  valid: [
    ['a host key', '512 255 3 AQNR', '0200ff03010351'],
    [
      'a zone key',
      '256 3 5 AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==',
      '01000305010351537986ed35533b6064478eeeb27b5bd74dae149b6e81ba3a0521af82ab7801',
    ],
    ['an algorithm by name', '256 3 RSASHA1 AQNR', '01000305010351', '256 3 5 AQNR'],
    ['a user key', '0 0 5 AQNR', '00000005010351'],
    ['zeros', '0 0 0 AQNR', '00000000010351'],
    ['the highest numbers', '16383 255 255 AQNR', '3fffffff010351'],
    ['one octet', '256 3 13 AQ==', '0100030d01'],
    ['whitespace in the key', '256 3 5 AQNR U3mG', '01000305010351537986', '256 3 5 AQNRU3mG'],
    ['parentheses', '( 256 3\n 5 AQNR )', '01000305010351', '256 3 5 AQNR'],
    ['a trailing comment', '256 3 5 AQNR ; note', '01000305010351', '256 3 5 AQNR'],
  ],
  values: [
    ['256 3 5 AQNR', { flags: 256, protocol: 3, algorithm: 5, publicKey: octets('010351') }],
    ['49152 3 0', { flags: 49_152, protocol: 3, algorithm: 0, publicKey: octets('') }],
  ],
  badText: [
    ['nothing', '', 'text.missing'],
    ['no algorithm', '256 3', 'text.missing', 5],
    ['no base64', '256 3 5 AQN', 'text.base64', 8],
    ['flags over 65535', '65536 3 5 AQNR', 'key.flags', 0],
    ['a protocol over 255', '256 256 5 AQNR', 'key.protocol', 4],
    ['an algorithm over 255', '256 3 256 AQNR', 'key.algorithm', 6],
    ['an unknown algorithm name', '256 3 RSASHA3 AQNR', 'text.number', 6],
  ],
  badValue: [
    [
      'no key where there must be one',
      { flags: 256, protocol: 3, algorithm: 5, publicKey: octets('') },
      ['key.no-key'],
    ],
    [
      'an unexpected key',
      { flags: 49_152, protocol: 3, algorithm: 5, publicKey: octets('01') },
      ['key.no-key'],
    ],
    [
      'numbers out of range',
      { flags: -1, protocol: 256, algorithm: 1.5, publicKey: octets('01') },
      ['key.flags', 'key.protocol', 'key.algorithm'],
    ],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['no algorithm', '010003', 'wire.truncated'],
  ],
  any: fc.record({ flags: u16, protocol: u8, algorithm: u8, publicKey: anyOctets }),
  plain: fc.record({
    flags: fc.constantFrom(0, 256, 512),
    protocol: u8,
    algorithm: fc.constantFrom(1, 3, 5, 8, 13),
    publicKey: someOctets,
  }),
}
