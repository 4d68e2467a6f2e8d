// The kind and phase that rulesets have, and may have.
import type { Issue } from '@zonereeve/platform'
import {
  ENTRY_POINT_KIND,
  isPhaseName,
  type Owner,
  type PhaseName,
  phaseOf,
  type RulesetKind,
  valueIssue,
} from '@zonereeve/firewall'
import type { Plan } from './rule.rules.ts'
import type { SentRuleset } from './sent-rule.ts'

export interface OwnerState {
  readonly owner: Owner
  /** Plan of the zone; for an account, the plan that its rules may use. */
  readonly plan: Plan
  /** False for accounts that may not have their own rules. */
  readonly isEntitled: boolean
}

/** Reasons why an owner may not write rules of a phase. */
export function phaseIssues({ owner, isEntitled }: OwnerState, phase: PhaseName, pointer?: string): Issue[] {
  if (isEntitled && phaseOf(phase).levels.includes(owner.level)) return []
  return [{ reason: 'ruleset.phase', values: { phase }, ...(pointer === undefined ? {} : { pointer }) }]
}

export interface RulesetScope {
  readonly kind: RulesetKind | undefined
  readonly phase: PhaseName | undefined
  readonly issues: readonly Issue[]
}

/** Reads kind and phase of a new ruleset. */
export function readScope({ kind, phase }: SentRuleset, state: OwnerState): RulesetScope {
  const issues: Issue[] = []
  const entryKind = ENTRY_POINT_KIND[state.owner.level]
  const isKind = kind === 'custom' || kind === entryKind
  if (kind !== undefined && !isKind)
    issues.push(valueIssue('/kind', kind, `it must be one of custom, ${entryKind}`))
  const isPhase = phase !== undefined && isPhaseName(phase)
  if (phase !== undefined && !isPhase)
    issues.push({ reason: 'ruleset.unknown_phase', pointer: '/phase', values: { phase } })
  if (isPhase) issues.push(...phaseIssues(state, phase, '/phase'))
  return { kind: isKind ? kind : undefined, phase: isPhase ? phase : undefined, issues }
}

export function isSameScope(member: 'kind' | 'phase', sent: string | undefined, present: string): Issue[] {
  if (sent === undefined || sent === present) return []
  return [valueIssue(`/${member}`, sent, `it cannot be changed from ${present}`)]
}
