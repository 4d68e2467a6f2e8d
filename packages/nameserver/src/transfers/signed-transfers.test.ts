// Copies of signed zones: applying a difference gives, record by record, the whole zone; nothing is signed twice, and
// no secondary gets a difference to what it may not have.
import { createHash } from 'node:crypto'
import { dnskeyOf, encodeRdata, NSEC, NSEC3, parseName, RRSIG, type SigningKey } from '@zonereeve/dns'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { recordOf, zoneOf } from '../asking.cases.ts'
import { RDATA_OFFSET, TYPE } from '../rrset.ts'
import type { ZoneRecord } from '../zone-data.ts'
import type { ZoneSigning } from '../zone-signing.ts'
import { createZoneTable } from '../zone-table.ts'
import type { HeldStep, JournalBudget } from './journal-budget.ts'
import { createSignedCopies, MAX_SIGNED_RRSETS } from './signed-copies.ts'
import { MAX_RENEWED } from './signed-copy.ts'
import type { ComingRrsets, OwnedRrset } from './transfer-messages.ts'
import {
  createTransferableZone,
  wholeZone,
  type Difference,
  type TransferableZone,
} from './transferable-zone.ts'
import { RECORD_LINE } from '../random-zone.cases.ts'

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
  // All signatures differ, as with ECDSA.
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

/** A followed signed zone, and functions to change it. */
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
  const transferable = createTransferableZone(zone, copies)
  zone.follower = transferable.take
  const change = (removed: readonly string[], added: readonly string[], serial = zone.serial + 1): void =>
    table.apply({
      zoneId,
      serial,
      removed: removed.map((line) => record(line)),
      added: added.map((line) => record(line)),
    })
  return { table, zone, transferable, change }
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

/** A secondary's copy, which rejects differences that do not fit. */
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
const taken = (transferable: TransferableZone): string[] =>
  linesOf(transferable.whole()).slice(0, -1).toSorted()

/** Signatures without the parts that differ each time: covered type, number of labels and TTL. */
const unsignedLines = (lines: readonly string[]): string[] =>
  lines.map((line) => (typeIn(line) === RRSIG ? line.slice(0, line.lastIndexOf(' ') + 17) : line)).toSorted()

function requireDifference(difference: Difference | undefined): Difference {
  if (difference === undefined) throw new Error('there is no difference')
  return difference
}

/** Removed and added types, except the SOA and its signature, in order. */
function typesOf(difference: Difference | undefined): readonly [gone: number[], come: number[]] {
  const [, ...lines] = linesOf(requireDifference(difference).records)
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

  test('a difference from any serial gives the whole zone, and the whole zone equals a fresh signing', () => {
    fc.assert(
      fc.property(fc.uniqueArray(line, { maxLength: 8 }), steps, (first, changes) => {
        const { zone, transferable, change } = setUp(first, { denial })
        let present = new Set(first)
        change([], [])
        const states = new Map([[zone.serial, taken(transferable)]])
        for (const toggled of changes) {
          const removed = toggled.filter((each) => present.has(each))
          const added = toggled.filter((each) => !present.has(each))
          change(removed, added)
          present = new Set([...present].filter((each) => !removed.includes(each)).concat(added))
          for (const [serial, copy] of states)
            if (serial !== zone.serial)
              expect(applied(copy, requireDifference(transferable.since(serial)))).toEqual(
                taken(transferable),
              )
          states.set(zone.serial, taken(transferable))
          const current = linesOf(wholeZone(zone)).slice(0, -1)
          expect(unsignedLines(taken(transferable))).toEqual(unsignedLines(current))
        }
      }),
      { numRuns: 150 },
    )
  })
})

describe('the journals of all signed zones', () => {
  /** Per step, besides the SOA: the address and its denial. */
  const steps = (count: number) => Array.from({ length: count }, (_, at) => `n${at} 60 A 192.0.2.1`)

  test('share one limit; the oldest step is evicted, and a secondary behind it gets the whole zone', () => {
    const { transferable, change, zone } = setUp(['a 60 A 192.0.2.1'], {
      copies: createSignedCopies(1_000, 14),
    })
    change([], [])
    taken(transferable)
    const serials: number[] = []
    for (const line of steps(5)) {
      serials.push(zone.serial)
      change([], [line])
      taken(transferable)
    }
    const known = serials.map((serial) => transferable.since(serial) !== undefined)
    expect(known).toEqual(known.toSorted((a, b) => Number(a) - Number(b)))
    expect([known[0], known.at(-1)]).toEqual([false, true])
  })

  test('do not count a copy that is dropped', () => {
    const budget: JournalBudget & { readonly held: Set<HeldStep> } = {
      held: new Set(),
      add: (step) => void budget.held.add(step),
      remove: (step) => void budget.held.delete(step),
    }
    const copies = { ...createSignedCopies(), journals: budget }
    const { transferable, change } = setUp(['a 60 A 192.0.2.1'], { copies })
    change([], [])
    taken(transferable)
    for (const line of steps(3)) change([], [line])
    expect(budget.held.size).toBe(3)
    transferable.restart()
    expect(budget.held.size).toBe(0)
  })
})

describe('a copy in progress', () => {
  const lines = Array.from({ length: 1_200 }, (_, at) => `h${at} 300 A 192.0.2.1`)

  test.each(['nsec', 'nsec3'] as const)('yields, and includes what changed meanwhile (%s)', (denial) => {
    const { zone, transferable, change } = setUp(lines, { denial })
    const coming = transferable.whole()[Symbol.iterator]()
    const first = [coming.next().value, coming.next().value]
    expect(first).toEqual([undefined, undefined])
    expect(signed).toBe(0)
    change(['h0 300 A 192.0.2.1', 'h1199 300 A 192.0.2.1'], ['new 300 A 192.0.2.2', 'h1.cut 300 A 192.0.2.3'])
    change([], ['cut 300 NS ns.example.net.', 'h5 300 TXT "more"'])
    const sent = linesOf({ [Symbol.iterator]: () => coming }).slice(0, -1)
    expect(unsignedLines(sent)).toEqual(unsignedLines(linesOf(wholeZone(zone)).slice(0, -1)))
  })

  test('is shared by all transfers that wait for it, and is kept', () => {
    const { transferable } = setUp(lines)
    const [one, two] = [transferable.whole()[Symbol.iterator](), transferable.whole()[Symbol.iterator]()]
    expect([one.next().value, two.next().value, one.next().value]).toEqual([undefined, undefined, undefined])
    const [a, b] = [one, two].map((coming) => linesOf({ [Symbol.iterator]: () => coming }))
    expect(a).toEqual(b)
    const before = signed
    expect(before).toBeGreaterThan(0)
    expect(linesOf(transferable.whole())).toEqual(a)
    expect(signed).toBe(before)
  })

  test('without waiting transfers is continued by the next one', () => {
    const { transferable } = setUp(lines)
    const given = transferable.whole()[Symbol.iterator]()
    given.next()
    given.return?.()
    let turns = 0
    for (const owned of transferable.whole()) if (owned === undefined) turns += 1
    expect(turns).toBe(2)
  })

  test('gives no difference before it is complete', () => {
    const { zone, transferable, change } = setUp(lines)
    const serial = zone.serial
    transferable.whole()[Symbol.iterator]().next()
    change([], ['new 300 A 192.0.2.2'])
    expect(transferable.since(serial)).toBeUndefined()
  })
})

describe('what a change touches', () => {
  const LINES = ['b 60 A 192.0.2.1', 'd 60 A 192.0.2.2', 'b.e 60 A 192.0.2.3', 'r 60 DNAME b']
  const cases: readonly {
    readonly name: string
    readonly removed: readonly string[]
    readonly added: readonly string[]
    readonly nsec: readonly [gone: number[], come: number[]]
    readonly nsec3: readonly [gone: number[], come: number[]]
  }[] = [
    {
      name: 'another address: only that rrset',
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
      name: 'a new name: the denial of its predecessor, too',
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
      name: 'a removed name',
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
      name: 'a delegation above a name: the name stays, without signature and denial',
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
    {
      name: 'a DNAME above a name: it is signed, and the name stays, without signature and denial',
      removed: [],
      added: ['e 60 DNAME b'],
      nsec: [
        [RRSIG, RRSIG, RRSIG, NSEC, NSEC],
        [39, RRSIG, RRSIG, RRSIG, NSEC, NSEC],
      ],
      nsec3: [
        [RRSIG, RRSIG, RRSIG, RRSIG, NSEC3, NSEC3, NSEC3],
        [39, RRSIG, RRSIG, RRSIG, NSEC3, NSEC3],
      ],
    },
    {
      name: 'another target of a DNAME: only that rrset',
      removed: ['r 60 DNAME b'],
      added: ['r 60 DNAME d'],
      nsec: [
        [39, RRSIG],
        [39, RRSIG],
      ],
      nsec3: [
        [39, RRSIG],
        [39, RRSIG],
      ],
    },
  ]
  for (const denial of ['nsec', 'nsec3'] as const)
    test.each(cases)(`${denial}: $name`, ({ removed, added, ...expected }) => {
      const { zone, transferable, change } = setUp(LINES, { denial })
      change([], [])
      const { serial } = zone
      const before = taken(transferable)
      change(removed, added)
      const [gone, come] = typesOf(transferable.since(serial))
      if (denial === 'nsec') expect([gone, come]).toEqual(expected.nsec)
      else
        expect(come.filter((type) => type !== RRSIG && type !== NSEC3)).toEqual(
          expected.nsec3[1].filter((type) => type !== RRSIG && type !== NSEC3),
        )
      expect(applied(before, requireDifference(transferable.since(serial)))).toEqual(taken(transferable))
    })
})

describe('what is signed', () => {
  test('nothing before it is read: a changed zone is signed when it is transferred', () => {
    const { change, transferable } = setUp(['a 60 A 192.0.2.1'])
    change([], [])
    transferable.whole()
    change([], ['b 60 A 192.0.2.2'])
    expect(signed).toBe(0)
  })

  test('each rrset once, however many transfers read it', () => {
    const { change, transferable, zone } = setUp(['a 60 A 192.0.2.1', 'b 60 A 192.0.2.2'])
    change([], [])
    const { serial } = zone
    const before = taken(transferable)
    const once = signed
    expect(once).toBeGreaterThan(8)
    expect(taken(transferable)).toEqual(before)
    expect(signed).toBe(once)
    change(['a 60 A 192.0.2.1'], ['a 60 A 192.0.2.9'])
    linesOf(requireDifference(transferable.since(serial)).records)
    expect(signed).toBe(once + 2) // the address and the SOA
    taken(transferable)
    linesOf(requireDifference(transferable.since(serial)).records)
    expect(signed).toBe(once + 2)
  })

  test('a transfer in progress while the zone changes belongs to the serial that it starts with', () => {
    const { change, transferable, zone } = setUp(['a 60 A 192.0.2.1', 'b 60 A 192.0.2.2'])
    change([], [])
    const { serial } = zone
    const slow = transferable.whole()[Symbol.iterator]()
    while (slow.next().value === undefined) continue // until the first SOA, which is sent again at the end
    change(['a 60 A 192.0.2.1'], ['c 60 A 192.0.2.3'])
    const copy = linesOf({ [Symbol.iterator]: () => slow })
    expect(applied(copy, requireDifference(transferable.since(serial)))).toEqual(taken(transferable))
  })

  test('old signatures are renewed by a step, and nothing else is sent', () => {
    const { change, transferable, zone } = setUp(['a 60 A 192.0.2.1'])
    change([], [])
    const { serial } = zone
    const before = taken(transferable)
    now += 5 * DAY_MILLIS - 1
    expect(transferable.isDue).toBe(false)
    now += 1
    expect(transferable.isDue).toBe(true)
    change([], [])
    expect(transferable.isDue).toBe(false)
    const [gone, come] = typesOf(transferable.since(serial))
    expect(new Set([...gone, ...come])).toEqual(new Set([RRSIG]))
    const after = taken(transferable)
    expect(applied(before, requireDifference(transferable.since(serial)))).toEqual(after)
    const old = new Set(before)
    expect(after.filter((each) => typeIn(each) === RRSIG && old.has(each))).toEqual([])
  })

  test('if very many are due, a step renews some, the next ones the others', () => {
    const lines = Array.from({ length: MAX_RENEWED }, (_, i) => `h${i} 60 A 192.0.2.1`)
    const { change, transferable, zone } = setUp(lines)
    change([], [])
    taken(transferable)
    now += 5 * DAY_MILLIS
    const renewed: number[] = []
    while (transferable.isDue) {
      const { serial } = zone
      change([], [])
      const [gone] = typesOf(transferable.since(serial))
      renewed.push(gone.length)
      taken(transferable)
    }
    expect(Math.max(...renewed)).toBeLessThanOrEqual(MAX_RENEWED)
    // All but the SOA's: 1000 names, the apex with its four others, and a denial of each name.
    expect(renewed.reduce((sum, count) => sum + count, 0)).toBe(2 * MAX_RENEWED + 5)
  })
})

describe('no difference', () => {
  const LINES = ['a 60 A 192.0.2.1']

  test('from a serial that came from elsewhere: others may have it with other signatures', () => {
    const { change, transferable, zone } = setUp(LINES)
    const { serial } = zone
    taken(transferable)
    change([], ['b 60 A 192.0.2.2'])
    expect(transferable.since(serial)).toBeUndefined()
    const next = zone.serial
    const copy = taken(transferable)
    change([], ['c 60 A 192.0.2.3'])
    expect(applied(copy, requireDifference(transferable.since(next)))).toEqual(taken(transferable))
  })

  test('from before a change of keys', () => {
    const { change, transferable, table, zone } = setUp(LINES)
    change([], [])
    const { serial } = zone
    taken(transferable)
    change([], [])
    table.sign(ZONE_ID, signingWith('nsec', 7))
    transferable.restart()
    expect(transferable.since(serial)).toBeUndefined()
    const copy = taken(transferable)
    expect(copy.join()).not.toMatch(/0001000000000000000000000000/)
    const withKeys = zone.serial
    change([], ['b 60 A 192.0.2.2'])
    // That serial was not sent before its keys existed.
    expect(applied(copy, requireDifference(transferable.since(withKeys)))).toEqual(taken(transferable))
  })

  test('from before the zone was signed, or after signing ended', () => {
    const { change, transferable, table, zone } = setUp(LINES)
    change([], [])
    const { serial } = zone
    taken(transferable)
    change([], [])
    table.sign(ZONE_ID, undefined)
    transferable.restart()
    expect(transferable.since(serial)).toBeUndefined()
    expect(taken(transferable).map(typeIn)).not.toContain(RRSIG)
  })

  test('from a serial that others have without signatures', () => {
    const { change, transferable, table, zone } = setUp(LINES)
    table.sign(ZONE_ID, undefined)
    transferable.restart()
    const first = zone.serial
    change([], ['b 60 A 192.0.2.2'])
    const unsigned = zone.serial
    expect(transferable.since(first)?.changes).toBe(1)
    table.sign(ZONE_ID, signingWith('nsec'))
    transferable.restart()
    taken(transferable)
    change([], ['c 60 A 192.0.2.3'])
    expect(transferable.since(unsigned)).toBeUndefined()
  })

  test('with another TTL of denials', () => {
    const { change, transferable, table, zone } = setUp(LINES)
    change([], [])
    const { serial } = zone
    taken(transferable)
    const { soa, ...rest } = zoneOf('example.com', '')
    table.reconfigure(ZONE_ID, { ...rest, soa: { ...soa, serial: serial + 1, minimum: 60 } })
    expect(transferable.since(serial)).toBeUndefined()
    expect(taken(transferable).some((each) => typeIn(each) === NSEC && each.split(' ')[2] === '60')).toBe(
      true,
    )
  })

  test('over a step that touches nearly all names; the next difference is sent again', () => {
    const { change, transferable, zone } = setUp(LINES)
    change([], [])
    const { serial } = zone
    taken(transferable)
    change(
      [],
      Array.from({ length: 200 }, (_, i) => `h${i} 60 A 192.0.2.1`),
    )
    expect(transferable.since(serial)).toBeUndefined()
    const large = zone.serial
    const copy = taken(transferable)
    change(['h7 60 A 192.0.2.1'], [])
    expect(applied(copy, requireDifference(transferable.since(large)))).toEqual(taken(transferable))
  })

  test('of a zone that is too large for a copy; it is signed for each transfer', () => {
    const { change, transferable, zone } = setUp(LINES, { copies: createSignedCopies(3) })
    change([], [])
    const { serial } = zone
    const first = taken(transferable)
    const once = signed
    expect(unsignedLines(taken(transferable))).toEqual(unsignedLines(first))
    expect(signed).toBe(2 * once)
    change([], [])
    expect(transferable.since(serial)).toBeUndefined()
    expect(transferable.isDue).toBe(false)
  })

  test('of a copy that was evicted', () => {
    const copies = createSignedCopies(12)
    const another = { size: 11, mayGo: true, drop: () => copies.forget('another') }
    const one = setUp(LINES, { copies })
    one.change([], [])
    const { serial } = one.zone
    taken(one.transferable)
    copies.keep('another', another)
    one.change([], [])
    expect(one.transferable.since(serial)).toBeUndefined()
    // No difference starts from a serial whose signatures were forgotten, either.
    const sent = one.zone.serial
    taken(one.transferable)
    copies.keep('another', another)
    taken(one.transferable)
    one.change([], [])
    expect(one.transferable.since(sent)).toBeUndefined()
  })
})

describe('a copy in progress', () => {
  const MANY = Array.from({ length: 1200 }, (_, i) => `h${i} 60 A 192.0.2.1`)
  /** A transfer after its first turn: the copy has some of the names. */
  function begun({ whole }: TransferableZone): Iterator<OwnedRrset | undefined> {
    const coming = whole()[Symbol.iterator]()
    expect(coming.next().value).toBeUndefined()
    return coming
  }
  const rest = (coming: Iterator<OwnedRrset | undefined>): string[] =>
    linesOf({ [Symbol.iterator]: () => coming })
      .slice(0, -1)
      .toSorted()
  const addresses = (lines: readonly string[]) => lines.filter((line) => typeIn(line) === TYPE.A)

  test('is neither continued nor restarted when the zone is not followed any more', () => {
    const copies = createSignedCopies()
    const { change, transferable, zone } = setUp(MANY, { copies })
    const coming = begun(transferable)
    zone.follower = undefined
    transferable.end()
    expect(coming.next().value).toBeDefined()
    change(['h1199 60 A 192.0.2.1'], ['fresh 60 A 192.0.2.1'])
    // The transfer in progress keeps the serial that it started with.
    expect(addresses(rest(coming))).toHaveLength(MANY.length)
    expect(addresses(taken(transferable))).toHaveLength(MANY.length)
    expect(linesOf(transferable.whole()).join()).toContain(Buffer.from('fresh').toString('hex'))
    const budget = { size: MAX_SIGNED_RRSETS, mayGo: true, drop: () => undefined }
    expect(copies.keep('another', budget)).toBe(true)
  })

  test('does not evict another copy in progress; both transfers are completed', () => {
    const copies = createSignedCopies(4000)
    const [one, other] = [setUp(MANY, { copies }), setUp(MANY, { copies, zoneId: 'other' })]
    for (const { change } of [one, other]) change([], [])
    const [first, second] = [begun(one.transferable), begun(other.transferable)]
    expect([addresses(rest(first)), addresses(rest(second))].map(({ length }) => length)).toEqual([
      1200, 1200,
    ])
    one.change([], ['more 60 A 192.0.2.2'])
    other.change([], ['more 60 A 192.0.2.2'])
    // One of them was kept: it gives a difference.
    const remaining = [one, other].filter(
      ({ transferable, zone }) => transferable.since(zone.serial - 1) !== undefined,
    )
    expect(remaining).toHaveLength(1)
  })

  test('may be evicted when all transfers that wanted it have ended', () => {
    const copies = createSignedCopies(3000)
    const { transferable } = setUp(MANY, { copies })
    const [first, second] = [begun(transferable), begun(transferable)]
    const budget = { size: 2600, mayGo: true, drop: () => copies.forget('another') }
    first.return?.()
    expect(copies.keep('another', budget)).toBe(false)
    second.return?.()
    expect(copies.keep('another', budget)).toBe(true)
    // So may a complete one, however often it is sent.
    copies.forget('another')
    for (let i = 0; i < 3; i += 1) taken(transferable)
    expect(copies.keep('another', budget)).toBe(true)
  })
})
