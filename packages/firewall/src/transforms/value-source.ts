// A value that a rule writes: a fixed string, or an expression about the request.
import {
  type Bytes,
  compileValueExpression,
  type EvaluationContext,
  type Scheme,
  utf8,
} from '@zonereeve/expr'

/** `action_parameters` have one of both; their shape is checked when the rule is saved. */
export interface WrittenValue {
  readonly value?: string
  readonly expression?: string
}

/** @returns undefined if the expression has no value. */
export type ValueSource = (context: EvaluationContext) => Bytes | undefined

/** @throws ExprError if the expression cannot be compiled. */
export function compileSource({ value, expression }: WrittenValue, scheme: Scheme): ValueSource {
  if (expression === undefined) {
    const fixed = value === undefined ? undefined : utf8(value)
    return () => fixed
  }
  const read = compileValueExpression(expression, scheme)
  return (context) => {
    const computed = read(context)
    return typeof computed === 'string' ? computed : undefined
  }
}
