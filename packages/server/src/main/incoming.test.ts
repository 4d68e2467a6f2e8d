// The whole program over its sockets: a secondary zone of a primary elsewhere, well-behaved or not.
import { createHash } from 'node:crypto'
import { encodeRdata, parseName, requireTypeCode, zoneDigestOctets, type TsigKey } from '@zonereeve/dns'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSqlite } from '@zonereeve/storage'
import type { Script, ScriptedPrimary } from '@zonereeve/transfers/scripted-primary.cases.ts'
import { askTcp, KEY } from '@zonereeve/transfers/asking.cases.ts'
import { APEX, startSecondaryWorld, type SecondaryWorld, type Status } from './secondary-world.cases.ts'

const NS = `${APEX} 3600 NS ns1.${APEX}.`
const www = (last: number) => `www.${APEX} 60 A 192.0.2.${last}`
const whole = (serial: number, ...records: string[]) => [[`SOA ${serial}`, NS, ...records, `SOA ${serial}`]]
const good = (serial: number, ...records: string[]): Script => ({
  key: KEY,
  serial,
  axfr: whole(serial, ...records),
})
const WRONG: TsigKey = { ...KEY, secret: new Uint8Array(32).fill(7) }

let world: SecondaryWorld
let primary: ScriptedPrimary

beforeEach(async () => {
  world = await startSecondaryWorld(good(10, www(1)))
  primary = world.primary
})
afterEach(() => world.close())

const must: SecondaryWorld['must'] = (...called) => world.must(...called)
const followPrimary = (isIncremental: boolean) => world.followPrimary(isIncremental)
const statusOf = () => world.statusOf()
const until = (accept: (status: Status) => boolean) => world.until(accept)
const ask = (name: string, type: string) => world.ask(name, type)
const notify = (key: TsigKey | undefined) => world.notify(key)
const addresses = async () => (await ask(`www.${APEX}`, 'A')).records
const historyOf = () => must<{ serial: number | null }[]>('GET', `/zonereeve/zones/${world.zoneId}/changes`)

test('a zone is answered as its primary has it, unknown types included', async () => {
  primary.script = good(
    10,
    www(1),
    `odd.${APEX} 1 TYPE65280 \\# 2 0a0b`,
    `cut.${APEX} 7 NS ns.other.example.`,
  )
  await followPrimary(false)
  await until(({ state }) => state === 'current')
  expect(await addresses()).toEqual([`www.${APEX} 60 A 192.0.2.1`])
  expect((await ask(APEX, 'NS')).records).toEqual([NS])
  expect((await ask(APEX, 'SOA')).records).toEqual([
    `${APEX} 3600 SOA ${APEX}. ${APEX}. 10 3600 600 86400 60`,
  ])
  expect((await ask(`odd.${APEX}`, 'TYPE65280')).records).toEqual([`odd.${APEX} 1 TYPE65280 \\# 2 0a0b`])
  const records = await must<{ type: string; content: string; ttl: number }[]>(
    'GET',
    `/zones/${world.zoneId}/dns_records`,
  )
  expect(records.map(({ type, content, ttl }) => `${ttl} ${type} ${content}`).toSorted()).toEqual([
    '1 TYPE65280 \\# 2 0a0b',
    '3600 NS ns1.followed.example',
    '60 A 192.0.2.1',
    '7 NS ns.other.example',
  ])
})

test('a DNAME hides the records below it', async () => {
  const hidden = `a.d.${APEX} 60 A 192.0.2.9`
  const dname = `d.${APEX} 60 DNAME ${APEX}.`
  primary.script = good(10, www(1), dname, hidden)
  await followPrimary(false)
  await until(({ state }) => state === 'current')
  expect((await ask(`www.d.${APEX}`, 'A')).records).toEqual([
    dname,
    `www.d.${APEX} 60 CNAME www.${APEX}.`,
    www(1),
  ])
  expect((await ask(`a.d.${APEX}`, 'A')).records).toEqual([dname, `a.d.${APEX} 60 CNAME a.${APEX}.`])
  const stored = await must<{ name: string; type: string }[]>('GET', `/zones/${world.zoneId}/dns_records`)
  expect(stored.map(({ name, type }) => `${name} ${type}`)).toEqual(
    expect.arrayContaining([`d.${APEX} TYPE39`, `a.d.${APEX} A`]),
  )
})

test('a dry run sends no queries', async () => {
  await followPrimary(false)
  await until(({ state }) => state === 'current')
  const path = `/zones/${world.zoneId}/secondary_dns/incoming`
  const { peers } = await must<{ peers: string[] }>('GET', path)
  await must('DELETE', path)
  await must('POST', `${path}?dry_run=true`, { name: APEX, peers })
  expect((await world.call('GET', path)).codes).toEqual([19732])
  expect(primary.asked).toEqual(['SOA', 'AXFR'])
})

test('before the first transfer nothing is answered', async () => {
  primary.script = { ...good(10), rcode: 5 }
  await followPrimary(false)
  const { state, problem, soa_serial: serial } = await until((status) => status.problem !== null)
  expect({ state, problem, serial }).toEqual({
    state: 'waiting',
    problem: 'the primary answers REFUSED',
    serial: null,
  })
  expect(await ask(`www.${APEX}`, 'A')).toEqual({ rcode: 2, records: [] })
})

test.each([
  ['by AXFR', false, undefined, ['SOA', 'AXFR', 'SOA', 'AXFR']],
  [
    'by IXFR',
    true,
    [
      ['SOA 11', 'SOA 10', www(1), 'SOA 11'],
      [www(2), 'SOA 11'],
    ],
    ['SOA', 'AXFR', 'SOA', 'IXFR'],
  ],
  ['by IXFR with the whole zone', true, whole(11, www(2)), ['SOA', 'AXFR', 'SOA', 'IXFR']],
  [
    'by AXFR after a difference that does not apply',
    true,
    [['SOA 11', 'SOA 10', www(9), 'SOA 11', www(2), 'SOA 11']],
    ['SOA', 'AXFR', 'SOA', 'IXFR', 'AXFR'],
  ],
  [
    'by AXFR after a difference with a digest',
    true,
    [['SOA 11', 'SOA 10', www(1), 'SOA 11', www(2), `${APEX} 60 ZONEMD 11 1 1 ${'00'.repeat(48)}`, 'SOA 11']],
    ['SOA', 'AXFR', 'SOA', 'IXFR', 'AXFR'],
  ],
  [
    'by AXFR after IXFR got a whole zone with a wrong digest',
    true,
    [['SOA 11', www(3), `${APEX} 60 ZONEMD 11 1 1 ${'00'.repeat(48)}`, 'SOA 11']],
    ['SOA', 'AXFR', 'SOA', 'IXFR', 'AXFR'],
  ],
])('a NOTIFY transfers the change %s, in one change set', async (_, isIncremental, ixfr, asked) => {
  await followPrimary(isIncremental)
  await until(({ soa_serial: serial }) => serial === 10)
  const before = (await historyOf()).length
  primary.script = { ...good(11, www(2)), ...(ixfr === undefined ? {} : { ixfr }) }
  expect(await notify(KEY)).toBe(0)
  await until(({ soa_serial: serial }) => serial === 11)
  expect(await addresses()).toEqual([`www.${APEX} 60 A 192.0.2.2`])
  expect(primary.asked).toEqual(asked)
  const history = await historyOf()
  expect(history.length - before).toBe(1)
  expect(history[0]?.serial).toBe(11)
})

/** The digest (ZONEMD) of `good(serial, www(last))`. */
function digestOf(serial: number, last: number): string {
  const apex = parseName(APEX)
  const times = { refresh: 3_600, retry: 600, expire: 86_400, minimum: 60 }
  const records = [
    {
      name: apex,
      type: 'SOA',
      ttl: 3_600,
      rdata: encodeRdata('SOA', { mname: apex, rname: apex, serial, ...times }),
    },
    { name: apex, type: 'NS', ttl: 3_600, rdata: encodeRdata('NS', { target: parseName(`ns1.${APEX}`) }) },
    { name: parseName(`www.${APEX}`), type: 'A', ttl: 60, rdata: Uint8Array.of(192, 0, 2, last) },
  ]
  const plain = records.map(({ type, ...record }) => ({ ...record, type: requireTypeCode(type) }))
  const hash = createHash('sha384')
  for (const octets of zoneDigestOctets(apex, plain)) hash.update(octets)
  return `${APEX} 60 ZONEMD ${serial} 1 1 ${hash.digest('hex')}`
}

test('a zone that was verified by its primary’s digest says so, until the primary sends none', async () => {
  const verified = async () =>
    (
      await must<{ verified_serial: number | null }>(
        'GET',
        `/zonereeve/zones/${world.zoneId}/secondary_dns/incoming/status`,
      )
    ).verified_serial
  primary.script = good(10, www(1), digestOf(10, 1))
  await followPrimary(false)
  await until(({ soa_serial: serial }) => serial === 10)
  await expect.poll(verified).toBe(10)
  primary.script = good(11, www(2))
  await notify(KEY)
  await until(({ soa_serial: serial }) => serial === 11)
  await expect.poll(verified).toBe(null)
})

test('a NOTIFY from strangers is ignored', async () => {
  await followPrimary(false)
  await until(({ soa_serial: serial }) => serial === 10)
  primary.script = good(11, www(2))
  expect(await notify(undefined)).toBe(5)
  expect(await notify(WRONG)).toBe(9)
  expect(primary.asked).toEqual(['SOA', 'AXFR'])
  expect(await addresses()).toEqual([`www.${APEX} 60 A 192.0.2.1`])
})

const eleven = good(11, www(2))
const ZERO_DIGEST = '00'.repeat(48)
const REFUSED: readonly (readonly [name: string, script: Script, problem: RegExp])[] = [
  ['a lower serial', good(9, www(2)), /serial of the primary, 9, is behind ours, 10/],
  ['a serial half the serial space away', good(10 + 0x8000_0000, www(2)), /is behind ours/],
  [
    'an interrupted transfer',
    { ...eleven, axfr: [['SOA 11', NS, www(2)]], cuts: true },
    /ended the connection/,
  ],
  ['a wrong signature', { ...eleven, key: WRONG }, /signature of the answer is wrong/],
  ['an answer without a signature', { serial: 11, axfr: eleven.axfr }, /not signed/],
  [
    'an end without a signature',
    {
      ...eleven,
      signs: 1,
      axfr: [
        ['SOA 11', NS],
        [www(2), 'SOA 11'],
      ],
    },
    /end of the answer is not signed/,
  ],
  [
    'names of another zone',
    good(11, 'www.other.example 60 A 192.0.2.2'),
    /www.other.example is not in the zone/,
  ],
  ['another class', { ...eleven, class: 3 }, /does not answer for the zone|class 3/],
  ['another answer', { ...eleven, id: (id) => id ^ 1 }, /does not match the query/],
  [
    'records after the end',
    { ...eleven, axfr: [[...(eleven.axfr[0] ?? []), www(3)]] },
    /follow the last SOA/,
  ],
  ['no SOA first', { ...eleven, axfr: [[NS, 'SOA 11']] }, /first record is not the SOA/],
  ['two serials', { ...eleven, axfr: [['SOA 11', NS, 'SOA 12']] }, /changed while it was sent/],
  ['an older zone than announced', { ...eleven, axfr: whole(10, www(2)) }, /not newer/],
  ['no nameservers', { ...eleven, axfr: [['SOA 11', www(2), 'SOA 11']] }, /no NS record/],
  ['a CNAME at the apex', good(11, `${APEX} 60 CNAME other.example.`), /there is a CNAME at the apex/],
  [
    'a CNAME with other records',
    good(11, `a.${APEX} 60 TXT "beside"`, `a.${APEX} 60 CNAME b.${APEX}.`),
    /beside the CNAME at a\.followed\.example/,
  ],
  [
    'two CNAMEs at one name',
    good(11, `a.${APEX} 60 CNAME c.${APEX}.`, `a.${APEX} 60 CNAME b.${APEX}.`),
    /there are two CNAME records at a\./,
  ],
  [
    'two DNAMEs at one name',
    good(11, `d.${APEX} 60 DNAME a.example.`, `d.${APEX} 60 DNAME b.example.`),
    /there are two DNAME records at d\./,
  ],
  [
    'a CNAME with a DNAME',
    good(11, `d.${APEX} 60 DNAME a.example.`, `d.${APEX} 60 CNAME b.example.`),
    /beside the CNAME at d\./,
  ],
  ['an SOA in the middle', good(11, www(2), 'SOA 11', www(3)), /follow the last SOA/],
  ['an SOA elsewhere', good(11, `www.${APEX} 60 SOA a. b. 11 1 1 1 1`), /SOA at www\.followed\.example/],
  ['an address of three octets', good(11, `bad.${APEX} 60 TYPE1 \\# 3 c00002`), /malformed/],
  ['a wrong digest', good(11, www(2), `${APEX} 60 ZONEMD 11 1 1 ${ZERO_DIGEST}`), /ZONEMD\) does not match/],
  ['a refusal', { ...eleven, rcode: 9 }, /answers NOTAUTH/],
]

describe('after an invalid transfer the last valid zone stays', () => {
  test.each(REFUSED)('%s', async (_, script, problem) => {
    await followPrimary(false)
    await until(({ soa_serial: serial }) => serial === 10)
    const before = await historyOf()
    primary.script = script
    await notify(KEY)
    const status = await until((now) => now.problem !== null)
    expect(status).toMatchObject({
      state: 'current',
      soa_serial: 10,
      problem: expect.stringMatching(problem),
    })
    expect(await addresses()).toEqual([`www.${APEX} 60 A 192.0.2.1`])
    expect(await historyOf()).toEqual(before)
    primary.script = good(12, www(3))
    await notify(KEY)
    await until(({ soa_serial: serial }) => serial === 12)
    expect(await addresses()).toEqual([`www.${APEX} 60 A 192.0.2.3`])
  })
})

describe('a zone that cannot be stored', () => {
  const OURS = 'storing the zone failed on this server, not on the primary: see the log of this server'
  /** Makes the given writes fail, as on a full disk. */
  async function refusing(refused: readonly string[], work: () => Promise<void>): Promise<void> {
    const database = await openSqlite(world.database)
    const name = (index: number): string => `refusal_${index}`
    for (const [index, write] of refused.entries())
      database.exec(`CREATE TRIGGER ${name(index)} BEFORE ${write} BEGIN SELECT RAISE(ABORT, 'full'); END`)
    try {
      await work()
    } finally {
      for (const index of refused.keys()) database.exec(`DROP TRIGGER ${name(index)}`)
      database.close()
    }
  }

  test.each([
    ['nor can the reason', ['INSERT ON dns_records', 'INSERT ON followed_zones', 'UPDATE ON followed_zones']],
    ['but the reason can', ['INSERT ON dns_records']],
  ])('stays unchanged, and its status reports it: %s', async (_, refused) => {
    await followPrimary(false)
    await until(({ soa_serial: serial }) => serial === 10)
    const before = await historyOf()
    primary.script = good(11, www(2))
    await refusing(refused, async () => {
      await notify(KEY)
      expect(await until(({ problem }) => problem !== null)).toMatchObject({
        state: 'current',
        soa_serial: 10,
        problem: OURS,
      })
      expect(await addresses()).toEqual([www(1)])
    })
    expect(await historyOf()).toEqual(before)
    expect((await statusOf()).problem).toBe(OURS)
    await notify(KEY)
    expect((await until(({ soa_serial: serial }) => serial === 11)).problem).toBeNull()
    expect(await addresses()).toEqual([www(2)])
  })
})

test('the time of a check without news is stored, but not for each NOTIFY', async () => {
  await followPrimary(false)
  await until(({ state }) => state === 'current')
  const checkedAfter = async (millis: number): Promise<string | undefined> => {
    world.clock.advance(millis)
    const asked = primary.asked.length
    await notify(KEY)
    while (primary.asked.length === asked) await new Promise((resolve) => setTimeout(resolve, 5))
    // Results of a query are stored before the next query.
    await notify(KEY)
    while (primary.asked.length === asked + 1) await new Promise((resolve) => setTimeout(resolve, 5))
    return (await statusOf()).checked_on?.slice(0, 19)
  }
  const first = await checkedAfter(60_000)
  expect([first, await checkedAfter(9_999), await checkedAfter(1)]).toEqual([
    '2026-01-05T10:21:30',
    '2026-01-05T10:21:30',
    '2026-01-05T10:21:40',
  ])
  primary.script = { ...good(10, www(1)), rcode: 5 }
  await notify(KEY)
  await until(({ problem }) => problem !== null)
  primary.script = good(10, www(1))
  await notify(KEY)
  await until(({ problem }) => problem === null)
})

test('a lower serial is accepted on request', async () => {
  await followPrimary(true)
  await until(({ soa_serial: serial }) => serial === 10)
  primary.script = good(9, www(2))
  await notify(KEY)
  await until(({ primary_serial: serial }) => serial === 9)
  expect(await must('POST', `/zones/${world.zoneId}/secondary_dns/force_axfr`)).toBe('OK')
  await until(({ soa_serial: serial }) => serial === 9)
  expect(await addresses()).toEqual([`www.${APEX} 60 A 192.0.2.2`])
})

test('an expired zone is not answered until its primary responds again', async () => {
  // The minimum delays are half a minute and five seconds.
  const times = { refresh: 1, retry: 1, expire: 1 }
  const heard = { ...good(10, www(1)), times }
  const silent = { ...heard, rcode: 2 }
  primary.script = heard
  await followPrimary(false)
  await until(({ state }) => state === 'current')
  primary.script = silent
  world.clock.advance(34_999)
  await notify(KEY)
  expect((await until(({ problem }) => problem !== null)).state).toBe('current')
  expect(await addresses()).toEqual([www(1)])
  world.clock.advance(1)
  await notify(KEY)
  while ((await ask(`www.${APEX}`, 'A')).rcode !== 2) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(await statusOf()).toMatchObject({ state: 'expired', soa_serial: 10 })
  primary.script = heard
  await notify(KEY)
  await until(({ state }) => state === 'current')
  expect(await addresses()).toEqual([www(1)])
})

test('a restart keeps the zone, and a zone without a primary stays', async () => {
  await followPrimary(true)
  await until(({ soa_serial: serial }) => serial === 10)
  primary.script = { ...good(11, www(2)), rcode: 5 }
  await world.restart()
  expect(await addresses()).toEqual([`www.${APEX} 60 A 192.0.2.1`])
  const status = await until(({ problem }) => problem !== null)
  expect(status).toMatchObject({ state: 'current', soa_serial: 10 })
  await must('DELETE', `/zones/${world.zoneId}/secondary_dns/incoming`)
  world.clock.advance(365 * 86_400_000)
  await world.restart()
  expect(await addresses()).toEqual([`www.${APEX} 60 A 192.0.2.1`])
  expect(await notify(undefined)).toBe(5)
})

test('the EXPIRE option has the remaining time, and for a zone without a primary the value of the SOA', async () => {
  const expire = async (): Promise<number | undefined> => {
    const options = [{ code: 9, data: new Uint8Array() }]
    const edns = { udpPayloadSize: 1232, version: 0, dnssecOk: false, options }
    const { messages } = await askTcp(world.dnsPort, { name: APEX, type: 'SOA', edns })
    const data = messages[0]?.edns?.options.find(({ code }) => code === 9)?.data
    return data && Buffer.from(data).readUInt32BE(0)
  }
  await followPrimary(false)
  await until(({ state }) => state === 'current')
  primary.script = { ...good(10, www(1)), rcode: 5 }
  world.clock.advance(1_000_000)
  expect(await expire()).toBe(85_400)
  await world.restart()
  await until(({ problem }) => problem !== null)
  expect(await expire()).toBe(85_400)
  primary.script = good(10, www(1))
  await notify(KEY)
  await until(({ problem }) => problem === null)
  expect(await expire()).toBe(86_400)
  await must('DELETE', `/zones/${world.zoneId}/secondary_dns/incoming`)
  world.clock.advance(1_000_000)
  expect(await expire()).toBe(86_400)
})

test('other nameservers can transfer a secondary zone', async () => {
  await followPrimary(false)
  await until(({ soa_serial: serial }) => serial === 10)
  const [peer] = (await must<{ peers: string[] }>('GET', `/zones/${world.zoneId}/secondary_dns/incoming`))
    .peers
  await must('POST', `/zones/${world.zoneId}/secondary_dns/outgoing`, { name: APEX, peers: [peer] })
  await must('POST', `/zones/${world.zoneId}/secondary_dns/outgoing/enable`)
  const { records } = await askTcp(world.dnsPort, { name: APEX, type: 'AXFR', key: KEY })
  expect(records.slice(1, -1).toSorted()).toEqual([NS, www(1)].toSorted())
})

test.each([
  ['a record is added', 'POST', 'dns_records', { type: 'A', name: 'new', content: '192.0.2.9' }],
  ['a batch', 'POST', 'dns_records/batch', { posts: [{ type: 'A', name: 'new', content: '192.0.2.9' }] }],
  ['other settings', 'PATCH', 'dns_settings', { ns_ttl: 300 }],
  ['signing', 'PATCH', 'dnssec', { status: 'active' }],
])('what the primary decides cannot be changed here: %s', async (_, method, path, body) => {
  await followPrimary(false)
  await until(({ soa_serial: serial }) => serial === 10)
  const before = await historyOf()
  const { status, codes } = await world.call(method, `/zones/${world.zoneId}/${path}`, body)
  expect({ status, codes }).toEqual({ status: 400, codes: [19730] })
  expect(await historyOf()).toEqual(before)
  expect((await ask(`new.${APEX}`, 'A')).records).toEqual([])
})

test('settings of an account for all of its zones do not affect secondary zones', async () => {
  await followPrimary(false)
  await until(({ soa_serial: serial }) => serial === 10)
  const [account] = await must<{ id: string }[]>('GET', '/accounts')
  await must('PATCH', `/accounts/${account?.id ?? ''}/dns_settings`, { enforce_dns_only: true })
  expect(await statusOf()).toMatchObject({ state: 'current', soa_serial: 10 })
  expect(await addresses()).toEqual([www(1)])
})
