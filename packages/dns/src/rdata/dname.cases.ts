import { anyName, plainName } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import { parseName as n } from '../name.ts'
import type { Dname } from './dname.ts'
import type { TypeCases } from './type-cases.cases.ts'

export const dnameCases: TypeCases<Dname> = {
  valid: [
    ['a subtree', 'example.net.', '076578616d706c65036e657400'],
    ['the root', '.', '00'],
    ['upper case', 'Example.NET.', '076578616d706c65036e657400', 'example.net.'],
    ['no trailing dot', 'example.net', '076578616d706c65036e657400', 'example.net.'],
    ['one label', 'net.', '036e657400'],
    ['an underscore', '_tcp.example.net.', '045f746370076578616d706c65036e657400'],
    ['a dot in a label', 'a\\.b.example.net.', '03612e62076578616d706c65036e657400'],
    ['a decimal escape', 'a\\046b.example.net.', '03612e62076578616d706c65036e657400', 'a\\.b.example.net.'],
    ['non-ASCII octets', '\\200\\255.example.', '02c8ff076578616d706c6500', '\\200\\255.example.'],
    [
      'a label of 63 octets',
      'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.example.',
      '3f787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878076578616d706c6500',
    ],
    ['parentheses', '( example.net. )', '076578616d706c65036e657400', 'example.net.'],
  ],
  values: [
    ['example.net.', { target: n('example.net') }],
    ['.', { target: n('.') }],
  ],
  badText: [
    ['nothing', '', 'text.missing'],
    ['two names', 'a. b.', 'text.trailing', 3],
    ['an empty label', 'a..b.', 'name.empty-label', 2],
    ['a label of 64 octets', `${'x'.repeat(64)}.`, 'name.label-too-long'],
    ['a name over 255 octets', `${'x'.repeat(63)}.`.repeat(4), 'name.too-long'],
    ['quotes', '"example.net."', 'text.quoted-name'],
    ['a bad escape', 'a\\999.', 'name.bad-escape'],
  ],
  badValue: [
    ['an IPv4 address', { target: n('192.0.2.1') }, ['dname.target-address']],
    ['an IPv6 address', { target: n('2001:db8::1') }, ['dname.target-address']],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['no end', '03616263', 'wire.truncated'],
    ['a pointer', 'c000', 'wire.pointer'],
    ['trailing data', '0000', 'wire.trailing'],
  ],
  any: fc.record({ target: anyName }),
  oracle: {
    plain: fc.record({ target: plainName }),
    toData: (d) => d.target,
  },
}
