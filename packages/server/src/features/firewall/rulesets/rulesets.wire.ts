// Rulesets as the API returns them: members as they were sent, without added defaults.
import type { WireRule, WireRuleset, WireRulesetSummary } from '@zonereeve/contract'
import type { ManagedRulesetRule, Rule } from '@zonereeve/firewall'
import type { OwnOrManagedRuleset, OwnOrManagedSummary } from './read-rulesets.service.ts'

/** Converts a rule, with its members in response order; undefined members are left out. */
export function toWireRule({ id, version, ref, lastUpdated, definition }: Rule): WireRule {
  const { action, parameters, expression, description, enabled, logging } = definition
  const { ratelimit, exposedCheck } = definition
  return {
    id,
    version: String(version),
    action,
    ...(parameters === undefined ? {} : { action_parameters: parameters }),
    expression,
    ...(description === undefined ? {} : { description }),
    last_updated: lastUpdated,
    ref,
    enabled,
    ...(logging === undefined ? {} : { logging: logging as NonNullable<WireRule['logging']> }), // checked when it was parsed
    ...(ratelimit === undefined ? {} : { ratelimit: ratelimit as NonNullable<WireRule['ratelimit']> }), // as above
    ...(exposedCheck === undefined ? {} : { exposed_credential_check: exposedCheck }),
  }
}

/** Managed rules show their action and categories, but not their expression. */
function toWireManagedRule(rule: ManagedRulesetRule, lastUpdated: string): WireRule {
  const { id, version, action, score, scoreThreshold, categories, description, ref, enabled } = rule
  const { ordinaryStrings } = rule
  const parameters = score === null ? undefined : { increment: score }
  const threshold = scoreThreshold === null ? undefined : { score_threshold: scoreThreshold }
  const shown = parameters ?? threshold
  return {
    id,
    version,
    action,
    ...(shown === undefined ? {} : { action_parameters: shown }),
    ...(categories.length === 0 ? {} : { categories: [...categories] }),
    description,
    last_updated: lastUpdated,
    ref,
    enabled,
    ...(ordinaryStrings === undefined ? {} : { ordinary_strings: { ...ordinaryStrings } }),
  }
}

export function toWireSummary(ruleset: OwnOrManagedSummary): WireRulesetSummary {
  const { id, name, description, kind, version, lastUpdated, phase } = ruleset
  return { id, name, description, kind, version: String(version), last_updated: lastUpdated, phase }
}

export function toWireRuleset(ruleset: OwnOrManagedRuleset): WireRuleset {
  const { last_updated, phase, ...head } = toWireSummary(ruleset)
  const rules =
    'owner' in ruleset
      ? ruleset.rules.map(toWireRule)
      : ruleset.rules.map((rule) => toWireManagedRule(rule, ruleset.lastUpdated))
  return { ...head, rules, last_updated, phase }
}
