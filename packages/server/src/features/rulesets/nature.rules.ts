// Of which kind and phase rulesets are, and may be.
import type { Issue } from '../../platform/domain-error.ts'
import { valueIssue } from './parameter-shape.ts'
import { isPhaseName, phaseOf, type PhaseName } from './phases.ts'
import type { Plan } from './rule.rules.ts'
import { ENTRY_POINT_KIND, type Owner, type RulesetKind } from './ruleset.ts'
import type { SentRuleset } from './sent-rule.ts'

export interface OwnerState {
  readonly owner: Owner
  /** Of the zone; of an account, what its rules may use. */
  readonly plan: Plan
  /** False for accounts that have no rules of their own. */
  readonly isEntitled: boolean
}

/** What keeps an owner from writing rules of a phase. */
export function phaseIssues({ owner, isEntitled }: OwnerState, phase: PhaseName, pointer?: string): Issue[] {
  if (isEntitled && phaseOf(phase).levels.includes(owner.level)) return []
  return [{ reason: 'ruleset.phase', values: { phase }, ...(pointer === undefined ? {} : { pointer }) }]
}

export interface Nature {
  readonly kind: RulesetKind | undefined
  readonly phase: PhaseName | undefined
  readonly issues: readonly Issue[]
}

/** Of which kind and phase a new ruleset is to be. */
export function readNature({ kind, phase }: SentRuleset, state: OwnerState): Nature {
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

export function sameNature(member: 'kind' | 'phase', sent: string | undefined, present: string): Issue[] {
  if (sent === undefined || sent === present) return []
  return [valueIssue(`/${member}`, sent, `it cannot be changed from ${present}`)]
}
