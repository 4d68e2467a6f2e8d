// The evaluation agrees with the naive one for any combination of skip, execute and override.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evaluateRequest } from './evaluate-request.ts'
import { firewallOf, requestFor, type ShortRule, type ShortRuleset } from './firewall.cases.ts'
import { naiveStory } from './naive-evaluation.cases.ts'
import { DECIDING_PHASES } from './phases.ts'

const CUSTOM_IDS = ['x', 'y']
const RULE_IDS = ['a', 'b', 'c', 'd']
const HOLDS = 'http.host eq "www.example.com"'
const DOES_NOT = 'http.host eq "elsewhere"'

const condition = fc.constantFrom(HOLDS, HOLDS, HOLDS, DOES_NOT)
const action = fc.constantFrom<ShortRule['action']>('log', 'log', 'log', 'block', 'managed_challenge')
const some = <T>(values: readonly T[]) => fc.subarray([...values], { minLength: 1 })

const skipped = fc.oneof(
  fc.constant({ ruleset: 'current' }),
  fc.constant({ phase: 'current' }),
  some(DECIDING_PHASES).map((phases) => ({ phases })),
  some(CUSTOM_IDS).map((rulesets) => ({ rulesets })),
  fc.dictionary(fc.constantFrom(...CUSTOM_IDS), some(RULE_IDS), { minKeys: 1 }).map((rules) => ({ rules })),
)
const override = fc.record(
  { action: fc.constantFrom('log', 'block'), enabled: fc.boolean() },
  { requiredKeys: [] },
)
const overrides = fc.option(
  fc
    .tuple(override, fc.dictionary(fc.constantFrom(...RULE_IDS), override))
    .map(([all, rules]) => ({ ...all, rules: Object.entries(rules).map(([id, one]) => ({ id, ...one })) })),
  { nil: undefined },
)

const plain = fc.record({
  action,
  expression: condition,
  enabled: fc.constantFrom(true, true, true, false),
  isCounted: fc.constantFrom(false, false, false, true),
})
const skipping = fc.record({
  action: fc.constant('skip' as const),
  expression: condition,
  parameters: skipped,
})
const executing = fc
  .tuple(fc.constantFrom(...CUSTOM_IDS, 'gone'), overrides, condition)
  .map(([id, changed, expression]) => ({
    action: 'execute' as const,
    expression,
    parameters: { id, ...(changed === undefined ? {} : { overrides: changed }) },
  }))

const named = <T extends object>(rules: fc.Arbitrary<T[]>) =>
  rules.map((list) => list.map((rule, index) => ({ ...rule, id: RULE_IDS[index] ?? `r${index}` })))

/** Rules of entry points may execute; those of custom rulesets may not. */
const entryRules = named(fc.array(fc.oneof(plain, skipping, executing), { maxLength: 6 }))
const customRules = named(fc.array(fc.oneof(plain, skipping), { maxLength: 4 }))

const entry = (
  level: 'account' | 'zone',
  phase: (typeof DECIDING_PHASES)[number],
  rules: typeof entryRules,
) =>
  fc.option(
    rules.map((list): ShortRuleset => ({ id: `${level} ${phase}`, level, phase, rules: list })),
    { nil: undefined },
  )
/** The place whose entry point executes the custom rulesets, which belong to one owner and one phase. */
const EXECUTING = 'http_request_firewall_custom' as const
const ELSEWHERE = DECIDING_PHASES.flatMap((phase) =>
  (['account', 'zone'] as const)
    .filter((level) => level !== 'zone' || phase !== EXECUTING)
    .map((level) => entry(level, phase, customRules)),
)

const firewalls = fc
  .tuple(entry('zone', EXECUTING, entryRules), fc.tuple(...ELSEWHERE), customRules, customRules)
  .map(([executor, others, ...customs]): ShortRuleset[] => [
    ...[executor, ...others].filter((one) => one !== undefined),
    ...customs.map((rules, index) => ({
      id: CUSTOM_IDS[index] ?? '',
      level: 'zone' as const,
      phase: EXECUTING,
      isCustom: true,
      rules,
    })),
  ])

const story = (rulesets: readonly ShortRuleset[], isTracing: boolean): string =>
  evaluateRequest(firewallOf(rulesets), requestFor('/'), { isTracing })
    .steps.filter(({ outcome }) => outcome === 'matched' || outcome === 'counted')
    .map(({ action: done, outcome, ruleId }) => `${outcome === 'matched' ? done : outcome} ${ruleId}`)
    .join(', ')

describe('evaluation', () => {
  test('agrees with the naive one', () => {
    fc.assert(
      fc.property(firewalls, (rulesets) => {
        expect(story(rulesets, false)).toBe(naiveStory(rulesets, ({ expression }) => expression !== DOES_NOT))
      }),
      { numRuns: 500 },
    )
  })

  test('gives the same result with and without tracing, and each time', () => {
    fc.assert(
      fc.property(firewalls, (rulesets) => {
        expect(story(rulesets, true)).toBe(story(rulesets, false))
        expect(story(rulesets, true)).toBe(story(rulesets, true))
      }),
      { numRuns: 100 },
    )
  })
})
