// Records of a change set that is not complete.
import { parseName } from '@zonereeve/dns'
import { expect, test } from 'vitest'
import { client, recordOf, zoneOf } from './asking.cases.ts'
import type { RecordsAhead, ZoneDelta, ZoneRecord, ZoneTable } from './index.ts'

const ID = 'zone-example.com'
const APEX = parseName('example.com')
const record = (id: string, line: string): ZoneRecord => recordOf(line, APEX, id)
const www = record('1', 'www 300 A 192.0.2.1')
const many = [
  record('2', '@ 300 NS ns.example.net.'),
  record('3', 'm0.b 300 A 192.0.2.2'),
  ...Array.from({ length: 2_001 }, (_, i) => record(`m${i}`, `m${i}.b 300 A 192.0.2.1`)),
]
const HALF = 1_000

const delta = (serial: number, removed: readonly ZoneRecord[], added: readonly ZoneRecord[]): ZoneDelta => ({
  zoneId: ID,
  serial,
  removed,
  added,
})

function server(records: readonly ZoneRecord[] = []) {
  const { ask, table } = client([zoneOf('example.com', '', { records })])
  const seen = () => ({
    rcodes: ['www', 'm0.b', 'm2000.b', 'b'].map((name) => ask(`${name}.example.com`).rcode),
    first: ask('m0.b.example.com').answer,
    serial: table.serial(ID),
    own: table.zone(ID)?.own,
    statistics: table.statistics(),
  })
  return { table, seen }
}

function begin(table: ZoneTable): RecordsAhead {
  const ahead = table.beginAhead(ID)
  if (ahead === undefined) throw new Error('it can be begun')
  return ahead
}

/** @returns whether the records were made again. */
function apply(table: ZoneTable, change: ZoneDelta, ahead: RecordsAhead): boolean {
  let steps = 0
  for (const _ of { [Symbol.iterator]: () => table.applying(change, ahead) }) steps += 1
  return steps > 0
}

test('what was begun is invisible until its change set is applied, and is not made again', () => {
  const { table, seen } = server([www])
  const before = seen()
  const ahead = begin(table)
  ahead.add(many.slice(0, HALF))
  expect(seen()).toEqual(before)
  ahead.add(many.slice(HALF))
  expect(seen()).toEqual(before)
  const { version } = table
  expect(apply(table, delta(2, [], many), ahead)).toBe(false)
  const expected = server([www])
  expected.table.apply(delta(2, [], many))
  expect(seen()).toEqual(expected.seen())
  expect(table.version).toBeGreaterThan(version)
  // What it has made is not lost, and not applied twice.
  ahead.drop()
  table.apply(delta(3, [many[2] as ZoneRecord], []))
  expected.table.apply(delta(3, [many[2] as ZoneRecord], []))
  expect(seen()).toEqual(expected.seen())
})

const bad = record('bad', 'www 300 A 192.0.2.1')

test.each<[string, (table: ZoneTable, ahead: RecordsAhead) => void, first?: readonly ZoneRecord[]]>([
  ['was dropped', (_, ahead) => ahead.drop()],
  ['has one record less', () => {}, many.slice(0, -1)],
  ['has one record more', (_, ahead) => ahead.add([www])],
  ['has a record that cannot be served', (_, ahead) => ahead.add([{ ...bad, name: 'www.example.net' }])],
  ['has a record twice', (_, ahead) => ahead.add(many.slice(0, 1))],
  ['was followed by another change set', (table) => table.apply(delta(2, [], []))],
  [
    'was followed by another SOA',
    (table) => {
      const authority = table.zone(ID)?.authority
      if (authority !== undefined) table.reconfigure(ID, authority)
    },
  ],
  [
    'was followed by one that was begun later',
    (table, ahead) => {
      expect(table.beginAhead(ID)).toBeUndefined()
      ahead.drop()
      begin(table).add(many)
    },
  ],
  [
    'was begun before the zone was followed',
    (table) => {
      const zone = table.zone(ID)
      if (zone !== undefined) zone.follower = () => {}
      expect(table.beginAhead(ID)).toBeUndefined()
    },
  ],
  ['was begun for a zone that was loaded again', (table) => table.load(zoneOf('example.com', ''))],
])('what %s does not count: the records are made again', (_, meanwhile, first = many) => {
  const { table, seen } = server()
  const ahead = begin(table)
  ahead.add(first)
  meanwhile(table, ahead)
  expect(apply(table, delta(2, [], many), ahead)).toBe(true)
  const expected = server()
  expected.table.apply(delta(2, [], many))
  expect(seen()).toEqual(expected.seen())
})

test('a change set that removes records, too, is made as a whole', () => {
  const { table, seen } = server([www])
  const ahead = begin(table)
  ahead.add(many)
  expect(apply(table, delta(2, [www], many), ahead)).toBe(true)
  const expected = server([www])
  expected.table.apply(delta(2, [www], many))
  expect(seen()).toEqual(expected.seen())
})

test('a change set with a record that cannot be served is refused as if nothing had been begun', () => {
  const { table, seen } = server([www])
  const before = seen()
  const ahead = begin(table)
  const all = [...many, { ...bad, name: 'www.example.net' }]
  ahead.add(all)
  expect(() => apply(table, delta(2, [], all), ahead)).toThrow(
    expect.objectContaining({ reason: 'record.outside_zone' }),
  )
  expect(seen()).toEqual(before)
})

test.each<[string, (table: ZoneTable, ahead: RecordsAhead) => void]>([
  ['when it is dropped', (_, ahead) => ahead.drop()],
  ['with its zone', (table) => void table.remove(ID)],
  ['when it cannot go on', (_, ahead) => ahead.add([{ ...bad, name: 'www.example.net' }])],
])('its memory is free %s', (_, end) => {
  const { table } = server()
  const { store } = table.shares
  const before = store.usedOctets
  const ahead = begin(table)
  ahead.add(many)
  expect(store.usedOctets).toBeGreaterThan(before + 10_000)
  end(table, ahead)
  expect(store.usedOctets).toBeLessThanOrEqual(before)
})

test('the object of a zone is kept only until what was begun has ended', () => {
  const { table } = server()
  const zone = table.zone(ID)
  expect(zone?.isDerivable).toBe(true)
  const dropped = begin(table)
  expect(zone?.isDerivable).toBe(false)
  dropped.drop()
  expect(zone?.isDerivable).toBe(true)
  const refused = begin(table)
  refused.add([{ ...bad, name: 'www.example.net' }])
  expect(zone?.isDerivable).toBe(true)
  const applied = begin(table)
  applied.add(many.slice(1))
  dropped.drop() // it is not the one that is open
  expect(apply(table, delta(2, [], many.slice(1)), applied)).toBe(false)
  expect(zone?.isDerivable).toBe(true)
})

test('a change set of a zone is begun once at a time, and only if the zone is there', () => {
  const { table } = server()
  const ahead = begin(table)
  expect(table.beginAhead(ID)).toBeUndefined()
  ahead.drop()
  expect(table.beginAhead(ID)).toBeDefined()
  expect(table.beginAhead('other')).toBeUndefined()
})
