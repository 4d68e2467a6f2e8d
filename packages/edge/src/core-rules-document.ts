// The imported Core Rule Set as the server sends it, and as the edge stores it.
import type { installCoreRuleSet } from '@zonereeve/firewall'

type RuleSet = NonNullable<Parameters<typeof installCoreRuleSet>[0]>

export interface CoreRulesDocument {
  /** Differs from that of any other rule set. */
  readonly id: string
  readonly rule_set: RuleSet
}

/** @throws Error if it is no such document; rules are checked when they are compiled. */
export function readCoreRules(value: unknown): CoreRulesDocument {
  const document = value as Partial<CoreRulesDocument> | null // checked below
  if (typeof document?.id !== 'string' || !Array.isArray(document.rule_set?.items))
    throw new Error('the Core Rule Set of the server cannot be read')
  return document as CoreRulesDocument // as checked
}
