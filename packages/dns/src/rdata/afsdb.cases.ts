import { anyName, u16 } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import { parseName as n } from '../name.ts'
import type { Afsdb } from './afsdb.ts'
import type { TypeCases } from './type-cases.cases.ts'

export const afsdbCases: TypeCases<Afsdb> = {
  valid: [
    ['a host', '1 host.example.', '000104686f7374076578616d706c6500'],
    ['the highest number', '65535 host.example.', 'ffff04686f7374076578616d706c6500'],
    ['zero', '0 host.example.', '000004686f7374076578616d706c6500'],
    ['the root', '0 .', '000000'],
    ['one label', '5 com.', '000503636f6d00'],
    ['an underscore', '1 _a.example.', '0001025f61076578616d706c6500'],
    ['a dot in a label', '1 a\\.b.example.', '000103612e62076578616d706c6500'],
    ['non-ASCII octets', '1 \\200\\255.example.', '000102c8ff076578616d706c6500'],
    ['a wildcard label', '1 *.example.', '0001012a076578616d706c6500'],
    ['parentheses', '( 10\n host.example. )', '000a04686f7374076578616d706c6500', '10 host.example.'],
    ['a trailing comment', '2 host.example. ; note', '000204686f7374076578616d706c6500', '2 host.example.'],
    ['leading zeros', '007 host.example.', '000704686f7374076578616d706c6500', '7 host.example.'],
  ],
  values: [
    ['1 host.example.', { subtype: 1, hostname: n('host.example') }],
    ['0 .', { subtype: 0, hostname: n('.') }],
  ],
  badText: [
    ['nothing', '', 'text.missing'],
    ['no name', '1', 'text.missing', 1],
    ['no number', 'host.example.', 'text.number', 0],
    ['a number over 65535', '65536 a.', 'afsdb.subtype', 0],
    ['a negative number', '-1 a.', 'text.number', 0],
    ['two names', '1 a. b.', 'text.trailing', 5],
    ['an empty label', '1 a..b.', 'name.empty-label', 4],
    ['quotes', '1 "a."', 'text.quoted-name'],
  ],
  badValue: [
    ['an IPv4 address', { subtype: 1, hostname: n('192.0.2.1') }, ['afsdb.hostname-address']],
    ['an IPv6 address', { subtype: 1, hostname: n('2001:db8::1') }, ['afsdb.hostname-address']],
    ['a number that is not an integer', { subtype: 1.5, hostname: n('a') }, ['afsdb.subtype']],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['no name', '0001', 'wire.truncated'],
    ['a pointer', '0001c000', 'wire.pointer'],
    ['trailing data', '00010000', 'wire.trailing'],
  ],
  any: fc.record({ subtype: u16, hostname: anyName }),
}
