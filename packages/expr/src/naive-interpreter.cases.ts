// Evaluates the language directly on the tree, as simply as possible: the second implementation for property tests.
import {
  eachCount,
  type ArgumentNode,
  type Index,
  type LogicalNode,
  type Test,
  type ValueNode,
} from './ast.ts'
import { toOctets } from './bytes.ts'
import { argumentType } from './checker.ts'
import type { EvaluationContext } from './context.ts'
import type { Ip, IpRange } from './ip.ts'
import { toBigInt } from './ip-number.cases.ts'
import { parseRegex } from './regex.ts'
import type { Scheme } from './scheme.ts'
import { isArray, isIp, isMap, type Maybe, type Value } from './values.ts'

type Setting = { readonly scheme: Scheme; readonly context: EvaluationContext }

/** The result of a filter. */
export function interpret(node: LogicalNode, scheme: Scheme, context: EvaluationContext): boolean {
  return condition(node, { scheme, context })
}

function condition(node: LogicalNode, setting: Setting): boolean {
  if (node.kind === 'constant') return node.value
  if (node.kind === 'not') return !condition(node.arg, setting)
  if (node.kind === 'combine') {
    const results = node.items.map((item) => condition(item, setting))
    if (node.op === 'and') return results.every(Boolean)
    return node.op === 'or' ? results.some(Boolean) : results.filter(Boolean).length % 2 === 1
  }
  if (node.kind === 'quantifier') {
    const results = node.arg.kind === 'value' ? value(node.arg, setting) : conditions(node.arg, setting)
    if (!isArray(results)) return false
    return node.op === 'any' ? results.some((item) => item === true) : results.every((item) => item === true)
  }
  const left = value(node.lhs, setting)
  if (left === undefined) return node.test.op === 'ne' && setting.scheme.nilNotEqual
  return passes(left, node.test, node.lhs, setting)
}

function conditions(node: LogicalNode, setting: Setting): readonly boolean[] {
  if (node.kind === 'not') return conditions(node.arg, setting).map((item) => !item)
  if (node.kind === 'combine') {
    const operands = node.items.map((item) => conditions(item, setting))
    const length = Math.min(...operands.map((operand) => operand.length))
    return Array.from({ length }, (_, i) => {
      const results = operands.map((operand) => operand[i] === true)
      if (node.op === 'and') return results.every(Boolean)
      return node.op === 'or' ? results.some(Boolean) : results.filter(Boolean).length % 2 === 1
    })
  }
  if (node.kind !== 'comparison') throw new Error('not an array')
  const left = value(node.lhs, setting)
  if (left === undefined) return []
  return elements(left).map((item) => passes(item, node.test, node.lhs, setting))
}

const elements = (container: Value): readonly Value[] =>
  isArray(container) ? container : isMap(container) ? [...container.values()] : []

function value(node: ValueNode, setting: Setting): Maybe {
  const base =
    node.base.kind === 'field'
      ? setting.context.read(setting.scheme.fields.get(node.base.name)?.slot ?? -1)
      : call(node.base.name, node.base.args, setting)
  if (base === undefined) return undefined
  const found = follow(base, node.indexes)
  if (eachCount(node) === 0) return found[0]
  return node.indexes.slice(0, -1).every((index) => index.kind !== 'each') && isMissing(base, node.indexes)
    ? undefined
    : found
}

/** Whether the container that a final `[*]` maps over is absent. */
const isMissing = (base: Value, indexes: readonly Index[]): boolean =>
  indexes.at(-1)?.kind === 'each' && follow(base, indexes.slice(0, -1)).length === 0

function follow(base: Value, indexes: readonly Index[]): readonly Value[] {
  const [index, ...rest] = indexes
  if (index === undefined) return [base]
  const inner: readonly Maybe[] =
    index.kind === 'each'
      ? elements(base)
      : [
          index.kind === 'key'
            ? isMap(base)
              ? base.get(index.key)
              : undefined
            : elements(base)[index.position],
        ]
  return inner.flatMap((item) => (item === undefined ? [] : follow(item, rest)))
}

function call(name: string, args: readonly ArgumentNode[], setting: Setting): Maybe {
  const definition = setting.scheme.functions.get(name)
  if (definition === undefined) throw new Error(`no function ${name}`)
  const implementation = definition.implement(
    args.map((arg) => (arg.kind === 'literal' ? arg.literal.value : undefined)),
  )
  const values = args.map((arg) => argument(arg, setting))
  const [first] = args
  if (first?.kind !== 'value' || eachCount(first) === 0) return implementation(values, setting.context.host)
  const mapped = values[0]
  if (!isArray(mapped)) return undefined
  return mapped
    .map((item) => implementation([item, ...values.slice(1)], setting.context.host))
    .filter((item) => item !== undefined)
}

function argument(arg: ArgumentNode, setting: Setting): Maybe {
  if (arg.kind === 'literal') return arg.literal.value
  if (arg.kind === 'value') return value(arg, setting)
  return argumentType(arg).kind === 'bool' ? condition(arg, setting) : conditions(arg, setting)
}

function passes(left: Value, test: Test, lhs: ValueNode, { context }: Setting): boolean {
  switch (test.op) {
    case 'is-true':
      return left === true
    case 'in-list':
      return context.lists(lhs.type, test.list, left)
    case 'bitwise-and':
      return typeof left !== 'object' && (BigInt(left) & BigInt(test.mask)) !== 0n
    case 'contains':
      return (
        (typeof left === 'string' && left.split('').some((_, i) => left.slice(i).startsWith(test.part))) ||
        test.part === ''
      )
    case 'matches': {
      const regex = parseRegex(test.pattern, Number.POSITIVE_INFINITY)
      return typeof regex !== 'string' && typeof left === 'string' && regex.find(left) !== undefined
    }
    case 'wildcard':
      return (
        typeof left === 'string' &&
        (test.isStrict ? fits(left, test.pattern) : fits(fold(left), fold(test.pattern)))
      )
    case 'in':
      return isMember(left, test.set)
    default:
      return isOrdered(left, test.op, test.rhs.value)
  }
}

const fold = (text: string): string =>
  [...text]
    .map((byte) => (byte >= 'A' && byte <= 'Z' ? String.fromCharCode(byte.charCodeAt(0) + 32) : byte))
    .join('')

/** Tries every length for a star. */
function fits(text: string, pattern: string): boolean {
  if (pattern === '') return text === ''
  if (pattern[0] === '*') return fits(text, pattern.slice(1)) || (text !== '' && fits(text.slice(1), pattern))
  const escaped = pattern[0] === '\\'
  const expected = pattern[escaped ? 1 : 0]
  return text !== '' && text[0] === expected && fits(text.slice(1), pattern.slice(escaped ? 2 : 1))
}

function isMember(left: Value, set: Extract<Test, { op: 'in' }>['set']): boolean {
  if (set.kind === 'bytes') return set.items.some((item) => item === left)
  if (set.kind === 'ip') return isIp(left) && set.items.some((range) => isWithin(left, range))
  return (
    typeof left !== 'object' &&
    set.items.some(({ first, last }) => BigInt(left) >= BigInt(first) && BigInt(left) <= BigInt(last))
  )
}

const isWithin = (ip: Ip, { first, last }: IpRange): boolean =>
  ip.family === first.family && toBigInt(ip) >= toBigInt(first) && toBigInt(ip) <= toBigInt(last)

function isOrdered(left: Value, op: string, right: Value): boolean {
  const order = compare(left, right)
  if (order === undefined) return op === 'ne'
  const holds: Record<string, boolean> = {
    eq: order === 0,
    ne: order !== 0,
    ge: order >= 0,
    le: order <= 0,
    gt: order > 0,
    lt: order < 0,
  }
  return holds[op] === true
}

function compare(left: Value, right: Value): number | undefined {
  if (isIp(left) && isIp(right)) {
    return left.family === right.family ? sign(toBigInt(left) - toBigInt(right)) : undefined
  }
  if (typeof left === 'string' && typeof right === 'string')
    return compareOctets(toOctets(left), toOctets(right))
  return typeof left !== 'object' && typeof right !== 'object'
    ? sign(BigInt(left) - BigInt(right))
    : undefined
}

const sign = (difference: bigint): number => (difference < 0n ? -1 : difference > 0n ? 1 : 0)

function compareOctets(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
