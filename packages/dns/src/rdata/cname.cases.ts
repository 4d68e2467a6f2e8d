import * as fc from 'fast-check'
import { anyName, plainName } from './arbitraries.cases.ts'
import { parseName as n } from '../name.ts'
import type { TypeCases } from './type-cases.cases.ts'
import type { Cname } from './cname.ts'

export const cnameCases: TypeCases<Cname> = {
  valid: [
    ['a host', 'www.example.com.', '03777777076578616d706c6503636f6d00'],
    ['one label', 'localhost.', '096c6f63616c686f737400'],
    ['upper case', 'WWW.Example.COM.', '03777777076578616d706c6503636f6d00', 'www.example.com.'],
    ['no trailing dot', 'www.example.com', '03777777076578616d706c6503636f6d00', 'www.example.com.'],
    [
      'underscores',
      '_acme-challenge.example.com.',
      '0f5f61636d652d6368616c6c656e6765076578616d706c6503636f6d00',
    ],
    ['digits first', '1and1.example.', '0531616e6431076578616d706c6500'],
    ['a hyphen inside', 'a-b.example.', '03612d62076578616d706c6500'],
    ['one letter', 'a.b.', '0161016200'],
    [
      'a classless delegation',
      '1.0/25.2.0.192.in-addr.arpa.',
      '013104302f3235013201300331393207696e2d61646472046172706100',
    ],
    [
      'a classless delegation with a hyphen',
      '1.0-127.2.0.192.in-addr.arpa.',
      '013105302d313237013201300331393207696e2d61646472046172706100',
    ],
    ['63 octets in a label', `${'x'.repeat(63)}.example.`, `3f${'78'.repeat(63)}076578616d706c6500`],
    ['IDNA', 'xn--bcher-kva.example.', '0d786e2d2d62636865722d6b7661076578616d706c6500'],
  ],
  values: [['www.example.com.', { target: n('www.example.com') }]],
  badText: [
    ['nothing', '', 'text.missing'],
    ['two names', 'a. b.', 'text.trailing', 3],
    ['an empty label', 'a..b.', 'name.empty-label', 2],
    ['a label of 64 octets', `${'x'.repeat(64)}.`, 'name.label-too-long', 63],
    ['a name of 256 octets', `${'x.'.repeat(128)}`, 'name.too-long'],
    ['a quoted name', '"www.example.com."', 'text.quoted-name', 1],
    ['a bad escape', 'a\\1.', 'name.bad-escape', 1],
    ['a letter outside ASCII', 'bücher.example.', 'name.bad-character', 1],
    ['an open parenthesis', '( a.', 'text.parenthesis'],
  ],
  badValue: [
    ['the root', { target: n('.') }, ['cname.target-root']],
    ['an IPv4 address', { target: n('192.0.2.1') }, ['cname.target-address']],
    ['an IPv6 address', { target: n('2001:db8::1') }, ['cname.target-address']],
    ['a URL', { target: n('https://example.net/') }, ['cname.target-host']],
    ['a host and a path', { target: n('example.net/path') }, ['cname.target-host']],
    ['a host and a port', { target: n('example.net:443') }, ['cname.target-host']],
    ['a range outside the reverse zone', { target: n('0/25.example.net') }, ['cname.target-host']],
    ['a path in the reverse zone', { target: n('a/b.in-addr.arpa') }, ['cname.target-host']],
    ['a mailbox', { target: n('me@example.net') }, ['cname.target-host']],
    ['a hyphen at the end', { target: n('a-.example') }, ['cname.target-host']],
    ['a wildcard', { target: n('*.example.com') }, ['cname.target-host']],
    ['an escaped dot', { target: n('a\\.b.example') }, ['cname.target-host']],
    ['a space', { target: n('a\\032b.example') }, ['cname.target-host']],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['a pointer', 'c000', 'wire.pointer'],
    ['no end', '0161', 'wire.truncated'],
    ['trailing data', '016100ff', 'wire.trailing'],
    ['an unknown label type', '4161', 'wire.label-type'],
  ],
  any: fc.record({ target: anyName }),
  oracle: { plain: fc.record({ target: plainName }), toData: (d) => d.target },
}
