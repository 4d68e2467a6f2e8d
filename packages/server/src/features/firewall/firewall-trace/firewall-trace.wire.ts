// Traces of both products as the API returns them.
import type { WireFirewallComparison, WireFirewallTrace } from '@zonereeve/contract'
import { legacyOutcome, rulesetOutcome } from '@zonereeve/firewall'
import { fill, WIRE_ERRORS, type Issue } from '@zonereeve/platform'
import { toWireDetected, toWirePlace, toWireVerdict } from '../rulesets/index.ts'
import type { BothTrace, Comparison } from './firewall-trace.service.ts'

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
        detected: toWireDetected(detected),
      })),
    },
  }
}

export const toWireComparison = ({
  compared,
  differences,
  rejected,
}: Comparison): WireFirewallComparison => ({
  compared,
  differences: differences.map(({ index, trace }) => {
    const { ruleId, ...legacy } = legacyOutcome(trace.legacy)
    const { action, by } = rulesetOutcome(trace)
    const place = by === undefined ? undefined : toWirePlace(by)
    return {
      index,
      old: { ...legacy, rule_id: ruleId },
      new: { action, rule_id: place?.rule_id ?? null, description: place?.description || null },
    }
  }),
  rejected: rejected.map(({ index, issues }) => ({ index, problems: issues.map(messageOf) })),
})

const messageOf = ({ reason, values = {} }: Issue): string => fill(WIRE_ERRORS[reason].message, values)
