// The rulesets that come with the program, by their ids.
import { MANAGED_RULESETS, type ManagedRuleset } from '../managed-rules/index.ts'
import type { Referable } from './references.rules.ts'
import type { Level } from './ruleset.ts'

export const findManaged = (id: string): ManagedRuleset | undefined =>
  MANAGED_RULESETS.find((ruleset) => ruleset.id === id)

/** What an account calls its own rules, and what they say, is not told to those of its zones. */
export const isToldToZones = (place: { readonly level: Level; readonly rulesetId: string }): boolean =>
  place.level === 'zone' || findManaged(place.rulesetId) !== undefined

/** Levels of a rule's paranoia are tags that overrides may name, whether a rule has them or not. */
const PARANOIA_LEVELS = [1, 2, 3, 4].map((level) => `paranoia-level-${level}`)

/** A managed ruleset as rules may speak of it. */
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
  }
}
