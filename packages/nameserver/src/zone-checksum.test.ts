// Checksums of zones in memory: equal for equal records, whatever way they came, and different for each difference.
import { encodeRdata, parseName } from '@zonereeve/dns'
import { expect, test } from 'vitest'
import { checksumOf } from './zone-checksum.ts'
import type { ZoneAuthority, ZoneRecord } from './zone-data.ts'
import { createZoneTable } from './zone-table.ts'

const apex = parseName('example.com')
const authority: ZoneAuthority = {
  soa: { mname: apex, rname: apex, serial: 3, refresh: 1, retry: 1, expire: 1, minimum: 1, ttl: 60 },
  nameServers: ['ns.example.com'],
  nsTtl: 60,
  multiProvider: false,
}
const A = 1
const record = (name: string, address: string, ttl = 60): ZoneRecord => ({
  id: `${name} ${address}`,
  name: parseName(`${name}.example.com`),
  type: A,
  ttl,
  rdata: encodeRdata('A', { address }),
})
const NONE = new Map<string, readonly ZoneRecord[]>()

function sumOf(records: readonly ZoneRecord[], more: Partial<ZoneAuthority> = {}, replaced = NONE) {
  const table = createZoneTable()
  table.load({ zoneId: 'z', apex, ...authority, ...more, records })
  const zone = table.zone('z')
  if (zone === undefined) throw new Error('the zone was not loaded')
  return checksumOf(zone, replaced)
}

const records = [record('a', '192.0.2.1'), record('a', '192.0.2.2'), record('b', '192.0.2.1')]

test('the way to the records does not matter', async () => {
  const table = createZoneTable()
  const zone = { zoneId: 'z', apex, ...authority, soa: { ...authority.soa, serial: 2 } }
  table.load({ ...zone, records: [record('gone', '192.0.2.9'), ...records.slice(1)] })
  table.apply({
    zoneId: 'z',
    serial: 3,
    removed: [record('gone', '192.0.2.9')],
    added: records.slice(0, 1),
    marks: [],
  })
  const built = table.zone('z')
  expect(built && (await checksumOf(built, NONE))).toBe(await sumOf(records.toReversed()))
})

test.each([
  ['a record less', sumOf(records.slice(1))],
  ['another address', sumOf([...records.slice(0, 2), record('b', '192.0.2.3')])],
  ['another TTL', sumOf([...records.slice(0, 2), record('b', '192.0.2.1', 61)])],
  ['another serial', sumOf(records, { soa: { ...authority.soa, serial: 4 } })],
  ['another name server', sumOf(records, { nameServers: ['ns2.example.com'] })],
])('%s is a difference', async (_, other) => {
  expect(await other).not.toBe(await sumOf(records))
})

test('of names that nodes find out by themselves, what is stored counts', async () => {
  const replaced = new Map([[parseName('b.example.com') as string, [record('b', '198.51.100.1')]]])
  const sum = await sumOf(records, {}, replaced)
  expect(sum).toBe(await sumOf([...records.slice(0, 2), record('b', '203.0.113.7')], {}, replaced))
  expect(sum).not.toBe(await sumOf(records, {}, new Map([[parseName('b.example.com') as string, []]])))
  expect(await sumOf(records, { isExpired: true })).toBe(await sumOf(records))
})
