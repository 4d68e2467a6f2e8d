import { joinName, parseName } from '@zonereeve/dns'
import { describe, expect, test } from 'vitest'
import { chunksOf, yieldNow } from '@zonereeve/cooperate'
import {
  createWorld,
  EDGE,
  storedRecord,
  type Outside,
  type WorldOptions,
  type WorldSettings,
} from './world.cases.ts'

interface Row extends WorldOptions {
  readonly name: string
  readonly zones: Readonly<Record<string, readonly string[]>>
  readonly settings?: Partial<WorldSettings>
  readonly expect: Readonly<Record<string, string>>
}

const EDGE_A = 'A 300 198.51.100.1 | A 300 198.51.100.2'
const EDGE_AAAA = 'AAAA 300 2001:db8:ed::1'
const H2 = { http2: true }

const proxied: readonly Row[] = [
  {
    name: 'addresses are replaced by those of the edge, for both families whatever the origin has',
    edge: EDGE,
    zones: { 'example.com': ['www 300 A 192.0.2.1 ; proxied', 'www 300 A 192.0.2.2 ; proxied'] },
    expect: {
      'www.example.com A': EDGE_A,
      'www.example.com AAAA': EDGE_AAAA,
      'www.example.com TXT': 'NODATA',
      'www.example.com HTTPS': 'NODATA',
      'other.example.com A': 'NXDOMAIN',
    },
  },
  {
    name: 'one proxied record makes its whole name proxied, and no other name',
    edge: EDGE,
    zones: {
      'example.com': ['www 60 A 192.0.2.1', 'www 300 AAAA 2001:db8::1 ; proxied', 'direct 60 A 192.0.2.1'],
    },
    expect: {
      'www.example.com A': EDGE_A,
      'www.example.com AAAA': EDGE_AAAA,
      'direct.example.com A': 'A 60 192.0.2.1',
    },
  },
  {
    name: 'a proxied CNAME is answered with addresses, its target is not looked up',
    edge: EDGE,
    outside: { 'cdn.example.net': ['60 A 203.0.113.1'] },
    zones: { 'example.com': ['www 300 CNAME cdn.example.net. ; proxied', 'www 60 TXT "v"'] },
    expect: {
      'www.example.com A': EDGE_A,
      'www.example.com CNAME': 'NODATA',
      'www.example.com TXT': 'TXT 60 "v"',
    },
  },
  {
    name: 'the apex and wildcards can be proxied',
    edge: EDGE,
    zones: { 'example.com': ['@ 300 CNAME x.example.net. ; proxied', '* 300 A 192.0.2.1 ; proxied'] },
    expect: {
      'example.com A': EDGE_A,
      'example.com SOA': 'SOA 3600 ns1.test. hostmaster.test. 1 10000 2400 604800 1800',
      'a.example.com A': EDGE_A,
      'a.b.example.com AAAA': EDGE_AAAA,
    },
  },
  {
    name: 'one family where a record asks for it',
    edge: EDGE,
    settings: H2,
    zones: {
      'example.com': [
        'four 300 A 192.0.2.1 ; proxied ipv4',
        'six 300 A 192.0.2.1 ; proxied ipv6',
        'mixed 300 A 192.0.2.1 ; proxied ipv4',
        'mixed 300 A 192.0.2.2 ; proxied',
        'both 300 A 192.0.2.1 ; proxied ipv4',
        'both 300 A 192.0.2.2 ; proxied ipv6',
      ],
    },
    expect: {
      'four.example.com A': EDGE_A,
      'four.example.com AAAA': 'NODATA',
      'four.example.com HTTPS': 'HTTPS 300 1 . alpn="h2" ipv4hint="198.51.100.1,198.51.100.2"',
      'six.example.com A': 'NODATA',
      'six.example.com AAAA': EDGE_AAAA,
      'mixed.example.com AAAA': 'NODATA',
      'both.example.com A': EDGE_A,
      'both.example.com AAAA': EDGE_AAAA,
    },
  },
  {
    name: 'a name restricted to a family that the edge does not have exists without addresses',
    edge: ['198.51.100.1'],
    zones: { 'example.com': ['www 300 A 192.0.2.1 ; proxied ipv6', '* 300 A 192.0.2.9'] },
    expect: {
      'www.example.com A': 'NODATA',
      'www.example.com AAAA': 'NODATA',
      'other.example.com A': 'A 300 192.0.2.9',
    },
  },
  {
    name: 'without an edge the origin is answered, whatever the family option',
    zones: { 'example.com': ['www 300 A 192.0.2.1 ; proxied ipv6', 'www 60 A 192.0.2.2'] },
    settings: H2,
    expect: {
      'www.example.com A': 'A 60 192.0.2.1 | A 60 192.0.2.2',
      'www.example.com AAAA': 'NODATA',
      'www.example.com HTTPS': 'NODATA',
    },
  },
  {
    name: 'without an edge a proxied CNAME is answered with the addresses of its target',
    outside: { 'cdn.example.net': ['900 A 203.0.113.1'] },
    zones: { 'example.com': ['www 300 CNAME cdn.example.net. ; proxied'] },
    expect: {
      'www.example.com A': 'A 300 203.0.113.1',
      'www.example.com AAAA': 'NODATA',
      'www.example.com CNAME': 'NODATA',
    },
  },
  {
    name: 'zone mode dns_only: nothing is proxied',
    edge: EDGE,
    settings: { zoneMode: 'dns_only', ...H2 },
    zones: { 'example.com': ['www 300 A 192.0.2.1 ; proxied', 'alias 300 CNAME www ; proxied'] },
    expect: {
      'www.example.com A': 'A 300 192.0.2.1',
      'www.example.com HTTPS': 'NODATA',
      'alias.example.com A': 'CNAME 300 www.example.com. | www.example.com A 300 192.0.2.1',
    },
  },
  {
    name: 'zone mode cdn_only: unproxied addresses and CNAMEs are not answered, everything else is',
    edge: EDGE,
    settings: { zoneMode: 'cdn_only' },
    zones: {
      'example.com': [
        'www 300 A 192.0.2.1 ; proxied',
        'direct 300 A 192.0.2.1',
        'alias 300 CNAME www',
        'alias 60 TXT "v"',
        '@ 60 MX 10 direct',
        '* 300 A 192.0.2.9 ; proxied',
      ],
    },
    expect: {
      'www.example.com A': EDGE_A,
      'direct.example.com A': 'NODATA',
      'alias.example.com A': 'NODATA',
      'alias.example.com CNAME': 'NODATA',
      'alias.example.com TXT': 'TXT 60 "v"',
      'example.com MX': 'MX 60 10 direct.example.com.',
      'any.example.com A': EDGE_A,
    },
  },
]

const https: readonly Row[] = [
  {
    name: 'both versions',
    edge: EDGE,
    settings: { http2: true, http3: true },
    zones: { 'example.com': ['www 300 A 192.0.2.1 ; proxied', 'direct 300 A 192.0.2.1'] },
    expect: {
      'www.example.com HTTPS':
        'HTTPS 300 1 . alpn="h3,h2" ipv4hint="198.51.100.1,198.51.100.2" ipv6hint="2001:db8:ed::1"',
      'direct.example.com HTTPS': 'NODATA',
    },
  },
  {
    name: 'HTTP/3 alone, at a wildcard',
    edge: ['2001:db8:ed::1'],
    settings: { http3: true },
    zones: { 'example.com': ['* 300 A 192.0.2.1 ; proxied'] },
    expect: {
      'any.example.com HTTPS': 'HTTPS 300 1 . alpn="h3" ipv6hint="2001:db8:ed::1"',
    },
  },
  {
    name: 'a stored record wins',
    edge: EDGE,
    settings: H2,
    zones: { 'example.com': ['www 300 A 192.0.2.1 ; proxied', 'www 60 HTTPS 1 .'] },
    expect: { 'www.example.com HTTPS': 'HTTPS 60 1 .', 'www.example.com A': EDGE_A },
  },
  {
    name: 'neither version',
    edge: EDGE,
    zones: { 'example.com': ['www 300 A 192.0.2.1 ; proxied'] },
    expect: { 'www.example.com HTTPS': 'NODATA' },
  },
]

const flattening: readonly Row[] = [
  {
    name: 'at the apex always, beside the other records',
    outside: { 'host.example.net': ['120 A 203.0.113.1', '90 A 203.0.113.2', '30 AAAA 2001:db8::1'] },
    zones: { 'example.com': ['@ 3600 CNAME host.example.net.', '@ 60 MX 10 mail', 'mail 60 A 192.0.2.1'] },
    expect: {
      'example.com A': 'A 90 203.0.113.1 | A 90 203.0.113.2',
      'example.com AAAA': 'AAAA 30 2001:db8::1',
      'example.com CNAME': 'NODATA',
      'example.com TXT': 'NODATA',
      'example.com NS': 'NS 86400 ns1.test.',
      'example.com MX': 'MX 60 10 mail.example.com.',
    },
  },
  {
    name: 'elsewhere only where a record or the zone asks for it',
    zones: { 'example.com': ['a 300 CNAME w', 'b 300 CNAME w ; flatten', 'w 60 A 192.0.2.1'] },
    expect: {
      'a.example.com A': 'CNAME 300 w.example.com. | w.example.com A 60 192.0.2.1',
      'b.example.com A': 'A 60 192.0.2.1',
      'b.example.com MX': 'NODATA',
    },
  },
  {
    name: 'flatten_all_cnames, wildcards too',
    settings: { flattenAllCnames: true },
    zones: { 'example.com': ['a 300 CNAME w', '*.c 30 CNAME w', 'w 60 A 192.0.2.1'] },
    expect: {
      'a.example.com A': 'A 60 192.0.2.1',
      'x.c.example.com A': 'A 30 192.0.2.1',
      'x.c.example.com CNAME': 'NODATA',
    },
  },
  {
    name: 'through our own zones, over flattened and plain links, with the lowest TTL',
    outside: { 'end.example.net': ['500 CNAME deep.example.net'], 'deep.example.net': ['70 A 203.0.113.7'] },
    zones: {
      'example.com': ['@ 3600 CNAME a.example.org.'],
      'example.org': ['a 900 CNAME b', 'b 800 CNAME c ; flatten', 'c 700 CNAME end.example.net.'],
    },
    expect: { 'example.com A': 'A 70 203.0.113.7', 'b.example.org A': 'A 70 203.0.113.7' },
  },
  {
    name: 'to a wildcard, an edge, and from outside back into our zones',
    edge: EDGE,
    outside: { 'out.example.net': ['50 CNAME www.example.org'], 'www.example.org': ['9 A 203.0.113.66'] },
    zones: {
      'example.com': ['a 300 CNAME x.wild ; flatten', '*.wild 60 A 192.0.2.1', 'b 300 CNAME e ; flatten'],
      'example.org': ['e 300 A 192.0.2.1 ; proxied', 'www 40 A 192.0.2.40'],
      'example.info': ['@ 300 CNAME e.example.org.', 'back 300 CNAME out.example.net. ; flatten'],
    },
    expect: {
      'a.example.com A': 'A 60 192.0.2.1',
      'b.example.com A': 'NODATA',
      'example.info A': EDGE_A,
      'example.info AAAA': EDGE_AAAA,
      'back.example.info A': 'A 40 192.0.2.40',
    },
  },
  {
    name: 'a name below a delegation of ours is looked up outside',
    outside: { 'www.lab.example.com': ['60 A 203.0.113.1'] },
    zones: { 'example.com': ['@ 300 CNAME www.lab', 'lab 300 NS ns.lab', 'ns.lab 300 A 192.0.2.53'] },
    expect: { 'example.com A': 'A 60 203.0.113.1', 'www.lab.example.com A': 'REFERRAL' },
  },
  {
    name: 'targets that do not exist, or have no address: no data',
    outside: { 'gone.example.net': 'no', 'mail.example.net': [] },
    zones: {
      'example.com': [
        '@ 300 CNAME gone.example.net.',
        'a 300 CNAME mail.example.net. ; flatten',
        'b 300 CNAME nope ; flatten',
        'c 300 CNAME text ; flatten',
        'text 60 TXT "v"',
        'below.a 60 A 192.0.2.1',
      ],
    },
    expect: {
      'example.com A': 'NODATA',
      'a.example.com A': 'NODATA',
      'b.example.com A': 'NODATA',
      'b.example.com AAAA': 'NODATA',
      'c.example.com A': 'NODATA',
      'below.a.example.com A': 'A 60 192.0.2.1',
    },
  },
  {
    name: 'unresolvable targets: a failure for addresses, no data for everything else',
    outside: { 'bad.example.net': 'fail', 'slow.example.net': 'silent' },
    zones: {
      'example.com': [
        '@ 300 CNAME bad.example.net.',
        '@ 60 TXT "v"',
        'slow 300 CNAME slow.example.net. ; flatten',
        'via 300 CNAME slow',
      ],
    },
    expect: {
      'example.com A': 'SERVFAIL',
      'example.com AAAA': 'SERVFAIL',
      'example.com TXT': 'TXT 60 "v"',
      'example.com MX': 'NODATA',
      'slow.example.com A': 'SERVFAIL',
      'slow.example.com MX': 'NODATA',
      'slow.example.com CNAME': 'NODATA',
      'via.example.com A': 'SERVFAIL',
    },
  },
  {
    name: 'loops fail, in our zones and through the outside',
    outside: { 'out.example.net': ['60 CNAME c.example.com'] },
    zones: {
      'example.com': [
        'a 300 CNAME b ; flatten',
        'b 300 CNAME a ; flatten',
        'c 300 CNAME out.example.net. ; flatten',
        'd 300 CNAME e ; flatten',
        'e 300 CNAME f',
        'f 300 CNAME e',
        '*.w 300 CNAME x.w ; flatten',
      ],
    },
    expect: {
      'a.example.com A': 'SERVFAIL',
      'b.example.com AAAA': 'SERVFAIL',
      'c.example.com A': 'SERVFAIL',
      'd.example.com A': 'SERVFAIL',
      'y.w.example.com A': 'SERVFAIL',
    },
  },
  {
    name: 'the maximum number of links, and one more',
    zones: {
      'example.com': [
        ...Array.from({ length: 16 }, (_, i) => `n${i} 300 CNAME n${i + 1}`),
        'n16 60 A 192.0.2.1',
        'most 300 CNAME n1 ; flatten',
        'more 300 CNAME n0 ; flatten',
      ],
    },
    expect: { 'most.example.com A': 'A 60 192.0.2.1', 'more.example.com A': 'SERVFAIL' },
  },
  {
    name: 'without a resolver, chains inside are flattened; outside the CNAME itself is answered, but never at the apex',
    hasResolver: false,
    zones: {
      'example.com': [
        '@ 300 CNAME x.example.net.',
        'a 300 CNAME x.example.net. ; flatten',
        'b 300 CNAME w ; flatten',
        'w 60 A 192.0.2.1',
      ],
    },
    expect: {
      'example.com A': 'SERVFAIL',
      'example.com CNAME': 'NODATA',
      'a.example.com A': 'CNAME 300 x.example.net.',
      'b.example.com A': 'A 60 192.0.2.1',
    },
  },
]

const apexNs: readonly Row[] = [
  {
    name: 'custom name servers at the apex are not answered',
    zones: { 'example.com': ['@ 60 NS ns.other.test.', 'lab 60 NS ns.other.test.'] },
    expect: { 'example.com NS': 'NS 86400 ns1.test.', 'a.lab.example.com A': 'REFERRAL' },
  },
  {
    name: 'with multiple providers they are, beside ours',
    settings: { multiProvider: true },
    zones: { 'example.com': ['@ 60 NS ns.other.test.', '@ 60 NS ns1.test.'] },
    expect: { 'example.com NS': 'NS 60 ns.other.test. | NS 60 ns1.test.' },
  },
]

describe.each([
  ['proxied names', proxied],
  ['synthesized HTTPS records', https],
  ['flattening', flattening],
  ['name servers at the apex', apexNs],
] as const)('%s', (_, rows) => {
  test.each(rows.map((row) => [row.name, row] as const))('%s', async (_, row) => {
    const world = createWorld(row)
    world.load(row.zones, row.settings)
    await world.pass()
    const questions = Object.keys(row.expect)
    expect(questions.length).toBeGreaterThan(0)
    expect(Object.fromEntries(questions.map((question) => [question, world.ask(question)]))).toEqual(
      row.expect,
    )
  })
})

describe('changes', () => {
  const W = 'w 60 A 192.0.2.1'
  const W2 = 'w 60 A 192.0.2.2'

  test('every link of a chain is updated, across zones, at once', () => {
    const world = createWorld()
    const b = 'b 300 CNAME w'
    world.load({ 'example.com': ['@ 300 CNAME b.example.org.'], 'example.org': [b, W] })
    const now = () => world.ask('example.com A')
    expect(now()).toBe('A 60 192.0.2.1')
    world.change('example.org', [W], [W2])
    expect(now()).toBe('A 60 192.0.2.2')
    world.change('example.org', [b], ['b 30 CNAME v'])
    expect(now()).toBe('NODATA')
    world.change('example.org', [], ['v 60 A 192.0.2.3'])
    expect(now()).toBe('A 30 192.0.2.3')
    world.change('example.org', ['v 60 A 192.0.2.3'], ['*.x 60 A 192.0.2.4', 'v 60 A 192.0.2.3 ; proxied'])
    expect(now()).toBe('A 30 192.0.2.3')
    expect([world.table.serial('example.com'), world.table.serial('example.org')]).toEqual([1, 5])
  })

  test('a loop leaves no state behind', () => {
    const world = createWorld()
    const b = 'b 300 CNAME w ; flatten'
    world.load({ 'example.com': ['a 300 CNAME b ; flatten', b, W] })
    expect(world.ask('a.example.com A')).toBe('A 60 192.0.2.1')
    world.change('example.com', [b], ['b 300 CNAME a ; flatten'])
    expect([world.ask('a.example.com A'), world.ask('b.example.com A')]).toEqual(['SERVFAIL', 'SERVFAIL'])
    world.change('example.com', ['b 300 CNAME a ; flatten'], [b])
    expect(world.ask('a.example.com A')).toBe('A 60 192.0.2.1')
  })

  test('wildcards, empty non-terminals and delegations within a chain', async () => {
    const world = createWorld({ outside: { 'x.y.example.org': ['60 A 203.0.113.1'] } })
    world.load({ 'example.com': ['@ 300 CNAME x.y.example.org.'], 'example.org': [] })
    const now = () => world.ask('example.com A')
    expect(now()).toBe('NODATA')
    world.change('example.org', [], ['* 60 A 192.0.2.1'])
    expect(now()).toBe('A 60 192.0.2.1')
    world.change('example.org', [], ['z.y 60 A 192.0.2.2'])
    expect(now()).toBe('NODATA')
    world.change('example.org', ['z.y 60 A 192.0.2.2'], ['*.y 60 A 192.0.2.3'])
    expect(now()).toBe('A 60 192.0.2.3')
    world.change('example.org', ['*.y 60 A 192.0.2.3'], ['y 60 NS ns.example.net.'])
    expect(now()).toBe('SERVFAIL')
    await world.pass()
    expect(now()).toBe('A 60 203.0.113.1')
    world.change('example.org', ['y 60 NS ns.example.net.'], [])
    expect(now()).toBe('A 60 192.0.2.1')
  })

  test('zones are added and removed: the most specific one decides, and names in no zone are looked up outside', async () => {
    const world = createWorld({ outside: { 'a.b.example.org': ['60 A 203.0.113.1'] } })
    world.load({ 'example.com': ['@ 300 CNAME a.b.example.org.'] })
    await world.pass()
    const now = () => world.ask('example.com A')
    expect(now()).toBe('A 60 203.0.113.1')
    world.load({ 'example.org': ['a.b 60 A 192.0.2.1'] })
    expect(now()).toBe('A 60 192.0.2.1')
    world.load({ 'b.example.org': ['a 60 A 192.0.2.2'] })
    expect(now()).toBe('A 60 192.0.2.2')
    world.load({ 'b.example.org': ['a 60 A 192.0.2.3'] })
    expect(now()).toBe('A 60 192.0.2.3')
    world.remove('b.example.org')
    expect(now()).toBe('A 60 192.0.2.1')
    world.remove('example.org')
    expect(now()).toBe('A 60 203.0.113.1')
    expect(world.asked).toEqual(['a.b.example.org A', 'a.b.example.org AAAA'])
  })

  test('settings of one zone affect names of another that lead there', () => {
    const world = createWorld({ edge: EDGE })
    world.load({
      'example.com': ['@ 300 CNAME e.example.org.'],
      'example.org': ['e 300 A 192.0.2.1 ; proxied'],
    })
    expect(world.ask('example.com A')).toBe(EDGE_A)
    world.configure('example.org', { zoneMode: 'dns_only' })
    expect(world.ask('example.com A')).toBe('A 300 192.0.2.1')
  })

  test('names in zones that are loaded together are not looked up outside', () => {
    const world = createWorld()
    world.load({ 'example.com': ['@ 300 CNAME a.example.org.'], 'example.org': ['a 60 A 192.0.2.1'] })
    expect(world.ask('example.com A')).toBe('A 60 192.0.2.1')
    expect(world.asked).toEqual([])
  })

  test('a name becomes special and plain again', () => {
    const world = createWorld({ edge: EDGE })
    const plain = 'www 300 A 192.0.2.1'
    world.load({ 'example.com': [plain, 'www 60 TXT "v"'] }, H2)
    world.change('example.com', [], ['www 300 A 192.0.2.2 ; proxied'])
    expect(world.ask('www.example.com A')).toBe(EDGE_A)
    world.change('example.com', ['www 300 A 192.0.2.2'], [])
    expect(world.ask('www.example.com A')).toBe('A 300 192.0.2.1')
    expect(world.ask('www.example.com HTTPS')).toBe('NODATA')
    world.change('example.com', [plain, 'www 60 TXT "v"'], [])
    expect(world.ask('www.example.com A')).toBe('NXDOMAIN')
  })

  test('a change set that cannot be published changes nothing', () => {
    const world = createWorld({ edge: EDGE })
    world.load({ 'example.com': [W, 'p 300 A 192.0.2.1 ; proxied'] })
    const bad = () =>
      world.change('example.com', ['p 300 A 192.0.2.1', 'no 60 A 192.0.2.9'], ['q 60 A 192.0.2.5'])
    expect(bad).toThrow('record.missing')
    expect(world.ask('p.example.com A')).toBe(EDGE_A)
    expect(world.ask('q.example.com A')).toBe('NXDOMAIN')
    expect(world.table.serial('example.com')).toBe(1)
    world.change('example.com', ['p 300 A 192.0.2.1'], [])
    expect(world.ask('p.example.com A')).toBe('NXDOMAIN')
  })

  test('settings change what is published for the same records', () => {
    const world = createWorld({ edge: EDGE })
    const records = [
      'p 300 A 192.0.2.1 ; proxied',
      'd 60 A 192.0.2.2',
      'c 60 CNAME d',
      '@ 60 NS ns.other.test.',
    ]
    world.load({ 'example.com': records })
    const now = () =>
      ['p A', 'p HTTPS', 'd A', 'c A'].map((each) => world.ask(each.replace(' ', '.example.com ')))
    const before = now()
    expect(before).toEqual([
      EDGE_A,
      'NODATA',
      'A 60 192.0.2.2',
      'CNAME 60 d.example.com. | d.example.com A 60 192.0.2.2',
    ])
    world.configure('example.com', { zoneMode: 'cdn_only', http2: true })
    expect(now()).toEqual([EDGE_A, expect.stringContaining('HTTPS 300'), 'NODATA', 'NODATA'])
    world.configure('example.com', { zoneMode: 'dns_only', flattenAllCnames: true })
    expect(now()).toEqual(['A 300 192.0.2.1', 'NODATA', 'A 60 192.0.2.2', 'A 60 192.0.2.2'])
    world.configure('example.com', { zoneMode: 'standard', flattenAllCnames: false, http2: false })
    expect(now()).toEqual(before)
    expect(world.ask('example.com NS')).toBe('NS 86400 ns1.test.')
    world.configure('example.com', { multiProvider: true })
    expect(world.ask('example.com NS')).toBe('NS 60 ns.other.test. | NS 60 ns1.test.')
    world.change('example.com', ['@ 60 NS ns.other.test.'], ['@ 60 NS ns.third.test.'])
    expect(world.ask('example.com NS')).toBe('NS 60 ns.third.test. | NS 60 ns1.test.')
    world.configure('example.com', { multiProvider: false })
    expect(world.ask('example.com NS')).toBe('NS 86400 ns1.test.')
  })
})

test('another SOA with the same settings visits no name, and other settings do', () => {
  const world = createWorld()
  world.load({ 'example.com': ['www 60 A 192.0.2.1', 'mail 60 A 192.0.2.2'] })
  const table = { ...world.table }
  const walked: string[] = []
  world.table.eachName = (zoneId, take) => {
    walked.push(zoneId)
    table.eachName(zoneId, take)
  }
  world.configure('example.com', { multiProvider: true })
  expect(walked).toEqual([])
  expect(world.ask('www.example.com A')).toBe('A 60 192.0.2.1')
  world.configure('example.com', { zoneMode: 'cdn_only' })
  expect(walked).toEqual(['example.com'])
})

describe('the outside', () => {
  test('is followed when it changes, once its TTL has passed, without a new serial', async () => {
    const outside: Outside = { 'cdn.example.net': ['100 A 203.0.113.1'] }
    const world = createWorld({ outside })
    world.load({ 'example.com': ['@ 300 CNAME cdn.example.net.'] })
    expect(world.ask('example.com A')).toBe('SERVFAIL')
    await world.pass()
    expect(world.ask('example.com A')).toBe('A 100 203.0.113.1')
    outside['cdn.example.net'] = ['100 A 203.0.113.2']
    await world.pass(70)
    expect(world.ask('example.com A')).toBe('A 100 203.0.113.1')
    await world.pass(31)
    expect(world.ask('example.com A')).toBe('A 100 203.0.113.2')
    expect(world.table.serial('example.com')).toBe(1)
  })

  test('is answered stale while it is silent, and updated when it answers again', async () => {
    const outside: Outside = { 'cdn.example.net': ['100 A 203.0.113.1'] }
    const world = createWorld({ outside })
    world.load({ 'example.com': ['@ 300 CNAME cdn.example.net.'] })
    await world.pass()
    outside['cdn.example.net'] = 'fail'
    await world.pass(3600)
    expect(world.ask('example.com A')).toBe('A 30 203.0.113.1')
    await world.pass(86_400)
    expect(world.ask('example.com A')).toBe('SERVFAIL')
    outside['cdn.example.net'] = ['100 A 203.0.113.9']
    await world.pass(31)
    expect(world.ask('example.com A')).toBe('A 100 203.0.113.9')
  })

  test('is queried once for many names, and not any more after the last of them is removed', async () => {
    const world = createWorld({ outside: { 'cdn.example.net': ['100 A 203.0.113.1'] } })
    const names = Array.from({ length: 20 }, (_, i) => `n${i} 300 CNAME cdn.example.net. ; flatten`)
    world.load({ 'example.com': names })
    await world.pass()
    expect(world.ask('n19.example.com A')).toBe('A 100 203.0.113.1')
    expect(world.asked).toHaveLength(2)
    world.change('example.com', names, [])
    await world.pass(1000)
    expect(world.asked).toHaveLength(2)
  })

  test('resumes where its answer ends early', async () => {
    const outside: Outside = { 'a.example.net': ['100 CNAME b.example.net'], 'b.example.net': 'fail' }
    const world = createWorld({ outside })
    world.load({ 'example.com': ['@ 300 CNAME a.example.net.'] })
    await world.pass()
    expect(world.ask('example.com A')).toBe('SERVFAIL')
    expect(world.asked).toContain('b.example.net A')
    outside['b.example.net'] = ['50 A 203.0.113.1']
    await world.pass(81)
    expect(world.ask('example.com A')).toBe('A 50 203.0.113.1')
  })
})

describe('a zone with secondaries', () => {
  const zones = {
    'a.example': ['www 300 CNAME www.b.example. ; flatten', 'other 300 A 192.0.2.9'],
    'b.example': ['www 60 A 192.0.2.1'],
  }
  const start = (bound: readonly string[]) => {
    const world = createWorld({ bound })
    world.load(zones)
    return world
  }

  test('publishes changes from elsewhere when its serial has moved, and not before', () => {
    const world = start(['a.example'])
    expect(world.ask('www.a.example')).toBe('A 60 192.0.2.1')
    world.change('b.example', ['www 60 A 192.0.2.1'], ['www 60 A 192.0.2.2'])
    world.change('b.example', ['www 60 A 192.0.2.2'], ['www 60 A 192.0.2.3'])
    expect(world.ask('www.b.example')).toBe('A 60 192.0.2.3')
    expect([world.ask('www.a.example'), world.requested]).toEqual(['A 60 192.0.2.1', ['a.example']])
    world.publication.step('a.example', 2)
    expect([world.ask('www.a.example'), world.table.serial('a.example')]).toEqual(['A 60 192.0.2.3', 2])
    expect(world.requested).toEqual(['a.example'])
  })

  test('a change of its own includes the waiting changes', () => {
    const world = start(['a.example'])
    world.change('b.example', ['www 60 A 192.0.2.1'], ['www 60 A 192.0.2.2'])
    world.change('a.example', ['other 300 A 192.0.2.9'], [])
    expect([world.ask('www.a.example'), world.ask('other.a.example')]).toEqual(['A 60 192.0.2.2', 'NXDOMAIN'])
    world.change('b.example', ['www 60 A 192.0.2.2'], ['www 60 A 192.0.2.4'])
    expect(world.requested).toEqual(['a.example', 'a.example'])
  })

  test('a different TTL alone does not bump the serial', () => {
    const world = start(['a.example'])
    world.change('b.example', ['www 60 A 192.0.2.1'], ['www 30 A 192.0.2.1'])
    expect([world.ask('www.a.example'), world.requested]).toEqual(['A 60 192.0.2.1', []])
  })

  test('other zones do not wait', () => {
    const world = start(['b.example'])
    world.change('b.example', ['www 60 A 192.0.2.1'], ['www 60 A 192.0.2.2'])
    expect([world.ask('www.a.example'), world.requested]).toEqual(['A 60 192.0.2.2', []])
    expect([world.publication.hasDerived('a.example'), world.publication.hasDerived('b.example')]).toEqual([
      true,
      false,
    ])
    expect(world.publication.isSettled('a.example')).toBe(true)
  })
})

describe('a large change that yields between its steps', () => {
  const MANY = Array.from({ length: 6000 }, (_, i) => `h${i} 300 A 192.0.2.1`)
  const apex = parseName('example.com')
  const records = (lines: readonly string[]) => lines.map((line) => storedRecord(line, apex))
  const APEX_NOW = ['A 300 192.0.2.9', 'A 300 192.0.2.77']

  test('is published and announced at once, aliases followed', async () => {
    const world = createWorld({ bound: ['example.com'] })
    world.load({
      'example.com': ['@ 300 A 192.0.2.9'],
      'b.example': ['www 60 CNAME t.example.com. ; flatten'],
    })
    const zone = world.table.zone('example.com')
    const reported: string[] = []
    if (zone !== undefined) zone.follower = ({ serialAfter }) => void reported.push(`${serialAfter}`)
    const seen = new Set<string>()
    let isOver = false
    const others = (async () => {
      for (; !isOver; await yieldNow())
        seen.add(
          `${world.table.serial('example.com')} ${world.ask('example.com A')} ${world.ask('www.b.example A')}`,
        )
    })()
    await world.publication.applyInChunks({
      zoneId: 'example.com',
      serial: 2,
      removed: records(['@ 300 A 192.0.2.9']),
      added: records(['@ 300 CNAME t', 't 300 A 192.0.2.77', ...MANY]),
    })
    isOver = true
    await others
    seen.add(
      `${world.table.serial('example.com')} ${world.ask('example.com A')} ${world.ask('www.b.example A')}`,
    )
    expect([...seen]).toEqual([`1 ${APEX_NOW[0]} NODATA`, `2 ${APEX_NOW[1]} A 60 192.0.2.77`])
    expect(reported.at(-1)).toBe('2')
    // Everything that came with the serial came in the turn in which the serial was announced.
    expect(world.requested).toEqual([])
  })

  test.each<[string, readonly string[], readonly string[], boolean]>([
    ['is not made again', [], MANY, false],
    ['is made again with a proxied record', [], [...MANY, 'www 300 A 192.0.2.1 ; proxied'], true],
    ['is made again with an alias at the apex', [], [...MANY, '@ 300 CNAME t.example.net.'], true],
    ['is not begun where a name is not published as stored', ['www 300 A 192.0.2.1 ; proxied'], MANY, true],
  ])('whose records were begun before all were known %s', async (_, given, lines, isMadeAgain) => {
    const [world, expected] = [createWorld({ edge: EDGE }), createWorld({ edge: EDGE })]
    for (const each of [world, expected]) each.load({ 'example.com': given })
    const added = records(lines)
    const begun = world.publication.beginAhead('example.com')
    expect(begun === undefined).toBe(given.length > 0)
    for (const some of chunksOf(added, 2_000))
      for (const _ of begun?.add(some) ?? []) expect(world.ask('h0.example.com A')).toBe('NXDOMAIN')
    const change = { zoneId: 'example.com', serial: 2, removed: [], added }
    await world.publication.applyInChunks({ ...change, ahead: begun?.ahead })
    expect(begun?.ahead.isOpen === true).toBe(!isMadeAgain)
    await expected.publication.applyInChunks(change)
    for (const question of ['h0 A', 'h5999 A', 'www A', ' A', ' CNAME', ' SOA', 'h6000 A']) {
      const [name = '', type] = question.split(' ')
      const asked = `${name === '' ? '' : `${name}.`}example.com ${type}`
      expect(world.ask(asked)).toBe(expected.ask(asked))
    }
    expect(world.table.statistics()).toEqual(expected.table.statistics())
    expect(world.publication.beginAhead('other.example')).toBeUndefined()
  })

  test('leaves nothing of its octets behind but those of the records that are kept', async () => {
    const world = createWorld({ edge: EDGE })
    world.load({ 'example.com': [] })
    const added = records([
      'www 300 A 192.0.2.1 ; proxied',
      'www 300 TXT "v"',
      '@ 300 NS ns.example.net.',
      ...MANY,
    ])
    const octets = Buffer.alloc(1 << 18)
    let at = 0
    const packed = added.map((record) => {
      octets.set(record.rdata, at)
      return { ...record, rdata: octets.subarray(at, (at += record.rdata.length)) }
    })
    await world.publication.applyInChunks({ zoneId: 'example.com', serial: 2, removed: [], added: packed })
    const storedRecords = [
      ...(world.publication.storedOf('example.com').get(joinName('www', apex)) ?? []),
      ...(world.table.zone('example.com')?.own ?? []),
    ]
    expect(storedRecords.map(({ type, rdata }) => [type, rdata.buffer.byteLength])).toEqual([
      [1, 4],
      [16, 2],
      [2, 16],
    ])
    expect(world.ask('www.example.com TXT')).toBe('TXT 300 "v"')
  })
})
