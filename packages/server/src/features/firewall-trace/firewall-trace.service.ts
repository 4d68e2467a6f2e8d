// What the firewall does with a request, both versions of the managed rules beside each other, and which of them counts.
import { compileExpression, requestContext } from '@zonereeve/expr'
import type { Storage } from '../../storage/index.ts'
import { REQUEST_SCHEME } from '../filters/index.ts'
import type { DescribedRequest, FirewallTrace, Trace } from '../rulesets/index.ts'
import {
  decidePrevious,
  plannedFirewall,
  previousFirewallOf,
  stateOf,
  type MigrationState,
  type PreviousDecision,
} from '../waf-migration/index.ts'

export interface BothTracesDeps {
  readonly storage: Storage
  /** The half of the rulesets. */
  readonly current: FirewallTrace
}

export type BothTraces = ReturnType<typeof createBothTraces>

export interface BothTrace {
  readonly state: MigrationState
  readonly current: Trace
  readonly previous: PreviousDecision
  readonly effective: Effective
}

/** What is done with the request. */
export interface Effective {
  /** In the names of the new product; `allow` and `log` let it go on. */
  readonly action: string
  /** null where no rule decides. */
  readonly by: 'new' | 'old' | null
  readonly ruleId: string | null
}

export function createBothTraces({ storage, current: { trace } }: BothTracesDeps) {
  return { trace: traceBoth }

  /**
   * Looks, and changes nothing.
   *
   * @param isPlanned whether the new rules are those that the migration would deploy.
   * @throws DomainError: zone.unknown, firewall.trace.
   */
  async function traceBoth(
    zoneId: string,
    described: DescribedRequest,
    isTracing: boolean,
    isPlanned: boolean,
  ): Promise<BothTrace> {
    const { found, state } = await storage.write(async (tx) => ({
      found: await previousFirewallOf(tx, zoneId),
      state: await stateOf(tx, zoneId),
    }))
    const current = await trace(
      zoneId,
      described,
      isTracing,
      isPlanned ? (firewall) => plannedFirewall(firewall, found) : undefined,
    )
    const context = requestContext(REQUEST_SCHEME, current.request.facts)
    const previous = decidePrevious(
      found,
      current.request,
      (expression) => compileExpression(expression, REQUEST_SCHEME)(context),
      current.skippedProducts.includes('waf'),
    )
    return { state, current, previous, effective: effectiveOf(current, previous) }
  }
}

const NEW_NAMES = { block: 'block', challenge: 'managed_challenge', simulate: 'log', pass: 'allow' } as const

/** The new rules are asked first; what they let go on, the previous ones may still stop. */
function effectiveOf({ action, by, steps }: Trace, { decision }: PreviousDecision): Effective {
  if (action !== undefined && by !== undefined) return { action, by: 'new', ruleId: by.ruleId }
  const old = decision === null || decision.action === 'pass' ? null : decision
  const isStopped = old !== null && old.action !== 'simulate'
  const logged = steps.find((step) => step.action === 'log' && step.outcome === 'matched')
  if (logged !== undefined && !isStopped) return { action: 'log', by: 'new', ruleId: logged.ruleId }
  if (old === null) return { action: 'allow', by: null, ruleId: null }
  return { action: NEW_NAMES[old.action], by: 'old', ruleId: old.ruleId }
}
