// The rulesets that come with the program, by their ids.
import { MANAGED_RULESETS, type ManagedRuleset } from '../managed-rules/index.ts'
import type { Referable } from './references.rules.ts'

export const findManaged = (id: string): ManagedRuleset | undefined =>
  MANAGED_RULESETS.find((ruleset) => ruleset.id === id)

/** Levels of a rule's paranoia are tags that overrides may name, whether a rule has them or not. */
const PARANOIA_LEVELS = [1, 2, 3, 4].map((level) => `paranoia-level-${level}`)

const REFERABLE: ReadonlyMap<string, Referable> = new Map(
  MANAGED_RULESETS.map((ruleset): [string, Referable] => {
    const scoreRule = ruleset.rules.find(({ scoreThreshold }) => scoreThreshold !== null)
    const levels = scoreRule === undefined ? [] : PARANOIA_LEVELS
    return [
      ruleset.id,
      {
        id: ruleset.id,
        kind: 'managed',
        phase: ruleset.phase,
        version: Number(ruleset.version),
        ruleIds: new Set(ruleset.rules.map(({ id }) => id)),
        categories: new Set([...levels, ...ruleset.rules.flatMap(({ categories }) => categories)]),
        scoreRuleId: scoreRule?.id,
      },
    ]
  }),
)

export const referableManaged = (id: string): Referable | undefined => REFERABLE.get(id)
