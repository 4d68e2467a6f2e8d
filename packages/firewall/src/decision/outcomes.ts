// What each version of the managed rules does with a request, in the same words.
import type { RulePlace, Verdict } from '../rulesets/evaluate-request.ts'
import type { ZoneLegacyDecision } from './legacy-zone.ts'

/** The actions of legacy rules, by the names of the new ones. */
const NEW_NAMES = { block: 'block', challenge: 'managed_challenge', simulate: 'log', pass: 'allow' } as const

export interface LegacyOutcome {
  readonly action: (typeof NEW_NAMES)[keyof typeof NEW_NAMES]
  readonly ruleId: string | null
  readonly description: string | null
}

/** The decision of the legacy managed rules; `allow` if they are not evaluated. */
export function legacyOutcome({ decision }: Pick<ZoneLegacyDecision, 'decision'>): LegacyOutcome {
  if (decision === null) return { action: NEW_NAMES.pass, ruleId: null, description: null }
  const { action, ruleId, matches } = decision
  const match = matches.find(({ rule }) => rule.legacy?.id === ruleId)
  return { action: NEW_NAMES[action], ruleId, description: match?.rule.description ?? null }
}

export interface RulesetOutcome {
  readonly action: string
  readonly by: RulePlace | undefined
}

/** The decision of the rulesets; `log` if nothing ended the request but a rule logged it. */
export function rulesetOutcome({
  action,
  by,
  steps,
}: Pick<Verdict, 'action' | 'by' | 'steps'>): RulesetOutcome {
  if (by !== undefined) return { action: action ?? 'allow', by } // a rule that only skips has no action
  const logged = steps.find((step) => step.action === 'log')
  return logged === undefined ? { action: action ?? 'allow', by } : { action: 'log', by: logged } // as above
}
