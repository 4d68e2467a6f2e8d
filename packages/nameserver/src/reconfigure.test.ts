// Replaces a zone's SOA and name servers while it is served: what changes, what stays, and what a refused change
// leaves as it was.
import { parseName } from '@zonereeve/dns'
import { describe, expect, test } from 'vitest'
import { client, recordOf, zoneOf } from './asking.cases.ts'
import type { ZoneAuthority, ZoneRecord } from './zone-data.ts'

const APEX = parseName('example.com')
const ZONE = 'zone-example.com'
const record = (id: string, line: string): ZoneRecord => recordOf(line, APEX, id)
const text = record('1', 'www 300 TXT "a"')

const fallback: ZoneAuthority = zoneOf('example.com', '')
const SOA = 'example.com 3600 SOA ns1.example.net. hostmaster.example.net. 1 10000 2400 604800 1800'
const NS = ['example.com 86400 NS ns1.example.net.', 'example.com 86400 NS ns2.example.net.']

function server(records: readonly ZoneRecord[] = [], given: Partial<ZoneAuthority> = {}) {
  const { table, ask } = client([zoneOf('example.com', '', { records, ...given })])
  return {
    table,
    ask,
    answers: (question: string) => ask(question).answer.toSorted(),
    apply: (serial: number, removed: ZoneRecord[], added: ZoneRecord[]) =>
      table.apply({ zoneId: ZONE, serial, removed, added }),
  }
}

describe('reconfigure', () => {
  const soa = { ...fallback.soa, serial: 2, rname: parseName('dns\\.team.example.org'), retry: 900 }

  test('SOA and negative answers change, with the new serial', () => {
    const { table, ask, answers } = server([text])
    expect(answers('example.com SOA')).toEqual([SOA])
    table.reconfigure(ZONE, { ...fallback, soa: { ...soa, ttl: 1800, minimum: 60 } })
    const line = 'SOA ns1.example.net. dns\\.team.example.org. 2 10000 900 604800 60'
    expect(table.serial(ZONE)).toBe(2)
    expect(answers('example.com SOA')).toEqual([`example.com 1800 ${line}`])
    expect(ask('no.example.com A')).toMatchObject({
      rcode: 'NXDOMAIN',
      authority: [`example.com 60 ${line}`],
    })
    expect(answers('www.example.com TXT')).toEqual(['www.example.com 300 TXT "a"'])
  })

  test('a later change set changes only the serial', () => {
    const { table, answers, apply } = server()
    table.reconfigure(ZONE, { ...fallback, soa, nameServers: ['ns9.example.net'], nsTtl: 60 })
    apply(3, [], [record('2', '@ 300 TXT "b"')])
    expect(answers('example.com SOA')).toEqual([
      'example.com 3600 SOA ns1.example.net. dns\\.team.example.org. 3 10000 900 604800 1800',
    ])
    expect(answers('example.com NS')).toEqual(['example.com 60 NS ns9.example.net.'])
    expect(answers('example.com TXT')).toEqual(['example.com 300 TXT "b"'])
  })

  test('records and their counts stay', () => {
    const { table } = server([
      text,
      record('2', 'a.b 300 TXT "c"'),
      record('3', '@ 300 NS dns1.example.org.'),
    ])
    const before = table.statistics()
    expect(before).toMatchObject({ zones: 1, records: 3, nodes: 4 })
    table.reconfigure(ZONE, { ...fallback, multiProvider: true })
    expect(table.statistics()).toEqual(before)
  })

  test('an unknown zone is refused', () => {
    const { table, answers } = server()
    expect(() => table.reconfigure('another', { ...fallback, nsTtl: 30 })).toThrow('zone.unknown')
    expect(answers('example.com NS')).toEqual(NS)
  })
})

describe('NS records at the apex', () => {
  const own = [record('1', '@ 600 NS dns1.example.org.'), record('2', '@ 300 NS ns1.example.net.')]
  const third = record('3', '@ 90000 NS dns3.example.org.')
  const WITH_OWN = [
    'example.com 300 NS dns1.example.org.',
    'example.com 300 NS ns1.example.net.',
    'example.com 300 NS ns2.example.net.',
  ]

  test('are not answered without multi-provider', () => {
    expect(server(own).answers('example.com NS')).toEqual(NS)
  })

  test('are answered together with the assigned ones with it, each name once, all with the lowest TTL', () => {
    expect(server(own, { multiProvider: true }).answers('example.com NS')).toEqual(WITH_OWN)
  })

  test('appear and disappear when multi-provider is switched', () => {
    const { table, answers } = server(own)
    table.reconfigure(ZONE, { ...fallback, multiProvider: true })
    expect(answers('example.com NS')).toEqual(WITH_OWN)
    table.reconfigure(ZONE, fallback)
    expect(answers('example.com NS')).toEqual(NS)
  })

  test('can be changed by change sets, also while they are not answered', () => {
    const { table, answers, apply } = server(own, { multiProvider: true })
    apply(2, own, [third])
    expect(answers('example.com NS')).toEqual(['example.com 86400 NS dns3.example.org.', ...NS])
    table.reconfigure(ZONE, fallback)
    apply(3, [third], [])
    table.reconfigure(ZONE, { ...fallback, multiProvider: true })
    expect(answers('example.com NS')).toEqual(NS)
    expect(table.statistics().records).toBe(0)
  })

  test.each([
    ['a record that does not exist cannot be removed', [third], [], 'record.missing'],
    [
      'a record that exists cannot be added again',
      [],
      [record('1', '@ 300 NS dns9.example.org.')],
      'record.exists',
    ],
    ['a refused change set has no effect', [third], [text], 'record.missing'],
  ] as const)('%s', (_, removed, added, reason) => {
    const { table, ask, answers, apply } = server(own, { multiProvider: true })
    expect(() => apply(2, [...removed], [...added])).toThrow(reason)
    expect(answers('example.com NS')).toEqual(WITH_OWN)
    expect(ask('www.example.com TXT').rcode).toBe('NXDOMAIN')
    expect(table.serial(ZONE)).toBe(1)
  })
})
