// The spellings of the operators. They are matched as prefixes, in the order written here.
import type { LogicalOperator, OrderingOperator, QuantifierName } from '../ast.ts'
import type { OperatorFamily } from '../checker.ts'

/** Binary operators between conditions. */
export const COMBINING: readonly (readonly [string, LogicalOperator])[] = [
  ['or', 'or'],
  ['||', 'or'],
  ['xor', 'xor'],
  ['^^', 'xor'],
  ['and', 'and'],
  ['&&', 'and'],
]

/** Higher binds tighter. */
export const PRECEDENCE: Readonly<Record<LogicalOperator, number>> = { or: 1, xor: 2, and: 3 }

export const NEGATION: readonly (readonly [string, 'not'])[] = [
  ['not', 'not'],
  ['!', 'not'],
]

export const QUANTIFIERS: readonly (readonly [string, QuantifierName])[] = [
  ['any', 'any'],
  ['all', 'all'],
]

export type ComparisonOperator =
  | 'in'
  | OrderingOperator
  | 'bitwise-and'
  | 'contains'
  | 'matches'
  | 'wildcard'
  | 'strict-wildcard'

/** Tried in this order, so no spelling may come after a prefix of it. */
export const COMPARISONS: readonly (readonly [string, ComparisonOperator])[] = [
  ['in', 'in'],
  ['eq', 'eq'],
  ['==', 'eq'],
  ['ne', 'ne'],
  ['!=', 'ne'],
  ['ge', 'ge'],
  ['>=', 'ge'],
  ['le', 'le'],
  ['<=', 'le'],
  ['gt', 'gt'],
  ['>', 'gt'],
  ['lt', 'lt'],
  ['<', 'lt'],
  ['&', 'bitwise-and'],
  ['bitwise_and', 'bitwise-and'],
  ['contains', 'contains'],
  ['~', 'matches'],
  ['matches', 'matches'],
  ['wildcard', 'wildcard'],
  ['strict wildcard', 'strict-wildcard'],
]

/** The types that an operator accepts, by family. */
export const FAMILY: Readonly<Record<ComparisonOperator, OperatorFamily>> = {
  in: 'in',
  eq: 'ordering',
  ne: 'ordering',
  ge: 'ordering',
  le: 'ordering',
  gt: 'ordering',
  lt: 'ordering',
  'bitwise-and': 'bitwise',
  contains: 'text',
  matches: 'text',
  wildcard: 'text',
  'strict-wildcard': 'text',
}
