// Converts page rules for the legacy managed rules to equivalent skip rules for the new ones. Only the first
// active page rule that matches a URL applies, so each condition excludes the rules before it.
import { areApart, conjunction, urlConditionOf, type UrlCondition } from '@zonereeve/firewall'
import type { PageRule } from '../page-rules/index.ts'

export type PageRuleEffect = 'on' | 'off' | 'none'

/** The effect of a page rule on the managed rules for its URLs. */
export function effectOf({ actions }: PageRule): PageRuleEffect {
  if (actions.some(({ id }) => id === 'disable_security')) return 'off'
  const waf = actions.find(({ id }) => id === 'waf')?.value
  return waf === 'on' || waf === 'off' ? waf : 'none'
}

export interface PageRuleSkip {
  readonly expression: string
  /** URLs of the page rules that it replaces. */
  readonly urls: readonly string[]
}

export interface PageRuleSkips {
  readonly skips: readonly PageRuleSkip[]
  /** True if managed rules act on at least one URL. */
  readonly isWafOnSomewhere: boolean
}

/** Maximum bytes of an expression. */
export const MAX_EXPRESSION_BYTES = 4_096

export const isTooLong = (expression: string): boolean =>
  new TextEncoder().encode(expression).length > MAX_EXPRESSION_BYTES

/**
 * @param rules of the zone, the highest priority first.
 * @param wafOn the zone setting.
 */
export function pageRuleSkips(rules: readonly PageRule[], wafOn: boolean): PageRuleSkips {
  const reachable = reachableRules(rules)
  return wafOn
    ? { skips: skipsWhereOff(reachable), isWafOnSomewhere: true }
    : skipElsewhere(reachable.filter(({ effect }) => effect === 'on'))
}

interface Reachable {
  readonly rule: PageRule
  readonly effect: PageRuleEffect
  readonly condition: UrlCondition
  /** Earlier rules that can match the same URLs. */
  readonly before: readonly Reachable[]
}

/** Active rules that can match a URL that no earlier rule matches. */
function reachableRules(rules: readonly PageRule[]): readonly Reachable[] {
  const reachable: Reachable[] = []
  for (const rule of rules) {
    const [target] = rule.targets
    const condition = rule.status === 'active' && target !== undefined ? urlConditionOf(target) : null
    if (condition === null) continue
    const before = reachable.filter((other) => !areApart(other.condition, condition))
    reachable.push({ rule, effect: effectOf(rule), condition, before })
    if (condition.terms.length === 0) break
  }
  return reachable
}

function skipsWhereOff(reachable: readonly Reachable[]): PageRuleSkip[] {
  return reachable
    .filter(({ effect }) => effect === 'off')
    .map((one) => {
      const whole = effectiveText(one, one.before)
      // Earlier rules with the same effect are left out only if the expression would be too long, so that each
      // rule stands alone.
      const expression = isTooLong(whole) ? effectiveText(one, others(one, 'off')) : whole
      return { expression, urls: [urlOf(one.rule)] }
    })
}

/** With the zone setting off, managed rules act only where page rules enable them: everything else is skipped. */
function skipElsewhere(switchedOn: readonly Reachable[]): PageRuleSkips {
  if (switchedOn.length === 0) return { skips: [], isWafOnSomewhere: false }
  const strings = switchedOn.map((one) => effectiveText(one, others(one, 'on')))
  const skips = strings.includes('true')
    ? []
    : [{ expression: `not ${anyOf(strings)}`, urls: switchedOn.map(({ rule }) => urlOf(rule)) }]
  return { skips, isWafOnSomewhere: true }
}

/** Earlier rules with a different effect: it does not matter which of two rules with the same effect applies. */
const others = ({ before }: Reachable, effect: PageRuleEffect): readonly Reachable[] =>
  before.filter((other) => other.effect !== effect)

function effectiveText({ condition }: Reachable, before: readonly Reachable[]): string {
  const own = conjunction(condition)
  if (before.length === 0) return own
  const rest = `not ${anyOf(before.map((other) => conjunction(other.condition)))}`
  return condition.terms.length === 0 ? rest : `(${own}) and ${rest}`
}

const anyOf = (strings: readonly string[]): string =>
  strings.length === 1 ? `(${strings[0]})` : `(${strings.map((text) => `(${text})`).join(' or ')})`

function urlOf({ id, targets: [target] }: PageRule): string {
  if (target === undefined) throw new Error(`page rule ${id} has no target`)
  return target.constraint.value
}
