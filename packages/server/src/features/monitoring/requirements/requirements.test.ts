// What a zone can show for PCI DSS 6.4.3 and 11.6.1, over HTTP and on the page to print.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { requirementAnswers, type MonitoringFacts } from '../page-shield/index.ts'

const NOW = Date.parse('2026-01-05T10:20:30Z')
const RECENT = '2026-01-04T10:20:30Z'
const COMPLETE: MonitoringFacts = {
  isEnabled: true,
  nowMillis: NOW,
  scripts: [{ authorization: 'valid', fetchedAt: RECENT }],
  contentsRun: 1,
  pages: [
    { url: 'https://a.example/', intervalMinutes: 60, failures: 0, seenAt: RECENT, missingPolicies: 0 },
  ],
  alerts: [{ kind: 'webhook', isEnabled: true, failures: 0, kinds: null }],
}
const [PAGE] = COMPLETE.pages
const missingOf = (facts: MonitoringFacts): string[] =>
  requirementAnswers(facts).flatMap(({ requirement, missing }) =>
    missing.map((text) => `${requirement} ${text}`),
  )

describe('answers', () => {
  test('each line has data, and nothing is missing', () => {
    const answers = requirementAnswers(COMPLETE)
    expect(answers.map(({ requirement }) => requirement)).toEqual([
      ...Array<string>(3).fill('6.4.3'),
      ...Array<string>(5).fill('11.6.1'),
    ])
    for (const { data, missing } of answers) expect([data.length > 0, missing]).toEqual([true, []])
  })

  test.each<[name: string, change: Partial<MonitoringFacts>, missing: RegExp, lines: number]>([
    ['monitoring is off', { isEnabled: false }, /monitoring is off/, 5],
    ['no scripts', { scripts: [] }, /no script was reported/, 4],
    [
      'an unauthorized script',
      { scripts: [{ authorization: undefined, fetchedAt: RECENT }] },
      /without (authorization|a justification)/,
      2,
    ],
    [
      'an expired authorization',
      { scripts: [{ authorization: 'expired', fetchedAt: RECENT }] },
      /expired/,
      1,
    ],
    [
      'a changed script',
      { scripts: [{ authorization: 'bytes_changed', fetchedAt: RECENT }] },
      /another content/,
      1,
    ],
    [
      'an old fetch',
      { scripts: [{ authorization: 'valid', fetchedAt: '2025-12-29T10:20:29Z' }] },
      /not fetched for seven days/,
      1,
    ],
    ['no pages', { pages: [] }, /no page is watched/, 3],
    ['a failing page', { pages: PAGE === undefined ? [] : [{ ...PAGE, failures: 2 }] }, /2 failed checks/, 1],
    [
      'drift',
      { pages: PAGE === undefined ? [] : [{ ...PAGE, missingPolicies: 1 }] },
      /sent without a policy/,
      1,
    ],
    [
      'an old page',
      { pages: PAGE === undefined ? [] : [{ ...PAGE, seenAt: null }] },
      /not seen for seven days/,
      1,
    ],
    ['no alerts', { alerts: [] }, /no working webhook/, 1],
    [
      'alerts that are off',
      { alerts: [{ kind: 'webhook', isEnabled: false, failures: 0, kinds: null }] },
      /no working/,
      1,
    ],
    [
      'alerts for other events',
      { alerts: [{ kind: 'e-mail alert', isEnabled: true, failures: 0, kinds: ['script.new'] }] },
      /no working/,
      1,
    ],
    ['no browsers', { contentsRun: 0 }, /no browser has reported/, 1],
  ])('missing: %s', (_, change, missing, lines) => {
    const found = missingOf({ ...COMPLETE, ...change })
    expect(found.filter((text) => missing.test(text))).toHaveLength(lines)
    expect(found).toHaveLength(lines)
  })
})

describe('requirements of a zone', () => {
  let app: TestApp
  let zone: string

  beforeEach(async () => {
    app = await startTestApp()
    zone = (await app.must('POST', '/zones', { name: 'example.com' })).id
  })
  afterEach(() => app.close())

  interface Answer {
    readonly description: string
    readonly state: string
    readonly data: readonly string[]
    readonly missing: readonly string[]
  }
  const answers = () => app.must<Answer[]>('GET', `/zonereeve/zones/${zone}/page_shield/requirements`)

  test('a new zone lacks everything, and says so', async () => {
    const found = await answers()
    expect(found).toHaveLength(8)
    for (const { state, missing } of found) expect([state, missing.length > 0]).toEqual(['incomplete', true])
  })

  test('what is set up is no longer missing, in the reply and on the page', async () => {
    await app.must('PUT', `/zones/${zone}/page_shield`, { enabled: true })
    const own = `/zonereeve/zones/${zone}/page_shield`
    await app.must('POST', `${own}/observations`, {
      observations: [{ page_url: 'https://example.com/', scripts: ['https://cdn.example.net/a.js'] }],
    })
    const [script] = await app.must<{ id: string }[]>(
      'GET',
      `/zones/${zone}/page_shield/scripts?status=infrequent`,
    )
    await app.must('PUT', `${own}/scripts/${script?.id}/authorization`, {
      owner: 'shop',
      justification: 'card fields',
    })
    await app.must('POST', `${own}/webhooks`, { url: 'https://alerts.example.net/' })
    await app.must('POST', `${own}/pages`, { url: 'https://example.com/<pay>' })
    const found = await answers()
    const state = (part: string) => found.find(({ description }) => description.includes(part))?.state
    expect(state('is authorized')).toBe('answered')
    expect(state('justification')).toBe('answered')
    expect(state('alerted')).toBe('answered')
    expect(state('integrity')).toBe('incomplete')
    expect(state('seven days')).toBe('incomplete')
    const { text } = await app.call({ method: 'GET', path: `${own}/evidence?format=html` })
    expect(text).toContain('Personnel is alerted.')
    expect(text).toContain('https://example.com/%3Cpay%3E')
    expect(text).not.toContain('<pay>')
  })

  test('an unknown zone', async () => {
    const path = `/zonereeve/zones/${'f'.repeat(32)}/page_shield/requirements`
    expect((await app.call({ method: 'GET', path })).status).toBe(404)
  })
})
