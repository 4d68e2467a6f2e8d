// Scans of nameservers on loopback: honest ones are real, the others follow the test's script.
import { parseName, rdataTextByCode, typeText, type Name } from '@zonereeve/dns'
import { afterEach, describe, expect, test } from 'vitest'
import { createNameserver, createZoneTable } from '@zonereeve/nameserver'
import { zoneOf } from '@zonereeve/nameserver/asking.cases.ts'
import { silentLog } from '@zonereeve/platform'
import { createAskServer, type Resolution, type Server } from '@zonereeve/resolver'
import {
  replyTo,
  silence,
  startFakeResolver,
  type FakeAnswers,
} from '@zonereeve/resolver/fake-resolver.cases.ts'
import { COMMON_NAMES } from './common-names.ts'
import { findNameservers } from './delegation.ts'
import { createDnsScan, DEFAULT_DNS_SCAN_LIMITS } from './index.ts'
import type { DnsScanLimits } from './limits.ts'

const ZONE = parseName('example.com')
const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close()
})

/** A nameserver with these lines of "name ttl type rdata". */
async function honest(lines: string): Promise<Server> {
  const table = createZoneTable()
  table.load(zoneOf('example.com', lines))
  const nameserver = createNameserver({ table, log: silentLog })
  open.push(nameserver)
  const { address, port } = await nameserver.listen({ host: '127.0.0.1', port: 0 })
  return { host: address, port }
}

async function telling(answer: FakeAnswers) {
  const fake = await startFakeResolver(answer)
  open.push(fake)
  return fake
}

let seed = 1
/** Differs from call to call, and is the same in every run. */
const counting = (octets: number): Uint8Array =>
  Uint8Array.from({ length: octets }, () => (seed = (seed * 1103515245 + 12345) & 0x7fff_ffff) >> 16)

interface Options {
  readonly limits?: Partial<DnsScanLimits>
  readonly lookUp?: (name: Name, type: number) => Promise<Resolution>
  readonly signal?: AbortSignal
}

const failing = (): Promise<Resolution> => Promise.resolve({ kind: 'failed' })

async function scanZone(
  servers: readonly Server[],
  { limits: given = {}, lookUp = failing, signal }: Options = {},
) {
  const limits = { ...DEFAULT_DNS_SCAN_LIMITS, attemptMs: 1_000, ...given }
  const askServer = createAskServer({ random: counting, limits, recursion: false })
  const run = createDnsScan({ resolver: { lookUp }, servers, askServer, random: counting, limits })
  const outcome = await run(ZONE, signal ?? new AbortController().signal)
  if (outcome.kind !== 'surveyed') return { kind: outcome.kind, lines: [] as string[] }
  const { records, ...rest } = outcome
  const lines = records.map(
    ({ name, ttlSeconds, type, rdata }) =>
      `${name} ${ttlSeconds} ${typeText(type)} ${rdataTextByCode(type, rdata)}`,
  )
  return { ...rest, lines: lines.toSorted() }
}

const COMPLETE = { kind: 'surveyed', isComplete: true, hasVaryingWildcard: false }

describe('an honest nameserver', () => {
  test('common names of every kind are found, and the names that they refer to', async () => {
    const server = await honest(`
      @ 300 A 192.0.2.1
      @ 300 MX 10 mx77.example.com.
      @ 300 TXT "v=spf1 -all"
      www 60 A 192.0.2.2
      www 60 AAAA 2001:db8::2
      shop 120 CNAME front.example.com.
      front 120 A 192.0.2.3
      mx77 300 A 192.0.2.4
      docs 120 CNAME docs.example.net.
      _dmarc 300 TXT "v=DMARC1; p=none"
      s1._domainkey 300 CNAME s1.mail.example.net.
      _sip._tcp 300 SRV 1 2 5060 sip77.example.com.
      sip77 300 A 192.0.2.5
      _443._tcp.www 300 TLSA 3 1 1 ${'AB'.repeat(32)}
      dev 300 NS ns1.dev.example.com.
      dev 300 NS ns.example.net.
      dev 300 DS 1 13 2 ${'CD'.repeat(32)}
      ns1.dev 300 A 192.0.2.6
      unheardof 300 A 192.0.2.99
    `)
    expect(await scanZone([server])).toEqual({
      ...COMPLETE,
      lines: [
        '_443._tcp.www.example.com 300 TLSA 3 1 1 ' + 'AB'.repeat(32),
        '_dmarc.example.com 300 TXT "v=DMARC1; p=none"',
        '_sip._tcp.example.com 300 SRV 1 2 5060 sip77.example.com.',
        'dev.example.com 300 DS 1 13 2 ' + 'CD'.repeat(32),
        'dev.example.com 300 NS ns.example.net.',
        'dev.example.com 300 NS ns1.dev.example.com.',
        'docs.example.com 120 CNAME docs.example.net.',
        'example.com 300 A 192.0.2.1',
        'example.com 300 MX 10 mx77.example.com.',
        'example.com 300 TXT "v=spf1 -all"',
        'front.example.com 120 A 192.0.2.3',
        'mx77.example.com 300 A 192.0.2.4',
        'ns1.dev.example.com 300 A 192.0.2.6',
        's1._domainkey.example.com 300 CNAME s1.mail.example.net.',
        'shop.example.com 120 CNAME front.example.com.',
        'sip77.example.com 300 A 192.0.2.5',
        'www.example.com 60 A 192.0.2.2',
        'www.example.com 60 AAAA 2001:db8::2',
      ],
    })
  })

  test('a wildcard is one record, and names that differ from it are found', async () => {
    const server = await honest(`
      * 300 A 192.0.2.1
      * 300 TXT "anything"
      www 60 A 192.0.2.2
      api 60 A 192.0.2.1
      mail 60 MX 10 mail.example.net.
    `)
    const found = await scanZone([server])
    expect(found).toEqual({
      ...COMPLETE,
      lines: [
        '*.example.com 300 A 192.0.2.1',
        '*.example.com 300 TXT "anything"',
        'mail.example.com 60 MX 10 mail.example.net.',
        'www.example.com 60 A 192.0.2.2',
      ],
    })
  })

  test('a wildcard CNAME hides no other name', async () => {
    const server = await honest(`
      * 300 CNAME front.example.net.
      www 60 A 192.0.2.2
    `)
    expect((await scanZone([server])).lines).toEqual([
      '*.example.com 300 CNAME front.example.net.',
      'www.example.com 60 A 192.0.2.2',
    ])
  })

  test('an empty zone has no records', async () => {
    expect(await scanZone([await honest('')])).toEqual({ ...COMPLETE, lines: [] })
  })

  test('large answers arrive over TCP', async () => {
    const lines = Array.from({ length: 60 }, (_, i) => `www 60 A 192.0.2.${i + 1}`).join('\n')
    const strings = Array.from({ length: 12 }, (_, i) => `@ 60 TXT "${`${i}-`.padEnd(200, 'x')}"`).join('\n')
    const found = await scanZone([await honest(`${lines}\n${strings}`)])
    expect(found.lines.length).toBe(72)
  })
})

/** Authoritative for www alone; all other names do not exist. */
const wwwOnly: FakeAnswers = (query) => {
  const { text } = query
  if (text === 'www.example.com A') return [replyTo(query, ['www.example.com 60 A 192.0.2.2'], { aa: true })]
  return [replyTo(query, [], { aa: true, soa: 60, rcode: text.startsWith('www.') ? 0 : 3 })]
}
const WWW = ['www.example.com 60 A 192.0.2.2']

const flipId = (packet: Uint8Array): Uint8Array => packet.map((octet, at) => (at === 1 ? octet ^ 1 : octet))

describe('dishonest nameservers', () => {
  const rows: readonly (readonly [string, FakeAnswers, object])[] = [
    [
      'truncated',
      (query) => (query.transport === 'tcp' ? wwwOnly(query) : [replyTo(query, [], { aa: true, tc: true })]),
      { ...COMPLETE, lines: WWW },
    ],
    [
      'without EDNS',
      (query) => (query.message.edns === undefined ? wwwOnly(query) : [replyTo(query, [], { rcode: 1 })]),
      { ...COMPLETE, lines: WWW },
    ],
    ['silent', silence, { kind: 'silent', lines: [] }],
    ['refusing', (query) => [replyTo(query, [], { rcode: 5 })], { kind: 'silent', lines: [] }],
    ['failing', (query) => [replyTo(query, [], { rcode: 2 })], { kind: 'silent', lines: [] }],
    [
      'without authority',
      (query) => [replyTo(query, ['www.example.com 60 A 192.0.2.2'])],
      { kind: 'silent', lines: [] },
    ],
    [
      'referring upwards',
      (query) => [replyTo(query, [], { authorities: [] })],
      { kind: 'silent', lines: [] },
    ],
    [
      'garbage',
      () => [Uint8Array.from({ length: 80 }, (_, i) => (i * 37) & 0xff)],
      { kind: 'silent', lines: [] },
    ],
    [
      'answers to other questions',
      (query) => [flipId(wwwOnly(query)[0] ?? new Uint8Array())],
      { kind: 'silent', lines: [] },
    ],
  ]
  test.each(rows)('%s', async (_, answer, expected) => {
    expect(await scanZone([await telling(answer)])).toEqual(expected)
  })

  test('false records of other names are ignored', async () => {
    const liar: FakeAnswers = (query) => {
      if (query.text !== 'www.example.com A') return wwwOnly(query)
      const lies = ['mail.example.com 60 A 203.0.113.66', 'www.example.net 60 A 203.0.113.66']
      return [replyTo(query, [...WWW, ...lies], { aa: true })]
    }
    expect((await scanZone([await telling(liar)])).lines).toEqual(WWW)
  })

  test('a server with a different answer for every name is reported, and its answers are ignored', async () => {
    let last = 0
    const varying: FakeAnswers = (query) => {
      const [name = '', type] = query.text.split(' ')
      if (type !== 'A' || name === 'example.com') return [replyTo(query, [], { aa: true, soa: 60 })]
      last = (last + 1) % 250
      return [replyTo(query, [`${name} 60 A 192.0.2.${last}`], { aa: true })]
    }
    expect(await scanZone([await telling(varying)])).toEqual({
      ...COMPLETE,
      hasVaryingWildcard: true,
      lines: [],
    })
  })

  test('a failing server is dropped, and the next is queried', async () => {
    const refusing = await telling((query) => [replyTo(query, [], { rcode: 5 })])
    const good = await telling(wwwOnly)
    expect((await scanZone([refusing, good])).lines).toEqual(WWW)
    expect(refusing.asked.length).toBeLessThan(
      DEFAULT_DNS_SCAN_LIMITS.concurrency + DEFAULT_DNS_SCAN_LIMITS.failuresUntilDropped,
    )
  })
})

describe('limits', () => {
  test('time: records found until then are returned, marked as incomplete', async () => {
    const asked: string[] = []
    const slow = await telling((query) => {
      asked.push(query.text)
      return query.text.startsWith('example.com') || query.text === 'www.example.com A' ? wwwOnly(query) : []
    })
    const found = await scanZone([slow], {
      limits: { totalMs: 400, attemptMs: 300, failuresUntilDropped: 1000 },
    })
    expect(found).toMatchObject({ isComplete: false })
    expect(asked.length).toBeLessThan(COMMON_NAMES.length)
  })

  test('queries', async () => {
    const server = await telling(wwwOnly)
    const found = await scanZone([server], { limits: { questions: 50 } })
    expect(found).toMatchObject({ kind: 'surveyed', isComplete: false })
    expect(server.asked.length).toBe(50)
  })

  test('records', async () => {
    const lines = Array.from({ length: 60 }, (_, i) => `www 60 A 192.0.2.${i + 1}`).join('\n')
    const found = await scanZone([await honest(lines)], { limits: { records: 10 } })
    expect(found).toMatchObject({ isComplete: false })
    expect(found.lines.length).toBe(10)
  })

  test('concurrent queries', async () => {
    let most = 0
    const limits = { ...DEFAULT_DNS_SCAN_LIMITS, concurrency: 3 }
    const server = await telling(wwwOnly)
    const ask = createAskServer({ random: counting, limits, recursion: false })
    let underWay = 0
    const counted: typeof ask = async (...args) => {
      underWay += 1
      most = Math.max(most, underWay)
      try {
        return await ask(...args)
      } finally {
        underWay -= 1
      }
    }
    const run = createDnsScan({
      resolver: { lookUp: failing },
      servers: [server],
      askServer: counted,
      random: counting,
      limits,
    })
    await run(ZONE, new AbortController().signal)
    expect([most > 1, most <= 2 * limits.concurrency]).toEqual([true, true])
  })

  test('aborting ends the scan at once', async () => {
    const stopping = new AbortController()
    const asking = scanZone([await telling(silence)], {
      signal: stopping.signal,
      limits: { attemptMs: 60_000 },
    })
    stopping.abort()
    expect((await asking).kind).toBe('silent')
  })
})

describe('the delegation', () => {
  const answer = (type: 'NS' | 'A' | 'AAAA', ...values: readonly Uint8Array[]): Resolution => ({
    kind: 'answer',
    links: [],
    rdatas: values,
    ttlSeconds: type === 'NS' ? 86_400 : 300,
    isOpen: false,
  })
  const octets = (text: string) => Buffer.from(text, 'latin1')
  const NS1 = octets('\u0003ns1\u0007example\u0003net\0')
  const NS2 = octets('\u0003ns2\u0007example\u0003net\0')
  const table =
    (entries: Readonly<Record<string, Resolution>>) =>
    (name: Name, type: number): Promise<Resolution> =>
      Promise.resolve(entries[`${name} ${typeText(type)}`] ?? { kind: 'failed' })

  const rows: readonly (readonly [string, Readonly<Record<string, Resolution>>, readonly string[]])[] = [
    ['no answer', {}, []],
    ['no such zone', { 'example.com NS': answer('NS') }, []],
    ['without addresses', { 'example.com NS': answer('NS', NS1) }, []],
    [
      'two servers, each with its first address before the second of any',
      {
        'example.com NS': answer('NS', NS1, NS2),
        'ns1.example.net A': answer('A', Uint8Array.of(192, 0, 2, 1)),
        'ns1.example.net AAAA': answer(
          'AAAA',
          Uint8Array.of(0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
        ),
        'ns2.example.net A': answer('A', Uint8Array.of(192, 0, 2, 2), Uint8Array.of(192, 0, 2, 1)),
      },
      ['192.0.2.1', '192.0.2.2', '2001:db8::1'],
    ],
    [
      'addresses outside the allowed ranges, and malformed RDATA',
      {
        'example.com NS': answer('NS', NS1, Buffer.alloc(0)),
        'ns1.example.net A': answer(
          'A',
          Uint8Array.of(127, 0, 0, 1),
          Uint8Array.of(0, 0, 0, 0),
          Uint8Array.of(169, 254, 0, 1),
          Uint8Array.of(224, 0, 0, 1),
          Uint8Array.of(1, 2),
          Uint8Array.of(10, 0, 0, 1),
        ),
        'ns1.example.net AAAA': answer('AAAA', Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)),
      },
      ['10.0.0.1'],
    ],
  ]
  test.each(rows)('%s', async (_, entries, hosts) => {
    const servers = await findNameservers(ZONE, { lookUp: table(entries) }, 8)
    expect(servers).toEqual(hosts.map((host) => ({ host, port: 53 })))
  })

  test('without a delegation no server is queried', async () => {
    expect(await scanZone([])).toEqual({ kind: 'undelegated', lines: [] })
  })
})

test('every common name is a valid name, and is listed once', () => {
  expect(COMMON_NAMES.length).toBeGreaterThan(300)
  expect(new Set(COMMON_NAMES.map(({ name }) => name)).size).toBe(COMMON_NAMES.length)
  for (const { name, types } of COMMON_NAMES) {
    expect(parseName(name)).toBe(name)
    expect([types.length > 0, types.includes(0)]).toEqual([true, false])
  }
})
