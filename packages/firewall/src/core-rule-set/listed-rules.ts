// The Core Rule Set as a managed ruleset: its scoring rules listed with their own numbers, tags and scores.
import { isRunnable, type RuleSet, type SecRule } from '@zonereeve/seclang'
import type { ManagedRule } from '../managed-rules/managed-rule.ts'

/** Points of a severity, as the Core Rule Set sets them by default. */
const SCORES: Readonly<Record<string, 5 | 4 | 3 | 2>> = { CRITICAL: 5, ERROR: 4, WARNING: 3, NOTICE: 2 }
const MAX_DESCRIPTION = 120
const DEFAULT_LEVEL = 1

/** 32 digits that end with the number of the rule, so that it can be read in the API and in logs. */
export const idOfCoreRule = (number: number): string => String(number).padStart(32, '0')

/**
 * Lists an item of the files if it is a rule that runs and adds to the score of a request. Rules above paranoia level 1
 * are off until an override turns on their tag.
 */
export const listCoreRule = (item: RuleSet['items'][number], ruleSet: RuleSet): readonly ManagedRule[] =>
  item.kind === 'rule' && isRunnable(item.rule, ruleSet) ? listRule(item.rule) : []

function listRule({ id, phase, tags, severity, message }: SecRule): readonly ManagedRule[] {
  const level = Number(/^paranoia-level\/([1-4])$/m.exec(tags.join('\n'))?.[1])
  const score = severity === undefined ? undefined : SCORES[severity]
  if (score === undefined || Number.isNaN(level) || phase > 2) return []
  return [
    {
      id: idOfCoreRule(id),
      ref: idOfCoreRule(id),
      ruleset: 'owasp',
      description: `${id}: ${message ?? 'without a message'}`.slice(0, MAX_DESCRIPTION),
      categories: categoriesOf(tags, level),
      action: 'score',
      enabled: level <= DEFAULT_LEVEL,
      score,
      legacy: null,
      detection: { kind: 'core-rule', number: id, level },
    },
  ]
}

/** `paranoia-level/2` becomes `paranoia-level-2`; other tags keep letters, digits and hyphens. */
function categoriesOf(tags: readonly string[], level: number): readonly string[] {
  const names = tags
    .filter((tag) => !tag.startsWith('paranoia-level/'))
    .map((tag) => tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'))
  return [...new Set([...names, `paranoia-level-${level}`])]
}
