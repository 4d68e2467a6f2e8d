import { anyName, anyOctets, someOctets, u8 } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import { formatIpv6, parseIpv6 } from '../address.ts'
import { parseName as n } from '../name.ts'
import { octetsFromHex } from '../octets.ts'
import type { Gateway, Ipseckey } from './ipseckey.ts'
import type { TypeCases } from './type-cases.cases.ts'

const octets = (hex: string): Uint8Array => octetsFromHex(hex) ?? new Uint8Array()

const gateway: fc.Arbitrary<Gateway> = fc.oneof(
  fc.constant<Gateway>({ type: 0 }),
  fc.ipV4().map((address): Gateway => ({ type: 1, address })),
  fc
    .ipV6()
    .map((address): Gateway => ({ type: 2, address: formatIpv6(parseIpv6(address) ?? new Uint8Array(16)) })),
  anyName.map((name): Gateway => ({ type: 3, name })),
)

export const ipseckeyCases: TypeCases<Ipseckey> = {
  valid: [
    [
      'an address (RFC 4025 §3.2)',
      '10 1 2 192.0.2.38 AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==',
      '0a0102c0000226010351537986ed35533b6064478eeeb27b5bd74dae149b6e81ba3a0521af82ab7801',
    ],
    [
      'none',
      '10 0 2 . AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==',
      '0a0002010351537986ed35533b6064478eeeb27b5bd74dae149b6e81ba3a0521af82ab7801',
    ],
    [
      'IPv6',
      '10 2 2 2001:0DB8:0:8002::2000:1 AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==',
      '0a020220010db8000080020000000020000001010351537986ed35533b6064478eeeb27b5bd74dae149b6e81ba3a0521af82ab7801',
      '10 2 2 2001:db8:0:8002::2000:1 AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==',
    ],
    [
      'a name',
      '10 3 2 mygateway.example.com. AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==',
      '0a0302096d7967617465776179076578616d706c6503636f6d00010351537986ed35533b6064478eeeb27b5bd74dae149b6e81ba3a0521af82ab7801',
    ],
    ['algorithm 1', '0 0 1 . AQNR', '000001010351'],
    ['the highest numbers', '255 1 255 255.255.255.255 AQ==', 'ff01ffffffffff01'],
    ['the root by name', '1 3 1 . AQNR', '01030100010351'],
    [
      'whitespace in the key',
      '10 1 2 192.0.2.38 AQNR U3mG',
      '0a0102c0000226010351537986',
      '10 1 2 192.0.2.38 AQNRU3mG',
    ],
    ['parentheses', '( 10 1 2\n 192.0.2.38 AQNR )', '0a0102c0000226010351', '10 1 2 192.0.2.38 AQNR'],
    ['a trailing comment', '10 1 2 192.0.2.38 AQNR ; note', '0a0102c0000226010351', '10 1 2 192.0.2.38 AQNR'],
  ],
  values: [
    [
      '10 1 2 192.0.2.38 AQNR',
      {
        precedence: 10,
        algorithm: 2,
        gateway: { type: 1, address: '192.0.2.38' },
        publicKey: octets('010351'),
      },
    ],
    ['10 0 0 .', { precedence: 10, algorithm: 0, gateway: { type: 0 }, publicKey: octets('') }],
    [
      '1 3 2 a. AQ==',
      { precedence: 1, algorithm: 2, gateway: { type: 3, name: n('a') }, publicKey: octets('01') },
    ],
  ],
  badText: [
    ['nothing', '', 'text.missing'],
    ['no gateway', '10 1 2', 'text.missing', 6],
    ['a gateway of type 0', '10 0 2 a. AQNR', 'ipseckey.gateway', 7],
    ['a gateway type over 3', '10 4 2 a. AQNR', 'ipseckey.gateway', 3],
    ['an IPv6 address for IPv4', '10 1 2 ::1 AQNR', 'ipseckey.gateway'],
    ['an IPv4 address for IPv6', '10 2 2 192.0.2.1 AQNR', 'ipseckey.gateway'],
    ['a precedence over 255', '256 0 2 . AQNR', 'ipseckey.precedence'],
    ['an algorithm over 255', '1 0 256 . AQNR', 'ipseckey.algorithm'],
    ['no base64', '10 0 2 . AQN', 'text.base64', 9],
  ],
  badValue: [
    [
      'no address',
      { precedence: 1, algorithm: 2, gateway: { type: 1, address: '::1' }, publicKey: octets('01') },
      ['ipseckey.gateway'],
    ],
    [
      'numbers out of range',
      { precedence: 256, algorithm: -1, gateway: { type: 0 }, publicKey: octets('01') },
      ['ipseckey.precedence', 'ipseckey.algorithm'],
    ],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['an address cut short', '0a0102c000', 'wire.truncated'],
    ['a gateway type over 3', '0a040200', 'wire.value'],
    ['a pointer', '0a0302c000', 'wire.pointer'],
  ],
  any: fc.record({ precedence: u8, algorithm: u8, gateway, publicKey: anyOctets }),
  plain: fc.record({ precedence: u8, algorithm: u8, gateway, publicKey: someOctets }),
}
