// Compiles the test of a comparison to a function of one value. Everything that can be prepared is prepared once,
// here.
import { wordAt } from '../checked-reads.ts'
import type { IntRange, Literal, LiteralSet, OrderingOperator, Test } from '../ast.ts'
import type { Bytes } from '../bytes.ts'
import type { EvaluationContext } from '../context.ts'
import { type Int, sharesBit } from '../int.ts'
import { compareIp, type Ip, type IpRange, sameIp } from '../ip.ts'
import { DEFAULT_LIMITS } from '../limits.ts'
import { parseRegex } from '../regex.ts'
import type { Type } from '../types.ts'
import { isInt, isIp, type Value } from '../values.ts'
import { matchesWildcard, parseWildcard } from '../wildcard.ts'

/** Whether a present value matches. Only named lists need the context. */
export type Predicate = (value: Value, context: EvaluationContext) => boolean

const NEVER: Predicate = () => false

/** The predicate of a test for values of the type. The test was parsed, so its patterns are valid. */
export function compileTest(test: Test, type: Type): Predicate {
  switch (test.op) {
    case 'is-true':
      return (value) => value === true
    case 'in':
      return compileSet(test.set)
    case 'in-list':
      return (value, context) => context.lists(type, test.list, value)
    case 'bitwise-and':
      return (value) => isInt(value) && sharesBit(value, test.mask)
    case 'contains':
      return (value) => typeof value === 'string' && value.includes(test.part)
    case 'matches':
      return compileRegex(test.pattern)
    case 'wildcard':
      return compileWildcard(test.pattern, test.isStrict)
    default:
      return compareLiteral(test.op, test.rhs)
  }
}

function compileRegex(pattern: string): Predicate {
  const regex = parseRegex(pattern, Number.POSITIVE_INFINITY)
  return typeof regex === 'string' ? NEVER : (value) => typeof value === 'string' && regex.test(value)
}

function compileWildcard(pattern: Bytes, isStrict: boolean): Predicate {
  const wildcard = parseWildcard(pattern, isStrict, DEFAULT_LIMITS.maxWildcardStars)
  return typeof wildcard === 'string'
    ? NEVER
    : (value) => typeof value === 'string' && matchesWildcard(wildcard, value)
}

/**
 * The order of Bytes and Ints is that of their JavaScript representations. Each type has its own functions, so that
 * the engine sees only one type in each comparison.
 */
function compareBytes(op: OrderingOperator, rhs: Bytes): Predicate {
  switch (op) {
    case 'eq':
      return (value) => typeof value === 'string' && value === rhs
    case 'ne':
      return (value) => typeof value !== 'string' || value !== rhs
    case 'ge':
      return (value) => typeof value === 'string' && value >= rhs
    case 'le':
      return (value) => typeof value === 'string' && value <= rhs
    case 'gt':
      return (value) => typeof value === 'string' && value > rhs
    case 'lt':
      return (value) => typeof value === 'string' && value < rhs
  }
}

function compareInt(op: OrderingOperator, rhs: Int): Predicate {
  switch (op) {
    case 'eq':
      return (value) => value === rhs
    case 'ne':
      return (value) => value !== rhs
    case 'ge':
      return (value) => isInt(value) && value >= rhs
    case 'le':
      return (value) => isInt(value) && value <= rhs
    case 'gt':
      return (value) => isInt(value) && value > rhs
    case 'lt':
      return (value) => isInt(value) && value < rhs
  }
}

function compareLiteral(op: OrderingOperator, rhs: Literal): Predicate {
  if (rhs.kind === 'bytes') return compareBytes(op, rhs.value)
  return rhs.kind === 'int' ? compareInt(op, rhs.value) : compareIpWith(op, rhs.value)
}

const IP_ORDER: Readonly<Record<OrderingOperator, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  ge: (order) => order >= 0,
  le: (order) => order <= 0,
  gt: (order) => order > 0,
  lt: (order) => order < 0,
}

/** Addresses of different families are unequal and not ordered. */
function compareIpWith(op: OrderingOperator, rhs: Ip): Predicate {
  if (op === 'eq') return (value) => isIp(value) && sameIp(value, rhs)
  const holds = IP_ORDER[op]
  const acrossFamilies = op === 'ne'
  return (value) =>
    isIp(value) && (value.family === rhs.family ? holds(compareIp(value, rhs)) : acrossFamilies)
}

function compileSet(set: LiteralSet): Predicate {
  switch (set.kind) {
    case 'bytes':
      return compileMembers(set.items)
    case 'int':
      return compileIntSet(set.items)
    case 'ip':
      return compileIpSet(set.items)
  }
}

/** Up to this many members are compared one by one, which is faster than a look-up. */
const FEW_MEMBERS = 4

function compileMembers(items: readonly Value[]): Predicate {
  const members = new Set(items)
  if (members.size > FEW_MEMBERS) return (value) => members.has(value)
  const [a, b, c, d] = members
  if (b === undefined) return (value) => value === a
  return c === undefined
    ? (value) => value === a || value === b
    : (value) => value === a || value === b || value === c || value === d
}

function compileIntSet(ranges: readonly IntRange[]): Predicate {
  if (ranges.every(({ first, last }) => first === last))
    return compileMembers(ranges.map(({ first }) => first))
  const sorted = mergeSorted(ranges, (a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return (value) => isInt(value) && findRange(sorted, value, compareNumbers)
}

const compareNumbers = (a: number | bigint, b: number | bigint): number => (a < b ? -1 : a > b ? 1 : 0)

/** Whether an address is in one of the ranges: a binary search. */
export function compileIpSet(ranges: readonly IpRange[]): (value: Value) => boolean {
  const v4 = mergeSorted(
    ranges.filter(({ first }) => first.family === 4),
    compareIp,
  )
  const v6 = mergeSorted(
    ranges.filter(({ first }) => first.family === 6),
    compareIp,
  )
  const bounds = Uint32Array.from(v4.flatMap(({ first, last }) => [first.d, last.d]))
  return (value) => {
    if (!isIp(value)) return false
    return value.family === 4 ? isWithinBounds(bounds, value.d) : findRange(v6, value, compareIp)
  }
}

/** IPv4 ranges as one flat array of lower and upper bounds in turn: a search reads nothing else. */
function isWithinBounds(bounds: Uint32Array, address: number): boolean {
  let low = 0
  let high = bounds.length >> 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (address < wordAt(bounds, 2 * middle)) high = middle
    else if (address > wordAt(bounds, 2 * middle + 1)) low = middle + 1
    else return true
  }
  return false
}

type Bounds<T> = { readonly first: T; readonly last: T }

/** Sorted by lower bound and merged: at most one range can then contain a value. */
function mergeSorted<T>(ranges: readonly Bounds<T>[], compare: (a: T, b: T) => number): readonly Bounds<T>[] {
  const out: Bounds<T>[] = []
  for (const range of ranges.toSorted((a, b) => compare(a.first, b.first))) {
    const previous = out.at(-1)
    if (previous === undefined || compare(range.first, previous.last) > 0) out.push(range)
    else if (compare(range.last, previous.last) > 0)
      out[out.length - 1] = { first: previous.first, last: range.last }
  }
  return out
}

function findRange<T>(ranges: readonly Bounds<T>[], value: T, compare: (a: T, b: T) => number): boolean {
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const range = ranges[middle]
    if (range === undefined) return false
    if (compare(value, range.first) < 0) high = middle
    else if (compare(value, range.last) > 0) low = middle + 1
    else return true
  }
  return false
}
