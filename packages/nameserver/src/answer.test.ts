import { describe, expect, test } from 'vitest'
import { client, queryOf, zoneOf, decoded } from './asking.cases.ts'
import type { CapturedAnswer } from './asking.cases.ts'

const EXAMPLE = zoneOf(
  'example.com',
  `
  @              300 A      192.0.2.10
  @              300 MX     10 mail
  @              300 MX     20 mail.other.test.
  @              300 NS     users-own.example.com.
  users-own      300 A      192.0.2.99
  mail           300 A      192.0.2.25
  mail           300 AAAA   2001:db8::25
  www            300 A      192.0.2.2
  www             60 A      192.0.2.1
  www            300 A      192.0.2.1
  www            300 TYPE1000 c000ff
  alias          300 CNAME  www
  alias2         120 CNAME  alias
  loop1          300 CNAME  loop2
  loop2          300 CNAME  loop1
  self           300 CNAME  self
  out            300 CNAME  www.elsewhere.test.
  cross          300 CNAME  www.example.net.
  crossback      300 CNAME  back.example.net.
  dangling       300 CNAME  nothing
  empty          300 CNAME  ent
  tosub          300 CNAME  www.sub
  both           300 CNAME  www
  both           300 TXT    "beside"
  a.ent          300 A      192.0.2.3
  _sip._tcp      300 SRV    1 2 5060 mail
  _sip._udp      300 SRV    1 2 5060 mail
  _sip._udp      300 SRV    2 2 5060 mail
  mxsub          300 MX     1 ns.sub
  null           300 MX     0 .
  sub            300 NS     ns.sub
  sub            300 NS     ns.other.test.
  sub            300 TYPE43 00010d02aabb
  sub            300 TXT    "occluded at the cut"
  ns.sub         300 A      192.0.2.53
  ns.sub         300 AAAA   2001:db8::53
  www.sub        300 A      192.0.2.66
  deep.cut.sub   300 NS     ns.deeper.test.
  sub2           300 NS     mail
  own            300 HTTPS  1 . alpn=h2
  own            300 A      192.0.2.31
  far            300 HTTPS  1 mail.other.test.
  named          300 HTTPS  1 mail
  named          300 HTTPS  2 mail port=8443
  to             300 HTTPS  0 own
  gone           300 HTTPS  0 .
  gone           300 A      192.0.2.32
  svc            300 SVCB   0 own
  svcsub         300 HTTPS  1 ns.sub
  viaown         300 CNAME  own
  `,
)
const NET = zoneOf(
  'example.net',
  `
  www   300 A     198.51.100.1
  back  300 CNAME www.example.com.
`,
)
const SOA = 'ns1.example.net. hostmaster.example.net. 1 10000 2400 604800 1800'
const COM_SOA = `example.com 1800 SOA ${SOA}`
const REFERRAL: Partial<CapturedAnswer> = {
  flags: '',
  authority: ['sub.example.com 300 NS ns.sub.example.com.', 'sub.example.com 300 NS ns.other.test.'],
  additional: ['ns.sub.example.com 300 A 192.0.2.53', 'ns.sub.example.com 300 AAAA 2001:db8::53'],
}
const WWW = ['www.example.com 60 A 192.0.2.1', 'www.example.com 60 A 192.0.2.2']
const MAIL = ['mail.example.com 300 A 192.0.2.25', 'mail.example.com 300 AAAA 2001:db8::25']
const OWN_HTTPS = 'own.example.com 300 HTTPS 1 . alpn="h2"'
const NODATA: Partial<CapturedAnswer> = { authority: [COM_SOA] }
const NXDOMAIN: Partial<CapturedAnswer> = { rcode: 'NXDOMAIN', authority: [COM_SOA] }

type Row = [name: string, question: string, expected: Partial<CapturedAnswer>]

/** Parts that are not given must be absent. */
const whole = (expected: Partial<CapturedAnswer>): CapturedAnswer => ({
  rcode: 'NOERROR',
  flags: 'aa',
  answer: [],
  authority: [],
  additional: [],
  ...expected,
})

function describeAnswers(title: string, rows: Row[], server = client([EXAMPLE, NET])): void {
  describe(title, () => {
    test('has rows', () => expect(rows.length).toBeGreaterThan(0))
    test.each(rows)('%s: %s', (_, question, expected) => {
      expect(server.ask(question)).toEqual(whole(expected))
    })
  })
}

const LONG = ['a', 'b', 'c'].map((letter) => letter.repeat(63)).join('.')
const REDIRECTED = zoneOf(
  'dname.test',
  `
  d          120 DNAME  target
  a.d        300 A      192.0.2.1
  d          300 TXT    "beside"
  in.target  300 A      192.0.2.2
  mx         300 MX     1 a.d
  far        300 DNAME  redirected.test.
  out        300 DNAME  elsewhere.test.
  loop       300 DNAME  x.loop
  long       300 DNAME  ${LONG}
  twice      300 DNAME  d
  alias      300 CNAME  in.d
  both       300 DNAME  target
  both       300 NS     ns.elsewhere.test.
  *.w        300 DNAME  target
  `,
)
const APEX_REDIRECTED = zoneOf(
  'redirected.test',
  `
  @    300 DNAME dname.test.
  @    300 A     192.0.2.7
  hidden 300 A   192.0.2.8
  `,
)
const D = 'd.dname.test 120 DNAME target.dname.test.'
const IN_TARGET = 'in.target.dname.test 300 A 192.0.2.2'
const DNAME_SOA = `dname.test 1800 SOA ${SOA}`
const NO_TARGET: Partial<CapturedAnswer> = { rcode: 'NXDOMAIN', authority: [DNAME_SOA] }

describeAnswers(
  'DNAME',
  [
    [
      'a name below: the CNAME has the TTL of the DNAME and is followed',
      'in.d.dname.test A',
      { answer: [D, 'in.d.dname.test 120 CNAME in.target.dname.test.', IN_TARGET] },
    ],
    [
      'data below the owner is hidden',
      'a.d.dname.test A',
      { ...NO_TARGET, answer: [D, 'a.d.dname.test 120 CNAME a.target.dname.test.'] },
    ],
    ['the owner itself', 'd.dname.test TXT', { answer: ['d.dname.test 300 TXT "beside"'] }],
    ['DNAME of the owner', 'd.dname.test DNAME', { answer: [D] }],
    ['no such type at the owner', 'd.dname.test A', { authority: [DNAME_SOA] }],
    [
      'DNAME query for a name below',
      'in.d.dname.test DNAME',
      { answer: [D, 'in.d.dname.test 120 CNAME in.target.dname.test.'], authority: [DNAME_SOA] },
    ],
    [
      'CNAME query for a name below: not followed',
      'in.d.dname.test CNAME',
      { answer: [D, 'in.d.dname.test 120 CNAME in.target.dname.test.'] },
    ],
    [
      'ANY query for a name below: not followed',
      'in.d.dname.test ANY',
      { answer: [D, 'in.d.dname.test 120 CNAME in.target.dname.test.'] },
    ],
    [
      'two redirections',
      'in.twice.dname.test A',
      {
        answer: [
          'twice.dname.test 300 DNAME d.dname.test.',
          'in.twice.dname.test 300 CNAME in.d.dname.test.',
          D,
          'in.d.dname.test 120 CNAME in.target.dname.test.',
          IN_TARGET,
        ],
      },
    ],
    [
      'a CNAME to a name below',
      'alias.dname.test A',
      {
        answer: [
          'alias.dname.test 300 CNAME in.d.dname.test.',
          D,
          'in.d.dname.test 120 CNAME in.target.dname.test.',
          IN_TARGET,
        ],
      },
    ],
    [
      'out of all zones',
      'x.out.dname.test A',
      {
        answer: ['out.dname.test 300 DNAME elsewhere.test.', 'x.out.dname.test 300 CNAME x.elsewhere.test.'],
      },
    ],
    [
      'the apex of another zone, and back',
      'in.target.far.dname.test A',
      {
        answer: [
          'far.dname.test 300 DNAME redirected.test.',
          'in.target.far.dname.test 300 CNAME in.target.redirected.test.',
          'redirected.test 300 DNAME dname.test.',
          'in.target.redirected.test 300 CNAME in.target.dname.test.',
          IN_TARGET,
        ],
      },
    ],
    [
      'one label below an apex',
      'hidden.redirected.test A',
      {
        ...NO_TARGET,
        answer: [
          'redirected.test 300 DNAME dname.test.',
          'hidden.redirected.test 300 CNAME hidden.dname.test.',
        ],
      },
    ],
    ['the apex itself', 'redirected.test A', { answer: ['redirected.test 300 A 192.0.2.7'] }],
    [
      'a new name that is too long',
      `${'x'.repeat(63)}.long.dname.test A`,
      { rcode: 'YXDOMAIN', answer: [`long.dname.test 300 DNAME ${LONG}.dname.test.`] },
    ],
    [
      'addresses below a DNAME are not added',
      'mx.dname.test MX',
      { answer: ['mx.dname.test 300 MX 1 a.d.dname.test.'] },
    ],
    [
      'a cut at the same name comes first',
      'x.both.dname.test A',
      { flags: '', authority: ['both.dname.test 300 NS ns.elsewhere.test.'] },
    ],
    [
      'a wildcard is data',
      'x.w.dname.test DNAME',
      { answer: ['x.w.dname.test 300 DNAME target.dname.test.'] },
    ],
    ['a wildcard does not redirect', 'a.x.w.dname.test A', { authority: [DNAME_SOA] }],
    [
      'below the asterisk itself',
      'in.*.w.dname.test A',
      {
        answer: [
          '*.w.dname.test 300 DNAME target.dname.test.',
          'in.*.w.dname.test 300 CNAME in.target.dname.test.',
          IN_TARGET,
        ],
      },
    ],
  ],
  client([REDIRECTED, APEX_REDIRECTED]),
)

test('a DNAME that points below itself is in the answer once, and is followed up to the chain limit', () => {
  const { answer, rcode } = client([REDIRECTED]).ask('a.loop.dname.test A', { transport: 'tcp' })
  expect([rcode, answer.filter((line) => line.includes(' DNAME '))]).toEqual([
    'NOERROR',
    ['loop.dname.test 300 DNAME x.loop.dname.test.'],
  ])
})

describeAnswers('exact matches', [
  ['an rrset: lowest TTL, each rdata once, in order', 'www.example.com A', { answer: WWW }],
  ['an unknown type', 'www.example.com TYPE1000', { answer: ['www.example.com 300 TYPE1000 \\# 3 c000ff'] }],
  ['no such type', 'www.example.com AAAA', NODATA],
  ['no such unknown type', 'www.example.com TYPE65280', NODATA],
  ['no such name', 'nope.example.com A', NXDOMAIN],
  ['no such name below one that exists', 'nope.www.example.com A', NXDOMAIN],
  ['an empty non-terminal', 'ent.example.com A', NODATA],
  ['the apex', 'example.com A', { answer: ['example.com 300 A 192.0.2.10'] }],
  ['SOA', 'example.com SOA', { answer: [`example.com 3600 SOA ${SOA}`] }],
  [
    'NS: the assigned ones, not those that users added',
    'example.com NS',
    { answer: ['example.com 86400 NS ns1.example.net.', 'example.com 86400 NS ns2.example.net.'] },
  ],
  ['no DS at the apex', 'example.com TYPE43', NODATA],
])

describeAnswers('aliases', [
  ['one link', 'alias.example.com A', { answer: ['alias.example.com 300 CNAME www.example.com.', ...WWW] }],
  [
    'two links',
    'alias2.example.com A',
    {
      answer: [
        'alias2.example.com 120 CNAME alias.example.com.',
        'alias.example.com 300 CNAME www.example.com.',
        ...WWW,
      ],
    },
  ],
  [
    'a CNAME query is not followed',
    'alias.example.com CNAME',
    { answer: ['alias.example.com 300 CNAME www.example.com.'] },
  ],
  [
    'the target lacks the type',
    'alias.example.com AAAA',
    { answer: ['alias.example.com 300 CNAME www.example.com.'], authority: [COM_SOA] },
  ],
  [
    'the target does not exist (RFC 6604 §3)',
    'dangling.example.com A',
    {
      rcode: 'NXDOMAIN',
      answer: ['dangling.example.com 300 CNAME nothing.example.com.'],
      authority: [COM_SOA],
    },
  ],
  [
    'the target is an empty non-terminal',
    'empty.example.com A',
    { answer: ['empty.example.com 300 CNAME ent.example.com.'], authority: [COM_SOA] },
  ],
  [
    'out of all served zones',
    'out.example.com A',
    { answer: ['out.example.com 300 CNAME www.elsewhere.test.'] },
  ],
  [
    'into another zone',
    'cross.example.com A',
    { answer: ['cross.example.com 300 CNAME www.example.net.', 'www.example.net 300 A 198.51.100.1'] },
  ],
  [
    'into another zone, negative there',
    'cross.example.com AAAA',
    { answer: ['cross.example.com 300 CNAME www.example.net.'], authority: [`example.net 1800 SOA ${SOA}`] },
  ],
  [
    'into another zone and back',
    'crossback.example.com A',
    {
      answer: [
        'crossback.example.com 300 CNAME back.example.net.',
        'back.example.net 300 CNAME www.example.com.',
        ...WWW,
      ],
    },
  ],
  [
    'a loop of two',
    'loop1.example.com A',
    {
      answer: [
        'loop1.example.com 300 CNAME loop2.example.com.',
        'loop2.example.com 300 CNAME loop1.example.com.',
      ],
    },
  ],
  ['a loop of one', 'self.example.com A', { answer: ['self.example.com 300 CNAME self.example.com.'] }],
  [
    'into a delegation: referred, and authoritative for the alias',
    'tosub.example.com A',
    { ...REFERRAL, flags: 'aa', answer: ['tosub.example.com 300 CNAME www.sub.example.com.'] },
  ],
  ['with other data: the data', 'both.example.com TXT', { answer: ['both.example.com 300 TXT "beside"'] }],
  [
    'with other data: the alias for other types',
    'both.example.com A',
    { answer: ['both.example.com 300 CNAME www.example.com.', ...WWW] },
  ],
])

describeAnswers('delegations', [
  ['below the cut', 'www.sub.example.com A', REFERRAL],
  ['at the cut', 'sub.example.com A', REFERRAL],
  ['data at the cut is not authoritative', 'sub.example.com TXT', REFERRAL],
  ['NS at the cut is a referral, not an answer', 'sub.example.com NS', REFERRAL],
  ['glue is not an answer', 'ns.sub.example.com A', REFERRAL],
  ['a cut below the cut is not seen', 'x.deep.cut.sub.example.com A', REFERRAL],
  ['a name below that does not exist', 'nope.nope.sub.example.com A', REFERRAL],
  [
    'DS at the cut is authoritative',
    'sub.example.com TYPE43',
    { answer: ['sub.example.com 300 TYPE43 \\# 6 00010d02aabb'] },
  ],
  ['DS below the cut is not', 'www.sub.example.com TYPE43', REFERRAL],
  ['no DS at another cut', 'sub2.example.com TYPE43', NODATA],
  [
    'a server elsewhere in the zone',
    'sub2.example.com A',
    { flags: '', authority: ['sub2.example.com 300 NS mail.example.com.'], additional: MAIL },
  ],
  ['ANY at the cut', 'sub.example.com ANY', REFERRAL],
  ['a sibling with the same ending', 'xsub.example.com A', NXDOMAIN],
])

describeAnswers('additional addresses', [
  [
    'mail servers in the zone',
    'example.com MX',
    {
      answer: ['example.com 300 MX 10 mail.example.com.', 'example.com 300 MX 20 mail.other.test.'],
      additional: MAIL,
    },
  ],
  [
    'service targets',
    '_sip._tcp.example.com SRV',
    { answer: ['_sip._tcp.example.com 300 SRV 1 2 5060 mail.example.com.'], additional: MAIL },
  ],
  [
    'each once',
    '_sip._udp.example.com SRV',
    {
      answer: [
        '_sip._udp.example.com 300 SRV 1 2 5060 mail.example.com.',
        '_sip._udp.example.com 300 SRV 2 2 5060 mail.example.com.',
      ],
      additional: MAIL,
    },
  ],
  [
    'not for a delegated zone',
    'mxsub.example.com MX',
    { answer: ['mxsub.example.com 300 MX 1 ns.sub.example.com.'] },
  ],
  [
    'a service at its own name',
    'own.example.com HTTPS',
    { answer: [OWN_HTTPS], additional: ['own.example.com 300 A 192.0.2.31'] },
  ],
  [
    'a service at the target of an alias',
    'viaown.example.com HTTPS',
    {
      answer: ['viaown.example.com 300 CNAME own.example.com.', OWN_HTTPS],
      additional: ['own.example.com 300 A 192.0.2.31'],
    },
  ],
  [
    'once for a service with two records',
    'named.example.com HTTPS',
    {
      answer: [
        'named.example.com 300 HTTPS 1 mail.example.com.',
        'named.example.com 300 HTTPS 2 mail.example.com. port="8443"',
      ],
      additional: MAIL,
    },
  ],
  [
    'and the service itself in AliasMode',
    'to.example.com HTTPS',
    {
      answer: ['to.example.com 300 HTTPS 0 own.example.com.'],
      additional: ['own.example.com 300 A 192.0.2.31', OWN_HTTPS],
    },
  ],
  [
    'no services of another type',
    'svc.example.com SVCB',
    {
      answer: ['svc.example.com 300 SVCB 0 own.example.com.'],
      additional: ['own.example.com 300 A 192.0.2.31'],
    },
  ],
  [
    'none for a service elsewhere',
    'far.example.com HTTPS',
    { answer: ['far.example.com 300 HTTPS 1 mail.other.test.'] },
  ],
  [
    'none for an unavailable service',
    'gone.example.com HTTPS',
    { answer: ['gone.example.com 300 HTTPS 0 .'] },
  ],
  [
    'none for a service below a cut',
    'svcsub.example.com HTTPS',
    { answer: ['svcsub.example.com 300 HTTPS 1 ns.sub.example.com.'] },
  ],
  ['none for null MX', 'null.example.com MX', { answer: ['null.example.com 300 MX 0 .'] }],
])

describeAnswers('ANY gets a minimal answer (RFC 8482)', [
  ['a name with data', 'www.example.com ANY', { answer: ['www.example.com 3789 HINFO "RFC8482" ""'] }],
  ['the apex', 'example.com ANY', { answer: ['example.com 3789 HINFO "RFC8482" ""'] }],
  [
    'an alias is not followed',
    'alias.example.com ANY',
    { answer: ['alias.example.com 300 CNAME www.example.com.'] },
  ],
  ['an empty non-terminal', 'ent.example.com ANY', NODATA],
  ['no such name', 'nope.example.com ANY', NXDOMAIN],
])

describeAnswers('names in no zone', [
  ['another domain', 'example.org A', { rcode: 'REFUSED', flags: '' }],
  ['the parent', 'com A', { rcode: 'REFUSED', flags: '' }],
  ['the root', '. NS', { rcode: 'REFUSED', flags: '' }],
  ['the same ending without a dot', 'badexample.com A', { rcode: 'REFUSED', flags: '' }],
  ['DS of another domain', 'example.org TYPE43', { rcode: 'REFUSED', flags: '' }],
])

// The example zone of RFC 4592 §2.2.1 and its answers; host2 is an empty non-terminal.
const WILDCARDS = zoneOf(
  'example',
  `
  *                 3600 TXT "this is a wildcard"
  *                 3600 MX  10 host1
  sub.*             3600 TXT "this is not a wildcard"
  host1             3600 A   192.0.2.1
  _ssh._tcp.host1   3600 SRV 0 0 22 host1
  _ssh._tcp.host2   3600 SRV 0 0 22 host2
  subdel            3600 NS  ns.example.com.
  *.aliases         3600 CNAME host1
  *.cuts            3600 NS  ns.cut.test.
  *.cuts            3600 TYPE43 00010d02
  x.*.half          3600 TXT "below a wildcard that has no data"
  `,
)
const HOST1 = ['host1.example 3600 A 192.0.2.1']
const NO: Partial<CapturedAnswer> = { authority: [`example 1800 SOA ${SOA}`] }

describeAnswers(
  'wildcards (RFC 4592 §2.2.1)',
  [
    [
      'synthesised',
      'host3.example MX',
      { answer: ['host3.example 3600 MX 10 host1.example.'], additional: HOST1 },
    ],
    ['synthesized without that type', 'host3.example A', NO],
    [
      'synthesized several labels down',
      'foo.bar.example TXT',
      { answer: ['foo.bar.example 3600 TXT "this is a wildcard"'] },
    ],
    [
      'a query for the wildcard itself',
      '*.example TXT',
      { answer: ['*.example 3600 TXT "this is a wildcard"'] },
    ],
    ['not at its own parent', 'aliases.example A', NO],
    ['ANY', 'host3.example ANY', { answer: ['host3.example 3789 HINFO "RFC8482" ""'] }],
    ['not where the name exists', 'host1.example MX', NO],
    ['not where the name exists below a literal asterisk', 'sub.*.example MX', NO],
    ['not where a closer name exists', '_telnet._tcp.host1.example SRV', { ...NO, rcode: 'NXDOMAIN' }],
    [
      'not below a delegation',
      'host.subdel.example A',
      { flags: '', authority: ['subdel.example 3600 NS ns.example.com.'] },
    ],
    ['not below the wildcard itself', 'ghost.*.example MX', { ...NO, rcode: 'NXDOMAIN' }],
    ['not at an empty non-terminal', 'host2.example MX', NO],
    ['not below an empty non-terminal', 'x.host2.example MX', { ...NO, rcode: 'NXDOMAIN' }],
    [
      'an alias',
      'any.thing.aliases.example A',
      { answer: ['any.thing.aliases.example 3600 CNAME host1.example.', ...HOST1] },
    ],
    ['a wildcard that exists without data', 'y.half.example TXT', NO],
    [
      'NS at a wildcard cuts off each name',
      'a.b.cuts.example A',
      { flags: '', authority: ['a.b.cuts.example 3600 NS ns.cut.test.'] },
    ],
    [
      'DS beside it is data',
      'a.cuts.example TYPE43',
      { answer: ['a.cuts.example 3600 TYPE43 \\# 4 00010d02'] },
    ],
  ],
  client([WILDCARDS]),
)

describe('zones inside zones', () => {
  const parent = zoneOf(
    'test',
    `
    child      300 NS     ns.child
    child      300 TYPE43 00010d02
    ns.child   300 A      192.0.2.1
    www.child  300 A      192.0.2.2
    orphan     300 TXT    "no cut here"
  `,
  )
  const child = zoneOf('child.test', 'www 300 A 203.0.113.1')
  const orphan = zoneOf('orphan.test', 'www 300 A 203.0.113.2')
  const { ask, table } = client([parent, child, orphan])

  test('the longest apex wins, and the parent does not answer for names below it', () => {
    expect(ask('www.child.test A').answer).toEqual(['www.child.test 300 A 203.0.113.1'])
    expect(ask('ns.child.test A')).toEqual(
      whole({ rcode: 'NXDOMAIN', authority: [`child.test 1800 SOA ${SOA}`] }),
    )
  })

  test('DS of the child comes from the parent (RFC 4035 §3.1.4.1)', () => {
    expect(ask('child.test TYPE43')).toEqual(whole({ answer: ['child.test 300 TYPE43 \\# 4 00010d02'] }))
  })

  test('without a cut in the parent, the child answers that it has no DS', () => {
    expect(ask('orphan.test TYPE43')).toEqual(whole({ authority: [`orphan.test 1800 SOA ${SOA}`] }))
  })

  test('when the child is removed, the parent refers to it', () => {
    table.remove('zone-child.test')
    expect(ask('www.child.test A')).toEqual(
      whole({
        flags: '',
        authority: ['child.test 300 NS ns.child.test.'],
        additional: ['ns.child.test 300 A 192.0.2.1'],
      }),
    )
  })
})

describe('unusual zones', () => {
  test('the root can be served', () => {
    const { ask } = client([zoneOf('.', 'test 300 NS ns.test.\nns.test 300 A 192.0.2.1')])
    expect(ask('. SOA').answer).toEqual([`. 3600 SOA ${SOA}`])
    expect(ask('www.test A')).toEqual(
      whole({ flags: '', authority: ['test 300 NS ns.test.'], additional: ['ns.test 300 A 192.0.2.1'] }),
    )
    expect(ask('nope A')).toEqual(whole({ rcode: 'NXDOMAIN', authority: [`. 1800 SOA ${SOA}`] }))
    expect(ask('. TYPE43')).toEqual(whole({ authority: [`. 1800 SOA ${SOA}`] }))
  })

  test('an alias at the apex answers for all types except those of other data there', () => {
    const { ask } = client([zoneOf('example.com', '@ 300 CNAME www.other.test.\n@ 300 TXT "beside"')])
    const alias = ['example.com 300 CNAME www.other.test.']
    expect(ask('example.com A')).toEqual(whole({ answer: alias }))
    expect(ask('example.com AAAA')).toEqual(whole({ answer: alias }))
    expect(ask('example.com TXT').answer).toEqual(['example.com 300 TXT "beside"'])
    expect(ask('example.com SOA').answer).toEqual([`example.com 3600 SOA ${SOA}`])
    expect(ask('example.com NS').answer).toHaveLength(2)
    expect(ask('nope.example.com A').rcode).toBe('NXDOMAIN')
  })

  test('the negative TTL is the lower of SOA TTL and minimum (RFC 2308 §5)', () => {
    const base = zoneOf('example.com', '')
    const negativeTtl = (ttl: number, minimum: number): number | undefined => {
      const { respond } = client([{ ...base, soa: { ...base.soa, ttl, minimum } }])
      return decoded(respond, queryOf('nope.example.com A')).authorities[0]?.ttl
    }
    expect([negativeTtl(3600, 1800), negativeTtl(300, 1800), negativeTtl(60, 0)]).toEqual([1800, 300, 0])
  })

  test('a zone without name servers has no NS', () => {
    const { ask } = client([zoneOf('example.com', '', { nameServers: [] })])
    expect(ask('example.com NS')).toEqual(whole(NODATA))
  })

  test('a chain of aliases ends at its limit, and the answer has the links up to there', () => {
    const links = Array.from({ length: 10 }, (_, i) => `a${i} 300 CNAME a${i + 1}`).join('\n')
    const { ask } = client([zoneOf('example.com', links)], { cnameLinks: 3 })
    const seen = ask('a0.example.com A')
    expect(seen.answer).toHaveLength(3)
    expect([seen.rcode, seen.authority]).toEqual(['NOERROR', []])
  })

  test('the longest label and the longest name', () => {
    const label = 'x'.repeat(63)
    const long = `${label}.${label}.${label}.${'y'.repeat(49)}` // 4 + 3 * 63 + 49 + 13 octets of the zone = 255
    const { ask } = client([zoneOf('example.com', `${label} 300 A 192.0.2.1\n${long} 300 A 192.0.2.2`)])
    expect(ask(`${label}.example.com A`).answer).toEqual([`${label}.example.com 300 A 192.0.2.1`])
    expect(ask(`${long}.example.com A`).answer).toEqual([`${long}.example.com 300 A 192.0.2.2`])
    expect(ask(`${long}y.example.com A`).rcode).toBe('FORMERR')
  })

  test('names with arbitrary octets', () => {
    const { ask } = client([zoneOf('example.com', 'a\\.b 300 A 192.0.2.1\n\\000\\255 300 A 192.0.2.2')])
    expect(ask('a.b.example.com A').rcode).toBe('NXDOMAIN')
    expect(ask('\u0000\u00ff.example.com A').answer).toEqual(['\\000\\255.example.com 300 A 192.0.2.2'])
  })
})
