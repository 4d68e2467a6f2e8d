// A configuration that was written as JSON and compiled again decides as the original does.
import { runAtOnce } from '@zonereeve/cooperate'
import { ExprError, parseIp, utf8, type RequestFacts } from '@zonereeve/expr'
import { describe, expect, test } from 'vitest'
import { DEFAULT_LEGACY_CONFIGURATION } from '../legacy/legacy-configuration.ts'
import { inspect } from '../managed-rules/inspected-request.ts'
import { MANAGED_RULESET_ID } from '../managed-rules/managed-rulesets.ts'
import type { RuleDefinition, Ruleset } from '../rulesets/ruleset.ts'
import { decideRequest } from './decide.ts'
import { eventRuleOf } from './event.ts'
import type { LegacyZone } from './legacy-zone.ts'
import { compileZone, writeZoneConfiguration, type ZoneConfiguration } from './zone-configuration.ts'

const ruleset = (kind: Ruleset['kind'], ...definitions: Partial<RuleDefinition>[]): Ruleset => ({
  id: `${kind}`.padEnd(32, '0'),
  owner: { level: 'zone', id: 'z' },
  kind,
  phase: 'http_request_firewall_custom',
  name: kind,
  description: '',
  version: 1,
  lastUpdated: '',
  rules: definitions.map((definition, index) => ({
    id: `rule-${index + 1}`,
    version: 1,
    ref: `rule-${index + 1}`,
    lastUpdated: '',
    regexBytes: 0,
    definition: { action: 'block', expression: 'true', enabled: true, ...definition },
  })),
})

const LEGACY: LegacyZone = {
  inactive: null,
  bypasses: [{ id: 'bypass', expression: 'http.request.uri.path contains "/open/"' }],
  pageRules: [{ id: 'page', expression: 'http.request.uri.path contains "/off/"', effect: 'off' }],
  managed: DEFAULT_LEGACY_CONFIGURATION,
}
const NO_LEGACY: LegacyZone = { ...LEGACY, inactive: 'plan' }
const ATTACK = '?id=1%27%20UNION%20SELECT%20password%20FROM%20users--'

const request = (target: string) => {
  const facts: RequestFacts = {
    method: 'GET',
    version: 'HTTP/1.1',
    isTls: false,
    host: 'example.com',
    target,
    headers: [['host', utf8('example.com')]],
    clientIp: parseIp('192.0.2.1') as NonNullable<ReturnType<typeof parseIp>>, // a valid address
    receivedAtMs: 0,
  }
  return inspect(facts, new Uint8Array())
}

const overrideOf = (urls: readonly string[]): LegacyZone => ({
  ...LEGACY,
  managed: {
    ...DEFAULT_LEGACY_CONFIGURATION,
    groupModes: new Map([['de677e5818985db1285d0e80225f06e5', 'off']]),
    ruleModes: new Map([['100008', 'disable']]),
    overrides: [
      {
        id: 'override',
        urls,
        priority: 1,
        isPaused: false,
        groups: new Map(),
        rules: new Map(),
        rewriteAction: new Map([['block', 'challenge']]),
      },
    ],
  },
})

interface Case {
  readonly name: string
  readonly zone: ZoneConfiguration
  readonly target: string
  readonly action: string
  readonly status?: number
  readonly source?: string
}

const custom = (...definitions: Partial<RuleDefinition>[]): ZoneConfiguration => ({
  rulesets: [ruleset('zone', ...definitions)],
  legacy: NO_LEGACY,
})

const CASES: readonly Case[] = [
  { name: 'no rules', zone: { rulesets: [], legacy: NO_LEGACY }, target: '/', action: 'allow' },
  { name: 'a block', zone: custom({}), target: '/', action: 'block', status: 403, source: 'firewallCustom' },
  {
    name: 'a block with its own response',
    zone: custom({
      parameters: { response: { status_code: 418, content_type: 'text/plain', content: 'no' } },
    }),
    target: '/',
    action: 'block',
    status: 418,
    source: 'firewallCustom',
  },
  { name: 'a rule that is off', zone: custom({ enabled: false }), target: '/', action: 'allow' },
  {
    name: 'a rule that logs',
    zone: custom({ action: 'log' }),
    target: '/',
    action: 'log',
    source: 'firewallCustom',
  },
  {
    name: 'an attack, by the legacy rules',
    zone: { rulesets: [], legacy: LEGACY },
    target: `/shop${ATTACK}`,
    action: 'block',
    status: 403,
    source: 'waf',
  },
  {
    name: 'an attack where a firewall rule bypasses the legacy rules',
    zone: { rulesets: [], legacy: LEGACY },
    target: `/open/${ATTACK}`,
    action: 'allow',
  },
  {
    name: 'an attack where a page rule turns the legacy rules off',
    zone: { rulesets: [], legacy: LEGACY },
    target: `/off/${ATTACK}`,
    action: 'allow',
  },
  {
    name: 'an attack under an override, which survives as entries',
    zone: { rulesets: [], legacy: overrideOf(['example.com/shop*']) },
    target: `/shop${ATTACK}`,
    action: 'managed_challenge',
    status: 403,
    source: 'waf',
  },
]

describe('a written configuration', () => {
  test.each(CASES)('$name: $action', ({ zone, target, action, status, source }) => {
    const written = writeZoneConfiguration(zone)
    const read = JSON.parse(JSON.stringify(written)) as typeof written // its own JSON
    const deciding = runAtOnce(compileZone(read))
    const decision = decideRequest(deciding, request(target))
    expect(decision.effective.action).toBe(action)
    expect(decision.response?.statusCode).toBe(status)
    expect(eventRuleOf(decision, deciding.firewall)?.source).toBe(source)
  })

  test('is refused whole if one expression is wrong', () => {
    const wrong = writeZoneConfiguration(custom({}, { expression: 'no.such.field eq 1' }))
    expect(() => runAtOnce(compileZone(wrong))).toThrow(ExprError)
    const bypass = { id: 'bypass', expression: '(' }
    const legacy = writeZoneConfiguration({ rulesets: [], legacy: { ...LEGACY, bypasses: [bypass] } })
    expect(() => runAtOnce(compileZone(legacy))).toThrow(ExprError)
  })
})

test('the legacy WAF inspects a rewritten request as the rulesets did, with what is left to spend on it', () => {
  const parameters = { uri: { path: { value: '/new' } } }
  const rewriting = {
    ...ruleset('zone', { action: 'rewrite', parameters }),
    phase: 'http_request_transform' as const,
  }
  const configuration = { rulesets: [rewriting], legacy: LEGACY }
  const deciding = runAtOnce(compileZone(writeZoneConfiguration(configuration)))
  const { changes } = decideRequest(deciding, request(`/old${ATTACK}`)).verdict
  expect(changes.facts.target).toBe(`/new${ATTACK}`)
  expect(changes.request.work.budget.spentUnits()).toBeGreaterThan(0)
})

describe('a request that managed rules did not inspect whole', () => {
  const executing = (category?: object): ZoneConfiguration => {
    const overrides = category && { categories: [{ category: 'inspection-limit', ...category }] }
    const parameters = { id: MANAGED_RULESET_ID, ...(overrides && { overrides }) }
    const executed = ruleset('zone', { action: 'execute', parameters })
    return { rulesets: [{ ...executed, phase: 'http_request_firewall_managed' }], legacy: NO_LEGACY }
  }
  const event = { source: 'firewallManaged', uninspectedField: 'http.request.body.raw' }
  test.each([
    ['passes with an event', executing(), true, 'allow', { ...event, action: 'log' }],
    [
      'is blocked by the rule for it',
      executing({ enabled: true }),
      true,
      'block',
      { ...event, action: 'block' },
    ],
    [
      'is logged by the rule for it',
      executing({ enabled: true, action: 'log' }),
      true,
      'log',
      { ...event, action: 'log' },
    ],
    ['no event without managed rules', { rulesets: [], legacy: NO_LEGACY }, true, 'allow', undefined],
    ['no event for one that is inspected whole', executing(), false, 'allow', undefined],
  ])('%s', (_, configuration, isTruncated, action, expected) => {
    const deciding = runAtOnce(compileZone(writeZoneConfiguration(configuration)))
    const { facts } = request('/upload')
    const body = { bytes: 'ordinary text', sizeBytes: isTruncated ? 200_000 : 13, isTruncated }
    const headers = [...facts.headers, ['content-type', 'text/plain']] as const
    const received = inspect({ ...facts, method: 'POST', headers, body }, new Uint8Array())
    const decision = decideRequest(deciding, received)
    expect(decision.effective.action).toBe(action)
    const found = eventRuleOf(decision, deciding.firewall)
    if (expected === undefined) expect(found).toBeUndefined()
    else expect(found).toMatchObject({ ...expected, ruleId: '7a6f279852a8f5194950a402553f121a' })
  })
})
