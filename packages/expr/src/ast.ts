// The syntax tree of an expression. Plain data: it can be compared, printed, folded and compiled.
import type { Bytes } from './bytes.ts'
import type { Span } from './errors.ts'
import type { Int } from './int.ts'
import type { Ip, IpRange } from './ip.ts'
import type { Type } from './types.ts'

export type LogicalOperator = 'or' | 'xor' | 'and'
export type QuantifierName = 'any' | 'all'
export type OrderingOperator = 'eq' | 'ne' | 'ge' | 'le' | 'gt' | 'lt'

export type Literal =
  | { readonly kind: 'bytes'; readonly value: Bytes }
  | { readonly kind: 'int'; readonly value: Int }
  | { readonly kind: 'ip'; readonly value: Ip }

export type IntRange = { readonly first: Int; readonly last: Int }

/** The braces after `in`. Items keep their order and duplicates. */
export type LiteralSet =
  | { readonly kind: 'bytes'; readonly items: readonly Bytes[] }
  | { readonly kind: 'int'; readonly items: readonly IntRange[] }
  | { readonly kind: 'ip'; readonly items: readonly IpRange[] }

/** The test that a comparison applies to its left side. */
export type Test =
  | { readonly op: 'is-true' }
  | { readonly op: OrderingOperator; readonly rhs: Literal }
  | { readonly op: 'in'; readonly set: LiteralSet }
  | { readonly op: 'in-list'; readonly list: string }
  | { readonly op: 'bitwise-and'; readonly mask: Int }
  | { readonly op: 'contains'; readonly part: Bytes }
  | { readonly op: 'matches'; readonly pattern: string }
  | { readonly op: 'wildcard'; readonly pattern: Bytes; readonly isStrict: boolean }

export type Index =
  | { readonly kind: 'position'; readonly position: number }
  | { readonly kind: 'key'; readonly key: Bytes }
  | { readonly kind: 'each' }

export type FieldNode = {
  readonly kind: 'field'
  readonly name: string
  readonly type: Type
  readonly span: Span
}

export type CallNode = {
  readonly kind: 'call'
  readonly name: string
  readonly args: readonly ArgumentNode[]
  /** The type of one call; if argument 0 has `[*]`, the whole call is an array of it. */
  readonly returns: Type
  readonly span: Span
}

/** A field or call followed by indexes. With an index `[*]`, `type` is the type of one element. */
export type ValueNode = {
  readonly kind: 'value'
  readonly base: FieldNode | CallNode
  readonly indexes: readonly Index[]
  readonly type: Type
  readonly span: Span
}

export type ArgumentNode =
  | { readonly kind: 'literal'; readonly literal: Literal; readonly span: Span }
  | ValueNode
  | LogicalNode

export type CombineNode = {
  readonly kind: 'combine'
  readonly op: LogicalOperator
  /** At least two. */
  readonly items: readonly LogicalNode[]
  readonly span: Span
}
export type NotNode = { readonly kind: 'not'; readonly arg: LogicalNode; readonly span: Span }
export type QuantifierNode = {
  readonly kind: 'quantifier'
  readonly op: QuantifierName
  /** A bare value differs from a logical argument if it is missing: then both quantifiers are false. */
  readonly arg: ValueNode | LogicalNode
  readonly span: Span
}
export type ComparisonNode = {
  readonly kind: 'comparison'
  readonly lhs: ValueNode
  readonly test: Test
  readonly span: Span
}
export type ConstantNode = { readonly kind: 'constant'; readonly value: boolean; readonly span: Span }

export type LogicalNode = CombineNode | NotNode | QuantifierNode | ComparisonNode | ConstantNode

export type Node = LogicalNode | ValueNode | FieldNode | CallNode | ArgumentNode

/** How many `[*]` a value has. */
export const eachCount = (value: ValueNode): number =>
  value.indexes.filter((index) => index.kind === 'each').length

/** The direct parts of a node, in source order. */
export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'combine':
      return node.items
    case 'not':
    case 'quantifier':
      return [node.arg]
    case 'comparison':
      return [node.lhs]
    case 'value':
      return [node.base]
    case 'call':
      return node.args
    default:
      return []
  }
}

/** Visits a node and everything below it, parents first. */
export function walk(node: Node, visit: (node: Node) => void): void {
  visit(node)
  for (const child of childrenOf(node)) walk(child, visit)
}
