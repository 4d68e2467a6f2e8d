// Checks a source text without throwing, for forms and validation endpoints.
import type { LogicalNode } from './ast.ts'
import { type ErrorPosition, ExprError, formatError, locateError } from './errors.ts'
import { parseExpression, type ParseOptions } from './parser.ts'
import { print } from './print.ts'
import type { Scheme } from './scheme.ts'
import { type Usage, usageOf } from './usage.ts'

export type CheckedExpression =
  | { readonly ok: true; readonly node: LogicalNode; readonly canonical: string; readonly usage: Usage }
  | {
      readonly ok: false
      readonly error: ExprError
      readonly position: ErrorPosition
      /** The whole frame, as users see it. */
      readonly frame: string
    }

/** Parses a filter and returns its meaning, or its error. */
export function checkExpression(source: string, scheme: Scheme, options?: ParseOptions): CheckedExpression {
  try {
    const node = parseExpression(source, scheme, options)
    return { ok: true, node, canonical: print(node), usage: usageOf(node) }
  } catch (error) {
    if (!(error instanceof ExprError)) throw error
    return { ok: false, error, position: locateError(error), frame: formatError(error) }
  }
}
