import { anyName, u16 } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import { parseName as n } from '../name.ts'
import type { Px } from './px.ts'
import type { TypeCases } from './type-cases.cases.ts'

export const pxCases: TypeCases<Px> = {
  valid: [
    [
      'a mapping',
      '10 net2.it. prmd-net2.admd-p400.c-it.',
      '000a046e657432026974000970726d642d6e6574320961646d642d7034303004632d697400',
    ],
    ['the highest number', '65535 a. b.', 'ffff016100016200'],
    ['zero', '0 a. b.', '0000016100016200'],
    ['the roots', '0 . .', '00000000'],
    ['an underscore', '1 _a.example. b.', '0001025f61076578616d706c6500016200'],
    ['a wildcard', '50 *.example. admd-x.c-it.', '0032012a076578616d706c65000661646d642d7804632d697400'],
    ['a dot in a label', '1 a\\.b. c.', '000103612e6200016300'],
    ['non-ASCII octets', '1 \\200\\255. b.', '000102c8ff00016200'],
    ['parentheses', '( 10\n a. b. )', '000a016100016200', '10 a. b.'],
    ['a trailing comment', '2 a. b. ; note', '0002016100016200', '2 a. b.'],
    ['leading zeros', '007 a. b.', '0007016100016200', '7 a. b.'],
  ],
  values: [
    ['10 a. b.', { preference: 10, map822: n('a'), mapx400: n('b') }],
    ['0 . .', { preference: 0, map822: n('.'), mapx400: n('.') }],
  ],
  badText: [
    ['nothing', '', 'text.missing'],
    ['no names', '1', 'text.missing', 1],
    ['one name', '1 a.', 'text.missing', 4],
    ['no number', 'a. b.', 'text.number', 0],
    ['a number over 65535', '65536 a. b.', 'px.preference', 0],
    ['three names', '1 a. b. c.', 'text.trailing', 8],
    ['an empty label', '1 a..b. c.', 'name.empty-label', 4],
  ],
  badValue: [
    ['an IPv4 address first', { preference: 1, map822: n('192.0.2.1'), mapx400: n('b') }, ['px.map-address']],
    [
      'an IPv6 address last',
      { preference: 1, map822: n('a'), mapx400: n('2001:db8::1') },
      ['px.mapx-address'],
    ],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['one name', '000100', 'wire.truncated'],
    ['a pointer', '000100c000', 'wire.pointer'],
    ['trailing data', '0001000000', 'wire.trailing'],
  ],
  any: fc.record({ preference: u16, map822: anyName, mapx400: anyName }),
}
