// The headers that a request must have, or must not have, for an expression to hold. Looking them up costs less than
// evaluating the expression.
import type { Bytes, LogicalNode } from '@zonereeve/expr'

export interface HeaderCondition {
  /** In lower case. */
  readonly name: Bytes
  readonly isSent: boolean
}

/** If one of them is not met, the expression is false. */
export function headerConditionsOf(node: LogicalNode): readonly HeaderCondition[] {
  if (node.kind === 'combine' && node.op === 'and') return node.items.flatMap(headerConditionsOf)
  if (node.kind === 'combine' && node.op === 'or') {
    const [first = [], ...others] = node.items.map(headerConditionsOf)
    return first.filter(({ name, isSent }) =>
      others.every((other) => other.some((one) => one.name === name && one.isSent === isSent)),
    )
  }
  const isNegated = node.kind === 'not'
  const name = nameOfHeader(isNegated ? node.arg : node)
  return name === undefined ? [] : [{ name, isSent: !isNegated }]
}

/** Of `has_key(http.request.headers, "name")`. */
function nameOfHeader(node: LogicalNode): Bytes | undefined {
  if (node.kind !== 'comparison' || node.test.op !== 'is-true') return undefined
  const { base } = node.lhs
  if (base.kind !== 'call' || base.name !== 'has_key') return undefined
  const [map, key] = base.args
  if (map?.kind !== 'value' || map.base.kind !== 'field' || map.base.name !== 'http.request.headers')
    return undefined
  return key?.kind === 'literal' && key.literal.kind === 'bytes' ? key.literal.value : undefined
}
