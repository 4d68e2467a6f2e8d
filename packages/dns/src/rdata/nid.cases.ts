import { u16 } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import { octetsFromHex } from '../octets.ts'
import type { Nid } from './nid.ts'
import type { TypeCases } from './type-cases.cases.ts'

const octets = (hex: string): Uint8Array => octetsFromHex(hex) ?? new Uint8Array()

export const nidCases: TypeCases<Nid> = {
  valid: [
    ['an example', '10 14:4fff:ff20:ee64', '000a00144fffff20ee64', '10 0014:4fff:ff20:ee64'],
    ['leading zeros', '10 0014:4fff:ff20:ee64', '000a00144fffff20ee64'],
    ['zeros', '0 0:0:0:0', '00000000000000000000', '0 0000:0000:0000:0000'],
    ['ones', '65535 ffff:ffff:ffff:ffff', 'ffffffffffffffffffff'],
    ['capitals', '10 2001:0DB8:1140:1000', '000a20010db811401000', '10 2001:0db8:1140:1000'],
    ['one digit each', '1 1:2:3:4', '00010001000200030004', '1 0001:0002:0003:0004'],
    ['zeros inside', '20 2001:0:0:1', '00142001000000000001', '20 2001:0000:0000:0001'],
    ['parentheses', '( 10\n 1:2:3:4 )', '000a0001000200030004', '10 0001:0002:0003:0004'],
    ['a trailing comment', '10 1:2:3:4 ; note', '000a0001000200030004', '10 0001:0002:0003:0004'],
    ['leading zeros in the number', '007 1:2:3:4', '00070001000200030004', '7 0001:0002:0003:0004'],
  ],
  values: [['10 0014:4fff:ff20:ee64', { preference: 10, nodeId: octets('00144fffff20ee64') }]],
  badText: [
    ['nothing', '', 'text.missing'],
    ['no groups', '10', 'text.missing', 2],
    ['three groups', '10 1:2:3', 'text.octets', 3],
    ['five groups', '10 1:2:3:4:5', 'text.octets', 3],
    ['two colons', '10 1::4', 'text.octets', 3],
    ['five digits', '10 0:0:0:10000', 'text.octets', 3],
    ['no hexadecimal', '10 1:2:3:g', 'text.octets', 3],
    ['a number over 65535', '65536 1:2:3:4', 'nid.preference', 0],
    ['trailing data', '10 1:2:3:4 5', 'text.trailing', 11],
  ],
  badValue: [
    ['seven octets', { preference: 10, nodeId: octets('00144fffff20ee') }, ['nid.nodeId']],
    ['a negative number', { preference: -1, nodeId: octets('00144fffff20ee64') }, ['nid.preference']],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['seven octets', '000a00144fffff20ee', 'wire.truncated'],
    ['nine octets', '000a00144fffff20ee6400', 'wire.trailing'],
  ],
  any: fc.record({ preference: u16, nodeId: fc.uint8Array({ minLength: 8, maxLength: 8 }) }),
}
