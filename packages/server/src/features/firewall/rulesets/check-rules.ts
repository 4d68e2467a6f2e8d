// Checks rulesets by themselves, without what they refer to. Many rules do not block other requests.
import { createYieldIfDue } from '@zonereeve/cooperate'
import type { Issue } from '@zonereeve/platform'
import { checkRule, type RuleContext } from './rule.rules.ts'
import type { PhaseName, RuleDraft, RulesetKind } from '@zonereeve/firewall'
import type { OwnerState } from './ruleset-scope.rules.ts'
import type { SentRule, SentRuleset } from './sent-rule.ts'

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

/** The desired content of a ruleset; undefined members stay unchanged. */
export interface DesiredRuleset {
  readonly name: string | undefined
  readonly description: string | undefined
  readonly drafts: readonly RuleDraft[] | undefined
  /** Issues of the ruleset by itself, without its context. */
  readonly issues: readonly Issue[]
}

export async function checkRuleset(
  sent: SentRuleset,
  { owner, plan }: OwnerState,
  kind: RulesetKind,
  phase: PhaseName,
): Promise<DesiredRuleset> {
  const { name, description } = sent
  if (sent.rules === undefined) return { name, description, drafts: undefined, issues: sent.issues }
  const { drafts, issues } = await checkRules(sent.rules, { level: owner.level, phase, kind, plan })
  return { name, description, drafts, issues: [...sent.issues, ...issues] }
}
