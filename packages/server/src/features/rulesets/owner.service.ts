// Whom rulesets belong to, and what that one may have.
import { DomainError, type Issue } from '../../platform/domain-error.ts'
import type { Reader } from '../../storage/index.ts'
import { findAccount } from '../accounts/index.ts'
import { demandZone } from '../zones/index.ts'
import { isPhaseName, phaseOf, type PhaseName } from './phases.ts'
import type { Plan } from './rule.rules.ts'
import type { Owner } from './ruleset.ts'

export interface OwnerState {
  readonly owner: Owner
  /** Of the zone; of an account, what its rules may use. */
  readonly plan: Plan
  /** False for accounts that have no rules of their own. */
  readonly isEntitled: boolean
}

/** @throws DomainError: zone.unknown, account.unknown. */
export async function demandOwner(db: Reader, owner: Owner): Promise<OwnerState> {
  if (owner.level === 'zone') {
    const { plan } = await demandZone(db, owner.id)
    return { owner, plan, isEntitled: true }
  }
  const account = await findAccount(db, owner.id)
  if (account === undefined) throw new DomainError({ reason: 'account.unknown' })
  return { owner, plan: 'enterprise', isEntitled: account.type === 'enterprise' }
}

/** What keeps an owner from writing rules of a phase. */
export function phaseIssues({ owner, isEntitled }: OwnerState, phase: PhaseName, pointer?: string): Issue[] {
  if (isEntitled && phaseOf(phase).levels.includes(owner.level)) return []
  return [{ reason: 'ruleset.phase', values: { phase }, ...(pointer === undefined ? {} : { pointer }) }]
}

/** @throws DomainError: ruleset.unknown_phase. */
export function demandPhase(text: string): PhaseName {
  if (isPhaseName(text)) return text
  throw new DomainError({ reason: 'ruleset.unknown_phase', values: { phase: text } })
}
