// The whole program over its sockets: a zone that follows a primary elsewhere, well-behaved or not.
import type { TsigKey } from '@zonereeve/dns'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSqlite } from '../storage/sqlite-driver.ts'
import type { Script, ScriptedPrimary } from '../testing/scripted-primary.ts'
import { askTcp, KEY } from '../transfers/asking.cases.ts'
import { APEX, startFollowedWorld, type FollowedWorld, type Status } from './followed-world.cases.ts'

const NS = `${APEX} 3600 NS ns1.${APEX}.`
const www = (last: number) => `www.${APEX} 60 A 192.0.2.${last}`
const whole = (serial: number, ...records: string[]) => [[`SOA ${serial}`, NS, ...records, `SOA ${serial}`]]
const good = (serial: number, ...records: string[]): Script => ({
  key: KEY,
  serial,
  axfr: whole(serial, ...records),
})
const WRONG: TsigKey = { ...KEY, secret: new Uint8Array(32).fill(7) }

let world: FollowedWorld
let primary: ScriptedPrimary

beforeEach(async () => {
  world = await startFollowedWorld(good(10, www(1)))
  primary = world.primary
})
afterEach(() => world.close())

const must: FollowedWorld['must'] = (...called) => world.must(...called)
const followPrimary = (isIncremental: boolean) => world.followPrimary(isIncremental)
const statusOf = () => world.statusOf()
const until = (accept: (status: Status) => boolean) => world.until(accept)
const ask = (name: string, type: string) => world.ask(name, type)
const notify = (key: TsigKey | undefined) => world.notify(key)
const addresses = async () => (await ask(`www.${APEX}`, 'A')).records
const historyOf = () => must<{ serial: number | null }[]>('GET', `/zonereeve/zones/${world.zoneId}/changes`)

test('a zone is answered as its primary has it, types without a name too', async () => {
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

test('a dry run asks nobody', async () => {
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
  ['by IXFR that is a whole zone', true, whole(11, www(2)), ['SOA', 'AXFR', 'SOA', 'IXFR']],
  [
    'by AXFR after a difference that does not fit',
    true,
    [['SOA 11', 'SOA 10', www(9), 'SOA 11', www(2), 'SOA 11']],
    ['SOA', 'AXFR', 'SOA', 'IXFR', 'AXFR'],
  ],
])('a notification brings the change %s, in one change set', async (_, isIncremental, ixfr, asked) => {
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

test('strangers are not heard', async () => {
  await followPrimary(false)
  await until(({ soa_serial: serial }) => serial === 10)
  primary.script = good(11, www(2))
  expect(await notify(undefined)).toBe(5)
  expect(await notify(WRONG)).toBe(9)
  expect(primary.asked).toEqual(['SOA', 'AXFR'])
  expect(await addresses()).toEqual([`www.${APEX} 60 A 192.0.2.1`])
})

const eleven = good(11, www(2))
const REFUSED: readonly (readonly [name: string, script: Script, problem: RegExp])[] = [
  ['a serial that goes back', good(9, www(2)), /serial of the primary, 9, is behind ours, 10/],
  ['a serial half the circle away', good(10 + 0x8000_0000, www(2)), /is behind ours/],
  [
    'a transfer that is cut',
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
  ['another answer', { ...eleven, id: (id) => id ^ 1 }, /is not the answer/],
  [
    'records behind the end',
    { ...eleven, axfr: [[...(eleven.axfr[0] ?? []), www(3)]] },
    /follow the last SOA/,
  ],
  ['no SOA first', { ...eleven, axfr: [[NS, 'SOA 11']] }, /first record is not the SOA/],
  ['two serials', { ...eleven, axfr: [['SOA 11', NS, 'SOA 12']] }, /changed while it was sent/],
  ['an older zone than announced', { ...eleven, axfr: whole(10, www(2)) }, /not newer/],
  ['no name servers', { ...eleven, axfr: [['SOA 11', www(2), 'SOA 11']] }, /no NS record/],
  ['an alias at the apex', good(11, `${APEX} 60 CNAME other.example.`), /CNAME stands at the apex/],
  [
    'an alias with other records',
    good(11, `a.${APEX} 60 TXT "beside"`, `a.${APEX} 60 CNAME b.${APEX}.`),
    /beside the CNAME at a\.followed\.example/,
  ],
  [
    'two aliases in one place',
    good(11, `a.${APEX} 60 CNAME c.${APEX}.`, `a.${APEX} 60 CNAME b.${APEX}.`),
    /two CNAME records stand at a\./,
  ],
  ['an SOA in the middle', good(11, www(2), 'SOA 11', www(3)), /follow the last SOA/],
  ['an SOA elsewhere', good(11, `www.${APEX} 60 SOA a. b. 11 1 1 1 1`), /SOA at www\.followed\.example/],
  ['a signed zone', good(11, `www.${APEX} 60 TYPE47 \\# 4 00000140`), /zone is signed/],
  ['an alias of a tree', good(11, `tree.${APEX} 60 DNAME other.example.`), /DNAME records/],
  ['an address of three octets', good(11, `bad.${APEX} 60 TYPE1 \\# 3 c00002`), /malformed/],
  ['a refusal', { ...eleven, rcode: 9 }, /answers NOTAUTH/],
]

describe('what misbehaves leaves the last good zone', () => {
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
  const OURS = 'taking it failed here, not at the primary: the log of this server says why'
  /** As a full disk does, but for what is refused. */
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
    ['not even why', ['INSERT ON dns_records', 'INSERT ON followed_zones', 'UPDATE ON followed_zones']],
    ['but why can be', ['INSERT ON dns_records']],
  ])('stays as it was, and its status tells of it: %s', async (_, refused) => {
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

test('a primary that has nothing new is stored to have been heard of, but not for each notification', async () => {
  await followPrimary(false)
  await until(({ state }) => state === 'current')
  const checkedAfter = async (millis: number): Promise<string | undefined> => {
    world.clock.advance(millis)
    const asked = primary.asked.length
    await notify(KEY)
    while (primary.asked.length === asked) await new Promise((resolve) => setTimeout(resolve, 5))
    // Whatever is stored of it is stored before the next question.
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

test('a serial that goes back is followed when that is asked for', async () => {
  await followPrimary(true)
  await until(({ soa_serial: serial }) => serial === 10)
  primary.script = good(9, www(2))
  await notify(KEY)
  await until(({ primary_serial: serial }) => serial === 9)
  expect(await must('POST', `/zones/${world.zoneId}/secondary_dns/force_axfr`)).toBe('OK')
  await until(({ soa_serial: serial }) => serial === 9)
  expect(await addresses()).toEqual([`www.${APEX} 60 A 192.0.2.2`])
})

test('a zone that is too old is not answered until its primary is heard of again', async () => {
  // Half a minute and five seconds are the least that is waited.
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

test('a restart keeps the zone, and what follows nobody any more stays', async () => {
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

test('who asks how long a copy is good for is told what is left of it, and of a zone that follows nobody what its SOA says', async () => {
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

test('others can follow what follows', async () => {
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
])('what a primary decides cannot be changed here: %s', async (_, method, path, body) => {
  await followPrimary(false)
  await until(({ soa_serial: serial }) => serial === 10)
  const before = await historyOf()
  const { status, codes } = await world.call(method, `/zones/${world.zoneId}/${path}`, body)
  expect({ status, codes }).toEqual({ status: 400, codes: [19730] })
  expect(await historyOf()).toEqual(before)
  expect((await ask(`new.${APEX}`, 'A')).records).toEqual([])
})

test('what an account asks of all of its zones leaves those that follow a primary alone', async () => {
  await followPrimary(false)
  await until(({ soa_serial: serial }) => serial === 10)
  const [account] = await must<{ id: string }[]>('GET', '/accounts')
  await must('PATCH', `/accounts/${account?.id ?? ''}/dns_settings`, { enforce_dns_only: true })
  expect(await statusOf()).toMatchObject({ state: 'current', soa_serial: 10 })
  expect(await addresses()).toEqual([www(1)])
})
