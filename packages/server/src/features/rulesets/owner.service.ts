// Whom rulesets belong to, and what that one may have.
import { DomainError } from '../../platform/domain-error.ts'
import type { Reader } from '../../storage/index.ts'
import { findAccount } from '../accounts/index.ts'
import { demandZone } from '../zones/index.ts'
import type { OwnerState } from './nature.rules.ts'
import { isPhaseName, type PhaseName } from './phases.ts'
import type { Owner } from './ruleset.ts'

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

/** @throws DomainError: ruleset.unknown_phase. */
export function demandPhase(text: string): PhaseName {
  if (isPhaseName(text)) return text
  throw new DomainError({ reason: 'ruleset.unknown_phase', values: { phase: text } })
}
