// What the rulesets of a zone do with a request: one deployment and one request in, one verdict and the way to it out.
//
// Entry points come one after the other, in each the rules in their order. The first rule that stops the request ends
// everything; a skip rule leaves out what comes after it, never what came before.
import { compileExpression, requestContext, type Condition, type EvaluationContext } from '@zonereeve/expr'
import {
  detect,
  type Detected,
  type InspectedRequest,
  type ManagedRuleset,
  type ManagedRulesetRule,
} from '../managed-rules/index.ts'
import type { ExecuteParameters, Override } from './actions/execute.ts'
import { ACTIONS, type ActionName } from './actions/registry.ts'
import type { SkipParameters } from './actions/skip.ts'
import { findManaged } from './managed.ts'
import { schemeOf, type PhaseName } from './phases.ts'
import type { Level, Rule, Ruleset } from './ruleset.ts'

/** Phases that decide whether a request goes on, in their order; in each the account comes before the zone. */
export const DECIDING_PHASES = [
  'http_request_firewall_custom',
  'http_request_firewall_managed',
] as const satisfies readonly PhaseName[]

export interface Deployment {
  /** In the order of evaluation. */
  readonly entryPoints: readonly Ruleset[]
  /** Custom rulesets that they execute, by id. */
  readonly custom: ReadonlyMap<string, Ruleset>
}

export interface RuleStep {
  readonly phase: PhaseName
  readonly rulesetId: string
  readonly ruleId: string
  readonly action: ActionName
  readonly description: string
  /** null for managed rules. */
  readonly expression: string | null
  /** Rules of managed rulesets are told only where they matched. */
  readonly outcome: 'matched' | 'not_matched' | 'skipped'
  /** What a managed rule found. */
  readonly detected: Detected | null
  /** What it adds to the score, or the sum where it judges that. */
  readonly score: number | null
}

export interface Evaluation {
  /** `pass` and `log` let the request go on. */
  readonly action: ActionName | 'pass'
  /** The rule that decided; null where none did. */
  readonly decidedBy: RuleStep | null
  readonly steps: readonly RuleStep[]
  /** Products of the previous firewall that skip rules leave out. */
  readonly skippedProducts: ReadonlySet<string>
}

/** Gives the compiled form of an expression that was checked when it was written. */
export type Conditions = (source: string, level: Level, phase: PhaseName) => Condition

/** @param capacity compiled expressions that are kept. */
export function createConditions(capacity: number): Conditions {
  const kept = new Map<string, Condition>()
  return (source, level, phase) => {
    const key = `${level} ${phase} ${source}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const condition = compileExpression(source, schemeOf(phase, level))
    if (kept.size >= capacity) kept.clear()
    kept.set(key, condition)
    return condition
  }
}

interface Run {
  readonly deployment: Deployment
  readonly request: InspectedRequest
  readonly conditions: Conditions
  readonly steps: RuleStep[]
  readonly skipped: {
    readonly phases: Set<string>
    readonly products: Set<string>
    readonly rulesets: Set<string>
    /** Ruleset and rule, with a blank between them. */
    readonly rules: Set<string>
  }
  verdict: RuleStep | null
}

export function evaluate(
  deployment: Deployment,
  request: InspectedRequest,
  conditions: Conditions,
): Evaluation {
  const skipped = {
    phases: new Set<string>(),
    products: new Set<string>(),
    rulesets: new Set<string>(),
    rules: new Set<string>(),
  }
  const run: Run = { deployment, request, conditions, steps: [], skipped, verdict: null }
  for (const entryPoint of deployment.entryPoints) runRuleset(run, entryPoint)
  const logged = run.steps.find(({ action, outcome }) => action === 'log' && outcome === 'matched') ?? null
  const decidedBy = run.verdict ?? logged
  return {
    action: decidedBy?.action ?? 'pass',
    decidedBy,
    steps: run.steps,
    skippedProducts: skipped.products,
  }
}

function runRuleset(run: Run, ruleset: Ruleset): void {
  const { phase, owner } = ruleset
  const context = requestContext(schemeOf(phase, owner.level), run.request.facts)
  let isRestSkipped = false
  for (const rule of ruleset.rules) {
    if (run.verdict !== null || run.skipped.phases.has(phase)) return
    if (!rule.definition.enabled) continue
    const outcome =
      isRestSkipped || isSkipped(run, ruleset.id, rule)
        ? 'skipped'
        : holds(run, ruleset, rule, context)
          ? 'matched'
          : 'not_matched'
    const step = stepOf(ruleset, rule, outcome)
    run.steps.push(step)
    if (outcome !== 'matched') continue
    const { action, parameters } = rule.definition
    if (action === 'skip') isRestSkipped = applySkip(run, phase, parameters as SkipParameters) // of the action's shape
    else if (action === 'execute') runExecuted(run, phase, parameters as unknown as ExecuteParameters) // as above
    else if (ACTIONS[action].terminates) run.verdict = step
  }
}

function holds(
  { conditions }: Run,
  { owner, phase }: Ruleset,
  rule: Rule,
  context: EvaluationContext,
): boolean {
  return conditions(rule.definition.expression, owner.level, phase)(context)
}

function isSkipped({ skipped }: Run, rulesetId: string, { id, definition }: Rule): boolean {
  const executed = definition.action === 'execute' ? String(definition.parameters?.['id']) : undefined
  return skipped.rules.has(`${rulesetId} ${id}`) || (executed !== undefined && skipped.rulesets.has(executed))
}

function stepOf({ id, phase }: Ruleset, rule: Rule, outcome: RuleStep['outcome']): RuleStep {
  const { action, description = '', expression } = rule.definition
  const about = { phase, rulesetId: id, ruleId: rule.id, action, description, expression }
  return { ...about, outcome, detected: null, score: null }
}

/** @returns whether the rest of the ruleset is left out. */
function applySkip({ skipped }: Run, phase: PhaseName, parameters: SkipParameters): boolean {
  const { ruleset, phase: current, phases = [], products = [], rulesets = [], rules = {} } = parameters
  for (const each of current === undefined ? phases : [...phases, phase]) skipped.phases.add(each)
  for (const product of products) skipped.products.add(product)
  for (const id of rulesets) skipped.rulesets.add(id)
  for (const [id, ruleIds] of Object.entries(rules))
    for (const ruleId of ruleIds) skipped.rules.add(`${id} ${ruleId}`)
  return ruleset !== undefined
}

function runExecuted(run: Run, phase: PhaseName, parameters: ExecuteParameters): void {
  const managed = findManaged(parameters.id)
  const custom = run.deployment.custom.get(parameters.id)
  if (managed !== undefined) runManaged(run, phase, managed, parameters.overrides)
  else if (custom !== undefined) runRuleset(run, custom)
}

function runManaged(
  run: Run,
  phase: PhaseName,
  ruleset: ManagedRuleset,
  overrides: ExecuteParameters['overrides'],
): void {
  let total = 0
  for (const rule of ruleset.rules) {
    const { enabled, action, threshold } = overridden(rule, overrides)
    if (!enabled || run.skipped.rules.has(`${ruleset.id} ${rule.id}`)) continue
    const detected = rule.rule === null ? null : detect(rule.rule, run.request)
    const isMatch = rule.rule === null ? threshold !== null && total >= threshold : detected !== null
    if (!isMatch) continue
    const { id: ruleId, description } = rule
    const score = rule.rule === null ? total : rule.score
    const about = { phase, rulesetId: ruleset.id, ruleId, action, description, expression: null }
    const step: RuleStep = { ...about, outcome: 'matched', detected, score }
    run.steps.push(step)
    if (rule.score !== null) total += rule.score
    else if (ACTIONS[action].terminates) {
      run.verdict = step
      return
    }
  }
}

/** What a rule is after overrides: its own before those of its tags, of these the last one, before that of the ruleset. */
function overridden(rule: ManagedRulesetRule, overrides: ExecuteParameters['overrides']) {
  const own = overrides?.rules?.find(({ id }) => id === rule.id)
  const tags = (overrides?.categories ?? []).filter(({ category }) => rule.categories.includes(category))
  const pick = <Name extends 'action' | 'enabled'>(name: Name): Override[Name] | undefined =>
    own?.[name] ?? tags.findLast((tag) => tag[name] !== undefined)?.[name] ?? overrides?.[name]
  return {
    enabled: pick('enabled') ?? rule.enabled,
    // Rules that add to the score do nothing else; the rule that judges it has an action.
    action: rule.score === null ? (pick('action') ?? rule.action) : rule.action,
    threshold: own?.score_threshold ?? rule.scoreThreshold,
  }
}
