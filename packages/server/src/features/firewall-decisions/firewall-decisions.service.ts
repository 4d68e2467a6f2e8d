// Decides about requests by the rules that act in the zone now: the new ones first, then the previous ones, as long as
// the zone has them. What a rule did is recorded before the decision is told.
import { requestContext } from '@zonereeve/expr'
import type { Clock } from '../../platform/clock.ts'
import type { Notice } from '../../platform/domain-error.ts'
import { REQUEST_SCHEME } from '../filters/index.ts'
import {
  askFirewall,
  REFUSED_STATUS,
  type Asked,
  type DescribedRequest,
  type FirewallResponse,
  type RulePlace,
} from '../rulesets/index.ts'
import type { SecurityEvents } from '../security-events/index.ts'
import { decidePrevious, type MigrationState, type PreviousDecision } from '../waf-migration/index.ts'
import type { Configuration, Configurations } from './configurations.service.ts'
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
  /** In the names of the new product; `allow` and `log` let the request go on. */
  readonly action: string
  /** undefined where it goes on. */
  readonly endedBy: Ending | undefined
  readonly response: FirewallResponse | undefined
  readonly skippedProducts: readonly string[]
  readonly isRecorded: boolean
  readonly notices: readonly Notice[]
}

export type Ending =
  | { readonly product: 'new'; readonly place: RulePlace }
  | { readonly product: 'old'; readonly ruleId: string }

export type FirewallDecisions = ReturnType<typeof createFirewallDecisions>

export function createFirewallDecisions({ clock, configurations, events }: FirewallDecisionsDeps) {
  return { decide }

  /** @throws DomainError: zone.unknown, firewall.trace. */
  async function decide(zoneId: string, described: DescribedRequest): Promise<FirewallDecision> {
    const configuration = await configurations.of(zoneId)
    const { firewall, previous, state } = configuration
    const asking = { nowMillis: clock.now(), isTracing: false }
    const asked = await askFirewall(firewall, described, previous.zone, asking)
    const old = asked.verdict.action === undefined ? askPrevious(configuration, asked) : NOT_ASKED
    const event = eventOf(asked, old, firewall, described)
    const rayId = event && (await events.record(zoneId, event))
    const { action } = effectiveOf(asked.verdict, old)
    const endedBy = endingOf(asked, old)
    return {
      rayId: rayId ?? events.newRayId(),
      state,
      action,
      endedBy,
      response: endedBy?.product === 'old' ? { statusCode: REFUSED_STATUS } : asked.response,
      skippedProducts: asked.verdict.skippedProducts,
      isRecorded: rayId !== undefined,
      notices: uncounted(asked),
    }
  }
}

const NOT_ASKED: PreviousDecision = { inactive: null, decision: null }

function askPrevious(
  { previous, conditionOf }: Configuration,
  { request, verdict }: Asked,
): PreviousDecision {
  const context = requestContext(REQUEST_SCHEME, request.facts)
  return decidePrevious(
    previous,
    request,
    (expression) => conditionOf(expression)(context),
    verdict.skippedProducts.includes('waf'),
  )
}

function endingOf({ verdict: { by } }: Asked, { decision }: PreviousDecision): Ending | undefined {
  if (by !== undefined) return { product: 'new', place: by }
  const isEnding = decision?.action === 'block' || decision?.action === 'challenge'
  return isEnding ? { product: 'old', ruleId: decision.ruleId ?? '' } : undefined
}

/** Whoever relies on a rate limit is told that none acts. */
function uncounted({ verdict: { steps } }: Asked): Notice[] {
  const ids = steps.filter(({ outcome }) => outcome === 'counted').map(({ ruleId }) => ruleId)
  return ids.length === 0 ? [] : [{ notice: 'firewall.uncounted', values: { ids: ids.join(', ') } }]
}
