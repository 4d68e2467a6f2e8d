import * as fc from 'fast-check'
import { octetsFromHex } from '../octets.ts'
import type { Eui64 } from './eui64.ts'
import type { TypeCases } from './type-cases.cases.ts'

const octets = (hex: string): Uint8Array => octetsFromHex(hex) ?? new Uint8Array()

export const eui64Cases: TypeCases<Eui64> = {
  valid: [
    ['the example of RFC 7043 §4.3', '00-00-5e-ef-10-00-00-2a', '00005eef1000002a'],
    ['zeros', '00-00-00-00-00-00-00-00', '0000000000000000'],
    ['ones', 'ff-ff-ff-ff-ff-ff-ff-ff', 'ffffffffffffffff'],
    ['capitals', '00-00-5E-EF-10-00-00-2A', '00005eef1000002a', '00-00-5e-ef-10-00-00-2a'],
    ['mixed case', 'aB-Cd-eF-01-23-45-67-89', 'abcdef0123456789', 'ab-cd-ef-01-23-45-67-89'],
    ['a group address', '01-00-5e-00-00-00-00-01', '01005e0000000001'],
    ['locally administered', '02-00-00-00-00-00-00-01', '0200000000000001'],
    ['parentheses', '( 00-00-5e-ef-10-00-00-2a )', '00005eef1000002a', '00-00-5e-ef-10-00-00-2a'],
    ['a trailing comment', '00-00-5e-ef-10-00-00-2a ; note', '00005eef1000002a', '00-00-5e-ef-10-00-00-2a'],
    ['a line end', '( 00-00-5e-ef-10-00-00-2b\n)', '00005eef1000002b', '00-00-5e-ef-10-00-00-2b'],
  ],
  values: [['00-00-5e-ef-10-00-00-2a', { address: octets('00005eef1000002a') }]],
  badText: [
    ['nothing', '', 'text.missing'],
    ['seven pairs', '00-00-5e-ef-10-00-00', 'text.octets', 0],
    ['nine pairs', '00-00-5e-ef-10-00-00-2a-00', 'text.octets', 0],
    ['colons', '00:00:5e:ef:10:00:00:2a', 'text.octets', 0],
    ['no hyphens', '00005eef1000002a', 'text.octets', 0],
    ['half an octet', '0-00-5e-ef-10-00-00-2a', 'text.octets', 0],
    ['no hexadecimal', '00-00-5e-ef-10-00-00-2g', 'text.octets', 0],
    ['two addresses', '00-00-5e-ef-10-00-00-2a 00', 'text.trailing', 24],
  ],
  badValue: [['six octets', { address: octets('00005e005301') }, ['eui64.address']]],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['seven octets', '00005eef100000', 'wire.truncated'],
    ['nine octets', '00005eef1000002a00', 'wire.trailing'],
  ],
  any: fc.record({ address: fc.uint8Array({ minLength: 8, maxLength: 8 }) }),
}
