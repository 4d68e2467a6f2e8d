// The effective action when both versions of the managed rules have evaluated a request.
import type { Step, Verdict } from '../rulesets/evaluate-request.ts'
import type { ZoneLegacyDecision } from './legacy-zone.ts'

/** The effective action. */
export interface Effective {
  /** In terms of the new product; `allow` and `log` let the request pass. */
  readonly action: string
  /** null if no rule decides. */
  readonly by: 'new' | 'old' | null
  readonly ruleId: string | null
}

/** Actions of the legacy product mapped to the new product's names. */
export const NEW_NAMES = {
  block: 'block',
  challenge: 'managed_challenge',
  simulate: 'log',
  pass: 'allow',
} as const

type Decided = Pick<Verdict, 'action' | 'by'> & {
  readonly steps: readonly Pick<Step, 'action' | 'outcome' | 'ruleId'>[]
}

/** The new rules decide first; a request that they let pass can still be stopped by the legacy rules. */
export function effectiveOf({ action, by, steps }: Decided, { decision }: ZoneLegacyDecision): Effective {
  if (action !== undefined && by !== undefined) return { action, by: 'new', ruleId: by.ruleId }
  const old = decision === null || decision.action === 'pass' ? null : decision
  const isStopped = old !== null && old.action !== 'simulate'
  const logged = steps.find((step) => step.action === 'log' && step.outcome === 'matched')
  if (logged !== undefined && !isStopped) return { action: 'log', by: 'new', ruleId: logged.ruleId }
  if (old === null) return { action: 'allow', by: null, ruleId: null }
  return { action: NEW_NAMES[old.action], by: 'old', ruleId: old.ruleId }
}
