// Checks many rules without holding up whoever else waits.
import type { Issue } from '../../platform/domain-error.ts'
import { checkRule, type RuleContext } from './rule.rules.ts'
import type { RuleDraft } from './ruleset.ts'
import type { SentRule } from './sent-rule.ts'
import { createSlices } from './slices.ts'

/** Issues that a refusal tells: more are of no use to anybody. */
const MAX_ISSUES = 100

export interface CheckedRules {
  /** Those without faults. */
  readonly drafts: readonly RuleDraft[]
  readonly issues: readonly Issue[]
}

export async function checkRules(sent: readonly SentRule[], context: RuleContext): Promise<CheckedRules> {
  const drafts: RuleDraft[] = []
  const issues: Issue[] = []
  const giveWay = createSlices()
  for (const rule of sent) {
    const checked = checkRule(rule, context)
    if (checked.draft !== undefined) drafts.push(checked.draft)
    issues.push(...checked.issues)
    if (issues.length >= MAX_ISSUES) break
    await giveWay()
  }
  return { drafts, issues: issues.slice(0, MAX_ISSUES) }
}
