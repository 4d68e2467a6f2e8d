// Checks filter expressions, in the same way for all features.
import { checkExpression, requestScheme, type CheckedExpression, type Scheme } from '@zonereeve/expr'
import type { Issue } from './issue.ts'

/** Fields and functions of request rules, as far as this server can compute them. */
export const REQUEST_SCHEME = requestScheme()

/** The same for rules that run on responses. */
export const RESPONSE_SCHEME = requestScheme({ hasResponse: true, hasBody: false })

export type ValidExpression = Extract<CheckedExpression, { readonly ok: true }>

/** The parsed expression, or its error in the language's format: frame, line and column, carets. */
export function readExpression(
  source: string,
  pointer: string,
  scheme: Scheme = REQUEST_SCHEME,
): ValidExpression | Issue {
  const checked = checkExpression(source, scheme)
  return checked.ok ? checked : { reason: 'filter.expression', pointer, values: { frame: checked.frame } }
}
