// A request is decided the same way before and after the migration, for any settings of the package CloudFlare.
// Intended differences: rules that let requests pass, rules that the legacy product never had, and the scores
// of the OWASP package.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  decideLegacy,
  MANAGED_RULES,
  type LegacyConfiguration,
  type LegacyRuleMode,
} from '@zonereeve/firewall'
import { inspectSample } from '@zonereeve/firewall/managed-rules/request-sample.cases.ts'
import { evaluateRequest } from '../rulesets/index.ts'
import { effectiveModeOf, groupsOf, packagesOf, rulesOf } from '../waf-packages/index.ts'
import { plannedFirewall } from './planned-firewall.rules.ts'
import type { LegacyFirewall } from './legacy-firewall.ts'
import { samplesOf } from '@zonereeve/firewall/managed-rules/catalogue/samples.cases.ts'

const NEW_NAMES = {
  block: 'block',
  challenge: 'managed_challenge',
  simulate: 'log',
  pass: undefined,
} as const
const STRIDE = 9
const deny = MANAGED_RULES.filter(({ legacy }) => legacy?.kind === 'deny')
const allowed = MANAGED_RULES.flatMap(({ legacy }) => (legacy?.kind === 'allow' ? [legacy.id] : []))
const groupIds = [...new Set(deny.map(({ legacy }) => legacy?.groupId ?? ''))]
const requests = deny
  .filter((_, index) => index % STRIDE === 0)
  .map(samplesOf)
  .flatMap(({ matching, passing }) => [matching, passing])
  .map(inspectSample)
const NONE = { entryPoints: { account: new Map(), zone: new Map() }, custom: new Map() }

const modes = fc.constantFrom<LegacyRuleMode>('default', 'disable', 'simulate', 'block', 'challenge')
const configuration: fc.Arbitrary<LegacyConfiguration> = fc
  .record({
    off: fc.subarray(groupIds, { maxLength: 4 }),
    rules: fc.array(fc.tuple(fc.constantFrom(...deny), modes), { maxLength: 60 }),
  })
  .map(({ off, rules }) => ({
    wafOn: true,
    packages: { sensitivity: 'off', actionMode: 'challenge' },
    groupModes: new Map(off.map((id) => [id, 'off'])),
    ruleModes: new Map([
      ...allowed.map((id) => [id, 'off'] as const),
      ...rules.map(([{ legacy }, mode]) => [legacy?.id ?? '', mode] as const),
    ]),
    overrides: [],
  }))

function legacyWith(managed: LegacyConfiguration): LegacyFirewall {
  const choices = {
    packages: new Map([['c504870194831cd12c3fc0284f294abb', managed.packages]]),
    groups: managed.groupModes,
    rules: managed.ruleModes,
  }
  const packages = packagesOf(choices).map((found) => ({
    ...found,
    groups: groupsOf(found.id, choices).map((group) => ({
      ...group,
      rules: rulesOf(found.id, choices)
        .filter(({ groupId }) => groupId === group.id)
        .map((rule) => ({ ...rule, effectiveMode: effectiveModeOf(rule, group.mode) })),
    })),
  }))
  const none = { overrides: [], firewallRules: [], bypassRules: [], pageRules: [] }
  const zone = {} as LegacyFirewall['zone'] // the mapping does not use it
  return { zone, isMigrated: false, wafOn: true, packages, managed, ...none }
}

describe('the verdict before and after', () => {
  test('is the same', () => {
    expect(requests.length).toBeGreaterThan(20)
    const seen = new Set<string>()
    fc.assert(
      fc.property(configuration, (managed) => {
        const firewall = plannedFirewall(NONE, legacyWith(managed))
        for (const request of requests) {
          const before = decideLegacy(managed, request)
          const after = evaluateRequest(firewall, request)
          const known = after.steps.filter(
            ({ ruleId }) => MANAGED_RULES.find(({ id }) => id === ruleId)?.legacy !== null,
          )
          if (known.length < after.steps.length) continue
          seen.add(before.action)
          const old = before.matches.find(({ rule }) => rule.legacy?.id === before.ruleId)?.rule.id ?? null
          const logged = after.steps.find(({ action }) => action === 'log')
          const decidedBy = after.by ?? logged
          expect([after.action ?? logged?.action, decidedBy?.ruleId ?? null]).toEqual([
            NEW_NAMES[before.action],
            old,
          ])
        }
      }),
      { numRuns: 60 },
    )
    expect([...seen].toSorted()).toEqual(['block', 'challenge', 'pass', 'simulate'])
  })
})
