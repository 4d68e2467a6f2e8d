// The result of the managed rulesets at their defaults for a request: the rules that refuse it alone, and its scores.
import { detect } from '../detection.ts'
import type { InspectedRequest } from '../inspected-request.ts'
import type { ManagedRule } from '../managed-rule.ts'
import { MANAGED_RULESET_ID, BUILT_IN_RULESETS } from '../managed-rulesets.ts'

export const PARANOIA_LEVELS = [1, 2, 3, 4] as const
export type ParanoiaLevel = (typeof PARANOIA_LEVELS)[number]

/** The paranoia level and threshold that a zone with the default sensitivity migrates to. */
export const MIGRATED = { level: 2, threshold: 40 } as const

export interface NewFindings {
  /** Enabled rules of the managed ruleset whose action ends the request. */
  readonly refusing: readonly ManagedRule[]
  readonly scores: Readonly<Record<ParanoiaLevel, number>>
}

const enabled = BUILT_IN_RULESETS.flatMap(({ id, rules }) =>
  rules.flatMap(({ rule }) =>
    rule?.enabled === true ? [{ isManaged: id === MANAGED_RULESET_ID, rule }] : [],
  ),
)

export function findNew(request: InspectedRequest): NewFindings {
  const matched = enabled.filter(({ rule }) => detect(rule, request) !== null)
  const scoring = matched.filter(({ isManaged }) => !isManaged)
  const scoreAt = (level: ParanoiaLevel): number =>
    scoring.filter(({ rule }) => levelOf(rule) <= level).reduce((sum, { rule }) => sum + (rule.score ?? 0), 0)
  return {
    refusing: matched
      .filter(({ isManaged, rule }) => isManaged && rule.action !== 'log')
      .map(({ rule }) => rule),
    scores: { 1: scoreAt(1), 2: scoreAt(2), 3: scoreAt(3), 4: scoreAt(4) },
  }
}

export const isBlocked = ({ refusing, scores }: NewFindings): boolean =>
  refusing.length > 0 || scores[MIGRATED.level] >= MIGRATED.threshold

const levelOf = ({ categories }: ManagedRule): number =>
  Number(categories.find((tag) => tag.startsWith('paranoia-level-'))?.at(-1))
