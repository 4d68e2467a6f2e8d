// Checks to which plans a zone can change. Only the enterprise plan allows legacy and new managed rules side by
// side.
import type { Issue } from '@zonereeve/platform'
import type { Reader } from '@zonereeve/storage'
import { hasLegacyWaf, type Plan, type Zone } from '../../zones/index.ts'
import { hasEnabledManagedRules } from './waf-migration.service.ts'
import { stateOf } from './waf-migration.store.ts'

/** Why the zone cannot have this plan; undefined if it can. */
export async function planIssue(db: Reader, zone: Zone, plan: Plan): Promise<Issue | undefined> {
  if (plan === zone.plan || plan === 'enterprise') return undefined
  const state = await stateOf(db, zone.id)
  const refused = { pointer: '/plan', values: { plan } }
  if (state === 'validation') return { reason: 'waf_migration.plan_validation', ...refused }
  // The new rules act alone: the migration is done, or the new plan has no legacy rules.
  if (state === 'done' || !hasLegacyWaf(plan)) return undefined
  return (await hasEnabledManagedRules(db, zone.id))
    ? { reason: 'waf_migration.plan_managed_rules', ...refused }
    : undefined
}
