// Traces a request through the legacy and the new managed rules, and reports which of them decides.
import { type Clock, DomainError, type Issue } from '@zonereeve/platform'
import type { Effective, ZoneLegacyDecision } from '@zonereeve/firewall'
import type { Configurations } from '../firewall-decisions/index.ts'
import { yieldNow } from '@zonereeve/cooperate'
import { traceFirewall, type DescribedRequest, type Trace } from '../rulesets/index.ts'
import { legacyOutcome, rulesetOutcome } from '@zonereeve/firewall'
import { plannedFirewall, type MigrationState } from '../waf-migration/index.ts'

export interface BothTracesDeps {
  readonly clock: Clock
  readonly configurations: Configurations
}

export type BothTraces = ReturnType<typeof createBothTraces>

export interface BothTrace {
  readonly state: MigrationState
  readonly current: Trace
  readonly previous: ZoneLegacyDecision
  readonly effective: Effective
}

export function createBothTraces({ clock, configurations }: BothTracesDeps) {
  return { trace, compare }

  /**
   * Read-only. Everything is read from one snapshot of the zone and its account.
   *
   * @param isPlanned whether to use the rules that the migration would deploy.
   * @throws DomainError: zone.unknown, firewall.trace.
   */
  async function trace(
    zoneId: string,
    described: DescribedRequest,
    isTracing: boolean,
    isPlanned: boolean,
  ): Promise<BothTrace> {
    const { deciding, legacy, state } = await configurations.of(zoneId)
    const firewall = isPlanned ? plannedFirewall(deciding.firewall, legacy) : deciding.firewall
    const options = { nowMillis: clock.now(), isTracing }
    const current = await traceFirewall({ ...deciding, firewall }, described, legacy.zone, options)
    return { state, current, previous: current.legacy, effective: current.effective }
  }
  /**
   * Read-only. Decides each request by both versions of the managed rules, from one snapshot.
   *
   * @param isPlanned whether to use the rules that the migration would deploy.
   * @throws DomainError: zone.unknown.
   */
  async function compare(
    zoneId: string,
    requests: readonly DescribedRequest[],
    isPlanned: boolean,
  ): Promise<Comparison> {
    const { deciding, legacy } = await configurations.of(zoneId)
    const firewall = isPlanned ? plannedFirewall(deciding.firewall, legacy) : deciding.firewall
    const options = { nowMillis: clock.now(), isTracing: false }
    const differences: ComparedRequest[] = []
    const rejected: RejectedRequest[] = []
    for (const [index, described] of requests.entries()) {
      const trace = await rejectedOr(() =>
        traceFirewall({ ...deciding, firewall }, described, legacy.zone, options),
      )
      if ('issues' in trace) rejected.push({ index, issues: trace.issues })
      else if (isDifferent(trace)) differences.push({ index, trace })
      // Other clients are served between two requests.
      await yieldNow()
    }
    return { compared: requests.length - rejected.length, differences, rejected }
  }
}

export interface ComparedRequest {
  readonly index: number
  readonly trace: Trace
}

export interface RejectedRequest {
  readonly index: number
  readonly issues: readonly Issue[]
}

export interface Comparison {
  readonly compared: number
  readonly differences: readonly ComparedRequest[]
  readonly rejected: readonly RejectedRequest[]
}

/** One invalid request must not hide the results of the others. */
async function rejectedOr(
  decide: () => Promise<Trace>,
): Promise<Trace | { readonly issues: readonly Issue[] }> {
  try {
    return await decide()
  } catch (error) {
    if (error instanceof DomainError) return { issues: error.issues }
    throw error
  }
}

const isDifferent = (trace: Trace): boolean =>
  legacyOutcome(trace.legacy).action !== rulesetOutcome(trace).action
