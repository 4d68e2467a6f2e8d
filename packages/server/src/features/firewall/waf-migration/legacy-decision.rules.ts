// The decision of the legacy firewall about a request: page rules and firewall rules can disable its managed
// rules.
import { decideLegacy, type InspectedRequest, type LegacyDecision } from '@zonereeve/firewall'
import { hasLegacyWaf } from '../../zones/index.ts'
import { bypassesOf, isPaused } from './migrated-config.rules.ts'
import { conjunction, urlConditionOf } from './page-rule-conditions.rules.ts'
import { effectOf } from './page-rule-skips.rules.ts'
import type { LegacyFirewall } from './legacy-firewall.ts'

/** Why the managed rules do not act; `id` is the rule that disables them. */
export type Inactive =
  | { readonly reason: 'migrated' | 'plan' | 'setting' | 'skip_rule' }
  | { readonly reason: 'page_rule' | 'firewall_rule'; readonly id: string }

export interface ZoneLegacyDecision {
  readonly inactive: Inactive | null
  /** null if the managed rules are not evaluated. With the setting off, a few rules still are. */
  readonly decision: LegacyDecision | null
}

/**
 * @param holds whether a filter expression matches the request.
 * @param isSkipped whether a rule of the new product skips the legacy one.
 */
export function decideLegacyFirewall(
  previous: LegacyFirewall,
  request: InspectedRequest,
  holds: (expression: string) => boolean,
  isSkipped: boolean,
): ZoneLegacyDecision {
  if (!hasLegacyWaf(previous.zone.plan)) return { inactive: { reason: 'plan' }, decision: null }
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

/** The first matching page rule decides, even if it has no setting for the managed rules. */
function firstPageRule({ pageRules }: LegacyFirewall, holds: (expression: string) => boolean) {
  const first = pageRules.find(({ status, targets: [target] }) => {
    const condition = status === 'active' && target !== undefined ? urlConditionOf(target) : null
    return condition !== null && holds(conjunction(condition))
  })
  const effect = first === undefined ? 'none' : effectOf(first)
  return first === undefined || effect === 'none' ? undefined : { id: first.id, isOn: effect === 'on' }
}
