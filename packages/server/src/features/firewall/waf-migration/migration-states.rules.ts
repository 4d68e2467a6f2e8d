// Migration states of a zone: legacy managed rules only, both products, new rules only. There is no way back.
import type { Issue } from '@zonereeve/platform'
import { hasLegacyWaf, type Plan } from '../../zones/index.ts'

/** `start`: only the legacy product. `validation`: both, the new one first. `done`: only the new one. */
export const MIGRATION_STATES = ['start', 'validation', 'done'] as const
export type MigrationState = (typeof MIGRATION_STATES)[number]

/**
 * The requested step. `pending` is the API's name for the final switch; it happens in one transaction, so a
 * zone is never seen in between. `turn_off` ends the validation and leaves the entry point unchanged.
 */
export const MIGRATION_REQUESTS = ['validation', 'pending', 'turn_off'] as const
export type MigrationRequest = (typeof MIGRATION_REQUESTS)[number]

export const NEXT: Readonly<
  Record<MigrationState, Readonly<Partial<Record<MigrationRequest, MigrationState>>>>
> = {
  start: { validation: 'validation', pending: 'done' },
  validation: { validation: 'validation', pending: 'done', turn_off: 'done' },
  done: {},
}

/** The state that a request leads to, or the reason why it is not allowed. */
export function nextState(
  state: MigrationState,
  request: MigrationRequest,
  plan: Plan,
): MigrationState | Issue {
  if (!hasLegacyWaf(plan)) return { reason: 'waf.plan', values: { plan } }
  const next = NEXT[state][request]
  if (next === undefined)
    return state === 'done'
      ? { reason: 'waf_migration.done' }
      : { reason: 'waf_migration.not_validating', values: { state } }
  // Only these zones may run both products.
  if (next === 'validation' && plan !== 'enterprise')
    return { reason: 'waf_migration.validation_plan', values: { plan } }
  return next
}

/** The step that the dashboard's deploy button requests. */
export const deployRequestOf = (plan: Plan): MigrationRequest =>
  plan === 'enterprise' ? 'validation' : 'pending'

const REQUEST_NAMES: Readonly<Record<string, MigrationRequest>> = {
  validation: 'validation',
  '2': 'validation',
  pending: 'pending',
  '1': 'pending',
}

/** Reads the query parameter `waf_migration`; undefined for an unknown value. */
export const readMigrationRequest = (text: string): MigrationRequest | undefined =>
  Object.hasOwn(REQUEST_NAMES, text) ? REQUEST_NAMES[text] : undefined
