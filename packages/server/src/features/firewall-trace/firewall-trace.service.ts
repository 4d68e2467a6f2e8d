// What the firewall does with a request, both versions of the managed rules beside each other, and which of them counts.
import type { Clock } from '../../platform/clock.ts'
import type { Storage } from '../../storage/index.ts'
import { requestContext } from '@zonereeve/expr'
import { REQUEST_SCHEME } from '../filters/index.ts'
import { createConditions, deploymentOf, evaluate, type Evaluation } from '../rulesets/index.ts'
import {
  decidePrevious,
  plannedDeployment,
  previousFirewallOf,
  stateOf,
  type MigrationState,
  type PreviousDecision,
} from '../waf-migration/index.ts'
import { inspectTraced, type TracedRequest } from './traced-request.ts'

export interface FirewallTraceDeps {
  readonly storage: Storage
  readonly clock: Clock
}

export type FirewallTrace = ReturnType<typeof createFirewallTrace>

export interface Trace {
  readonly state: MigrationState
  readonly current: Evaluation
  readonly previous: PreviousDecision
  readonly effective: Effective
}

/** What is done with the request. */
export interface Effective {
  /** `pass` and `log` let it go on; the previous `simulate` and `challenge` are told as `log` and `managed_challenge`. */
  readonly action: string
  /** null where no rule decides. */
  readonly by: 'new' | 'old' | null
  readonly ruleId: string | null
  readonly rulesetId: string | null
}

/** Compiled expressions that are kept. */
const MAX_CONDITIONS = 5_000

export function createFirewallTrace({ storage, clock }: FirewallTraceDeps) {
  const conditions = createConditions(MAX_CONDITIONS)
  return { trace }

  /**
   * Looks, and changes nothing.
   *
   * @param isPlanned whether the new rules are those that the migration would deploy.
   * @throws DomainError: zone.unknown, request.invalid.
   */
  async function trace(zoneId: string, traced: TracedRequest, isPlanned: boolean): Promise<Trace> {
    const found = await storage.write(async (tx) => {
      const previous = await previousFirewallOf(tx, zoneId)
      const state = await stateOf(tx, zoneId)
      return { previous, state, deployment: await deploymentOf(tx, previous.zone) }
    })
    const request = inspectTraced(traced, found.previous.zone, clock.now())
    const deployment = isPlanned ? plannedDeployment(found.deployment, found.previous) : found.deployment
    const current = evaluate(deployment, request, conditions)
    const context = requestContext(REQUEST_SCHEME, request.facts)
    const previous = decidePrevious(
      found.previous,
      request,
      (expression) => conditions(expression, 'zone', 'http_request_firewall_custom')(context),
      current.skippedProducts.has('waf'),
    )
    return { state: found.state, current, previous, effective: effectiveOf(current, previous) }
  }
}

const NEW_NAMES = { block: 'block', challenge: 'managed_challenge', simulate: 'log', pass: 'pass' } as const

/** The new rules are asked first; what they let go on, the previous ones may still stop. */
function effectiveOf({ action, decidedBy }: Evaluation, { decision }: PreviousDecision): Effective {
  const isStopped = action !== 'pass' && action !== 'log'
  const old = decision === null || decision.action === 'pass' ? null : decision
  const isOldStopping = old !== null && old.action !== 'simulate'
  if (decidedBy !== null && (isStopped || !isOldStopping)) {
    const { ruleId, rulesetId } = decidedBy
    return { action, by: 'new', ruleId, rulesetId }
  }
  if (old === null) return { action: 'pass', by: null, ruleId: null, rulesetId: null }
  return { action: NEW_NAMES[old.action], by: 'old', ruleId: old.ruleId, rulesetId: null }
}
