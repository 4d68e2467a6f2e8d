// The check of filter expressions, the same wherever one is taken.
import { checkExpression, requestScheme, type CheckedExpression, type Scheme } from '@zonereeve/expr'
import type { Issue } from '../../platform/domain-error.ts'

/** Fields and functions of request rules, as this server can compute them. */
export const REQUEST_SCHEME = requestScheme()

/** The same for rules that run when a response is about to be sent. */
export const RESPONSE_SCHEME = requestScheme({ hasResponse: true, hasBody: false })

export type ValidExpression = Extract<CheckedExpression, { readonly ok: true }>

/** With the flag, pairs are one character and are not found. */
const LONE_SURROGATE = /\p{Surrogate}/u

/** Read as a replacement character, half of a pair would make another expression than the one that was sent. */
export const surrogateIssues = (source: string, pointer: string): readonly Issue[] =>
  LONE_SURROGATE.test(source) ? [{ reason: 'filter.surrogate', pointer }] : []

/** What the expression means, or its fault as users of the language know it: frame, line and column, carets. */
export function readExpression(
  source: string,
  pointer: string,
  scheme: Scheme = REQUEST_SCHEME,
): ValidExpression | Issue {
  const [surrogate] = surrogateIssues(source, pointer)
  if (surrogate !== undefined) return surrogate
  const checked = checkExpression(source, scheme)
  return checked.ok ? checked : { reason: 'filter.expression', pointer, values: { frame: checked.frame } }
}
