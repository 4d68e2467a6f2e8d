import { anyString } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import type { Gpos } from './gpos.ts'
import type { TypeCases } from './type-cases.cases.ts'

const number = fc.stringMatching(/^-?[1-8][0-9]?[.][0-9]{1,5}$/)

export const gposCases: TypeCases<Gpos> = {
  valid: [
    [
      'a position',
      '-32.6882 116.8652 10.0',
      '082d33322e36383832083131362e383635320431302e30',
      '"-32.6882" "116.8652" "10.0"',
    ],
    ['quotes', '"-32.6882" "116.8652" "10.0"', '082d33322e36383832083131362e383635320431302e30'],
    ['whole numbers', '10 20 30', '023130023230023330', '"10" "20" "30"'],
    ['a sign', '+10 -20 +30', '032b3130032d3230032b3330', '"+10" "-20" "+30"'],
    ['zeros', '"0" "0" "0"', '013001300130'],
    ['the South Pole', '"0" "-90" "2835"', '0130032d39300432383335'],
    ['many digits', '"1.00000000000001" "2" "3"', '10312e303030303030303030303030303101320133'],
    ['fractions', '0.5 0.25 0.125', '03302e3504302e323505302e313235', '"0.5" "0.25" "0.125"'],
    ['parentheses', '( 1\n2 3 )', '013101320133', '"1" "2" "3"'],
    ['a trailing comment', '1 2 3 ; note', '013101320133', '"1" "2" "3"'],
  ],
  values: [
    ['"-32.6882" "116.8652" "10.0"', { longitude: '-32.6882', latitude: '116.8652', altitude: '10.0' }],
  ],
  badText: [
    ['nothing', '', 'text.missing'],
    ['one string', '1', 'text.missing', 1],
    ['two strings', '1 2', 'text.missing', 3],
    ['four strings', '1 2 3 4', 'text.trailing', 6],
    ['an open quote', '1 2 "3', 'text.unbalanced-quote', 4],
    [
      '256 octets',
      '1 2 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
      'gpos.altitude',
      4,
    ],
  ],
  badValue: [
    ['a character above 255', { longitude: '\u0100', latitude: '', altitude: '' }, ['gpos.longitude']],
    [
      'too long',
      { longitude: '', latitude: 'x'.repeat(256), altitude: 'x'.repeat(256) },
      ['gpos.latitude', 'gpos.altitude'],
    ],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['two strings', '01310131', 'wire.truncated'],
    ['four strings', '01310131013101', 'wire.trailing'],
    ['cut short', '0131013105', 'wire.truncated'],
  ],
  any: fc.record({ longitude: anyString, latitude: anyString, altitude: anyString }),
  plain: fc.record({ longitude: number, latitude: number, altitude: number }),
}
