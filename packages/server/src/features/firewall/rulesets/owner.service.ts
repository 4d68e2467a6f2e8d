// The owner of rulesets, with its plan and entitlements.
import { DomainError } from '@zonereeve/platform'
import type { Reader } from '@zonereeve/storage'
import { findAccount } from '../../accounts/index.ts'
import { requireZone } from '../../zones/index.ts'
import type { OwnerState } from './ruleset-scope.rules.ts'
import { isPhaseName, type Owner, type PhaseName } from '@zonereeve/firewall'

/** @throws DomainError: zone.unknown, account.unknown. */
export async function requireOwner(db: Reader, owner: Owner): Promise<OwnerState> {
  if (owner.level === 'zone') {
    const { plan } = await requireZone(db, owner.id)
    return { owner, plan, isEntitled: true }
  }
  const account = await findAccount(db, owner.id)
  if (account === undefined) throw new DomainError({ reason: 'account.unknown' })
  return { owner, plan: 'enterprise', isEntitled: account.type === 'enterprise' }
}

/** @throws DomainError: ruleset.unknown_phase. */
export function requirePhase(text: string): PhaseName {
  if (isPhaseName(text)) return text
  throw new DomainError({ reason: 'ruleset.unknown_phase', values: { phase: text } })
}
