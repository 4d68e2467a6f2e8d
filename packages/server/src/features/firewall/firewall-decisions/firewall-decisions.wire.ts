// Decisions as the API returns them.
import type { WireFirewallDecision } from '@zonereeve/contract'
import { toWirePlace, toWireResponse } from '../rulesets/index.ts'
import type { DecidingRule, FirewallDecision } from './firewall-decisions.service.ts'

export const toWireDecision = (decision: FirewallDecision): WireFirewallDecision => ({
  ray_id: decision.rayId,
  migration_state: decision.state,
  action: decision.action,
  ended_by: decision.endedBy === undefined ? null : toWireEnding(decision.endedBy),
  response: decision.response === undefined ? null : toWireResponse(decision.response),
  skipped_products: [...decision.skippedProducts],
  recorded: decision.isRecorded,
})

const toWireEnding = (ending: DecidingRule): NonNullable<WireFirewallDecision['ended_by']> =>
  ending.product === 'old'
    ? { product: 'old', rule_id: ending.ruleId }
    : { product: 'new', ...toWirePlace(ending.place) }
