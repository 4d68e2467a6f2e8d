// Traces a request through the legacy and the new managed rules, and reports which of them decides.
import type { Clock } from '@zonereeve/platform'
import type { Effective, ZoneLegacyDecision } from '@zonereeve/firewall'
import type { Configurations } from '../firewall-decisions/index.ts'
import { traceFirewall, type DescribedRequest, type Trace } from '../rulesets/index.ts'
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
  return { trace }

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
}
