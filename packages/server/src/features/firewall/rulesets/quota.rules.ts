// Limits on the number of rules and rulesets.
import type { Issue } from '@zonereeve/platform'
import { MAX_RULESET_REGEX_BYTES, type Plan } from './rule.rules.ts'
import type { Level, PhaseName, RulesetKind } from '@zonereeve/firewall'

/** Maximum rules of a phase in a zone, by plan; accounts have MAX_RULES. */
const RULES_BY_PLAN: Readonly<Partial<Record<PhaseName, Readonly<Record<Plan, number>>>>> = {
  http_request_firewall_custom: { free: 5, pro: 20, business: 100, enterprise: 1_000 },
  http_ratelimit: { free: 1, pro: 2, business: 5, enterprise: 100 },
}
/** Maximum rules of any other phase, and of all custom rulesets of an account. */
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

/**
 * @param others rules of the owner's other rulesets in the phase.
 * @param own rules that this ruleset is to have.
 */
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

/** @param present number of custom rulesets of the owner. */
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
