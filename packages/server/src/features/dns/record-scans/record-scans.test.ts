// Scans over HTTP, of a nameserver on loopback that plays the current one.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { zoneOf } from '@zonereeve/nameserver/asking.cases.ts'
import { createNameserver, createZoneTable } from '@zonereeve/nameserver'
import { silentLog } from '@zonereeve/platform'
import { createAskServer } from '@zonereeve/resolver'
import { createDnsScan, DEFAULT_DNS_SCAN_LIMITS, type DnsScan } from '@zonereeve/dns-scan'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { expectConsistent } from '../../../testing/change-log.ts'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { MAX_SCANS, WAITING_DAYS } from './record-scans.service.ts'

interface WireRecord {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly content: string
  readonly ttl: number
  readonly proxied: boolean
}

const table = createZoneTable()
const present = createNameserver({ table, log: silentLog })
const random = (octets: number) => crypto.getRandomValues(new Uint8Array(octets))
let honest: DnsScan
/** Replaces the next scans; undefined = a real one. */
let scanZone: DnsScan | undefined
let app: TestApp
let name: string
let zone: string

beforeAll(async () => {
  const { address: host, port } = await present.listen({ host: '127.0.0.1', port: 0 })
  const limits = DEFAULT_DNS_SCAN_LIMITS
  const askServer = createAskServer({ random, limits, recursion: false })
  honest = createDnsScan({ resolver: undefined, servers: [{ host, port }], askServer, random, limits })
  app = await startTestApp({ scanZone: (apex, signal) => (scanZone ?? honest)(apex, signal) })
})
afterAll(async () => {
  await expectConsistent(app.storage)
  await app.close()
  await present.close()
})
beforeEach(async () => {
  scanZone = undefined
  name = `z${crypto.randomUUID()}.example`
  zone = (await app.must('POST', '/zones', { name, account: { id: app.accountId } })).id
  app.events.length = 0
})

/** Loads the zone into the current nameserver, from lines of "name ttl type rdata". */
const standing = (lines: string) => table.load(zoneOf(name, lines))
const LINES = `
  @ 300 MX 10 mail
  www 300 A 192.0.2.1
  www 30 AAAA 2001:db8::1
  mail 604800 A 192.0.2.2
  shop 300 CNAME www.example.net.
`.replace('MX 10 mail', 'MX 10 mail.example.net.')

const path = (rest = '') => `/zones/${zone}/dns_records${rest}`
const post = (rest: string, body?: unknown) =>
  app.call<Record<string, unknown>>({
    method: 'POST',
    path: path(rest),
    ...(body === undefined ? {} : { body }),
  })
const waiting = () => app.call<WireRecord[]>({ method: 'GET', path: path('/scan/review') })
const records = () => app.must<WireRecord[]>('GET', path('?per_page=1000'))
const codes = (answer: Awaited<ReturnType<typeof post>> | Awaited<ReturnType<typeof waiting>>) =>
  answer.json.errors.map(({ code }) => code)
const line = ({ type, name: own, content, ttl, proxied }: WireRecord) =>
  `${own.replace(name, '~')} ${ttl} ${type} ${content}${proxied ? ' proxied' : ''}`

async function scanned(lines = LINES): Promise<WireRecord[]> {
  standing(lines)
  expect((await post('/scan/trigger')).status).toBe(200)
  await app.scans.waitUntilIdle()
  return (await waiting()).json.result
}

const FOUND = [
  'www.~ 60 AAAA 2001:db8::1',
  'mail.~ 86400 A 192.0.2.2',
  'www.~ 300 A 192.0.2.1',
  'shop.~ 300 CNAME www.example.net',
  '~ 300 MX mail.example.net',
]

describe('POST scan/trigger', () => {
  test('found records wait for review, and nothing is added', async () => {
    const log = await app.changeLog(zone)
    standing(LINES)
    const answer = await post('/scan/trigger', {})
    expect(answer.json).toMatchObject({ success: true, result: null, errors: [] })
    await app.scans.waitUntilIdle()
    const { json } = await waiting()
    expect(json.result.map(line).toSorted()).toEqual(FOUND.toSorted())
    expect(json).toMatchObject({
      result_info: { page: 1, count: 5, total_count: 5, total_pages: 1 },
      messages: [],
    })
    expect(await records()).toEqual([])
    expect(await app.changeLog(zone)).toEqual(log)
    expect(app.events).toEqual([])
  })

  test('during a scan the review says so, and a second trigger changes nothing', async () => {
    let end = () => {}
    let begun = 0
    scanZone = async () => {
      begun += 1
      await new Promise<void>((done) => (end = done))
      return { kind: 'surveyed', records: [], isComplete: true, hasVaryingWildcard: false }
    }
    await post('/scan/trigger')
    await expect.poll(() => begun).toBe(1)
    expect((await waiting()).json.messages).toMatchObject([{ code: 19861 }])
    expect((await post('/scan/trigger')).status).toBe(200)
    expect(begun).toBe(1)
    end()
    await app.scans.waitUntilIdle()
    expect((await waiting()).json.messages).toEqual([])
  })

  test('a second scan keeps ids, and records added meanwhile no longer wait', async () => {
    const first = await scanned()
    await app.must('POST', path(), { type: 'A', name: 'www', content: '192.0.2.1', ttl: 900 })
    const second = await scanned(`${LINES}\nblog 300 A 192.0.2.7`)
    const ids = new Set(first.map(({ id }) => id))
    expect(second.filter(({ id }) => !ids.has(id)).map(line)).toEqual(['blog.~ 300 A 192.0.2.7'])
    expect(second.map(line)).not.toContain('www.~ 300 A 192.0.2.1')
  })

  test('a dry run starts nothing', async () => {
    standing(LINES)
    const { json } = await post('/scan/trigger?dry_run=true')
    expect(json).toMatchObject({ success: true, messages: [{ code: 19030 }], changes: [] })
    await app.scans.waitUntilIdle()
    expect((await waiting()).json).toMatchObject({ result: [], messages: [] })
  })

  test.each([
    ['undelegated', 19863],
    ['silent', 19862],
  ] as const)('%s: the review says why it is empty', async (kind, code) => {
    scanZone = () => Promise.resolve({ kind })
    await post('/scan/trigger')
    await app.scans.waitUntilIdle()
    expect((await waiting()).json).toMatchObject({ result: [], messages: [{ code }] })
  })

  test('gaps, a varying wildcard, and unsupported records are reported', async () => {
    scanZone = async (apex, signal) => ({
      ...(await honest(apex, signal)),
      isComplete: false,
      hasVaryingWildcard: true,
    })
    const found = await scanned(
      '123 300 A 192.0.2.1\nwww 300 CNAME 1.2.3.4.\n2023._domainkey 300 TXT "x"\nm 300 A 192.0.2.3',
    )
    expect(found.map(line)).toContain('m.~ 300 A 192.0.2.3')
    expect((await waiting()).json.messages.map(({ code }) => code)).toEqual([19860, 19865, 19864])
  })

  test('an unexpected failure of a scan is logged, and the process continues', async () => {
    scanZone = () => Promise.reject(new Error('unforeseen'))
    app.logged.length = 0
    await post('/scan/trigger')
    await app.scans.waitUntilIdle()
    expect(app.logged.filter(({ level }) => level === 'error')).toMatchObject([
      { event: 'record scan failed' },
    ])
    expect((await waiting()).json.messages).toMatchObject([{ code: 19860 }])
    scanZone = undefined
    expect((await scanned()).length).toBe(5)
  })

  test('a failure that cannot even be stored is logged, and the process continues', async () => {
    const broken = await startTestApp({
      scanZone: async () => {
        await broken.storage.close()
        throw new Error('unforeseen')
      },
    })
    const zone = await broken.must('POST', '/zones', { name: 'example.com' })
    await broken.must('POST', `/zones/${zone.id}/dns_records/scan/trigger`)
    await broken.scans.waitUntilIdle() // an unhandled rejection fails the run
    expect(broken.logged.filter(({ level }) => level === 'error').map(({ event }) => event)).toEqual([
      'record scan failed',
      'record scan could not be ended',
    ])
    await expect(broken.close()).rejects.toThrow('not open') // the storage closes last
  })

  test('the number of concurrent scans is limited, and other requests are not delayed', async () => {
    const ends: (() => void)[] = []
    scanZone = async () => {
      await new Promise<void>((done) => ends.push(done))
      return { kind: 'silent' }
    }
    const zones = await Promise.all(
      Array.from({ length: MAX_SCANS + 2 }, (_, index) =>
        app.must('POST', '/zones', { name: `s${index}.${name}`, account: { id: app.accountId } }),
      ),
    )
    for (const { id } of zones) await app.must('POST', `/zones/${id}/dns_records/scan/trigger`)
    await expect.poll(() => ends.length).toBe(MAX_SCANS)
    expect((await records()).length).toBe(0)
    while (ends.length > 0) {
      ends.splice(0).forEach((end) => end())
      await new Promise((done) => setImmediate(done))
    }
    await app.scans.waitUntilIdle()
  })

  test('waiting records are deleted after their time, and with their zone', async () => {
    await scanned()
    app.clock.advance(WAITING_DAYS * 86_400_000 - 60_000)
    expect((await waiting()).json.result.length).toBe(5)
    app.clock.advance(120_000)
    expect((await waiting()).json.result).toEqual([])
    await scanned()
    await app.must('DELETE', `/zones/${zone}`)
    expect((await waiting()).status).toBe(404)
  })
})

describe('POST scan/review', () => {
  test('accepted records are added in one change set, rejected ones are deleted', async () => {
    const found = await scanned()
    const by = (type: string, own: string) =>
      found.find((each) => each.type === type && each.name.startsWith(own))?.id
    const { json } = await post('/scan/review', {
      accepts: [
        { id: by('A', 'www'), ttl: 900, comment: 'kept' },
        { type: 'CNAME', name: `shop.${name}`, content: 'WWW.example.net.' },
      ],
      rejects: [{ id: by('MX', name) }],
    })
    expect(json).toMatchObject({
      result: {
        accepts: [
          { type: 'A', name: `www.${name}`, content: '192.0.2.1', ttl: 900, comment: 'kept' },
          { type: 'CNAME', name: `shop.${name}`, content: 'www.example.net', ttl: 300 },
        ],
        rejects: [by('MX', name)],
      },
    })
    expect((await records()).map(line)).toEqual(['www.~ 900 A 192.0.2.1', 'shop.~ 300 CNAME www.example.net'])
    expect((await waiting()).json.result.map(line)).toEqual([
      'mail.~ 86400 A 192.0.2.2',
      'www.~ 60 AAAA 2001:db8::1',
    ])
    expect((await app.changeLog(zone)).map(({ ops }) => ops.length)).toEqual([1, 2])
    expect(app.events.length).toBe(1)
  })

  test('an acceptance can be reverted like any change', async () => {
    const [first] = await scanned()
    await post('/scan/review', { accepts: [{ id: first?.id }] })
    expect(
      (await app.call({ method: 'POST', path: `/zonereeve/zones/${zone}/changes/2/revert` })).status,
    ).toBe(200)
    expect(await records()).toEqual([])
  })

  test('a dry run shows the change set, and changes nothing', async () => {
    const [first] = await scanned()
    const { json } = await post('/scan/review?dry_run=true', { accepts: [{ id: first?.id }], rejects: [] })
    expect(json).toMatchObject({ changes: [{ ops: [{ kind: 'dns_record.create' }] }] })
    expect(await records()).toEqual([])
    expect((await waiting()).json.result.length).toBe(5)
  })

  const UNKNOWN_ID = '0'.repeat(32)
  const rows: readonly (readonly [
    string,
    (ids: readonly string[]) => unknown,
    readonly number[],
    readonly string[],
  ])[] = [
    ['an unknown id', () => ({ accepts: [{ id: UNKNOWN_ID }] }), [19856], ['/accepts/0']],
    [
      'a record that was not found',
      () => ({ accepts: [{ type: 'A', name: 'www', content: '192.0.2.99' }] }),
      [19856],
      ['/accepts/0'],
    ],
    ['an empty acceptance', () => ({ accepts: [{}] }), [19856], ['/accepts/0']],
    [
      'an empty rejection, beside a valid acceptance',
      ([id]) => ({ accepts: [{ id }], rejects: [{ id: UNKNOWN_ID }] }),
      [19856],
      ['/rejects/0/id'],
    ],
    ['a bad TTL', ([id]) => ({ accepts: [{ id, ttl: 5 }] }), [9021], ['/accepts/0/ttl']],
    ['another type', ([id]) => ({ accepts: [{ id, type: 'LOC' }] }), [9007], ['/accepts/0/content']],
    ['the same twice', ([id]) => ({ accepts: [{ id }, { id }] }), [81058], ['/accepts/1']],
    ['no list', () => ({ accepts: 'all' }), [6008], ['/accepts']],
    ['a rejection without an id', () => ({ rejects: [{}] }), [6008], ['/rejects/0/id']],
    ['no object', () => [], [6008], ['']],
  ]
  test.each(rows)('rejected: %s; nothing changes', async (_, body, expected, pointers) => {
    const found = await scanned()
    const answer = await post('/scan/review', body(found.map(({ id }) => id)))
    expect(answer.status).toBe(400)
    expect(codes(answer)[0]).toBe(expected[0])
    expect(answer.json.errors[0]?.source?.pointer ?? '').toBe(pointers[0])
    expect(await records()).toEqual([])
    expect((await waiting()).json.result).toEqual(found)
  })

  test('conflicts by now are reported as for any write', async () => {
    const found = await scanned()
    await app.must('POST', path(), { type: 'A', name: 'shop', content: '192.0.2.9' })
    const answer = await post('/scan/review', {
      accepts: [{ id: found.find(({ type }) => type === 'CNAME')?.id }],
    })
    expect([answer.status, codes(answer)]).toEqual([400, [81053]])
  })

  test('an unsupported option is rejected by name', async () => {
    const answer = await app.call({ method: 'GET', path: path('/scan/review?include_shadow_metadata=true') })
    expect([answer.status, answer.json.errors[0]?.source?.pointer]).toEqual([400, '/include_shadow_metadata'])
  })
})

describe('POST scan', () => {
  test('found records are added at once, in one change set', async () => {
    standing(LINES)
    const { json } = await post('/scan')
    expect(json.result).toEqual({ recs_added: 5, total_records_parsed: 5 })
    expect((await records()).map(line).toSorted()).toEqual(FOUND.toSorted())
    expect((await app.changeLog(zone)).map(({ ops }) => ops.length)).toEqual([1, 5])
    const again = await post('/scan')
    expect(again.json.result).toEqual({ recs_added: 0, total_records_parsed: 5 })
    expect((await app.changeLog(zone)).length).toBe(2)
  })

  test('conflicting records are reported, and the rest is added', async () => {
    await app.must('POST', path(), { type: 'A', name: 'shop', content: '192.0.2.9' })
    standing(`${LINES}\ndev 300 DS 1 13 2 ${'AB'.repeat(32)}\ndev 300 NS ns.example.net.`)
    const { json } = await post('/scan')
    expect(json.result).toEqual({ recs_added: 6, total_records_parsed: 7 })
    expect(json.messages).toMatchObject([
      { code: 81053, message: expect.stringContaining(`shop.${name}: `) as string },
    ])
  })

  test('a dry run adds nothing', async () => {
    standing(LINES)
    const { json } = await post('/scan?dry_run=true')
    expect(json).toMatchObject({ result: { recs_added: 5 }, changes: [{ number: 2 }] })
    expect(await records()).toEqual([])
  })

  test.each([
    ['undelegated', 19853],
    ['silent', 19854],
  ] as const)('%s', async (kind, code) => {
    scanZone = () => Promise.resolve({ kind })
    const answer = await post('/scan')
    expect([answer.status, codes(answer)]).toEqual([400, [code]])
    expect(await app.changeCount()).toBeGreaterThan(0)
    expect(await records()).toEqual([])
  })
})

test('without a resolver no server can be queried, and the reply says so', async () => {
  const other = await startTestApp()
  const made = await other.must('POST', '/zones', { name: 'example.com', account: { id: other.accountId } })
  for (const rest of ['', '/trigger']) {
    const answer = await other.call({ method: 'POST', path: `/zones/${made.id}/dns_records/scan${rest}` })
    expect([answer.status, answer.json.errors[0]?.code]).toEqual([400, 19852])
  }
  await other.close()
})

test.each(['/scan', '/scan/trigger', '/scan/review'])('an unknown zone: %s', async (rest) => {
  const answer = await app.call({
    method: 'POST',
    path: `/zones/${'0'.repeat(32)}/dns_records${rest}`,
    body: {},
  })
  expect([answer.status, answer.json.errors[0]?.code]).toEqual([404, 1001])
})

test('a scan that was running when the process ended starts again, and found records are still there', async () => {
  const database = `${scratchFolder()}/scan.db`
  const never: DnsScan = (_, signal) =>
    new Promise((done) => signal.addEventListener('abort', () => done({ kind: 'silent' })))
  const first = await startTestApp({ database, scanZone: never })
  const made = await first.must('POST', '/zones', { name, account: { id: first.accountId } })
  await first.must('POST', `/zones/${made.id}/dns_records/scan/trigger`)
  await first.close()
  standing(LINES)
  const second = await startTestApp({ database, scanZone: honest })
  await second.scans.resume()
  await second.scans.waitUntilIdle()
  await second.close()
  const third = await startTestApp({ database })
  await third.scans.resume()
  const found = await third.must<WireRecord[]>('GET', `/zones/${made.id}/dns_records/scan/review`)
  expect(found.map(line).toSorted()).toEqual(FOUND.toSorted())
  await third.close()
})
