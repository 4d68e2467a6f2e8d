// Copies of signed zones: what is told as a difference makes, record by record, what is told as a whole; nothing is signed
// twice, and nobody is told a difference to what he may not have.
import { createHash } from 'node:crypto'
import { dnskeyOf, encodeRdata, NSEC, NSEC3, parseName, RRSIG, type SigningKey } from '@zonereeve/dns'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { recordOf, zoneOf } from '../nameserver/asking.cases.ts'
import {
  createZoneTable,
  RDATA_OFFSET,
  TYPE,
  type ZoneRecord,
  type ZoneSigning,
} from '../nameserver/index.ts'
import { RECORD_LINE } from '../nameserver/random-zone.cases.ts'
import { createFollowedZone, wholeZone, type Difference, type FollowedZone } from './followed-zone.ts'
import type { HeldStep, JournalRoom } from './journal-room.ts'
import { createSignedCopies, MAX_SIGNED_RRSETS } from './signed-copies.ts'
import { MAX_RENEWED } from './signed-copy.ts'
import type { ComingRrsets, OwnedRrset } from './transfer-messages.ts'

const APEX = parseName('example.com')
const ZONE_ID = 'zone-example.com'
const DAY_MILLIS = 86_400_000
const START = Date.parse('2026-01-05T00:00:00Z')

let now = START
let signed = 0
const keyOf = (flags: number, tag: number): SigningKey => ({
  flags,
  algorithm: 13,
  publicKey: new Uint8Array(64).fill(tag),
  keyTag: tag,
  // No two are alike, as with ECDSA.
  sign: () => Buffer.from(String((signed += 1)).padStart(64, '0')),
})
function signingWith(denial: 'nsec' | 'nsec3', tag = 1): ZoneSigning {
  const keys = [keyOf(257, tag), keyOf(256, tag + 1)]
  return {
    keys,
    unpublished: [],
    dnskeys: keys.map((key) => encodeRdata('DNSKEY', dnskeyOf(key))),
    cds: [Uint8Array.of(0, tag, 13, 2, 1)],
    cdnskeys: [Uint8Array.of(1, 1, 3, 13, tag)],
    multiSigner: false,
    denial,
    sha1: (octets) => createHash('sha1').update(octets).digest(),
    now: () => now,
    random: () => 0,
  }
}

beforeEach(() => {
  now = START
  signed = 0
})

const record = (line: string, id = line): ZoneRecord => recordOf(line, APEX, id)

/** A signed zone that is followed, and a way to change it. */
function setUp(
  lines: readonly string[],
  {
    denial = 'nsec' as 'nsec' | 'nsec3',
    copies = createSignedCopies(),
    signing = signingWith(denial),
    zoneId = ZONE_ID,
  } = {},
) {
  const table = createZoneTable()
  table.load({ ...zoneOf('example.com', ''), zoneId, records: lines.map((line) => record(line)) })
  table.sign(zoneId, signing)
  const zone = table.zone(zoneId)
  if (zone === undefined) throw new Error('there is no zone')
  const followed = createFollowedZone(zone, copies)
  zone.follower = followed.take
  const change = (removed: readonly string[], added: readonly string[], serial = zone.serial + 1): void =>
    table.apply({
      zoneId,
      serial,
      removed: removed.map((line) => record(line)),
      added: added.map((line) => record(line)),
    })
  return { table, zone, followed, change }
}

/** `owner type ttl rdata` of each record, octets in hexadecimal. */
function linesOf(owned: ComingRrsets): string[] {
  return [...owned].flatMap((one) => {
    if (one === undefined) return []
    const { key, rrset } = one
    const { wire } = rrset
    const lines: string[] = []
    for (let at = 0; at < wire.length;) {
      const end = at + RDATA_OFFSET + (((wire[at + 10] ?? 0) << 8) | (wire[at + 11] ?? 0))
      const [type, ttl] = [Buffer.from(wire).readUInt16BE(at + 2), Buffer.from(wire).readUInt32BE(at + 6)]
      const rdata = Buffer.from(wire.subarray(at + RDATA_OFFSET, end)).toString('hex')
      lines.push(`${Buffer.from(key, 'latin1').toString('hex')}. ${type} ${ttl} ${rdata}`)
      at = end
    }
    return lines
  })
}

const typeIn = (line: string): number => Number(line.split(' ')[1])
const isSoa = (line: string): boolean => typeIn(line) === TYPE.SOA && line.startsWith('. ')

/** A copy elsewhere, which refuses what does not fit it. */
function applied(copy: readonly string[], { records }: Difference): string[] {
  const [, ...lines] = linesOf(records)
  const second = lines.findIndex((line, at) => at > 0 && isSoa(line))
  const [gone, come] = [lines.slice(0, second), lines.slice(second, -1)]
  const left = new Set(copy)
  for (const line of gone) if (!left.delete(line)) throw new Error(`takes away what is not there: ${line}`)
  for (const line of come) {
    if (left.has(line)) throw new Error(`adds what is there: ${line}`)
    left.add(line)
  }
  return [...left].toSorted()
}

/** Without the second SOA. */
const taken = (followed: FollowedZone): string[] => linesOf(followed.whole()).slice(0, -1).toSorted()

/** Signatures without what differs each time: what they cover, by how many labels, and with which TTL. */
const unsignedLines = (lines: readonly string[]): string[] =>
  lines.map((line) => (typeIn(line) === RRSIG ? line.slice(0, line.lastIndexOf(' ') + 17) : line)).toSorted()

function demand(difference: Difference | undefined): Difference {
  if (difference === undefined) throw new Error('there is no difference')
  return difference
}

/** Types of what goes and comes but for the SOA and its signature, in order. */
function typesOf(difference: Difference | undefined): readonly [gone: number[], come: number[]] {
  const [, ...lines] = linesOf(demand(difference).records)
  const second = lines.findIndex((line, at) => at > 0 && isSoa(line))
  const types = (part: readonly string[]) =>
    part
      .filter((line) => !isSoa(line) && !(typeIn(line) === RRSIG && line.split(' ')[3]?.startsWith('0006')))
      .map(typeIn)
      .toSorted((a, b) => a - b)
  return [types(lines.slice(0, second)), types(lines.slice(second))]
}

const DNAME_LINES = ['a 300 TYPE39 016100', 'b.a 60 TYPE39 016100']

describe.each(['nsec', 'nsec3'] as const)('random changes, %s', (denial) => {
  const line = fc.oneof({ weight: 9, arbitrary: RECORD_LINE }, fc.constantFrom(...DNAME_LINES))
  const steps = fc.array(fc.uniqueArray(line, { maxLength: 5 }), { minLength: 1, maxLength: 8 })

  test('a difference from any serial makes the whole, and the whole is what signing it anew makes', () => {
    fc.assert(
      fc.property(fc.uniqueArray(line, { maxLength: 8 }), steps, (first, changes) => {
        const { zone, followed, change } = setUp(first, { denial })
        let present = new Set(first)
        change([], [])
        const states = new Map([[zone.serial, taken(followed)]])
        for (const toggled of changes) {
          const removed = toggled.filter((each) => present.has(each))
          const added = toggled.filter((each) => !present.has(each))
          change(removed, added)
          present = new Set([...present].filter((each) => !removed.includes(each)).concat(added))
          for (const [serial, copy] of states)
            if (serial !== zone.serial)
              expect(applied(copy, demand(followed.since(serial)))).toEqual(taken(followed))
          states.set(zone.serial, taken(followed))
          const anew = linesOf(wholeZone(zone)).slice(0, -1)
          expect(unsignedLines(taken(followed))).toEqual(unsignedLines(anew))
        }
      }),
      { numRuns: 150 },
    )
  })
})

describe('the journals of all signed zones', () => {
  /** Of each step: the SOA apart, the address and what denies. */
  const steps = (count: number) => Array.from({ length: count }, (_, at) => `n${at} 60 A 192.0.2.1`)

  test('hold so much together; the oldest step makes room, and who is behind it gets the whole zone', () => {
    const { followed, change, zone } = setUp(['a 60 A 192.0.2.1'], { copies: createSignedCopies(1_000, 14) })
    change([], [])
    taken(followed)
    const serials: number[] = []
    for (const line of steps(5)) {
      serials.push(zone.serial)
      change([], [line])
      taken(followed)
    }
    const known = serials.map((serial) => followed.since(serial) !== undefined)
    expect(known).toEqual(known.toSorted((a, b) => Number(a) - Number(b)))
    expect([known[0], known.at(-1)]).toEqual([false, true])
  })

  test('count nothing of a copy that is dropped', () => {
    const room: JournalRoom & { readonly held: Set<HeldStep> } = {
      held: new Set(),
      add: (step) => void room.held.add(step),
      remove: (step) => void room.held.delete(step),
    }
    const copies = { ...createSignedCopies(), journals: room }
    const { followed, change } = setUp(['a 60 A 192.0.2.1'], { copies })
    change([], [])
    taken(followed)
    for (const line of steps(3)) change([], [line])
    expect(room.held.size).toBe(3)
    followed.restart()
    expect(room.held.size).toBe(0)
  })
})

describe('a copy that is being made', () => {
  const lines = Array.from({ length: 1_200 }, (_, at) => `h${at} 300 A 192.0.2.1`)

  test.each(['nsec', 'nsec3'] as const)(
    'lets others have turns, and has what changed in them (%s)',
    (denial) => {
      const { zone, followed, change } = setUp(lines, { denial })
      const coming = followed.whole()[Symbol.iterator]()
      const first = [coming.next().value, coming.next().value]
      expect(first).toEqual([undefined, undefined])
      expect(signed).toBe(0)
      change(
        ['h0 300 A 192.0.2.1', 'h1199 300 A 192.0.2.1'],
        ['new 300 A 192.0.2.2', 'h1.cut 300 A 192.0.2.3'],
      )
      change([], ['cut 300 NS ns.example.net.', 'h5 300 TXT "more"'])
      const sent = linesOf({ [Symbol.iterator]: () => coming }).slice(0, -1)
      expect(unsignedLines(sent)).toEqual(unsignedLines(linesOf(wholeZone(zone)).slice(0, -1)))
    },
  )

  test('is one for all transfers that wait for it, and is kept', () => {
    const { followed } = setUp(lines)
    const [one, two] = [followed.whole()[Symbol.iterator](), followed.whole()[Symbol.iterator]()]
    expect([one.next().value, two.next().value, one.next().value]).toEqual([undefined, undefined, undefined])
    const [a, b] = [one, two].map((coming) => linesOf({ [Symbol.iterator]: () => coming }))
    expect(a).toEqual(b)
    const before = signed
    expect(before).toBeGreaterThan(0)
    expect(linesOf(followed.whole())).toEqual(a)
    expect(signed).toBe(before)
  })

  test('that nobody waits for any more is gone on with by the next', () => {
    const { followed } = setUp(lines)
    const given = followed.whole()[Symbol.iterator]()
    given.next()
    given.return?.()
    let turns = 0
    for (const owned of followed.whole()) if (owned === undefined) turns += 1
    expect(turns).toBe(2)
  })

  test('tells no difference before it is complete', () => {
    const { zone, followed, change } = setUp(lines)
    const serial = zone.serial
    followed.whole()[Symbol.iterator]().next()
    change([], ['new 300 A 192.0.2.2'])
    expect(followed.since(serial)).toBeUndefined()
  })
})

describe('what a change touches', () => {
  const LINES = ['b 60 A 192.0.2.1', 'd 60 A 192.0.2.2', 'b.e 60 A 192.0.2.3']
  const cases: readonly {
    readonly name: string
    readonly removed: readonly string[]
    readonly added: readonly string[]
    readonly nsec: readonly [gone: number[], come: number[]]
    readonly nsec3: readonly [gone: number[], come: number[]]
  }[] = [
    {
      name: 'another address: that rrset alone',
      removed: ['b 60 A 192.0.2.1'],
      added: ['b 60 A 192.0.2.9'],
      nsec: [
        [1, RRSIG],
        [1, RRSIG],
      ],
      nsec3: [
        [1, RRSIG],
        [1, RRSIG],
      ],
    },
    {
      name: 'another type at a name: its own denial, too',
      removed: [],
      added: ['b 60 TXT "x"'],
      nsec: [
        [RRSIG, NSEC],
        [16, RRSIG, RRSIG, NSEC],
      ],
      nsec3: [
        [RRSIG, NSEC3],
        [16, RRSIG, RRSIG, NSEC3],
      ],
    },
    {
      name: 'a new name: the denial before it, too',
      removed: [],
      added: ['c 60 A 192.0.2.9'],
      nsec: [
        [RRSIG, NSEC],
        [1, RRSIG, RRSIG, RRSIG, NSEC, NSEC],
      ],
      nsec3: [
        [RRSIG, NSEC3],
        [1, RRSIG, RRSIG, RRSIG, NSEC3, NSEC3],
      ],
    },
    {
      name: 'a name that goes',
      removed: ['d 60 A 192.0.2.2'],
      added: [],
      nsec: [
        [1, RRSIG, RRSIG, RRSIG, NSEC, NSEC],
        [RRSIG, NSEC],
      ],
      nsec3: [
        [1, RRSIG, RRSIG, RRSIG, NSEC3, NSEC3],
        [RRSIG, NSEC3],
      ],
    },
    {
      name: 'a cut above a name: the name stays, without signature and denial',
      removed: [],
      added: ['e 60 NS ns.other.test.'],
      nsec: [
        [RRSIG, RRSIG, RRSIG, NSEC, NSEC],
        [2, RRSIG, RRSIG, NSEC, NSEC],
      ],
      nsec3: [
        [RRSIG, RRSIG, RRSIG, RRSIG, NSEC3, NSEC3, NSEC3],
        [2, RRSIG, RRSIG, NSEC3, NSEC3],
      ],
    },
  ]
  for (const denial of ['nsec', 'nsec3'] as const)
    test.each(cases)(`${denial}: $name`, ({ removed, added, ...expected }) => {
      const { zone, followed, change } = setUp(LINES, { denial })
      change([], [])
      const { serial } = zone
      const before = taken(followed)
      change(removed, added)
      const [gone, come] = typesOf(followed.since(serial))
      if (denial === 'nsec') expect([gone, come]).toEqual(expected.nsec)
      else
        expect(come.filter((type) => type !== RRSIG && type !== NSEC3)).toEqual(
          expected.nsec3[1].filter((type) => type !== RRSIG && type !== NSEC3),
        )
      expect(applied(before, demand(followed.since(serial)))).toEqual(taken(followed))
    })
})

describe('what is signed', () => {
  test('nothing for nobody: a zone that changes is signed when it is taken', () => {
    const { change, followed } = setUp(['a 60 A 192.0.2.1'])
    change([], [])
    followed.whole()
    change([], ['b 60 A 192.0.2.2'])
    expect(signed).toBe(0)
  })

  test('each rrset once, whoever takes it and how often', () => {
    const { change, followed, zone } = setUp(['a 60 A 192.0.2.1', 'b 60 A 192.0.2.2'])
    change([], [])
    const { serial } = zone
    const before = taken(followed)
    const once = signed
    expect(once).toBeGreaterThan(8)
    expect(taken(followed)).toEqual(before)
    expect(signed).toBe(once)
    change(['a 60 A 192.0.2.1'], ['a 60 A 192.0.2.9'])
    linesOf(demand(followed.since(serial)).records)
    expect(signed).toBe(once + 2) // the address and the SOA
    taken(followed)
    linesOf(demand(followed.since(serial)).records)
    expect(signed).toBe(once + 2)
  })

  test('what is on its way while the zone changes is of the serial that it says', () => {
    const { change, followed, zone } = setUp(['a 60 A 192.0.2.1', 'b 60 A 192.0.2.2'])
    change([], [])
    const { serial } = zone
    const slow = followed.whole()[Symbol.iterator]()
    while (slow.next().value === undefined) continue // until the first SOA, which the last one is again
    change(['a 60 A 192.0.2.1'], ['c 60 A 192.0.2.3'])
    const copy = linesOf({ [Symbol.iterator]: () => slow })
    expect(applied(copy, demand(followed.since(serial)))).toEqual(taken(followed))
  })

  test('old signatures are made anew by a step, and nothing else is sent', () => {
    const { change, followed, zone } = setUp(['a 60 A 192.0.2.1'])
    change([], [])
    const { serial } = zone
    const before = taken(followed)
    now += 5 * DAY_MILLIS - 1
    expect(followed.isDue).toBe(false)
    now += 1
    expect(followed.isDue).toBe(true)
    change([], [])
    expect(followed.isDue).toBe(false)
    const [gone, come] = typesOf(followed.since(serial))
    expect(new Set([...gone, ...come])).toEqual(new Set([RRSIG]))
    const after = taken(followed)
    expect(applied(before, demand(followed.since(serial)))).toEqual(after)
    const old = new Set(before)
    expect(after.filter((each) => typeIn(each) === RRSIG && old.has(each))).toEqual([])
  })

  test('of very many a step renews some, the next ones the others', () => {
    const lines = Array.from({ length: MAX_RENEWED }, (_, i) => `h${i} 60 A 192.0.2.1`)
    const { change, followed, zone } = setUp(lines)
    change([], [])
    taken(followed)
    now += 5 * DAY_MILLIS
    const renewed: number[] = []
    while (followed.isDue) {
      const { serial } = zone
      change([], [])
      const [gone] = typesOf(followed.since(serial))
      renewed.push(gone.length)
      taken(followed)
    }
    expect(Math.max(...renewed)).toBeLessThanOrEqual(MAX_RENEWED)
    // All but the SOA's: 1000 names, the apex with its four others, and a denial of each name.
    expect(renewed.reduce((sum, count) => sum + count, 0)).toBe(2 * MAX_RENEWED + 5)
  })
})

describe('no difference', () => {
  const LINES = ['a 60 A 192.0.2.1']

  test('from a serial that came from elsewhere: others may have it with other signatures', () => {
    const { change, followed, zone } = setUp(LINES)
    const { serial } = zone
    taken(followed)
    change([], ['b 60 A 192.0.2.2'])
    expect(followed.since(serial)).toBeUndefined()
    const next = zone.serial
    const copy = taken(followed)
    change([], ['c 60 A 192.0.2.3'])
    expect(applied(copy, demand(followed.since(next)))).toEqual(taken(followed))
  })

  test('from before other keys', () => {
    const { change, followed, table, zone } = setUp(LINES)
    change([], [])
    const { serial } = zone
    taken(followed)
    change([], [])
    table.sign(ZONE_ID, signingWith('nsec', 7))
    followed.restart()
    expect(followed.since(serial)).toBeUndefined()
    const copy = taken(followed)
    expect(copy.join()).not.toMatch(/0001000000000000000000000000/)
    const withKeys = zone.serial
    change([], ['b 60 A 192.0.2.2'])
    // Nobody was sent that serial before its keys were there.
    expect(applied(copy, demand(followed.since(withKeys)))).toEqual(taken(followed))
  })

  test('from before the zone was signed, or after it was', () => {
    const { change, followed, table, zone } = setUp(LINES)
    change([], [])
    const { serial } = zone
    taken(followed)
    change([], [])
    table.sign(ZONE_ID, undefined)
    followed.restart()
    expect(followed.since(serial)).toBeUndefined()
    expect(taken(followed).map(typeIn)).not.toContain(RRSIG)
  })

  test('from a serial that others have without signatures', () => {
    const { change, followed, table, zone } = setUp(LINES)
    table.sign(ZONE_ID, undefined)
    followed.restart()
    const first = zone.serial
    change([], ['b 60 A 192.0.2.2'])
    const unsigned = zone.serial
    expect(followed.since(first)?.changes).toBe(1)
    table.sign(ZONE_ID, signingWith('nsec'))
    followed.restart()
    taken(followed)
    change([], ['c 60 A 192.0.2.3'])
    expect(followed.since(unsigned)).toBeUndefined()
  })

  test('with another TTL of denials', () => {
    const { change, followed, table, zone } = setUp(LINES)
    change([], [])
    const { serial } = zone
    taken(followed)
    const { soa, ...rest } = zoneOf('example.com', '')
    table.reconfigure(ZONE_ID, { ...rest, soa: { ...soa, serial: serial + 1, minimum: 60 } })
    expect(followed.since(serial)).toBeUndefined()
    expect(taken(followed).some((each) => typeIn(each) === NSEC && each.split(' ')[2] === '60')).toBe(true)
  })

  test('over a step that touches nearly all names; the next one is told again', () => {
    const { change, followed, zone } = setUp(LINES)
    change([], [])
    const { serial } = zone
    taken(followed)
    change(
      [],
      Array.from({ length: 200 }, (_, i) => `h${i} 60 A 192.0.2.1`),
    )
    expect(followed.since(serial)).toBeUndefined()
    const large = zone.serial
    const copy = taken(followed)
    change(['h7 60 A 192.0.2.1'], [])
    expect(applied(copy, demand(followed.since(large)))).toEqual(taken(followed))
  })

  test('of a zone that is too large to be kept; it is signed for each transfer', () => {
    const { change, followed, zone } = setUp(LINES, { copies: createSignedCopies(3) })
    change([], [])
    const { serial } = zone
    const first = taken(followed)
    const once = signed
    expect(unsignedLines(taken(followed))).toEqual(unsignedLines(first))
    expect(signed).toBe(2 * once)
    change([], [])
    expect(followed.since(serial)).toBeUndefined()
    expect(followed.isDue).toBe(false)
  })

  test('of a copy that had to make room for another', () => {
    const copies = createSignedCopies(12)
    const another = { size: 11, mayGo: true, drop: () => copies.forget('another') }
    const one = setUp(LINES, { copies })
    one.change([], [])
    const { serial } = one.zone
    taken(one.followed)
    copies.keep('another', another)
    one.change([], [])
    expect(one.followed.since(serial)).toBeUndefined()
    // The serial that was sent with signatures that are forgotten is nobody's way on, either.
    const sent = one.zone.serial
    taken(one.followed)
    copies.keep('another', another)
    taken(one.followed)
    one.change([], [])
    expect(one.followed.since(sent)).toBeUndefined()
  })
})

describe('a copy that is being made', () => {
  const MANY = Array.from({ length: 1200 }, (_, i) => `h${i} 60 A 192.0.2.1`)
  /** A transfer that has had its first turn: the copy has some of the names. */
  function begun({ whole }: FollowedZone): Iterator<OwnedRrset | undefined> {
    const coming = whole()[Symbol.iterator]()
    expect(coming.next().value).toBeUndefined()
    return coming
  }
  const rest = (coming: Iterator<OwnedRrset | undefined>): string[] =>
    linesOf({ [Symbol.iterator]: () => coming })
      .slice(0, -1)
      .toSorted()
  const addresses = (lines: readonly string[]) => lines.filter((line) => typeIn(line) === TYPE.A)

  test('is not gone on with, nor begun anew, when the zone is not followed any more', () => {
    const copies = createSignedCopies()
    const { change, followed, zone } = setUp(MANY, { copies })
    const coming = begun(followed)
    zone.follower = undefined
    followed.end()
    expect(coming.next().value).toBeDefined()
    change(['h1199 60 A 192.0.2.1'], ['fresh 60 A 192.0.2.1'])
    // What had begun is of one serial: that which it begins with.
    expect(addresses(rest(coming))).toHaveLength(MANY.length)
    expect(addresses(taken(followed))).toHaveLength(MANY.length)
    expect(linesOf(followed.whole()).join()).toContain(Buffer.from('fresh').toString('hex'))
    const room = { size: MAX_SIGNED_RRSETS, mayGo: true, drop: () => undefined }
    expect(copies.keep('another', room)).toBe(true)
  })

  test('makes no room for another that is being made; both transfers come to their ends', () => {
    const copies = createSignedCopies(4000)
    const [one, other] = [setUp(MANY, { copies }), setUp(MANY, { copies, zoneId: 'other' })]
    for (const { change } of [one, other]) change([], [])
    const [first, second] = [begun(one.followed), begun(other.followed)]
    expect([addresses(rest(first)), addresses(rest(second))].map(({ length }) => length)).toEqual([
      1200, 1200,
    ])
    one.change([], ['more 60 A 192.0.2.2'])
    other.change([], ['more 60 A 192.0.2.2'])
    // One of them had room: what is new in it is told.
    const kept = [one, other].filter(({ followed, zone }) => followed.since(zone.serial - 1) !== undefined)
    expect(kept).toHaveLength(1)
  })

  test('makes room when all transfers that wanted it have gone', () => {
    const copies = createSignedCopies(3000)
    const { followed } = setUp(MANY, { copies })
    const [first, second] = [begun(followed), begun(followed)]
    const room = { size: 2600, mayGo: true, drop: () => copies.forget('another') }
    first.return?.()
    expect(copies.keep('another', room)).toBe(false)
    second.return?.()
    expect(copies.keep('another', room)).toBe(true)
    // So does one that is complete, however often it is sent.
    copies.forget('another')
    for (let i = 0; i < 3; i += 1) taken(followed)
    expect(copies.keep('another', room)).toBe(true)
  })
})
