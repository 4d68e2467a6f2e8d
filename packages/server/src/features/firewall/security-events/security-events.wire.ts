// Security events as the API returns them.
import type { WireSecurityEvent } from '@zonereeve/contract'
import { toWireLoggedFields } from '../rulesets/index.ts'
import type { SecurityEvent } from './security-event.rules.ts'

export const toWireEvent = (event: SecurityEvent): WireSecurityEvent => ({
  ray_id: event.rayId,
  occurred_at: event.at,
  action: event.action,
  source: event.source,
  level: event.level,
  phase: event.phase,
  ruleset_id: event.rulesetId,
  rule_id: event.ruleId,
  description: event.description,
  expression: event.expression,
  matched_field: event.matchedField,
  uninspected_field: event.uninspectedField,
  method: event.method,
  host: event.host,
  path: event.path,
  ip: event.ip,
  origin_status: event.originStatus,
  logged_fields: event.loggedFields && toWireLoggedFields(event.loggedFields),
})
