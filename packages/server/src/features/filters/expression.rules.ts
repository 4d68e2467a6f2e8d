// The check of filter expressions, the same wherever one is taken.
import { checkExpression, requestScheme, type CheckedExpression, type Scheme } from '@zonereeve/expr'
import type { Issue } from '../../platform/domain-error.ts'

/** Fields and functions of request rules, as this server can compute them. */
export const REQUEST_SCHEME = requestScheme()

/** The same for rules that run when a response is about to be sent. */
export const RESPONSE_SCHEME = requestScheme({ hasResponse: true })

export type ValidExpression = Extract<CheckedExpression, { readonly ok: true }>

/** What the expression means, or its fault as users of the language know it: frame, line and column, carets. */
export function readExpression(
  source: string,
  pointer: string,
  scheme: Scheme = REQUEST_SCHEME,
): ValidExpression | Issue {
  const checked = checkExpression(source, scheme)
  return checked.ok ? checked : { reason: 'filter.expression', pointer, values: { frame: checked.frame } }
}
