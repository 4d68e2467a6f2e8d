// The worked examples of the mapping: each sets up a zone and compares its new configuration.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { MANAGED_RULES, OWASP_SCORE_RULE_ID, PACKAGE_IDS } from '@zonereeve/firewall'
import { MAX_MIGRATED_FIREWALL_RULES } from './eligibility.rules.ts'

const DRUPAL = '8df6c9aaddcbdf0eceb047bc50873697'
const TROJANS = '5664cc2f83dd55b71929c062921078aa'
const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee'
const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f'

type Send = readonly [method: string, path: string, body?: unknown]

const owasp = (body: object): Send => ['PATCH', `firewall/waf/packages/${PACKAGE_IDS.owasp}`, body]
const pageRule = (url: string, action: object, priority = 1): Send => [
  'POST',
  'pagerules',
  {
    targets: [{ target: 'url', constraint: { operator: 'matches', value: url } }],
    actions: [action],
    priority,
    status: 'active',
  },
]
const bypass = (expression: string, more: object = {}): Send => [
  'POST',
  'firewall/rules',
  [{ action: 'bypass', products: ['waf'], filter: { expression }, ...more }],
]

const rule = (action: string, expression: string, parameters: object, more: object = {}) => ({
  id: '',
  version: '',
  action,
  expression,
  description: '',
  ref: '',
  enabled: true,
  action_parameters: parameters,
  ...more,
})
const skip = (expression: string, description = '', enabled = true) =>
  rule('skip', expression, { ruleset: 'current' }, { description, enabled, logging: { enabled: true } })
const managed = (overrides?: object) =>
  rule('execute', 'true', { id: MANAGED, ...(overrides && { overrides }) })
const core = (level: 1 | 2, action: string, threshold: number) =>
  rule('execute', 'true', {
    id: OWASP,
    overrides: {
      categories: [2, 3, 4]
        .filter((each) => each > level)
        .map((each) => ({ category: `paranoia-level-${each}`, enabled: false })),
      rules: [{ id: OWASP_SCORE_RULE_ID, action, score_threshold: threshold }],
    },
  })
const DEFAULTS = [managed(), core(2, 'managed_challenge', 40)]

const drupalRules = MANAGED_RULES.filter(
  ({ legacy, enabled }) => legacy?.groupId === DRUPAL && legacy.kind === 'deny' && enabled,
)
const ruleOf = (legacyId: string) =>
  MANAGED_RULES.find(({ legacy }) => legacy?.id === legacyId) ?? expect.fail(`no rule ${legacyId}`)

const WAF_OFF = { id: 'waf', value: 'off' }
const WAF_ON = { id: 'waf', value: 'on' }

const EXAMPLES: readonly (readonly [name: string, given: readonly Send[], rules: readonly object[]])[] = [
  ['X1: a new zone', [], DEFAULTS],
  [
    'X2: sensitivity low, simulate',
    [owasp({ sensitivity: 'low', action_mode: 'simulate' })],
    [managed(), core(1, 'log', 40)],
  ],
  [
    'X3: sensitivity medium, block',
    [owasp({ sensitivity: 'medium', action_mode: 'block' })],
    [managed(), core(1, 'block', 25)],
  ],
  ['X4: sensitivity off', [owasp({ sensitivity: 'off' })], [managed()]],
  [
    'X5: a group off, a rule set to challenge',
    [
      ['PATCH', `firewall/waf/packages/${PACKAGE_IDS.cloudflare}/groups/${DRUPAL}`, { mode: 'off' }],
      ['PATCH', `firewall/waf/packages/${PACKAGE_IDS.cloudflare}/rules/100005`, { mode: 'challenge' }],
    ],
    [
      managed({
        rules: [
          ...drupalRules.map(({ id, action }) => ({ id, action, enabled: false })),
          { id: ruleOf('100005').id, action: 'managed_challenge', enabled: true },
        ].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      }),
      core(2, 'managed_challenge', 40),
    ],
  ],
  [
    'X6: a page rule with WAF off',
    [pageRule('www.example.com/admin*', WAF_OFF)],
    [
      skip(
        'http.host eq "www.example.com" and http.request.uri.path wildcard "/admin*"',
        'www.example.com/admin*',
      ),
      ...DEFAULTS,
    ],
  ],
  [
    'X7: a page rule after another that covers some of its URLs',
    [
      pageRule('*example.com/*', { id: 'disable_security' }, 1),
      pageRule('www.example.com/static/*', { id: 'cache_level', value: 'bypass' }, 2),
    ],
    [
      skip(
        '(http.host wildcard "*example.com") and not (http.host eq "www.example.com" and http.request.uri.path wildcard "/static/*")',
        '*example.com/*',
      ),
      ...DEFAULTS,
    ],
  ],
  [
    'X8: scheme and query',
    [pageRule('https://www.example.com/s?q=*', WAF_OFF)],
    [
      skip(
        'ssl and http.host eq "www.example.com" and http.request.uri wildcard "/s?q=*"',
        'https://www.example.com/s?q=*',
      ),
      ...DEFAULTS,
    ],
  ],
  [
    'X9: the zone setting off, page rules that enable it',
    [
      ['PATCH', 'settings/waf', { value: 'off' }],
      pageRule('a.b/', WAF_ON, 2),
      pageRule('*.example.com/*', WAF_ON, 1),
    ],
    [
      skip(
        'not ((http.host eq "a.b" and http.request.uri.path eq "/") or (http.host wildcard "*.example.com"))',
        'a.b/, *.example.com/*',
      ),
      ...DEFAULTS,
    ],
  ],
  [
    'X10: a paused firewall rule',
    [bypass('ip.src in {192.0.2.0/24}', { products: ['waf', 'rateLimit'], paused: true })],
    [skip('ip.src in {192.0.2.0/24}', '', false), ...DEFAULTS],
  ],
  [
    'X13: a group and a rule of the OWASP package off',
    [
      ['PATCH', `firewall/waf/packages/${PACKAGE_IDS.owasp}/groups/${TROJANS}`, { mode: 'off' }],
      ['PATCH', `firewall/waf/packages/${PACKAGE_IDS.owasp}/rules/958019`, { mode: 'off' }],
    ],
    DEFAULTS,
  ],
  [
    'the zone setting off, and no page rule that enables it',
    [['PATCH', 'settings/waf', { value: 'off' }], pageRule('example.com/*', WAF_OFF)],
    DEFAULTS.map((one) => ({ ...one, enabled: false })),
  ],
  [
    'page rules, then firewall rules in evaluation order, without those for other products',
    [
      bypass('ssl', { description: 'late' }),
      bypass('not ssl', { description: 'early', priority: 1 }),
      bypass('http.host eq "x"', { products: ['hot'] }),
      pageRule('example.com/x', WAF_OFF),
    ],
    [
      skip('http.host eq "example.com" and http.request.uri.path wildcard "/x"', 'example.com/x'),
      skip('not ssl', 'early'),
      skip('ssl', 'late'),
      ...DEFAULTS,
    ],
  ],
]

interface Config {
  readonly name: string
  readonly rules: readonly object[]
}

describe('the new configuration', () => {
  let app: TestApp
  let zones = 0
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  const zoneWith = async (given: readonly Send[], plan = 'enterprise') => {
    zones += 1
    const zone = await app.must('POST', '/zones', { name: `z${zones}.example`, plan: { legacy_id: plan } })
    for (const [method, path, body] of given) await app.must(method, `/zones/${zone.id}/${path}`, body)
    return `/zones/${zone.id}`
  }
  const get = <T>(path: string) => app.call<T>({ method: 'GET', path })
  const entryPoint = 'rulesets/phases/http_request_firewall_managed/entrypoint'

  test.each(EXAMPLES)('%s', async (_, given, rules) => {
    const zone = await zoneWith(given)
    const before = await app.changeCount()
    const config = await app.must<Config>('GET', `${zone}/waf_migration/config?phase_two=1`)
    expect(config).toEqual({ name: 'default', rules })
    expect(await app.must('GET', `${zone}/waf_migration/config?phase_two=1`)).toEqual(config)
    expect(await app.changeCount()).toBe(before)
    // It is accepted unchanged, and returned with the same members.
    const saved = await app.must<Config>('PUT', `${zone}/${entryPoint}?waf_migration=1&phase_two=1`, config)
    expect(saved.rules).toMatchObject(
      rules.map((one) => {
        const { id: _id, version: _version, ref: _ref, ...stated } = one as Record<string, unknown> // of rule()
        return stated
      }),
    )
  })

  test('X11: with an override for URLs neither phase is possible', async () => {
    const zone = await zoneWith([
      ['POST', 'firewall/waf/overrides', { urls: ['x.example/*'], rules: { '100005': 'disable' } }],
    ])
    for (const phase of ['', '?phase_two=1']) {
      const { json } = await get(`${zone}/waf_migration/check${phase}`)
      expect(json.result).toEqual({ compatible: false, migration_state: 'start' })
      expect(json.messages.map(({ code }) => code)).toContain(19583)
    }
    const config = await app.must<Config>('GET', `${zone}/waf_migration/config?phase_two=1`)
    for (const step of ['validation', '2', 'pending', '1']) {
      const path = `${zone}/${entryPoint}?waf_migration=${step}&phase_two=1`
      const answer = await app.call({ method: 'PUT', path, body: config })
      expect([answer.status, answer.json.errors.map(({ code }) => code)]).toEqual([400, [19583]])
    }
    expect((await get(`${zone}/${entryPoint}`)).status).toBe(404)
  })

  test('X12: phase two accepts what phase one rejects', async () => {
    const zone = await zoneWith([owasp({ sensitivity: 'medium' }), bypass('ssl'), pageRule('z/*', WAF_ON)])
    const one = (await get(`${zone}/waf_migration/check`)).json
    expect(one.result).toEqual({ compatible: false, migration_state: 'start' })
    expect(one.messages.map(({ code }) => code)).toEqual([19584, 19585, 19586])
    const two = (await get(`${zone}/waf_migration/check?phase_two=1`)).json
    expect([two.result, two.messages]).toEqual([{ compatible: true, migration_state: 'start' }, []])
  })

  test('a zone with only the package CloudFlare is ready for phase one', async () => {
    const zone = await zoneWith([owasp({ sensitivity: 'off' })])
    expect((await get(`${zone}/waf_migration/check`)).json.result).toMatchObject({ compatible: true })
  })

  test('X14: the maximum number of firewall rules, and one more', async () => {
    const many = (from: number, count: number): Send => [
      'POST',
      'firewall/rules',
      Array.from({ length: count }, (_, index) => ({
        action: 'bypass',
        products: ['waf'],
        filter: { expression: `http.host eq "h${from + index}"` },
      })),
    ]
    const zone = await zoneWith([many(0, MAX_MIGRATED_FIREWALL_RULES / 2), many(100, 100)])
    const config = await app.must<Config>('GET', `${zone}/waf_migration/config?phase_two=1`)
    expect(config.rules).toHaveLength(MAX_MIGRATED_FIREWALL_RULES + 2)
    const [method, path, body] = many(200, 1)
    await app.must(method, `${zone}/${path}`, body)
    const refused = await get(`${zone}/waf_migration/config?phase_two=1`)
    expect([refused.status, refused.json.errors.map(({ code }) => code)]).toEqual([400, [19587]])
    const put = { method: 'PUT', path: `${zone}/${entryPoint}?waf_migration=1&phase_two=1`, body: config }
    expect((await app.call(put)).status).toBe(400)
    const check = (await get(`${zone}/waf_migration/check?phase_two=1`)).json
    expect(check.result).toEqual({ compatible: false, migration_state: 'start' })
    expect(check.messages.map(({ code }) => code)).toEqual([19587])
  })

  test('an exception that would be too long is rejected by name', async () => {
    const long = (letter: string) => `*${letter}.example.com/${letter.repeat(1_400)}*`
    const zone = await zoneWith([
      ...['a', 'b', 'c'].map((letter, index) =>
        pageRule(long(letter), { id: 'cache_level', value: 'bypass' }, 10 + index),
      ),
      pageRule('*example.com/*', WAF_OFF, 1),
    ])
    const refused = await get(`${zone}/waf_migration/config?phase_two=1`)
    expect([refused.status, refused.json.errors.map(({ code }) => code)]).toEqual([400, [19588]])
    expect(refused.json.errors[0]?.message).toContain('*example.com/*')
  })
})
