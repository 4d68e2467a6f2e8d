import { anyString } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import type { Isdn } from './isdn.ts'
import type { TypeCases } from './type-cases.cases.ts'

export const isdnCases: TypeCases<Isdn> = {
  valid: [
    ['an address', '150862028003217', '0f313530383632303238303033323137', '"150862028003217"'],
    ['with a subaddress', '"150862028003217" "004"', '0f31353038363230323830303332313703303034'],
    ['an empty subaddress', '"1" ""', '013100'],
    ['both empty', '"" ""', '0000'],
    ['empty alone', '""', '00'],
    ['letters', '"abc"', '03616263'],
    ['a quote', '"\\"" "\\\\"', '0122015c'],
    ['non-ASCII octets', '"\\000\\255"', '0200ff'],
    [
      '255 octets',
      '"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"',
      'ff787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878',
    ],
    ['parentheses', '( "1"\n"2" )', '01310132', '"1" "2"'],
    ['a trailing comment', '"1" ; note', '0131', '"1"'],
  ],
  values: [
    ['"1"', { address: '1', subaddress: undefined }],
    ['"1" ""', { address: '1', subaddress: '' }],
    ['"1" "2"', { address: '1', subaddress: '2' }],
  ],
  badText: [
    ['nothing', '', 'text.missing'],
    ['three strings', '"1" "2" "3"', 'text.trailing', 9],
    ['an open quote', '"1" "2', 'text.unbalanced-quote', 4],
    ['a bad escape', '"1" "\\300"', 'text.bad-escape', 5],
    [
      '256 octets',
      'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
      'isdn.address',
      0,
    ],
    [
      'a trailing string of 256 octets',
      '1 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
      'isdn.subaddress',
      2,
    ],
  ],
  badValue: [
    ['a character above 255', { address: '\u0100', subaddress: undefined }, ['isdn.address']],
    [
      'both too long',
      { address: 'x'.repeat(256), subaddress: 'x'.repeat(256) },
      ['isdn.address', 'isdn.subaddress'],
    ],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['cut short', '0531', 'wire.truncated'],
    ['the second cut short', '013105', 'wire.truncated'],
    ['three strings', '000000', 'wire.trailing'],
  ],
  any: fc.record({ address: anyString, subaddress: fc.option(anyString, { nil: undefined }) }),
}
