import * as fc from 'fast-check'
import { anyName, plainName, u32 } from './arbitraries.cases.ts'
import { parseName as n } from '../name.ts'
import type { TypeCases } from './type-cases.cases.ts'
import type { Soa } from './soa.ts'

const good: Soa = {
  mname: n('ns1.example.com'),
  rname: n('hostmaster.example.com'),
  serial: 2_024_010_101,
  refresh: 10_000,
  retry: 2400,
  expire: 604_800,
  minimum: 1800,
}

const numbers = { serial: u32, refresh: u32, retry: u32, expire: u32, minimum: u32 }

export const soaCases: TypeCases<Soa> = {
  valid: [
    [
      'defaults',
      'ns1.example.com. hostmaster.example.com. 2024010101 10000 2400 604800 1800',
      '036e7331076578616d706c6503636f6d000a686f73746d6173746572076578616d706c6503636f6d0078a3f175000027100000096000093a8000000708',
    ],
    ['serial 0', 'ns. a. 0 1 1 1 0', '026e73000161000000000000000001000000010000000100000000'],
    [
      'the highest serial',
      'ns. a. 4294967295 1 1 1 1',
      '026e7300016100ffffffff00000001000000010000000100000001',
    ],
    [
      'a dot before the at-sign',
      'ns. a\\.b.example. 1 2 1 3 4',
      '026e730003612e62076578616d706c65000000000100000002000000010000000300000004',
    ],
    [
      'upper case',
      'NS.Example. Root.Example. 1 2 1 3 4',
      '026e73076578616d706c650004726f6f74076578616d706c65000000000100000002000000010000000300000004',
      'ns.example. root.example. 1 2 1 3 4',
    ],
    [
      'no trailing dots',
      'ns a 1 2 1 3 4',
      '026e73000161000000000100000002000000010000000300000004',
      'ns. a. 1 2 1 3 4',
    ],
    [
      'refresh equals retry and expire',
      'ns. a. 1 600 600 600 60',
      '026e7300016100000000010000025800000258000002580000003c',
    ],
    [
      'the highest minimum',
      'ns. a. 1 2 1 3 2147483647',
      '026e7300016100000000010000000200000001000000037fffffff',
    ],
    [
      'an underscore in the mailbox',
      'ns. a_b.example. 1 2 1 3 4',
      '026e730003615f62076578616d706c65000000000100000002000000010000000300000004',
    ],
    [
      'several lines',
      'ns. a. (\n 1 ; serial\n 2 1 3 4 )',
      '026e73000161000000000100000002000000010000000300000004',
      'ns. a. 1 2 1 3 4',
    ],
  ],
  values: [['ns1.example.com. hostmaster.example.com. 2024010101 10000 2400 604800 1800', good]],
  badText: [
    ['six fields', 'ns. a. 1 2 1 3', 'text.missing', 14],
    ['eight fields', 'ns. a. 1 2 1 3 4 5', 'text.trailing', 17],
    ['an at-sign is no separator but must fit', 'ns. a..b 1 2 1 3 4', 'name.empty-label', 6],
    ['a serial over 32 bits', 'ns. a. 4294967296 2 1 3 4', 'soa.serial', 7],
    ['a time with a unit', 'ns. a. 1 2h 1 3 4', 'text.number', 9],
    ['a negative time', 'ns. a. 1 -2 1 3 4', 'text.number', 9],
  ],
  badValue: [
    ['an address as primary', { ...good, mname: n('192.0.2.1') }, ['soa.mname-host']],
    ['the root as primary', { ...good, mname: n('.') }, ['soa.mname-host']],
    ['no mailbox', { ...good, rname: n('.') }, ['soa.rname-root']],
    ['retry above refresh', { ...good, retry: 10_001 }, ['soa.retry-above-refresh']],
    ['expire below refresh', { ...good, expire: 9999 }, ['soa.expire-below-refresh']],
    ['a minimum of 32 bits', { ...good, minimum: 2 ** 31 }, ['soa.minimum-range']],
    [
      'every error at once',
      { ...good, mname: n('-'), rname: n('.'), retry: 20_000, expire: 1, minimum: 2 ** 32 - 1 },
      [
        'soa.mname-host',
        'soa.rname-root',
        'soa.retry-above-refresh',
        'soa.expire-below-refresh',
        'soa.minimum-range',
      ],
    ],
    ['times out of range', { ...good, refresh: -1, expire: 2 ** 32 }, ['soa.refresh', 'soa.expire']],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['names only', '0000', 'wire.truncated'],
    ['nineteen octets of numbers', `0000${'00'.repeat(19)}`, 'wire.truncated'],
    ['twenty-one octets of numbers', `0000${'00'.repeat(21)}`, 'wire.trailing'],
    ['a pointer', 'c000', 'wire.pointer'],
  ],
  any: fc.record({ mname: anyName, rname: anyName, ...numbers }),
  oracle: { plain: fc.record({ mname: plainName, rname: plainName, ...numbers }), toData: (d) => ({ ...d }) },
}
