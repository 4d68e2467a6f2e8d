// Conversion of page rules between the wire format and the domain types.
import type { WirePageRule } from '@zonereeve/contract'
import type { PageRule } from './page-rules.store.ts'

/** Members are in the order of the live API. */
export function toWirePageRule(rule: PageRule): WirePageRule {
  return {
    id: rule.id,
    targets: rule.targets.map(({ target, constraint }) => ({ target, constraint: { ...constraint } })),
    actions: rule.actions.map((action) => ({ ...action })),
    priority: rule.priority,
    status: rule.status,
    created_on: rule.createdOn,
    modified_on: rule.modifiedOn,
  }
}
