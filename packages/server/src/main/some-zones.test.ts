// A node that has the zones of some name servers, beside the one that writes: zones that get these, with their keys, also if
// something of them cannot be read.
import { parseName } from '@zonereeve/dns'
import { silentLog, SYSTEM } from '@zonereeve/platform'
import { query, sql, type Storage } from '@zonereeve/storage'
import { expect, test } from 'vitest'
import { createEventHub, followLog, lastPosition } from '../features/changes/index.ts'
import { findZone } from '../features/zones/index.ts'
import { openReader, startNode, startWriter } from './second-node.cases.ts'

const OWN = ['ns1.own.example']
const OTHER = ['ns1.other.example']

async function start() {
  const { database, storage, clock, node: writer, call } = await startWriter({ peers: 'left alone' })
  const { id } = await call<{ id: string }>('POST', '/zones', { name: 'example.com' })
  const record = { type: 'A', name: 'a', content: '192.0.2.1' }
  const { id: recordId } = await call<{ id: string }>('POST', `/zones/${id}/dns_records`, record)
  await call('PATCH', `/zones/${id}/dnssec`, { status: 'active' })
  const reader = await openReader({ database, storage })
  const own = createEventHub(silentLog)
  let position = await lastPosition(reader)
  /** Gives the zone to these name servers. */
  const assign = (names: readonly string[]) =>
    storage.write(async (tx) => {
      const zone = await findZone(tx, id)
      if (zone === undefined) throw new Error('no zone')
      await writer.features.zones.assignNameServers(tx, zone, names, SYSTEM)
    })
  /** Damages the record, or repairs it. */
  const alterTtl = (by: number) =>
    storage.write((tx) =>
      tx.run(
        query
          .updateTable('dns_records')
          .set({ ttl: sql<number>`ttl + ${by}` })
          .where('id', '=', recordId),
      ),
    )
  const startSecond = async (from: Storage = reader) => {
    const nodes = { reached: () => position }
    const node = await startNode(from, own, clock, { nodes, isFollower: true, zonesOf: OWN })
    const { table, zones } = node.zonePublication
    return {
      follow: async () => void (position = await followLog(reader, own, position)),
      state: () => ({
        isThere: table.has(id),
        isQuarantined: zones.quarantine.has(id),
        keys: table.zone(id)?.signer?.signing.dnskeys.length ?? 0, // it is not signed
        records: table.has(id) ? table.records(id, parseName('a.example.com')).length : 0,
      }),
    }
  }
  return { id, call, reader, assign, alterTtl, startSecond }
}

const ABSENT = { isThere: false, isQuarantined: false, keys: 0, records: 0 }
const SIGNED = { isThere: true, isQuarantined: false, keys: 1, records: 1 }
const QUARANTINED = { ...ABSENT, isThere: true, isQuarantined: true }

test('a signed zone is there, with its keys, as soon as it has name servers of the node; and stays when it gets others', async () => {
  const { id, call, assign, startSecond } = await start()
  const { follow, state } = await startSecond()
  await call('POST', `/zones/${id}/dns_records`, { type: 'A', name: 'b', content: '192.0.2.2' })
  await call('PATCH', `/zones/${id}/dns_settings`, { ns_ttl: 7200 })
  await follow()
  expect(state()).toEqual(ABSENT)
  await assign(OWN)
  await follow()
  expect(state()).toMatchObject({ ...SIGNED, keys: expect.any(Number) })
  expect(state().keys).toBeGreaterThan(0)
  await assign(OTHER)
  await call('PATCH', `/zones/${id}/dns_settings`, { ns_ttl: 3600 })
  await follow()
  expect(state().isThere).toBe(true)
  expect(state().keys).toBeGreaterThan(0)
  // Until the next start.
  expect((await startSecond()).state()).toEqual(ABSENT)
})

test('one with an unreadable record is quarantined, and signed when that is repaired', async () => {
  const { id, call, assign, alterTtl, startSecond } = await start()
  const { follow, state } = await startSecond()
  await alterTtl(1)
  await assign(OWN)
  await follow()
  expect(state()).toEqual(QUARANTINED)
  await alterTtl(-1)
  await call('PATCH', `/zones/${id}/dns_settings`, { ns_ttl: 7200 })
  await follow()
  expect(state().keys).toBeGreaterThan(0)
  expect(state()).toMatchObject({ isThere: true, isQuarantined: false, records: 1 })
})

test('one that is quarantined, and has other name servers when it is repaired, is gone', async () => {
  const { id, call, assign, alterTtl, startSecond } = await start()
  const { follow, state } = await startSecond()
  await alterTtl(1)
  await assign(OWN)
  await follow()
  expect(state()).toEqual(QUARANTINED)
  await alterTtl(-1)
  await assign(OTHER)
  await call('PATCH', `/zones/${id}/dns_settings`, { ns_ttl: 7200 })
  await follow()
  expect(state()).toEqual(ABSENT)
})

test('one that gets name servers of the node while this one starts has its keys', async () => {
  const { reader, assign, startSecond } = await start()
  let isMoved = false
  // The keys of the node's zones are read first.
  const moving: Storage = {
    ...reader,
    async all(compilable) {
      const rows = await reader.all(compilable)
      if (!isMoved && / from "zones"/.test(compilable.compile().sql)) {
        isMoved = true
        await assign(OWN)
        return reader.all(compilable)
      }
      return rows
    },
  }
  const { follow, state } = await startSecond(moving)
  await follow()
  expect(isMoved).toBe(true)
  expect(state().keys).toBeGreaterThan(0)
  expect(state()).toMatchObject({ isThere: true, isQuarantined: false, records: 1 })
})
