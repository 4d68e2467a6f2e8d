// The check of filter expressions, the same wherever one is taken.
import { checkExpression, requestScheme, type CheckedExpression } from '@zonereeve/expr'
import type { Issue } from '../../platform/domain-error.ts'

/** Fields and functions of request rules, as this server can compute them. */
export const REQUEST_SCHEME = requestScheme()

export type ValidExpression = Extract<CheckedExpression, { readonly ok: true }>

/** What the expression means, or its fault as users of the language know it: frame, line and column, carets. */
export function readExpression(source: string, pointer: string): ValidExpression | Issue {
  const checked = checkExpression(source, REQUEST_SCHEME)
  return checked.ok ? checked : { reason: 'filter.expression', pointer, values: { frame: checked.frame } }
}
