// What page rules do to the previous managed rules, and the skip rules that do the same to the new ones. Of all active
// page rules the first that fits a URL decides, so a rule holds only where none before it fits.
import type { PageRule } from '../page-rules/index.ts'
import { areApart, conjunction, urlConditionOf, type UrlCondition } from './page-rule-conditions.rules.ts'

export type PageRuleEffect = 'on' | 'off' | 'none'

/** What a page rule makes of the managed rules on its URLs. */
export function effectOf({ actions }: PageRule): PageRuleEffect {
  if (actions.some(({ id }) => id === 'disable_security')) return 'off'
  const waf = actions.find(({ id }) => id === 'waf')?.value
  return waf === 'on' || waf === 'off' ? waf : 'none'
}

export interface PageRuleSkip {
  readonly expression: string
  /** URLs of the page rules that it stands for. */
  readonly urls: readonly string[]
}

export interface PageRuleSkips {
  readonly skips: readonly PageRuleSkip[]
  /** True where managed rules act on some URL. */
  readonly isWafOnSomewhere: boolean
}

/** Bytes of an expression. */
export const MAX_EXPRESSION_BYTES = 4_096

export const isTooLong = (expression: string): boolean =>
  new TextEncoder().encode(expression).length > MAX_EXPRESSION_BYTES

/** @param rules of the zone, the highest priority first. @param wafOn the zone setting. */
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
  /** Those before it that can fit the same URLs. */
  readonly before: readonly Reachable[]
}

/** Active rules that can fit a URL that no rule before them takes. */
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
      // Those that skip the same are left out only where the text would be too long: each rule can stand alone.
      const expression = isTooLong(whole) ? effectiveText(one, others(one, 'off')) : whole
      return { expression, urls: [urlOf(one.rule)] }
    })
}

/** With the zone setting off, managed rules act where page rules switch them on: everything else is skipped. */
function skipElsewhere(switchedOn: readonly Reachable[]): PageRuleSkips {
  if (switchedOn.length === 0) return { skips: [], isWafOnSomewhere: false }
  const texts = switchedOn.map((one) => effectiveText(one, others(one, 'on')))
  const skips = texts.includes('true')
    ? []
    : [{ expression: `not ${anyOf(texts)}`, urls: switchedOn.map(({ rule }) => urlOf(rule)) }]
  return { skips, isWafOnSomewhere: true }
}

/** Rules before it that do something else: where one of its own kind fits, it makes no difference which does it. */
const others = ({ before }: Reachable, effect: PageRuleEffect): readonly Reachable[] =>
  before.filter((other) => other.effect !== effect)

function effectiveText({ condition }: Reachable, before: readonly Reachable[]): string {
  const own = conjunction(condition)
  if (before.length === 0) return own
  const rest = `not ${anyOf(before.map((other) => conjunction(other.condition)))}`
  return condition.terms.length === 0 ? rest : `(${own}) and ${rest}`
}

const anyOf = (texts: readonly string[]): string =>
  texts.length === 1 ? `(${texts[0]})` : `(${texts.map((text) => `(${text})`).join(' or ')})`

const urlOf = ({ targets }: PageRule): string => targets[0]?.constraint.value ?? ''
