import * as fc from 'fast-check'
import { octetsFromHex } from '../octets.ts'
import type { Eui48 } from './eui48.ts'
import type { TypeCases } from './type-cases.cases.ts'

const octets = (hex: string): Uint8Array => octetsFromHex(hex) ?? new Uint8Array()

export const eui48Cases: TypeCases<Eui48> = {
  valid: [
    ['the example of RFC 7043 §3.3', '00-00-5e-00-53-2a', '00005e00532a'],
    ['zeros', '00-00-00-00-00-00', '000000000000'],
    ['ones', 'ff-ff-ff-ff-ff-ff', 'ffffffffffff'],
    ['capitals', '00-00-5E-00-53-2A', '00005e00532a', '00-00-5e-00-53-2a'],
    ['mixed case', 'aB-Cd-eF-01-23-45', 'abcdef012345', 'ab-cd-ef-01-23-45'],
    ['a group address', '01-00-5e-00-00-01', '01005e000001'],
    ['locally administered', '02-00-00-00-00-01', '020000000001'],
    ['parentheses', '( 00-00-5e-00-53-2a )', '00005e00532a', '00-00-5e-00-53-2a'],
    ['a trailing comment', '00-00-5e-00-53-2a ; note', '00005e00532a', '00-00-5e-00-53-2a'],
    ['a line end', '( 00-00-5e-00-53-2b\n)', '00005e00532b', '00-00-5e-00-53-2b'],
  ],
  values: [['00-00-5e-00-53-2a', { address: octets('00005e00532a') }]],
  badText: [
    ['nothing', '', 'text.missing'],
    ['five pairs', '00-00-5e-00-53', 'text.octets', 0],
    ['seven pairs', '00-00-5e-00-53-2a-00', 'text.octets', 0],
    ['colons', '00:00:5e:00:53:2a', 'text.octets', 0],
    ['no hyphens', '00005e00532a', 'text.octets', 0],
    ['half an octet', '0-00-5e-00-53-2a', 'text.octets', 0],
    ['no hexadecimal', '00-00-5e-00-53-2g', 'text.octets', 0],
    ['two addresses', '00-00-5e-00-53-2a 00-00-5e-00-53-2a', 'text.trailing', 18],
  ],
  badValue: [['five octets', { address: octets('00005e0053') }, ['eui48.address']]],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['five octets', '00005e0053', 'wire.truncated'],
    ['seven octets', '00005e00532a00', 'wire.trailing'],
  ],
  any: fc.record({ address: fc.uint8Array({ minLength: 6, maxLength: 6 }) }),
}
