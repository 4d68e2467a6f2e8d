// Signed answers: who gets signatures, which ones, and when they are renewed. Other tests validate them with delv.
import {
  decodeMessage,
  parseName,
  type ResourceRecord,
  type SigningKey,
  typeCode,
  typeText,
} from '@zonereeve/dns'
import { beforeEach, describe, expect, test } from 'vitest'
import { silentLog } from './silent-log.cases.ts'
import { opt, queryOf, recordOf, zoneOf } from './asking.cases.ts'
import { createZoneTable, DEFAULT_LIMITS, type ZoneSigning } from './index.ts'
import { noMetrics } from './metrics.ts'
import { createResponder, MAX_REPLY_OCTETS } from './responder.ts'
import { readName } from './record-check.ts'
import { synthesiseRrset, TYPE } from './rrset.ts'
import { SynthesizedAnswers } from './synthesized-answers.ts'
import { WireName } from './wire-name.ts'
import { ZoneSigner } from './zone-signer.ts'
import { signingWith } from './zone-signing.cases.ts'

const DO = 0x8000
const CO = 0x4000
const DAY_MILLIS = 86_400_000
const ZONE = zoneOf(
  'example.com',
  `
  @       300 MX    10 mail
  @       300 DNSKEY 256 3 13 AQID
  mail    300 A     192.0.2.1
  alias   300 CNAME mail
  *.wild  300 TXT   "x"
  a.ent   300 A     192.0.2.2
  sub     300 NS    ns.sub
  sub     300 TXT   "not said"
  ns.sub  300 A     192.0.2.3
  safe    300 NS    ns.sub
  safe    300 DS    1 13 2 00000000000000000000000000000000000000000000000000000000000000aa
  `,
  { marks: [{ name: 'lost.example.com', state: 'failing' }] },
)

let now = Date.parse('2026-01-05T00:00:00Z')
let signatures = 0
const keyOf = (flags: number, tag: number): SigningKey => ({
  flags,
  algorithm: 13,
  publicKey: new Uint8Array(64).fill(tag),
  keyTag: tag,
  sign: () => new Uint8Array(64).fill((signatures += 1)),
})
const KEYS = [keyOf(257, 1), keyOf(256, 2)]
const signingOf = (given: Partial<ZoneSigning> = {}): ZoneSigning =>
  signingWith(KEYS, { now: () => now, ...given })

let table = createZoneTable()
let respond = createResponder({ table, log: silentLog, limits: DEFAULT_LIMITS, metrics: noMetrics })
beforeEach(() => {
  table = createZoneTable()
  table.load(ZONE)
  table.sign(ZONE.zoneId, signingOf())
  respond = createResponder({ table, log: silentLog, limits: DEFAULT_LIMITS, metrics: noMetrics })
})

function ask(question: string, { flags = DO, payload = 1232, transport = 'tcp' as 'tcp' | 'udp' } = {}) {
  const out = new Uint8Array(MAX_REPLY_OCTETS)
  const query = queryOf(question, { tail: opt(payload, { flags }) })
  const octets = respond(query, query.length, { transport, address: '192.0.2.200' }, out)
  const message = decodeMessage(out.slice(0, octets))
  return {
    octets,
    rcode: message.rcode,
    tc: message.tc,
    answer: message.answers.map(lineOf),
    authority: message.authorities.map(lineOf),
    additional: message.additionals.map(lineOf),
  }
}

const MADE: Readonly<Record<number, string>> = { 46: 'RRSIG', 47: 'NSEC', 50: 'NSEC3', 51: 'NSEC3PARAM' }

/** `owner TYPE`; for signatures the covered type, label count and key; for NSEC the types. */
function lineOf({ name, type, rdata }: ResourceRecord): string {
  const text = MADE[type] ?? typeText(type)
  if (type === 46)
    return `${name} RRSIG ${MADE[rdata[1] ?? 0] ?? typeText(rdata[1] ?? 0)} ${rdata[3]} by ${rdata[17]}`
  return type === 47 ? `${name} NSEC ${bitmapText(rdata)}` : `${name} ${text}`
}

function bitmapText(rdata: Uint8Array): string {
  let at = 0
  while (rdata[at] !== 0) at += 1 + (rdata[at] ?? 0)
  const types: string[] = []
  for (at += 1; at < rdata.length; at += 2 + (rdata[at + 1] ?? 0)) {
    for (let bit = 0; bit < (rdata[at + 1] ?? 0) * 8; bit += 1) {
      if (((rdata[at + 2 + (bit >> 3)] ?? 0) & (0x80 >> (bit & 7))) === 0) continue
      const type = ((rdata[at] ?? 0) << 8) | bit
      types.push(type === 128 ? 'NXNAME' : (MADE[type] ?? typeText(type)))
    }
  }
  return types.join(' ')
}

const SOA = ['example.com SOA', 'example.com RRSIG SOA 2 by 2']

const made = (work: () => void): number => {
  const before = signatures
  work()
  return signatures - before
}

test.each(['nsec', 'nsec3'] as const)(
  'answers that are kept do not keep the octets of others: %s',
  (denial) => {
    const nameOf = (text: string) => readName(new WireName(), parseName(text), '')
    const signer = new ZoneSigner(nameOf('example.com'), signingOf({ denial }), new SynthesizedAnswers())
    const name = nameOf('a.example.com')
    const rrset = synthesiseRrset(TYPE.A, 60, [new Uint8Array(4)])
    const denied = signer.denial(name, 0, undefined, 60, () => true)
    const expanded = signer.expanded(rrset, name, 0, () => true)
    const all = [denied?.rrset.wire, denied?.hashLabel, expanded?.wire, signer.signed(rrset, name, 0).wire]
    const buffers = all.filter((octets) => octets !== undefined)
    expect(buffers).toHaveLength(denial === 'nsec' ? 3 : 4)
    for (const octets of buffers) expect(octets.buffer.byteLength).toBe(octets.byteLength)
  },
)

describe('answers with DO', () => {
  test.each([
    ['an rrset', 'mail.example.com A', ['mail.example.com A', 'mail.example.com RRSIG A 3 by 2']],
    [
      'an alias and its target',
      'alias.example.com A',
      [
        'alias.example.com CNAME',
        'alias.example.com RRSIG CNAME 3 by 2',
        'mail.example.com A',
        'mail.example.com RRSIG A 3 by 2',
      ],
    ],
    [
      'a wildcard’s, as if the name existed',
      'a.b.wild.example.com TXT',
      ['a.b.wild.example.com TXT', 'a.b.wild.example.com RRSIG TXT 5 by 2'],
    ],
    [
      'the DNSKEY records, signed by the entry point',
      'example.com DNSKEY',
      ['example.com DNSKEY', 'example.com DNSKEY', 'example.com RRSIG DNSKEY 2 by 1'],
    ],
    [
      'CDS, signed by the entry point',
      'example.com CDS',
      ['example.com CDS', 'example.com RRSIG CDS 2 by 1'],
    ],
    ['CDNSKEY', 'example.com CDNSKEY', ['example.com CDNSKEY', 'example.com RRSIG CDNSKEY 2 by 1']],
    ['ANY', 'mail.example.com ANY', ['mail.example.com HINFO', 'mail.example.com RRSIG HINFO 3 by 2']],
    ['an RRSIG query', 'mail.example.com TYPE46', ['mail.example.com RRSIG A 3 by 2']],
    ['an RRSIG query at an alias', 'alias.example.com TYPE46', ['alias.example.com RRSIG CNAME 3 by 2']],
    [
      'an NSEC query',
      'mail.example.com TYPE47',
      ['mail.example.com NSEC A RRSIG NSEC', 'mail.example.com RRSIG NSEC 3 by 2'],
    ],
    ['a DS', 'safe.example.com DS', ['safe.example.com DS', 'safe.example.com RRSIG DS 3 by 2']],
  ])('%s', (_, question, answer) => {
    expect(ask(question)).toMatchObject({ rcode: 0, answer, authority: [] })
  })

  test.each([
    ['no such type', 'mail.example.com TXT', 'mail.example.com NSEC A RRSIG NSEC', 3],
    [
      'no such type at the apex',
      'example.com A',
      'example.com NSEC NS SOA MX RRSIG NSEC DNSKEY CDS CDNSKEY',
      2,
    ],
    ['no such name', 'x.example.com A', 'x.example.com NSEC RRSIG NSEC NXNAME', 3],
    ['no such type by wildcard', 'x.wild.example.com A', 'x.wild.example.com NSEC TXT RRSIG NSEC', 4],
    ['an empty non-terminal', 'ent.example.com A', 'ent.example.com NSEC RRSIG NSEC', 3],
    [
      'a delegation’s DS: hidden types are not listed',
      'sub.example.com DS',
      'sub.example.com NSEC NS RRSIG NSEC',
      3,
    ],
    [
      'a name whose addresses are currently unknown',
      'lost.example.com TXT',
      'lost.example.com NSEC A AAAA RRSIG NSEC',
      3,
    ],
  ])('%s is denied', (_, question, nsec, labels) => {
    const owner = nsec.split(' ')[0] ?? ''
    const authority = [...SOA, nsec, `${owner} RRSIG NSEC ${labels} by 2`]
    expect(ask(question)).toMatchObject({ rcode: 0, answer: [], authority })
  })

  test('a client that knows compact denial gets NXDOMAIN', () => {
    expect(ask('x.example.com A', { flags: DO | CO })).toMatchObject({ rcode: 3, answer: [] })
    expect(ask('mail.example.com TXT', { flags: DO | CO }).rcode).toBe(0)
  })

  test('additional addresses are signed, glue is not', () => {
    expect(ask('example.com MX').additional).toEqual([
      'mail.example.com A',
      'mail.example.com RRSIG A 3 by 2',
    ])
    expect(ask('x.sub.example.com A')).toMatchObject({
      answer: [],
      authority: [
        'sub.example.com NS',
        'sub.example.com NSEC NS RRSIG NSEC',
        'sub.example.com RRSIG NSEC 3 by 2',
      ],
      additional: ['ns.sub.example.com A'],
    })
    expect(ask('x.safe.example.com A').authority).toEqual([
      'safe.example.com NS',
      'safe.example.com DS',
      'safe.example.com RRSIG DS 3 by 2',
    ])
  })

  test('NSEC3 is at the hash of the name; its bitmap has RRSIG only if the name has signatures', () => {
    table.sign(ZONE.zoneId, signingOf({ denial: 'nsec3' }))
    const { authority } = ask('x.example.com A')
    expect(authority[2]).toMatch(/^[0-9a-v]{32}\.example\.com NSEC3$/)
    expect(authority[3]).toBe(`${authority[2]?.split(' ')[0]} RRSIG NSEC3 3 by 2`)
    expect(ask('example.com TYPE51').answer).toEqual([
      'example.com NSEC3PARAM',
      'example.com RRSIG NSEC3PARAM 2 by 2',
    ])
    expect(ask('mail.example.com TYPE47')).toMatchObject({ rcode: 0, answer: [] })
  })

  test('a signed answer that does not fit is truncated as a whole', () => {
    let truncated = 0
    for (let payload = 512; payload < 700; payload += 8) {
      const { tc, answer, authority } = ask('x.sub.example.com A', { payload, transport: 'udp' })
      if (tc) truncated += 1
      expect(answer).toEqual([])
      if (!tc) expect(authority).toHaveLength(3)
    }
    const long = ask(`${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example.com A`, {
      payload: 512,
      transport: 'udp',
    })
    expect([truncated, long.tc, long.authority]).toEqual([0, true, []])
  })
})

describe('a DNAME', () => {
  // Not in the zone of the other tests, which the fast path answers.
  const RECORDS = [
    'd 300 DNAME wild',
    'd 300 TXT "beside"',
    'hidden.d 300 A 192.0.2.4',
    'out 300 DNAME x.test.',
  ]
  const D = ['d.example.com DNAME', 'd.example.com RRSIG DNAME 3 by 2']
  beforeEach(() => {
    const added = RECORDS.map((line) => recordOf(line, ZONE.apex as never, line)) // the apex is a name
    table.apply({ zoneId: ZONE.zoneId, serial: 2, removed: [], added })
  })

  test.each<[name: string, question: string, answer: readonly string[], authority?: readonly string[]]>([
    ['is signed', 'd.example.com DNAME', D],
    [
      'its synthesized CNAME is not signed, the target is',
      'x.d.example.com TXT',
      [...D, 'x.d.example.com CNAME', 'x.wild.example.com TXT', 'x.wild.example.com RRSIG TXT 4 by 2'],
    ],
    ['a CNAME query', 'x.d.example.com CNAME', [...D, 'x.d.example.com CNAME']],
    [
      'out of all zones',
      'x.out.example.com A',
      ['out.example.com DNAME', 'out.example.com RRSIG DNAME 3 by 2', 'x.out.example.com CNAME'],
    ],
    [
      'hidden names are neither shown nor denied; the target is',
      'hidden.d.example.com A',
      [...D, 'hidden.d.example.com CNAME'],
      [...SOA, 'hidden.wild.example.com NSEC TXT RRSIG NSEC', 'hidden.wild.example.com RRSIG NSEC 4 by 2'],
    ],
    [
      'a denial below it is that of the target',
      'hidden.d.example.com TYPE47',
      [
        ...D,
        'hidden.d.example.com CNAME',
        'hidden.wild.example.com NSEC TXT RRSIG NSEC',
        'hidden.wild.example.com RRSIG NSEC 4 by 2',
      ],
    ],
    [
      'a type missing at its owner: the bitmap has DNAME',
      'd.example.com A',
      [],
      [...SOA, 'd.example.com NSEC TXT DNAME RRSIG NSEC', 'd.example.com RRSIG NSEC 3 by 2'],
    ],
  ])('%s', (_, question, answer, authority = []) => {
    expect(ask(question)).toMatchObject({ rcode: 0, answer, authority })
  })

  test('a name that becomes too long', () => {
    const long = ['a', 'b', 'c'].map((letter) => letter.repeat(63)).join('.')
    const added = recordOf(`long 300 DNAME ${long}`, ZONE.apex as never, 'long') // the apex is a name
    table.apply({ zoneId: ZONE.zoneId, serial: 3, removed: [], added: [added] })
    expect(ask(`${'x'.repeat(63)}.long.example.com A`)).toMatchObject({
      rcode: 6, // YXDOMAIN
      answer: ['long.example.com DNAME', 'long.example.com RRSIG DNAME 3 by 2'],
      authority: [],
    })
  })

  test('is signed by all keys; the CNAME by none', () => {
    table.sign(ZONE.zoneId, signingOf({ unpublished: [keyOf(257, 3), keyOf(256, 4)] }))
    expect(signaturesIn(ask('x.out.example.com A').answer)).toEqual(['DNAME 3 by 2', 'DNAME 3 by 4'])
  })

  test('is truncated together with its signature', () => {
    const seen = new Set<number>()
    const below = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(20)}.out.example.com A`
    table.sign(ZONE.zoneId, signingOf({ unpublished: [keyOf(257, 3), keyOf(256, 4)] }))
    for (let payload = 512; payload <= 1232; payload += 6) {
      const { tc, answer } = ask(below, { payload, transport: 'udp' })
      if (!tc) expect(answer).toHaveLength(4)
      else if (answer.length > 0) expect(signaturesIn(answer)).toEqual(['DNAME 3 by 2', 'DNAME 3 by 4'])
      seen.add(Number(tc))
    }
    expect(seen).toContain(0)
  })
})

describe('keys that are not among the DNSKEY records', () => {
  const unpublished = [keyOf(257, 3), keyOf(256, 4)]
  beforeEach(() => {
    table.sign(ZONE.zoneId, signingOf({ unpublished }))
  })

  test.each([
    ['an rrset', 'mail.example.com A', ['A 3 by 2', 'A 3 by 4']],
    ['a wildcard’s', 'x.wild.example.com TXT', ['TXT 4 by 2', 'TXT 4 by 4']],
    ['ANY', 'mail.example.com ANY', ['HINFO 3 by 2', 'HINFO 3 by 4']],
    ['an RRSIG query', 'mail.example.com TYPE46', ['A 3 by 2', 'A 3 by 4']],
    ['an NSEC query', 'mail.example.com TYPE47', ['NSEC 3 by 2', 'NSEC 3 by 4']],
    ['CDS', 'example.com CDS', ['CDS 2 by 1', 'CDS 2 by 3']],
    ['CDNSKEY', 'example.com CDNSKEY', ['CDNSKEY 2 by 1', 'CDNSKEY 2 by 3']],
    ['a denial', 'x.example.com A', ['SOA 2 by 2', 'SOA 2 by 4', 'NSEC 3 by 2', 'NSEC 3 by 4']],
    ['the denial of a cut', 'x.sub.example.com A', ['NSEC 3 by 2', 'NSEC 3 by 4']],
    ['a DS', 'x.safe.example.com A', ['DS 3 by 2', 'DS 3 by 4']],
    ['addresses beside', 'example.com MX', ['MX 2 by 2', 'MX 2 by 4', 'A 3 by 2', 'A 3 by 4']],
  ])('also sign: %s', (_, question, expected) => {
    const { answer, authority, additional } = ask(question)
    expect(signaturesIn([...answer, ...authority, ...additional])).toEqual(expected)
  })

  test('do not sign the DNSKEY records', () => {
    expect(ask('example.com DNSKEY').answer).toEqual([
      'example.com DNSKEY',
      'example.com DNSKEY',
      'example.com RRSIG DNSKEY 2 by 1',
    ])
  })

  test('also sign NSEC3', () => {
    table.sign(ZONE.zoneId, signingOf({ unpublished, denial: 'nsec3' }))
    expect(signaturesIn(ask('x.example.com A').authority)).toEqual([
      'SOA 2 by 2',
      'SOA 2 by 4',
      'NSEC3 3 by 2',
      'NSEC3 3 by 4',
    ])
  })

  test.each([
    ['mail.example.com A', 2, 0],
    ['alias.example.com A', 4, 0],
    ['example.com CDNSKEY', 2, 0],
    [`${'a'.repeat(60)}.${'b'.repeat(60)}.example.com A`, 0, 4],
    [`${'a'.repeat(60)}.${'b'.repeat(60)}.wild.example.com TXT`, 2, 0],
    ['x.safe.example.com A', 0, 2],
  ])('%s has both signatures or is truncated, at any size limit', (question, inAnswer, inAuthority) => {
    const seen = new Set<boolean>()
    for (let payload = 512; payload <= 1232; payload += 6) {
      const { tc, answer, authority, octets } = ask(question, { payload, transport: 'udp' })
      seen.add(tc)
      expect(octets).toBeLessThanOrEqual(payload)
      if (!tc)
        expect([signaturesIn(answer).length, signaturesIn(authority).length]).toEqual([inAnswer, inAuthority])
    }
    expect(seen).toContain(false)
    expect(ask(question).tc).toBe(false)
  })

  test('do not change answers without DO', () => {
    expect(ask('mail.example.com A', { flags: 0 })).toMatchObject({ answer: ['mail.example.com A'] })
    expect(ask('x.example.com A', { flags: 0 })).toMatchObject({ authority: ['example.com SOA'] })
  })
})

/** The covered type and the key. */
const signaturesIn = (lines: readonly string[]): string[] =>
  lines
    .filter((line) => line.includes(' RRSIG ') && line.includes(' by '))
    .map((line) => line.split(' RRSIG ')[1] ?? '')

describe('answers without DO', () => {
  test.each(['mail.example.com A', 'x.example.com A', 'x.sub.example.com A', 'x.wild.example.com A'])(
    '%s equals the answer of an unsigned zone',
    (question) => {
      signatures = 0
      const signed = ask(question, { flags: 0 })
      table.sign(ZONE.zoneId, undefined)
      expect(signed).toEqual(ask(question, { flags: 0 }))
      expect(signed).toEqual(ask(question, { flags: DO }))
      expect(signatures).toBe(0)
    },
  )

  test('DNSKEY records are answered as data', () => {
    expect(ask('example.com DNSKEY', { flags: 0 }).answer).toEqual([
      'example.com DNSKEY',
      'example.com DNSKEY',
    ])
  })

  test('NXNAME cannot be queried', () => {
    expect(ask('example.com TYPE128').rcode).toBe(1)
  })
})

describe('signatures are stored', () => {
  test.each(['mail.example.com A', 'x.example.com A', 'x.wild.example.com TXT', 'mail.example.com ANY'])(
    'for %s for days, and renewed before they expire',
    (question) => {
      now = Date.parse('2026-01-05T00:00:00Z')
      expect(made(() => ask(question))).toBeGreaterThan(0)
      expect(made(() => ask(question))).toBe(0)
      now += 6 * DAY_MILLIS
      expect(made(() => ask(question))).toBe(0)
      now += 2 * DAY_MILLIS
      expect(made(() => ask(question))).toBeGreaterThan(0)
    },
  )

  test.each(['mail.example.com A', 'x.example.com A', 'x.wild.example.com TXT'])(
    'for %s only while the clock agrees: signatures in the future, which validators refuse, are not used',
    (question) => {
      now = Date.parse('2026-03-05T00:00:00Z')
      ask(question)
      now = Date.parse('2026-01-05T00:00:00Z')
      expect(made(() => ask(question))).toBeGreaterThan(0)
      expect(made(() => ask(question))).toBe(0)
      now -= 3_000_000
      expect(made(() => ask(question))).toBe(0)
    },
  )

  test('across changes of other names; changed names get new ones', () => {
    ask('mail.example.com A')
    ask('x.example.com A')
    const added = recordOf('x 300 A 192.0.2.9', ZONE.apex as never, 'new') // the apex is a name
    table.apply({ zoneId: ZONE.zoneId, serial: 2, removed: [], added: [added] })
    expect(made(() => ask('mail.example.com A'))).toBe(0)
    expect(ask('x.example.com A').answer).toHaveLength(2)
    expect(ask('x.example.com TXT').authority).toContain('x.example.com NSEC A RRSIG NSEC')
  })

  test('up to a limit for synthesized names', () => {
    const names = Array.from({ length: 22_000 }, (_, i) => `n${i}.example.com A`)
    for (const name of names) {
      now += 1
      ask(name)
    }
    expect(made(() => ask('n21999.example.com A'))).toBe(0)
    expect(made(() => ask('n0.example.com A'))).toBe(1)
  })

  test('while the zone is reloaded', () => {
    table.load(ZONE)
    expect(ask('mail.example.com A').answer).toHaveLength(2)
  })
})

describe('answers whose name the client chooses', () => {
  const PER_SECOND = 40 // two in an interval of 50 ms
  beforeEach(() => {
    now = Date.parse('2026-01-05T00:00:00Z')
    const limits = { ...DEFAULT_LIMITS, madeSignaturesPerSecond: PER_SECOND }
    respond = createResponder({ table, log: silentLog, limits, metrics: noMetrics })
    ask('example.com SOA')
  })
  const askAll = (questions: readonly string[], transport: 'tcp' | 'udp' = 'udp') =>
    questions.map((question) => {
      const { rcode, tc, answer, authority } = ask(question, { transport })
      // Response codes are numbers here: 2 is SERVFAIL.
      return tc || rcode !== 0 ? `${rcode}${tc ? ' TC' : ''}` : `${answer.length}+${authority.length}`
    })

  test.each([
    ['that do not exist', ['n1', 'n2', 'n3'].map((name) => `${name}.example.com A`), ['0+4', '0+4', '0 TC']],
    [
      'that a wildcard answers for',
      ['a', 'b', 'c'].map((name) => `${name}.wild.example.com TXT`),
      ['2+0', '2+0', '0 TC'],
    ],
    [
      'whose wildcard lacks the type',
      ['a', 'b', 'c'].map((name) => `${name}.wild.example.com A`),
      ['0+4', '0+4', '0 TC'],
    ],
    [
      'that exist and lack the type',
      ['mail', 'ent', 'a.ent'].map((name) => `${name}.example.com TXT`),
      ['0+4', '0+4', '0 TC'],
    ],
    [
      'that exist, each queried for many types',
      ['mail TXT', 'mail AAAA', 'mail TYPE999', 'ent A', 'ent AAAA', 'a.ent TXT', 'mail MX'].map((asked) =>
        asked.replace(' ', '.example.com '),
      ),
      ['0+4', '0+4', '0+4', '0+4', '0+4', '0 TC', '0+4'],
    ],
    [
      'of cuts without a DS',
      ['x.sub.example.com A', 'mail.example.com TXT', 'ent.example.com A', 'y.sub.example.com A'],
      ['0+3', '0+4', '0 TC', '0+3'],
    ],
    [
      'whose denial is queried',
      ['a', 'b', 'c'].map((name) => `${name}.wild.example.com TYPE47`),
      ['2+0', '2+0', '0 TC'],
    ],
  ])('names %s: signatures are limited; stored ones are still used', (_, questions, expected) => {
    askAll(['mail.example.com A', 'example.com TXT'])
    now += 50
    const signed = made(() => expect(askAll(questions)).toEqual(expected))
    expect(signed).toBeLessThanOrEqual(3) // the SOA of a denial is signed too
    const none = made(() => expect(askAll(questions)).toEqual(expected))
    expect(none).toBe(0)
    const known = ['mail.example.com A', 'example.com TXT', 'example.com TYPE999']
    expect(made(() => expect(askAll(known)).toEqual(['2+0', '0+4', '0+4']))).toBe(0)
    expect(askAll(['example.com MX'])).toEqual(['2+0']) // an rrset of a name is signed only once
  })

  test('TCP has its own budget, and answers SERVFAIL beyond it', () => {
    const questions = ['n1', 'n2', 'n3', 'n4', 'n5'].map((name) => `${name}.example.com A`)
    askAll(questions)
    expect(askAll(questions, 'tcp')).toEqual(['0+4', '0+4', '0+4', '0+4', '2'])
  })

  test('the next interval has its own budget', () => {
    const questions = ['n1', 'n2', 'n3'].map((name) => `${name}.example.com A`)
    expect(askAll(questions).at(2)).toBe('0 TC')
    now += 50
    expect(askAll(questions).at(2)).toBe('0+4')
  })

  test('an answer over the budget is not cached', () => {
    const remaining: number[] = []
    const answers = { keep: () => void remaining.push(1) }
    const limits = { ...DEFAULT_LIMITS, madeSignaturesPerSecond: PER_SECOND }
    respond = createResponder({ table, log: silentLog, limits, metrics: noMetrics, answers })
    askAll(['n1', 'n2', 'n3'].map((name) => `${name}.example.com A`))
    expect(remaining).toHaveLength(2)
  })
})

test('keys of other providers are served if the zone has several signers', () => {
  expect(ask('example.com DNSKEY').answer).toHaveLength(3)
  table.sign(ZONE.zoneId, signingOf({ multiSigner: true }))
  expect(ask('example.com DNSKEY').answer).toHaveLength(4)
  table.sign(ZONE.zoneId, undefined)
  expect(ask('example.com DNSKEY').answer).toEqual(['example.com DNSKEY'])
  expect(table.records(ZONE.zoneId, 'example.com').map(({ type }) => type)).toContain(typeCode('DNSKEY'))
})
