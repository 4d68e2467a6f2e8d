import * as fc from 'fast-check'
import { anyName, plainName } from './arbitraries.cases.ts'
import { parseName as n } from '../name.ts'
import type { TypeCases } from './type-cases.cases.ts'
import type { Ns } from './ns.ts'

export const nsCases: TypeCases<Ns> = {
  valid: [
    ['a host', 'ns1.example.com.', '036e7331076578616d706c6503636f6d00'],
    ['a host elsewhere', 'a.iana-servers.net.', '01610c69616e612d73657276657273036e657400'],
    ['upper case', 'NS1.Example.', '036e7331076578616d706c6500', 'ns1.example.'],
    ['no trailing dot', 'ns1.example', '036e7331076578616d706c6500', 'ns1.example.'],
    ['one label', 'ns.', '026e7300'],
    ['digits first', '1ns.example.', '03316e73076578616d706c6500'],
    ['an underscore', 'my_ns.example.', '056d795f6e73076578616d706c6500'],
    ['hyphens', 'a-b--c.example.', '06612d622d2d63076578616d706c6500'],
    ['IDNA', 'xn--bcher-kva.example.', '0d786e2d2d62636865722d6b7661076578616d706c6500'],
    ['labels that look like an IPv4 address', '6.2.3.4.', '013601320133013400'],
    ['63 octets in a label', `${'x'.repeat(63)}.`, `3f${'78'.repeat(63)}00`],
  ],
  values: [['ns1.example.com.', { target: n('ns1.example.com') }]],
  badText: [
    ['nothing', '', 'text.missing'],
    ['two names', 'a. b.', 'text.trailing'],
    ['an empty label', 'a..', 'name.empty-label', 2],
    ['a quoted name', '"a."', 'text.quoted-name'],
  ],
  badValue: [
    ['the root', { target: n('.') }, ['ns.target-host']],
    ['an IPv6 address', { target: n('2001:db8::53') }, ['ns.target-address']],
    ['a hyphen first', { target: n('-ns.example') }, ['ns.target-host']],
    ['a hyphen last', { target: n('ns-.example') }, ['ns.target-host']],
    ['a wildcard', { target: n('*.example') }, ['ns.target-host']],
    ['an escaped dot', { target: n('a\\.b.example') }, ['ns.target-host']],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['a pointer', 'c000', 'wire.pointer'],
    ['no end', '036e7331', 'wire.truncated'],
  ],
  any: fc.record({ target: anyName }),
  oracle: { plain: fc.record({ target: plainName }), toData: (d) => d.target },
}
