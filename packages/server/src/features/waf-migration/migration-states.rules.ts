// How far a zone is: the previous managed rules alone, both beside each other, the new ones alone. There is no way back.
import type { Issue } from '../../platform/domain-error.ts'
import { hasPreviousWaf, type Plan } from '../zones/index.ts'

/** `start`: the previous product. `validation`: both, the new one first. `done`: the new one. */
export const MIGRATION_STATES = ['start', 'validation', 'done'] as const
export type MigrationState = (typeof MIGRATION_STATES)[number]

/**
 * What is asked for. `pending` is what the API calls the change for good; it is made within one transaction, so no zone
 * is ever seen on its way. `turn_off` ends the validation with the entry point as it is.
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

/** Where a request leads from a state, or why it does not. */
export function nextState(
  state: MigrationState,
  request: MigrationRequest,
  plan: Plan,
): MigrationState | Issue {
  if (!hasPreviousWaf(plan)) return { reason: 'waf.plan', values: { plan } }
  const next = NEXT[state][request]
  if (next === undefined)
    return state === 'done'
      ? { reason: 'waf_migration.done' }
      : { reason: 'waf_migration.not_validating', values: { state } }
  // Both products at once are for those zones alone.
  if (next === 'validation' && plan !== 'enterprise')
    return { reason: 'waf_migration.validation_plan', values: { plan } }
  return next
}

/** What the dashboard's one button asks for. */
export const deployRequestOf = (plan: Plan): MigrationRequest =>
  plan === 'enterprise' ? 'validation' : 'pending'

const REQUEST_NAMES: Readonly<Record<string, MigrationRequest>> = {
  validation: 'validation',
  '2': 'validation',
  pending: 'pending',
  '1': 'pending',
}

/** The value of the query parameter `waf_migration`; undefined for one that means nothing. */
export const readMigrationRequest = (text: string): MigrationRequest | undefined =>
  Object.hasOwn(REQUEST_NAMES, text) ? REQUEST_NAMES[text] : undefined
