// Objects of zones are made from the pages when they are needed: a table that keeps none is as one that keeps all.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parseName } from '@zonereeve/dns'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { queryOf, recordOf, zoneOf } from './asking.cases.ts'
import { createZoneTable, DEFAULT_LIMITS, type ZoneRecord, type ZoneTable } from './index.ts'
import { noMetrics } from './metrics.ts'
import { QUESTIONS, RECORD_LINE } from './random-zone.cases.ts'
import { createResponder, MAX_REPLY_OCTETS } from './responder.ts'
import { silentLog } from './silent-log.cases.ts'
import { KEY, signingWith } from './zone-signing.cases.ts'

const APEX = parseName('example.com')
const ZONE_ID = 'zone-example.com'
const HEX_ID = '61'.repeat(16)
const TEXT_ID = 'a'.repeat(16)

/** All that a table says about its zones. */
function stateOf(table: ZoneTable): unknown {
  const respond = createResponder({ table, log: silentLog, limits: DEFAULT_LIMITS, metrics: noMetrics })
  const out = Buffer.alloc(MAX_REPLY_OCTETS)
  const answers = QUESTIONS.filter((_, i) => i % 3 === 0).map((question) => {
    const query = queryOf(question)
    const octets = respond(query, query.length, { transport: 'tcp', address: '192.0.2.9' }, out)
    return out.toString('hex', 0, octets)
  })
  const zone = table.zone(ZONE_ID)
  const records: ZoneRecord[] = []
  if (zone !== undefined) table.eachName(ZONE_ID, (some) => void records.push(...some))
  return {
    answers,
    records: records.map((record) => JSON.stringify({ ...record, rdata: [...record.rdata] })).toSorted(),
    authority: zone && { isExpired: false, tag: 0, ...zone.authority },
    own: zone?.own,
    about: zone && [zone.name, zone.serial, zone.records, zone.nodes, zone.soa.ttl, zone.soa.wire],
    negative: zone && [zone.negative.ttl, zone.negative.wire],
    captured: [...table.capture()].map(({ zoneId, apex, tag }) => [zoneId, apex, tag]).toSorted(),
    tagged: [...table.tagged()],
    statistics: table.statistics(),
  }
}

const STEP = fc.oneof(
  { weight: 8, arbitrary: fc.array(RECORD_LINE, { maxLength: 8 }) },
  {
    weight: 4,
    arbitrary: fc.constantFrom('sign', 'unsign', 'expire', 'settings', 'remove', 'other', 'move', 'again'),
  },
)

test('after any history', () => {
  let compared = 0
  fc.assert(
    fc.property(fc.array(STEP, { minLength: 1, maxLength: 8 }), (steps) => {
      const tables = [createZoneTable({ maxRecent: 0 }), createZoneTable({ maxRecent: 100 })]
      for (const table of tables) table.load(zoneOf(APEX, ''))
      let records: readonly ZoneRecord[] = []
      let serial = 1
      for (const step of steps) {
        serial += 1
        const added = Array.isArray(step)
          ? step.map((line, i) => recordOf(line, APEX, `${serial}-${i}`))
          : records
        for (const table of tables) {
          if (Array.isArray(step) || step === 'again') {
            if (table.has(ZONE_ID) && step !== 'again')
              table.apply({ zoneId: ZONE_ID, serial, removed: records, added })
            else table.load(zoneOf(APEX, '', { records: added, tag: 3 }))
          } else if (step === 'other') table.load(zoneOf('a.example.com', 'x 60 A 192.0.2.9'))
          else if (step === 'remove') table.remove(ZONE_ID)
          else if (!table.has(ZONE_ID)) continue
          else if (step === 'move') table.load({ ...zoneOf('moved.test', ''), zoneId: ZONE_ID })
          else if (step === 'expire') table.reconfigure(ZONE_ID, zoneOf(APEX, '', { isExpired: true }))
          else if (step === 'settings')
            table.reconfigure(
              ZONE_ID,
              zoneOf(APEX, '', { nameServers: [], nsTtl: 7, multiProvider: true, tag: 5 }),
            )
          else table.sign(ZONE_ID, step === 'sign' ? signingWith([KEY]) : undefined)
        }
        records = step === 'remove' || step === 'move' ? [] : added
        if (step === 'move') for (const table of tables) table.remove(ZONE_ID)
        const [none, all] = tables.map(stateOf)
        expect(none).toEqual(all)
        compared += 1
      }
    }),
    { numRuns: 15 },
  )
  expect(compared).toBeGreaterThan(20)
})

describe('an object of a zone', () => {
  test('is the same one while something refers to it, also while it is changed in chunks', () => {
    const table = createZoneTable({ maxRecent: 0 })
    table.load(zoneOf(APEX, 'a 60 A 192.0.2.1'))
    const zone = table.zone(ZONE_ID)
    const added = Array.from({ length: 3_000 }, (_, i) => recordOf(`n${i} 60 A 192.0.2.2`, APEX, `${i}`))
    const change = table.applying({ zoneId: ZONE_ID, serial: 2, removed: [], added })
    change.next()
    expect(table.zone(ZONE_ID)).toBe(zone)
    expect(table.statistics().records).toBe(1)
    while (change.next().done !== true);
    expect([table.zone(ZONE_ID) === zone, zone?.records, table.statistics().records]).toEqual([
      true,
      3_001,
      3_001,
    ])
  })

  test('is followed also if other zones were used since', () => {
    const table = createZoneTable({ maxRecent: 0 })
    table.load(zoneOf(APEX, 'a 60 A 192.0.2.1'))
    const serials: number[] = []
    const zone = table.zone(ZONE_ID)
    if (zone !== undefined) zone.follower = ({ serialAfter }) => void serials.push(serialAfter)
    table.load(zoneOf('other.test', ''))
    table.apply({ zoneId: ZONE_ID, serial: 2, removed: [], added: [] })
    expect(serials).toEqual([2])
  })

  test('is kept if it has a setting that the directory has not', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void // after that flag
    const table = createZoneTable({ maxRecent: 0 })
    table.load(zoneOf(APEX, 'a 60 A 192.0.2.1'))
    const reconfigure = (hasDigest: boolean): void => {
      const authority = table.zone(ZONE_ID)?.authority
      if (authority !== undefined) table.reconfigure(ZONE_ID, { ...authority, hasDigest })
    }
    reconfigure(true)
    table.load(zoneOf('other.test', ''))
    await new Promise(setImmediate)
    collect()
    expect(table.zone(ZONE_ID)?.authority.hasDigest).toBe(true)
  })
})

test.each([
  ['an ID of 32 hexadecimal digits', HEX_ID],
  ['an ID in 16 octets that those digits mean', TEXT_ID],
  ['an ID of one octet', 'z'],
])('%s is found, and no other one', (_, zoneId) => {
  const table = createZoneTable({ maxRecent: 0 })
  table.load({ ...zoneOf(APEX, ''), zoneId })
  expect(table.zone(zoneId)?.zoneId).toBe(zoneId)
  for (const other of [HEX_ID, TEXT_ID, 'z', '']) expect(table.has(other)).toBe(other === zoneId)
  expect([table.remove(zoneId), table.has(zoneId), table.zoneCount]).toEqual([true, false, 0])
})
