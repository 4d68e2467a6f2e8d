// Traces what the firewall would do with a request, and why: the same evaluation as for real requests, with
// every step.
import { createYieldIfDue } from '@zonereeve/cooperate'
import {
  decidingParts,
  explain,
  parseExpression,
  requestContext,
  type RequestFacts,
  type ResponseFacts,
} from '@zonereeve/expr'
import {
  answeredByRule,
  type DecidingZone,
  type DescribedRequest,
  type DescribedZone,
  type Decision,
  type Firewall,
  type FirewallResponse,
  DECIDING_STAGES,
  type ErrorPage,
  evaluateErrorPage,
  evaluateLogFields,
  evaluateResponse,
  type HeaderEdit,
  type InspectedRequest,
  type LoggedFields,
  responseOf,
  type Stage,
  type Step,
  type Verdict,
  withPage,
} from '@zonereeve/firewall'
import { askFirewall, type FirewallAnswer } from './ask-firewall.ts'

/** A step with the deciding parts of its expression; undefined for managed rules. */
export interface ExplainedStep extends Step {
  readonly because: readonly string[] | undefined
}

export interface Trace extends Omit<Verdict, 'steps'> {
  readonly steps: readonly ExplainedStep[]
  readonly request: InspectedRequest
  /** The response of the rulesets to the client; undefined if they let the request pass. */
  readonly response: FirewallResponse | undefined
  /** Of the described response; empty without one, and if the request does not pass. */
  readonly responseEdits: readonly HeaderEdit[]
  /** In place of the described response; undefined if no rule has one. */
  readonly errorPage: ErrorPage | undefined
  /** What rules add to the event of the request, if it has one; null if no rule matches. */
  readonly loggedFields: LoggedFields | null
  readonly legacy: Decision['legacy']
  readonly effective: Decision['effective']
}

/** @throws DomainError: firewall.trace. */
export async function traceFirewall(
  deciding: DecidingZone,
  described: DescribedRequest,
  zone: DescribedZone,
  options: { readonly nowMillis: number; readonly isTracing: boolean },
): Promise<Trace> {
  const answer = await askFirewall(deciding, described, zone, { ...options, isTrace: true })
  const { verdict, request, legacy, effective } = answer
  const { firewall } = deciding
  const { facts } = verdict.changes
  const afterwards = evaluateAfterwards(firewall, answer, options)
  const steps = [
    ...(await explainSteps(verdict.steps, firewall, (phase) =>
      isBeforeRewrite(phase) ? request.facts : facts,
    )),
    ...(await explainAfterwards(afterwards.seen, firewall, facts)),
  ]
  return {
    ...verdict,
    request,
    steps,
    response: responseOf(verdict, firewall, facts),
    responseEdits: afterwards.edits,
    errorPage: afterwards.page,
    loggedFields: afterwards.fields,
    legacy,
    effective,
  }
}

/** Steps, and the response that their rules have seen. */
interface SeenBySteps {
  readonly steps: readonly Step[]
  readonly response: ResponseFacts | undefined
}

/** What follows the decision, in the order of the embedded proxy: rules change the headers of a page in place of the response. */
function evaluateAfterwards(
  firewall: Firewall,
  { verdict: { changes }, described, response }: FirewallAnswer,
  { isTracing }: { readonly isTracing: boolean },
) {
  if (response !== undefined || described === undefined) {
    const known = answeredByRule(response)
    const { steps, fields } = evaluateLogFields(firewall, changes, known, { isTracing })
    return { edits: [], page: undefined, fields, seen: [{ steps, response: known.answered }] }
  }
  const error = evaluateErrorPage(firewall, changes, described, { isTracing })
  const unchanged = error.page === undefined ? described : withPage(described, error.page)
  const changed = evaluateResponse(firewall, changes, unchanged, { isTracing })
  const sent = { status: unchanged.status, headers: changed.headers }
  const logged = evaluateLogFields(firewall, changes, { answered: described, sent }, { isTracing })
  const seen: readonly SeenBySteps[] = [
    { steps: error.steps, response: described },
    { steps: changed.steps, response: unchanged },
    { steps: logged.steps, response: described },
  ]
  return { edits: changed.edits, page: error.page, fields: logged.fields, seen }
}

/** Each rule is explained with the response that it has seen. */
async function explainAfterwards(
  seen: readonly SeenBySteps[],
  firewall: Firewall,
  facts: RequestFacts,
): Promise<readonly ExplainedStep[]> {
  const explained: ExplainedStep[] = []
  for (const { steps, response } of seen)
    explained.push(
      ...(await explainSteps(steps, firewall, () => ({ ...facts, ...(response && { response }) }))),
    )
  return explained
}

/** As long as an expression that somebody wrote; those of lockdown rules are made of many URLs. */
const MAX_EXPLAINED = 4_096

/** Adds the deciding parts of the expression to each step of the owner's own rules. */
async function explainSteps(
  steps: readonly Step[],
  { entryPoints, custom }: Firewall,
  factsIn: (phase: Stage) => RequestFacts,
): Promise<readonly ExplainedStep[]> {
  const rulesets = [...entryPoints.account.values(), ...entryPoints.zone.values(), ...custom.values()]
  const known = new Map(
    rulesets.map(({ id, phase, scheme, rules }) => {
      const context = requestContext(scheme, factsIn(phase))
      return [
        id,
        { scheme, context, rules: new Map(rules.map((rule) => [rule.id, rule.expression])) },
      ] as const
    }),
  )
  const yieldIfDue = createYieldIfDue()
  const explained: ExplainedStep[] = []
  for (const step of steps) {
    const ruleset = known.get(step.rulesetId)
    const expression = ruleset?.rules.get(step.ruleId)
    const isShort = expression !== undefined && expression.length <= MAX_EXPLAINED
    if (ruleset === undefined || !isShort || step.outcome === 'skipped') {
      explained.push({ ...step, because: undefined })
      continue
    }
    const node = parseExpression(expression, ruleset.scheme)
    const parts = decidingParts(explain(node, ruleset.scheme, ruleset.context))
    explained.push({ ...step, because: parts.map(({ text }) => text) })
    await yieldIfDue()
  }
  return explained
}

/** Rules of these phases see the path and query as they were received. */
const isBeforeRewrite = (phase: Stage): boolean =>
  DECIDING_STAGES.findIndex((one) => one === phase) <= DECIDING_STAGES.indexOf('http_request_transform')
