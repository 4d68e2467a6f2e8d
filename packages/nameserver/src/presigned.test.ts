// A zone with signatures and denials that its primary made is answered with those, and with no others. That the
// answers are the same as those of Knot and BIND is checked in acceptance/dnssec/presigned.ts.
import { createHash } from 'node:crypto'
import {
  compareNames,
  DEFAULT_NSEC3,
  encodeRdata,
  type Name,
  nameFromWire,
  nameToWire,
  NSEC,
  NSEC3,
  NSEC3PARAM,
  type Nsec3Parameters,
  parseName,
  type ResourceRecord,
  RRSIG,
  signRrset,
  signZone,
} from '@zonereeve/dns'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CLIENT, decoded, opt, queryOf, recordOf, zoneOf } from './asking.cases.ts'
import { createFastPath } from './fast-path.ts'
import {
  createZoneTable,
  DEFAULT_LIMITS,
  type NameserverLimits,
  type ZoneContents,
  type ZoneRecord,
  type ZoneTable,
} from './index.ts'
import { noMetrics } from './metrics.ts'
import { QUESTIONS, RECORD_LINE } from './random-zone.cases.ts'
import { createResponder, MAX_REPLY_OCTETS } from './responder.ts'
import { silentLog } from './silent-log.cases.ts'
import { KEY } from './zone-signing.cases.ts'
import { NameInOrder } from './zone-store/ordered-index.ts'

const APEX = parseName('example.com')
const ZONE_ID = 'zone-example.com'
const DO = 0x8000
const TTL = 7
const window = { inception: 0, expiration: 1_000_000_000 }
const sha1 = (octets: Uint8Array): Uint8Array => createHash('sha1').update(octets).digest()

/** The zone as a primary would sign it. */
function presigned(lines: readonly string[], nsec3?: Nsec3Parameters, ids = 'r'): ZoneContents {
  const { soa, ...zone } = zoneOf(APEX, '')
  const ns = zone.nameServers.map((target) => ({
    name: APEX,
    type: 2,
    ttl: zone.nsTtl,
    rdata: encodeRdata('NS', { target: target as Name }),
  }))
  const records = [
    { name: APEX, type: 6, ttl: soa.ttl, rdata: encodeRdata('SOA', soa) },
    ...ns,
    ...lines.map((line) => ({ ...recordOf(line, APEX, ''), name: recordOf(line, APEX, '').name as Name })),
  ]
  const sign = signZone({
    apex: APEX,
    records,
    sign: (rrset) => [signRrset(rrset, nameToWire(APEX), KEY, window)],
    nsec3: nsec3 && { ...nsec3, sha1 },
    negativeTtl: TTL,
  })
  const signed = [...sign].filter(({ type }) => type !== 6)
  return {
    ...zone,
    soa,
    nameServers: [],
    multiProvider: true,
    records: signed.map((record, i) => ({ ...record, id: `${ids}${i}` })),
  }
}

function asking(table: ZoneTable, given: Partial<NameserverLimits> = {}) {
  const limits = { ...DEFAULT_LIMITS, ...given }
  const respond = createResponder({ table, log: silentLog, limits, metrics: noMetrics })
  return (question: string, flags = DO) =>
    decoded(respond, queryOf(question, { tail: opt(1232, { flags }) }), 'tcp')
}

function load(contents: ZoneContents): ZoneTable {
  const table = createZoneTable()
  table.load(contents)
  return table
}

const LINES = [
  'www 300 A 192.0.2.1',
  'www 300 A 192.0.2.2',
  'mail 300 MX 10 www',
  'alias 300 CNAME x.wild',
  '*.wild 300 TXT "wild"',
  'a.b.c 300 A 192.0.2.4',
  'cut 300 NS ns.cut',
  'ns.cut 300 A 192.0.2.5',
  'safe 300 NS ns.other.test.',
  'safe 300 TYPE43 00010d02',
]

/** Owner and type of each rrset, with `+` if it is signed. */
const shown = (section: readonly ResourceRecord[]): string[] => {
  const signed = new Set(
    section.filter(({ type }) => type === RRSIG).map(({ name, rdata }) => `${name} ${rdata[1] ?? 0}`),
  )
  const rrsets = section
    .filter(({ type }) => type !== RRSIG)
    .map(
      ({ name, type }) =>
        `${name.slice(0, -APEX.length) || '@'} ${type}${signed.has(`${name} ${type}`) ? '+' : ''}`,
    )
  return [...new Set(rrsets)].toSorted()
}

describe('with NSEC', () => {
  const ask = asking(load(presigned(LINES)))
  test.each<[string, string, number, string[], string[]]>([
    ['an rrset', 'www.example.com A', 0, ['www. 1+'], []],
    ['a wildcard', 'x.wild.example.com TXT', 0, ['x.wild. 16'], ['*.wild. 47+']],
    ['an alias to a wildcard', 'alias.example.com TXT', 0, ['alias. 5+', 'x.wild. 16'], ['*.wild. 47+']],
    ['no such type', 'www.example.com TXT', 0, [], ['@ 6+', 'www. 47+']],
    ['no such type at a wildcard', 'x.wild.example.com A', 0, [], ['*.wild. 47+', '@ 6+']],
    ['an empty non-terminal', 'b.c.example.com A', 0, [], ['@ 6+', 'alias. 47+']],
    ['no such name', 'nothing.example.com A', 3, [], ['@ 47+', '@ 6+', 'mail. 47+']],
    ['no such name, and no wildcard between', 'b.example.com A', 3, [], ['@ 47+', '@ 6+', 'alias. 47+']],
    ['a delegation without DS', 'x.cut.example.com A', 0, [], ['cut. 2', 'cut. 47+']],
    ['a delegation with DS', 'x.safe.example.com A', 0, [], ['safe. 2', 'safe. 43+']],
    ['no DS', 'cut.example.com DS', 0, [], ['@ 6+', 'cut. 47+']],
    ['the NSEC itself', 'www.example.com NSEC', 0, ['www. 47+'], []],
    ['ANY', 'www.example.com ANY', 0, ['www. 1+'], []],
  ])('%s', (_, question, rcode, answer, authority) => {
    const reply = ask(question)
    // The signature at a wildcard's name is the wildcard's.
    const answers = shown(reply.answers).map((line) => line.replace('x.wild. 16+', 'x.wild. 16'))
    expect({ rcode: reply.rcode, answer: answers, authority: shown(reply.authorities) }).toEqual({
      rcode,
      answer,
      authority,
    })
    expect(reply.answers.filter(({ type }) => type === RRSIG).length > 0).toBe(answer.length > 0)
  })

  test('without DO nothing of it is sent', () => {
    for (const question of QUESTIONS) {
      const { answers, authorities, additionals } = ask(question, 0)
      const types = [answers, authorities, additionals].flat().map(({ type }) => type)
      expect(types.filter((type) => [RRSIG, NSEC, NSEC3].includes(type))).toEqual([])
    }
  })

  test('a transfer has what was loaded', () => {
    const contents = presigned(LINES)
    const table = load(contents)
    const loaded = [...contents.records].map(({ id, ttl, rdata }) =>
      [id, ttl, Buffer.from(rdata).toString('hex')].join(),
    )
    const given: string[] = []
    table.eachName(ZONE_ID, (records) => {
      for (const { id, ttl, rdata } of records)
        given.push([id, ttl, Buffer.from(rdata).toString('hex')].join())
    })
    // Name servers belong to the zone itself.
    const own = new Set(given)
    expect(loaded.filter((line) => !own.has(line)).length).toBe(2)
    expect(given.length).toBe(loaded.length - 2)
  })
})

describe('with NSEC3', () => {
  const PARAMETERS = { salt: Uint8Array.of(1, 2), iterations: 2 }
  const contents = presigned(LINES, PARAMETERS)
  const ask = asking(load(contents))
  test.each<[string, string, number, number]>([
    ['no such type', 'www.example.com TXT', 0, 1],
    ['an empty non-terminal', 'b.c.example.com A', 0, 1],
    ['a delegation without DS', 'x.cut.example.com A', 0, 1],
    ['a wildcard', 'x.wild.example.com TXT', 0, 1],
    ['no such type at a wildcard', 'x.wild.example.com A', 0, 3],
  ])('%s', (_, question, rcode, denials) => {
    const { authorities, ...reply } = ask(question)
    expect(reply.rcode).toBe(rcode)
    expect(shown(authorities).filter((line) => line.endsWith(' 50+')).length).toBe(denials)
  })

  test('no such name: the closest encloser, and two that are covered', () => {
    const { authorities, rcode } = ask('x.nothing.example.com A')
    expect(rcode).toBe(3)
    const denials = authorities.filter(({ type }) => type === NSEC3)
    expect(denials.length).toBeGreaterThan(1)
    expect(denials.every(({ ttl }) => ttl === TTL)).toBe(true)
  })

  test('names of NSEC3 records do not exist', () => {
    const owner = [...contents.records].find(({ type }) => type === NSEC3)?.name ?? ''
    for (const type of ['A', 'NSEC3', 'RRSIG']) expect(ask(`${owner} ${type}`).rcode).toBe(3)
    expect(ask(`x.${owner} A`).rcode).toBe(3)
  })

  test('denials with other parameters are not used', () => {
    const others = [...presigned(LINES, DEFAULT_NSEC3, 'o').records].filter(({ type }) => type === NSEC3)
    const both = load({ ...contents, records: [...contents.records, ...others] })
    for (const question of QUESTIONS.filter((one) => !one.endsWith('ANY')))
      expect(asking(both)(question).authorities).toEqual(ask(question).authorities)
  })
})

describe('names that are hashed with iterations', () => {
  const START = Date.parse('2026-01-05T00:00:00Z')
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: START }))
  afterEach(() => void vi.useRealTimers())

  // Three in an interval of 50 ms.
  const limits = { madeSignaturesPerSecond: 60 }
  const rcodesOf = (question: string, iterations: number): number[] => {
    const ask = asking(load(presigned(LINES, { salt: new Uint8Array(), iterations })), limits)
    const rcodes = Array.from({ length: 4 }, () => ask(question).rcode)
    vi.setSystemTime(Date.now() + 50)
    return [...rcodes, ask(question).rcode]
  }
  test.each<[string, string, number[]]>([
    ['no such name', 'x.nothing.example.com A', [3, 2, 2, 2, 3]],
    ['a wildcard', 'x.wild.example.com TXT', [0, 0, 0, 2, 0]],
    ['an alias to a wildcard', 'alias.example.com TXT', [0, 0, 0, 2, 0]],
    ['no such type', 'www.example.com TXT', [0, 0, 0, 2, 0]],
    ['no such type at a wildcard', 'x.wild.example.com A', [0, 2, 2, 2, 0]],
    ['a delegation without DS', 'x.cut.example.com A', [0, 0, 0, 2, 0]],
    ['nothing to deny', 'www.example.com A', [0, 0, 0, 0, 0]],
  ])('are limited, each of them: %s', (_, question, expected) => {
    // As many iterations as cost as much as a signature.
    expect(rcodesOf(question, 20)).toEqual(expected)
    // A hash without iterations costs next to nothing.
    expect(rcodesOf(question, 0)).toEqual(expected.map(() => expected[0]))
  })
})

test('fewer iterations cost less', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 })
  const ask = asking(load(presigned(LINES, { salt: new Uint8Array(), iterations: 5 })), {
    madeSignaturesPerSecond: 60,
  })
  const rcodes = Array.from({ length: 14 }, () => ask('x.wild.example.com TXT').rcode)
  vi.useRealTimers()
  expect(rcodes).toEqual([...Array.from({ length: 12 }, () => 0), 2, 2])
})

test.each([undefined, DEFAULT_NSEC3])(
  'an answer that fails after a wildcard proves nothing (%j)',
  (nsec3) => {
    const lines = ['*.gone 300 CNAME www.expired.test.', '*.again 300 CNAME x.gone']
    const table = load(presigned(lines, nsec3))
    table.load(zoneOf('expired.test', 'www 60 A 192.0.2.1', { isExpired: true }))
    const ask = asking(table)
    for (const question of ['x.gone.example.com A', 'x.again.example.com A'])
      expect(ask(question)).toMatchObject({ rcode: 2, answers: [], authorities: [] })
    expect(ask('x.gone.example.com CNAME').authorities).toHaveLength(2)
  },
)

test.each([undefined, DEFAULT_NSEC3])(
  'a proof behind all offsets of pointers has its owner (%j)',
  (nsec3) => {
    const strings = Array.from({ length: 100 }, (_, i) => `*.large 300 TXT "${i} ${'x'.repeat(180)}"`)
    const reply = asking(load(presigned([...LINES, ...strings], nsec3)))('y.large.example.com TXT')
    expect([reply.rcode, reply.answers.length]).toEqual([0, 101])
    const [denial, signature, ...more] = reply.authorities
    expect([denial?.type, signature?.type, more]).toEqual([nsec3 ? NSEC3 : NSEC, RRSIG, []])
    expect(signature?.name).toBe(denial?.name)
    const small = asking(load(presigned([...LINES, ...strings.slice(0, 1)], nsec3)))(
      'y.large.example.com TXT',
    )
    expect(reply.authorities).toEqual(small.authorities)
  },
)

test.each(['', '00', '01', '2f'])('a malformed signature (%j) is in no answer', (hex) => {
  const contents = presigned(LINES)
  const malformed = { id: 'm', name: parseName('www.example.com'), type: RRSIG, ttl: 300 }
  const records = [...contents.records, { ...malformed, rdata: Buffer.from(hex, 'hex') }]
  const [ask, expected] = [load({ ...contents, records }), load(contents)].map((table) => asking(table))
  for (const type of ['A', 'NSEC', 'TXT'])
    expect(ask?.(`www.example.com ${type}`)).toEqual(expected?.(`www.example.com ${type}`))
})

test.each([undefined, DEFAULT_NSEC3])('both paths have the same octets, over random zones (%j)', (nsec3) => {
  let compared = 0
  fc.assert(
    fc.property(fc.array(RECORD_LINE, { maxLength: 12 }), (lines) => {
      const table = load(presigned(lines, nsec3))
      const deps = { table, log: silentLog, limits: DEFAULT_LIMITS, metrics: noMetrics }
      const [respond, fastPath] = [createResponder(deps), createFastPath(deps)]
      for (const question of QUESTIONS) {
        const query = queryOf(question, { tail: opt(1232, { flags: DO }) })
        const [a, b] = [respond, fastPath].map((answer) => {
          const out = Buffer.alloc(MAX_REPLY_OCTETS)
          const octets = answer(query, query.length, { transport: 'udp', address: CLIENT }, out)
          return octets < 0 ? undefined : out.toString('hex', 0, octets)
        })
        if (b === undefined) continue
        compared += 1
        expect(b).toBe(a)
      }
    }),
    { numRuns: 30 },
  )
  expect(compared).toBeGreaterThan(20)
})

describe('the order of denials', () => {
  const NAMES = 3_000
  const lineOf = (i: number): string => `${i % 7 === 0 ? 'x.y.' : ''}h${(i * 7919) % 10_007} 60 A 192.0.2.1`
  const denialsOf = (table: ZoneTable): Name[] => {
    const names: Name[] = []
    table.eachName(ZONE_ID, (records) => {
      const denial = records.find(({ type }) => type === NSEC)
      if (denial !== undefined) names.push(denial.name as Name)
    })
    return names.toSorted(compareNames)
  }

  function expectInOrder(table: ZoneTable): void {
    const zone = table.zone(ZONE_ID)
    const inOrder = denialsOf(table)
    const sought = [
      ...inOrder,
      ...Array.from({ length: 500 }, (_, i) => parseName(`${i % 3 === 0 ? 'z.' : ''}h${i}.example.com`)),
    ]
    let at = 0
    for (const name of sought.toSorted(compareNames)) {
      while (at + 1 < inOrder.length && compareNames(inOrder[at + 1] ?? name, name) <= 0) at += 1
      const wire = nameToWire(name)
      const key = Buffer.from(wire.subarray(0, wire.length - nameToWire(APEX).length))
      const found = zone?.names.denialAtOrBefore(new NameInOrder().show(key, 0, key.length))
      expect(nameFromWire(Buffer.concat([Buffer.from(found?.key ?? '', 'latin1'), nameToWire(APEX)]))).toBe(
        inOrder[at],
      )
    }
  }

  test('is that of names, after many are added and removed', () => {
    const of = (from: number, to: number): ZoneRecord[] => [
      ...presigned(
        Array.from({ length: to - from }, (_, i) => lineOf(i + from)),
        undefined,
        `${from}-`,
      ).records,
    ]
    const table = load(presigned([]))
    const before = denialsOf(table)
    expect(before).toEqual([APEX])
    let records: ZoneRecord[] = [...presigned([]).records]
    let serial = 1
    const become = (next: ZoneRecord[]): void => {
      serial += 1
      table.apply({ zoneId: ZONE_ID, serial, removed: records, added: next })
      records = next
      expectInOrder(table)
    }
    become(of(0, NAMES))
    const used = table.shares.store.usedOctets
    become(of(NAMES / 2, NAMES))
    become(of(NAMES - 10, NAMES))
    become(of(0, NAMES))
    // Names one by one.
    for (let i = 0; i < 100; i += 1) {
      const name = `h${i}a`
      const added = [`${name} 60 A 192.0.2.1`, `${name} 60 TYPE47 00000140`].map((line, n) =>
        recordOf(line, APEX, `${i}.${n}`),
      )
      serial += 1
      table.apply({ zoneId: ZONE_ID, serial, removed: [], added })
      records = [...records, ...added]
    }
    expectInOrder(table)
    become([...presigned([]).records])
    expect(denialsOf(table)).toEqual([APEX])
    become(of(0, NAMES))
    expect(table.shares.store.usedOctets).toBeLessThan(used * 1.5)
    serial += 1
    table.apply({ zoneId: ZONE_ID, serial, removed: records, added: [] })
    expect(table.zone(ZONE_ID)?.isPresigned).toBe(false)
  })

  const nsecs = presigned(LINES, undefined, 'n')
  const nsec3s = presigned(LINES, DEFAULT_NSEC3, 'n')
  const before = [...presigned(LINES, undefined, 'b').records]
  const isLast = ({ name, type }: ZoneRecord): boolean =>
    type === NSEC3PARAM || (type === NSEC && name === APEX)
  test.each<[string, ZoneRecord[], ZoneContents]>([
    ['NSEC3 in an unsigned zone', before.filter(({ type }) => type !== NSEC && type !== RRSIG), nsec3s],
    ['NSEC in an unsigned zone', before.filter(({ type }) => type !== NSEC && type !== RRSIG), nsecs],
    ['NSEC3 in place of NSEC', before, nsec3s],
  ])('is there when a chain is announced after its records: %s', (_, records, { records: all, ...zone }) => {
    const last = [...all].filter(isLast)
    const others = [...all].filter((record) => !isLast(record))
    expect(last.length).toBe(1)
    const table = load({ ...zone, records })
    table.apply({ zoneId: ZONE_ID, serial: 2, removed: records, added: others })
    expect(table.zone(ZONE_ID)?.isPresigned).toBe(false)
    table.apply({ zoneId: ZONE_ID, serial: 3, removed: [], added: last })
    expect(table.zone(ZONE_ID)?.isPresigned).toBe(true)
    const expected = asking(load({ ...zone, soa: { ...zone.soa, serial: 3 }, records: all }))
    for (const question of QUESTIONS) expect(asking(table)(question)).toEqual(expected(question))
  })

  test('is there again after NSEC is replaced by NSEC3, and after a restart', () => {
    const [nsec, nsec3] = [presigned(LINES), presigned(LINES, DEFAULT_NSEC3, 'n')]
    const table = load(nsec)
    table.apply({ zoneId: ZONE_ID, serial: 2, removed: [...nsec.records], added: [...nsec3.records] })
    const expected = asking(load({ ...nsec3, soa: { ...nsec3.soa, serial: 2 } }))
    const image = [...table.capture()][0]?.image()
    const restored = load({
      ...nsec3,
      soa: { ...nsec3.soa, serial: 2 },
      records: [],
      ...(image && { image }),
    })
    const others = { restored: asking(restored), applied: asking(table) }
    for (const question of QUESTIONS)
      for (const ask of Object.values(others)) expect(ask(question)).toEqual(expected(question))
  })
})
