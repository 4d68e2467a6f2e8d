// Decides about a request: entry points in order, their rules in order, until one of them ends the request.
import {
  type EvaluationContext,
  type ListedRedirect,
  requestContext,
  type RequestFacts,
  type ResponseFacts,
  type Scheme,
} from '@zonereeve/expr'
import { hasPattern, type PatternSet } from '@zonereeve/seclang'
import { detect, possibleRules, uninspectedField } from '../managed-rules/detection.ts'
import type { HeaderEdit } from '../transforms/header-edits.ts'
import { type RewrittenParts, rewriteTarget } from '../transforms/uri-rewrite.ts'
import type { Detected, ManagedRule } from '../managed-rules/managed-rule.ts'
import type { RateLimit } from '../rate-limits/rate-limit.ts'
import type { LimitedRule } from '../rate-limits/request-counting.ts'
import { inspect, type InspectedRequest } from '../managed-rules/inspected-request.ts'
import { OVERRIDE_ACTIONS } from './actions/execute.ts'
import { ACTIONS, type ActionName } from './actions/registry.ts'
import type { SkipParameters } from './actions/skip.ts'
import {
  type CompiledRewrite,
  type CompiledRule,
  type CompiledRuleset,
  type Execution,
  type FromList,
  executedLevelOf,
  type ManagedStep,
} from './compiled-ruleset.ts'
import { effectOn } from './overrides.ts'
import { DECIDING_STAGES, type PhaseName, type Stage } from './phases.ts'
import type { JsonObject, Level } from './ruleset.ts'

/** The rulesets that apply to the requests of a zone. */
export interface Firewall {
  /** By level and phase. */
  readonly entryPoints: Readonly<Record<Level, ReadonlyMap<Stage, CompiledRuleset>>>
  /** Custom rulesets by ID. */
  readonly custom: ReadonlyMap<string, CompiledRuleset>
  /** The security level of the zone, which configuration rules can set for a request; undefined: requests are not challenged. */
  readonly securityLevel?: string
}

/** The location of a rule. */
export interface RulePlace {
  readonly level: Level
  readonly phase: Stage
  readonly rulesetId: string
  readonly ruleId: string
  readonly ref: string
  readonly description: string
}

export type Outcome =
  /** The expression does not match, or nothing was detected. */
  | 'passed'
  /** It matches, and the action was taken. */
  | 'matched'
  /** It matches, and the request was counted; the action waits for the limit. */
  | 'counted'
  /** An earlier rule skipped it. */
  | 'skipped'

/** A rule that was evaluated or skipped. */
export interface Step extends RulePlace {
  readonly action: ActionName
  readonly outcome: Outcome
  /** What a managed rule detected. */
  readonly detected?: Detected
  /** What it added to the score; for the rule that evaluates the score, the sum. */
  readonly score?: number
  /** True if a skip rule requests that the request is logged. */
  readonly isLogged?: true
}

export interface Verdict {
  /** The action that ended the request; undefined if it continues. */
  readonly action: ActionName | undefined
  /** The rule that ended it. */
  readonly by: RulePlace | undefined
  /** `action_parameters` of that rule. */
  readonly parameters: CompiledRule['parameters']
  /** Where a list of redirects leads the client, if such a rule ended the request. */
  readonly redirect?: ListedRedirect
  /** Products that the request skips. */
  readonly skippedProducts: readonly string[]
  /** The anomaly score of the OWASP ruleset; undefined if it was not evaluated to its end. */
  readonly score: number | undefined
  /** A field of which managed rules did not inspect a part, because of limits; undefined if there is none. */
  readonly uninspectedField: string | undefined
  /** The matching rules in order; with tracing, all rules. */
  readonly steps: readonly Step[]
  /** What rules have changed for later rules and the origin. */
  readonly changes: RequestChanges
}

export interface RequestChanges {
  /** The request as later phases see it: with its new path and query. */
  readonly facts: RequestFacts
  /** The same request with what managed rules have spent on it. */
  readonly request: InspectedRequest
  /** For the origin, in order. */
  readonly headers: readonly HeaderEdit[]
  /** Phases that rules have skipped, also those of the response. */
  readonly skippedPhases: SkippedPhases
  /** What configuration rules have set for the request. */
  readonly settings: JsonObject
}

type SkippedPhases = Readonly<Record<Level, ReadonlySet<string>>>

export interface EvaluateOptions {
  /** True to include rules that did not match. */
  readonly isTracing?: boolean
  /** Whether the client has solved a challenge of the rule: then it does not end the request. */
  readonly isCleared?: (ruleId: string) => boolean
  /** Counts the request for a rate limit, also if the rule does not match. @returns true if it is above the limit. */
  readonly count?: (rule: LimitedRule) => boolean
  /**
   * Called if the rules of a phase cannot be evaluated, for example because a file cannot be read. @returns true to go on
   * with the next phase. Without it, and with false, the error is thrown.
   */
  readonly isSkippedAfter?: (phase: Stage, error: unknown) => boolean
}

/** Pure except for `count`. Account-level rules come first in each phase. */
export function evaluateRequest(
  firewall: Firewall,
  request: InspectedRequest,
  options: EvaluateOptions = {},
): Verdict {
  const run = new Run(firewall, request, options)
  for (const phase of DECIDING_STAGES) {
    for (const level of LEVELS) if (run.runPhase(level, phase)) return run.verdict()
  }
  return run.verdict()
}

/** The phases of a response, until a rule of one answers in its place. Pure. */
export function evaluatePhases(
  firewall: Firewall,
  { facts, skippedPhases }: Pick<RequestChanges, 'facts' | 'skippedPhases'>,
  response: ResponseFacts,
  phases: readonly PhaseName[],
  options: EvaluateOptions,
): Verdict {
  const run = new Run(firewall, inspect({ ...facts, response }, NO_BODY), options, skippedPhases)
  for (const phase of phases) for (const level of LEVELS) if (run.runPhase(level, phase)) return run.verdict()
  return run.verdict()
}

/** The body is a part of the facts. */
const NO_BODY = new Uint8Array()

export const LEVELS: readonly Level[] = ['account', 'zone']

type Found = Pick<Step, 'detected' | 'score' | 'isLogged'>

const NOTHING_FOUND: Found = {}

/** What the skip rules of a phase have set at a level. */
interface PhaseState {
  isOver: boolean
  readonly rulesets: Set<string>
  readonly rules: Map<string, Set<string>>
}

interface RulesetState {
  isOver: boolean
  score: number
}

type Ending = Pick<Verdict, 'action' | 'by' | 'parameters' | 'redirect'>

/** The evaluation of one request. */
class Run {
  private readonly firewall: Firewall
  private request: InspectedRequest
  private readonly options: EvaluateOptions
  private readonly steps: Step[] = []
  private readonly products = new Set<string>()
  private readonly skippedPhases: Readonly<Record<Level, Set<string>>>
  private readonly contexts = new Map<Scheme, EvaluationContext>()
  /** Of the current phase: rules of one phase see the same request. */
  private parts: RewrittenParts | undefined
  private readonly headerEdits: HeaderEdit[] = []
  private score: number | undefined
  private settings: JsonObject
  private uninspectedField: string | undefined
  private ending: Ending = { action: undefined, by: undefined, parameters: {} }

  constructor(
    firewall: Firewall,
    request: InspectedRequest,
    options: EvaluateOptions,
    skippedPhases?: SkippedPhases,
  ) {
    this.firewall = firewall
    this.request = request
    this.options = options
    const { securityLevel } = firewall
    this.settings = securityLevel === undefined ? {} : { security_level: securityLevel }
    this.skippedPhases = { account: new Set(skippedPhases?.account), zone: new Set(skippedPhases?.zone) }
  }

  verdict(): Verdict {
    const { ending, request, steps, products, headerEdits: headers, skippedPhases, settings, score } = this
    const { action, by, parameters, redirect } = ending
    const changes = { facts: request.facts, request, headers, skippedPhases, settings }
    const skippedProducts = [...products]
    const { uninspectedField } = this
    const verdict = { action, by, parameters, score, uninspectedField, skippedProducts, steps, changes }
    return redirect === undefined ? verdict : { ...verdict, redirect }
  }

  /** @returns true if the request has ended. */
  runPhase(level: Level, phase: Stage): boolean {
    const entryPoint = this.firewall.entryPoints[level].get(phase)
    if (entryPoint === undefined || this.skippedPhases[level].has(phase)) return false
    const product = PRODUCT_OF[phase]
    if (product !== undefined && this.products.has(product)) return false
    const on = ON_BY_SETTING[phase]
    if (on !== undefined && this.settings[on[0]] !== on[1]) return false
    const state: PhaseState = { isOver: false, rulesets: new Set(), rules: new Map() }
    try {
      const isEnded = this.runRuleset(entryPoint, state, undefined)
      this.rewriteUri()
      return isEnded
    } catch (error) {
      if (this.options.isSkippedAfter?.(phase, error) !== true) throw error
      return false
    }
  }

  private runRuleset(
    ruleset: CompiledRuleset,
    phase: PhaseState,
    overrides: Execution['overrides'],
  ): boolean {
    const state: RulesetState = { isOver: false, score: 0 }
    const context = this.contextFor(ruleset.scheme)
    for (const rule of ruleset.select?.(this.request.facts) ?? ruleset.rules) {
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
    if (phase.rules.get(ruleset.id)?.has(rule.id) === true) return this.report(place, action, 'skipped')
    const { rateLimit, fromList } = rule
    const isConditionMet = rule.matches(context)
    const listed = isConditionMet && fromList !== undefined ? this.findListed(fromList, context) : undefined
    const isMatching = isConditionMet && (fromList === undefined || listed !== undefined)
    const isOver =
      rateLimit === undefined ||
      this.options.count?.({ place, rateLimit, context, facts: this.request.facts, isMatching }) === true
    if (!isMatching) return this.report(place, action, 'passed')
    if (!isOver) return this.report(place, action, 'counted')
    if (rule.execution !== undefined) return this.execute(rule.execution, place, ruleset, phase)
    if (rule.skip !== undefined) this.skip(rule.skip, ruleset, setting)
    if (action === 'score') setting.state.score += Number(rule.parameters['increment'])
    if (rule.rewrite !== undefined) this.rewrite(rule.rewrite, context)
    if (action === 'set_config') this.settings = { ...this.settings, ...rule.parameters }
    if (action === 'serve_error' && rule.parameters['content'] === undefined) return false
    const hasEnded = this.take(
      place,
      action,
      rule.parameters,
      rule.isLogged ? { isLogged: true } : NOTHING_FOUND,
    )
    if (hasEnded && listed !== undefined) this.ending = { ...this.ending, redirect: listed }
    return hasEnded
  }

  /** A list that has no redirect for the URL does not end the request. */
  private findListed({ name, urlOf }: FromList, context: EvaluationContext): ListedRedirect | undefined {
    const url = urlOf(context)
    return typeof url === 'string' ? this.request.facts.lists?.redirectOf(name, url) : undefined
  }

  private rewrite({ uri, headers }: CompiledRewrite, context: EvaluationContext): void {
    if (uri !== undefined) this.parts = { ...this.parts, ...uri(context) }
    if (headers !== undefined) this.headerEdits.push(...headers(context))
  }

  /** At the end of a phase: later ones see the new path and query. */
  private rewriteUri(): void {
    if (this.parts === undefined) return
    const { facts } = this.request
    const target = rewriteTarget(facts.target, this.parts)
    this.parts = undefined
    if (target === facts.target) return
    this.request = inspect({ ...facts, target, rawTarget: facts.rawTarget ?? facts.target }, NO_BODY)
    this.contexts.clear()
  }

  private execute(
    { rulesetId, overrides, managed }: Execution,
    place: RulePlace,
    ruleset: CompiledRuleset,
    phase: PhaseState,
  ): boolean {
    if (phase.rulesets.has(rulesetId)) return this.report(place, 'execute', 'skipped')
    this.report(place, 'execute', 'matched')
    if (managed !== undefined) {
      const isEnded = this.runManaged(managed, { rulesetId, by: place.ruleId }, ruleset, phase)
      // Rate limits inspect nothing.
      if (managed.some(({ rule }) => rule !== undefined))
        this.uninspectedField ??= uninspectedField(this.request)
      return isEnded
    }
    const executed = this.firewall.custom.get(rulesetId)
    return executed !== undefined && this.runRuleset(executed, phase, overrides)
  }

  private runManaged(
    steps: readonly ManagedStep[],
    { rulesetId, by }: { readonly rulesetId: string; readonly by: string },
    executing: CompiledRuleset,
    phase: PhaseState,
  ): boolean {
    const skipped = phase.rules.get(rulesetId)
    let sum = 0
    let possible: PatternSet | undefined
    const isTracing = this.options.isTracing === true
    for (const step of steps) {
      if (step.rateLimit !== undefined) {
        const place = placeOf(step, executing, rulesetId)
        if (skipped?.has(step.id) === true) this.report(place, step.action, 'skipped')
        else if (this.limitRate(place, step.action, step.rateLimit, { by, executing })) return true
        continue
      }
      const { rule, number } = step
      let detected: Detected | null = null
      if (rule !== undefined && skipped?.has(step.id) !== true) {
        // Nearly all rules are made of patterns, and few of those can match.
        if (number === undefined || hasPattern((possible ??= possibleRules(this.request)), number))
          detected = this.detect(rule)
      }
      // Most of hundreds of rules find nothing: those leave no object behind.
      if (detected === null && step.threshold === undefined && !isTracing) continue
      const place = placeOf(step, executing, rulesetId)
      if (skipped?.has(step.id) === true) {
        this.report(place, step.action, 'skipped')
        continue
      }
      if (step.threshold !== undefined) {
        this.score = sum
        const outcome = sum >= step.threshold ? 'matched' : 'passed'
        if (outcome === 'passed') this.report(place, step.action, outcome, { score: sum })
        else if (this.take(place, step.action, {}, { score: sum })) return true
        continue
      }
      if (detected === null) this.report(place, step.action, 'passed')
      else {
        const score = detected.points ?? step.score
        sum += score
        const found = step.action === 'score' ? { detected, score } : { detected }
        if (this.take(place, step.action, {}, found)) return true
      }
    }
    return false
  }

  /**
   * The rule about requests that were not inspected whole asks at the level at which the Core Rule Set inspects them,
   * whichever entry point executes it.
   */
  private detect(rule: ManagedRule): Detected | null {
    const { detection } = rule
    if (detection.kind !== 'incomplete') return detect(rule, this.request)
    const level = executedLevelOf(this.firewall.entryPoints)
    return detect(
      { ...rule, detection: { ...detection, ...(level !== undefined && { level }) } },
      this.request,
    )
  }

  /** Counts the request for a managed rule that stops floods; each execution counts for itself. */
  private limitRate(
    place: RulePlace,
    action: ActionName,
    rateLimit: RateLimit,
    { by, executing }: { readonly by: string; readonly executing: CompiledRuleset },
  ): boolean {
    const context = this.contextFor(executing.scheme)
    const counted = { ruleId: `${by} ${place.ruleId}` }
    const { facts } = this.request
    const isOver =
      this.options.count?.({ place: counted, rateLimit, context, facts, isMatching: true }) === true
    return isOver ? this.take(place, action, {}) : this.report(place, action, 'counted')
  }

  /** Skips rules from here on, at this level. */
  private skip(skipped: SkipParameters, { level, phase: current }: CompiledRuleset, setting: Setting): void {
    const { phase, state } = setting
    const { phases = [], products = [], rulesets = [], rules: rulesOf = {} } = skipped
    if (skipped.ruleset === 'current') state.isOver = true
    if (skipped.phase === 'current' || phases.includes(current)) phase.isOver = true
    // IP access rules are above both levels.
    for (const one of current === 'ip_access' ? LEVELS : [level])
      for (const name of phases) this.skippedPhases[one].add(name)
    for (const product of products) this.products.add(product)
    for (const id of rulesets) phase.rulesets.add(id)
    for (const [id, rules] of Object.entries(rulesOf)) {
      const known = phase.rules.get(id) ?? new Set<string>()
      for (const rule of rules) known.add(rule)
      phase.rules.set(id, known)
    }
  }

  /** Takes an action. @returns true if it ends the request. */
  private take(
    place: RulePlace,
    action: ActionName,
    parameters: CompiledRule['parameters'],
    found: Found = NOTHING_FOUND,
  ): boolean {
    if (isChallenge(action) && this.options.isCleared?.(place.ruleId) === true) return false
    this.report(place, action, 'matched', found)
    if (!ACTIONS[action].terminates) return false
    this.ending = { action, by: place, parameters }
    return true
  }

  /** Records the step if required. @returns false, because recording does not end the request. */
  private report(
    place: RulePlace,
    action: ActionName,
    outcome: Outcome,
    found: Found = NOTHING_FOUND,
  ): false {
    const isWorthIt = outcome === 'matched' || outcome === 'counted' || this.options.isTracing === true
    if (!isWorthIt) return false
    // Member by member: spread objects take microseconds.
    const { level, phase, rulesetId, ruleId, ref, description } = place
    const step = { level, phase, rulesetId, ruleId, ref, description, action, outcome }
    this.steps.push(found === NOTHING_FOUND ? step : { ...step, ...found })
    return false
  }

  private contextFor(scheme: Scheme): EvaluationContext {
    const known = this.contexts.get(scheme) ?? requestContext(scheme, this.request.facts)
    this.contexts.set(scheme, known)
    return known
  }
}

/** The only security level that challenges. */
export const UNDER_ATTACK = 'under_attack'

/** The setting with which a stage is evaluated at all. */
const ON_BY_SETTING: Readonly<Partial<Record<Stage, readonly [setting: string, value: unknown]>>> = {
  browser_integrity_check: ['bic', true],
  hotlink_protection: ['hotlink_protection', true],
  security_level: ['security_level', UNDER_ATTACK],
}

/** The name by which rules skip the rules of a stage. */
const PRODUCT_OF: Readonly<Partial<Record<Stage, string>>> = {
  zone_lockdown: 'zoneLockdown',
  user_agent: 'uaBlock',
  browser_integrity_check: 'bic',
  hotlink_protection: 'hot',
  security_level: 'securityLevel',
}

/** Actions that a browser can pass. */
export const isChallenge = (action: string): boolean =>
  action === 'challenge' || action === 'js_challenge' || action === 'managed_challenge'

/** The action of a rule of a custom ruleset after overrides; undefined if they turn it off. */
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
  { id, ref, description, level: own }: Pick<CompiledRule, 'id' | 'ref' | 'description' | 'level'>,
  { level, phase }: CompiledRuleset,
  rulesetId: string,
): RulePlace {
  return { level: own ?? level, phase, rulesetId, ruleId: id, ref, description }
}
