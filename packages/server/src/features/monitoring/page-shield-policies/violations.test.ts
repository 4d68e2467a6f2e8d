// Violations: counted by policy, directive and URL, bounded, expired, and never with a query.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { countReports, forgetViolations } from './violations.service.ts'
import { MAX_VIOLATION_ROWS, type PolicyReport } from './violations.rules.ts'

const UNKNOWN_ID = 'f'.repeat(32)

describe('violations', () => {
  let app: TestApp
  let zoneId: string
  let policyId: string
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    const { result } = await list('/zones')
    for (const { id } of result) await app.must('DELETE', `/zones/${String(id)}`)
    zoneId = (await app.must('POST', '/zones', { name: 'example.com' })).id
    policyId = (await createPolicy('log')).id
  })

  const createPolicy = (action: string) =>
    app.must('POST', `/zones/${zoneId}/page_shield/policies`, {
      description: '',
      action,
      expression: 'true',
      enabled: true,
      value: "script-src 'self'",
    })
  const report = (change: Partial<PolicyReport> = {}): PolicyReport => ({
    policyId,
    documentUri: 'https://www.example.com/checkout?session=secret#top',
    blockedUri: 'https://evil.test/a.js?token=secret#x',
    effectiveDirective: 'script-src-elem',
    at: '2026-01-05T10:20:30.000000Z',
    count: 1,
    ...change,
  })
  const count = (reports: readonly PolicyReport[]) =>
    app.storage.write((tx) => countReports(tx, zoneId, reports))
  async function list(path = '') {
    const answer = await app.call<Record<string, unknown>[]>({
      method: 'GET',
      path: path.startsWith('/zones') ? path : `/zonereeve/zones/${zoneId}/page_shield/violations${path}`,
    })
    expect(answer.status).toBe(200)
    return answer.json
  }

  test('are counted together if policy, directive and URL are equal', async () => {
    expect(
      await count([
        report(),
        report({
          blockedUri: 'https://evil.test/a.js',
          count: 4,
          at: '2026-01-05T11:00:00.000000Z',
          documentUri: 'https://www.example.com/basket',
        }),
      ]),
    ).toBe(5)
    expect(await count([report({ at: '2026-01-05T12:00:00.000000Z' })])).toBe(1)
    const { result, result_info } = await list()
    expect(result_info?.total_count).toBe(1)
    expect(result).toEqual([
      {
        policy_id: policyId,
        action: 'log',
        directive: 'script-src-elem',
        resource_type: 'script',
        url: 'https://evil.test/a.js',
        count: 6,
        first_seen_at: '2026-01-05T10:20:30.000000Z',
        last_seen_at: '2026-01-05T12:00:00.000000Z',
        last_page_url: 'www.example.com/checkout',
      },
    ])
  })

  test('the most frequent come first; filters and pages', async () => {
    const other = (await createPolicy('allow')).id
    await count([
      report(),
      report({ effectiveDirective: 'connect-src', blockedUri: 'wss://ws.test/s', count: 3 }),
      report({ policyId: other, blockedUri: 'inline', count: 2 }),
    ])
    const short = (rows: readonly Record<string, unknown>[]) =>
      rows.map((row) => [row['url'], row['action'], row['count']])
    expect(short((await list()).result)).toEqual([
      ['wss://ws.test/s', 'log', 3],
      ['inline', 'allow', 2],
      ['https://evil.test/a.js', 'log', 1],
    ])
    expect(short((await list(`?policy_id=${other}`)).result)).toEqual([['inline', 'allow', 2]])
    expect(short((await list('?directive=CONNECT-SRC')).result)).toEqual([['wss://ws.test/s', 'log', 3]])
    const second = await list('?page=2&per_page=2')
    expect(short(second.result)).toEqual([['https://evil.test/a.js', 'log', 1]])
    expect(second.result_info).toMatchObject({
      page: 2,
      per_page: 2,
      count: 1,
      total_count: 3,
      total_pages: 2,
    })
  })

  test.each([
    ['an unknown policy', { policyId: UNKNOWN_ID }],
    ['an unknown directive', { effectiveDirective: 'made-up' }],
    ['an empty blocked URL', { blockedUri: '' }],
    ['an invalid URL', { blockedUri: '<script>' }],
  ])('%s is not counted', async (_, change) => {
    expect(await count([report(change)])).toBe(0)
    expect((await list()).result).toEqual([])
  })

  test('a violation without URL has its kind', async () => {
    await count(
      ['inline', 'eval', 'wasm-eval', 'data', 'blob:https://www.example.com/1'].map((blockedUri) =>
        report({ blockedUri }),
      ),
    )
    const urls = (await list()).result.map(({ url }) => url).toSorted()
    expect(urls).toEqual(['blob:', 'data:', 'eval', 'inline', 'wasm-eval'])
  })

  test('URLs above the limit are counted together', async () => {
    const many = Array.from({ length: MAX_VIOLATION_ROWS + 3 }, (_, n) =>
      report({ blockedUri: `https://evil.test/${n}` }),
    )
    expect(await count(many)).toBe(many.length)
    expect(await count([report({ blockedUri: 'https://evil.test/0' })])).toBe(1)
    const { result, result_info } = await list('?per_page=2')
    expect(result_info?.total_count).toBe(MAX_VIOLATION_ROWS + 1)
    expect(result.map(({ url, count: counted }) => [url, counted])).toEqual([
      ['', 3],
      ['https://evil.test/0', 2],
    ])
  })

  test('expire after thirty days', async () => {
    const now = Date.parse('2026-02-10T00:00:00Z')
    await count([report(), report({ blockedUri: 'eval', at: '2026-01-12T00:00:00.000000Z' })])
    await app.storage.write((tx) => forgetViolations(tx, now))
    expect((await list()).result.map(({ url }) => url)).toEqual(['eval'])
  })

  test('are deleted with their policy and with their zone', async () => {
    const rows = () => app.storage.all(query.selectFrom('page_shield_violations').selectAll())
    const other = (await createPolicy('allow')).id
    await count([report(), report({ policyId: other })])
    await app.must('DELETE', `/zones/${zoneId}/page_shield/policies/${policyId}`)
    expect((await rows()).map(({ policy_id }) => policy_id)).toEqual([other])
    await app.must('DELETE', `/zones/${zoneId}`)
    expect(await rows()).toEqual([])
  })
})
