import * as fc from 'fast-check'
import { formatIpv4 } from '../address.ts'
import type { A } from './a.ts'
import type { TypeCases } from './type-cases.cases.ts'

const anyAddress = fc.uint8Array({ minLength: 4, maxLength: 4 }).map((o) => ({ address: formatIpv4(o) }))

export const aCases: TypeCases<A> = {
  valid: [
    ['documentation', '192.0.2.1', 'c0000201'],
    ['all zeros', '0.0.0.0', '00000000'],
    ['all ones', '255.255.255.255', 'ffffffff'],
    ['loopback', '127.0.0.1', '7f000001'],
    ['private', '10.0.0.1', '0a000001'],
    ['shared', '100.64.0.1', '64400001'],
    ['link local', '169.254.1.1', 'a9fe0101'],
    ['multicast', '224.0.0.251', 'e00000fb'],
    ['zeros inside', '1.0.0.1', '01000001'],
    ['three digits each', '203.100.113.199', 'cb6471c7'],
    ['whitespace around the value', '  192.0.2.1\t', 'c0000201', '192.0.2.1'],
    ['generic', '\\# 4 c0000201', 'c0000201', '192.0.2.1'],
  ],
  values: [['192.0.2.1', { address: '192.0.2.1' }]],
  badText: [
    ['an octet out of range', '192.0.2.256', 'a.address', 0],
    ['a leading zero', '192.0.2.01', 'a.address'],
    ['three octets', '192.0.2', 'a.address'],
    ['five octets', '192.0.2.1.1', 'a.address'],
    ['IPv6', '2001:db8::1', 'a.address'],
    ['a name', 'www.example.com', 'a.address'],
    ['hexadecimal', '0xc0000201', 'a.address'],
    ['a sign', '192.0.2.+1', 'a.address'],
    ['nothing', '', 'text.missing', 0],
    ['two addresses', '192.0.2.1 192.0.2.2', 'text.trailing', 10],
    ['generic with a wrong length', '\\# 3 c0000201', 'text.generic', 0],
    ['generic with an odd digit', '\\# 4 c000020', 'text.generic', 0],
  ],
  badValue: [
    ['a trailing dot', { address: '192.0.2.1.' }, ['a.address']],
    ['empty', { address: '' }, ['a.address']],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['three octets', 'c00002', 'wire.truncated'],
    ['five octets', 'c000020100', 'wire.trailing'],
  ],
  any: anyAddress,
  oracle: { plain: anyAddress, toData: (d) => d.address },
}
