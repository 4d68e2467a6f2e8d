import { anyName, someOctets, u8 } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import { parseName as n } from '../name.ts'
import { octetsFromHex } from '../octets.ts'
import type { Hip } from './hip.ts'
import type { TypeCases } from './type-cases.cases.ts'

const octets = (hex: string): Uint8Array => octetsFromHex(hex) ?? new Uint8Array()

export const hipCases: TypeCases<Hip> = {
  valid: [
    [
      'no servers',
      '2 200100107B1A74DF365639CC39F1D578 AQNR',
      '10020003200100107b1a74df365639cc39f1d578010351',
    ],
    [
      'one server',
      '2 200100107B1A74DF365639CC39F1D578 AQNR rvs.example.com.',
      '10020003200100107b1a74df365639cc39f1d57801035103727673076578616d706c6503636f6d00',
    ],
    [
      'two servers',
      '2 200100107B1A74DF365639CC39F1D578 AQNR rvs1.example.com. rvs2.example.com.',
      '10020003200100107b1a74df365639cc39f1d5780103510472767331076578616d706c6503636f6d000472767332076578616d706c6503636f6d00',
    ],
    [
      'lower case',
      '2 200100107b1a74df365639cc39f1d578 AQNR',
      '10020003200100107b1a74df365639cc39f1d578010351',
      '2 200100107B1A74DF365639CC39F1D578 AQNR',
    ],
    ['a tag of one octet', '2 00 AQNR', '0102000300010351'],
    ['a key of one octet', '2 00 AA==', '010200010000'],
    ['algorithm 0', '0 00FF AQNR', '0200000300ff010351'],
    ['algorithm 255', '255 00FF AQNR', '02ff000300ff010351'],
    [
      'a long tag',
      '2 ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB AQNR',
      'ff020003ababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababababab010351',
    ],
    [
      'parentheses',
      '( 2 200100107B1A74DF365639CC39F1D578\n AQNR\n rvs.example. )',
      '10020003200100107b1a74df365639cc39f1d57801035103727673076578616d706c6500',
      '2 200100107B1A74DF365639CC39F1D578 AQNR rvs.example.',
    ],
    ['a trailing comment', '2 00 AQNR a. ; note', '0102000300010351016100', '2 00 AQNR a.'],
    ['non-ASCII octets', '2 00 AQNR \\200\\255.', '010200030001035102c8ff00'],
  ],
  values: [
    [
      '2 00FF AQNR a. b.',
      { algorithm: 2, tag: octets('00ff'), publicKey: octets('010351'), servers: [n('a'), n('b')] },
    ],
    ['1 00 AA==', { algorithm: 1, tag: octets('00'), publicKey: octets('00'), servers: [] }],
  ],
  badText: [
    ['nothing', '', 'text.missing'],
    ['no tag', '2', 'text.missing', 1],
    ['no key', '2 00', 'text.missing', 4],
    ['half an octet', '2 000 AQNR', 'text.octets', 2],
    ['no base64', '2 00 AQN', 'text.octets', 5],
    ['an algorithm over 255', '256 00 AQNR', 'hip.algorithm', 0],
    ['an algorithm by name', 'RSA 00 AQNR', 'text.number', 0],
    [
      'a tag of 256 octets',
      '2 ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB AQNR',
      'hip.tag',
      2,
    ],
    ['an empty label', '2 00 AQNR a..b.', 'name.empty-label'],
  ],
  badValue: [
    [
      'no tag and no key',
      { algorithm: 2, tag: octets(''), publicKey: octets(''), servers: [] },
      ['hip.tag', 'hip.publicKey'],
    ],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['no tag', '00020001', 'wire.value'],
    ['no key', '0102000000', 'wire.value'],
    ['a key cut short', '0102000200ff', 'wire.truncated'],
    ['a pointer', '010200010001c000', 'wire.pointer'],
  ],
  any: fc.record({
    algorithm: u8,
    tag: fc.uint8Array({ minLength: 1, maxLength: 255 }),
    publicKey: someOctets,
    servers: fc.array(anyName, { maxLength: 3 }),
  }),
}
