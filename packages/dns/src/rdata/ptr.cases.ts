import * as fc from 'fast-check'
import { anyName, plainName } from './arbitraries.cases.ts'
import { parseName as n } from '../name.ts'
import type { TypeCases } from './type-cases.cases.ts'
import type { Ptr } from './ptr.ts'

export const ptrCases: TypeCases<Ptr> = {
  valid: [
    ['a host', 'www.example.com.', '03777777076578616d706c6503636f6d00'],
    ['the root', '.', '00'],
    ['one label', 'localhost.', '096c6f63616c686f737400'],
    ['upper case', 'Host.Example.', '04686f7374076578616d706c6500', 'host.example.'],
    ['no trailing dot', 'www.example.com', '03777777076578616d706c6503636f6d00', 'www.example.com.'],
    [
      'a service instance',
      'my\\032printer._ipp._tcp.example.',
      '0a6d79207072696e746572045f697070045f746370076578616d706c6500',
    ],
    [
      'an instance with a dot',
      'dr\\.\\032x._http._tcp.example.',
      '0564722e2078055f68747470045f746370076578616d706c6500',
    ],
    [
      'UTF-8 in a label',
      'b\\195\\188cher._http._tcp.example.',
      '0762c3bc63686572055f68747470045f746370076578616d706c6500',
    ],
    ['a catalog member', '_zones.catalog.example.', '065f7a6f6e657307636174616c6f67076578616d706c6500'],
    ['digits', '1.2.0.192.in-addr.arpa.', '0131013201300331393207696e2d61646472046172706100'],
  ],
  values: [['www.example.com.', { target: n('www.example.com') }]],
  badText: [
    ['nothing', '', 'text.missing'],
    ['two names', 'a. b.', 'text.trailing'],
    ['a raw space in quotes', '"my printer.example."', 'text.quoted-name'],
    ['an empty label', '.a.', 'name.empty-label', 0],
    ['a label of 64 octets', `${'x'.repeat(64)}.`, 'name.label-too-long'],
    ['a bad escape', '\\300.', 'name.bad-escape', 0],
  ],
  badValue: [
    ['an IPv4 address', { target: n('192.0.2.1') }, ['ptr.target-address']],
    ['an IPv6 address', { target: n('::1') }, ['ptr.target-address']],
    ['a URL', { target: n('https://example.net/') }, ['ptr.target-host']],
    ['a host and a path', { target: n('example.net/path') }, ['ptr.target-host']],
    ['a space without a service', { target: n('my\\032printer.example') }, ['ptr.target-host']],
    ['an instance of no protocol', { target: n('a\\032b._http._x.example') }, ['ptr.target-host']],
    ['a path after a service name', { target: n('x._http._tcp.example/path') }, ['ptr.target-host']],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['a pointer', 'c000', 'wire.pointer'],
    ['trailing data', '0000', 'wire.trailing'],
  ],
  any: fc.record({ target: anyName }),
  oracle: { plain: fc.record({ target: plainName }), toData: (d) => d.target },
}
