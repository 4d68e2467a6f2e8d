// The built-in rulesets by ID.
import { managedRulesets, type ManagedRuleset } from '../managed-rules/managed-rulesets.ts'
import type { Level, Referable } from './ruleset.ts'

export const findManaged = (id: string): ManagedRuleset | undefined =>
  managedRulesets().find((ruleset) => ruleset.id === id)

/** The names and contents of an account's own rules are not shown to users of its zones. */
export const isReportedToZones = (place: { readonly level: Level; readonly rulesetId: string }): boolean =>
  place.level === 'zone' || findManaged(place.rulesetId) !== undefined

/** Paranoia levels are tags that overrides may name, whether or not a rule has them. */
const PARANOIA_LEVELS = [1, 2, 3, 4].map((level) => `paranoia-level-${level}`)

/** A managed ruleset as rules may refer to it. */
export function referableManaged(id: string): Referable | undefined {
  const ruleset = findManaged(id)
  if (ruleset === undefined) return undefined
  const { rules, phase, version } = ruleset
  const scoreRule = rules.find(({ scoreThreshold }) => scoreThreshold !== null)
  const levels = scoreRule === undefined ? [] : PARANOIA_LEVELS
  return {
    id,
    kind: 'managed',
    phase,
    version: Number(version),
    ruleIds: new Set(rules.map((rule) => rule.id)),
    categories: new Set([...levels, ...rules.flatMap(({ categories }) => categories)]),
    scoreRuleId: scoreRule?.id,
    hasSensitivity: rules.some(({ limits }) => limits !== undefined),
  }
}
