// Traces over the API: what the rulesets do, rule by rule, what the previous rules do beside them, and what counts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { LEGACY_ALWAYS_ON, MANAGED_RULES, type ManagedRule } from '../managed-rules/index.ts'

const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee'
const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f'
const SCORE_RULE = '6179ae15870a4bb7b2d480d4843b323c'
const PHASE = 'http_request_firewall_managed'

interface Step {
  readonly rule_id: string
  readonly ruleset_id: string
  readonly action: string
  readonly outcome: string
  readonly description: string
  readonly score?: number
}
interface Trace {
  readonly migration_state: string
  readonly effective: { readonly action: string; readonly by: string | null; readonly rule_id: string | null }
  readonly new: { readonly action: string; readonly rule_id: string | null; readonly steps: readonly Step[] }
  readonly old: {
    readonly inactive: { readonly reason: string; readonly id?: string } | null
    readonly action: string
    readonly rule_id: string | null
  }
}

const isPlain = ({ samples: { matching }, legacy, action }: ManagedRule): boolean =>
  legacy?.kind === 'deny' &&
  action === 'block' &&
  legacy.defaultMode === 'block' &&
  !LEGACY_ALWAYS_ON.has(legacy.id) &&
  matching.body === undefined &&
  matching.octets === undefined &&
  matching.method === undefined &&
  matching.headers === undefined
const attackRule = MANAGED_RULES.find(isPlain) ?? expect.fail('no rule')
const attack = { url: `https://www.example.com${attackRule.samples.matching.target ?? '/'}` }
const harmless = { url: 'https://www.example.com/about' }
const execute = (more: object = {}, id = MANAGED) => ({
  action: 'execute',
  expression: 'true',
  action_parameters: { id, ...more },
})
const skip = (parameters: object, expression = 'true') => ({
  action: 'skip',
  expression,
  action_parameters: parameters,
})
const block = (expression: string) => ({ action: 'block', expression })

describe('a trace', () => {
  let app: TestApp
  let zones = 0
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  const newZone = async (plan = 'enterprise') => {
    zones += 1
    return (await app.must('POST', '/zones', { name: `z${zones}.example`, plan: { legacy_id: plan } })).id
  }
  const deploy = (zone: string, rules: readonly object[], phase = PHASE) =>
    app.must('PUT', `/zones/${zone}/rulesets/phases/${phase}/entrypoint`, { rules })
  const trace = (zone: string, request: object) =>
    app.must<Trace>('POST', `/zonereeve/zones/${zone}/firewall/trace`, request)

  test('of a harmless request says so, and changes nothing', async () => {
    const zone = await newZone()
    const before = await app.changeCount()
    expect(await trace(zone, harmless)).toMatchObject({
      migration_state: 'start',
      effective: { action: 'pass', by: null, rule_id: null },
      new: { action: 'pass', steps: [] },
      old: { inactive: null, action: 'pass', rule_id: null },
    })
    expect(await app.changeCount()).toBe(before)
  })

  test('of an attack follows the zone from the previous rules to the new ones', async () => {
    const zone = await newZone()
    const { legacy, id } = attackRule
    expect(await trace(zone, attack)).toMatchObject({
      effective: { action: 'block', by: 'old', rule_id: legacy?.id },
      new: { action: 'pass' },
    })
    await app.must('POST', `/zonereeve/zones/${zone}/waf_migration/deploy`)
    expect(await trace(zone, attack)).toMatchObject({
      migration_state: 'validation',
      effective: { action: 'block', by: 'new', rule_id: id },
      old: { action: 'block', rule_id: legacy?.id, inactive: null },
    })
    await app.must('POST', `/zonereeve/zones/${zone}/waf_migration/turn_off_previous`)
    expect(await trace(zone, attack)).toMatchObject({
      migration_state: 'done',
      effective: { action: 'block', by: 'new', rule_id: id },
      old: { action: 'pass', rule_id: null, inactive: { reason: 'migrated' } },
    })
  })

  const SEMANTICS: readonly (readonly [
    name: string,
    rules: readonly object[],
    action: string,
    outcomes: readonly string[],
  ])[] = [
    ['the first rule that stops decides', [block('ssl'), block('true')], 'block', ['matched']],
    [
      'a rule that logs lets others decide',
      [{ action: 'log', expression: 'true' }, block('ssl')],
      'block',
      ['matched', 'matched'],
    ],
    ['a rule that logs is told', [{ action: 'log', expression: 'true' }], 'log', ['matched']],
    ['rules that do not hold are told', [block('not ssl')], 'pass', ['not_matched']],
    ['rules that are disabled are not', [{ ...block('true'), enabled: false }], 'pass', []],
    [
      'skip of the ruleset leaves out the rest',
      [skip({ ruleset: 'current' }), block('true')],
      'pass',
      ['matched', 'skipped'],
    ],
    [
      'skip leaves out nothing that came before',
      [block('ssl'), skip({ ruleset: 'current' })],
      'block',
      ['matched'],
    ],
    [
      'skip that does not hold leaves out nothing',
      [skip({ ruleset: 'current' }, 'not ssl'), block('true')],
      'block',
      ['not_matched', 'matched'],
    ],
    [
      'skip of the phase leaves out all of it',
      [skip({ phases: [PHASE] }), block('true')],
      'pass',
      ['matched'],
    ],
    [
      'skip of a managed ruleset leaves out its execution',
      [skip({ rulesets: [MANAGED] }), execute()],
      'pass',
      ['matched', 'skipped'],
    ],
    [
      'skip of a managed rule leaves out that rule',
      [skip({ rules: { [MANAGED]: [attackRule.id] } }), execute()],
      'pass',
      ['matched', 'matched'],
    ],
    ['a managed rule stops the request', [execute()], 'block', ['matched', 'matched']],
    [
      'an override of the ruleset',
      [execute({ overrides: { action: 'log' } })],
      'log',
      ['matched', 'matched'],
    ],
    [
      'an override that disables the ruleset',
      [execute({ overrides: { enabled: false } })],
      'pass',
      ['matched'],
    ],
    [
      'an override of a tag comes before that of the ruleset',
      [
        execute({
          overrides: {
            action: 'log',
            categories: [{ category: attackRule.categories[0], action: 'js_challenge' }],
          },
        }),
      ],
      'js_challenge',
      ['matched', 'matched'],
    ],
    [
      'an override of the rule comes before that of a tag',
      [
        execute({
          overrides: {
            categories: [{ category: attackRule.categories[0], action: 'log' }],
            rules: [{ id: attackRule.id, action: 'managed_challenge' }],
          },
        }),
      ],
      'managed_challenge',
      ['matched', 'matched'],
    ],
  ]
  test.each(SEMANTICS)('%s', async (_, rules, action, outcomes) => {
    const zone = await newZone()
    await deploy(zone, rules)
    const found = await trace(zone, attack)
    expect(found.new.action).toBe(action)
    // Managed rules that only log may be more than one.
    expect(found.new.steps.slice(0, outcomes.length).map(({ outcome }) => outcome)).toEqual(outcomes)
  })

  test('the sum of scores is judged by its threshold and its action', async () => {
    const sql = {
      url: `https://www.example.com/?id=${encodeURIComponent("1' UNION SELECT password FROM users--")}`,
    }
    const threshold = (score_threshold: number) => [
      execute({ overrides: { rules: [{ id: SCORE_RULE, score_threshold, action: 'js_challenge' }] } }, OWASP),
    ]
    const zone = await newZone()
    await deploy(zone, threshold(1))
    const low = await trace(zone, sql)
    expect(low.new).toMatchObject({ action: 'js_challenge', rule_id: SCORE_RULE })
    const scores = low.new.steps.filter(({ action }) => action === 'score').map(({ score = 0 }) => score)
    const total = scores.reduce((sum, score) => sum + score, 0)
    expect(total).toBeGreaterThan(0)
    expect(low.new.steps.at(-1)?.score).toBe(total)
    await deploy(zone, threshold(total))
    expect((await trace(zone, sql)).new.action).toBe('js_challenge')
    await deploy(zone, threshold(total + 1))
    expect((await trace(zone, sql)).new.action).toBe('pass')
  })

  test('what a zone has in the phase custom comes before, and what it stops is stopped', async () => {
    const zone = await newZone()
    await deploy(zone, [block('ip.src eq 198.51.100.7')], 'http_request_firewall_custom')
    await deploy(zone, [execute()])
    const found = await trace(zone, { ...attack, ip: '198.51.100.7' })
    expect(found.new.steps).toHaveLength(1)
    expect(found.effective).toMatchObject({ action: 'block', by: 'new' })
  })

  test('rules of the account come before those of the zone, and are for enterprise zones', async () => {
    const zone = await newZone()
    const account = `/accounts/${app.accountId}/rulesets`
    const custom = await app.must('POST', account, {
      name: 'own',
      kind: 'custom',
      phase: 'http_request_firewall_custom',
      rules: [block('http.request.uri.path eq "/about"')],
    })
    const entry = await app.must('POST', account, {
      name: 'all zones',
      kind: 'root',
      phase: 'http_request_firewall_custom',
      rules: [{ ...execute({}, custom.id), expression: 'true and cf.zone.plan eq "ENT"' }],
    })
    expect((await trace(zone, harmless)).new.action).toBe('block')
    expect((await trace(await newZone('pro'), harmless)).new.action).toBe('pass')
    await app.must('DELETE', `${account}/${entry.id}`)
  })

  test('why the previous rules do not act', async () => {
    const inactive = async (plan: string, ...given: [method: string, path: string, body: unknown][]) => {
      const zone = await newZone(plan)
      for (const [method, path, body] of given) await app.must(method, `/zones/${zone}/${path}`, body)
      const { old, effective } = await trace(zone, attack)
      return [old.inactive?.reason, effective.action]
    }
    const pageRule = (value: string, url = 'www.example.com/*') => ({
      targets: [{ target: 'url', constraint: { operator: 'matches', value: url } }],
      actions: [{ id: 'waf', value }],
      status: 'active',
    })
    const bypass = { action: 'bypass', products: ['waf'], filter: { expression: 'ssl' } }
    expect(await inactive('free')).toEqual(['plan', 'pass'])
    expect(await inactive('pro', ['PATCH', 'settings/waf', { value: 'off' }])).toEqual(['setting', 'pass'])
    expect(await inactive('pro', ['POST', 'pagerules', pageRule('off')])).toEqual(['page_rule', 'pass'])
    expect(await inactive('pro', ['POST', 'pagerules', pageRule('off', 'other.example.com/*')])).toEqual([
      undefined,
      'block',
    ])
    const on = ['POST', 'pagerules', pageRule('on')] as [string, string, unknown]
    expect(await inactive('pro', ['PATCH', 'settings/waf', { value: 'off' }], on)).toEqual([
      undefined,
      'block',
    ])
    expect(await inactive('pro', ['POST', 'firewall/rules', [bypass]])).toEqual(['firewall_rule', 'pass'])
    expect(await inactive('pro', ['POST', 'firewall/rules', [{ ...bypass, paused: true }]])).toEqual([
      undefined,
      'block',
    ])
    const entry = `rulesets/phases/${PHASE}/entrypoint`
    expect(await inactive('pro', ['PUT', entry, { rules: [skip({ products: ['waf'] })] }])).toEqual([
      'skip_rule',
      'pass',
    ])
  })

  test.each([
    ['/url', { url: 'www.example.com/' }],
    ['/url', { url: 'ftp://www.example.com/' }],
    ['/url', { url: 'https://user@www.example.com/' }],
    ['/url', { url: 'https://www.example.com/a b' }],
    ['/url', {}],
    ['/ip', { ...harmless, ip: '192.0.2' }],
    ['/method', { ...harmless, method: 'GET /' }],
    ['/headers/x', { ...harmless, headers: { x: 'a\r\nb' } }],
    ['/body_base64', { ...harmless, body_base64: '???' }],
    ['', { ...harmless, surplus: 1 }],
  ])('refuses what is no request: %s', async (pointer, body) => {
    const zone = await newZone()
    const path = `/zonereeve/zones/${zone}/firewall/trace`
    const { status, json } = await app.call({ method: 'POST', path, body })
    expect([status, json.errors.length > 0]).toEqual([400, true])
    expect(json.errors.map(({ source }) => source?.pointer)).toContain(pointer)
  })
})
