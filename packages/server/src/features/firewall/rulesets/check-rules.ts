// Checks many rules without blocking other requests.
import { createYieldIfDue } from '@zonereeve/cooperate'
import type { Issue } from '../../../platform/domain-error.ts'
import { checkRule, type RuleContext } from './rule.rules.ts'
import { type RuleDraft } from '@zonereeve/firewall'
import type { SentRule } from './sent-rule.ts'

/** Maximum issues reported in one error; more would not help the client. */
const MAX_ISSUES = 100

export interface CheckedRules {
  /** Rules without issues. */
  readonly drafts: readonly RuleDraft[]
  readonly issues: readonly Issue[]
}

export async function checkRules(sent: readonly SentRule[], context: RuleContext): Promise<CheckedRules> {
  const drafts: RuleDraft[] = []
  const issues: Issue[] = []
  const yieldIfDue = createYieldIfDue()
  for (const rule of sent) {
    const checked = checkRule(rule, context)
    if (checked.draft !== undefined) drafts.push(checked.draft)
    issues.push(...checked.issues)
    if (issues.length >= MAX_ISSUES) break
    await yieldIfDue()
  }
  return { drafts, issues: issues.slice(0, MAX_ISSUES) }
}
