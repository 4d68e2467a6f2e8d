import * as fc from 'fast-check'
import { anyName, plainName, u16 } from './arbitraries.cases.ts'
import { parseName as n } from '../name.ts'
import type { TypeCases } from './type-cases.cases.ts'
import type { Srv } from './srv.ts'

const to = (target: string): Srv => ({ priority: 0, weight: 0, port: 1, target: n(target) })

export const srvCases: TypeCases<Srv> = {
  valid: [
    ['a service', '5 10 443 target.example.', '0005000a01bb06746172676574076578616d706c6500'],
    ['not available', '0 0 0 .', '00000000000000'],
    ['all maximal', '65535 65535 65535 a.', 'ffffffffffff016100'],
    ['weight 0', '10 0 5060 sip.example.', '000a000013c403736970076578616d706c6500'],
    ['port 0', '10 5 0 sip.example.', '000a0005000003736970076578616d706c6500'],
    ['upper case', '1 2 3 Host.Example.', '00010002000304686f7374076578616d706c6500', '1 2 3 host.example.'],
    [
      'no trailing dot',
      '1 2 3 host.example',
      '00010002000304686f7374076578616d706c6500',
      '1 2 3 host.example.',
    ],
    ['tabs', '1\t2\t3\thost.example.', '00010002000304686f7374076578616d706c6500', '1 2 3 host.example.'],
    ['an underscore', '1 2 3 my_host.example.', '000100020003076d795f686f7374076578616d706c6500'],
    ['one label', '1 2 3 host.', '00010002000304686f737400'],
  ],
  values: [
    ['5 10 443 target.example.', { priority: 5, weight: 10, port: 443, target: n('target.example') }],
    ['0 0 0 .', { priority: 0, weight: 0, port: 0, target: n('.') }],
  ],
  badText: [
    ['three fields', '1 2 3', 'text.missing', 5],
    ['five fields', '1 2 3 a. b.', 'text.trailing', 9],
    ['a priority over 65535', '65536 2 3 a.', 'srv.priority', 0],
    ['a weight over 65535', '1 65536 3 a.', 'srv.weight', 2],
    ['a port over 65535', '1 2 65536 a.', 'srv.port', 4],
    ['a port by name', '1 2 https a.', 'text.number', 4],
    ['a target with an empty label', '1 2 3 a..', 'name.empty-label', 8],
  ],
  badValue: [
    ['an IPv4 address', to('192.0.2.1'), ['srv.target-address']],
    ['an IPv6 address', to('2001:db8::1'), ['srv.target-address']],
    ['a hyphen first', to('-a.example'), ['srv.target-host']],
    ['a space', to('a\\032b.example'), ['srv.target-host']],
    [
      'all numbers out of range',
      { priority: -1, weight: 70_000, port: 1.5, target: n('a') },
      ['srv.priority', 'srv.weight', 'srv.port'],
    ],
  ],
  badWire: [
    ['no target', '000100020003', 'wire.truncated'],
    ['no port', '00010002', 'wire.truncated'],
    ['a pointer', '000100020003c000', 'wire.pointer'],
    ['trailing data', '0001000200030000', 'wire.trailing'],
  ],
  any: fc.record({ priority: u16, weight: u16, port: u16, target: anyName }),
  oracle: {
    plain: fc.record({ priority: u16, weight: u16, port: u16, target: plainName }),
    toData: (d) => ({ ...d }),
  },
}
