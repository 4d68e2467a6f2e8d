import type { WireZoneNeedingAttention } from '@zonereeve/contract'
import { query, type Reader } from '@zonereeve/storage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { expectDocumented } from '../../../testing/documented.ts'
import { allow, deny, makeToken } from '../../../testing/test-tokens.ts'
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
const attentionOf = (more: { behind?: string[]; unreadable?: string[]; storage?: Reader } = {}) =>
  createZoneAttention({
    storage: more.storage ?? app.storage,
    clock: app.clock,
    zonesBehind: (limit) => (more.behind ?? []).slice(0, limit),
    unreadableZones: () => more.unreadable ?? [],
  })

const everything = { can: () => true } as unknown as Parameters<ReturnType<typeof attentionOf>['list']>[0] // asks nothing else
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
  expect(answer.json.result_info?.total_count).toBe(answer.json.result.length)
  return described(answer.json.result)
}

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
  const { items, totalCount } = await attention.list(everything, ALL)
  expect(described(items)).toEqual([
    'behind.example secondaries_behind',
    'scripts.example unreadable secondaries_behind malicious',
  ])
  expect(totalCount).toBe(2)
})

test('pages', async () => {
  const attention = attentionOf({ behind: [...ids.values()] })
  const { items, totalCount } = await attention.list(everything, { offset: 2, limit: 1 })
  expect(described(items)).toEqual(['good.example secondaries_behind'])
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
