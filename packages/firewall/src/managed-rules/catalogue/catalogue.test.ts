// Every managed rule matches its matching sample, not its passing one, and has the members of its kind.
import { describe, expect, test } from 'vitest'
import { detect } from '../detection.ts'
import { LEGACY_GROUPS, LEGACY_PACKAGES } from '../../legacy/legacy-packages.ts'
import { FLOOD_RULE } from '../flood-rule.ts'
import { BUILT_IN_RULESETS, OWASP_SCORE_RULE_ID } from '../managed-rulesets.ts'
import type { ManagedRule } from '../managed-rule.ts'
import { inspect } from '../inspected-request.ts'
import { factsOfSample, inspectSample } from '../request-sample.cases.ts'
import { ORDINARY_RATES } from '../ordinary-rates.ts'
import { MANAGED_RULES } from './registry.ts'
import { samplesOf } from './samples.cases.ts'

const nameOf = ({ legacy, id, description }: ManagedRule): string => `${legacy?.id ?? id} ${description}`
const named = MANAGED_RULES.map((rule) => [nameOf(rule), rule] as const)
const HEX = /^[0-9a-f]{32}$/

describe('detection', () => {
  test.each(named)('%s', (_, rule) => {
    const found = detect(rule, inspectSample(samplesOf(rule).matching))
    expect(found).toEqual({
      field: expect.stringMatching(/^(?:raw\.)?(?:http|ip|ssl|cf)\b/),
      excerpt: expect.any(String),
      ...(rule.detection.kind === 'incomplete' && { isIncomplete: true }),
    })
    expect(detect(rule, inspectSample(samplesOf(rule).passing))).toBeNull()
  })
})

test.each(['1901101', '1901102', '1901103'])('limit %s is that of the query as rules rewrite it', (id) => {
  const rule = MANAGED_RULES.find(({ legacy }) => legacy?.id === id) ?? expect.fail(`no rule ${id}`)
  const { matching } = samplesOf(rule)
  const rewritten = (target: string, rawTarget: string) =>
    detect(rule, inspect({ ...factsOfSample({ target }), rawTarget }, new Uint8Array()))
  const long = matching.target ?? expect.fail('the sample has no target')
  expect(rewritten(long, '/')).not.toBeNull()
  expect(rewritten('/', long)).toBeNull()
})

describe('the catalogue', () => {
  test('has rules in every group, and of every kind', () => {
    const groups = new Set(MANAGED_RULES.map(({ legacy }) => legacy?.groupId))
    expect(LEGACY_GROUPS.filter(({ id }) => !groups.has(id))).toEqual([])
    expect(new Set(MANAGED_RULES.map(({ legacy }) => legacy?.kind))).toEqual(
      new Set(['deny', 'allow', 'anomaly', undefined]),
    )
    expect(MANAGED_RULES.length).toBeGreaterThanOrEqual(180)
  })

  test.each([
    ['ids', MANAGED_RULES.map(({ id }) => id)],
    ['refs', MANAGED_RULES.map(({ ref }) => ref)],
    ['old ids', MANAGED_RULES.flatMap(({ legacy }) => (legacy === null ? [] : [legacy.id]))],
    ['descriptions', MANAGED_RULES.map(({ ruleset, description }) => `${ruleset} ${description}`)],
    ['group ids', LEGACY_GROUPS.map(({ id }) => id)],
  ])('%s are unique', (_, values) => {
    expect(values.length).toBeGreaterThan(0)
    expect(values.filter((value, i) => values.indexOf(value) !== i)).toEqual([])
  })

  test.each(named)('%s is complete', (_, rule) => {
    expect(rule.id).toMatch(HEX)
    expect(rule.ref).toMatch(HEX)
    expect(rule.description).toMatch(/^\S.{9,119}$/)
    expect(rule.categories.every((tag) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(tag))).toBe(true)
    expect(new Set(rule.categories).size).toBe(rule.categories.length)
    const levels = rule.categories.filter((tag) => tag.startsWith('paranoia-level-'))
    if (rule.ruleset === 'owasp') {
      expect([rule.action, levels.length, [5, 4, 3, 2].includes(rule.score ?? 0)]).toEqual(['score', 1, true])
    } else {
      expect([rule.action === 'score', levels.length, rule.score]).toEqual([false, 0, null])
    }
  })

  test.each(named.filter(([, { legacy }]) => legacy !== null))(
    '%s has its place in the legacy managed rules',
    (_, rule) => {
      const { legacy } = rule
      const group = LEGACY_GROUPS.find(({ id }) => id === legacy?.groupId)
      const mode = LEGACY_PACKAGES.find(({ id }) => id === legacy?.packageId)?.detectionMode
      expect(group?.packageId).toBe(legacy?.packageId)
      expect(legacy?.id).toMatch(/^[0-9A-Z]{6,8}$/)
      expect(legacy?.priority).toMatch(/^[1-9]\d*$/)
      expect(mode).toBe(rule.ruleset === 'owasp' ? 'anomaly' : 'traditional')
      const modes = {
        anomaly: ['on', 'off'],
        allow: ['on', 'off'],
        deny: ['block', 'challenge', 'simulate', 'disable'],
      }
      expect(modes[legacy?.kind ?? 'deny']).toContain(legacy?.defaultMode)
      expect(legacy?.kind === 'anomaly').toBe(mode === 'anomaly')
    },
  )

  test('the rulesets list every rule except allow rules, and the OWASP ruleset evaluates the score last', () => {
    const listed = BUILT_IN_RULESETS.flatMap(({ rules }) => rules.map(({ id }) => id))
    const expected = MANAGED_RULES.filter(({ legacy }) => legacy?.kind !== 'allow').map(({ id }) => id)
    expect(new Set(listed)).toEqual(new Set([...expected, OWASP_SCORE_RULE_ID, FLOOD_RULE.id]))
    expect(listed).toHaveLength(expected.length + 2)
    expect(BUILT_IN_RULESETS[1]?.rules.at(-1)).toMatchObject({
      id: OWASP_SCORE_RULE_ID,
      action: 'block',
      scoreThreshold: 40,
    })
  })
})

describe('the rates on ordinary strings', () => {
  const { tried, stopped, stoppedBy } = ORDINARY_RATES
  const deciding = MANAGED_RULES.filter(({ action, score }) => score === null && action !== 'log')

  test('are of rules that decide alone', () => {
    const ids = new Set(deciding.map(({ id }) => id))
    expect(Object.keys(stoppedBy).filter((id) => !ids.has(id))).toEqual([])
  })

  test('are listed with each rule that decides alone, and with no other', () => {
    const listed = BUILT_IN_RULESETS.flatMap(({ rules }) => rules)
    const ids = listed.flatMap(({ id, ordinaryStrings }) => (ordinaryStrings === undefined ? [] : [id]))
    expect(ids).toEqual(deciding.filter(({ legacy }) => legacy?.kind !== 'allow').map(({ id }) => id))
    const stopping = listed.filter(({ ordinaryStrings }) => (ordinaryStrings?.stopped ?? 0) > 0) // others have none
    expect(
      Object.fromEntries(stopping.map(({ id, ordinaryStrings }) => [id, ordinaryStrings?.stopped])),
    ).toEqual(stoppedBy)
  })

  test('are within their bounds: 0.05 % in all, and for each rule', () => {
    expect(tried).toBeGreaterThan(100_000)
    expect(stopped / tried).toBeLessThan(0.000_5)
    for (const count of Object.values(stoppedBy)) expect(count).toBeLessThanOrEqual(stopped)
  })
})
