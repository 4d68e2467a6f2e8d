// Compiles a value node to a function of the context: reads fields, follows indexes, calls functions.
import {
  type ArgumentNode,
  type CallNode,
  eachCount,
  type Index,
  type LogicalNode,
  type ValueNode,
} from '../ast.ts'
import { isMapped } from '../checker.ts'
import type { EvaluationContext } from '../context.ts'
import type { Scheme } from '../scheme.ts'
import { isArray, isMap, type Maybe, type Value } from '../values.ts'

export type Reader = (context: EvaluationContext) => Maybe

/**
 * Dependencies of value compilation. Conditions are passed in as a function, because they contain values themselves.
 */
export type Parts = { readonly scheme: Scheme; readonly condition: (node: LogicalNode) => Reader }

/** The slot of a value that is only a field. */
export function slotOf({ base, indexes }: ValueNode, scheme: Scheme): number | undefined {
  return base.kind === 'field' && indexes.length === 0 ? scheme.fields.get(base.name)?.slot : undefined
}

/** Reads the field or makes the call, before any index. @throws Error if the node belongs to another scheme. */
function compileBase(base: ValueNode['base'], parts: Parts): Reader {
  if (base.kind === 'call') return compileCall(base, parts)
  const { scheme } = parts
  const field = scheme.fields.get(base.name)
  if (field === undefined) throw new Error(`no field ${base.name} in this scheme`)
  const { slot } = field
  return (context) => context.read(slot)
}

/** The value after all indexes; with `[*]`, the array of all values after them. */
export function compileValue(node: ValueNode, parts: Parts): Reader {
  const base = compileBase(node.base, parts)
  if (eachCount(node) > 0) return compileEach(node, base)
  return followAll(node.base, node.indexes, base, parts)
}

/** Follows the indexes in order; the most frequent one, a key of a map field, in one closure. */
function followAll(
  base: ValueNode['base'],
  indexes: readonly Index[],
  read: Reader,
  { scheme }: Parts,
): Reader {
  const [first, ...rest] = indexes
  const slot = base.kind === 'field' ? scheme.fields.get(base.name)?.slot : undefined
  if (slot === undefined || first?.kind !== 'key') return indexes.reduce(follow, read)
  const { key } = first
  return rest.reduce<Reader>(follow, (context) => {
    const value = context.read(slot)
    return isMap(value) ? value.get(key) : undefined
  })
}

function compileEach({ indexes }: ValueNode, base: Reader): Reader {
  const isLastOnly = indexes.findIndex((index) => index.kind === 'each') === indexes.length - 1
  if (isLastOnly) {
    const container = indexes.slice(0, -1).reduce(follow, base)
    return (context) => {
      const value = container(context)
      return value === undefined ? undefined : elementsOf(value)
    }
  }
  return (context) => {
    const value = base(context)
    return value === undefined ? undefined : expand(value, indexes)
  }
}

/** Visits the elements of a mapped value until a visit returns true. */
export type Visitor = (
  visit: (value: Value, context: EvaluationContext) => boolean,
  context: EvaluationContext,
) => boolean

/** The elements of a mapped value in order; a missing container has none. */
export function compileVisitor(node: ValueNode, parts: Parts): Visitor {
  const firstEach = node.indexes.findIndex((index) => index.kind === 'each')
  const rest = node.indexes.slice(firstEach + 1)
  const container = followAll(
    node.base,
    node.indexes.slice(0, firstEach),
    compileBase(node.base, parts),
    parts,
  )
  if (rest.length === 0) return (visit, context) => visitElements(container(context), visit, context)
  return (visit, context) =>
    visitElements(
      container(context),
      (value) => expand(value, rest).some((item) => visit(item, context)),
      context,
    )
}

/** The container that a single final `[*]` maps over; undefined for any other value. */
export function compileContainer({ base, indexes }: ValueNode, parts: Parts): Reader | undefined {
  const firstEach = indexes.findIndex((index) => index.kind === 'each')
  if (firstEach !== indexes.length - 1) return undefined
  return followAll(base, indexes.slice(0, firstEach), compileBase(base, parts), parts)
}

/** Visits the elements of an array, or of a map in the order of its keys. */
export function visitElements(
  container: Maybe,
  visit: (value: Value, context: EvaluationContext) => boolean,
  context: EvaluationContext,
): boolean {
  if (isArray(container)) {
    for (let i = 0; i < container.length; i += 1) {
      const item = container[i]
      if (item !== undefined && visit(item, context)) return true
    }
  } else if (isMap(container)) {
    for (const item of container.values()) if (visit(item, context)) return true
  }
  return false
}

function follow(read: Reader, index: Index): Reader {
  if (index.kind === 'each') return read
  if (index.kind === 'position') {
    const { position } = index
    return (context) => {
      const value = read(context)
      return isArray(value) ? value[position] : undefined
    }
  }
  const { key } = index
  return (context) => {
    const value = read(context)
    return isMap(value) ? value.get(key) : undefined
  }
}

function lookUp(value: Maybe, index: Index): Maybe {
  if (index.kind === 'position') return isArray(value) ? value[index.position] : undefined
  return index.kind === 'key' && isMap(value) ? value.get(index.key) : undefined
}

/** Elements of a container in order; the map keeps its entries sorted by key. */
export function elementsOf(value: Value): readonly Value[] {
  if (isArray(value)) return value
  return isMap(value) ? [...value.values()] : []
}

/** Follows the indexes from one value to all its results; a missing key or position gives none. */
function expand(value: Value, indexes: readonly Index[]): readonly Value[] {
  let found: readonly Value[] = [value]
  for (const index of indexes) {
    found = found.flatMap((item) => {
      if (index.kind === 'each') return elementsOf(item)
      const inner = lookUp(item, index)
      return inner === undefined ? [] : [inner]
    })
  }
  return found
}

function compileCall(node: CallNode, parts: Parts): Reader {
  const definition = parts.scheme.functions.get(node.name)
  if (definition === undefined) throw new Error(`no function ${node.name} in this scheme`)
  const constants = node.args.map((arg) => (arg.kind === 'literal' ? arg.literal.value : undefined))
  const call = definition.implement(constants)
  const args = node.args.map((arg) => compileArgument(arg, parts))
  const [first, second] = args
  if (first !== undefined && isMapped(node.args[0])) {
    const others = args.slice(1)
    return (context) => {
      const elements = first(context)
      if (!isArray(elements)) return undefined
      const out: Value[] = []
      for (const element of elements) {
        const result = call([element, ...others.map((arg) => arg(context))], context.host)
        if (result !== undefined) out.push(result)
      }
      return out
    }
  }
  if (first !== undefined && second === undefined) return (context) => call([first(context)], context.host)
  if (first !== undefined && second !== undefined && args.length === 2) {
    return (context) => call([first(context), second(context)], context.host)
  }
  return (context) =>
    call(
      args.map((arg) => arg(context)),
      context.host,
    )
}

function compileArgument(arg: ArgumentNode, parts: Parts): Reader {
  if (arg.kind === 'literal') {
    const { value } = arg.literal
    return () => value
  }
  return arg.kind === 'value' ? compileValue(arg, parts) : parts.condition(arg)
}
