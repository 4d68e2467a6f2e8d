// What the firewall would do with a request, and why: the same evaluation as of real ones, with every step told.
import {
  compileValueExpression,
  decidingParts,
  explain,
  parseExpression,
  requestContext,
  decodeUtf8,
  type RequestFacts,
} from '@zonereeve/expr'
import type { Clock } from '../../platform/clock.ts'
import { refuse } from '../../platform/domain-error.ts'
import type { Storage } from '../../storage/index.ts'
import { inspect, type InspectedRequest, warmUpDetection } from '../managed-rules/index.ts'
import { demandZone } from '../zones/index.ts'
import { evaluateRequest, type Firewall, type Step, type Verdict } from './evaluate-request.ts'
import type { Firewalls } from './firewall.service.ts'
import { createSlices } from './slices.ts'
import { warmUp } from './warm-up.ts'
import { readTracedRequest, type DescribedRequest } from './traced-request.rules.ts'

export interface TraceDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly firewalls: Firewalls
}

/** A step with the parts of its expression that decided; undefined for managed rules. */
export interface ExplainedStep extends Step {
  readonly because: readonly string[] | undefined
}

export interface TracedResponse {
  readonly statusCode: number
  readonly contentType?: string
  readonly content?: string
  readonly location?: string
}

export interface Trace extends Omit<Verdict, 'steps'> {
  readonly steps: readonly ExplainedStep[]
  readonly request: InspectedRequest
  /** What the client is sent; undefined where the request goes on. */
  readonly response: TracedResponse | undefined
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
    const read = readTracedRequest(described, zone, clock.now())
    if (!('facts' in read)) return refuseAll(read)
    const firewall = alter(await firewalls.of(zoneId))
    await warmUpDetection()
    const request = inspect(read.facts, read.body)
    await warmUp(firewall, request)
    const verdict = evaluateRequest(firewall, request, { isTracing })
    const { facts } = request
    return {
      ...verdict,
      request,
      steps: await explainSteps(verdict.steps, firewall, facts),
      response: responseOf(verdict, firewall, facts),
    }
  }
}

function refuseAll(issues: Parameters<typeof refuse>[0]): never {
  refuse(issues)
  throw new Error('a request that cannot be read has issues')
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

/** Of actions that end a request without a response of one's own. */
const REFUSED_STATUS = 403
const USUAL_REDIRECT_STATUS = 301

function responseOf(verdict: Verdict, firewall: Firewall, facts: RequestFacts): TracedResponse | undefined {
  const { action, by, parameters } = verdict
  if (action === undefined || by === undefined) return undefined
  if (action === 'redirect') return redirectOf(verdict, firewall, facts)
  const own = parameters['response'] as BlockResponse | undefined // of the shape of block
  if (own === undefined) return { statusCode: REFUSED_STATUS }
  return { statusCode: own.status_code, contentType: own.content_type, content: own.content }
}

interface BlockResponse {
  readonly status_code: number
  readonly content_type: string
  readonly content: string
}

interface FromValue {
  readonly target_url: { readonly value?: string; readonly expression?: string }
  readonly status_code?: number
  readonly preserve_query_string?: boolean
}

function redirectOf({ by, parameters }: Verdict, firewall: Firewall, facts: RequestFacts): TracedResponse {
  const from = parameters['from_value'] as FromValue // of the shape of redirect; lists are not taken in this phase
  const statusCode = from.status_code ?? USUAL_REDIRECT_STATUS
  const { value, expression } = from.target_url
  const scheme = by && firewall.entryPoints[by.level].get(by.phase)?.scheme
  const computed =
    expression === undefined || scheme === undefined
      ? value
      : compileValueExpression(expression, scheme)(requestContext(scheme, facts))
  const target = typeof computed === 'string' ? decodeUtf8(computed) : ''
  const query = facts.target.includes('?') ? facts.target.slice(facts.target.indexOf('?')) : ''
  const keepsQuery = from.preserve_query_string === true && query !== '' && !target.includes('?')
  return { statusCode, location: keepsQuery ? target + decodeUtf8(query) : target }
}
