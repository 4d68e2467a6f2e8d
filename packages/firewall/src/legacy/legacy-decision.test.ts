// The legacy WAF: what each configuration does with which request.
import { describe, expect, test } from 'vitest'
import { MANAGED_RULES } from '../managed-rules/catalogue/registry.ts'
import {
  DEFAULT_LEGACY_CONFIGURATION,
  type LegacyConfiguration,
  type LegacyOverride,
} from './legacy-configuration.ts'
import { decideLegacy, LEGACY_SCORE_RULE_ID, LEGACY_THRESHOLDS } from './legacy-decision.ts'
import { CLOUDFLARE_GROUP_IDS, LEGACY_ALWAYS_ON, OWASP_GROUP_IDS } from './legacy-packages.ts'
import { detect } from '../managed-rules/detection.ts'
import { inspectSample, type RequestSample } from '../managed-rules/request-sample.cases.ts'
import { samplesOf } from '../managed-rules/catalogue/samples.cases.ts'

const GROUP = CLOUDFLARE_GROUP_IDS.drupal
const RULE = '190101'
const DRUPAL: RequestSample = { target: '/user?mail%5B%23post_render%5D=x' }
const ACME: RequestSample = { target: `/.well-known/acme-challenge/${'a'.repeat(43)}` }
/** Matched only by scoring rules: 35 points. */
const SCORED: RequestSample = {
  target: '/q?a=select+x+from+y&b=union+select&c=%3Ciframe&d=information_schema',
}

const zone = (changes: Partial<LegacyConfiguration> = {}): LegacyConfiguration => ({
  ...DEFAULT_LEGACY_CONFIGURATION,
  ...changes,
})
const override = (changes: Partial<LegacyOverride>): LegacyOverride => ({
  id: 'o1',
  urls: ['www.example.com/*'],
  priority: 1,
  isPaused: false,
  groups: new Map(),
  rules: new Map(),
  rewriteAction: new Map(),
  ...changes,
})
const packages = (
  sensitivity: LegacyConfiguration['packages']['sensitivity'],
  actionMode: LegacyConfiguration['packages']['actionMode'] = 'block',
) => ({
  packages: { sensitivity, actionMode },
})
const decide = (configuration: LegacyConfiguration, sample: RequestSample) =>
  decideLegacy(configuration, inspectSample(sample))

type Case = readonly [
  name: string,
  configuration: LegacyConfiguration,
  sample: RequestSample,
  action: string,
  ruleId: string | null,
]

test.each<Case>([
  ['everything at its default', zone(), DRUPAL, 'block', RULE],
  ['an ordinary request', zone(), { target: '/?q=shoes' }, 'pass', null],
  ['the rule challenges', zone({ ruleModes: new Map([[RULE, 'challenge']]) }), DRUPAL, 'challenge', RULE],
  ['the rule simulates', zone({ ruleModes: new Map([[RULE, 'simulate']]) }), DRUPAL, 'simulate', RULE],
  [
    'the rule is at its default by name',
    zone({ ruleModes: new Map([[RULE, 'default']]) }),
    DRUPAL,
    'block',
    RULE,
  ],
  ['the rule is disabled', zone({ ruleModes: new Map([[RULE, 'disable']]) }), DRUPAL, 'pass', null],
  ['the group is off', zone({ groupModes: new Map([[GROUP, 'off']]) }), DRUPAL, 'pass', null],
  [
    'the group is off, whatever the rule says',
    zone({ groupModes: new Map([[GROUP, 'off']]), ruleModes: new Map([[RULE, 'block']]) }),
    DRUPAL,
    'pass',
    null,
  ],
  [
    'another group is off',
    zone({ groupModes: new Map([[CLOUDFLARE_GROUP_IDS.plone, 'off']]) }),
    DRUPAL,
    'block',
    RULE,
  ],
  ['the WAF is off', zone({ wafOn: false }), DRUPAL, 'pass', null],
])('rules that decide alone: %s', (_, configuration, sample, action, ruleId) => {
  expect(decide(configuration, sample)).toMatchObject({ action, ruleId, overrideIds: [] })
})

describe('rules that stay on if the WAF is off', () => {
  const stay = MANAGED_RULES.filter(({ legacy }) => LEGACY_ALWAYS_ON.has(legacy?.id ?? ''))

  test('there are three of them', () => expect(stay).toHaveLength(3))

  test.each(stay.map((rule) => [rule.legacy?.id ?? '', rule] as const))('%s', (id, rule) => {
    const off = zone({ wafOn: false })
    expect(decide(off, samplesOf(rule).matching)).toMatchObject({
      action: 'block',
      ruleId: id,
      threshold: null,
    })
    const disabled = { ...off, ruleModes: new Map([[id, 'disable' as const]]) }
    expect(decide(disabled, samplesOf(rule).matching)).toMatchObject({
      action: 'pass',
      ruleId: null,
      matches: [],
    })
  })

  test.each(stay.map((rule) => [rule.legacy?.id ?? '', rule] as const))(
    '%s finds the same where all rules are searched for',
    (_, rule) => {
      const off = zone({ wafOn: false })
      const alone = decide(off, samplesOf(rule).matching)
      const searched = inspectSample(samplesOf(rule).matching)
      detect(rule, searched)
      expect(decideLegacy(off, searched)).toEqual(alone)
    },
  )
})

describe('allow rules', () => {
  const attack: RequestSample = { ...ACME, headers: { 'user-agent': 'sqlmap/1.7' } }
  const on = new Map([['190091', 'on']] as const)

  test('all are off by default, because attackers could use them as a bypass', () => {
    const modes = MANAGED_RULES.flatMap(({ legacy }) =>
      legacy?.kind === 'allow' ? [legacy.defaultMode] : [],
    )
    expect(modes).toEqual(['off', 'off', 'off'])
    expect(decide(zone(), attack)).toMatchObject({ action: 'block', ruleId: '190032' })
  })

  test('one that is on ends the traditional package, but not the other', () => {
    const decision = decide(zone({ ruleModes: on }), attack)
    expect(decision.matches.map(({ effect }) => effect)).toEqual(['allow', 'score'])
    expect(decision).toMatchObject({ action: 'pass', ruleId: null, threshold: 25 })
  })

  test.each<readonly [name: string, changes: Partial<LegacyConfiguration>, ruleId: string | null]>([
    [
      'an override of the rule switches it off',
      { overrides: [override({ rules: new Map([['190091', 'disable']]) })] },
      '190032',
    ],
    [
      'its group is off, and that of the rule that refuses is the same',
      { groupModes: new Map([[CLOUDFLARE_GROUP_IDS.specials, 'off']]) },
      null,
    ],
  ])('it has no effect if %s', (_, changes, ruleId) => {
    const decision = decide(zone({ ruleModes: on, ...changes }), attack)
    expect(decision.ruleId).toBe(ruleId)
    expect(decision.matches.map(({ effect }) => effect)).not.toContain('allow')
  })
})

describe('scores', () => {
  const { total } = decide(zone(), SCORED)

  test('the score of the sample is between the thresholds of high and medium', () => {
    expect(total).toBeGreaterThanOrEqual(LEGACY_THRESHOLDS.high.page)
    expect(total).toBeLessThan(LEGACY_THRESHOLDS.medium.page)
  })

  const ajax: RequestSample = { ...SCORED, headers: { 'x-requested-with': 'XMLHttpRequest' } }

  test.each<
    readonly [name: string, configuration: LegacyConfiguration, sample: RequestSample, expected: object]
  >([
    [
      'high',
      zone(packages('high')),
      SCORED,
      { action: 'block', ruleId: LEGACY_SCORE_RULE_ID, threshold: 25 },
    ],
    [
      'high, simulated',
      zone(packages('high', 'simulate')),
      SCORED,
      { action: 'simulate', ruleId: LEGACY_SCORE_RULE_ID },
    ],
    [
      'high, challenged',
      zone(packages('high', 'challenge')),
      SCORED,
      { action: 'challenge', ruleId: LEGACY_SCORE_RULE_ID },
    ],
    ['medium', zone(packages('medium')), SCORED, { action: 'pass', ruleId: null, threshold: 40 }],
    ['low', zone(packages('low')), SCORED, { action: 'pass', ruleId: null, threshold: 60 }],
    [
      'off',
      zone(packages('off')),
      SCORED,
      { action: 'pass', ruleId: null, threshold: null, total: 0, matches: [] },
    ],
    ['high, sent by a script', zone(packages('high')), ajax, { action: 'pass', ruleId: null, threshold: 65 }],
    ['medium, sent by a script', zone(packages('medium')), ajax, { action: 'pass', threshold: 80 }],
    ['low, sent by a script', zone(packages('low')), ajax, { action: 'pass', threshold: 120 }],
    [
      'the WAF is off',
      zone({ ...packages('high'), wafOn: false }),
      SCORED,
      { action: 'pass', threshold: null, total: 0 },
    ],
    [
      'the action rewritten',
      zone({
        ...packages('high'),
        overrides: [override({ rewriteAction: new Map([['block', 'simulate']]) })],
      }),
      SCORED,
      { action: 'simulate', ruleId: LEGACY_SCORE_RULE_ID },
    ],
    [
      'the action rewritten to none',
      zone({
        ...packages('high'),
        overrides: [override({ rewriteAction: new Map([['block', 'disable']]) })],
      }),
      SCORED,
      { action: 'pass', ruleId: null, threshold: 25 },
    ],
  ])('%s', (_, configuration, sample, expected) => {
    expect(decide(configuration, sample)).toMatchObject(expected)
  })

  test('each rule adds its score; one that is off adds nothing', () => {
    const { matches } = decide(zone(), SCORED)
    const [first] = matches
    expect(matches.length).toBeGreaterThan(3)
    expect(matches.reduce((sum, { score }) => sum + (score ?? 0), 0)).toBe(total)
    const without = decide(zone({ ruleModes: new Map([[first?.rule.legacy?.id ?? '', 'off']]) }), SCORED)
    expect(without.total).toBe(total - (first?.score ?? 0))
    const groupOff = decide(
      zone({ groupModes: new Map([[OWASP_GROUP_IDS.sqlInjectionAttacks, 'off']]) }),
      SCORED,
    )
    expect(groupOff.matches.map(({ rule }) => rule.legacy?.groupId)).not.toContain(
      OWASP_GROUP_IDS.sqlInjectionAttacks,
    )
    expect(groupOff.total).toBeLessThan(total)
  })

  test('rules above the second paranoia level are off by default', () => {
    const strict = MANAGED_RULES.find(({ legacy }) => legacy?.id === '1900130')
    const sample: RequestSample = { target: '/?id=12%27' }
    expect(strict?.legacy?.defaultMode).toBe('off')
    const ids = (configuration: LegacyConfiguration) =>
      decide(configuration, sample).matches.map(({ rule }) => rule.legacy?.id)
    expect(ids(zone())).not.toContain('1900130')
    expect(ids(zone({ ruleModes: new Map([['1900130', 'on']]) }))).toContain('1900130')
  })
})

describe('overrides', () => {
  const off = new Map([[GROUP, 'disable']] as const)
  const simulate = new Map([[RULE, 'simulate']] as const)
  const challenge = new Map([[RULE, 'challenge']] as const)

  test.each<readonly [name: string, configuration: Partial<LegacyConfiguration>, action: string]>([
    ['a group is disabled', { overrides: [override({ groups: off })] }, 'pass'],
    [
      'a group that is off is switched on',
      {
        groupModes: new Map([[GROUP, 'off']]),
        overrides: [override({ groups: new Map([[GROUP, 'default']]) })],
      },
      'block',
    ],
    [
      'a group is given an action',
      { overrides: [override({ groups: new Map([[GROUP, 'challenge']]) })] },
      'challenge',
    ],
    ['a rule is given an action', { overrides: [override({ rules: simulate })] }, 'simulate'],
    [
      'a rule of a group that is off stays off',
      { groupModes: new Map([[GROUP, 'off']]), overrides: [override({ rules: simulate })] },
      'pass',
    ],
    [
      'a rule goes before its group',
      { overrides: [override({ rules: simulate, groups: new Map([[GROUP, 'challenge']]) })] },
      'simulate',
    ],
    [
      'a rule goes back to its default',
      {
        ruleModes: new Map([[RULE, 'disable']]),
        overrides: [override({ rules: new Map([[RULE, 'default']]) })],
      },
      'block',
    ],
    [
      'an action is rewritten',
      { overrides: [override({ rewriteAction: new Map([['block', 'challenge']]) })] },
      'challenge',
    ],
    [
      'the default is rewritten',
      { overrides: [override({ rewriteAction: new Map([['default', 'simulate']]) })] },
      'simulate',
    ],
    [
      'the default is rewritten, but the rule has an action of its own',
      {
        ruleModes: new Map([[RULE, 'challenge']]),
        overrides: [override({ rewriteAction: new Map([['default', 'simulate']]) })],
      },
      'challenge',
    ],
    [
      'an action is rewritten to none',
      { overrides: [override({ rewriteAction: new Map([['block', 'disable']]) })] },
      'pass',
    ],
    ['a paused one', { overrides: [override({ groups: off, isPaused: true })] }, 'block'],
    ['another URL', { overrides: [override({ groups: off, urls: ['shop.example.com/*'] })] }, 'block'],
    [
      'the lower priority number wins',
      {
        overrides: [
          override({ id: 'a', rules: simulate, priority: 5 }),
          override({ id: 'b', rules: challenge, priority: -5 }),
        ],
      },
      'challenge',
    ],
    [
      'what the stronger does not say, the weaker does',
      {
        overrides: [override({ id: 'a', rules: simulate, priority: 5 }), override({ id: 'b', priority: 1 })],
      },
      'simulate',
    ],
  ])('%s', (_, configuration, action) => {
    expect(decide(zone(configuration), DRUPAL).action).toBe(action)
  })

  test.each<readonly [pattern: string, sample: RequestSample, holds: boolean]>([
    ['www.example.com/*', { target: '/a' }, true],
    ['WWW.Example.COM/*', { target: '/a' }, true],
    ['*.example.com/*', { target: '/a' }, true],
    ['https://www.example.com/*', { target: '/a' }, true],
    ['http://www.example.com/*', { target: '/a' }, false],
    ['www.example.com/*', { target: '/a', headers: { host: 'www.example.com:8443' } }, true],
    ['www.example.com', { target: '/' }, true],
    ['www.example.com', { target: '/a' }, false],
    ['www.example.com/open/*', { target: '/open/a' }, true],
    ['www.example.com/open/*', { target: '/open/../closed' }, false],
    ['www.example.com/open/*', { target: '/closed?x=/open/' }, false],
    ['www.example.com/open**', { target: '/open/a' }, true],
    ['www.example.com/a\\b', { target: '/a/b' }, false],
    ['www.example.com/s?q=*', { target: '/s?q=1' }, true],
    ['www.example.com/s?q=*', { target: '/s?r=1' }, false],
    ['www.example.com/s', { target: '/s?q=1' }, true],
    ['example.com/*', { target: '/a' }, false],
    ['', { target: '/' }, false],
  ])('%j applies to %j: %s', (pattern, sample, holds) => {
    const { overrideIds } = decide(zone({ overrides: [override({ urls: [pattern] })] }), sample)
    expect(overrideIds).toEqual(holds ? ['o1'] : [])
  })
})
