// The entry point for the new managed rules that is equivalent to a zone's legacy configuration.
import type { FilteredRule } from '../firewall-rules/index.ts'
import { MANAGED_RULESET_ID, OWASP_RULESET_ID } from '@zonereeve/firewall'
import { managedOverrides, owaspOverrides } from './managed-overrides.rules.ts'
import { pageRuleSkips } from './page-rule-skips.rules.ts'
import type { LegacyFirewall } from './legacy-firewall.ts'

/** A rule to be created. */
export interface MigratedRule {
  readonly action: 'skip' | 'execute'
  readonly parameters: Readonly<Record<string, unknown>>
  readonly expression: string
  readonly description: string
  readonly enabled: boolean
  readonly logging: { readonly enabled: true } | undefined
}

/**
 * The rules in order: exceptions of page rules, exceptions of firewall rules, the managed ruleset, the OWASP
 * ruleset. Equal configurations yield equal rules.
 */
export function configOf(previous: LegacyFirewall): readonly MigratedRule[] {
  const { skips, isWafOnSomewhere } = pageRuleSkips(previous.pageRules, previous.wafOn)
  const overrides = managedOverrides(previous)
  const owasp = owaspOverrides(previous)
  return [
    ...skips.map(({ expression, urls }) => skip(expression, describe(urls), true)),
    ...bypassesOf(previous).map(toSkip),
    execute(MANAGED_RULESET_ID, overrides.length === 0 ? undefined : { rules: overrides }, isWafOnSomewhere),
    ...(owasp === null ? [] : [execute(OWASP_RULESET_ID, owasp, isWafOnSomewhere)]),
  ]
}

/** Firewall rules that bypass the managed rules, in evaluation order. */
export const bypassesOf = ({ bypassRules }: Pick<LegacyFirewall, 'bypassRules'>): readonly FilteredRule[] =>
  bypassRules.filter(({ rule }) => rule.products.includes('waf'))

export const isPaused = ({ rule, filter }: FilteredRule): boolean => rule.paused || filter.paused

const toSkip = (bypass: FilteredRule): MigratedRule =>
  skip(
    bypass.filter.expression,
    bypass.rule.description ?? bypass.filter.description ?? '', // neither is described
    !isPaused(bypass),
  )

const skip = (expression: string, description: string, enabled: boolean): MigratedRule => ({
  action: 'skip',
  parameters: { ruleset: 'current' },
  expression,
  description,
  enabled,
  logging: { enabled: true },
})

const execute = (id: string, overrides: object | undefined, enabled: boolean): MigratedRule => ({
  action: 'execute',
  parameters: { id, ...(overrides === undefined ? {} : { overrides }) },
  expression: 'true',
  description: '',
  enabled,
  logging: undefined,
})

const MAX_DESCRIPTION = 500

/** Lists the URLs of the page rules, as many as fit. */
function describe(urls: readonly string[]): string {
  const text = urls.join(', ')
  return text.length <= MAX_DESCRIPTION ? text : `${text.slice(0, MAX_DESCRIPTION - 1)}…`
}
