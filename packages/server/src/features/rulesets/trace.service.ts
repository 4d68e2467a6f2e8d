// What the firewall would do with a request, and why: the same evaluation as of real ones, with every step told.
import { decidingParts, explain, parseExpression, requestContext, type RequestFacts } from '@zonereeve/expr'
import type { Clock } from '../../platform/clock.ts'
import type { Storage } from '../../storage/index.ts'
import type { InspectedRequest } from '../managed-rules/index.ts'
import { demandZone } from '../zones/index.ts'
import { askFirewall, type FirewallResponse } from './ask-firewall.ts'
import type { Firewall, Step, Verdict } from './evaluate-request.ts'
import type { Firewalls } from './firewall.service.ts'
import { createSlices } from './slices.ts'
import type { DescribedRequest } from './traced-request.rules.ts'

export interface TraceDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly firewalls: Firewalls
}

/** A step with the parts of its expression that decided; undefined for managed rules. */
export interface ExplainedStep extends Step {
  readonly because: readonly string[] | undefined
}

export interface Trace extends Omit<Verdict, 'steps'> {
  readonly steps: readonly ExplainedStep[]
  readonly request: InspectedRequest
  /** What the client is sent; undefined where the request goes on. */
  readonly response: FirewallResponse | undefined
}

export type FirewallTrace = ReturnType<typeof createFirewallTrace>

export function createFirewallTrace({ storage, clock, firewalls }: TraceDeps) {
  return { trace }

  /**
   * @param alter makes of the zone's rulesets those that are asked.
   * @throws DomainError: zone.unknown, firewall.trace.
   */
  async function trace(
    zoneId: string,
    described: DescribedRequest,
    isTracing: boolean,
    alter: (firewall: Firewall) => Firewall = (firewall) => firewall,
  ): Promise<Trace> {
    const zone = await demandZone(storage, zoneId)
    const firewall = alter(await firewalls.of(zoneId))
    const asked = await askFirewall(firewall, described, zone, { nowMillis: clock.now(), isTracing })
    const { verdict, request, response } = asked
    const steps = await explainSteps(verdict.steps, firewall, request.facts)
    return { ...verdict, request, steps, response }
  }
}

/** Says of each step about a rule of one's own which parts of its expression decided. */
async function explainSteps(
  steps: readonly Step[],
  { entryPoints, custom }: Firewall,
  facts: RequestFacts,
): Promise<readonly ExplainedStep[]> {
  const rulesets = [...entryPoints.account.values(), ...entryPoints.zone.values(), ...custom.values()]
  const known = new Map(
    rulesets.map(({ id, scheme, rules }) => {
      const context = requestContext(scheme, facts)
      return [
        id,
        { scheme, context, rules: new Map(rules.map((rule) => [rule.id, rule.expression])) },
      ] as const
    }),
  )
  const giveWay = createSlices()
  const explained: ExplainedStep[] = []
  for (const step of steps) {
    const ruleset = known.get(step.rulesetId)
    const expression = ruleset?.rules.get(step.ruleId)
    if (ruleset === undefined || expression === undefined || step.outcome === 'skipped') {
      explained.push({ ...step, because: undefined })
      continue
    }
    const node = parseExpression(expression, ruleset.scheme)
    const parts = decidingParts(explain(node, ruleset.scheme, ruleset.context))
    explained.push({ ...step, because: parts.map(({ text }) => text) })
    await giveWay()
  }
  return explained
}
