import { describe, expect, test } from 'vitest'
import { asker, queryOf, zoneOf, decoded } from './asking.cases.ts'
import type { Seen } from './asking.cases.ts'

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
const REFERRAL: Partial<Seen> = {
  flags: '',
  authority: ['sub.example.com 300 NS ns.sub.example.com.', 'sub.example.com 300 NS ns.other.test.'],
  additional: ['ns.sub.example.com 300 A 192.0.2.53', 'ns.sub.example.com 300 AAAA 2001:db8::53'],
}
const WWW = ['www.example.com 60 A 192.0.2.1', 'www.example.com 60 A 192.0.2.2']
const MAIL = ['mail.example.com 300 A 192.0.2.25', 'mail.example.com 300 AAAA 2001:db8::25']
const NODATA: Partial<Seen> = { authority: [COM_SOA] }
const NXDOMAIN: Partial<Seen> = { rcode: 'NXDOMAIN', authority: [COM_SOA] }

type Row = [name: string, question: string, expected: Partial<Seen>]

/** What is not named must not be there. */
const whole = (expected: Partial<Seen>): Seen => ({
  rcode: 'NOERROR',
  flags: 'aa',
  answer: [],
  authority: [],
  additional: [],
  ...expected,
})

function describeAnswers(title: string, rows: Row[], server = asker([EXAMPLE, NET])): void {
  describe(title, () => {
    test('has rows', () => expect(rows.length).toBeGreaterThan(0))
    test.each(rows)('%s: %s', (_, question, expected) => {
      expect(server.ask(question)).toEqual(whole(expected))
    })
  })
}

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
    'NS: those of the zone, not those that users added',
    'example.com NS',
    { answer: ['example.com 86400 NS ns1.example.net.', 'example.com 86400 NS ns2.example.net.'] },
  ],
  ['no DS of its own', 'example.com TYPE43', NODATA],
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
    'asked for itself, it is not followed',
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
    'out of what we serve',
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
  ['beside other data: the data', 'both.example.com TXT', { answer: ['both.example.com 300 TXT "beside"'] }],
  [
    'beside other data: the alias for the rest',
    'both.example.com A',
    { answer: ['both.example.com 300 CNAME www.example.com.', ...WWW] },
  ],
])

describeAnswers('delegations', [
  ['below the cut', 'www.sub.example.com A', REFERRAL],
  ['at the cut', 'sub.example.com A', REFERRAL],
  ['data beside the cut is not ours', 'sub.example.com TXT', REFERRAL],
  ['NS at the cut is a referral, not an answer', 'sub.example.com NS', REFERRAL],
  ['glue is not an answer', 'ns.sub.example.com A', REFERRAL],
  ['a cut below the cut is not seen', 'x.deep.cut.sub.example.com A', REFERRAL],
  ['a name that is not there either', 'nope.nope.sub.example.com A', REFERRAL],
  [
    'DS at the cut is ours',
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
    'of mail servers in the zone',
    'example.com MX',
    {
      answer: ['example.com 300 MX 10 mail.example.com.', 'example.com 300 MX 20 mail.other.test.'],
      additional: MAIL,
    },
  ],
  [
    'of service targets',
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
    'not those of a delegated zone',
    'mxsub.example.com MX',
    { answer: ['mxsub.example.com 300 MX 1 ns.sub.example.com.'] },
  ],
  ['none for null MX', 'null.example.com MX', { answer: ['null.example.com 300 MX 0 .'] }],
])

describeAnswers('ANY is answered with as little as possible (RFC 8482)', [
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

describeAnswers('names that are not ours', [
  ['another domain', 'example.org A', { rcode: 'REFUSED', flags: '' }],
  ['the parent', 'com A', { rcode: 'REFUSED', flags: '' }],
  ['the root', '. NS', { rcode: 'REFUSED', flags: '' }],
  ['the same ending without a dot', 'badexample.com A', { rcode: 'REFUSED', flags: '' }],
  ['DS of another domain', 'example.org TYPE43', { rcode: 'REFUSED', flags: '' }],
])

// The zone of RFC 4592 §2.2.1 and what it says about it; host2 is an empty non-terminal.
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
const NO: Partial<Seen> = { authority: [`example 1800 SOA ${SOA}`] }

describeAnswers(
  'wildcards (RFC 4592 §2.2.1)',
  [
    [
      'synthesised',
      'host3.example MX',
      { answer: ['host3.example 3600 MX 10 host1.example.'], additional: HOST1 },
    ],
    ['synthesised without that type', 'host3.example A', NO],
    [
      'synthesised several labels down',
      'foo.bar.example TXT',
      { answer: ['foo.bar.example 3600 TXT "this is a wildcard"'] },
    ],
    ['asked for itself', '*.example TXT', { answer: ['*.example 3600 TXT "this is a wildcard"'] }],
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
  asker([WILDCARDS]),
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
  const { ask, table } = asker([parent, child, orphan])

  test('the longest apex wins, and the parent has no say below it', () => {
    expect(ask('www.child.test A').answer).toEqual(['www.child.test 300 A 203.0.113.1'])
    expect(ask('ns.child.test A')).toEqual(
      whole({ rcode: 'NXDOMAIN', authority: [`child.test 1800 SOA ${SOA}`] }),
    )
  })

  test('DS of the child comes from the parent (RFC 4035 §3.1.4.1)', () => {
    expect(ask('child.test TYPE43')).toEqual(whole({ answer: ['child.test 300 TYPE43 \\# 4 00010d02'] }))
  })

  test('without a cut in the parent, the child denies its DS itself', () => {
    expect(ask('orphan.test TYPE43')).toEqual(whole({ authority: [`orphan.test 1800 SOA ${SOA}`] }))
  })

  test('when the child is gone, the parent refers', () => {
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

describe('odd zones', () => {
  test('the root can be served', () => {
    const { ask } = asker([zoneOf('.', 'test 300 NS ns.test.\nns.test 300 A 192.0.2.1')])
    expect(ask('. SOA').answer).toEqual([`. 3600 SOA ${SOA}`])
    expect(ask('www.test A')).toEqual(
      whole({ flags: '', authority: ['test 300 NS ns.test.'], additional: ['ns.test 300 A 192.0.2.1'] }),
    )
    expect(ask('nope A')).toEqual(whole({ rcode: 'NXDOMAIN', authority: [`. 1800 SOA ${SOA}`] }))
    expect(ask('. TYPE43')).toEqual(whole({ authority: [`. 1800 SOA ${SOA}`] }))
  })

  test('an alias at the apex answers everything but what stands beside it', () => {
    const { ask } = asker([zoneOf('example.com', '@ 300 CNAME www.other.test.\n@ 300 TXT "beside"')])
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
      const { respond } = asker([{ ...base, soa: { ...base.soa, ttl, minimum } }])
      return decoded(respond, queryOf('nope.example.com A')).authorities[0]?.ttl
    }
    expect([negativeTtl(3600, 1800), negativeTtl(300, 1800), negativeTtl(60, 0)]).toEqual([1800, 300, 0])
  })

  test('a zone without name servers has no NS', () => {
    const { ask } = asker([zoneOf('example.com', '', { nameServers: [] })])
    expect(ask('example.com NS')).toEqual(whole(NODATA))
  })

  test('a chain of aliases ends at its limit, with what there is', () => {
    const links = Array.from({ length: 10 }, (_, i) => `a${i} 300 CNAME a${i + 1}`).join('\n')
    const { ask } = asker([zoneOf('example.com', links)], { cnameLinks: 3 })
    const seen = ask('a0.example.com A')
    expect(seen.answer).toHaveLength(3)
    expect([seen.rcode, seen.authority]).toEqual(['NOERROR', []])
  })

  test('the longest label and the longest name', () => {
    const label = 'x'.repeat(63)
    const long = `${label}.${label}.${label}.${'y'.repeat(49)}` // 4 + 3 * 63 + 49 + 13 octets of the zone = 255
    const { ask } = asker([zoneOf('example.com', `${label} 300 A 192.0.2.1\n${long} 300 A 192.0.2.2`)])
    expect(ask(`${label}.example.com A`).answer).toEqual([`${label}.example.com 300 A 192.0.2.1`])
    expect(ask(`${long}.example.com A`).answer).toEqual([`${long}.example.com 300 A 192.0.2.2`])
    expect(ask(`${long}y.example.com A`).rcode).toBe('FORMERR')
  })

  test('names of any octets', () => {
    const { ask } = asker([zoneOf('example.com', 'a\\.b 300 A 192.0.2.1\n\\000\\255 300 A 192.0.2.2')])
    expect(ask('a.b.example.com A').rcode).toBe('NXDOMAIN')
    expect(ask('\u0000\u00ff.example.com A').answer).toEqual(['\\000\\255.example.com 300 A 192.0.2.2'])
  })
})
