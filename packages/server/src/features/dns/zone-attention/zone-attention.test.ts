import { ATTENTION_REASONS, type WireZoneNeedingAttention } from '@zonereeve/contract'
import type { Caller } from '@zonereeve/platform'
import { query, type Reader } from '@zonereeve/storage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { expectDocumented } from '../../../testing/documented.ts'
import { allow, deny, makeToken } from '../../../testing/test-tokens.ts'
import { REASONS } from './zone-attention.rules.ts'
import { createZoneAttention } from './zone-attention.service.ts'
import { zonesWithFailedTransfer, zonesWithMalicious } from './zone-attention.store.ts'

const PATH = '/zonereeve/zone_attention'

let app: TestApp
let peerId = ''
const ids = new Map<string, string>()
const idOf = (name: string) => ids.get(name) ?? 'none'

beforeEach(async () => {
  app = await startTestApp()
  const peer = { name: 'primary', ip: '192.0.2.53' }
  peerId = (await app.must('POST', `/accounts/${app.accountId}/secondary_dns/peers`, peer)).id
  for (const name of ['good.example', 'scripts.example', 'behind.example'])
    ids.set(name, (await app.must('POST', '/zones', { name })).id)
  const name = 'copied.example'
  ids.set(name, (await app.must('POST', '/zones', { name, type: 'secondary' })).id)
  await app.must('POST', `/zones/${idOf(name)}/secondary_dns/incoming`, { name, peers: [peerId] })
})
afterEach(() => app.close())

/** The transfer of the secondary zone fails. */
const failTransfer = () => app.secondaryDns.incoming.fail(idOf('copied.example'), 'no answer', undefined)

async function makeMalicious(): Promise<void> {
  const zone = idOf('scripts.example')
  await app.must('PUT', `/zones/${zone}/page_shield`, { enabled: true })
  await app.must('POST', `/zonereeve/zones/${zone}/page_shield/observations`, {
    observations: [
      { page_url: 'https://scripts.example/', scripts: ['https://a.test/a.js', 'https://a.test/b.js'] },
    ],
  })
  await app.storage.write((tx) => tx.run(query.updateTable('page_shield_resources').set({ is_malicious: 1 })))
}

/** What a node says whose peers are behind, and which could not read a zone. */
const attentionOf = (
  more: { behind?: string[]; unreadable?: string[]; storage?: Reader; maxZones?: number } = {},
) =>
  createZoneAttention({
    storage: more.storage ?? app.storage,
    clock: app.clock,
    zonesBehind: (limit, among) => (more.behind ?? []).filter((id) => among?.has(id) ?? true).slice(0, limit),
    unreadableZones: () => more.unreadable ?? [],
    ...(more.maxZones === undefined ? {} : { maxZones: more.maxZones }),
  })

/** A caller who may read these zones: by default all, with all of their reasons. */
const callerOf = (zones?: readonly string[], groups?: readonly string[]): Caller => {
  const reach = { everything: zones === undefined, zoneIds: zones ?? [], accountIds: [] }
  const asked: Pick<Caller, 'can' | 'reach'> = {
    can: (anyOf, target) =>
      (zones === undefined || (target.kind === 'zone' && zones.includes(target.zoneId))) &&
      (groups === undefined || anyOf.some((group) => groups.includes(group))),
    reach: () => [{ ...reach, exceptAccountIds: [], exceptZoneIds: [] }],
  }
  return asked as Caller // nothing else is read
}
const everything = callerOf()
const ALL = { offset: 0, limit: 100 }

/** `name reasons` of each zone. */
const described = (
  found: readonly { readonly zone: { readonly name: string }; readonly reasons: readonly string[] }[],
) => found.map(({ zone, reasons }) => `${zone.name} ${reasons.join(' ')}`)

async function asked(token?: string): Promise<string[]> {
  const answer = await app.call<WireZoneNeedingAttention[]>({
    method: 'GET',
    path: PATH,
    ...(token === undefined ? {} : { token }),
  })
  expectDocumented('GET', PATH, answer.status, answer.json)
  expect(answer.json.result_info).toMatchObject({ total_count: answer.json.result.length, is_complete: true })
  return described(answer.json.result)
}

test('the contract has every reason, and no other', () => expect(REASONS).toEqual([...ATTENTION_REASONS]))

test('nothing is wrong with new zones', async () => expect(await asked()).toEqual([]))

test('zones with stored problems are listed by name, and no longer than the problems last', async () => {
  await failTransfer()
  await makeMalicious()
  expect(await asked()).toEqual(['copied.example transfer_failed', 'scripts.example malicious'])
  await app.secondaryDns.incoming.confirm(idOf('copied.example'))
  app.clock.advance(5_000)
  expect(await asked()).toEqual(['scripts.example malicious'])
  await app.must('DELETE', `/zones/${idOf('scripts.example')}`)
  app.clock.advance(5_000)
  expect(await asked()).toEqual([])
})

test('a failed transfer from a primary that was removed does not count', async () => {
  await failTransfer()
  await app.must('DELETE', `/zones/${idOf('copied.example')}/secondary_dns/incoming`)
  expect(await asked()).toEqual([])
})

test('a zone has all of its reasons; IDs that are no zones are left out', async () => {
  await makeMalicious()
  const attention = attentionOf({
    behind: [idOf('behind.example'), 'catalog of an account', idOf('scripts.example')],
    unreadable: [idOf('scripts.example')],
  })
  const { zones, totalCount } = await attention.list(everything, ALL)
  expect(described(zones)).toEqual([
    'behind.example secondaries_behind',
    'scripts.example unreadable secondaries_behind malicious',
  ])
  expect(totalCount).toBe(2)
})

test('a zone whose own row cannot be read is neither listed nor counted', async () => {
  await failTransfer()
  await makeMalicious()
  const own = query.updateTable('zones').set({ name_servers: 'no JSON' })
  await app.storage.write((tx) => tx.run(own.where('id', '=', idOf('copied.example'))))
  expect(await asked()).toEqual(['scripts.example malicious'])
})

const limited: [name: string, caller: () => Caller, shown: string[], isComplete: boolean][] = [
  [
    'too many zones',
    () => everything,
    [
      'copied.example transfer_failed',
      'good.example unreadable secondaries_behind',
      'scripts.example secondaries_behind malicious',
    ],
    false,
  ],
  [
    'few zones',
    () => callerOf([idOf('good.example'), idOf('behind.example')]),
    ['behind.example secondaries_behind', 'good.example unreadable secondaries_behind'],
    true,
  ],
  ['few zones without problems', () => callerOf(['none']), [], true],
  [
    'few zones with stored problems',
    () => callerOf([idOf('scripts.example'), idOf('copied.example')]),
    ['copied.example transfer_failed', 'scripts.example secondaries_behind malicious'],
    true,
  ],
]
test.each(limited)('more zones than are counted: a caller who may read %s', async (_, caller, shown, is) => {
  await failTransfer()
  await makeMalicious()
  const behind = ['scripts.example', 'good.example', 'behind.example'].map(idOf)
  const attention = attentionOf({ behind, unreadable: [idOf('good.example')], maxZones: 2 })
  const { zones, totalCount, isComplete } = await attention.list(caller(), ALL)
  expect(isComplete).toBe(is)
  expect(totalCount).toBe(zones.length)
  expect(described(zones)).toEqual(shown)
})

test('as many zones as are counted are all', async () => {
  const attention = attentionOf({ behind: [idOf('good.example'), idOf('behind.example')], maxZones: 2 })
  expect(await attention.list(everything, ALL)).toMatchObject({ totalCount: 2, isComplete: true })
})

const needed: [reason: string, groups: string[], other: string[]][] = [
  ['unreadable', ['Zone Read'], []],
  ['secondaries_behind', ['Zone Read', 'DNS Read'], ['Zone Read', 'Domain Page Shield Read']],
]
test.each(needed)('%s is seen with its permission only', async (reason, groups, other) => {
  const ids = [idOf('good.example')]
  const attention = attentionOf(reason === 'unreadable' ? { unreadable: ids } : { behind: ids })
  const seen = async (more: readonly string[]) =>
    described((await attention.list(callerOf(undefined, more), ALL)).zones)
  expect(await seen(groups)).toEqual([`good.example ${reason}`])
  expect(await seen(other)).toEqual([])
  expect(await seen(groups.filter((group) => group !== 'Zone Read'))).toEqual([])
})

test('pages', async () => {
  const attention = attentionOf({ behind: [...ids.values()] })
  const { zones, totalCount } = await attention.list(everything, { offset: 2, limit: 1 })
  expect(described(zones)).toEqual(['good.example secondaries_behind'])
  expect(totalCount).toBe(4)
})

test('an answer is given again for five seconds, to every caller, and a failure is not', async () => {
  const statements: string[] = []
  let isBroken = true
  const counting: Reader = {
    ...app.storage,
    all: (compilable) => {
      if (isBroken) throw new Error('the database does not answer')
      statements.push(compilable.compile().sql)
      return app.storage.all(compilable)
    },
  }
  const attention = attentionOf({ storage: counting })
  await expect(attention.list(everything, ALL)).rejects.toThrow('does not answer')
  isBroken = false
  await attention.list(everything, ALL)
  const first = statements.length
  expect(first).toBeGreaterThan(0)
  app.clock.advance(4_999)
  await attention.list(everything, ALL)
  expect(statements.length).toBe(first)
  app.clock.advance(1)
  await attention.list(everything, ALL)
  expect(statements.length).toBe(2 * first)
})

test('callers see the zones and the reasons that they may read', async () => {
  await failTransfer()
  await makeMalicious()
  const on = 'account.zone.*'
  const zonesOnly = await makeToken(app, [allow(['Zone Read'], on)])
  expect(await asked(zonesOnly)).toEqual([])
  const dns = await makeToken(app, [allow(['Zone Read', 'DNS Read'], on)])
  expect(await asked(dns)).toEqual(['copied.example transfer_failed'])
  const monitoring = await makeToken(app, [allow(['Zone Read', 'Domain Page Shield Read'], on)])
  expect(await asked(monitoring)).toEqual(['scripts.example malicious'])
  const denied = await makeToken(app, [
    allow(['Zone Read', 'DNS Read', 'Domain Page Shield Read'], on),
    deny(['Zone Read', 'Zone Write'], `account.zone.${idOf('copied.example')}`),
  ])
  expect(await asked(denied)).toEqual(['scripts.example malicious'])
})

test('stored problems are found by their own indexes, whatever the number of zones', async () => {
  const statements: { sql: string; parameters: readonly unknown[] }[] = []
  const watching = {
    ...app.storage,
    all: (compilable) => {
      statements.push(compilable.compile())
      return app.storage.all(compilable)
    },
  } satisfies Reader
  await zonesWithMalicious(watching, 10)
  await zonesWithFailedTransfer(watching, 10)
  const plans = []
  for (const { sql, parameters } of statements) {
    const plan = { sql: `EXPLAIN QUERY PLAN ${sql}`, parameters } as never // the members that executors read
    const steps = await app.storage.all<{ detail: string }>({ compile: () => plan })
    plans.push(steps.map(({ detail }) => detail))
  }
  expect(plans).toEqual([
    [
      expect.stringMatching(
        /^SCAN page_shield_resources USING (COVERING )?INDEX page_shield_resources_malicious$/,
      ),
    ],
    [
      expect.stringMatching(/^SCAN followed_zones USING (COVERING )?INDEX followed_zones_with_problem$/),
      expect.stringMatching(/^SEARCH incoming_transfers USING PRIMARY KEY/),
    ],
  ])
})
