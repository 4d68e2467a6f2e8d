// An imported rule set is the managed OWASP ruleset: its rules are listed, scored, overridden and skipped.
import { DEFAULT_WORK_UNITS, parseRuleSet } from '@zonereeve/seclang'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  MANAGED_RULESET_ID,
  OWASP_RULESET_ID,
  OWASP_SCORE_RULE_ID,
} from '../managed-rules/managed-rulesets.ts'
import { detect, uninspectedField, warmUpDetection } from '../managed-rules/detection.ts'
import { HOSTILE_REQUESTS } from '../managed-rules/hostile-requests.cases.ts'
import type { InspectedRequest } from '../managed-rules/inspected-request.ts'
import { inspectSample } from '../managed-rules/request-sample.cases.ts'
import type { ExecuteParameters } from '../rulesets/actions/execute.ts'
import { evaluateRequest } from '../rulesets/evaluate-request.ts'
import { firewallOf, requestFor, type ShortRule } from '../rulesets/firewall.cases.ts'
import { findManaged, referableManaged } from '../rulesets/managed.ts'
import { installCoreRuleSet } from './core-rule-set.ts'
import { idOfCoreRule } from './listed-rules.ts'

/** Rules in the form of the Core Rule Set, with a gate before level 2. */
const RULES = String.raw`
SecComponentSignature "OWASP_CRS/3.3.4"
SecAction "id:901,phase:1,setvar:tx.five=5"
SecRule ARGS "@contains attack" "id:942001,phase:2,block,msg:'Attack',tag:'attack-sqli',tag:'paranoia-level/1',severity:'CRITICAL',setvar:'tx.anomaly_score_pl1=+%{tx.five}'"
SecRule ARGS "@contains odd" "id:942002,phase:2,block,msg:'Odd',tag:'paranoia-level/1',severity:'NOTICE',setvar:'tx.anomaly_score_pl1=+2'"
SecRule TX:PARANOIA_LEVEL "@lt 2" "id:942003,phase:2,pass,skipAfter:END"
SecRule ARGS "@contains attack" "id:942004,phase:2,block,msg:'Strict',tag:'attack-sqli',tag:'paranoia-level/2',severity:'WARNING',setvar:'tx.anomaly_score_pl2=+3'"
SecMarker END
SecRule ARGS "@detectSQLi" "id:942005,phase:2,block,msg:'Needs more',tag:'paranoia-level/1',severity:'CRITICAL'"
`
const install = (): void => installCoreRuleSet(parseRuleSet([{ name: 'rules.conf', text: RULES }]))

beforeEach(install)
afterEach(() => installCoreRuleSet(undefined))

type Overrides = ExecuteParameters['overrides']

function decide(target: string, overrides: Overrides, before: readonly ShortRule[] = []) {
  const parameters = { id: OWASP_RULESET_ID, ...(overrides !== undefined && { overrides }) }
  const rules = [...before, { id: 'e', action: 'execute' as const, parameters }]
  const phase = 'http_request_firewall_managed'
  const firewall = firewallOf([{ id: 'zone', level: 'zone', phase, rules }])
  const { action, steps } = evaluateRequest(firewall, requestFor(target))
  const scored = steps.filter(({ action: taken }) => taken === 'score')
  return { action, scored: scored.map(({ ruleId, score }) => `${Number(ruleId)} ${score}`) }
}

const threshold = (score: number): Overrides => ({
  rules: [{ id: OWASP_SCORE_RULE_ID, score_threshold: score }],
})

test('its rules are listed with their numbers, levels and tags, and those that do not run are not', () => {
  const ruleset = findManaged(OWASP_RULESET_ID)
  expect([ruleset?.name, ruleset?.version]).toEqual(['Cloudflare OWASP Core Ruleset', '30304'])
  expect(
    ruleset?.rules.map(({ id, description, categories, enabled, score }) => [
      id.replace(/^0+/, ''),
      description,
      categories,
      enabled,
      score,
    ]),
  ).toEqual([
    ['942001', '942001: Attack', ['attack-sqli', 'paranoia-level-1'], true, 5],
    ['942002', '942002: Odd', ['paranoia-level-1'], true, 2],
    ['942004', '942004: Strict', ['attack-sqli', 'paranoia-level-2'], false, 3],
    [OWASP_SCORE_RULE_ID, expect.any(String), [], true, null],
  ])
  expect(referableManaged(OWASP_RULESET_ID)?.ruleIds.has(idOfCoreRule(942_001))).toBe(true)
})

test('a rule whose pattern no engine runs is not listed, and the other rules decide', () => {
  const broken = String.raw`SecRule ARGS "@rx attack(?:[^x]{1,255}){1,10}" "id:942000,phase:2,block,msg:'Nested',tag:'paranoia-level/1',severity:'CRITICAL'"`
  installCoreRuleSet(parseRuleSet([{ name: 'rules.conf', text: `${broken}\n${RULES}` }]))
  expect(referableManaged(OWASP_RULESET_ID)?.ruleIds.has(idOfCoreRule(942_000))).toBe(false)
  const target = '/?a=attack%20and%20more'
  expect(decide(target, threshold(5))).toEqual({ action: 'block', scored: ['942001 5'] })
})

describe('decisions', () => {
  const ALL_LEVELS: Overrides = {
    categories: [{ category: 'paranoia-level-2', enabled: true }],
    ...threshold(8),
  }
  test.each<[string, string, Overrides, string | undefined, readonly string[]]>([
    ['below the default threshold', '/?a=attack', undefined, undefined, ['942001 5']],
    ["at the rules' own threshold", '/?a=attack', threshold(5), 'block', ['942001 5']],
    ['each value that matches counts', '/?a=attack&b=attack', threshold(10), 'block', ['942001 10']],
    ['nothing matches', '/?a=good', threshold(1), undefined, []],
    ['a higher paranoia level', '/?a=attack', ALL_LEVELS, 'block', ['942001 5', '942004 3']],
    [
      'a disabled rule',
      '/?a=attack&b=odd',
      { rules: [{ id: idOfCoreRule(942_001), enabled: false }] },
      undefined,
      ['942002 2'],
    ],
    [
      'a disabled tag',
      '/?a=attack&b=odd',
      { categories: [{ category: 'attack-sqli', enabled: false }] },
      undefined,
      ['942002 2'],
    ],
  ])('%s', (_, target, overrides, action, scored) => {
    expect(decide(target, overrides)).toEqual({ action, scored })
  })

  test('a skip rule excludes a rule', () => {
    const rules = { [OWASP_RULESET_ID]: [idOfCoreRule(942_001)] }
    const skip: ShortRule = { id: 's', action: 'skip', parameters: { rules } }
    expect(decide('/?a=attack', threshold(5), [skip])).toEqual({ action: undefined, scored: [] })
  })
})

test('a request with more arguments than are inspected is found, and can be blocked', () => {
  const target = (count: number): string =>
    `/?${Array.from({ length: count }, (_, i) => `a${i}=1`).join('&')}`
  const rule = findManaged(MANAGED_RULESET_ID)?.rules.find(({ categories }) =>
    categories.includes('inspection-limit'),
  )?.rule
  if (rule === undefined || rule === null) throw new Error('the rule is listed')
  const atLevel = { ...rule, detection: { kind: 'incomplete' as const, level: 1 } }
  expect(detect(atLevel, requestFor(target(1000)))).toBeNull()
  expect(detect(rule, requestFor(target(1001)))).toBeNull()
  expect(detect(atLevel, requestFor(target(1001)))).toEqual({
    field: 'http.request.uri',
    excerpt: '',
    isIncomplete: true,
  })
  const parameters = {
    id: MANAGED_RULESET_ID,
    overrides: { categories: [{ category: 'inspection-limit', enabled: true }] },
  }
  const phase = 'http_request_firewall_managed'
  const rules = [
    { id: 'e', action: 'execute' as const, parameters },
    { id: 'o', action: 'execute' as const, parameters: { id: OWASP_RULESET_ID } },
  ]
  const firewall = firewallOf([{ id: 'zone', level: 'zone', phase, rules }])
  expect(evaluateRequest(firewall, requestFor(target(1001))).action).toBe('block')
  expect(evaluateRequest(firewall, requestFor(target(1000))).action).toBeUndefined()
})

describe('what limits leave without inspection', () => {
  const many = `/?${Array.from({ length: 1001 }, (_, i) => `a${i}=1`).join('&')}`
  const managed = { id: MANAGED_RULESET_ID }
  test.each<[string, string, readonly object[], string | undefined]>([
    ['by both rulesets', many, [managed, { id: OWASP_RULESET_ID }], 'http.request.uri'],
    ['by the Core Rule Set, which is not executed', many, [managed], undefined],
    ['nothing', '/?a=1', [managed, { id: OWASP_RULESET_ID }], undefined],
    ['by no ruleset', many, [], undefined],
  ])('%s', (_, target, executed, field) => {
    const rules = executed.map((parameters, i) => ({ id: `e${i}`, action: 'execute' as const, parameters }))
    const phase = 'http_request_firewall_managed'
    const firewall = firewallOf([{ id: 'zone', level: 'zone', phase, rules: rules as ShortRule[] }])
    expect(evaluateRequest(firewall, requestFor(target)).uninspectedField).toBe(field)
  })

  test('an order of 20 kB passes if the Core Rule Set is imported and not executed', () => {
    const lines = Array.from({ length: 600 }, (_, i) => ({ sku: `A-${i}`, quantity: i }))
    const headers = { 'content-type': 'application/json' }
    const order = (): InspectedRequest =>
      inspectSample({ method: 'POST', target: '/orders', headers, body: JSON.stringify({ lines }) })
    const overrides = { categories: [{ category: 'inspection-limit', enabled: true }] }
    const limit = { id: 'm', action: 'execute' as const, parameters: { ...managed, overrides } }
    const core = { id: 'o', action: 'execute' as const, parameters: { id: OWASP_RULESET_ID } }
    const decided = (rules: readonly ShortRule[]) => {
      const phase = 'http_request_firewall_managed'
      const { action, uninspectedField: field } = evaluateRequest(
        firewallOf([{ id: 'zone', level: 'zone', phase, rules }]),
        order(),
      )
      return [action, field]
    }
    expect(decided([limit])).toEqual([undefined, undefined])
    expect(decided([limit, core])).toEqual(['block', 'http.request.body.raw'])
  })

  test('is reported of a copy of the request, too', () => {
    const request = requestFor(many)
    const [rule] = (findManaged(OWASP_RULESET_ID)?.rules ?? []).flatMap(({ rule: one }) => one ?? []) // is listed
    if (rule === undefined) throw new Error('the rule is listed')
    expect(uninspectedField({ ...request })).toBeUndefined()
    detect(rule, request)
    expect(uninspectedField({ ...request })).toBe('http.request.uri')
  })

  test('the rule about it asks at the paranoia level that is executed, also by another entry point', () => {
    // At level 2 the effects of one rule take all of the work.
    const effects = Array.from({ length: 60 }, () => "setvar:'tx.a=1'").join(',')
    const costly = `SecRule ARGS "@contains 1" "id:942006,phase:2,pass,${effects}"\nSecMarker END`
    installCoreRuleSet(parseRuleSet([{ name: 'rules.conf', text: RULES.replace('SecMarker END', costly) }]))
    const limits = { categories: [{ category: 'inspection-limit', enabled: true }] }
    const phase = 'http_request_firewall_managed'
    const request = requestFor(`/?${Array.from({ length: 1000 }, (_, i) => `a${i}=1`).join('&')}`)
    const limit = { id: 'm', action: 'execute' as const, parameters: { ...managed, overrides: limits } }
    const endedAt = (level: string): readonly (string | undefined)[] => {
      const overrides = { categories: [{ category: level, enabled: true }] }
      const core = { id: 'o', action: 'execute' as const, parameters: { id: OWASP_RULESET_ID, overrides } }
      const together = firewallOf([{ id: 'zone', level: 'zone', phase, rules: [limit, core] }])
      const apart = firewallOf([
        { id: 'account', level: 'account', phase, rules: [limit] },
        { id: 'zone', level: 'zone', phase, rules: [core] },
      ])
      return [together, apart].map((firewall) => evaluateRequest(firewall, request).by?.ruleId.slice(0, 8))
    }
    expect(endedAt('paranoia-level-1')).toEqual([undefined, undefined])
    expect(endedAt('paranoia-level-2')).toEqual(['7a6f2798', '7a6f2798'])
  })
})

describe('the work on a request', () => {
  const hostile = HOSTILE_REQUESTS.find(({ name }) => name === 'one value of attacks')
  const attack = (): InspectedRequest => {
    if (hostile === undefined) throw new Error('no such request')
    const { headers, body } = hostile
    return inspectSample({ method: 'POST', target: '/?a=attack', headers, body })
  }
  const rulesOf = (id: string) => (findManaged(id)?.rules ?? []).flatMap(({ rule }) => rule ?? []) // both are listed
  const idsFound = (id: string, request: InspectedRequest): readonly string[] =>
    rulesOf(id)
      .filter((rule) => detect(rule, request) !== null)
      .map((rule) => rule.id)

  test('is that of our own rules and of the Core Rule Set together, and target and headers keep their share', () => {
    const alone = attack()
    expect(idsFound(OWASP_RULESET_ID, alone)).toContain(idOfCoreRule(942_001))
    expect(uninspectedField(alone)).toBeUndefined()
    const own = attack()
    idsFound(MANAGED_RULESET_ID, own)
    expect(uninspectedField(own)).toBe('http.request.body.raw')
    expect(own.work.budget.spentUnits()).toBeGreaterThan((DEFAULT_WORK_UNITS * 7) / 8)
    expect(idsFound(OWASP_RULESET_ID, own)).toContain(idOfCoreRule(942_001))
    expect(own.work.budget.spentUnits()).toBeLessThan(DEFAULT_WORK_UNITS)
  })

  test('is spent once, also if other requests come between', () => {
    const [first, other] = [attack(), inspectSample({ target: '/?a=odd' })]
    const both = (request: InspectedRequest): readonly string[] => [
      ...idsFound(MANAGED_RULESET_ID, request),
      ...idsFound(OWASP_RULESET_ID, request),
    ]
    const found = both(first)
    const spent = first.work.budget.spentUnits()
    expect(both(other)).toEqual([idOfCoreRule(942_002)])
    expect([both(first), first.work.budget.spentUnits()]).toEqual([found, spent])
  })
})

test('without it the own rules are used again, and its rules find nothing', async () => {
  const rule = findManaged(OWASP_RULESET_ID)?.rules[0]?.rule
  if (rule === undefined || rule === null) throw new Error('a rule is listed')
  await warmUpDetection()
  expect(detect(rule, requestFor('/?a=attack'))).toEqual({
    field: 'ARGS:a',
    excerpt: 'attack',
    points: 5,
  })
  installCoreRuleSet(undefined)
  expect(detect(rule, requestFor('/?a=attack'))).toBeNull()
  expect(findManaged(OWASP_RULESET_ID)?.name).toBe('Zonereeve OWASP-like Ruleset')
})
