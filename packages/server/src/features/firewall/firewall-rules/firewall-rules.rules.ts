// Checks of firewall rules: valid combinations, limits, and the order of evaluation.
import type { Issue } from '@zonereeve/platform'
import type { Plan } from '../../zones/index.ts'

/** In the order in which rules of the same priority are evaluated. */
export const ACTIONS = [
  'log',
  'bypass',
  'allow',
  'challenge',
  'managed_challenge',
  'js_challenge',
  'block',
] as const
export type FirewallAction = (typeof ACTIONS)[number]

export type FirewallProduct =
  | 'zoneLockdown'
  | 'uaBlock'
  | 'bic'
  | 'hot'
  | 'securityLevel'
  | 'rateLimit'
  | 'waf'

export interface FirewallRuleMembers {
  readonly action: FirewallAction
  /** Empty for all actions except bypass. */
  readonly products: readonly FirewallProduct[]
  /** Lower first; null comes after all numbers. */
  readonly priority: number | null
  readonly paused: boolean
  /** null = not set. */
  readonly description: string | null
  /** null = not set. */
  readonly ref: string | null
}

export const FIREWALL_RULE_QUOTAS: Readonly<Record<Plan, number>> = {
  free: 5,
  pro: 20,
  business: 100,
  enterprise: 1_000,
}

/**
 * Issues of a rule.
 * @param pointer JSON pointer to the rule in the request.
 */
export function memberIssues(rule: FirewallRuleMembers, plan: Plan, pointer: string): Issue[] {
  const isBypass = rule.action === 'bypass'
  return [
    ...(isBypass && rule.products.length === 0
      ? [{ reason: 'firewall_rule.products_missing' as const, pointer: `${pointer}/products` }]
      : []),
    ...(!isBypass && rule.products.length > 0
      ? [{ reason: 'firewall_rule.products' as const, pointer: `${pointer}/products` }]
      : []),
    ...(rule.action === 'log' && plan !== 'enterprise'
      ? [{ reason: 'firewall_rule.log_plan' as const, pointer: `${pointer}/action`, values: { plan } }]
      : []),
  ]
}

interface OrderedRule extends Pick<FirewallRuleMembers, 'priority' | 'action'> {
  readonly id: string
  readonly createdOn: string
}

/** Compares rules by evaluation order: priority, then action, then age (oldest first). */
export function compareRules(a: OrderedRule, b: OrderedRule): number {
  return (
    (a.priority ?? Infinity) - (b.priority ?? Infinity) ||
    ACTIONS.indexOf(a.action) - ACTIONS.indexOf(b.action) ||
    compareStrings(a.createdOn, b.createdOn) ||
    compareStrings(a.id, b.id)
  )
}

const compareStrings = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
