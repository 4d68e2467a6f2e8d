// Compiles a logical node to a function of the context: one closure per node, operators unrolled where it is faster.
import {
  type ComparisonNode,
  eachCount,
  type LogicalNode,
  type OrderingOperator,
  type QuantifierNode,
  type Test,
  type ValueNode,
} from '../ast.ts'
import { logicalType } from '../checker.ts'
import type { EvaluationContext } from '../context.ts'
import type { Int } from '../int.ts'
import type { Scheme } from '../scheme.ts'
import { isArray, isInt, type Value } from '../values.ts'
import { compileTest } from './predicate.ts'
import {
  compileContainer,
  compileValue,
  compileVisitor,
  elementsOf,
  type Parts,
  type Reader,
  slotOf,
  visitElements,
} from './value.ts'

export type Condition = (context: EvaluationContext) => boolean

/** Parallel truth values of a mapped comparison. */
export type Conditions = (context: EvaluationContext) => readonly boolean[]

const partsFor = (scheme: Scheme): Parts => ({
  scheme,
  condition: (node) =>
    logicalType(node).kind === 'bool' ? compileLogical(node, scheme) : compileBoolArray(node, scheme),
})

/** Compiles a value, or any condition, to a function that returns it. */
export function compileReader(node: ValueNode | LogicalNode, scheme: Scheme): Reader {
  const parts = partsFor(scheme)
  return node.kind === 'value' ? compileValue(node, parts) : parts.condition(node)
}

/** Compiles a node of type Bool. */
export function compileLogical(node: LogicalNode, scheme: Scheme): Condition {
  switch (node.kind) {
    case 'constant': {
      const { value } = node
      return () => value
    }
    case 'not': {
      const arg = compileLogical(node.arg, scheme)
      return (context) => !arg(context)
    }
    case 'combine':
      return COMBINE[node.op](node.items.map((item) => compileLogical(item, scheme)))
    case 'quantifier':
      return compileQuantifier(node, scheme)
    case 'comparison':
      return compileComparison(node, scheme)
  }
}

type Combiner = (items: readonly Condition[]) => Condition

const COMBINE: Readonly<Record<'and' | 'or' | 'xor', Combiner>> = {
  and: (items) => pairUp(items, (a, b) => (context) => a(context) && b(context)),
  or: (items) => pairUp(items, (a, b) => (context) => a(context) || b(context)),
  xor: (items) => pairUp(items, (a, b) => (context) => a(context) !== b(context)),
}

/** A balanced tree of two-way closures: no loop at run time, and a logarithmic depth. */
function pairUp(items: readonly Condition[], join: (a: Condition, b: Condition) => Condition): Condition {
  const [first, second] = items
  if (first === undefined) return () => false
  if (second === undefined) return first
  const middle = items.length >> 1
  return join(pairUp(items.slice(0, middle), join), pairUp(items.slice(middle), join))
}

function compileComparison({ lhs, test }: ComparisonNode, scheme: Scheme): Condition {
  const ifMissing = test.op === 'ne' && scheme.nilNotEqual
  const read = compileValue(lhs, partsFor(scheme))
  const slot = slotOf(lhs, scheme)
  if (test.op === 'is-true') {
    return slot === undefined ? (context) => read(context) === true : (context) => context.read(slot) === true
  }
  const direct = slot === undefined ? undefined : compileFieldTest(slot, test)
  if (direct !== undefined) return direct
  const passes = compileTest(test, lhs.type)
  if (slot !== undefined) {
    return (context) => {
      const value = context.read(slot)
      return value === undefined ? ifMissing : passes(value, context)
    }
  }
  return (context) => {
    const value = read(context)
    return value === undefined ? ifMissing : passes(value, context)
  }
}

/** The most frequent tests of plain fields, each in one closure. */
function compileFieldTest(slot: number, test: Test): Condition | undefined {
  if (test.op === 'eq' && test.rhs.kind === 'bytes') {
    const text = test.rhs.value
    return (context) => {
      const value = context.read(slot)
      return typeof value === 'string' && value === text
    }
  }
  if (test.op === 'contains') {
    const { part } = test
    return (context) => {
      const value = context.read(slot)
      return typeof value === 'string' && value.includes(part)
    }
  }
  return 'rhs' in test && test.rhs.kind === 'int' ? compileIntOrder(slot, test.op, test.rhs.value) : undefined
}

function compileIntOrder(slot: number, op: OrderingOperator, bound: Int): Condition | undefined {
  if (op === 'gt' || op === 'ge') {
    const isEqualEnough = op === 'ge'
    return (context) => {
      const value = context.read(slot)
      return isInt(value) && (value > bound || (isEqualEnough && value === bound))
    }
  }
  if (op !== 'lt' && op !== 'le') return undefined
  const isEqualEnough = op === 'le'
  return (context) => {
    const value = context.read(slot)
    return isInt(value) && (value < bound || (isEqualEnough && value === bound))
  }
}

function compileQuantifier({ op, arg }: QuantifierNode, scheme: Scheme): Condition {
  if (arg.kind === 'value') {
    const read = compileValue(arg, partsFor(scheme))
    const holds = op === 'any'
    return (context) => {
      const values = read(context)
      return isArray(values) && (holds ? values.includes(true) : !values.includes(false))
    }
  }
  if (arg.kind === 'comparison' && eachCount(arg.lhs) > 0)
    return compileMappedQuantifier(op === 'any', arg, scheme)
  const conditions = compileBoolArray(arg, scheme)
  return op === 'any'
    ? (context) => conditions(context).includes(true)
    : (context) => !conditions(context).includes(false)
}

/** `any(x[*] op y)` without an intermediate array: stops at the first element that decides. */
function compileMappedQuantifier(
  decisive: boolean,
  { lhs, test }: ComparisonNode,
  scheme: Scheme,
): Condition {
  const passes = compileTest(test, lhs.type)
  const decides = decisive ? passes : (value: Value, context: EvaluationContext) => !passes(value, context)
  const read = compileContainer(lhs, partsFor(scheme))
  if (read === undefined) {
    const visit = compileVisitor(lhs, partsFor(scheme))
    return (context) => visit(decides, context) === decisive
  }
  return (context) => {
    const container = read(context)
    if (!isArray(container)) return visitElements(container, decides, context) === decisive
    for (const item of container) if (decides(item, context)) return decisive
    return !decisive
  }
}

/** Compiles a node of type Array<Bool>. Operands of different lengths are cut to the shortest. */
export function compileBoolArray(node: LogicalNode, scheme: Scheme): Conditions {
  switch (node.kind) {
    case 'not': {
      const arg = compileBoolArray(node.arg, scheme)
      return (context) => arg(context).map((value) => !value)
    }
    case 'combine': {
      const items = node.items.map((item) => compileBoolArray(item, scheme))
      const join = JOIN[node.op]
      return (context) => items.map((item) => item(context)).reduce((a, b) => zip(a, b, join))
    }
    case 'comparison':
      return compileMapped(node, scheme)
    default:
      throw new Error(`a ${node.kind} of type ${logicalType(node).kind} is not an array`)
  }
}

const JOIN: Readonly<Record<'and' | 'or' | 'xor', (a: boolean, b: boolean) => boolean>> = {
  and: (a, b) => a && b,
  or: (a, b) => a || b,
  xor: (a, b) => a !== b,
}

function zip(
  a: readonly boolean[],
  b: readonly boolean[],
  join: (a: boolean, b: boolean) => boolean,
): readonly boolean[] {
  const length = Math.min(a.length, b.length)
  return Array.from({ length }, (_, i) => join(a[i] === true, b[i] === true))
}

function compileMapped({ lhs, test }: ComparisonNode, scheme: Scheme): Conditions {
  if (eachCount(lhs) === 0) {
    const read = compileValue(lhs, partsFor(scheme))
    return (context) => {
      const value = read(context)
      return value === undefined ? [] : elementsOf(value).map((item) => item === true)
    }
  }
  const visit = compileVisitor(lhs, partsFor(scheme))
  const passes = compileTest(test, lhs.type)
  return (context) => {
    const results: boolean[] = []
    visit((value) => {
      results.push(passes(value, context))
      return false
    }, context)
    return results
  }
}
