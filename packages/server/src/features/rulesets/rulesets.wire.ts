// Rulesets as the API shows them: what was sent comes back as it was sent, and nothing else is made up.
import type { WireRule, WireRuleset, WireRulesetSummary } from '@zonereeve/contract'
import type { ManagedRulesetRule } from '../managed-rules/index.ts'
import type { Shown, ShownSummary } from './read-rulesets.service.ts'
import type { Rule } from './ruleset.ts'

/** Each member of a reply's rule, in order, with what it is where it was not sent (undefined = it is not shown). */
export function toWireRule({ id, version, ref, lastUpdated, definition }: Rule): WireRule {
  const { action, parameters, expression, description, enabled, logging, ratelimit } = definition
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
    ...(logging === undefined ? {} : { logging: logging as NonNullable<WireRule['logging']> }), // of the shape that it was read by
    ...(ratelimit === undefined ? {} : { ratelimit: ratelimit as NonNullable<WireRule['ratelimit']> }), // as above
  }
}

/** Managed rules show what they do and how they are tagged, not how they find it. */
function toWireManagedRule(rule: ManagedRulesetRule, lastUpdated: string): WireRule {
  const { id, version, action, score, scoreThreshold, categories, description, ref, enabled } = rule
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
  }
}

export function toWireSummary(ruleset: ShownSummary): WireRulesetSummary {
  const { id, name, description, kind, version, lastUpdated, phase } = ruleset
  return { id, name, description, kind, version: String(version), last_updated: lastUpdated, phase }
}

export function toWireRuleset(ruleset: Shown): WireRuleset {
  const { last_updated, phase, ...head } = toWireSummary(ruleset)
  const rules =
    'owner' in ruleset
      ? ruleset.rules.map(toWireRule)
      : ruleset.rules.map((rule) => toWireManagedRule(rule, ruleset.lastUpdated))
  return { ...head, rules, last_updated, phase }
}
