// Decides about requests by the zone's active rules: first the new rules, then the legacy ones as long as the
// zone has them. The security event is stored before the decision is returned.
import type { Clock, Notice } from '@zonereeve/platform'
import { decodeUtf8 } from '@zonereeve/expr'
import {
  answeredByRule,
  evaluateLogFields,
  eventRuleOf,
  type DecidingZone,
  type Decision,
  type FirewallResponse,
  type LoggedFields,
  type RulePlace,
} from '@zonereeve/firewall'
import { askFirewall, type DescribedRequest } from '../rulesets/index.ts'
import { keptOf, type SecurityEvents } from '../security-events/index.ts'
import type { MigrationState } from '../waf-migration/index.ts'
import type { AnomalyScores } from '../anomaly-scores/index.ts'
import type { Configurations } from './configurations.service.ts'

export interface FirewallDecisionsDeps {
  readonly clock: Clock
  readonly configurations: Configurations
  readonly events: Pick<SecurityEvents, 'record' | 'newRayId'>
  readonly anomalyScores: Pick<AnomalyScores, 'note'>
}

export interface FirewallDecision {
  readonly rayId: string
  readonly state: MigrationState
  /** In terms of the new product; `allow` and `log` let the request pass. */
  readonly action: string
  /** undefined if the request passes. */
  readonly endedBy: DecidingRule | undefined
  readonly response: FirewallResponse | undefined
  readonly skippedProducts: readonly string[]
  readonly isRecorded: boolean
  readonly notices: readonly Notice[]
}

export type DecidingRule =
  | { readonly product: 'new'; readonly place: RulePlace }
  | { readonly product: 'old'; readonly ruleId: string }

export type FirewallDecisions = ReturnType<typeof createFirewallDecisions>

export function createFirewallDecisions({
  clock,
  configurations,
  events,
  anomalyScores,
}: FirewallDecisionsDeps) {
  return { decide }

  /** @throws DomainError: zone.unknown, firewall.trace. */
  async function decide(zoneId: string, described: DescribedRequest): Promise<FirewallDecision> {
    const { deciding, legacy, state } = await configurations.of(zoneId)
    const asking = { nowMillis: clock.now(), isTrace: false }
    const answer = await askFirewall(deciding, described, legacy.zone, asking)
    anomalyScores.note(zoneId, { score: answer.verdict.score ?? 0, requests: 1 }) // none if it was not evaluated
    const rule = eventRuleOf(answer, deciding.firewall)
    const { host, target } = answer.request.facts
    const storedParts = keptOf(described.method, decodeUtf8(host), decodeUtf8(target), described.ip)
    const known = { ...storedParts, originStatus: null }
    const rayId =
      rule &&
      (await events.record(zoneId, { ...rule, ...known, loggedFields: loggedFieldsOf(answer, deciding) }))
    return {
      rayId: rayId ?? events.newRayId(),
      state,
      action: answer.effective.action,
      endedBy: endingOf(answer),
      response: answer.response,
      skippedProducts: answer.verdict.skippedProducts,
      isRecorded: rayId !== undefined,
      notices: uncountedNotices(answer),
    }
  }
}

/** Of the request: its response is not known here. Rules that cannot be evaluated add nothing. */
function loggedFieldsOf({ response, verdict }: Decision, { firewall }: DecidingZone): LoggedFields | null {
  const options = { isSkippedAfter: () => true }
  return evaluateLogFields(firewall, verdict.changes, answeredByRule(response), options).fields
}

function endingOf({ verdict: { by }, legacy: { decision } }: Decision): DecidingRule | undefined {
  if (by !== undefined) return { product: 'new', place: by }
  if (decision?.action !== 'block' && decision?.action !== 'challenge') return undefined
  const { action, ruleId } = decision
  if (ruleId === null) throw new Error(`the legacy firewall decided to ${action} by no rule`)
  return { product: 'old', ruleId }
}

/** Warns clients that rely on a rate limit that rate limits are not enforced. */
function uncountedNotices({ verdict: { steps } }: Decision): Notice[] {
  const ids = steps.filter(({ outcome }) => outcome === 'counted').map(({ ruleId }) => ruleId)
  return ids.length === 0 ? [] : [{ notice: 'firewall.uncounted', values: { ids: ids.join(', ') } }]
}
