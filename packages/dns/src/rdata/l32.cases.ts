import { u16 } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import type { L32 } from './l32.ts'
import type { TypeCases } from './type-cases.cases.ts'

export const l32Cases: TypeCases<L32> = {
  valid: [
    ['an example', '10 10.1.2.0', '000a0a010200'],
    ['zeros', '0 0.0.0.0', '000000000000'],
    ['ones', '65535 255.255.255.255', 'ffffffffffff'],
    ['documentation', '20 192.0.2.0', '0014c0000200'],
    ['loopback', '1 127.0.0.1', '00017f000001'],
    ['multicast', '1 224.0.0.1', '0001e0000001'],
    ['a host', '1 10.1.2.3', '00010a010203'],
    ['parentheses', '( 10\n 10.1.4.0 )', '000a0a010400', '10 10.1.4.0'],
    ['a trailing comment', '10 10.1.4.0 ; note', '000a0a010400', '10 10.1.4.0'],
    ['leading zeros in the number', '007 10.1.4.0', '00070a010400', '7 10.1.4.0'],
  ],
  values: [['10 10.1.2.0', { preference: 10, locator: '10.1.2.0' }]],
  badText: [
    ['nothing', '', 'text.missing'],
    ['no locator', '10', 'text.missing', 2],
    ['three parts', '10 10.1.2', 'l32.locator', 3],
    ['a part over 255', '10 10.1.2.256', 'l32.locator', 3],
    ['a leading zero', '10 10.1.2.01', 'l32.locator', 3],
    ['an IPv6 address', '10 ::1', 'l32.locator', 3],
    ['a number over 65535', '65536 10.1.2.0', 'l32.preference', 0],
    ['trailing data', '10 10.1.2.0 5', 'text.trailing', 12],
  ],
  badValue: [['no address', { preference: 1, locator: 'x' }, ['l32.locator']]],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['three octets', '000a0a0102', 'wire.truncated'],
    ['five octets', '000a0a01020000', 'wire.trailing'],
  ],
  any: fc.record({ preference: u16, locator: fc.ipV4() }),
}
