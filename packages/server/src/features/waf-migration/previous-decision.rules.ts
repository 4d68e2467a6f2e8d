// What the previous firewall does with a request: page rules and firewall rules say whether its managed rules act there.
import { decideLegacy, type InspectedRequest, type LegacyDecision } from '../managed-rules/index.ts'
import { hasPreviousWaf } from '../zones/index.ts'
import { bypassesOf, isPaused } from './migrated-config.rules.ts'
import { conjunction, urlConditionOf } from './page-rule-conditions.rules.ts'
import { effectOf } from './page-rule-skips.rules.ts'
import type { PreviousFirewall } from './previous-firewall.ts'

/** Why the managed rules do not act; `id` names the rule that keeps them from it. */
export type Inactive =
  | { readonly reason: 'migrated' | 'plan' | 'setting' | 'skip_rule' }
  | { readonly reason: 'page_rule' | 'firewall_rule'; readonly id: string }

export interface PreviousDecision {
  readonly inactive: Inactive | null
  /** null where they are not asked at all. With the setting off, a few rules are. */
  readonly decision: LegacyDecision | null
}

/**
 * @param holds whether a filter expression holds for the request.
 * @param isSkipped whether a rule of the new product leaves out the previous one.
 */
export function decidePrevious(
  previous: PreviousFirewall,
  request: InspectedRequest,
  holds: (expression: string) => boolean,
  isSkipped: boolean,
): PreviousDecision {
  if (!hasPreviousWaf(previous.zone.plan)) return { inactive: { reason: 'plan' }, decision: null }
  if (previous.isMigrated) return { inactive: { reason: 'migrated' }, decision: null }
  if (isSkipped) return { inactive: { reason: 'skip_rule' }, decision: null }
  const bypass = bypassesOf(previous).find((one) => !isPaused(one) && holds(one.filter.expression))
  if (bypass !== undefined)
    return { inactive: { reason: 'firewall_rule', id: bypass.rule.id }, decision: null }
  const switched = firstPageRule(previous, holds)
  const wafOn = switched === undefined ? previous.wafOn : switched.isOn
  const decision = decideLegacy({ ...previous.managed, wafOn }, request)
  if (wafOn) return { inactive: null, decision }
  return {
    inactive: switched === undefined ? { reason: 'setting' } : { reason: 'page_rule', id: switched.id },
    decision,
  }
}

/** The first page rule that fits decides, and it may say nothing of the managed rules. */
function firstPageRule({ pageRules }: PreviousFirewall, holds: (expression: string) => boolean) {
  const first = pageRules.find(({ status, targets: [target] }) => {
    const condition = status === 'active' && target !== undefined ? urlConditionOf(target) : null
    return condition !== null && holds(conjunction(condition))
  })
  const effect = first === undefined ? 'none' : effectOf(first)
  return first === undefined || effect === 'none' ? undefined : { id: first.id, isOn: effect === 'on' }
}
