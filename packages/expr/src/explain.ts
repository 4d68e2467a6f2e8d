// Evaluates a filter and reports which parts decided, for simulators and logs.
import {
  eachCount,
  type CombineNode,
  type ComparisonNode,
  type LogicalNode,
  type QuantifierNode,
} from './ast.ts'
import { compile, compileValueNode } from './compiler.ts'
import type { EvaluationContext } from './context.ts'
import type { Span } from './errors.ts'
import { print } from './print.ts'
import type { Scheme } from './scheme.ts'
import { isArray, type Maybe } from './values.ts'

export type Explanation = {
  /** Canonical text of this part, and its position in the source. */
  readonly text: string
  readonly span: Span
  /** Undefined if evaluation stopped before this part. */
  readonly result: boolean | undefined
  /** Whether another result here would have changed the result above, all else being equal. */
  readonly decides: boolean
  /** The value of the left side of a comparison; nil is absent. */
  readonly value?: Maybe
  /** The first element that decided a quantifier. */
  readonly element?: number
  readonly parts: readonly Explanation[]
}

/** Explains a filter for one context. The tree must have been parsed with the same scheme. */
export const explain = (node: LogicalNode, scheme: Scheme, context: EvaluationContext): Explanation =>
  explainNode(node, { scheme, context }, true)

type Setting = { readonly scheme: Scheme; readonly context: EvaluationContext }

function explainNode(node: LogicalNode, setting: Setting, decides: boolean): Explanation {
  switch (node.kind) {
    case 'combine':
      return explainCombination(node, setting, decides)
    case 'not': {
      const part = explainNode(node.arg, setting, decides)
      return { ...describe(node), result: part.result === false, decides, parts: [part] }
    }
    case 'quantifier':
      return explainQuantifier(node, setting, decides)
    case 'comparison':
      return explainComparison(node, setting, decides)
    case 'constant':
      return { ...describe(node), result: node.value, decides, parts: [] }
  }
}

const describe = (node: LogicalNode): Pick<Explanation, 'text' | 'span'> => ({
  text: print(node),
  span: node.span,
})

/** `and` is decided by its first false part, `or` by its first true one; otherwise, and for `xor`, by all of them. */
function explainCombination(node: CombineNode, setting: Setting, decides: boolean): Explanation {
  const stopper = node.op === 'xor' ? undefined : node.op === 'or'
  const results = evaluateInOrder(node.items, setting, stopper)
  const stoppedAt = stopper === undefined ? -1 : results.indexOf(stopper)
  const parts = node.items.map((item, i) => {
    if (results[i] === undefined) return skippedNode(item)
    return explainNode(item, setting, decides && (stoppedAt === -1 || stoppedAt === i))
  })
  return { ...describe(node), result: combine(node, results, stopper), decides, parts }
}

function evaluateInOrder(
  items: readonly LogicalNode[],
  { scheme, context }: Setting,
  stopper: boolean | undefined,
): readonly boolean[] {
  const results: boolean[] = []
  for (const item of items) {
    const result = compile(item, scheme)(context)
    results.push(result)
    if (result === stopper) break
  }
  return results
}

function combine(node: CombineNode, results: readonly boolean[], stopper: boolean | undefined): boolean {
  if (stopper === undefined) return results.filter(Boolean).length % 2 === 1
  return results.includes(stopper) ? stopper : node.op === 'and'
}

const skippedNode = (node: LogicalNode): Explanation => ({
  ...describe(node),
  result: undefined,
  decides: false,
  parts: [],
})

function explainComparison(
  node: ComparisonNode,
  { scheme, context }: Setting,
  decides: boolean,
): Explanation {
  const value = compileValueNode(node.lhs, scheme)(context)
  const result = compile(node, scheme)(context)
  return { ...describe(node), result, decides, ...(value !== undefined && { value }), parts: [] }
}

function explainQuantifier(
  node: QuantifierNode,
  { scheme, context }: Setting,
  decides: boolean,
): Explanation {
  const result = compile(node, scheme)(context)
  const truths = compileValueNode(node.arg, scheme)(context)
  const decisive = node.op === 'any'
  const element = isArray(truths) ? truths.indexOf(decisive) : -1
  const value =
    node.arg.kind === 'comparison' && eachCount(node.arg.lhs) > 0
      ? compileValueNode(node.arg.lhs, scheme)(context)
      : truths
  const isDecided = element !== -1 && result === decisive
  return {
    ...describe(node),
    result,
    decides,
    ...(value !== undefined && { value }),
    ...(isDecided && { element }),
    parts: [],
  }
}

/** The comparisons, quantifiers and constants that decided, in source order. */
export function decidingParts(explanation: Explanation): readonly Explanation[] {
  if (!explanation.decides) return []
  return explanation.parts.length === 0 ? [explanation] : explanation.parts.flatMap(decidingParts)
}
