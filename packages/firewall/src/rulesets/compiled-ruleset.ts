// Compiles rulesets for evaluation: expressions compiled, overrides applied, disabled rules left out.
import {
  compileExpression,
  compileValueExpression,
  type Condition,
  type Reader,
  type RequestFacts,
  type Scheme,
} from '@zonereeve/expr'
import { compileExposedCheck } from '../credentials/credential-check.ts'
import {
  FLOOD_CHARACTERISTIC,
  FLOOD_MITIGATION_SECONDS,
  FLOOD_PERIOD_SECONDS,
} from '../managed-rules/flood-rule.ts'
import { numberOfPatterns } from '../managed-rules/detection.ts'
import type { ManagedRule } from '../managed-rules/managed-rule.ts'
import type { ManagedRuleset } from '../managed-rules/managed-rulesets.ts'
import { compileRateLimit, type RateLimit } from '../rate-limits/rate-limit.ts'
import { compileHeaders, type HeaderEdits, type WrittenHeader } from '../transforms/header-edits.ts'
import { compileUri, type UriRewrite, type WrittenUri } from '../transforms/uri-rewrite.ts'
import type { ExecuteParameters } from './actions/execute.ts'
import type { ActionName } from './actions/registry.ts'
import type { SkipParameters } from './actions/skip.ts'
import { findManaged } from './managed.ts'
import { effectOn } from './overrides.ts'
import { schemeOf, type PhaseName, type Stage } from './phases.ts'
import type { Chunked } from '@zonereeve/cooperate'
import type { JsonObject, Level, Rule, RuleDefinition, Ruleset } from './ruleset.ts'

export interface CompiledRuleset {
  readonly id: string
  readonly level: Level
  readonly phase: Stage
  readonly version: number
  /** The scheme that its expressions were parsed with. */
  readonly scheme: Scheme
  /** Enabled rules, in order. */
  readonly rules: readonly CompiledRule[]
  /** The rules to evaluate for a request, if they are found in another way than one by one. */
  readonly select?: (facts: RequestFacts) => readonly CompiledRule[]
}

export interface CompiledRule {
  readonly id: string
  readonly ref: string
  /** If it is not that of its ruleset. */
  readonly level?: Level
  readonly description: string
  readonly action: ActionName
  readonly expression: string
  readonly matches: Condition
  readonly parameters: JsonObject
  /** Only for skip rules. */
  readonly skip: SkipParameters | undefined
  /** Only for execute rules: the ruleset, and the overrides for its rules. */
  readonly execution: Execution | undefined
  /** Whether compiling its patterns takes a while. */
  readonly isHeavy: boolean
  /** Requests are counted before the action is taken. */
  readonly rateLimit: RateLimit | undefined
  /** Only for skip rules: whether matching requests are logged. */
  readonly isLogged: boolean
  /** Only for redirects from a list. */
  readonly fromList: FromList | undefined
  /** Only for rewrite rules. */
  readonly rewrite: CompiledRewrite | undefined
}

/** A list of redirects, and the URL that is looked up in it. */
export interface FromList {
  readonly name: string
  readonly urlOf: Reader
}

/** What a rewrite rule does to a matching request or its response. */
export interface CompiledRewrite {
  readonly uri: UriRewrite | undefined
  readonly headers: HeaderEdits | undefined
}

export interface Execution {
  readonly rulesetId: string
  readonly overrides: ExecuteParameters['overrides']
  /** The enabled rules of a managed ruleset; undefined for custom rulesets. */
  readonly managed: readonly ManagedStep[] | undefined
}

/** A managed rule with the settings of an execution. */
export interface ManagedStep {
  readonly id: string
  readonly ref: string
  readonly description: string
  readonly action: ActionName
  /** The managed rule to detect; undefined for the rules that evaluate the score or a rate. */
  readonly rule: ManagedRule | undefined
  /** Of a rule that is made of patterns, for `possibleRules`. */
  readonly number: number | undefined
  /** For rules that stop floods. */
  readonly rateLimit: RateLimit | undefined
  readonly score: number
  /** The minimum sum of scores for the rule's action; undefined for all others. */
  readonly threshold: number | undefined
}

/** Size of automatons that takes some milliseconds to compile. */
const HEAVY_BYTES = 16_384

/** Compiles a ruleset whose rules were validated when they were saved. Patterns are compiled on first use. */
export function* compileRuleset(ruleset: Ruleset): Chunked<CompiledRuleset> {
  const { id, owner, phase, version } = ruleset
  const scheme = schemeOf(phase, owner.level)
  const responseScheme = schemeOf(phase, owner.level, true)
  const rules: CompiledRule[] = []
  for (const rule of ruleset.rules) {
    if (!rule.definition.enabled) continue
    rules.push(compileRule(rule, phase, scheme, responseScheme))
    yield
  }
  return { id, level: owner.level, phase, version, scheme, rules }
}

/** The highest paranoia level of the Core Rule Set's rules among these; undefined if there are none. */
function paranoiaLevelOf(steps: readonly ManagedStep[]): number | undefined {
  let level: number | undefined
  for (const { rule } of steps)
    if (rule?.detection.kind === 'core-rule') level = Math.max(level ?? 0, rule.detection.level) // from 1
  return level
}

/** The paranoia level at which one of the entry points executes the Core Rule Set; undefined if none does. */
export function executedLevelOf(
  entryPoints: Readonly<Record<Level, ReadonlyMap<Stage, CompiledRuleset>>>,
): number | undefined {
  const steps = [...entryPoints.account.values(), ...entryPoints.zone.values()]
    .flatMap(({ rules }) => rules)
    .flatMap(({ execution }) => execution?.managed ?? []) // others execute none
  return paranoiaLevelOf(steps)
}

function compileRule(
  { id, ref, definition, regexBytes }: Rule,
  phase: PhaseName,
  scheme: Scheme,
  responseScheme: Scheme,
): CompiledRule {
  const { action, expression, description = '', parameters = {}, ratelimit, logging } = definition
  return {
    id,
    ref,
    description,
    action,
    expression,
    matches: compileCondition(definition, scheme),
    parameters,
    skip: action === 'skip' ? parameters : undefined,
    execution: action === 'execute' ? compileExecution(parameters as never, scheme) : undefined, // validated by the action's shape
    isHeavy: regexBytes > HEAVY_BYTES,
    rateLimit: ratelimit && compileRateLimit(ratelimit, scheme, responseScheme),
    isLogged: action === 'skip' && logging?.['enabled'] === true,
    fromList: action === 'redirect' ? compileFromList(parameters, scheme) : undefined,
    rewrite: action === 'rewrite' ? compileRewrite(parameters, phase, scheme) : undefined,
  }
}

/** An earlier version may have saved members that have no effect in the phase. */
function compileRewrite(
  { uri, headers }: { readonly uri?: WrittenUri; readonly headers?: Readonly<Record<string, WrittenHeader>> },
  phase: PhaseName,
  scheme: Scheme,
): CompiledRewrite {
  const isOfResponse = phase === 'http_response_headers_transform'
  const isOfHeaders = isOfResponse || phase === 'http_request_late_transform'
  return {
    uri: phase === 'http_request_transform' ? uri && compileUri(uri, scheme) : undefined,
    headers: isOfHeaders ? headers && compileHeaders(headers, scheme, isOfResponse) : undefined,
  }
}

function compileFromList(parameters: JsonObject, scheme: Scheme): FromList | undefined {
  const from = parameters['from_list'] as { readonly name: string; readonly key: string } | undefined // checked by the action's shape
  return from && { name: from.name, urlOf: compileValueExpression(from.key, scheme) }
}

function compileCondition({ expression, exposedCheck }: RuleDefinition, scheme: Scheme): Condition {
  const matches = compileExpression(expression, scheme)
  if (exposedCheck === undefined) return matches
  const isExposed = compileExposedCheck(exposedCheck, scheme)
  return (context) => matches(context) && isExposed(context)
}

function compileExecution({ id, overrides }: ExecuteParameters, scheme: Scheme): Execution {
  const managed = findManaged(id)
  return { rulesetId: id, overrides, managed: managed && managedSteps(managed, overrides, scheme) }
}

/**
 * The rules of a managed ruleset that are enabled after the overrides. Rules that add to the score continue to do so.
 */
export function managedSteps(
  { rules }: ManagedRuleset,
  overrides: ExecuteParameters['overrides'],
  scheme: Scheme,
): readonly ManagedStep[] {
  const steps = rules.flatMap((listed): ManagedStep[] => {
    const effect = effectOn(listed, overrides)
    if (!effect.enabled) return []
    const { id, ref, description, rule, score, scoreThreshold, limits } = listed
    return [
      {
        id,
        ref,
        description,
        action: listed.action === 'score' ? 'score' : (effect.action ?? listed.action),
        rule: rule ?? undefined,
        number: rule === null ? undefined : numberOfPatterns(rule),
        rateLimit: limits && floodLimit(limits[effect.sensitivity], scheme),
        score: score ?? 0, // without a score it adds none
        threshold: scoreThreshold === null ? undefined : (effect.scoreThreshold ?? scoreThreshold),
      },
    ]
  })
  return atOneLevel(steps)
}

const floodLimit = (requests: number, scheme: Scheme): RateLimit =>
  compileRateLimit(
    {
      characteristics: [FLOOD_CHARACTERISTIC],
      period: FLOOD_PERIOD_SECONDS,
      requests_per_period: requests,
      mitigation_timeout: FLOOD_MITIGATION_SECONDS,
    },
    scheme,
    scheme,
  )

/** Rules of the Core Rule Set are evaluated together, at the highest paranoia level that is on. */
function atOneLevel(steps: readonly ManagedStep[]): readonly ManagedStep[] {
  const level = paranoiaLevelOf(steps)
  if (level === undefined) return steps
  return steps.map((step) => {
    const { rule } = step
    if (rule?.detection.kind !== 'core-rule') return step
    return { ...step, rule: { ...rule, detection: { ...rule.detection, level } } }
  })
}
