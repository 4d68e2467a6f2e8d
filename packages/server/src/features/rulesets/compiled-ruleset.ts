// Rulesets made ready for requests: expressions compiled, overrides applied, rules that are off left out.
import { compileExpression, type Condition, type Scheme } from '@zonereeve/expr'
import type { ManagedRule, ManagedRuleset } from '../managed-rules/index.ts'
import type { ExecuteParameters } from './actions/execute.ts'
import type { ActionName } from './actions/registry.ts'
import type { SkipParameters } from './actions/skip.ts'
import { findManaged } from './managed.ts'
import { effectOn } from './overrides.ts'
import { schemeOf, type PhaseName } from './phases.ts'
import { createSlices } from './slices.ts'
import type { JsonObject, Level, Rule, Ruleset } from './ruleset.ts'

export interface CompiledRuleset {
  readonly id: string
  readonly level: Level
  readonly phase: PhaseName
  readonly version: number
  /** What its expressions were read with. */
  readonly scheme: Scheme
  /** Those that are enabled, in order. */
  readonly rules: readonly CompiledRule[]
}

export interface CompiledRule {
  readonly id: string
  readonly ref: string
  readonly description: string
  readonly action: ActionName
  readonly expression: string
  readonly matches: Condition
  readonly parameters: JsonObject
  /** Of a skip rule. */
  readonly skip: SkipParameters | undefined
  /** Of an execute rule: which ruleset, and what becomes of its rules. */
  readonly execution: Execution | undefined
  /** Whether compiling its patterns takes a while. */
  readonly isHeavy: boolean
  /** Whether requests are counted before the action is taken. */
  readonly isCounted: boolean
  /** Of a skip rule: whether requests that it matches are noted. */
  readonly isLogged: boolean
}

export interface Execution {
  readonly rulesetId: string
  readonly overrides: ExecuteParameters['overrides']
  /** The rules of a managed ruleset that are on; undefined for custom rulesets. */
  readonly managed: readonly ManagedStep[] | undefined
}

/** A managed rule as an execution uses it. */
export interface ManagedStep {
  readonly id: string
  readonly ref: string
  readonly description: string
  readonly action: ActionName
  /** What is looked for; undefined for the rule that judges the score. */
  readonly rule: ManagedRule | undefined
  readonly score: number
  /** The sum of scores from which on the rule acts; undefined for all others. */
  readonly threshold: number | undefined
}

/** Of automatons: some milliseconds. */
const HEAVY_BYTES = 16_384

/** Compiles a ruleset whose rules were checked when they were saved. Patterns are compiled when they are first needed. */
export function compileRuleset(ruleset: Ruleset): CompiledRuleset {
  const { scheme, enabled } = readyOf(ruleset)
  return compiledOf(
    ruleset,
    enabled.map((rule) => compileRule(rule, scheme)),
  )
}

/** The same, with turns for others in between. */
export async function compileRulesetInSlices(ruleset: Ruleset): Promise<CompiledRuleset> {
  const { scheme, enabled } = readyOf(ruleset)
  const giveWay = createSlices()
  const compiled: CompiledRule[] = []
  for (const rule of enabled) {
    compiled.push(compileRule(rule, scheme))
    await giveWay()
  }
  return compiledOf(ruleset, compiled)
}

const readyOf = ({ owner, phase, rules }: Ruleset) => ({
  scheme: schemeOf(phase, owner.level),
  enabled: rules.filter(({ definition }) => definition.enabled),
})

const compiledOf = (
  { id, owner: { level }, phase, version }: Ruleset,
  rules: readonly CompiledRule[],
): CompiledRuleset => ({ id, level, phase, version, scheme: schemeOf(phase, level), rules })

function compileRule({ id, ref, definition, regexBytes }: Rule, scheme: Scheme): CompiledRule {
  const { action, expression, description = '', parameters = {}, ratelimit, logging } = definition
  return {
    id,
    ref,
    description,
    action,
    expression,
    matches: compileExpression(expression, scheme),
    parameters,
    skip: action === 'skip' ? parameters : undefined,
    execution: action === 'execute' ? compileExecution(parameters as never) : undefined, // of the action's shape
    isHeavy: regexBytes > HEAVY_BYTES,
    isCounted: ratelimit !== undefined,
    isLogged: action === 'skip' && logging?.['enabled'] === true,
  }
}

function compileExecution({ id, overrides }: ExecuteParameters): Execution {
  const managed = findManaged(id)
  return { rulesetId: id, overrides, managed: managed && managedSteps(managed, overrides) }
}

/** The rules of a managed ruleset that are on under the overrides. Rules that add to the score go on doing so. */
export function managedSteps(
  { rules }: ManagedRuleset,
  overrides: ExecuteParameters['overrides'],
): readonly ManagedStep[] {
  return rules.flatMap((listed): ManagedStep[] => {
    const effect = effectOn(listed, overrides)
    if (!effect.enabled) return []
    const { id, ref, description, rule, score, scoreThreshold } = listed
    return [
      {
        id,
        ref,
        description,
        action: listed.action === 'score' ? 'score' : (effect.action ?? listed.action),
        rule: rule ?? undefined,
        score: score ?? 0,
        threshold: scoreThreshold === null ? undefined : (effect.scoreThreshold ?? scoreThreshold),
      },
    ]
  })
}
