// Events of edges as the API receives them.
import type { WireActivityEvent } from '@zonereeve/contract'
import type { ActivityEvent } from './edge.service.ts'

export const toActivityEvent = (sent: WireActivityEvent): ActivityEvent => ({
  rayId: sent.ray_id,
  at: sent.occurred_at,
  action: sent.action,
  source: sent.source,
  level: sent.level,
  phase: sent.phase,
  rulesetId: sent.ruleset_id,
  ruleId: sent.rule_id,
  description: sent.description,
  expression: sent.expression,
  matchedField: sent.matched_field,
  method: sent.method,
  host: sent.host,
  target: sent.target,
  ip: sent.ip,
})
