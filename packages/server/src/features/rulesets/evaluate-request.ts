// Decides about a request: entry points in order, their rules in order, until one of them ends it.
import { requestContext, type EvaluationContext, type Scheme } from '@zonereeve/expr'
import { detect, type Detected, type InspectedRequest } from '../managed-rules/index.ts'
import { OVERRIDE_ACTIONS } from './actions/execute.ts'
import { ACTIONS, type ActionName } from './actions/registry.ts'
import type { SkipParameters } from './actions/skip.ts'
import type { CompiledRule, CompiledRuleset, Execution, ManagedStep } from './compiled-ruleset.ts'
import { effectOn } from './overrides.ts'
import { DECIDING_PHASES, type PhaseName } from './phases.ts'
import type { Level } from './ruleset.ts'

/** The rulesets that decide about the requests to a zone. */
export interface Firewall {
  /** By level and phase. */
  readonly entryPoints: Readonly<Record<Level, ReadonlyMap<PhaseName, CompiledRuleset>>>
  /** Custom rulesets, by their ids. */
  readonly custom: ReadonlyMap<string, CompiledRuleset>
}

/** Where a rule stands. */
export interface RulePlace {
  readonly level: Level
  readonly phase: PhaseName
  readonly rulesetId: string
  readonly ruleId: string
  readonly ref: string
  readonly description: string
}

export type Outcome =
  /** The expression does not hold, or nothing was found. */
  | 'passed'
  /** It holds, and the action was taken. */
  | 'matched'
  /** It holds, and the request was counted; the action waits for the limit. */
  | 'counted'
  /** An earlier rule said that it is left out. */
  | 'skipped'

/** A rule that was come to. */
export interface Step extends RulePlace {
  readonly action: ActionName
  readonly outcome: Outcome
  /** What a managed rule found. */
  readonly detected?: Detected
  /** What it added to the score; of the rule that judges, the sum. */
  readonly score?: number
  /** True where a skip rule asks for the request to be noted. */
  readonly isLogged?: true
}

export interface Verdict {
  /** The action that ended the request; undefined where it goes on. */
  readonly action: ActionName | undefined
  /** The rule that ended it. */
  readonly by: RulePlace | undefined
  /** `action_parameters` of that rule. */
  readonly parameters: CompiledRule['parameters']
  /** Products beside the rulesets that the request is not to pass through. */
  readonly skippedProducts: readonly string[]
  /** Those that matched, in order; with tracing, all that were come to. */
  readonly steps: readonly Step[]
}

export interface EvaluateOptions {
  /** True to tell of rules that did not match, too. */
  readonly isTracing?: boolean
  /** Counts the request for a rate limit. @returns true where it is above the limit. */
  readonly count?: (place: RulePlace) => boolean
}

/** Pure but for `count`. Account-level rules come first in each phase. */
export function evaluateRequest(
  firewall: Firewall,
  request: InspectedRequest,
  options: EvaluateOptions = {},
): Verdict {
  const run = new Run(firewall, request, options)
  for (const phase of DECIDING_PHASES) {
    for (const level of LEVELS) if (run.runPhase(level, phase)) return run.verdict()
  }
  return run.verdict()
}

const LEVELS: readonly Level[] = ['account', 'zone']

/** What skip rules of a phase have said at a level. */
interface PhaseState {
  isOver: boolean
  readonly rulesets: Set<string>
  readonly rules: Map<string, Set<string>>
}

interface RulesetState {
  isOver: boolean
  score: number
}

type Ending = Pick<Verdict, 'action' | 'by' | 'parameters'>

/** The way of one request. */
class Run {
  private readonly firewall: Firewall
  private readonly request: InspectedRequest
  private readonly options: EvaluateOptions
  private readonly steps: Step[] = []
  private readonly products = new Set<string>()
  private readonly skippedPhases: Readonly<Record<Level, Set<string>>> = {
    account: new Set(),
    zone: new Set(),
  }
  private readonly contexts = new Map<Scheme, EvaluationContext>()
  private ending: Ending = { action: undefined, by: undefined, parameters: {} }

  constructor(firewall: Firewall, request: InspectedRequest, options: EvaluateOptions) {
    this.firewall = firewall
    this.request = request
    this.options = options
  }

  verdict(): Verdict {
    return { ...this.ending, skippedProducts: [...this.products], steps: this.steps }
  }

  /** @returns true where the request has ended. */
  runPhase(level: Level, phase: PhaseName): boolean {
    const entryPoint = this.firewall.entryPoints[level].get(phase)
    if (entryPoint === undefined || this.skippedPhases[level].has(phase)) return false
    const state: PhaseState = { isOver: false, rulesets: new Set(), rules: new Map() }
    return this.runRuleset(entryPoint, state, undefined)
  }

  private runRuleset(
    ruleset: CompiledRuleset,
    phase: PhaseState,
    overrides: Execution['overrides'],
  ): boolean {
    const state: RulesetState = { isOver: false, score: 0 }
    const context = this.contextFor(ruleset.scheme)
    for (const rule of ruleset.rules) {
      if (state.isOver || phase.isOver) return false
      if (this.runRule(rule, ruleset, { phase, state, context, overrides })) return true
    }
    return false
  }

  private runRule(rule: CompiledRule, ruleset: CompiledRuleset, setting: Setting): boolean {
    const { phase, context } = setting
    const action = actionOf(rule, setting.overrides)
    if (action === undefined) return false
    const place = placeOf(rule, ruleset, ruleset.id)
    if (phase.rules.get(ruleset.id)?.has(rule.id) === true) return this.tell(place, action, 'skipped')
    if (!rule.matches(context)) return this.tell(place, action, 'passed')
    if (rule.isCounted && this.options.count?.(place) !== true) return this.tell(place, action, 'counted')
    if (rule.execution !== undefined) return this.execute(rule.execution, place, ruleset, phase)
    if (rule.skip !== undefined) this.skip(rule.skip, ruleset, setting)
    if (action === 'score') setting.state.score += Number(rule.parameters['increment'])
    return this.take(place, action, rule.parameters, rule.isLogged ? { isLogged: true } : {})
  }

  private execute(
    { rulesetId, overrides, managed }: Execution,
    place: RulePlace,
    ruleset: CompiledRuleset,
    phase: PhaseState,
  ): boolean {
    if (phase.rulesets.has(rulesetId)) return this.tell(place, 'execute', 'skipped')
    this.tell(place, 'execute', 'matched')
    if (managed !== undefined) return this.runManaged(managed, rulesetId, ruleset, phase)
    const executed = this.firewall.custom.get(rulesetId)
    return executed !== undefined && this.runRuleset(executed, phase, overrides)
  }

  private runManaged(
    steps: readonly ManagedStep[],
    rulesetId: string,
    executing: CompiledRuleset,
    phase: PhaseState,
  ): boolean {
    const skipped = phase.rules.get(rulesetId)
    let sum = 0
    for (const step of steps) {
      const place = placeOf(step, executing, rulesetId)
      if (skipped?.has(step.id) === true) {
        this.tell(place, step.action, 'skipped')
        continue
      }
      if (step.threshold !== undefined) {
        const outcome = sum >= step.threshold ? 'matched' : 'passed'
        if (outcome === 'passed') this.tell(place, step.action, outcome, { score: sum })
        else if (this.take(place, step.action, {}, { score: sum })) return true
        continue
      }
      const detected = step.rule === undefined ? null : detect(step.rule, this.request)
      if (detected === null) this.tell(place, step.action, 'passed')
      else {
        sum += step.score
        const found = step.action === 'score' ? { detected, score: step.score } : { detected }
        if (this.take(place, step.action, {}, found)) return true
      }
    }
    return false
  }

  /** What is left out from here on, at this level. */
  private skip(skipped: SkipParameters, { level, phase: current }: CompiledRuleset, setting: Setting): void {
    const { phase, state } = setting
    if (skipped.ruleset === 'current') state.isOver = true
    if (skipped.phase === 'current' || skipped.phases?.includes(current) === true) phase.isOver = true
    for (const name of skipped.phases ?? []) this.skippedPhases[level].add(name)
    for (const product of skipped.products ?? []) this.products.add(product)
    for (const id of skipped.rulesets ?? []) phase.rulesets.add(id)
    for (const [id, rules] of Object.entries(skipped.rules ?? {})) {
      const known = phase.rules.get(id) ?? new Set<string>()
      for (const rule of rules) known.add(rule)
      phase.rules.set(id, known)
    }
  }

  /** Takes an action. @returns true where it ends the request. */
  private take(
    place: RulePlace,
    action: ActionName,
    parameters: CompiledRule['parameters'],
    found: Pick<Step, 'detected' | 'score' | 'isLogged'> = {},
  ): boolean {
    this.tell(place, action, 'matched', found)
    if (!ACTIONS[action].terminates) return false
    this.ending = { action, by: place, parameters }
    return true
  }

  /** Notes the step where it is asked for. @returns false: telling ends nothing. */
  private tell(
    place: RulePlace,
    action: ActionName,
    outcome: Outcome,
    found: Pick<Step, 'detected' | 'score' | 'isLogged'> = {},
  ): false {
    const isWorthIt = outcome === 'matched' || outcome === 'counted' || this.options.isTracing === true
    if (isWorthIt) this.steps.push({ ...place, action, outcome, ...found })
    return false
  }

  private contextFor(scheme: Scheme): EvaluationContext {
    const known = this.contexts.get(scheme) ?? requestContext(scheme, this.request.facts)
    this.contexts.set(scheme, known)
    return known
  }
}

/** What overrides make of a rule of a custom ruleset; undefined where they turn it off. */
function actionOf(rule: CompiledRule, overrides: Execution['overrides']): ActionName | undefined {
  if (overrides === undefined) return rule.action
  const { enabled, action } = effectOn({ id: rule.id, enabled: true, categories: [] }, overrides)
  if (!enabled) return undefined
  const isReplaced = action !== undefined && (OVERRIDE_ACTIONS as readonly string[]).includes(rule.action) // to look one up
  return isReplaced ? action : rule.action
}

interface Setting {
  readonly phase: PhaseState
  readonly state: RulesetState
  readonly context: EvaluationContext
  readonly overrides: Execution['overrides']
}

function placeOf(
  { id, ref, description }: Pick<CompiledRule, 'id' | 'ref' | 'description'>,
  { level, phase }: CompiledRuleset,
  rulesetId: string,
): RulePlace {
  return { level, phase, rulesetId, ruleId: id, ref, description }
}
