// Transfers over real sockets: who may transfer what, and that the content equals the answers.
import { OPCODE, RCODE, octetsFromLatin1, parseName, TSIG_ERROR } from '@zonereeve/dns'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { recordOf, zoneOf } from '@zonereeve/nameserver/asking.cases.ts'
import { createJournal, type TransferPeer, type ZoneRecord } from '@zonereeve/nameserver'
import { askTcp, askUdp, KEY, startTransfers, type Asked, type Transfers } from './asking.cases.ts'
import { MAX_REFUSALS_LOGGED } from './refusal-log.ts'

const APEX = parseName('example.com')
const ZONE_ID = 'zone-example.com'
const SOA = (serial: number): string =>
  `example.com 3600 SOA ns1.example.net. hostmaster.example.net. ${serial} 10000 2400 604800 1800`
const NS = ['example.com 86400 NS ns1.example.net.', 'example.com 86400 NS ns2.example.net.']
const record = (line: string, id: string): ZoneRecord => recordOf(line, APEX, id)
const WWW = record('www 300 A 192.0.2.1', 'www')
const SUB = record('a.sub 300 TXT "kept"', 'sub')
const peer = (changes: Partial<TransferPeer> = {}): TransferPeer => ({
  id: 'peer',
  address: '127.0.0.1',
  port: 53,
  key: KEY,
  ...changes,
})
const axfr: Asked = { name: 'example.com', type: 'AXFR', key: KEY }
const WITH_EXPIRE = {
  udpPayloadSize: 1232,
  version: 0,
  dnssecOk: false,
  options: [{ code: 9, data: new Uint8Array() }],
}
const ixfr = (serial: number): Asked => ({ ...axfr, type: 'IXFR', serial })

let transfers: Transfers
beforeAll(async () => {
  transfers = await startTransfers(() => {})
})
afterAll(() => transfers.close())
beforeEach(() => {
  const { table, outgoing, policies, logged, stepped } = transfers
  outgoing.follow(ZONE_ID, false)
  table.load({ ...zoneOf('example.com', ''), records: [WWW, SUB] })
  outgoing.follow(ZONE_ID, true)
  open([peer()])
  policies.setKeys({ accountId: 'account', keys: [KEY] })
  logged.length = 0
  transfers.counted.length = 0
  stepped.length = 0
})

function open(peers: readonly TransferPeer[], ranges: readonly string[] = []): void {
  transfers.policies.setZone(ZONE_ID, { zoneId: ZONE_ID, accountId: 'account', peers, ranges })
}

/** Applies a change as a change set does. */
function change(serial: number, removed: readonly ZoneRecord[], added: readonly ZoneRecord[]): void {
  transfers.table.apply({ zoneId: ZONE_ID, serial, removed, added })
}

describe('who may transfer a zone', () => {
  const unsigned: Asked = { name: 'example.com', type: 'AXFR' }
  const cases: [name: string, peers: TransferPeer[], ranges: string[], asked: Asked, ok: boolean][] = [
    ['a peer with its key', [peer()], [], axfr, true],
    ['a peer without its key', [peer()], [], unsigned, false],
    ['the key from another address', [peer({ address: '192.0.2.1' })], [], axfr, false],
    ['the key from a range', [peer({ address: '192.0.2.1' })], ['127.0.0.0/24'], axfr, true],
    ['the key of a peer without an address', [peer({ address: undefined })], [], axfr, true],
    ['a range without the key', [peer()], ['127.0.0.0/24'], unsigned, false],
    ['a peer that has no key', [peer({ key: undefined })], [], unsigned, true],
    [
      'a range of an account without keys',
      [peer({ key: undefined, address: '192.0.2.1' })],
      ['127.0.0.1'],
      unsigned,
      true,
    ],
    ['another address', [peer({ key: undefined, address: '192.0.2.1' })], ['192.0.2.0/24'], unsigned, false],
    ['a key of no peer of the zone', [peer({ key: undefined })], [], axfr, false],
  ]
  test.each(cases)('%s', async (_, peers, ranges, asked, ok) => {
    open(peers, ranges)
    const answer = await askTcp(transfers.port, asked)
    expect(answer.rcode).toBe(ok ? RCODE.NOERROR : RCODE.REFUSED)
    expect(answer.records.length > 0).toBe(ok)
    expect(answer.isSigned).toBe(asked.key !== undefined)
  })

  test('no client, if the zone has no transfers', async () => {
    transfers.policies.setZone(ZONE_ID, undefined)
    for (const asked of [axfr, ixfr(1)]) {
      expect(await askTcp(transfers.port, asked)).toMatchObject({ rcode: RCODE.REFUSED, records: [] })
    }
    expect(transfers.logged.map(({ event }) => event)).toEqual([
      'zone transfer refused',
      'zone transfer refused',
    ])
  })

  test('strangers do not fill the log, however many requests they send', async () => {
    transfers.policies.setZone(ZONE_ID, undefined)
    const unknown = { ...axfr, key: { ...KEY, name: parseName('other') } }
    for (let i = 0; i < MAX_REFUSALS_LOGGED; i += 1) {
      await askUdp(transfers.port, axfr)
      await askUdp(transfers.port, unknown)
    }
    const levels = transfers.logged.map(({ level }) => level)
    expect(levels).toHaveLength(2 * MAX_REFUSALS_LOGGED)
    expect(levels.filter((level) => level !== 'debug').length).toBeLessThanOrEqual(MAX_REFUSALS_LOGGED)
  })

  test('each answer is counted once, with its zone', async () => {
    const soa: Asked = { name: 'example.com', type: 'SOA', key: KEY }
    await askTcp(transfers.port, axfr)
    await askTcp(transfers.port, { name: 'example.com', type: 'AXFR' })
    await askUdp(transfers.port, { ...soa, opcode: OPCODE.NOTIFY })
    await askUdp(transfers.port, { ...soa, key: { ...KEY, name: parseName('other') } })
    await askUdp(transfers.port, soa)
    await askTcp(transfers.port, { ...axfr, name: 'example.org' })
    expect(transfers.counted).toEqual([
      'tcp NOERROR example.com',
      'tcp REFUSED example.com',
      'udp REFUSED example.com',
      'udp NOTAUTH -',
      'udp NOERROR example.com',
      'tcp NOTAUTH -',
    ])
  })

  test('a name that is no apex, and an unknown zone', async () => {
    for (const name of ['www.example.com', 'example.org'])
      expect(await askTcp(transfers.port, { ...axfr, name })).toMatchObject({
        rcode: RCODE.NOTAUTH,
        records: [],
      })
  })
})

describe('signed queries', () => {
  const soa: Asked = { name: 'example.com', type: 'SOA', key: KEY }
  test.each([
    ['UDP', askUdp],
    ['TCP', askTcp],
  ])('over %s are answered signed', async (_, ask) => {
    expect(await ask(transfers.port, soa)).toMatchObject({ records: [SOA(1)], isSigned: true, rcode: 0 })
    const missing = await ask(transfers.port, { ...soa, name: 'no.example.com' })
    expect(missing).toMatchObject({ rcode: RCODE.NXDOMAIN, isSigned: true })
  })

  test.each<[name: string, asked: Partial<Asked>, error: number]>([
    ['with an unknown key', { key: { ...KEY, name: parseName('other') } }, TSIG_ERROR.BADKEY],
    ['with another algorithm', { key: { ...KEY, algorithm: 'hmac-sha512' } }, TSIG_ERROR.BADKEY],
    [
      'with a wrong secret',
      { key: { ...KEY, secret: octetsFromLatin1('0123456789abcdef') } },
      TSIG_ERROR.BADSIG,
    ],
    ['from a clock that is ahead', { aheadSeconds: 301 }, TSIG_ERROR.BADTIME],
  ])('%s are refused, without data of the zone', async (_, changes, error) => {
    for (const question of [soa, axfr]) {
      const answer = await askTcp(transfers.port, { ...question, ...changes })
      expect(answer).toMatchObject({ rcode: RCODE.NOTAUTH, records: [] })
      const [tsig] = answer.messages.flatMap(({ additionals }) => additionals)
      expect(tsig?.type).toBe(250)
      expect(tsig?.rdata.at(-3 - (error === TSIG_ERROR.BADTIME ? 6 : 0))).toBe(error)
    }
    expect(transfers.logged.map(({ event }) => event)).toEqual([
      'dns signature refused',
      'dns signature refused',
    ])
  })

  test('leave room for the signature: records that do not fit beside it are truncated', async () => {
    change(2, [], [record(`long 300 TXT "${'x'.repeat(220)}" "${'x'.repeat(200)}"`, 'long')])
    const long = { name: 'long.example.com', type: 'TXT' }
    expect((await askUdp(transfers.port, long)).records).toHaveLength(1)
    const answer = await askUdp(transfers.port, { ...long, key: KEY })
    expect(answer).toMatchObject({ records: [], isSigned: true, messages: [{ tc: true }] })
    expect((await askTcp(transfers.port, { ...long, key: KEY })).records).toHaveLength(1)
  })

  test('removed keys are unknown', async () => {
    transfers.policies.setKeys({ accountId: 'account', keys: [] })
    expect((await askUdp(transfers.port, soa)).rcode).toBe(RCODE.NOTAUTH)
  })

  const DAY = 86_400_000
  test.each([
    ['the value of the SOA, for a primary zone', undefined, 604_800],
    ['the remaining time, for a secondary zone', 2 * DAY + 3_999, 2 * 86_400 + 3],
    ['more than the SOA value, if so much time remains', 30 * DAY, 30 * 86_400],
    ['zero, if no time remains', -5_000, 0],
  ])('EXPIRE is answered on request: %s', async (_, leftMillis, seconds) => {
    const { expiries, port, clock } = transfers
    expiries.clear()
    if (leftMillis !== undefined) expiries.set(ZONE_ID, clock.now() + leftMillis)
    const data = new Uint8Array(4)
    new DataView(data.buffer).setUint32(0, seconds)
    for (const asked of [soa, { ...soa, key: undefined }, axfr, ixfr(1)]) {
      const { key, ...rest } = asked
      const answer = await askTcp(port, { ...rest, ...(key === undefined ? {} : { key }), edns: WITH_EXPIRE })
      expect(answer.messages[0]?.edns?.options).toEqual([{ code: 9, data }])
    }
    const { messages } = await askTcp(port, { ...soa, edns: { ...WITH_EXPIRE, options: [] } })
    expect(messages[0]?.edns?.options).toEqual([])
  })

  test('EXPIRE is not answered without authority: for expired or unknown zones', async () => {
    transfers.table.load({ ...zoneOf('example.com', ''), isExpired: true })
    for (const name of ['example.com', 'other.test']) {
      const { rcode, messages } = await askTcp(transfers.port, { ...soa, name, edns: WITH_EXPIRE })
      expect(rcode).not.toBe(RCODE.NOERROR)
      expect(messages[0]?.edns?.options).toEqual([])
    }
  })

  test('notifications are refused, signed or not', async () => {
    for (const asked of [soa, { name: 'example.com', type: 'SOA' }])
      expect((await askUdp(transfers.port, { ...asked, opcode: OPCODE.NOTIFY })).rcode).toBe(RCODE.REFUSED)
  })
})

describe('AXFR', () => {
  test('the whole zone between two SOAs', async () => {
    const { records, isSigned } = await askTcp(transfers.port, axfr)
    // Names below the apex are in no order (RFC 5936 §2.2).
    expect([...records.slice(0, 3), ...records.slice(3, -1).toSorted(), records.at(-1)]).toEqual([
      SOA(1),
      ...NS,
      'a.sub.example.com 300 TXT "kept"',
      'www.example.com 300 A 192.0.2.1',
      SOA(1),
    ])
    expect(isSigned).toBe(true)
  })

  test('not over UDP', async () => {
    expect(await askUdp(transfers.port, axfr)).toMatchObject({ rcode: RCODE.REFUSED, records: [] })
  })

  test('of a large zone every record once, in signed messages, as of its start', async () => {
    const many = Array.from({ length: 20_000 }, (_, i) =>
      record(`h${i} 300 A 10.0.${i >> 8}.${i & 255}`, `h${i}`),
    )
    change(2, [], many)
    const whole = askTcp(transfers.port, axfr)
    const hasBegun = () => transfers.logged.some(({ event }) => event === 'zone transfer')
    while (!hasBegun()) await new Promise((resolve) => setImmediate(resolve))
    // During the transfer the zone changes, and other queries are answered.
    change(3, many, [])
    const other = await askUdp(transfers.port, { name: 'www.example.com', type: 'A', key: KEY })
    expect(other.records).toEqual(['www.example.com 300 A 192.0.2.1'])
    const { records, isSigned, messages } = await whole
    expect(isSigned).toBe(true)
    expect(messages.length).toBeGreaterThan(20)
    expect([records[0], records.at(-1)]).toEqual([SOA(2), SOA(2)])
    expect(records).toHaveLength(20_006)
    expect(new Set(records).size).toBe(20_005)
    expect((await askTcp(transfers.port, axfr)).records).toHaveLength(6)
  })
})

describe('IXFR', () => {
  test('the difference since a serial', async () => {
    change(2, [WWW], [record('www 300 A 192.0.2.2', 'www')])
    change(3, [], [record('www 300 A 192.0.2.3', 'www2'), record('new 60 A 192.0.2.9', 'new')])
    expect((await askTcp(transfers.port, ixfr(1))).records).toEqual([
      SOA(3),
      SOA(1),
      'www.example.com 300 A 192.0.2.1',
      SOA(3),
      'www.example.com 300 A 192.0.2.2',
      'www.example.com 300 A 192.0.2.3',
      'new.example.com 60 A 192.0.2.9',
      SOA(3),
    ])
    expect(transfers.stepped).toEqual([ZONE_ID, ZONE_ID])
  })

  test('the SOA alone for clients with the current or a newer serial', async () => {
    for (const serial of [1, 2])
      expect((await askTcp(transfers.port, ixfr(serial))).records).toEqual([SOA(1)])
  })

  test('the whole zone for clients with an unknown serial, or without one', async () => {
    change(9, [], [record('new 60 A 192.0.2.9', 'new')])
    for (const asked of [ixfr(5), { ...axfr, type: 'IXFR' }]) {
      const { records } = await askTcp(transfers.port, asked)
      expect(records.slice(0, 2)).toEqual([SOA(9), NS[0]])
      expect(records.at(-1)).toBe(SOA(9))
    }
  })

  test('a reverted change is left out', async () => {
    change(2, [WWW], [])
    change(3, [], [WWW])
    expect((await askTcp(transfers.port, ixfr(1))).records.slice(2)).toEqual([
      'www.example.com 300 A 192.0.2.1',
      SOA(3),
      'www.example.com 300 A 192.0.2.1',
      SOA(3),
    ])
  })

  test('over UDP a difference that fits, and otherwise the SOA', async () => {
    change(2, [], [record('new 60 A 192.0.2.9', 'new')])
    expect((await askUdp(transfers.port, ixfr(1))).records).toHaveLength(5)
    change(3, [], [record(`long 60 TXT "${'x'.repeat(250)}" "${'x'.repeat(250)}"`, 'long')])
    expect((await askUdp(transfers.port, ixfr(1))).records).toEqual([SOA(3)])
  })

  test('a zone that was loaded again has no journal', async () => {
    change(2, [], [record('new 60 A 192.0.2.9', 'new')])
    transfers.table.load(
      zoneOf('example.com', 'www 300 A 192.0.2.1', { soa: { ...zoneOf('example.com', '').soa, serial: 3 } }),
    )
    expect((await askTcp(transfers.port, ixfr(1))).records.slice(0, 2)).toEqual([SOA(3), NS[0]])
  })

  test('applying the difference from any serial gives the zone', async () => {
    const names = ['a', 'b', 'c']
    const line = fc.record({ at: fc.constantFrom(...names), last: fc.integer({ min: 1, max: 3 }) })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(line, { maxLength: 4 }), { minLength: 1, maxLength: 6 }),
        async (steps) => {
          transfers.table.load(zoneOf('example.com', ''))
          const states = new Map<number, readonly string[]>([[1, await recordsNow()]])
          let present: ZoneRecord[] = []
          for (const [at, lines] of steps.entries()) {
            const next = [...new Set(lines.map(({ at: name, last }) => `${name} 60 A 192.0.2.${last}`))]
            const after = next.map((text) => record(text, text))
            change(at + 2, present, after)
            present = after
            states.set(at + 2, await recordsNow())
          }
          const now = steps.length + 1
          for (const [serial, state] of states) {
            if (serial === now) continue
            const { records } = await askTcp(transfers.port, ixfr(serial))
            expect(applied(state, records).toSorted()).toEqual(states.get(now)?.toSorted())
          }
        },
      ),
      { numRuns: 25 },
    )
  })

  /** Without the SOAs. */
  async function recordsNow(): Promise<readonly string[]> {
    return (await askTcp(transfers.port, axfr)).records.slice(1, -1)
  }

  function applied(state: readonly string[], records: readonly string[]): readonly string[] {
    const isSoa = (text: string): boolean => text.startsWith('example.com 3600 SOA')
    // The whole zone was sent instead.
    if (!isSoa(records[1] ?? '')) return records.slice(1, -1)
    const comes = records.findIndex((text, at) => at > 1 && isSoa(text))
    const remaining = new Set(state)
    for (const text of records.slice(2, comes)) {
      expect(remaining.has(text)).toBe(true)
      remaining.delete(text)
    }
    for (const text of records.slice(comes + 1, -1)) remaining.add(text)
    return [...remaining]
  }
})

describe('journal', () => {
  const soa = { type: 6, ttl: 0, count: 1, wire: new Uint8Array(0), records: [] }
  const rrset = (octet: number) => ({ type: 1, ttl: 0, count: 1, wire: Uint8Array.of(octet), records: [] })
  const step = (serial: number, keys: readonly string[]) => ({
    soaBefore: soa,
    soaAfter: soa,
    serialBefore: serial,
    serialAfter: serial + 1,
    changes: keys.map((key) => ({ key, type: 1, before: rrset(serial), after: rrset(serial + 1) })),
  })

  test('is bounded by changes and by steps, and evicts the oldest', () => {
    const journal = createJournal({ changes: 3, steps: 2 })
    journal.add(step(1, ['a']))
    journal.add(step(2, ['b', 'c']))
    expect(journal.since(1)?.changes).toHaveLength(3)
    journal.add(step(3, ['d']))
    expect(journal.since(1)).toBeUndefined()
    expect(journal.since(2)?.changes).toHaveLength(3)
    journal.add(step(4, ['a', 'b', 'c', 'd']))
    for (const serial of [1, 2, 3, 4, 5]) expect(journal.since(serial)).toBeUndefined()
  })

  test('starts over at a gap, or at a change without a serial', () => {
    const journal = createJournal()
    journal.add(step(1, ['a']))
    journal.add(step(7, ['b']))
    expect([journal.since(1), journal.since(7)?.changes.length]).toEqual([undefined, 1])
    const fresh = createJournal()
    fresh.add({ ...step(1, ['a']), serialAfter: 1 })
    expect(fresh.since(1)).toBeUndefined()
  })

  test('a repeated serial after going back gives no ambiguous difference', () => {
    const journal = createJournal()
    journal.add(step(20, ['a']))
    journal.add(step(21, ['a']))
    journal.add({ ...step(22, ['a']), serialAfter: 20 })
    for (const serial of [20, 21, 22]) expect(journal.since(serial)).toBeUndefined()
    journal.add(step(20, ['b']))
    journal.add(step(21, ['c']))
    expect(journal.since(21)?.changes.map(({ key }) => key)).toEqual(['c'])
    expect(journal.since(22)).toBeUndefined()
  })

  test('a change under the same serial belongs to the previous step', () => {
    const journal = createJournal()
    journal.add(step(1, ['a']))
    journal.add({ ...step(2, ['b']), serialAfter: 2 })
    expect(journal.since(1)?.changes.map(({ key }) => key)).toEqual(['a', 'b'])
  })
})
