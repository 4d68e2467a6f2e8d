// The draft of a policy: what of it is saved, and why it is not simulated.
import type { PolicyDraft } from '../../api/policies.ts'

/** A policy that only adds reporting has no text of its own. */
export const withoutValue = (draft: PolicyDraft): PolicyDraft =>
  draft.action === 'add_reporting_directives' ? { ...draft, value: '' } : draft

/** Whether saving would change something: a text that is not saved does not count. */
export const isEdited = (draft: PolicyDraft, start: PolicyDraft): boolean =>
  JSON.stringify(withoutValue(draft)) !== JSON.stringify(withoutValue(start))

/** What keeps a policy from being simulated. */
export type Obstacle = 'reporting' | 'policy' | 'expression'

/** undefined if it can be simulated. */
export function obstacleOf(
  { action, expression }: Pick<PolicyDraft, 'action' | 'expression'>,
  hasErrors: { readonly inPolicy: boolean; readonly inExpression: boolean },
): Obstacle | undefined {
  if (action === 'add_reporting_directives') return 'reporting'
  if (hasErrors.inPolicy) return 'policy'
  return hasErrors.inExpression || expression.trim() === '' ? 'expression' : undefined
}
