import { anyName } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import { parseName as n } from '../name.ts'
import type { Minfo } from './minfo.ts'
import type { TypeCases } from './type-cases.cases.ts'

export const minfoCases: TypeCases<Minfo> = {
  valid: [
    ['two names', 'a.example. b.example.', '0161076578616d706c65000162076578616d706c6500'],
    ['the root twice', '. .', '0000'],
    ['the root first', '. a.', '00016100'],
    ['the root last', 'a. .', '01610000'],
    ['one label each', 'a. b.', '016100016200'],
    ['an underscore', '_a.example. _b.example.', '025f61076578616d706c6500025f62076578616d706c6500'],
    ['a dot in a label', 'a\\.b.example. c.', '03612e62076578616d706c6500016300'],
    ['non-ASCII octets', '\\200\\255.example. \\001.', '02c8ff076578616d706c6500010100'],
    [
      'parentheses',
      '( a.example.\n b.example. )',
      '0161076578616d706c65000162076578616d706c6500',
      'a.example. b.example.',
    ],
    ['a trailing comment', 'a. b. ; note', '016100016200', 'a. b.'],
    ['the same name', 'a.example. a.example.', '0161076578616d706c65000161076578616d706c6500'],
  ],
  values: [
    ['a.example. b.', { responsible: n('a.example'), errors: n('b') }],
    ['. .', { responsible: n('.'), errors: n('.') }],
  ],
  badText: [
    ['nothing', '', 'text.missing'],
    ['one name', 'a.', 'text.missing', 2],
    ['three names', 'a. b. c.', 'text.trailing', 6],
    ['an empty label', 'a. b..c.', 'name.empty-label', 5],
    [
      'a label of 64 octets',
      'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx. a.',
      'name.label-too-long',
    ],
    ['quotes', 'a. "b."', 'text.quoted-name'],
    ['a bad escape', 'a\\999. b.', 'name.bad-escape'],
  ],
  badValue: [
    ['an IPv4 address', { responsible: n('192.0.2.1'), errors: n('.') }, ['minfo.responsible-address']],
    [
      'two addresses',
      { responsible: n('192.0.2.1'), errors: n('2001:db8::1') },
      ['minfo.responsible-address', 'minfo.errors-address'],
    ],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['one name', '00', 'wire.truncated'],
    ['a pointer', '00c000', 'wire.pointer'],
    ['trailing data', '000000', 'wire.trailing'],
  ],
  any: fc.record({ responsible: anyName, errors: anyName }),
}
