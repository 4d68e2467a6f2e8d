// The tests that resolvers run to find out what a server supports: RFC 8906 §8 and ISC's DNS compliance tool, under
// its names. Every test must get exactly the expected answer.
import { decodeMessage, hexFromOctets, rcodeText, type Message } from '@zonereeve/dns'
import { describe, expect, test } from 'vitest'
import { silentLog } from './silent-log.cases.ts'
import { CLIENT, opt, queryOf, zoneOf, type QueryOptions } from './asking.cases.ts'
import { createCookies } from './cookies.ts'
import { createZoneTable, DEFAULT_LIMITS, type Transport } from './index.ts'
import { noMetrics } from './metrics.ts'
import { createResponder, MAX_REPLY_OCTETS } from './responder.ts'

const TRUNCATED_AT = 512
const table = createZoneTable()
table.load(
  zoneOf(
    'example.com',
    `www 300 A 192.0.2.1\nlong 300 TXT ${Array(3)
      .fill(`"${'x'.repeat(250)}"`)
      .join(' ')}`,
  ),
)
const respond = createResponder({
  table,
  log: silentLog,
  limits: DEFAULT_LIMITS,
  metrics: noMetrics,
  cookies: createCookies({ now: () => 1_700_000_000_000, secretOf: () => new Uint8Array(16) }),
  nsid: Buffer.from('ams-1'),
})

function ask(query: Uint8Array, transport: Transport): { message: Message; octets: Uint8Array } {
  const out = Buffer.alloc(MAX_REPLY_OCTETS)
  const length = respond(query, query.length, { transport, address: CLIENT }, out)
  expect(length).toBeGreaterThan(0)
  const octets = out.subarray(0, length)
  return { message: decodeMessage(octets), octets }
}

/** Bits of the header: opcode 15 stands at 11, Z at 6. */
const [RD, AD, CD, Z, RA, TC, AA] = [0x0100, 0x20, 0x10, 0x40, 0x80, 0x0200, 0x0400] as const
const OPCODE_15 = 15 << 11
const option = (code: number, ...octets: number[]): number[] => [
  code >> 8,
  code & 255,
  0,
  octets.length,
  ...octets,
]
const [NSID, SUBNET, EXPIRE, COOKIE, KEEPALIVE, PADDING, UNKNOWN] = [3, 8, 9, 10, 11, 12, 100] as const
const CLIENT_COOKIE = [1, 2, 3, 4, 5, 6, 7, 8]
const SUBNET_OCTETS = [0, 1, 24, 0, 192, 0, 2]
const DO = 0x8000
const UNKNOWN_FLAG = 0x0080

interface Expected {
  readonly rcode?: string
  /** Records of the answer section; 1 by default. */
  readonly answers?: number
  /** Codes of the options in the answer; by default there is no OPT record. */
  readonly options?: readonly number[]
  readonly flags?: Partial<Pick<Message, 'aa' | 'tc' | 'rd' | 'ra' | 'ad' | 'cd'>>
  readonly dnssecOk?: boolean
}
type Case = [name: string, question: string, how: QueryOptions, expected: Expected]

const edns = (payload = 4096, how: Parameters<typeof opt>[1] = {}): QueryOptions => ({
  tail: opt(payload, how),
})
const BADVERS: Expected = { rcode: 'BADVERS', answers: 0, options: [] }

const PLAIN: Case[] = [
  ['dns: plain', 'example.com SOA', { flags: 0 }, {}],
  ['dnsrd: recursion desired', 'example.com SOA', { flags: RD }, { flags: { rd: true, ra: false } }],
  ['dnsad: authentic data', 'example.com SOA', { flags: AD }, { flags: { ad: false } }],
  ['dnscd: checking disabled', 'example.com SOA', { flags: CD }, { flags: { cd: false } }],
  ['dnsz: the last reserved bit', 'example.com SOA', { flags: Z }, {}],
  ['dnsra: recursion available', 'example.com SOA', { flags: RA }, { flags: { ra: false } }],
  ['dnstc: truncated', 'example.com SOA', { flags: TC }, { flags: { tc: false } }],
  ['dnsaa: authoritative', 'example.com SOA', { flags: AA }, { flags: { aa: true } }],
  [
    'dnsflags: all of them',
    'example.com SOA',
    { flags: RD | AD | CD | Z | RA | TC | AA },
    { flags: { rd: true } },
  ],
  ['type666: an unknown type', 'example.com TYPE1000', {}, { answers: 0 }],
  ['an unknown type in the private range', 'www.example.com TYPE65281', {}, { answers: 0 }],
  ['opcode15: an unknown opcode', 'example.com SOA', { flags: OPCODE_15 }, { rcode: 'NOTIMP', answers: 0 }],
  [
    'opcodeflg: with all flags',
    'example.com SOA',
    { flags: OPCODE_15 | 0x07f0 },
    { rcode: 'NOTIMP', answers: 0 },
  ],
  ['class CH: version.bind', 'version.bind TXT', { class: 3 }, { rcode: 'REFUSED', answers: 0 }],
  ['class CH: hostname.bind', 'hostname.bind TXT', { class: 3 }, { rcode: 'REFUSED', answers: 0 }],
  ['class CH: id.server', 'id.server TXT', { class: 3 }, { rcode: 'REFUSED', answers: 0 }],
  ['0x20: the case of the name', 'wWw.eXaMpLe.CoM A', {}, {}],
  ['ANY: one rrset (RFC 8482)', 'www.example.com ANY', {}, {}],
  ['a zone that is not served', 'example.net SOA', {}, { rcode: 'REFUSED', answers: 0 }],
]

const EDNS: Case[] = [
  ['edns: version 0', 'example.com SOA', edns(), { options: [] }],
  ['edns512: a payload of 512', 'www.example.com A', edns(512), { options: [] }],
  [
    'edns512tc: an answer that is longer',
    'long.example.com TXT',
    edns(512),
    { answers: 0, options: [], flags: { tc: true } },
  ],
  [
    'edns0: a payload of 0 means 512',
    'long.example.com TXT',
    edns(0),
    { answers: 0, options: [], flags: { tc: true } },
  ],
  ['edns1: an unknown version', 'example.com SOA', edns(4096, { version: 1 }), BADVERS],
  ['edns255: the highest version', 'example.com SOA', edns(4096, { version: 255 }), BADVERS],
  [
    'edns1opt: with an unknown option',
    'example.com SOA',
    edns(4096, { version: 1, rdata: option(UNKNOWN, 1) }),
    BADVERS,
  ],
  [
    'edns1flags: with an unknown flag',
    'example.com SOA',
    edns(4096, { version: 1, flags: UNKNOWN_FLAG }),
    BADVERS,
  ],
  ['edns1nsid: with NSID', 'example.com SOA', edns(4096, { version: 1, rdata: option(NSID) }), BADVERS],
  [
    'edns1cookie: with a cookie',
    'example.com SOA',
    edns(4096, { version: 1, rdata: option(COOKIE, ...CLIENT_COOKIE) }),
    BADVERS,
  ],
  [
    'edns1do: with DO',
    'example.com SOA',
    edns(4096, { version: 1, flags: DO }),
    { ...BADVERS, dnssecOk: true },
  ],
  [
    'ednsopt: an unknown option',
    'example.com SOA',
    edns(4096, { rdata: option(UNKNOWN, 1, 2) }),
    { options: [] },
  ],
  [
    'ednsopts: a hundred unknown options',
    'example.com SOA',
    edns(4096, { rdata: Array(100).fill(option(UNKNOWN, 1)).flat() }),
    { options: [] },
  ],
  ['ednsflags: unknown flags', 'example.com SOA', edns(4096, { flags: UNKNOWN_FLAG }), { options: [] }],
  [
    'do: DNSSEC answers requested',
    'example.com SOA',
    edns(4096, { flags: DO }),
    { options: [], dnssecOk: true },
  ],
  [
    'docookie: with a cookie',
    'example.com SOA',
    edns(4096, { flags: DO, rdata: option(COOKIE, ...CLIENT_COOKIE) }),
    { options: [COOKIE], dnssecOk: true },
  ],
  [
    'ednscookie: a cookie',
    'example.com SOA',
    edns(4096, { rdata: option(COOKIE, ...CLIENT_COOKIE) }),
    { options: [COOKIE] },
  ],
  ['ednsnsid: NSID', 'example.com SOA', edns(4096, { rdata: option(NSID) }), { options: [NSID] }],
  [
    'ednsexpire: EXPIRE, if zone transfer is not allowed',
    'example.com SOA',
    edns(4096, { rdata: option(EXPIRE) }),
    { options: [] },
  ],
  ['EXPIRE with another type', 'www.example.com A', edns(4096, { rdata: option(EXPIRE) }), { options: [] }],
  [
    'ednssubnet: client subnet',
    'example.com SOA',
    edns(4096, { rdata: option(SUBNET, ...SUBNET_OCTETS) }),
    { options: [] },
  ],
  [
    'ednspadding: padding in clear',
    'example.com SOA',
    edns(4096, { rdata: option(PADDING, 0, 0) }),
    { options: [] },
  ],
  [
    'ednslist: all options',
    'example.com SOA',
    edns(4096, {
      rdata: [NSID, EXPIRE, KEEPALIVE]
        .flatMap((code) => option(code))
        .concat(option(COOKIE, ...CLIENT_COOKIE), option(SUBNET, ...SUBNET_OCTETS)),
    }),
    { options: [NSID, COOKIE] },
  ],
  [
    'ednsopcode15: an unknown opcode',
    'example.com SOA',
    { ...edns(), flags: OPCODE_15 },
    { rcode: 'NOTIMP', answers: 0 },
  ],
  [
    'edns class CH',
    'version.bind TXT',
    { ...edns(), class: 3 },
    { rcode: 'REFUSED', answers: 0, options: [] },
  ],
  [
    'two OPT records',
    'example.com SOA',
    { tail: [...opt(1232), ...opt(1232)], counts: [1, 0, 0, 2] },
    { rcode: 'FORMERR', answers: 0, options: [] },
  ],
  [
    'an option that is longer than its record',
    'example.com SOA',
    edns(4096, { rdata: [0, 3, 0, 9, 1] }),
    { rcode: 'FORMERR', answers: 0 },
  ],
]

describe.each(['udp', 'tcp'] as const)('over %s', (transport) => {
  test('has cases', () => expect(PLAIN.length * EDNS.length).toBeGreaterThan(0))
  test.each([...PLAIN, ...EDNS])('%s', (name, question, how, expected) => {
    const query = queryOf(question, how)
    const { message, octets } = ask(query, transport)
    const isCut = expected.flags?.tc === true
    const isWhole = isCut && transport === 'tcp'
    expect(rcodeText(message.rcode)).toBe(expected.rcode ?? 'NOERROR')
    expect(message.answers.length).toBe(isWhole ? 1 : (expected.answers ?? 1))
    const expectedAnswer = expected.options?.concat(
      transport === 'tcp' && name.startsWith('ednslist') ? [KEEPALIVE] : [],
    )
    expect(message.edns?.options.map(({ code }) => code)).toEqual(expectedAnswer)
    expect(message.edns?.dnssecOk ?? false).toBe(expected.dnssecOk ?? false)
    expect(message.edns?.version ?? 0).toBe(0)
    expect(message).toMatchObject({
      qr: true,
      ra: false,
      ad: false,
      cd: false,
      ...(isWhole ? {} : expected.flags),
    })
    // Reserved bits of header and OPT record are never set (RFC 6895 §2.1, RFC 6891 §6.1.4).
    expect((octets[3] ?? 0) & Z).toBe(0)
    if (expectedAnswer?.length === 0)
      expect([...octets.subarray(-4, -2)]).toEqual([expected.dnssecOk === true ? 0x80 : 0, 0])
    if (transport === 'udp' && question.startsWith('long'))
      expect(octets.length).toBeLessThanOrEqual(TRUNCATED_AT)
    // ID, opcode and RD are copied from the query; so is the question, with its case.
    expect(hexFromOctets(octets.slice(0, 2))).toBe(hexFromOctets(query.slice(0, 2)))
    expect((octets[2] ?? 0) & 0x79).toBe((query[2] ?? 0) & 0x79)
    if (message.questions.length > 0) {
      const end = query.length - (how.tail?.length ?? 0)
      expect(hexFromOctets(octets.slice(12, end))).toBe(hexFromOctets(query.slice(12, end)))
    }
  })
})
