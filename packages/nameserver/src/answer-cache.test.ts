// Compares a server with cache and fast path to one without: bytes, counts and drops must be equal, also while zones
// change.
import { createHash } from 'node:crypto'
import { dnskeyOf, encodeRdata, parseName, type SigningKey } from '@zonereeve/dns'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { silentLog } from './silent-log.cases.ts'
import { createAnswerCache, NOT_KEPT } from './answer-cache.ts'
import type { AnswerCacheLimits } from './answer-cache.ts'
import { CLIENT, opt, queryOf, recordOf, zoneOf } from './asking.cases.ts'
import {
  type CountedZone,
  createZoneTable,
  DEFAULT_LIMITS,
  type DropReason,
  type Transport,
  type ZoneSigning,
  type ZoneTable,
} from './index.ts'
import { QUESTIONS, RECORD_LINE } from './random-zone.cases.ts'
import { createFastPath } from './fast-path.ts'
import { createRateLimits } from './rate-limits.ts'
import { createResponder, MAX_REPLY_OCTETS } from './responder.ts'

const PEER = { transport: 'udp' as const, address: CLIENT }

/** A responder on a table, with or without cache, and with or without the fast path. */
function side(
  table: ZoneTable,
  clock: { now: number },
  cached: Partial<AnswerCacheLimits> | 'none',
  isFast = false,
) {
  const counted: string[] = []
  const metrics = {
    countQuery: (transport: Transport, rcode: string, zone: CountedZone | undefined) =>
      counted.push(`${transport} ${rcode} ${zone?.name ?? '-'}`),
    countDropped: (transport: Transport, reason: DropReason) => counted.push(`${transport} ${reason}`),
  }
  const now = (): number => clock.now
  const rateLimits = createRateLimits({ perSecond: 20, slip: 2, isExempt: () => false, now, seed: 1 })
  const answers =
    cached === 'none'
      ? undefined
      : createAnswerCache({
          version: () => table.version,
          metrics,
          rateLimits,
          now,
          limits: { seen: 0, ...cached },
        })
  const respond = createResponder({
    table,
    log: silentLog,
    // Each side has its own budget; otherwise the side that is queried first would use it up.
    limits: { ...DEFAULT_LIMITS, madeSignaturesPerSecond: 1_000_000_000 },
    metrics,
    rateLimits,
    nsid: Buffer.from('ams-1'),
    answers,
  })
  const fastPath = createFastPath({ table, limits: DEFAULT_LIMITS, metrics, rateLimits, answers })
  let hits = 0
  let fastHits = 0
  return { ask, counted, hits: () => hits, fastHits: () => fastHits }

  function ask(query: Uint8Array): string {
    const out = Buffer.alloc(MAX_REPLY_OCTETS)
    let octets = isFast ? fastPath(query, query.length, PEER, out) : NOT_KEPT
    if (octets !== NOT_KEPT) {
      fastHits += 1
      return out.toString('hex', 0, octets)
    }
    octets = answers?.find(query, query.length, PEER, out) ?? NOT_KEPT
    if (octets === NOT_KEPT) octets = respond(query, query.length, PEER, out)
    else hits += 1
    return out.toString('hex', 0, octets)
  }
}

const TAILS = [
  [],
  opt(512),
  opt(1232),
  opt(1232, { flags: 0x8000 }),
  opt(1232, { version: 1 }),
  opt(1232, { rdata: [0, 3, 0, 0] }), // NSID
  [1, 2, 3],
] as const

const STEP = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      question: fc.constantFrom(...QUESTIONS.slice(0, 40), 'other.test A', 'A.eXample.com A', '. NS'),
      tail: fc.constantFrom(...TAILS),
      flags: fc.constantFrom(0, 0x0100, 0x0110, 0x2800),
      id: fc.nat(0xffff),
    }),
  },
  { weight: 2, arbitrary: RECORD_LINE.map((added) => ({ added })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'remove' as const,
      'reconfigure' as const,
      'load' as const,
      'nsec' as const,
      'nsec3' as const,
      'unsign' as const,
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom({ passMs: 10 }, { passMs: 40_000 }) },
)

/** A fake signer: it "signs" with a hash of the data. */
const KEY: SigningKey = {
  flags: 257,
  algorithm: 13,
  publicKey: new Uint8Array(64).fill(1),
  keyTag: 1,
  sign: (octets) => createHash('sha512').update(octets).digest(),
}

const signingOf = (clock: { now: number }, denial: ZoneSigning['denial']): ZoneSigning => ({
  keys: [KEY, { ...KEY, flags: 256, keyTag: 2 }],
  unpublished: [],
  dnskeys: [encodeRdata('DNSKEY', dnskeyOf(KEY))],
  cds: [],
  cdnskeys: [],
  multiSigner: false,
  denial,
  sha1: (octets) => createHash('sha1').update(octets).digest(),
  now: () => clock.now,
  random: () => 0.5,
})

test('random queries and changes are answered and counted as by the full path', () => {
  let hits = 0
  let fastHits = 0
  let changes = 0
  const limits = fc.constantFrom<Partial<AnswerCacheLimits>>(
    {},
    { memoryOctets: 300 },
    { places: 8 },
    { seen: 4 },
  )
  fc.assert(
    fc.property(
      fc.array(RECORD_LINE, { maxLength: 10 }),
      fc.array(STEP, { minLength: 30, maxLength: 120 }),
      limits,
      (lines, steps, cached) => {
        const table = createZoneTable()
        const clock = { now: 1_700_000_000_000 }
        const zone = zoneOf('example.com', lines.join('\n'))
        table.load(zone)
        const [remaining, plain] = [side(table, clock, cached), side(table, clock, 'none')]
        const fastPath = side(table, clock, cached, true)
        let serial = 1
        for (const step of steps) {
          if (typeof step === 'object' && 'question' in step) {
            const query = queryOf(step.question, step)
            // Queried twice, so that the second answer can be cached.
            for (let i = 0; i < 2; i += 1) {
              const answer = plain.ask(query)
              expect([remaining.ask(query), fastPath.ask(query)]).toEqual([answer, answer])
            }
            continue
          }
          if (typeof step === 'object' && 'passMs' in step) {
            clock.now += step.passMs
            continue
          }
          serial += 1
          changes += 1
          if (step === 'load' || !table.has(zone.zoneId)) table.load(zone)
          else if (step === 'remove') table.remove(zone.zoneId)
          else if (step === 'nsec' || step === 'nsec3') table.sign(zone.zoneId, signingOf(clock, step))
          else if (step === 'unsign') table.sign(zone.zoneId, undefined)
          else if (step === 'reconfigure')
            table.reconfigure(zone.zoneId, { ...zone, nsTtl: serial, soa: { ...zone.soa, serial } })
          else
            table.apply({
              zoneId: zone.zoneId,
              serial,
              removed: [],
              added: [recordOf(step.added, parseName('example.com'), `added-${serial}`)],
            })
        }
        expect(remaining.counted).toEqual(plain.counted)
        expect(fastPath.counted).toEqual(plain.counted)
        hits += remaining.hits()
        fastHits += fastPath.fastHits()
      },
    ),
    { numRuns: 150 },
  )
  expect([hits > 1000, fastHits > 1000, changes > 100]).toEqual([true, true, true])
})

describe('one cache', () => {
  const clock = { now: 0 }
  const table = createZoneTable()
  const long = `${'x'.repeat(63)}.`.repeat(2)
  beforeEach(() => {
    table.load(
      zoneOf(
        'example.com',
        `www 300 A 192.0.2.1\nlong 300 TXT "${'x'.repeat(250)}" "${'y'.repeat(250)}"\n${long.slice(0, -1)} 300 A 192.0.2.2`,
      ),
    )
  })

  /** How many of two identical queries the cache answered. */
  function hitsOf(query: Uint8Array): number {
    const { ask, hits } = side(table, clock, {})
    expect(ask(query)).toBe(ask(query))
    return hits()
  }

  test.each([
    ['a name', queryOf('www.example.com A'), 1],
    ['a name that does not exist', queryOf('no.example.com A'), 1],
    ['a name in no zone', queryOf('www.example.org A'), 1],
    ['with EDNS', queryOf('www.example.com A', { tail: opt(1232) }), 1],
    ['ANY', queryOf('www.example.com ANY'), 1],
    ['with an option', queryOf('www.example.com A', { tail: opt(1232, { rdata: [0, 3, 0, 0] }) }), 0],
    ['another EDNS version', queryOf('www.example.com A', { tail: opt(1232, { version: 1 }) }), 0],
    ['a transfer', queryOf('example.com AXFR'), 0],
    ['an IXFR', queryOf('example.com IXFR'), 0],
    ['a notification', queryOf('example.com SOA', { flags: 0x2000 }), 0],
    ['a malformed query', queryOf('www.example.com A', { tail: [1, 2, 3] }), 0],
    ['no question', queryOf('. A', { counts: [0, 0, 0, 0] }).subarray(0, 12), 0],
    ['an answer over 512 octets', queryOf('long.example.com TXT', { tail: opt(1232) }), 0],
    ['a question over 128 octets', queryOf(`${long}example.com A`), 0],
  ])('%s', (_, query, hits) => expect(hitsOf(query)).toBe(hits))

  test('the answer has the ID of its query, and the case of the name matters', () => {
    const { ask, hits } = side(table, clock, {})
    ask(queryOf('www.example.com A', { id: 1 }))
    expect(ask(queryOf('www.example.com A', { id: 0xabcd }))).toMatch(/^abcd/)
    expect(hits()).toBe(1)
    ask(queryOf('WWW.example.com A'))
    expect(hits()).toBe(1)
  })

  test('cached answers expire', () => {
    const { ask, hits } = side(table, clock, { ageMs: 1000 })
    const query = queryOf('www.example.com A')
    ask(query)
    clock.now += 999
    ask(query)
    expect(hits()).toBe(1)
    clock.now += 1
    ask(query)
    expect(hits()).toBe(1)
  })

  test('only repeated queries are cached, and one-time queries evict nothing', () => {
    const { ask, hits } = side(table, clock, { seen: 64, memoryOctets: 2000 })
    const query = queryOf('www.example.com A')
    ask(query)
    ask(query)
    expect(hits()).toBe(0)
    for (let i = 0; i < 500; i += 1) ask(queryOf(`n${i}.example.com A`))
    ask(query)
    expect(hits()).toBe(1)
  })

  test('a query that differs in any byte after the ID is a different one', () => {
    const query = queryOf('www.example.com A')
    for (let at = 2; at < query.length; at += 1) {
      const other = Uint8Array.from(query, (octet, i) => (i === at ? octet ^ 1 : octet))
      const { ask, hits } = side(table, clock, {})
      ask(query)
      expect(ask(other)).toBe(side(table, clock, 'none').ask(other))
      expect(hits()).toBe(0)
    }
  })
})
