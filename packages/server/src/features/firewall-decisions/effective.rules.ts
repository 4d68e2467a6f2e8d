// What is done with a request when both versions of the managed rules have been asked.
import type { Trace } from '../rulesets/index.ts'
import type { PreviousDecision } from '../waf-migration/index.ts'

/** What is done with the request. */
export interface Effective {
  /** In the names of the new product; `allow` and `log` let it go on. */
  readonly action: string
  /** null where no rule decides. */
  readonly by: 'new' | 'old' | null
  readonly ruleId: string | null
}

/** The previous product's actions in the names of the new one. */
export const NEW_NAMES = {
  block: 'block',
  challenge: 'managed_challenge',
  simulate: 'log',
  pass: 'allow',
} as const

type Verdict = Pick<Trace, 'action' | 'by'> & {
  readonly steps: readonly Pick<Trace['steps'][number], 'action' | 'outcome' | 'ruleId'>[]
}

/** The new rules are asked first; what they let go on, the previous ones may still stop. */
export function effectiveOf({ action, by, steps }: Verdict, { decision }: PreviousDecision): Effective {
  if (action !== undefined && by !== undefined) return { action, by: 'new', ruleId: by.ruleId }
  const old = decision === null || decision.action === 'pass' ? null : decision
  const isStopped = old !== null && old.action !== 'simulate'
  const logged = steps.find((step) => step.action === 'log' && step.outcome === 'matched')
  if (logged !== undefined && !isStopped) return { action: 'log', by: 'new', ruleId: logged.ruleId }
  if (old === null) return { action: 'allow', by: null, ruleId: null }
  return { action: NEW_NAMES[old.action], by: 'old', ruleId: old.ruleId }
}
