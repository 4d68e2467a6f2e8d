// Events of edges as the API receives them.
import type { WireActivityEvent, WireLoggedFields, WireSeenCookie } from '@zonereeve/contract'
import { type LoggedFields, MAX_LOGGED_CHARACTERS } from '@zonereeve/firewall'
import type { SeenCookie } from '@zonereeve/edge'
import type { ActivityEvent } from './edge.service.ts'
import type { CountedAmount } from './shared-counts.service.ts'

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
  uninspectedField: sent.uninspected_field ?? null, // an edge sends it if there is one
  method: sent.method,
  host: sent.host,
  target: sent.target,
  ip: sent.ip,
  originStatus: sent.origin_status ?? null, // an edge sends it if it knows it
  loggedFields: sent.logged_fields === undefined ? null : toLoggedFields(sent.logged_fields),
})

/** An edge keeps to the limit; of more, nothing is stored. */
function toLoggedFields(sent: WireLoggedFields): LoggedFields {
  const { request_headers: requestHeaders, response_headers: responseHeaders, cookies, shortened } = sent
  const all = [requestHeaders, responseHeaders, cookies].flatMap((values) => Object.entries(values).flat(2))
  const characters = all.reduce((sum, { length }) => sum + length, 0)
  return characters > MAX_LOGGED_CHARACTERS
    ? { requestHeaders: {}, responseHeaders: {}, cookies: {}, isShortened: true }
    : { requestHeaders, responseHeaders, cookies, isShortened: shortened }
}

interface WireCount {
  readonly zone_id: string
  readonly key: string
  readonly period_ms: number
  readonly amount: number
}

export const toSeenCookie = ({ page_url, set_cookie, name }: WireSeenCookie): SeenCookie => ({
  pageUrl: page_url,
  setCookie: set_cookie ?? null,
  name: name ?? null,
})

export const toCountedAmount = ({ zone_id, key, period_ms, amount }: WireCount): CountedAmount => ({
  zoneId: zone_id,
  key,
  periodMillis: period_ms,
  amount,
})

export const toWireCount = ({ zoneId, key, periodMillis, amount }: CountedAmount): WireCount => ({
  zone_id: zoneId,
  key,
  period_ms: periodMillis,
  amount,
})
