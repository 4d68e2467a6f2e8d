import * as fc from 'fast-check'
import { formatIpv6 } from '../address.ts'
import type { Aaaa } from './aaaa.ts'
import type { TypeCases } from './type-cases.cases.ts'

const anyAddress = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((o) => ({ address: formatIpv6(o) }))

export const aaaaCases: TypeCases<Aaaa> = {
  valid: [
    ['documentation', '2001:db8::1', '20010db8000000000000000000000001'],
    ['unspecified', '::', '00000000000000000000000000000000'],
    ['loopback', '::1', '00000000000000000000000000000001'],
    ['discard prefix', '100::', '01000000000000000000000000000000'],
    ['unique local', 'fd00:1:2:3:4:5:6:7', 'fd000001000200030004000500060007'],
    ['link local', 'fe80::1:2', 'fe800000000000000000000000010002'],
    ['upper case', '2001:DB8::ABCD', '20010db800000000000000000000abcd', '2001:db8::abcd'],
    [
      'leading zeros',
      '2001:0db8:0000:0000:0000:0000:0000:0001',
      '20010db8000000000000000000000001',
      '2001:db8::1',
    ],
    ['a single zero group', '2001:db8:0:1:1:1:1:1', '20010db8000000010001000100010001'],
    ['the first of two equal runs', '2001:db8::1:0:0:1', '20010db8000000000001000000000001'],
    ['a quad at the end', '64:ff9b::192.0.2.33', '0064ff9b0000000000000000c0000221', '64:ff9b::c000:221'],
    ['IPv4-mapped', '::ffff:192.0.2.1', '00000000000000000000ffffc0000201'],
    ['no zeros', '1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
  ],
  values: [['2001:db8::1', { address: '2001:db8::1' }]],
  badText: [
    ['IPv4', '192.0.2.1', 'aaaa.address', 0],
    ['two gaps', '2001::db8::1', 'aaaa.address'],
    ['seven groups', '1:2:3:4:5:6:7', 'aaaa.address'],
    ['nine groups', '1:2:3:4:5:6:7:8:9', 'aaaa.address'],
    ['a gap that replaces no group', '1:2:3:4::5:6:7:8', 'aaaa.address'],
    ['five digits', '2001:db8::12345', 'aaaa.address'],
    ['a letter beyond f', '2001:db8::g', 'aaaa.address'],
    ['a zone', 'fe80::1%eth0', 'aaaa.address'],
    ['a prefix', '2001:db8::/32', 'aaaa.address'],
    ['brackets', '[2001:db8::1]', 'aaaa.address'],
    ['nothing', ' ', 'text.missing', 1],
    ['two addresses', '::1 ::2', 'text.trailing', 4],
  ],
  badValue: [['a quad inside', { address: '1:192.0.2.1::' }, ['aaaa.address']]],
  badWire: [
    ['four octets', 'c0000201', 'wire.truncated'],
    ['seventeen octets', '2001db800000000000000000000000000100', 'wire.trailing'],
  ],
  any: anyAddress,
  oracle: { plain: anyAddress, toData: (d) => d.address },
}
