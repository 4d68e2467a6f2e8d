// Which questions take the short way. That its answers are those of the long way, answer-cache.test.ts shows over random zones.
import { createHash } from 'node:crypto'
import { dnskeyOf, encodeRdata } from '@zonereeve/dns'
import type { SigningKey } from '@zonereeve/dns'
import { describe, expect, test } from 'vitest'
import { silentLog } from '../platform/log.ts'
import { createAnswerCache, NOT_KEPT } from './answer-cache.ts'
import { CLIENT, opt, queryOf, recordOf, zoneOf } from './asking.cases.ts'
import { createZoneTable, DEFAULT_LIMITS } from './index.ts'
import type { NameserverMetrics, ZoneContents, ZoneSigning, ZoneTable } from './index.ts'
import { noMetrics } from './metrics.ts'
import { createQuickAnswer } from './quick-answer.ts'
import { createRateLimits } from './rate-limits.ts'
import { createResponder } from './responder.ts'

const PEER = { transport: 'udp' as const, address: CLIENT }
const DO = { flags: 0x8000 }
const WEEK_MILLIS = 7 * 86_400_000

const PLAIN = `
  @      300 MX    10 mail.example.net.
  in     300 MX    10 www
  www    300 A     192.0.2.1
  www    300 A     192.0.2.2
  a.ent  300 TXT   "x"
  alias  300 CNAME www
  long   300 TXT   "${'x'.repeat(250)}" "${'y'.repeat(250)}"
  huge   300 TXT   ${Array.from({ length: 10 }, () => `"${'z'.repeat(250)}"`).join(' ')}
`

interface Given {
  readonly query: Uint8Array
  readonly zone?: Partial<ZoneContents>
  /** Beside those of PLAIN. */
  readonly records?: string
}

function tableOf({ zone = {}, records = '' }: Pick<Given, 'zone' | 'records'>): ZoneTable {
  const table = createZoneTable()
  table.load(zoneOf('example.com', PLAIN + records, zone))
  return table
}

/** The short way's answer and the long way's, as octets; and how often something was counted. */
function both(table: ZoneTable, query: Uint8Array, given: Partial<NameserverMetrics> = {}) {
  const [quickOut, out] = [Buffer.alloc(65_535), Buffer.alloc(65_535)]
  let counted = 0
  const metrics = { ...noMetrics, countQuery: () => void (counted += 1), ...given }
  const octets = createQuickAnswer({ table, limits: DEFAULT_LIMITS, metrics })(
    query,
    query.length,
    PEER,
    quickOut,
  )
  const respond = createResponder({ table, log: silentLog, limits: DEFAULT_LIMITS, metrics: noMetrics })
  const long = respond(query, query.length, PEER, out)
  return {
    quick: octets === NOT_KEPT ? undefined : quickOut.toString('hex', 0, octets),
    long: out.toString('hex', 0, long),
    counted,
  }
}

describe('the short way', () => {
  test.each<[string, Given]>([
    ['an rrset', { query: queryOf('www.example.com A') }],
    ['in whatever case', { query: queryOf('wWw.EXAMPLE.com A') }],
    ['with EDNS', { query: queryOf('www.example.com A', { tail: opt(1232) }) }],
    ['with all flags of a question', { query: queryOf('www.example.com A', { flags: 0x07f0 }) }],
    ['with less room offered than all have', { query: queryOf('www.example.com A', { tail: opt(0) }) }],
    ['to who offers room for it', { query: queryOf('long.example.com TXT', { tail: opt(1232) }) }],
    ['at the apex', { query: queryOf('example.com SOA') }],
    ['servers and exchanges elsewhere', { query: queryOf('example.com MX') }],
    ['an alias that is asked for', { query: queryOf('alias.example.com CNAME') }],
    ['no such type', { query: queryOf('www.example.com AAAA') }],
    ['nothing at an empty non-terminal', { query: queryOf('ent.example.com A') }],
    ['no such name', { query: queryOf('no.example.com A') }],
    ['no such name further down', { query: queryOf('x.y.www.example.com A') }],
    ['signatures asked of who has none', { query: queryOf('www.example.com A', { tail: opt(1232, DO) }) }],
    ['beside a cut', { query: queryOf('www.example.com A'), records: 'sub 300 NS ns.example.net.' }],
    ['no name beside a cut', { query: queryOf('no.example.com A'), records: 'sub 300 NS ns.example.net.' }],
    ['beside a wildcard', { query: queryOf('www.example.com A'), records: '*.w 300 A 192.0.2.9' }],
  ])('%s', (_, given) => {
    const { quick, long, counted } = both(tableOf(given), given.query)
    expect(quick).toBe(long)
    expect(counted).toBe(1)
  })
})

describe('the long way, and nothing counted', () => {
  const cut = 'sub 300 NS ns.sub\nns.sub 300 A 192.0.2.3\n'
  test.each<[string, Given]>([
    ['an alias', { query: queryOf('alias.example.com A') }],
    ['an exchange of the zone', { query: queryOf('in.example.com MX') }],
    ['what a wildcard may answer', { query: queryOf('no.example.com A'), records: '*.w 300 A 192.0.2.9' }],
    ['a cut', { query: queryOf('sub.example.com A'), records: cut }],
    ['below a cut', { query: queryOf('ns.sub.example.com A'), records: cut }],
    ['further down where there are cuts', { query: queryOf('a.ent.example.com TXT'), records: cut }],
    [
      'addresses that are not known',
      {
        query: queryOf('lost.example.com A'),
        zone: { marks: [{ name: 'lost.example.com', state: 'failing' }] },
      },
    ],
    ['a zone that is too old', { query: queryOf('www.example.com A'), zone: { isExpired: true } }],
    ['another zone', { query: queryOf('www.example.org A') }],
    ['more than fits', { query: queryOf('long.example.com TXT') }],
    ['more than fits any', { query: queryOf('huge.example.com TXT', { tail: opt(65_535) }) }],
    ['DS', { query: queryOf('example.com DS') }],
    ['ANY', { query: queryOf('www.example.com ANY') }],
    ['RRSIG', { query: queryOf('www.example.com TYPE46') }],
    ['NSEC', { query: queryOf('www.example.com TYPE47') }],
    ['OPT', { query: queryOf('www.example.com TYPE41') }],
    ['NXNAME', { query: queryOf('www.example.com TYPE128') }],
    ['type 0', { query: queryOf('www.example.com TYPE0') }],
    ['a transfer', { query: queryOf('example.com AXFR') }],
    ['another class', { query: queryOf('www.example.com A', { class: 3 }) }],
    ['a response', { query: queryOf('www.example.com A', { flags: 0x8000 }) }],
    ['a notification', { query: queryOf('example.com SOA', { flags: 0x2000 }) }],
    ['two questions', { query: queryOf('www.example.com A', { counts: [2, 0, 0, 0] }) }],
    ['no question', { query: queryOf('www.example.com A', { counts: [0, 0, 0, 0] }) }],
    ['an answer in the question', { query: queryOf('www.example.com A', { counts: [1, 1, 0, 0] }) }],
    ['an authority in the question', { query: queryOf('www.example.com A', { counts: [1, 0, 1, 0] }) }],
    ['two additionals', { query: queryOf('www.example.com A', { counts: [1, 0, 0, 2] }) }],
    ['257 additionals', { query: queryOf('www.example.com A', { counts: [1, 0, 0, 257] }) }],
    ['octets behind', { query: queryOf('www.example.com A', { tail: [1], counts: [1, 0, 0, 0] }) }],
    ['octets missing', { query: queryOf('www.example.com A').subarray(0, -1) }],
    ['a header alone', { query: queryOf('www.example.com A').subarray(0, 12) }],
    ['less than a header', { query: queryOf('www.example.com A').subarray(0, 11) }],
    ['an option', { query: queryOf('www.example.com A', { tail: opt(1232, { rdata: [0, 3, 0, 0] }) }) }],
    ['another version', { query: queryOf('www.example.com A', { tail: opt(1232, { version: 1 }) }) }],
    [
      'a record that is no OPT',
      { query: queryOf('www.example.com A', { tail: [0, 0, 1, ...opt(0).slice(3)] }) },
    ],
    ['a pointer', { query: Uint8Array.from([...queryOf('. A').subarray(0, 12), 0xc0, 12, 0, 1, 0, 1]) }],
  ])('%s', (_, given) => {
    const { quick, counted } = both(tableOf(given), given.query)
    expect([quick, counted]).toEqual([undefined, 0])
  })
})

const KEY: SigningKey = {
  flags: 257,
  algorithm: 13,
  publicKey: new Uint8Array(64).fill(1),
  keyTag: 1,
  sign: (octets) => createHash('sha512').update(octets).digest(),
}

describe('signed', () => {
  let now = Date.parse('2026-01-05T00:00:00Z')
  const signing: ZoneSigning = {
    keys: [KEY, { ...KEY, flags: 256 }],
    unpublished: [],
    dnskeys: [encodeRdata('DNSKEY', dnskeyOf(KEY))],
    cds: [],
    cdnskeys: [],
    multiSigner: false,
    denial: 'nsec',
    sha1: (octets) => createHash('sha1').update(octets).digest(),
    now: () => now,
    random: () => 0.5,
  }
  const asked = queryOf('www.example.com A', { tail: opt(1232, DO) })
  const change = { zoneId: 'zone-example.com', serial: 2, removed: [] }
  const added = (line: string) => [recordOf(line, zoneOf('example.com', '').apex as never, 'new')] // an apex is a Name

  test.each<[string, (table: ZoneTable) => void, boolean]>([
    ['when it has been signed', () => undefined, true],
    [
      'not when its rrset has changed',
      (table) => table.apply({ ...change, added: added('www 300 A 192.0.2.3') }),
      false,
    ],
    [
      'when another name has changed',
      (table) => table.apply({ ...change, added: added('w 300 A 192.0.2.3') }),
      true,
    ],
    ['not with other keys', (table) => table.sign('zone-example.com', signing), false],
    [
      'without signatures, when the zone is signed no more',
      (table) => table.sign('zone-example.com', undefined),
      true,
    ],
    ['not when they are to be made anew', () => void (now += WEEK_MILLIS), false],
  ])('%s', (_, then, isQuick) => {
    const table = tableOf({})
    table.sign('zone-example.com', signing)
    expect(both(table, asked).quick).toBeUndefined()
    const { quick, long } = both(table, asked)
    expect(quick).toBe(long)
    then(table)
    const after = both(table, asked)
    expect(after.quick).toBe(isQuick ? after.long : undefined)
  })

  test('by keys of two algorithms, of which one is not among the DNSKEY records: both signatures, or the long way', () => {
    const table = tableOf({})
    const unpublished = [{ ...KEY, flags: 256, algorithm: 15, keyTag: 2 }]
    table.sign('zone-example.com', { ...signing, unpublished })
    const one = tableOf({})
    one.sign('zone-example.com', signing)
    both(table, asked)
    both(one, asked)
    const { quick, long } = both(table, asked)
    expect(quick).toBe(long)
    // 108 octets more: a pointer, the ten of each record, and the RRSIG with the zone's name and 64 octets of signature.
    expect(long).toHaveLength((both(one, asked).long?.length ?? 0) + 2 * (12 + 18 + 13 + 64))
  })

  const CO = { flags: 0xc000 }
  const record = (line: string) => ({ ...change, added: added(line) })
  test.each<[string, Uint8Array, (table: ZoneTable) => void, boolean]>([
    [
      'of a name that is not there',
      queryOf('no.example.com A', { tail: opt(1232, DO) }),
      () => undefined,
      true,
    ],
    ['of one further down', queryOf('x.y.www.example.com A', { tail: opt(1232, DO) }), () => undefined, true],
    [
      'to who knows compact denial',
      queryOf('no.example.com A', { tail: opt(1232, CO) }),
      () => undefined,
      true,
    ],
    ['of a type', queryOf('wWw.example.com AAAA', { tail: opt(1232, DO) }), () => undefined, true],
    ['of a type at the apex', queryOf('example.com A', { tail: opt(1232, DO) }), () => undefined, true],
    [
      'at an empty non-terminal',
      queryOf('ent.example.com A', { tail: opt(1232, DO) }),
      () => undefined,
      true,
    ],
    [
      'under another serial, the SOA signed anew',
      queryOf('no.example.com A', { tail: opt(1232, DO) }),
      (table) => table.apply(record('w 300 A 192.0.2.3')),
      true,
    ],
    [
      'not of a name that has come to be there',
      queryOf('no.example.com A', { tail: opt(1232, DO) }),
      (table) => table.apply(record('no 300 TXT "x"')),
      false,
    ],
    [
      'not of a name that has another type more',
      queryOf('www.example.com AAAA', { tail: opt(1232, DO) }),
      (table) => table.apply(record('www 300 TXT "x"')),
      false,
    ],
    [
      'not beside a wildcard that has come',
      queryOf('no.example.com A', { tail: opt(1232, DO) }),
      (table) => table.apply(record('*.w 300 TXT "x"')),
      false,
    ],
    [
      'not by other keys, or of another form',
      queryOf('no.example.com A', { tail: opt(1232, DO) }),
      (table) => table.sign('zone-example.com', signing),
      false,
    ],
    [
      'not when it is to be made anew',
      queryOf('no.example.com A', { tail: opt(1232, DO) }),
      () => void (now += WEEK_MILLIS),
      false,
    ],
  ])('denial %s', (_, query, then, isQuick) => {
    for (const denial of ['nsec', 'nsec3'] as const) {
      const table = tableOf({})
      table.sign('zone-example.com', { ...signing, denial })
      expect(both(table, query)).toMatchObject({ quick: undefined, counted: 0 })
      const { quick, long, counted } = both(table, query)
      expect([quick, counted]).toEqual([long, 1])
      then(table)
      const after = both(table, query)
      expect(after.quick).toBe(isQuick ? after.long : undefined)
    }
  })

  test('denials are kept like other answers, are the same octets, and go with what they deny', () => {
    const table = tableOf({})
    table.sign('zone-example.com', signing)
    let counted = 0
    const metrics = { ...noMetrics, countQuery: () => void (counted += 1) }
    const answers = createAnswerCache({ version: () => table.version, metrics, now: () => 0 })
    const quick = createQuickAnswer({ table, limits: DEFAULT_LIMITS, metrics, answers })
    const query = queryOf('no.example.com A', { tail: opt(1232, DO) })
    const out = Buffer.alloc(1232)
    const { long } = both(table, query)
    for (let asked = 1; asked <= 4; asked += 1) {
      expect(out.toString('hex', 0, quick(query, query.length, PEER, out))).toBe(long)
      expect(counted).toBe(asked)
    }
    expect(out.toString('hex', 0, answers.find(query, query.length, PEER, out))).toBe(long)
    table.apply(record('no 300 TXT "x"'))
    expect(quick(query, query.length, PEER, out)).toBe(NOT_KEPT)
  })

  test('what has no room goes the long way', () => {
    const table = tableOf({})
    table.sign('zone-example.com', signing)
    for (const name of ['long.example.com TXT', `${'no.'.repeat(60)}example.com A`])
      for (let i = 0; i < 2; i += 1)
        expect(both(table, queryOf(name, { tail: opt(512, DO) })).quick).toBeUndefined()
  })

  test('who does not ask for signatures gets none', () => {
    const table = tableOf({})
    table.sign('zone-example.com', signing)
    const { quick, long } = both(table, queryOf('www.example.com A', { tail: opt(1232) }))
    expect(quick).toBe(long)
  })
})

test('a client over its rate is told to ask over TCP, or nothing', () => {
  const table = tableOf({})
  const counted: string[] = []
  const metrics: NameserverMetrics = {
    countQuery: (_, rcode) => counted.push(rcode),
    countDropped: (_, reason) => counted.push(reason),
  }
  const rateLimits = createRateLimits({ perSecond: 1, slip: 2, isExempt: () => false, now: () => 0, seed: 1 })
  const quick = createQuickAnswer({ table, limits: DEFAULT_LIMITS, metrics, rateLimits })
  const out = Buffer.alloc(512)
  const query = queryOf('www.example.com A', { tail: opt(1232) })
  const lengths = [0, 1, 2].map(() => quick(query, query.length, PEER, out))
  expect(lengths).toEqual([query.length + 32, 0, query.length])
  expect(out.toString('hex', 2, 12)).toBe('83000001000000000001')
  expect(counted).toEqual(['NOERROR', 'rate', 'NOERROR'])
})
