// A zone's SOA and name servers replaced while it is served: what changes, what stays, and what a refusal leaves.
import { decodeMessage, encodeRdata, RCODE, type Name } from '@zonereeve/dns'
import packet, { type RecordType } from 'dns-packet'
import { describe, expect, test } from 'vitest'
import { DEFAULT_LIMITS } from './limits.ts'
import { noMetrics } from './metrics.ts'
import { createResponder, MAX_REPLY_OCTETS } from './responder.ts'
import { createZoneTable, type ZoneTable } from './zone-table.ts'
import type { ZoneAuthority, ZoneRecord } from './zone-data.ts'

const ZONE = 'z1'
const NS = 2
const TXT = 16

const authority = (changed: Partial<ZoneAuthority> = {}): ZoneAuthority => ({
  soa: {
    mname: 'ns1.example.net' as Name,
    rname: 'hostmaster.example.com' as Name,
    serial: 7,
    refresh: 10_000,
    retry: 2_400,
    expire: 604_800,
    minimum: 1_800,
    ttl: 3_600,
  },
  nameServers: ['ns1.example.net', 'ns2.example.net'],
  nsTtl: 86_400,
  multiProvider: false,
  ...changed,
})

const ns = (id: string, target: string, ttl = 300): ZoneRecord => ({
  id,
  name: 'example.com',
  type: NS,
  ttl,
  rdata: encodeRdata('NS', { target: target as Name }),
})

const txt = (id: string, name: string): ZoneRecord => ({
  id,
  name,
  type: TXT,
  ttl: 300,
  rdata: Uint8Array.from([1, 0x61]),
})

function served(records: readonly ZoneRecord[] = [], changed: Partial<ZoneAuthority> = {}) {
  const table = createZoneTable()
  table.load({ zoneId: ZONE, apex: 'example.com', records, ...authority(changed) })
  return { table, ask: asker(table) }
}

function asker(table: ZoneTable) {
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const respond = createResponder({ table, log, limits: DEFAULT_LIMITS, metrics: noMetrics })
  return (name: string, type: RecordType) => {
    const query = packet.encode({ type: 'query', id: 1, questions: [{ name, type, class: 'IN' }] })
    const out = new Uint8Array(MAX_REPLY_OCTETS)
    const octets = respond(query, query.length, 'tcp', out)
    const { answers = [], authorities = [] } = packet.decode(Buffer.from(out.subarray(0, octets)))
    const { rcode } = decodeMessage(out.subarray(0, octets))
    const text = (list: readonly packet.Answer[]) =>
      list.map((each) => `${each.type} ${'ttl' in each ? each.ttl : ''} ${dataText(each)}`)
    return { rcode, answers: text(answers), authorities: text(authorities) }
  }
}

function dataText(answer: packet.Answer): string {
  const value: unknown = 'data' in answer ? answer.data : undefined
  if (answer.type !== 'SOA') return String(value)
  const { mname, rname, serial, refresh, retry, expire, minimum } = answer.data
  return [mname, rname, serial, refresh, retry, expire, minimum].join(' ')
}

const USUAL_NS = ['NS 86400 ns1.example.net', 'NS 86400 ns2.example.net']

describe('reconfigure', () => {
  test('SOA and negative answers are the new ones, at the new serial', () => {
    const { table, ask } = served([txt('1', 'www.example.com')])
    const { soa } = authority()
    const rname = 'dns\\.team.example.org' as Name
    table.reconfigure(
      ZONE,
      authority({ soa: { ...soa, rname, serial: 8, retry: 900, ttl: 1_800, minimum: 60 } }),
    )
    expect(table.serial(ZONE)).toBe(8)
    const line = 'ns1.example.net dns\\.team.example.org 8 10000 900 604800 60'
    expect(ask('example.com', 'SOA').answers).toEqual([`SOA 1800 ${line}`])
    expect(ask('no.example.com', 'A')).toEqual({
      rcode: RCODE.NXDOMAIN,
      answers: [],
      authorities: [`SOA 60 ${line}`],
    })
    expect(ask('www.example.com', 'TXT').answers).toEqual(['TXT 300 a'])
  })

  test('a later change set keeps all but the serial', () => {
    const { table, ask } = served()
    const { soa } = authority()
    table.reconfigure(
      ZONE,
      authority({ soa: { ...soa, serial: 8, ttl: 2_000 }, nameServers: ['ns9.example.net'], nsTtl: 60 }),
    )
    table.apply({ zoneId: ZONE, serial: 9, removed: [], added: [txt('1', 'example.com')] })
    expect(ask('example.com', 'SOA').answers).toEqual([
      'SOA 2000 ns1.example.net hostmaster.example.com 9 10000 2400 604800 1800',
    ])
    expect(ask('example.com', 'NS').answers).toEqual(['NS 60 ns9.example.net'])
    expect(ask('example.com', 'TXT').answers).toEqual(['TXT 300 a'])
  })

  test('records and their counts stay', () => {
    const { table } = served([txt('1', 'example.com'), txt('2', 'a.b.example.com'), ns('3', 'x.example.org')])
    const before = table.statistics()
    table.reconfigure(ZONE, authority({ multiProvider: true }))
    expect(table.statistics()).toEqual(before)
    expect(before).toEqual({ zones: 1, records: 3, nodes: 3 })
  })

  test('an unknown zone is refused', () => {
    const { table, ask } = served()
    expect(() => table.reconfigure('z2', authority({ nsTtl: 30 }))).toThrow('zone.unknown')
    expect(ask('example.com', 'NS').answers).toEqual(USUAL_NS)
  })
})

describe('NS records at the apex', () => {
  const own = [ns('1', 'dns1.example.org', 600), ns('2', 'ns1.example.net')]
  const WITH_OWN = ['NS 300 dns1.example.org', 'NS 300 ns1.example.net', 'NS 300 ns2.example.net']

  test('are not answered without multi-provider', () => {
    const { ask } = served(own)
    expect(ask('example.com', 'NS').answers).toEqual(USUAL_NS)
  })

  test('are answered beside the assigned ones with it, each name once, all with the lowest TTL', () => {
    const { ask } = served(own, { multiProvider: true })
    expect(ask('example.com', 'NS').answers.toSorted()).toEqual(WITH_OWN)
  })

  test('appear and go as it is switched', () => {
    const { table, ask } = served(own)
    table.reconfigure(ZONE, authority({ multiProvider: true }))
    expect(ask('example.com', 'NS').answers.toSorted()).toEqual(WITH_OWN)
    table.reconfigure(ZONE, authority())
    expect(ask('example.com', 'NS').answers).toEqual(USUAL_NS)
  })

  test('change with change sets', () => {
    const { table, ask } = served(own, { multiProvider: true })
    table.apply({ zoneId: ZONE, serial: 8, removed: own, added: [ns('3', 'dns3.example.org', 90_000)] })
    expect(ask('example.com', 'NS').answers.toSorted()).toEqual([
      'NS 86400 dns3.example.org',
      'NS 86400 ns1.example.net',
      'NS 86400 ns2.example.net',
    ])
    table.apply({ zoneId: ZONE, serial: 9, removed: [ns('3', 'dns3.example.org', 90_000)], added: [] })
    expect(ask('example.com', 'NS').answers).toEqual(USUAL_NS)
  })

  test('are watched as all records are: what is not there cannot go, what is there cannot come again', () => {
    const { table, ask } = served(own, { multiProvider: true })
    const apply = (removed: ZoneRecord[], added: ZoneRecord[]) =>
      table.apply({ zoneId: ZONE, serial: 8, removed, added })
    expect(() => apply([ns('9', 'dns9.example.org')], [])).toThrow('record.missing')
    expect(() => apply([], [ns('1', 'dns9.example.org')])).toThrow('record.exists')
    expect(() => apply([ns('9', 'dns9.example.org')], [txt('5', 'www.example.com')])).toThrow(
      'record.missing',
    )
    expect(ask('example.com', 'NS').answers.toSorted()).toEqual(WITH_OWN)
    expect(ask('www.example.com', 'TXT').rcode).toBe(RCODE.NXDOMAIN)
    expect(table.serial(ZONE)).toBe(7)
  })
})
