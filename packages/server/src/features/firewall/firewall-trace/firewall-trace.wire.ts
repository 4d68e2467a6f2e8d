// Traces of both products as the API returns them.
import type { WireFirewallTrace } from '@zonereeve/contract'
import { toWireVerdict } from '../rulesets/index.ts'
import type { BothTrace } from './firewall-trace.service.ts'

export function toWireFirewallTrace({ state, current, previous, effective }: BothTrace): WireFirewallTrace {
  const { inactive, decision } = previous
  return {
    migration_state: state,
    effective: { action: effective.action, by: effective.by, rule_id: effective.ruleId },
    new: toWireVerdict(current),
    old: {
      inactive: inactive?.reason ?? null,
      inactive_by: inactive !== null && 'id' in inactive ? inactive.id : null,
      action: decision?.action ?? 'pass',
      rule_id: decision?.ruleId ?? null,
      total: decision?.total ?? 0,
      threshold: decision?.threshold ?? null,
      override_ids: [...(decision?.overrideIds ?? [])],
      matches: (decision?.matches ?? []).map(({ rule, effect, score, detected }) => ({
        rule_id: rule.legacy?.id ?? '',
        new_rule_id: rule.id,
        description: rule.description,
        effect,
        ...(score === null ? {} : { score }),
        detected,
      })),
    },
  }
}
