// Which form a stored policy has: the same one after its own save, a new one after a change by another client.
import type { PolicyDraft, WirePolicy } from '../../api/policies.ts'
import { isEdited } from './policy-draft.ts'

export interface ShownPolicy {
  readonly policy: WirePolicy
  /** A form with another number starts again from what is stored. */
  readonly form: number
}

/** @param saved What the form saved last; undefined if nothing. */
export function nextShown(
  shown: ShownPolicy | undefined,
  policy: WirePolicy,
  saved: PolicyDraft | undefined,
): ShownPolicy {
  if (shown === undefined) return { policy, form: 0 }
  if (JSON.stringify(policy) === JSON.stringify(shown.policy)) return shown
  const isOwn = saved !== undefined && !isEdited(draftOf(policy), saved)
  return { policy, form: isOwn ? shown.form : shown.form + 1 }
}

export const draftOf = (policy: WirePolicy): PolicyDraft => ({
  description: policy.description,
  action: policy.action,
  expression: policy.expression,
  enabled: isOn(policy),
  value: policy.value,
})

export const isOn = ({ enabled }: Pick<WirePolicy, 'enabled'>): boolean =>
  enabled === true || enabled === 'true'
