// Traces a request through the legacy and the new managed rules, and reports which of them decides.
import type { Clock } from '../../../platform/clock.ts'
import { askLegacy, effectiveOf, type Configurations, type Effective } from '../firewall-decisions/index.ts'
import { traceFirewall, type DescribedRequest, type Trace } from '../rulesets/index.ts'
import { plannedFirewall, type MigrationState, type ZoneLegacyDecision } from '../waf-migration/index.ts'

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
    const configuration = await configurations.of(zoneId)
    const { legacy: previous, state } = configuration
    const firewall = isPlanned ? plannedFirewall(configuration.firewall, previous) : configuration.firewall
    const options = { nowMillis: clock.now(), isTracing }
    const current = await traceFirewall(firewall, described, previous.zone, options)
    const decided = askLegacy(configuration, current.request, current.skippedProducts)
    return { state, current, previous: decided, effective: effectiveOf(current, decided) }
  }
}
