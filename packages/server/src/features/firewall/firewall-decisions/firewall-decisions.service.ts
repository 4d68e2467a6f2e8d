// Decides about requests by the zone's active rules: first the new rules, then the legacy ones as long as the
// zone has them. The security event is stored before the decision is returned.
import type { Clock } from '../../../platform/clock.ts'
import type { Notice } from '../../../platform/domain-error.ts'
import {
  askFirewall,
  REFUSED_STATUS,
  type FirewallAnswer,
  type DescribedRequest,
  type FirewallResponse,
  type RulePlace,
} from '../rulesets/index.ts'
import type { SecurityEvents } from '../security-events/index.ts'
import type { MigrationState, ZoneLegacyDecision } from '../waf-migration/index.ts'
import { askLegacy, type Configurations } from './configurations.service.ts'
import { effectiveOf } from './effective.rules.ts'
import { eventOf } from './event.rules.ts'

export interface FirewallDecisionsDeps {
  readonly clock: Clock
  readonly configurations: Configurations
  readonly events: Pick<SecurityEvents, 'record' | 'newRayId'>
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

export function createFirewallDecisions({ clock, configurations, events }: FirewallDecisionsDeps) {
  return { decide }

  /** @throws DomainError: zone.unknown, firewall.trace. */
  async function decide(zoneId: string, described: DescribedRequest): Promise<FirewallDecision> {
    const configuration = await configurations.of(zoneId)
    const { firewall, legacy, state } = configuration
    const asking = { nowMillis: clock.now(), isTracing: false }
    const answer = await askFirewall(firewall, described, legacy.zone, asking)
    const old =
      answer.verdict.action === undefined
        ? askLegacy(configuration, answer.request, answer.verdict.skippedProducts)
        : NOT_ASKED
    const event = eventOf(answer, old, firewall, described)
    const rayId = event && (await events.record(zoneId, event))
    const { action } = effectiveOf(answer.verdict, old)
    const endedBy = endingOf(answer, old)
    return {
      rayId: rayId ?? events.newRayId(),
      state,
      action,
      endedBy,
      response: endedBy?.product === 'old' ? { statusCode: REFUSED_STATUS } : answer.response,
      skippedProducts: answer.verdict.skippedProducts,
      isRecorded: rayId !== undefined,
      notices: uncountedNotices(answer),
    }
  }
}

const NOT_ASKED: ZoneLegacyDecision = { inactive: null, decision: null }

function endingOf(
  { verdict: { by } }: FirewallAnswer,
  { decision }: ZoneLegacyDecision,
): DecidingRule | undefined {
  if (by !== undefined) return { product: 'new', place: by }
  if (decision?.action !== 'block' && decision?.action !== 'challenge') return undefined
  const { action, ruleId } = decision
  if (ruleId === null) throw new Error(`the legacy firewall decided to ${action} by no rule`)
  return { product: 'old', ruleId }
}

/** Warns clients that rely on a rate limit that rate limits are not enforced. */
function uncountedNotices({ verdict: { steps } }: FirewallAnswer): Notice[] {
  const ids = steps.filter(({ outcome }) => outcome === 'counted').map(({ ruleId }) => ruleId)
  return ids.length === 0 ? [] : [{ notice: 'firewall.uncounted', values: { ids: ids.join(', ') } }]
}
