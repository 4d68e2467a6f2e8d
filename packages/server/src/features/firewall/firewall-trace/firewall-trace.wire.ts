// Traces of both products as the API returns them.
import type { WireFirewallTrace } from '@zonereeve/contract'
import { toWireVerdict } from '../rulesets/index.ts'
import type { BothTrace } from './firewall-trace.service.ts'

type Decision = NonNullable<BothTrace['previous']['decision']>

/** Of a request that the legacy rules do not see. */
const UNDECIDED: Decision = {
  action: 'pass',
  ruleId: null,
  matches: [],
  total: 0,
  threshold: null,
  overrideIds: [],
}

function legacyIdOf({ id, legacy }: Decision['matches'][number]['rule']): string {
  if (legacy === null) throw new Error(`the legacy firewall matched ${id}, which is not one of its rules`)
  return legacy.id
}

export function toWireFirewallTrace({ state, current, previous, effective }: BothTrace): WireFirewallTrace {
  const { inactive } = previous
  const { action, ruleId, total, threshold, overrideIds, matches } = previous.decision ?? UNDECIDED
  return {
    migration_state: state,
    effective: { action: effective.action, by: effective.by, rule_id: effective.ruleId },
    new: toWireVerdict(current),
    old: {
      inactive: inactive?.reason ?? null,
      inactive_by: inactive !== null && 'id' in inactive ? inactive.id : null,
      action,
      rule_id: ruleId,
      total,
      threshold,
      override_ids: [...overrideIds],
      matches: matches.map(({ rule, effect, score, detected }) => ({
        rule_id: legacyIdOf(rule),
        new_rule_id: rule.id,
        description: rule.description,
        effect,
        ...(score === null ? {} : { score }),
        detected,
      })),
    },
  }
}
