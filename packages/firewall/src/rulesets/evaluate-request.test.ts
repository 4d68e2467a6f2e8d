// Which rule decides about a request: order, skipping, executing, overriding and scoring, each as a named case.
import { describe, expect, test } from 'vitest'
import { detect } from '../managed-rules/detection.ts'
import {
  MANAGED_RULESET_ID,
  managedRulesets,
  OWASP_RULESET_ID,
  OWASP_SCORE_RULE_ID,
} from '../managed-rules/managed-rulesets.ts'
import type { ExecuteParameters } from './actions/execute.ts'
import { evaluateRequest, type EvaluateOptions } from './evaluate-request.ts'
import { firewallOf, requestFor, type ShortRule, type ShortRuleset } from './firewall.cases.ts'
import { samplesOf } from '../managed-rules/catalogue/samples.cases.ts'

const CUSTOM = 'http_request_firewall_custom'
const LIMIT = 'http_ratelimit'
const MANAGED = 'http_request_firewall_managed'

const zone = (phase: ShortRuleset['phase'], ...rules: ShortRule[]): ShortRuleset => ({
  id: `zone ${phase}`,
  level: 'zone',
  phase,
  rules,
})
const account = (phase: ShortRuleset['phase'], ...rules: ShortRule[]): ShortRuleset => ({
  ...zone(phase, ...rules),
  id: `account ${phase}`,
  level: 'account',
})
const custom = (id: string, ...rules: ShortRule[]): ShortRuleset => ({
  ...zone(CUSTOM, ...rules),
  id,
  isCustom: true,
})
const log = (id: string, more: Partial<ShortRule> = {}): ShortRule => ({ id, action: 'log', ...more })
const block = (id: string, more: Partial<ShortRule> = {}): ShortRule => ({ id, action: 'block', ...more })
const skip = (id: string, parameters: object): ShortRule => ({
  id,
  action: 'skip',
  parameters: { ...parameters },
})
const execute = (id: string, ruleset: string, overrides?: object): ShortRule => ({
  id,
  action: 'execute',
  parameters: { id: ruleset, ...(overrides === undefined ? {} : { overrides }) },
})

/** What happened, in order: `log a`, `block b`, `counted c`. */
function story(rulesets: readonly ShortRuleset[], options: EvaluateOptions = {}, target = '/'): string {
  const { steps } = evaluateRequest(firewallOf(rulesets), requestFor(target), options)
  return steps
    .map(({ action, outcome, ruleId }) => `${outcome === 'matched' ? action : outcome} ${ruleId}`)
    .join(', ')
}

describe('custom rules', () => {
  test.each<[name: string, rulesets: ShortRuleset[], told: string]>([
    ['nothing decides about nothing', [], ''],
    ['all that match, until one ends it', [zone(CUSTOM, log('a'), block('b'), log('c'))], 'log a, block b'],
    [
      'what does not match is passed by',
      [zone(CUSTOM, block('a', { expression: 'http.host eq "x"' }), log('b'))],
      'log b',
    ],
    ['what is off is not there', [zone(CUSTOM, block('a', { enabled: false }), log('b'))], 'log b'],
    [
      'phases in their order, the account before the zone',
      [
        zone(MANAGED, log('6')),
        account(MANAGED, log('5')),
        zone(LIMIT, log('4')),
        account(LIMIT, log('3')),
        zone(CUSTOM, log('2')),
        account(CUSTOM, log('1')),
        zone('http_request_dynamic_redirect', log('0')),
      ],
      'log 0, log 1, log 2, log 3, log 4, log 5, log 6',
    ],
    ['an account can end it', [account(CUSTOM, block('a')), zone(CUSTOM, log('b'))], 'block a'],
    [
      'challenges end it',
      [zone(CUSTOM, { id: 'a', action: 'managed_challenge' }, log('b'))],
      'managed_challenge a',
    ],
    [
      'a redirect ends it',
      [zone('http_request_dynamic_redirect', { id: 'a', action: 'redirect' }), zone(CUSTOM, log('b'))],
      'redirect a',
    ],
    ['phases that decide nothing are not looked at', [zone('http_request_cache_settings', log('a'))], ''],
    [
      'rules of an account know the zone',
      [
        account(
          CUSTOM,
          log('a', { expression: 'cf.zone.plan eq "ENT"' }),
          log('b', { expression: 'cf.zone.name eq "x"' }),
        ),
      ],
      'log a',
    ],
  ])('%s', (_, rulesets, expectedStory) => expect(story(rulesets)).toBe(expectedStory))
})

describe('skipping', () => {
  test.each<[name: string, rulesets: ShortRuleset[], told: string]>([
    [
      'the rest of the ruleset',
      [zone(CUSTOM, log('a'), skip('s', { ruleset: 'current' }), block('b')), zone(LIMIT, log('c'))],
      'log a, skip s, log c',
    ],
    [
      'rules before it are not undone',
      [zone(CUSTOM, block('a'), skip('s', { ruleset: 'current' }))],
      'block a',
    ],
    [
      'the rest of an executed ruleset alone',
      [custom('x', skip('s', { ruleset: 'current' }), block('a')), zone(CUSTOM, execute('e', 'x'), log('b'))],
      'execute e, skip s, log b',
    ],
    [
      'the rest of the phase, from within an executed ruleset',
      [
        custom('x', skip('s', { phase: 'current' }), block('a')),
        zone(CUSTOM, execute('e', 'x'), block('b')),
        zone(LIMIT, log('c')),
      ],
      'execute e, skip s, log c',
    ],
    [
      'later phases',
      [
        zone(CUSTOM, skip('s', { phases: [LIMIT, MANAGED] }), log('a')),
        zone(LIMIT, block('b')),
        zone(MANAGED, block('c')),
      ],
      'skip s, log a',
    ],
    [
      'the phase itself, named',
      [zone(CUSTOM, skip('s', { phases: [CUSTOM] }), block('a')), zone(LIMIT, log('b'))],
      'skip s, log b',
    ],
    [
      'phases that have been are not undone',
      [zone(CUSTOM, log('a')), zone(LIMIT, skip('s', { phases: [CUSTOM] }))],
      'log a, skip s',
    ],
    [
      'a zone skips nothing of its account',
      [zone(CUSTOM, skip('s', { phases: [LIMIT] })), account(LIMIT, log('a')), zone(LIMIT, block('b'))],
      'skip s, log a',
    ],
    [
      'an account skips nothing of its zones',
      [
        account(CUSTOM, skip('s', { ruleset: 'current', phases: [LIMIT] }), block('x')),
        account(LIMIT, block('y')),
        zone(CUSTOM, log('a')),
        zone(LIMIT, log('b')),
      ],
      'skip s, log a, log b',
    ],
    [
      'rulesets',
      [
        custom('x', block('a')),
        custom('y', log('b')),
        zone(CUSTOM, skip('s', { rulesets: ['x'] }), execute('e', 'x'), execute('f', 'y')),
      ],
      'skip s, execute f, log b',
    ],
    [
      'rulesets that were executed before are not undone',
      [
        custom('x', log('a')),
        zone(CUSTOM, execute('e', 'x'), skip('s', { rulesets: ['x'] }), execute('f', 'x')),
      ],
      'execute e, log a, skip s',
    ],
    [
      'rules of a ruleset',
      [
        custom('x', block('a'), log('b')),
        zone(CUSTOM, skip('s', { rules: { x: ['a'] } }), execute('e', 'x')),
      ],
      'skip s, execute e, log b',
    ],
    [
      'two lists of rules add up',
      [
        custom('x', block('a'), block('b'), log('c')),
        zone(
          CUSTOM,
          skip('s', { rules: { x: ['a'] } }),
          skip('t', { rules: { x: ['b'] } }),
          execute('e', 'x'),
        ),
      ],
      'skip s, skip t, execute e, log c',
    ],
    [
      'a skip rule that does not match skips nothing',
      [zone(CUSTOM, { ...skip('s', { ruleset: 'current' }), expression: 'http.host eq "x"' }, block('a'))],
      'block a',
    ],
    [
      'a skip rule that is off skips nothing',
      [zone(CUSTOM, { ...skip('s', { ruleset: 'current' }), enabled: false }, block('a'))],
      'block a',
    ],
  ])('%s', (_, rulesets, expectedStory) => expect(story(rulesets)).toBe(expectedStory))

  test('products are listed in the verdict, each once', () => {
    const firewall = firewallOf([
      zone(CUSTOM, skip('s', { products: ['waf', 'bic'] }), skip('t', { products: ['waf', 'hot'] })),
    ])
    expect(evaluateRequest(firewall, requestFor('/'))).toMatchObject({
      action: undefined,
      skippedProducts: ['waf', 'bic', 'hot'],
    })
  })

  test('skipped rules are listed when tracing', () => {
    const rulesets = [
      custom('x', block('a')),
      zone(CUSTOM, skip('s', { rulesets: ['x'] }), execute('e', 'x')),
    ]
    expect(story(rulesets, { isTracing: true })).toBe('skip s, skipped e')
  })
})

describe('executing custom rulesets', () => {
  test.each<[name: string, rulesets: ShortRuleset[], told: string]>([
    [
      'in the place of the rule',
      [custom('x', log('a')), zone(CUSTOM, log('1'), execute('e', 'x'), log('2'))],
      'log 1, execute e, log a, log 2',
    ],
    [
      'only where the rule matches',
      [custom('x', block('a')), zone(CUSTOM, { ...execute('e', 'x'), expression: 'http.host eq "x"' })],
      '',
    ],
    [
      'twice, if two rules say so',
      [custom('x', log('a')), zone(CUSTOM, execute('e', 'x'), execute('f', 'x'))],
      'execute e, log a, execute f, log a',
    ],
    ['one that is gone does nothing', [zone(CUSTOM, execute('e', 'x'), log('a'))], 'execute e, log a'],
    [
      'with another action',
      [custom('x', block('a')), zone(CUSTOM, execute('e', 'x', { action: 'log' }))],
      'execute e, log a',
    ],
    [
      'with one rule off',
      [
        custom('x', block('a'), log('b')),
        zone(CUSTOM, execute('e', 'x', { rules: [{ id: 'a', enabled: false }] })),
      ],
      'execute e, log b',
    ],
    [
      'all off',
      [custom('x', block('a')), zone(CUSTOM, execute('e', 'x', { enabled: false }), log('b'))],
      'execute e, log b',
    ],
    [
      'skip rules in it stay skip rules',
      [
        custom('x', skip('s', { ruleset: 'current' }), block('a')),
        zone(CUSTOM, execute('e', 'x', { action: 'block' })),
      ],
      'execute e, skip s',
    ],
  ])('%s', (_, rulesets, expectedStory) => expect(story(rulesets)).toBe(expectedStory))
})

describe('rate limits', () => {
  const limited = [zone(LIMIT, block('a', { isCounted: true }), log('b'))]
  test('count requests, and act above the limit', () => {
    expect(story(limited)).toBe('counted a, log b')
    expect(story(limited, { count: () => false })).toBe('counted a, log b')
    expect(story(limited, { count: ({ place }) => place.ruleId === 'a' })).toBe('block a')
  })
  test('never act on requests that do not match, which another expression may count', () => {
    const none = [zone(LIMIT, block('a', { isCounted: true, expression: 'http.host eq "x"' }))]
    const asked: boolean[] = []
    const count = ({ isMatching }: { readonly isMatching: boolean }) => asked.push(isMatching) > 0
    expect(story(none, { count })).toBe('')
    expect(asked).toEqual([false])
  })
})

/** A rule of the ruleset that matches the target of its sample; other rules may match too. */
function findable(rulesetId: string) {
  const ruleset = managedRulesets().find(({ id }) => id === rulesetId) ?? expect.fail('no ruleset')
  for (const listed of ruleset.rules) {
    const sample = listed.rule === null ? undefined : samplesOf(listed.rule).matching
    if (listed.rule === null || sample?.target === undefined || Object.keys(sample).length > 1) continue
    if (!listed.enabled || detect(listed.rule, requestFor(sample.target)) === null) continue
    const found = ruleset.rules.filter(
      ({ rule, enabled }) =>
        enabled && rule !== null && detect(rule, requestFor(sample.target ?? '')) !== null,
    )
    return { listed, target: sample.target, found }
  }
  return expect.fail('no rule is found by its target')
}

describe('managed rules', () => {
  const { listed, target, found } = findable(MANAGED_RULESET_ID)
  const overriding = (overrides?: ExecuteParameters['overrides']) =>
    story([zone(MANAGED, execute('e', MANAGED_RULESET_ID, overrides), log('end'))], {}, target)
  const first = found[0] ?? listed
  const [category = ''] = first.categories
  const off = (...ids: readonly string[]) => ids.map((id) => ({ id, enabled: false }))

  test('use their defaults', () => {
    expect(overriding()).toMatch(new RegExp(`^execute e, (log \\w+, )*${first.action} ${first.id}`))
  })
  test('find nothing in an ordinary request', () => {
    expect(story([zone(MANAGED, execute('e', MANAGED_RULESET_ID), execute('f', OWASP_RULESET_ID))])).toBe(
      'execute e, execute f',
    )
  })
  test.each<[string, ExecuteParameters['overrides'], string]>([
    ['of the ruleset', { action: 'log' }, 'log'],
    [
      'of a tag beats that of the ruleset',
      { action: 'block', categories: [{ category, action: 'log' }] },
      'log',
    ],
    [
      'of the rule beats that of a tag',
      {
        action: 'block',
        categories: [{ category, action: 'block' }],
        rules: [{ id: first.id, action: 'log' }],
      },
      'log',
    ],
    [
      'of a rule without an action leaves that of the tag',
      { categories: [{ category, action: 'log' }], rules: [{ id: first.id, enabled: true }] },
      'log',
    ],
    [
      'of another tag does not reach it',
      { action: 'log', categories: [{ category: 'of none', action: 'block' }] },
      'log',
    ],
  ])('an action %s', (_, overrides, action) => {
    expect(overriding(overrides)).toContain(`${action} ${first.id}`)
  })
  test('the last of two tags wins', () => {
    const second = first.categories[1] ?? category
    const tags = (a: 'log' | 'block', b: 'log' | 'block') =>
      overriding({
        categories: [
          { category, action: a },
          { category: second, action: b },
        ],
      })
    expect([
      tags('block', 'log').includes(`log ${first.id}`),
      tags('log', 'block').includes(`block ${first.id}`),
    ]).toEqual([true, true])
  })
  test.each<[string, ExecuteParameters['overrides']]>([
    ['all off', { enabled: false }],
    ['those found off', { rules: off(...found.map(({ id }) => id)) }],
    ['essentially off', { sensitivity_level: 'eoff' }],
    [
      'off but for one that finds nothing',
      {
        enabled: false,
        rules: [
          { id: managedRulesets()[0]?.rules.find((one) => !found.includes(one))?.id ?? '', enabled: true },
        ],
      },
    ],
  ])('%s', (_, overrides) => expect(overriding(overrides)).toBe('execute e, log end'))
  test('skipped by an earlier rule', () => {
    const skipped = skip('s', { rules: { [MANAGED_RULESET_ID]: found.map(({ id }) => id) } })
    expect(story([zone(MANAGED, skipped, execute('e', MANAGED_RULESET_ID), log('end'))], {}, target)).toBe(
      'skip s, execute e, log end',
    )
  })
  test('report what they found', () => {
    const firewall = firewallOf([zone(MANAGED, execute('e', MANAGED_RULESET_ID))])
    const step = evaluateRequest(firewall, requestFor(target)).steps.find(({ ruleId }) => ruleId === first.id)
    expect(step?.detected).toMatchObject({ field: expect.any(String), excerpt: expect.any(String) })
  })
})

describe('the score', () => {
  const { target, found } = findable(OWASP_RULESET_ID)
  const sum = found.reduce((total, { score }) => total + (score ?? 0), 0)
  const judged = (threshold: number, more: ExecuteParameters['overrides'] = {}) => {
    const rules = [{ id: OWASP_SCORE_RULE_ID, score_threshold: threshold }]
    const overrides = { ...more, rules: [...rules, ...(more.rules ?? [])] }
    const firewall = firewallOf([zone(MANAGED, execute('e', OWASP_RULESET_ID, overrides))])
    return evaluateRequest(firewall, requestFor(target), { isTracing: true })
  }
  test('is the sum of the matching rules, and is compared last', () => {
    expect(sum).toBeGreaterThan(0)
    const { action, by, steps } = judged(sum)
    expect([action, by?.ruleId, steps.at(-1)?.score]).toEqual(['block', OWASP_SCORE_RULE_ID, sum])
  })
  test('of one less than the threshold passes', () => {
    const { action, steps } = judged(sum + 1)
    expect([action, steps.at(-1)]).toMatchObject([
      undefined,
      { ruleId: OWASP_SCORE_RULE_ID, outcome: 'passed', score: sum },
    ])
  })
  test('does not include rules that are off', () => {
    const [first] = found
    const { steps } = judged(1_000, { rules: [{ id: first?.id ?? '', enabled: false }] })
    expect(steps.at(-1)?.score).toBe(sum - (first?.score ?? 0))
  })
  test('does not include levels that are off', () => {
    const categories = [1, 2, 3, 4].map((level) => ({ category: `paranoia-level-${level}`, enabled: false }))
    expect(judged(1, { categories }).steps.at(-1)?.score).toBe(0)
  })
  test('is evaluated with another action', () => {
    expect(judged(sum, { action: 'managed_challenge' }).action).toBe('managed_challenge')
    const logged = judged(sum, { action: 'log' })
    expect([logged.action, logged.steps.at(-1)?.outcome]).toEqual([undefined, 'matched'])
  })
  test('includes rules whose action is overridden', () => {
    expect(
      judged(sum, { action: 'block' }).steps.filter(
        ({ action, outcome }) => action === 'score' && outcome === 'matched',
      ),
    ).toHaveLength(found.length)
  })
})
