// Which queries take the fast path. answer-cache.test.ts checks over random zones that its answers equal those of the
// full path.
import { createHash } from 'node:crypto'
import { dnskeyOf, encodeRdata, RCODE, type SigningKey } from '@zonereeve/dns'
import { describe, expect, test } from 'vitest'
import { silentLog } from './silent-log.cases.ts'
import { createAnswerCache, NOT_KEPT } from './answer-cache.ts'
import { CLIENT, opt, queryOf, recordOf, zoneOf } from './asking.cases.ts'
import {
  createZoneTable,
  DEFAULT_LIMITS,
  type NameserverMetrics,
  type ZoneContents,
  type ZoneSigning,
  type ZoneTable,
} from './index.ts'
import { noMetrics } from './metrics.ts'
import { createFastPath } from './fast-path.ts'
import { createRateLimits } from './rate-limits.ts'
import { createResponder } from './responder.ts'

const PEER = { transport: 'udp' as const, address: CLIENT }
const DO = { flags: 0x8000 }
const WEEK_MILLIS = 7 * 86_400_000

const PLAIN = `
  @      300 MX    10 mail.example.net.
  in     300 MX    10 www
  svc    300 HTTPS 0 svc.example.net.
  none   300 HTTPS 0 .
  own    300 HTTPS 1 .
  own    300 A     192.0.2.7
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
  /** Added to those of PLAIN. */
  readonly records?: string
}

function tableOf({ zone = {}, records = '' }: Pick<Given, 'zone' | 'records'>): ZoneTable {
  const table = createZoneTable()
  table.load(zoneOf('example.com', PLAIN + records, zone))
  return table
}

/** The answers of the fast path and of the full path as octets, and what was counted how often. */
function both(table: ZoneTable, query: Uint8Array, given: Partial<NameserverMetrics> = {}) {
  const [fastOut, out] = [Buffer.alloc(65_535), Buffer.alloc(65_535)]
  let counted = 0
  const metrics = { ...noMetrics, countQuery: () => void (counted += 1), ...given }
  const octets = createFastPath({ table, limits: DEFAULT_LIMITS, metrics })(
    query,
    query.length,
    PEER,
    fastOut,
  )
  const respond = createResponder({ table, log: silentLog, limits: DEFAULT_LIMITS, metrics: noMetrics })
  const long = respond(query, query.length, PEER, out)
  return {
    fastPath: octets === NOT_KEPT ? undefined : fastOut.toString('hex', 0, octets),
    long: out.toString('hex', 0, long),
    counted,
  }
}

const rcodeOf = (answer: string): number => Number.parseInt(answer.slice(6, 8), 16) & 15

describe('the fast path', () => {
  test.each<[string, Given]>([
    ['an rrset', { query: queryOf('www.example.com A') }],
    ['any letter case', { query: queryOf('wWw.EXAMPLE.com A') }],
    ['with EDNS', { query: queryOf('www.example.com A', { tail: opt(1232) }) }],
    ['all flags of a query', { query: queryOf('www.example.com A', { flags: 0x07f0 }) }],
    ['a small payload size', { query: queryOf('www.example.com A', { tail: opt(0) }) }],
    ['a large payload size', { query: queryOf('long.example.com TXT', { tail: opt(1232) }) }],
    ['at the apex', { query: queryOf('example.com SOA') }],
    ['servers and exchanges elsewhere', { query: queryOf('example.com MX') }],
    ['a service elsewhere', { query: queryOf('svc.example.com HTTPS') }],
    ['no service', { query: queryOf('none.example.com HTTPS') }],
    ['a CNAME query for an alias', { query: queryOf('alias.example.com CNAME') }],
    ['no such type', { query: queryOf('www.example.com AAAA') }],
    ['nothing at an empty non-terminal', { query: queryOf('ent.example.com A') }],
    ['no such name', { query: queryOf('no.example.com A') }],
    ['no such name further down', { query: queryOf('x.y.www.example.com A') }],
    ['DO in an unsigned zone', { query: queryOf('www.example.com A', { tail: opt(1232, DO) }) }],
    ['next to a cut', { query: queryOf('www.example.com A'), records: 'sub 300 NS ns.example.net.' }],
    ['no name next to a cut', { query: queryOf('no.example.com A'), records: 'sub 300 NS ns.example.net.' }],
    ['next to a wildcard', { query: queryOf('www.example.com A'), records: '*.w 300 A 192.0.2.9' }],
  ])('%s', (_, given) => {
    const { fastPath, long, counted } = both(tableOf(given), given.query)
    expect(fastPath).toBe(long)
    expect(counted).toBe(1)
  })
})

describe('the full path, and nothing counted', () => {
  const cut = 'sub 300 NS ns.sub\nns.sub 300 A 192.0.2.3\n'
  test.each<[string, Given]>([
    ['an alias', { query: queryOf('alias.example.com A') }],
    ['an exchange of the zone', { query: queryOf('in.example.com MX') }],
    [
      'a second exchange of the zone after one elsewhere',
      {
        query: queryOf('two.example.com MX'),
        records: 'two 300 MX 10 mail.example.net.\ntwo 300 MX 20 www\n',
      },
    ],
    ['a service at its own name', { query: queryOf('own.example.com HTTPS') }],
    [
      'a name that a wildcard may answer',
      { query: queryOf('no.example.com A'), records: '*.w 300 A 192.0.2.9' },
    ],
    ['a cut', { query: queryOf('sub.example.com A'), records: cut }],
    ['below a cut', { query: queryOf('ns.sub.example.com A'), records: cut }],
    ['further down if there are cuts', { query: queryOf('a.ent.example.com TXT'), records: cut }],
    [
      'addresses that are unknown',
      {
        query: queryOf('lost.example.com A'),
        zone: { marks: [{ name: 'lost.example.com', state: 'failing' }] },
      },
    ],
    ['an expired zone', { query: queryOf('www.example.com A'), zone: { isExpired: true } }],
    ['another zone', { query: queryOf('www.example.org A') }],
    ['more than fits the payload size', { query: queryOf('long.example.com TXT') }],
    ['more than fits any payload size', { query: queryOf('huge.example.com TXT', { tail: opt(65_535) }) }],
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
      'a record other than OPT',
      { query: queryOf('www.example.com A', { tail: [0, 0, 1, ...opt(0).slice(3)] }) },
    ],
    ['a pointer', { query: Uint8Array.from([...queryOf('. A').subarray(0, 12), 0xc0, 12, 0, 1, 0, 1]) }],
  ])('%s', (_, given) => {
    const { fastPath, counted } = both(tableOf(given), given.query)
    expect([fastPath, counted]).toEqual([undefined, 0])
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
  /** What was signed. */
  const made: Uint8Array[] = []
  const sign = (octets: Uint8Array): Uint8Array => {
    made.push(octets.slice())
    return KEY.sign(octets)
  }
  const signing: ZoneSigning = {
    keys: [KEY, { ...KEY, flags: 256, sign }],
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

  test.each<[string, (table: ZoneTable) => void, number]>([
    ['once', () => undefined, 0],
    [
      'again after its rrset has changed',
      (table) => table.apply({ ...change, added: added('www 300 A 192.0.2.3') }),
      1,
    ],
    [
      'not again after another name has changed',
      (table) => table.apply({ ...change, added: added('w 300 A 192.0.2.3') }),
      0,
    ],
    ['again with other keys', (table) => table.sign('zone-example.com', signing), 1],
    ['not after the zone is no longer signed', (table) => table.sign('zone-example.com', undefined), 0],
    ['again when the signatures are due for renewal', () => void (now += WEEK_MILLIS), 1],
  ])('%s', (_, then, again) => {
    const table = tableOf({})
    table.sign('zone-example.com', signing)
    const expectBoth = (signatures: number): void => {
      made.length = 0
      const { fastPath, long, counted } = both(table, asked)
      expect(fastPath).toBe(long)
      expect([made.length, counted]).toEqual([signatures, 1])
    }
    expectBoth(1)
    expectBoth(0)
    then(table)
    expectBoth(again)
  })

  test.each<[string, string, (table: ZoneTable) => void]>([
    ['an rrset', 'www.example.com A', () => undefined],
    [
      'the SOA of a known denial',
      'no.example.com A',
      (table) => {
        both(table, queryOf('no.example.com A', { tail: opt(1232, DO) }))
        table.apply({ ...change, added: added('w 300 A 192.0.2.3') })
      },
    ],
  ])('a key that fails to sign %s: the full path answers SERVFAIL', (_, question, before) => {
    let isFailing = false
    const sign = (): Uint8Array => {
      if (isFailing) throw new Error('the key cannot be used')
      return new Uint8Array(64)
    }
    const table = tableOf({})
    table.sign('zone-example.com', { ...signing, keys: [KEY, { ...KEY, flags: 256, sign }] })
    before(table)
    isFailing = true
    const query = queryOf(question, { tail: opt(1232, DO) })
    const failed = both(table, query)
    expect([failed.fastPath, failed.counted, rcodeOf(failed.long)]).toEqual([undefined, 0, RCODE.SERVFAIL])
    isFailing = false
    expect(rcodeOf(both(table, query).long)).toBe(RCODE.NOERROR)
  })

  test('a new signature whose answer is too long: the full path, which does not sign again', () => {
    const table = tableOf({})
    table.sign('zone-example.com', signing)
    made.length = 0
    const { fastPath, counted } = both(table, queryOf('long.example.com TXT', { tail: opt(512, DO) }))
    expect([fastPath, counted, made.length]).toEqual([undefined, 0, 1])
  })

  test('two algorithms, one of them not among the DNSKEY records: both signatures, or the full path', () => {
    const table = tableOf({})
    const unpublished = [{ ...KEY, flags: 256, algorithm: 15, keyTag: 2 }]
    table.sign('zone-example.com', { ...signing, unpublished })
    const one = tableOf({})
    one.sign('zone-example.com', signing)
    both(table, asked)
    both(one, asked)
    const { fastPath, long } = both(table, asked)
    expect(fastPath).toBe(long)
    // 108 octets more: a pointer, the ten of each record, and the RRSIG with the zone's name and 64 octets of signature.
    expect(long).toHaveLength((both(one, asked).long?.length ?? 0) + 2 * (12 + 18 + 13 + 64))
  })

  const CO = { flags: 0xc000 }
  const record = (line: string) => ({ ...change, added: added(line) })
  test.each<[string, Uint8Array, (table: ZoneTable) => void, boolean]>([
    [
      'of a name that does not exist',
      queryOf('no.example.com A', { tail: opt(1232, DO) }),
      () => undefined,
      true,
    ],
    ['of one further down', queryOf('x.y.www.example.com A', { tail: opt(1232, DO) }), () => undefined, true],
    [
      'for a client that knows compact denial',
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
      'with another serial, the SOA signed again',
      queryOf('no.example.com A', { tail: opt(1232, DO) }),
      (table) => table.apply(record('w 300 A 192.0.2.3')),
      true,
    ],
    [
      'not of a name that exists by now',
      queryOf('no.example.com A', { tail: opt(1232, DO) }),
      (table) => table.apply(record('no 300 TXT "x"')),
      false,
    ],
    [
      'not of a name with a new type',
      queryOf('www.example.com AAAA', { tail: opt(1232, DO) }),
      (table) => table.apply(record('www 300 TXT "x"')),
      false,
    ],
    [
      'not with a new wildcard',
      queryOf('no.example.com A', { tail: opt(1232, DO) }),
      (table) => table.apply(record('*.w 300 TXT "x"')),
      false,
    ],
    [
      'not with other keys, or in another form',
      queryOf('no.example.com A', { tail: opt(1232, DO) }),
      (table) => table.sign('zone-example.com', signing),
      false,
    ],
    [
      'not when it is due for renewal',
      queryOf('no.example.com A', { tail: opt(1232, DO) }),
      () => void (now += WEEK_MILLIS),
      false,
    ],
  ])('denial %s', (_, query, then, isFast) => {
    for (const denial of ['nsec', 'nsec3'] as const) {
      const table = tableOf({})
      table.sign('zone-example.com', { ...signing, denial })
      expect(both(table, query)).toMatchObject({ fastPath: undefined, counted: 0 })
      const { fastPath, long, counted } = both(table, query)
      expect([fastPath, counted]).toEqual([long, 1])
      then(table)
      const after = both(table, query)
      expect(after.fastPath).toBe(isFast ? after.long : undefined)
    }
  })

  test('denials are cached like other answers, have the same octets, and are evicted with the name they deny', () => {
    const table = tableOf({})
    table.sign('zone-example.com', signing)
    let counted = 0
    const metrics = { ...noMetrics, countQuery: () => void (counted += 1) }
    const answers = createAnswerCache({ version: () => table.version, metrics, now: () => 0 })
    const fastPath = createFastPath({ table, limits: DEFAULT_LIMITS, metrics, answers })
    const query = queryOf('no.example.com A', { tail: opt(1232, DO) })
    const out = Buffer.alloc(1232)
    const { long } = both(table, query)
    for (let asked = 1; asked <= 4; asked += 1) {
      expect(out.toString('hex', 0, fastPath(query, query.length, PEER, out))).toBe(long)
      expect(counted).toBe(asked)
    }
    expect(out.toString('hex', 0, answers.find(query, query.length, PEER, out))).toBe(long)
    table.apply(record('no 300 TXT "x"'))
    expect(fastPath(query, query.length, PEER, out)).toBe(NOT_KEPT)
  })

  test('answers that do not fit take the full path', () => {
    const table = tableOf({})
    table.sign('zone-example.com', signing)
    for (const name of ['long.example.com TXT', `${'no.'.repeat(60)}example.com A`])
      for (let i = 0; i < 2; i += 1)
        expect(both(table, queryOf(name, { tail: opt(512, DO) })).fastPath).toBeUndefined()
  })

  test('a client without DO gets no signatures', () => {
    const table = tableOf({})
    table.sign('zone-example.com', signing)
    const { fastPath, long } = both(table, queryOf('www.example.com A', { tail: opt(1232) }))
    expect(fastPath).toBe(long)
  })
})

test('a client over its rate limit gets a truncated answer or none', () => {
  const table = tableOf({})
  const counted: string[] = []
  const metrics: NameserverMetrics = {
    countQuery: (_, rcode) => counted.push(rcode),
    countDropped: (_, reason) => counted.push(reason),
  }
  const rateLimits = createRateLimits({ perSecond: 1, slip: 2, isExempt: () => false, now: () => 0, seed: 1 })
  const fastPath = createFastPath({ table, limits: DEFAULT_LIMITS, metrics, rateLimits })
  const out = Buffer.alloc(512)
  const query = queryOf('www.example.com A', { tail: opt(1232) })
  const lengths = [0, 1, 2].map(() => fastPath(query, query.length, PEER, out))
  expect(lengths).toEqual([query.length + 32, 0, query.length])
  expect(out.toString('hex', 2, 12)).toBe('83000001000000000001')
  expect(counted).toEqual(['NOERROR', 'rate', 'NOERROR'])
})
