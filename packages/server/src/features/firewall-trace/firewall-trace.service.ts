// What the firewall does with a request, both versions of the managed rules beside each other, and which of them counts.
import { compileExpression, requestContext } from '@zonereeve/expr'
import type { Storage } from '../../storage/index.ts'
import { readSettled } from '../changes/index.ts'
import { REQUEST_SCHEME } from '../filters/index.ts'
import { effectiveOf, type Effective } from '../firewall-decisions/index.ts'
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
    const { value } = await readSettled(storage, [zoneId], async (db) => ({
      found: await previousFirewallOf(db, zoneId),
      state: await stateOf(db, zoneId),
    }))
    const { found, state } = value
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
