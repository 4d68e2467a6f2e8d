import { someOctets } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import { octetsFromHex } from '../octets.ts'
import type { Nsap } from './nsap.ts'
import type { TypeCases } from './type-cases.cases.ts'

const octets = (hex: string): Uint8Array => octetsFromHex(hex) ?? new Uint8Array()

export const nsapCases: TypeCases<Nsap> = {
  valid: [
    [
      'the example of RFC 1706 §7',
      '0x47.0005.80.005a00.0000.0001.e133.ffffff000161.00',
      '47000580005a0000000001e133ffffff00016100',
      '0x47000580005a0000000001e133ffffff00016100',
    ],
    ['no dots', '0x47000580005a0000000001e133ffffff00016100', '47000580005a0000000001e133ffffff00016100'],
    [
      'capitals',
      '0X47.0005.80.005A00.0000.0001.E133.FFFFFF000162.00',
      '47000580005a0000000001e133ffffff00016200',
      '0x47000580005a0000000001e133ffffff00016200',
    ],
    ['one octet', '0x47', '47'],
    ['a dot inside an octet', '0x4.7', '47', '0x47'],
    ['zeros', '0x00000000', '00000000'],
    ['a trailing dot', '0x4700.', '4700', '0x4700'],
    ['a dot in front', '0x.4700', '4700', '0x4700'],
    ['parentheses', '( 0x47 )', '47', '0x47'],
    ['a trailing comment', '0x4701 ; note', '4701', '0x4701'],
  ],
  values: [['0x4700', { address: octets('4700') }]],
  badText: [
    ['nothing', '', 'text.missing'],
    ['no prefix', '4700', 'text.hex', 0],
    ['the prefix alone', '0x', 'text.hex', 0],
    ['dots alone', '0x...', 'text.hex', 0],
    ['half an octet', '0x470', 'text.hex', 0],
    ['no hexadecimal', '0x4g', 'text.hex', 0],
    ['two words', '0x47 00', 'text.trailing', 5],
    ['colons', '0x47:00', 'text.hex', 0],
  ],
  badValue: [['no octets', { address: octets('') }, ['nsap.address']]],
  badWire: [['nothing', '', 'wire.truncated']],
  any: fc.record({ address: someOctets }),
}
