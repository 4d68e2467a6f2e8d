// What an execution makes of the rules of a ruleset: rule overrides beat those of tags, the last tag beats the others,
// and tags beat the ruleset; each member for itself.
import type { ExecuteParameters, Override, OverrideAction } from './actions/execute.ts'

type Overrides = NonNullable<ExecuteParameters['overrides']>

/** A rule as overrides see it. */
export interface Overridable {
  readonly id: string
  readonly enabled: boolean
  readonly categories: readonly string[]
}

export interface Effect {
  readonly enabled: boolean
  /** The action in the place of the rule's own. */
  readonly action: OverrideAction | undefined
  readonly scoreThreshold: number | undefined
}

/** Pure: the effect of `overrides` on a rule. */
export function effectOn(rule: Overridable, overrides: Overrides | undefined): Effect {
  const byTag = (overrides?.categories ?? []).filter(({ category }) => rule.categories.includes(category))
  const own = overrides?.rules?.find(({ id }) => id === rule.id)
  // The strongest first.
  const applying: readonly (Override | undefined)[] = [own, ...byTag.toReversed(), overrides]
  const first = <M extends keyof Override>(member: M): Override[M] | undefined =>
    applying.find((one) => one?.[member] !== undefined)?.[member]
  // A sensitivity that is essentially off leaves nothing of the rule.
  const isOff = first('sensitivity_level') === 'eoff'
  return {
    enabled: !isOff && (first('enabled') ?? rule.enabled),
    action: first('action'),
    scoreThreshold: own?.score_threshold,
  }
}
