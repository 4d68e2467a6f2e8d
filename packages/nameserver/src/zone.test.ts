import { parseName } from '@zonereeve/dns'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answerTo, client, CLIENT, queryOf, recordOf, zoneOf } from './asking.cases.ts'
import {
  type Peer,
  type ZoneContents,
  ZoneDataError,
  type ZoneDataReason,
  type ZoneDelta,
  type ZoneRecord,
} from './index.ts'
import { createSignedCopies } from './transfers/signed-copies.ts'
import { createTransferableZone } from './transfers/transferable-zone.ts'
import type { ZoneStep } from './zone-step.ts'
import type { Zone } from './zone.ts'
import { QUESTIONS, RECORD_LINE } from './random-zone.cases.ts'
import { runAtOnce } from '@zonereeve/cooperate'

const PEER: Peer = { transport: 'udp', address: CLIENT }
const APEX = parseName('example.com')
const record = (id: string, line: string): ZoneRecord => recordOf(line, APEX, id)
const delta = (serial: number, removed: ZoneRecord[], added: ZoneRecord[]): ZoneDelta => ({
  zoneId: 'zone-example.com',
  serial,
  removed,
  added,
})
const a = record('1', 'www 300 A 192.0.2.1')
const b = record('2', 'www 60 A 192.0.2.2')

function server(records: readonly ZoneRecord[] = []) {
  return client([zoneOf('example.com', '', { records })])
}

describe('deltas', () => {
  test('added, changed and removed records are visible at once, with the serial', () => {
    const { ask, table } = server()
    expect(ask('www.example.com').rcode).toBe('NXDOMAIN')
    table.apply(delta(2, [], [a, b]))
    expect(ask('www.example.com').answer).toEqual([
      'www.example.com 60 A 192.0.2.1',
      'www.example.com 60 A 192.0.2.2',
    ])
    expect(ask('example.com SOA').answer[0]).toContain(' 2 10000 ')
    expect(ask('nope.example.com').authority[0]).toContain(' 2 10000 ')
    table.apply(delta(3, [b], [record('2', 'www 300 A 192.0.2.3')]))
    expect(ask('www.example.com').answer).toEqual([
      'www.example.com 300 A 192.0.2.1',
      'www.example.com 300 A 192.0.2.3',
    ])
    table.apply(delta(4, [a, record('2', 'www 300 A 192.0.2.3')], []))
    expect(ask('www.example.com').rcode).toBe('NXDOMAIN')
    expect(table.serial('zone-example.com')).toBe(4)
    expect(table.statistics()).toEqual({ zones: 1, records: 0, nodes: 1 })
  })

  test('two records with the same rdata are served once, until both are removed', () => {
    const twin = record('3', 'www 300 A 192.0.2.1')
    const { ask, table } = server([a, twin])
    expect(ask('www.example.com').answer).toHaveLength(1)
    table.apply(delta(2, [a], []))
    expect(ask('www.example.com').answer).toHaveLength(1)
    table.apply(delta(3, [twin], []))
    expect(ask('www.example.com').rcode).toBe('NXDOMAIN')
  })

  test.each([
    ['32 hexadecimal digits', '0123456789abcdef0123456789abcdef'],
    ['upper-case digits', '0123456789ABCDEF0123456789ABCDEF'],
    ['31 digits', '0123456789abcdef0123456789abcde'],
    ['32 characters, the last no digit', '0123456789abcdef0123456789abcdeg'],
    ['a short text', 'a'],
    ['no text', ''],
    ['the longest text', 'x'.repeat(255)],
    ['more octets than characters', '\u00e9'.repeat(32)],
  ])('an ID is kept as it is: %s', (_, id) => {
    const { table } = server()
    table.apply(delta(2, [], [record(id, 'www 300 A 192.0.2.1')]))
    expect(table.records('zone-example.com', 'www.example.com').map((each) => each.id)).toEqual([id])
    table.apply(delta(3, [], [b, record(`${id}2`.slice(-255), 'www 300 TXT "x"')]))
    expect(table.records('zone-example.com', 'www.example.com').map((each) => each.id)).toContain(id)
  })

  test('of several aliases at one name the first is served', () => {
    const [first, second] = [record('1', 'www 300 CNAME a'), record('2', 'www 300 CNAME b')]
    const { ask, table } = server([second, first])
    expect(ask('www.example.com CNAME').answer).toEqual(['www.example.com 300 CNAME a.example.com.'])
    table.apply(delta(2, [first], []))
    expect(ask('www.example.com CNAME').answer).toEqual(['www.example.com 300 CNAME b.example.com.'])
  })

  test('empty non-terminals appear and disappear with the names below them', () => {
    const deep = record('1', 'a.b.c 300 A 192.0.2.1')
    const beside = record('2', 'x.c 300 A 192.0.2.2')
    const { ask, table } = server([deep, beside])
    const rcodes = () => ['b.c', 'c', 'x.c'].map((name) => ask(`${name}.example.com`).rcode)
    expect(rcodes()).toEqual(['NOERROR', 'NOERROR', 'NOERROR'])
    table.apply(delta(2, [deep], []))
    expect(rcodes()).toEqual(['NXDOMAIN', 'NOERROR', 'NOERROR'])
    table.apply(delta(3, [beside], []))
    expect(rcodes()).toEqual(['NXDOMAIN', 'NXDOMAIN', 'NXDOMAIN'])
    expect(table.statistics().nodes).toBe(1)
  })

  test('a name that loses its data but has names below it stays', () => {
    const upper = record('1', 'c 300 A 192.0.2.1')
    const lower = record('2', 'a.c 300 A 192.0.2.2')
    const { ask, table } = server([upper, lower])
    table.apply(delta(2, [upper], []))
    expect([ask('c.example.com').rcode, ask('c.example.com').answer]).toEqual(['NOERROR', []])
    table.apply(delta(3, [], [upper]))
    table.apply(delta(4, [lower], []))
    expect(ask('c.example.com').answer).toHaveLength(1)
    expect(ask('a.c.example.com').rcode).toBe('NXDOMAIN')
  })

  test('wildcards and cuts appear and disappear', () => {
    const wildcard = record('1', '*.w 300 A 192.0.2.1')
    const cut = record('2', 'w 300 NS ns.other.test.')
    const { ask, table } = server()
    table.apply(delta(2, [], [wildcard]))
    expect(ask('x.w.example.com').answer).toHaveLength(1)
    table.apply(delta(3, [], [cut]))
    expect(ask('x.w.example.com')).toMatchObject({
      flags: '',
      answer: [],
      authority: [expect.stringContaining('NS')],
    })
    table.apply(delta(4, [cut], []))
    expect(ask('x.w.example.com').answer).toHaveLength(1)
    table.apply(delta(5, [wildcard], []))
    expect(ask('x.w.example.com').rcode).toBe('NXDOMAIN')
  })

  test("users' NS records at the apex are stored without being served", () => {
    const own = record('9', '@ 300 NS ns.user.test.')
    const { ask, table } = server()
    const before = ask('example.com NS')
    table.apply(delta(2, [], [own]))
    expect(ask('example.com NS')).toEqual(before)
    expect(ask('www.example.com').flags).toBe('aa')
    table.apply(delta(3, [own], []))
    expect(ask('example.com NS')).toEqual(before)
  })

  test('the longest rdata is accepted, though no message can hold it', () => {
    const { ask, table } = server()
    table.apply(delta(2, [], [{ ...a, type: 65_280, rdata: new Uint8Array(65_535) }]))
    expect(ask('www.example.com TYPE65280')).toMatchObject({ rcode: 'NOERROR', flags: 'aa tc', answer: [] })
  })

  test('types next to the reserved ones are data', () => {
    const { ask, table } = server()
    table.apply(
      delta(
        2,
        [],
        [127, 256, 65_535].map((type) => ({ ...a, id: `${type}`, type })),
      ),
    )
    expect(ask('www.example.com TYPE127').answer).toHaveLength(1)
    expect(ask('www.example.com TYPE256').answer).toHaveLength(1)
    expect(ask('www.example.com TYPE65535').answer).toHaveLength(1)
  })

  test('given records come back as they were given, in their order', () => {
    const given = [
      record('0123456789abcdef0123456789abcdef', 'www 300 A 192.0.2.9'),
      record('ü'.repeat(127), 'www 60 A 192.0.2.1'),
      record('', 'www 300 A 192.0.2.9'),
      ...Array.from({ length: 300 }, (_, i) => record(`c${i}`, `www ${i} CNAME c${i}`)),
    ]
    const { table } = server(given)
    expect(table.records('zone-example.com', 'www.example.com')).toEqual(given)
    const names: string[] = []
    table.eachName('zone-example.com', ([first]) => names.push(first?.name ?? ''))
    expect(names).toEqual(['www.example.com'])
    table.apply(delta(2, given.slice(1, 3), []))
    expect(table.records('zone-example.com', 'www.example.com')).toEqual(given.toSpliced(1, 2))
  })

  test('a delta can be sent to a worker', () => {
    const { ask, table } = server()
    table.apply(structuredClone(delta(2, [], [a])))
    table.apply(structuredClone(delta(3, [a], [])))
    expect(ask('www.example.com').rcode).toBe('NXDOMAIN')
  })
})

describe('refused', () => {
  const cases: [name: string, removed: ZoneRecord[], added: ZoneRecord[], reason: ZoneDataReason][] = [
    ['a record that does not exist', [b], [], 'record.missing'],
    ['a record with that ID but another name', [{ ...a, name: 'x.example.com' }], [], 'record.missing'],
    ['a record that exists already', [], [a], 'record.exists'],
    ['an ID of 256 octets', [], [{ ...b, id: 'i'.repeat(256) }], 'record.bad_id'],
    ['a name outside the zone', [], [{ ...b, name: 'www.example.org' }], 'record.outside_zone'],
    ['the same ending without a dot', [], [{ ...b, name: 'badexample.com' }], 'record.outside_zone'],
    ['no name', [], [{ ...b, name: 'a..example.com' }], 'record.bad_name'],
    ['a bad escape', [], [{ ...b, name: 'a\\999.example.com' }], 'record.bad_name'],
    ['a label of 64 octets', [], [{ ...b, name: `${'a'.repeat(64)}.example.com` }], 'record.bad_name'],
    ['type 0', [], [{ ...b, type: 0 }], 'record.bad_type'],
    ['type 128', [], [{ ...b, type: 128 }], 'record.bad_type'],
    ['type ANY', [], [{ ...b, type: 255 }], 'record.bad_type'],
    ['type 65536', [], [{ ...b, type: 65_536 }], 'record.bad_type'],
    ['type OPT', [], [{ ...b, type: 41 }], 'record.bad_type'],
    ['a second SOA', [], [{ ...b, type: 6 }], 'record.bad_type'],
    ['a negative TTL', [], [{ ...b, ttl: -1 }], 'record.bad_ttl'],
    ['a TTL of 32 bits', [], [{ ...b, ttl: 2 ** 31 }], 'record.bad_ttl'],
    ['a fraction of a second', [], [{ ...b, ttl: 1.5 }], 'record.bad_ttl'],
    ['65536 octets of rdata', [], [{ ...b, rdata: new Uint8Array(65_536) }], 'record.bad_rdata'],
    ['an alias to nothing', [], [{ ...b, type: 5, rdata: new Uint8Array() }], 'record.bad_rdata'],
    ['a compressed target', [], [{ ...b, type: 2, rdata: Uint8Array.from([0xc0, 12]) }], 'record.bad_rdata'],
    [
      'octets behind a target',
      [],
      [{ ...b, type: 15, rdata: Uint8Array.from([0, 1, 0, 0]) }],
      'record.bad_rdata',
    ],
    ['half an SRV', [], [{ ...b, type: 33, rdata: Uint8Array.from([0, 1, 0]) }], 'record.bad_rdata'],
  ]
  test('has cases', () => expect(cases.length).toBeGreaterThan(0))
  test.each(cases)('%s: refused without any change', (_, removed, added, reason) => {
    const { ask, table } = server([a])
    const good = record('8', 'other 300 A 192.0.2.8')
    const error = thrown(() => table.apply(delta(2, removed, [good, ...added])))
    expect(error).toBeInstanceOf(ZoneDataError)
    expect(error).toMatchObject({
      reason,
      zoneId: 'zone-example.com',
      recordId: [...removed, ...added][0]?.id,
    })
    expect(ask('other.example.com').rcode).toBe('NXDOMAIN')
    expect(ask('www.example.com').answer).toEqual(['www.example.com 300 A 192.0.2.1'])
    expect(table.serial('zone-example.com')).toBe(1)
    expect(table.statistics()).toEqual({ zones: 1, records: 1, nodes: 2 })
  })

  test('one bad record refuses the whole zone; the old one stays', () => {
    const { ask, table } = server([a])
    const contents = zoneOf('example.com', '', { records: [b, { ...b, id: '3', ttl: -1 }] })
    expect(() => table.load(contents)).toThrow(
      expect.objectContaining({ reason: 'record.bad_ttl', recordId: '3' }),
    )
    expect(ask('www.example.com').answer).toEqual(['www.example.com 300 A 192.0.2.1'])
  })

  test('a delta for a zone that is not served is refused', () => {
    const { table } = server()
    expect(() => table.apply({ ...delta(2, [], []), zoneId: 'other' })).toThrow(
      expect.objectContaining({ reason: 'zone.unknown' }),
    )
  })

  test('the apex of another zone is refused', () => {
    const { table } = server()
    expect(() => table.load(zoneOf('example.com', '', { zoneId: 'other' }))).toThrow(
      expect.objectContaining({ reason: 'zone.apex_taken' }),
    )
    expect([table.has('other'), table.has('zone-example.com'), table.zoneCount]).toEqual([false, true, 1])
  })
})

describe('the table', () => {
  test('loading a zone again replaces it', () => {
    const { ask, table } = server([a])
    table.load(zoneOf('example.com', 'new 300 A 192.0.2.7'))
    expect([ask('www.example.com').rcode, ask('new.example.com').rcode]).toEqual(['NXDOMAIN', 'NOERROR'])
    expect(table.statistics()).toEqual({ zones: 1, records: 1, nodes: 2 })
  })

  test('a zone may change its apex', () => {
    const { ask, table } = server([a])
    table.load(zoneOf('example.org', 'www 300 A 192.0.2.7', { zoneId: 'zone-example.com' }))
    expect([ask('www.example.com').rcode, ask('www.example.org').rcode]).toEqual(['REFUSED', 'NOERROR'])
  })

  test('a removed zone is refused', () => {
    const { ask, table } = server([a])
    expect([table.remove('zone-example.com'), table.remove('zone-example.com')]).toEqual([true, false])
    expect(ask('www.example.com').rcode).toBe('REFUSED')
    expect([table.has('zone-example.com'), table.serial('zone-example.com'), table.zoneCount]).toEqual([
      false,
      undefined,
      0,
    ])
  })
})

describe('any sequence of deltas gives the same answers as loading its result', () => {
  /** Each step names records by ID: a new line changes the record, none removes it. */
  const step = fc.dictionary(
    fc.constantFrom('1', '2', '3', '4', '5', '6', '7', '8'),
    fc.option(RECORD_LINE),
    {
      minKeys: 1,
      maxKeys: 4,
    },
  )
  const questions = QUESTIONS.map((question) => queryOf(question))

  test('on every question', () => {
    const [changed, loaded] = [Buffer.alloc(1232), Buffer.alloc(1232)]
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
        const { table, respond } = server()
        const now = new Map<string, ZoneRecord>()
        for (const [i, changes] of steps.entries()) {
          const removed = Object.keys(changes).flatMap((id) => now.get(id) ?? [])
          const added = Object.entries(changes).flatMap(([id, text]) =>
            text === null ? [] : [record(id, text)],
          )
          table.apply(delta(i + 2, removed, added))
          for (const { id } of removed) now.delete(id)
          for (const each of added) now.set(each.id, each)
        }
        const fresh = client([freshZone(steps.length + 1, [...now.values()])])
        expect(table.statistics()).toEqual(fresh.table.statistics())
        for (const question of questions) {
          const octets = respond(question, question.length, PEER, changed)
          const expected = loaded.subarray(0, fresh.respond(question, question.length, PEER, loaded))
          if (!changed.subarray(0, octets).equals(expected)) {
            expect(answerTo(respond, question)).toEqual(answerTo(fresh.respond, question))
          }
        }
      }),
      { numRuns: 150 },
    )
  })

  function freshZone(serial: number, records: ZoneRecord[]): ZoneContents {
    const contents = zoneOf('example.com', '', { records })
    return { ...contents, soa: { ...contents.soa, serial } }
  }
})

describe('a change set that is applied in chunks', () => {
  const many = Array.from({ length: 2_001 }, (_, i) => record(`m${i}`, `m${i}.b 300 A 192.0.2.1`))

  test('names of a very large one that are in several of its parts are complete', () => {
    const count = 12_000
    const addresses = (from: number, last: number) =>
      Array.from({ length: count }, (_, i) =>
        record(String(from + i), `n${i % 1_000} 300 A 10.${last}.${i >> 8}.${i & 255}`),
      )
    const [before, after] = [addresses(10, 1), addresses(5_010, 2)]
    const { ask, table } = server()
    // Half of the IDs are those of records that the same change removes.
    runAtOnce(table.applying(delta(2, [], before)))
    runAtOnce(table.applying(delta(3, before, after)))
    const expected = server(after)
    for (const name of ['n0', 'n1', 'n500', 'n999'])
      expect(ask(`${name}.example.com`).answer).toEqual(expected.ask(`${name}.example.com`).answer)
    expect(table.records('zone-example.com', 'n7.example.com')).toHaveLength(count / 1_000)
    expect(table.statistics()).toEqual({ zones: 1, records: count, nodes: 1_001 })
    const [first] = before
    if (first === undefined) throw new Error('there is a record')
    // What its first parts have done is undone.
    expect(() => runAtOnce(table.applying(delta(4, [...after, first], before)))).toThrow(
      expect.objectContaining({ reason: 'record.missing' }),
    )
    expect(table.statistics()).toEqual({ zones: 1, records: count, nodes: 1_001 })
    expect(table.records('zone-example.com', 'n7.example.com')).toHaveLength(count / 1_000)
  })

  test('is invisible until it takes effect as a whole', () => {
    const { ask, table } = server([a])
    const { version } = table
    const work = table.applying(delta(2, [a], many))
    const seen = () => [
      ask('www.example.com').rcode,
      ask('m0.b.example.com').rcode,
      ask('m2000.b.example.com').rcode,
      table.serial('zone-example.com'),
    ]
    let chunks = 0
    for (let step = work.next(); step.done !== true; step = work.next()) {
      chunks += 1
      expect(seen()).toEqual(['NOERROR', 'NXDOMAIN', 'NXDOMAIN', 1])
    }
    expect(chunks).toBeGreaterThan(5)
    expect(seen()).toEqual(['NXDOMAIN', 'NOERROR', 'NOERROR', 2])
    expect(table.version).toBeGreaterThan(version)
    expect(table.statistics()).toEqual({ zones: 1, records: 2_001, nodes: 2_003 })
  })

  test('changes nothing if it is refused', () => {
    const { ask, table } = server([a])
    expect(() => runAtOnce(table.applying(delta(2, [b], many)))).toThrow(
      expect.objectContaining({ reason: 'record.missing' }),
    )
    expect([ask('www.example.com').rcode, ask('m0.b.example.com').rcode]).toEqual(['NOERROR', 'NXDOMAIN'])
    expect(table.serial('zone-example.com')).toBe(1)
  })

  test.each<[string, Follow, Follow, ReturnType<typeof stepsOf>]>([
    ['from its start', on, keep, [{ serials: [1, 2], names: 2_002, isIncomplete: false }]],
    ['from its middle', off, on, [{ serials: [1, 2], names: 0, isIncomplete: true }]],
    ['by another one from its middle', on, on, [{ serials: [1, 2], names: 2_002, isIncomplete: false }]],
    ['until its middle', on, off, []],
    ['never', off, keep, []],
  ])('is followed %s: steps have all changes, or say that they lack some', (_, first, then, expected) => {
    const { table } = server([a])
    const zone = table.zone('zone-example.com')
    if (zone === undefined) throw new Error('it is loaded')
    const [steps, journal] = [[] as ZoneStep[], createTransferableZone(zone, createSignedCopies())]
    const follow = (step: ZoneStep): void => {
      steps.push(step)
      journal.take(step)
    }
    zone.follower = first(follow, zone)
    const work = table.applying(delta(2, [a], many))
    for (let step = 0; step < 4; step++) work.next()
    zone.follower = then(follow, zone)
    runAtOnce(work)
    expect(stepsOf(steps)).toEqual(expected)
    // A difference without some of its changes would leave secondaries wrong for good.
    const isKnown = expected.some(({ isIncomplete }) => !isIncomplete)
    expect(journal.since(1) !== undefined).toBe(isKnown)
    table.apply(delta(3, [], [a]))
    expect(journal.since(2) !== undefined).toBe(zone.follower !== undefined)
  })

  test('is refused if another change set comes in between; the other one stays', () => {
    const { ask, table } = server()
    const work = table.applying(delta(3, [], many))
    work.next()
    table.apply(delta(2, [], [a]))
    expect(() => runAtOnce(work)).toThrow('changed while its new version was built')
    expect([ask('www.example.com').rcode, ask('m0.b.example.com').rcode]).toEqual(['NOERROR', 'NXDOMAIN'])
  })
})

test('100,000 records take little memory', () => {
  const records = Array.from({ length: 100_000 }, (_, i) => ({
    ...a,
    id: `id-${i}`,
    name: `host-${i}.example.com`,
  }))
  const { ask, table } = server(records)
  expect(table.statistics()).toEqual({ zones: 1, records: 100_000, nodes: 100_001 })
  expect(ask('host-99999.example.com').answer).toHaveLength(1)
})

type Follower = NonNullable<Zone['follower']>
type Follow = (follower: Follower, zone: Zone) => Follower | undefined

const on: Follow = (follower) => (step) => follower(step)
const off: Follow = () => undefined
const keep: Follow = (_, { follower }) => follower

const stepsOf = (steps: readonly ZoneStep[]) =>
  steps.map(({ serialBefore, serialAfter, changes, isIncomplete }) => ({
    serials: [serialBefore, serialAfter],
    names: changes.length,
    isIncomplete,
  }))

function thrown(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}
