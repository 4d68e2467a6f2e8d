import * as fc from 'fast-check'
import { formatIpv6, parseIpv6 } from '../address.ts'
import type { Apl, AplItem } from './apl.ts'
import type { TypeCases } from './type-cases.cases.ts'

const item: fc.Arbitrary<AplItem> = fc.oneof(
  fc.record({
    negated: fc.boolean(),
    family: fc.constant(1 as const),
    address: fc.ipV4(),
    prefix: fc.nat(32),
  }),
  fc.record({
    negated: fc.boolean(),
    family: fc.constant(2 as const),
    address: fc.ipV6().map((text) => formatIpv6(parseIpv6(text) ?? new Uint8Array(16))),
    prefix: fc.nat(128),
  }),
)

export const aplCases: TypeCases<Apl> = {
  valid: [
    ['the example of RFC 3123 §5', '1:192.168.32.0/21 !1:192.168.38.0/28', '00011503c0a82000011c83c0a826'],
    ['IPv6', '2:ff00::/8', '00020801ff'],
    ['both families', '1:192.0.2.0/24 2:2001:db8::/32', '00011803c000020002200420010db8'],
    ['all of IPv4', '1:0.0.0.0/0', '00010000'],
    ['all of IPv6', '2:::/0', '00020000'],
    ['a host', '1:192.0.2.1/32', '00012004c0000201'],
    ['an IPv6 host', '2:2001:db8::1/128', '0002801020010db8000000000000000000000001'],
    ['a negated family', '!1:0.0.0.0/0 !2:::/0', '0001008000020080'],
    ['bits after the prefix', '1:192.168.33.7/21', '00011504c0a82107'],
    ['an empty list', '', ''],
    ['capitals', '2:2001:DB8::/32', '0002200420010db8', '2:2001:db8::/32'],
    [
      'parentheses',
      '( 1:10.0.0.0/8\n 1:192.0.2.0/24 )',
      '000108010a00011803c00002',
      '1:10.0.0.0/8 1:192.0.2.0/24',
    ],
    ['a trailing comment', '1:10.0.0.0/8 ; note', '000108010a', '1:10.0.0.0/8'],
  ],
  values: [
    ['!1:10.0.0.0/8', { items: [{ negated: true, family: 1, address: '10.0.0.0', prefix: 8 }] }],
    ['', { items: [] }],
  ],
  badText: [
    ['no family', '10.0.0.0/8', 'apl.items', 0],
    ['an unknown family', '3:10.0.0.0/8', 'apl.items', 0],
    ['no prefix', '1:10.0.0.0', 'apl.items', 0],
    ['a prefix over 32', '1:10.0.0.0/33', 'apl.items', 0],
    ['a prefix over 128', '2:::/129', 'apl.items', 0],
    ['an IPv6 address of family 1', '1:::1/8', 'apl.items', 0],
    ['a short address', '1:10/8', 'apl.items', 0],
    ['trailing data', '1:10.0.0.0/8 x', 'apl.items', 13],
  ],
  badValue: [
    [
      'a prefix out of range',
      { items: [{ negated: false, family: 1, address: '10.0.0.0', prefix: 33 }] },
      ['apl.items'],
    ],
    ['no address', { items: [{ negated: false, family: 2, address: '10.0.0.0', prefix: 8 }] }, ['apl.items']],
  ],
  badWire: [
    ['cut short', '000108', 'wire.truncated'],
    ['an address cut short', '000108020a', 'wire.truncated'],
    ['an unknown family', '000308010a', 'wire.value'],
    ['a prefix over 32', '000121010a', 'wire.value'],
    ['an address of five octets', '000108050102030405', 'wire.value'],
    ['zeros at the end', '000108020a00', 'wire.value'],
  ],
  any: fc.record({ items: fc.array(item, { maxLength: 5 }) }),
}
