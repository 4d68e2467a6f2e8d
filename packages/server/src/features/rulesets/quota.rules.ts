// How many rules and rulesets there may be.
import type { Issue } from '../../platform/domain-error.ts'
import { MAX_RULESET_REGEX_BYTES, type Plan } from './rule.rules.ts'
import type { PhaseName } from './phases.ts'
import type { Level, RulesetKind } from './ruleset.ts'

/** Rules of a phase in a zone, by its plan; of an account, the most that any plan has. */
const RULES_BY_PLAN: Readonly<Partial<Record<PhaseName, Readonly<Record<Plan, number>>>>> = {
  http_request_firewall_custom: { free: 5, pro: 20, business: 100, enterprise: 1_000 },
  http_ratelimit: { free: 1, pro: 2, business: 5, enterprise: 100 },
}
/** Rules of any other phase, and of all custom rulesets of an account. */
const MAX_RULES = 1_000
const MAX_CUSTOM_RULESETS = 10
const MAX_ACCOUNT_CUSTOM_RULES = 100

export interface Quotas {
  readonly level: Level
  readonly plan: Plan
  readonly phase: PhaseName
  readonly kind: RulesetKind
}

export const maxRules = ({ level, plan, phase }: Omit<Quotas, 'kind'>): number =>
  (level === 'zone' ? RULES_BY_PLAN[phase]?.[plan] : undefined) ?? MAX_RULES

/** @param others rules of the owner's other rulesets in the phase. @param own rules that this one is to have. */
export function ruleQuotaIssues(quotas: Quotas, own: number, others: number): Issue[] {
  const { level, kind, phase } = quotas
  const limit = maxRules(quotas)
  const isCustomOfAccount = level === 'account' && kind === 'custom'
  const issue = (count: number, most: number): Issue => ({
    reason: 'ruleset.rules_quota',
    pointer: '/rules',
    values: { phase, count, limit: most },
  })
  if (isCustomOfAccount && own > MAX_ACCOUNT_CUSTOM_RULES) return [issue(own, MAX_ACCOUNT_CUSTOM_RULES)]
  return own + others > limit ? [issue(own + others, limit)] : []
}

/** @param present custom rulesets that the owner has. */
export function rulesetQuotaIssues(kind: RulesetKind, present: number): Issue[] {
  if (kind !== 'custom' || present < MAX_CUSTOM_RULESETS) return []
  return [
    {
      reason: 'ruleset.rulesets_quota',
      pointer: '/kind',
      values: { count: present + 1, limit: MAX_CUSTOM_RULESETS },
    },
  ]
}

export function regexQuotaIssues(bytes: number): Issue[] {
  if (bytes <= MAX_RULESET_REGEX_BYTES) return []
  return [
    { reason: 'ruleset.regex_quota', pointer: '/rules', values: { bytes, limit: MAX_RULESET_REGEX_BYTES } },
  ]
}
