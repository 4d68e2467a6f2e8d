// Answers from shared memory alone equal those of the thread that changes the zones, byte for byte, after any history;
// and what a reader has pinned is not used again.
import { type Name, parseName } from '@zonereeve/dns'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CLIENT, opt, queryOf, recordOf, zoneOf } from './asking.cases.ts'
import { createFastPath } from './fast-path.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import { noMetrics } from './metrics.ts'
import { QUESTIONS, RECORD_LINE } from './random-zone.cases.ts'
import { createResponder, MAX_REPLY_OCTETS } from './responder.ts'
import { SharedZones } from './shared-zones.ts'
import { createSignaturePost, type PostedSignatures } from './signature-post.ts'
import { silentLog } from './silent-log.cases.ts'
import type { ZoneRecord } from './zone-data.ts'
import { KEY, signingWith } from './zone-signing.cases.ts'
import { Control } from './zone-store/control.ts'
import { Pages } from './zone-store/pages.ts'
import { createZoneTable, type ZoneTable } from './zone-table.ts'
import type { AnsweringZones } from './zone-view.ts'

const APEX: Name = parseName('example.com')
const ZONE_ID = 'zone-example.com'

/** Reads a table as another thread does: through its buffers alone. */
function readerOf({ shares: { store: zoneStore, signings } }: ZoneTable, reader = 0) {
  const pages = new Pages()
  const signatures: PostedSignatures[] = []
  let flush = (): void => undefined
  const post = createSignaturePost(
    (posted) => signatures.push(posted),
    (key) => zones.made.forget(key),
    (callback) => (flush = callback),
  )
  const takePublished = (): void => {
    for (const segment of zoneStore.pages.added.slice(pages.added.length)) pages.add(segment)
  }
  takePublished()
  const zones = new SharedZones({
    pages,
    control: new Control(zoneStore.control.buffer),
    hashKey: zoneStore.hashKey,
    reader,
    takePublished,
    signingOf(number) {
      const signing = signings.all.get(number)
      if (signing === undefined) throw new Error('unknown keys')
      return signing
    },
    keep: post.add,
  })
  /** Stores what this reader has signed. Returns of each message the zones of which not all are stored. */
  const store = (table: ZoneTable): readonly (readonly number[])[] => {
    flush()
    return signatures.splice(0).map((posted) => {
      const unstored = table.keepSignatures(posted)
      post.noteTaken(unstored)
      return unstored
    })
  }
  return { zones, store }
}

/** The answers of both paths to each question, without and with signatures. */
function answersOf(table: AnsweringZones): string[] {
  const deps = { table, log: silentLog, limits: DEFAULT_LIMITS, metrics: noMetrics }
  const respond = createResponder(deps)
  const fastPath = createFastPath(deps)
  const out = Buffer.alloc(MAX_REPLY_OCTETS)
  const peer = { transport: 'udp', address: CLIENT } as const
  return QUESTIONS.flatMap((question) =>
    [[], opt(1232), opt(1232, { flags: 0x8000 }), opt(1232, { flags: 0xc000 })].flatMap((tail) => {
      const query = queryOf(question, { tail })
      return [fastPath, respond].map((answer) => {
        const octets = answer(query, query.length, peer, out)
        return octets <= 0 ? String(octets) : out.toString('hex', 0, octets)
      })
    }),
  )
}

/** The fast path leaves denials that were not made before to the full path. */
const ofFullPath = (answers: readonly string[]): string[] => answers.filter((_, i) => i % 2 === 1)

function reading<Result>(zones: SharedZones, read: () => Result): Result {
  zones.begin()
  try {
    return read()
  } finally {
    zones.end()
  }
}

const STEP = fc.oneof(
  { weight: 8, arbitrary: fc.array(RECORD_LINE, { minLength: 1, maxLength: 12 }) },
  { weight: 2, arbitrary: fc.constantFrom('sign', 'unsign', 'expire', 'remove', 'other') },
)

test('after any history a reader of the pages answers as the table does', () => {
  let compared = 0
  let posted = 0
  fc.assert(
    fc.property(fc.array(STEP, { minLength: 1, maxLength: 6 }), (steps) => {
      const table = createZoneTable()
      const { zones, store } = readerOf(table)
      let records: readonly ZoneRecord[] = []
      let serial = 1
      table.load(zoneOf(APEX, ''))
      for (const step of ['sign', ...steps]) {
        serial += 1
        if (Array.isArray(step)) {
          const added = step.map((line, i) => recordOf(line, APEX, `${serial}-${i}`))
          if (table.has(ZONE_ID)) table.apply({ zoneId: ZONE_ID, serial, removed: records, added })
          else table.load(zoneOf(APEX, '', { records: added }))
          records = added
        } else if (step === 'other') table.load(zoneOf('a.example.com', 'x 60 A 192.0.2.9'))
        else if (step === 'remove') {
          table.remove(ZONE_ID)
          records = []
        } else if (!table.has(ZONE_ID)) continue
        else if (step === 'expire') table.reconfigure(ZONE_ID, zoneOf(APEX, '', { isExpired: true }))
        else
          table.sign(
            ZONE_ID,
            step === 'sign' ? signingWith([KEY, { ...KEY, flags: 256, keyTag: 2 }]) : undefined,
          )
        // Signatures are made by the reader, and remembered until they are in the pages.
        const own = reading(zones, () => answersOf(zones))
        expect(ofFullPath(reading(zones, () => answersOf(zones)))).toEqual(ofFullPath(own))
        posted += store(table).length
        const expected = answersOf(table)
        expect(ofFullPath(own)).toEqual(ofFullPath(expected))
        expect(reading(zones, () => answersOf(zones))).toEqual(answersOf(table))
        compared += expected.length
      }
    }),
    { numRuns: 6 },
  )
  expect(compared).toBeGreaterThan(5_000)
  expect(posted).toBeGreaterThan(0)
})

describe('signatures that arrive late', () => {
  const keys = [KEY, { ...KEY, flags: 256, keyTag: 2 }]
  const open = (): ZoneTable => {
    const table = createZoneTable()
    table.load(zoneOf(APEX, 'a 60 A 192.0.2.1\nb 60 A 192.0.2.2'))
    table.sign(ZONE_ID, signingWith(keys))
    return table
  }
  const move = (table: ZoneTable): void =>
    table.apply({
      zoneId: ZONE_ID,
      serial: 2,
      removed: [recordOf('a 60 A 192.0.2.1', APEX, 'r0')],
      added: [recordOf('a 60 A 192.0.2.9', APEX, 'r2')],
    })
  test.each<[string, (table: ZoneTable) => void, unstored: boolean]>([
    ['are stored', () => undefined, false],
    [
      'not after other keys',
      (table) => table.sign(ZONE_ID, signingWith(keys.map((key) => ({ ...key, keyTag: key.keyTag + 2 })))),
      true,
    ],
    ['not after the same keys again', (table) => table.sign(ZONE_ID, signingWith(keys)), true],
    ['not after signing has ended', (table) => table.sign(ZONE_ID, undefined), true],
    ['not with an rrset that has changed', move, true],
    ['not after the zone is gone', (table) => void table.remove(ZONE_ID), true],
  ])('%s', (_, change, isUnstored) => {
    const [table, fresh] = [open(), open()]
    const { zones, store } = readerOf(table)
    reading(zones, () => answersOf(zones))
    change(table)
    change(fresh)
    expect(store(table)).toEqual([isUnstored ? [0] : []])
    const expected = ofFullPath(answersOf(fresh))
    expect(ofFullPath(reading(zones, () => answersOf(zones)))).toEqual(expected)
    expect(ofFullPath(answersOf(table))).toEqual(expected)
  })
})

describe('pins', () => {
  const change = (table: ZoneTable, serial: number): void =>
    table.apply({
      zoneId: ZONE_ID,
      serial,
      removed:
        serial === 2 ? [] : [recordOf(`a 60 TXT "${'x'.repeat(serial % 7)}"`, APEX, String(serial - 1))],
      added: [recordOf(`a 60 TXT "${'x'.repeat((serial + 1) % 7)}"`, APEX, String(serial))],
    })

  test('a reader that has begun keeps its version, one that has ended sees the newest', () => {
    const table = createZoneTable()
    table.load(zoneOf(APEX, 'b 60 A 192.0.2.1'))
    const { zones } = readerOf(table)
    zones.begin()
    const before = answersOf(zones)
    for (let serial = 2; serial < 200; serial += 1) change(table, serial)
    expect(answersOf(zones)).toEqual(before)
    expect(table.shares.store.versions.waiting).toBeGreaterThan(100)
    zones.end()
    change(table, 200)
    expect(table.shares.store.versions.waiting).toBe(0)
    expect(reading(zones, () => answersOf(zones))).toEqual(answersOf(table))
  })

  test('a reader sees the newest, although places are used again', () => {
    for (const changes of [1, 2, 3]) {
      const table = createZoneTable()
      table.load(zoneOf(APEX, ''))
      const { zones } = readerOf(table)
      for (let serial = 2; serial < 16; serial += 1) {
        change(table, serial)
        if (serial % changes !== 0) continue
        expect(reading(zones, () => answersOf(zones))).toEqual(answersOf(table))
      }
    }
  })

  test('a reader that died is unpinned by number, and others keep theirs', () => {
    const table = createZoneTable()
    table.load(zoneOf(APEX, ''))
    const { zones: dead } = readerOf(table, 3)
    const { zones: other } = readerOf(table, 4)
    dead.begin()
    change(table, 2)
    other.begin()
    const before = answersOf(other)
    change(table, 3)
    table.shares.store.control.unpin(3)
    change(table, 4)
    expect(answersOf(other)).toEqual(before)
    expect(table.shares.store.versions.waiting).toBeGreaterThan(0)
    other.end()
    change(table, 5)
    expect(table.shares.store.versions.waiting).toBe(0)
  })
})
