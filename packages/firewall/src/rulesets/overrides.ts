// The effect of an execution's overrides on the rules of a ruleset. Rule overrides beat those of tags, the last tag
// beats the others, and tags beat the ruleset; each member separately.
import type { ExecuteParameters, Override, OverrideAction } from './actions/execute.ts'

type Overrides = NonNullable<ExecuteParameters['overrides']>

/** The members of a rule that overrides use. */
export interface Overridable {
  readonly id: string
  readonly enabled: boolean
  readonly categories: readonly string[]
}

export interface Effect {
  readonly enabled: boolean
  /** The action that replaces the rule's own. */
  readonly action: OverrideAction | undefined
  readonly scoreThreshold: number | undefined
  /** Only rules that stop floods have one. */
  readonly sensitivity: 'default' | 'medium' | 'low'
}

/** Pure: the effect of `overrides` on a rule. */
export function effectOn(rule: Overridable, overrides: Overrides | undefined): Effect {
  // Without overrides there is none by tag.
  const byTag = (overrides?.categories ?? []).filter(({ category }) => rule.categories.includes(category))
  const own = overrides?.rules?.find(({ id }) => id === rule.id)
  // Highest precedence first.
  const applying: readonly (Override | undefined)[] = [own, ...byTag.toReversed(), overrides]
  const first = <M extends keyof Override>(member: M): Override[M] | undefined =>
    applying.find((one) => one?.[member] !== undefined)?.[member]
  // The sensitivity "essentially off" turns the rule off.
  const level = first('sensitivity_level')
  const isOff = level === 'eoff'
  return {
    enabled: !isOff && (first('enabled') ?? rule.enabled),
    action: first('action'),
    scoreThreshold: own?.score_threshold,
    sensitivity: level === undefined || level === 'eoff' ? 'default' : level,
  }
}
