// Folds what is already known, so that less must be evaluated for every request.
import type { CombineNode, ComparisonNode, LogicalNode, QuantifierNode } from './ast.ts'
import { logicalType } from './checker.ts'
import { compile } from './compiler.ts'
import { type ContextOptions, createContext } from './context.ts'
import type { Scheme } from './scheme.ts'
import { usageOf } from './usage.ts'
import type { Maybe } from './values.ts'

/** A field whose value will not change; a nil value is known too. */
export type KnownResult = { readonly value: Maybe }

export type PartialOptions = ContextOptions & {
  /** Returns what is known about a field. Without it, only comparisons of literals are folded. */
  readonly known?: (fieldName: string) => KnownResult | undefined
}

/**
 * The tree with all known parts replaced by their results. A completely known tree becomes one constant. Named lists
 * are known only with `lists`, functions that use the host only with `host`.
 */
export function partiallyEvaluate(
  node: LogicalNode,
  scheme: Scheme,
  options: PartialOptions = {},
): LogicalNode {
  switch (node.kind) {
    case 'constant':
      return node
    case 'not': {
      const arg = partiallyEvaluate(node.arg, scheme, options)
      return arg.kind === 'constant' ? { ...arg, value: !arg.value, span: node.span } : { ...node, arg }
    }
    case 'combine':
      return foldCombination(node, scheme, options)
    case 'quantifier':
    case 'comparison':
      return foldLeaf(node, scheme, options)
  }
}

function foldLeaf(
  node: QuantifierNode | ComparisonNode,
  scheme: Scheme,
  options: PartialOptions,
): LogicalNode {
  if (logicalType(node).kind !== 'bool' || !isKnown(node, scheme, options)) return node
  const context = createContext(scheme, (field) => options.known?.(field.name)?.value, options)
  return { kind: 'constant', value: compile(node, scheme)(context), span: node.span }
}

function isKnown(node: LogicalNode, scheme: Scheme, { known, lists, host }: PartialOptions): boolean {
  const usage = usageOf(node)
  const needsHost = usage.functions.some((name) => scheme.functions.get(name)?.usesHost === true)
  return (
    usage.fields.every((name) => known?.(name) !== undefined) &&
    (usage.lists.length === 0 || lists !== undefined) &&
    (!needsHost || host !== undefined)
  )
}

function foldCombination(node: CombineNode, scheme: Scheme, options: PartialOptions): LogicalNode {
  if (logicalType(node).kind !== 'bool') return node
  const items = node.items.map((item) => partiallyEvaluate(item, scheme, options))
  const open = items.filter((item) => item.kind !== 'constant')
  const constants = items.filter((item) => item.kind === 'constant').map((item) => item.value)
  if (node.op === 'xor') return joinNodes(node, open, constants.filter(Boolean).length % 2 === 1)
  const stopper = node.op === 'or'
  if (constants.includes(stopper)) return { kind: 'constant', value: stopper, span: node.span }
  return open.length === 0
    ? { kind: 'constant', value: !stopper, span: node.span }
    : joinNodes(node, open, false)
}

/** The remaining items under the operator, negated if `isOpposite`. */
function joinNodes(node: CombineNode, open: readonly LogicalNode[], isOpposite: boolean): LogicalNode {
  const { span } = node
  const [only] = open
  if (only === undefined) return { kind: 'constant', value: isOpposite, span }
  const rest: LogicalNode = open.length === 1 ? only : { ...node, items: open }
  return isOpposite ? { kind: 'not', arg: rest, span } : rest
}
