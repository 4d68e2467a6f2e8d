// Parses the right side of a comparison operator. It consists only of literals.
import type { Literal, LiteralSet, Test } from '../ast.ts'
import { unsupportedType } from '../checker.ts'
import { type Cursor, readListName } from '../lexer.ts'
import type { Limits } from '../limits.ts'
import { readBytes, readString } from '../literals/bytes.ts'
import { readInt, readIntRange } from '../literals/int.ts'
import { readIp, readIpRange } from '../literals/ip.ts'
import { readPattern } from '../literals/regex.ts'
import { parseRegex } from '../regex.ts'
import { hasLists, type Scheme } from '../scheme.ts'
import type { Type } from '../types.ts'
import { parseWildcard } from '../wildcard.ts'
import type { ComparisonOperator } from './operators.ts'

/** Parsing rules of right sides; the regular expressions of one expression are counted together. */
export type RightSideRules = {
  readonly scheme: Scheme
  readonly limits: Limits
  readonly used: { regexes: number; regexBytes: number }
}

/**
 * Reads the literal, set, list name or pattern that the operator requires. `opStart` is the start of the operator.
 */
export function readTest(
  cursor: Cursor,
  type: Type,
  op: ComparisonOperator,
  opStart: number,
  rules: RightSideRules,
): Test {
  switch (op) {
    case 'in':
      return cursor.sees('$')
        ? readListTest(cursor, type, opStart, rules.scheme)
        : { op, set: readSet(cursor, type) }
    case 'bitwise-and':
      return { op, mask: readInt(cursor) }
    case 'contains':
      return { op, part: readBytes(cursor) }
    case 'matches':
      return { op, pattern: readRegex(cursor, rules) }
    case 'wildcard':
    case 'strict-wildcard':
      return readWildcard(cursor, op === 'strict-wildcard', rules.limits)
    default:
      return { op, rhs: readLiteral(cursor, type) }
  }
}

function readListTest(cursor: Cursor, type: Type, opStart: number, scheme: Scheme): Test {
  const start = cursor.at
  const list = readListName(cursor)
  if (!hasLists(scheme, type)) {
    const { kind, message } = unsupportedType(type)
    throw cursor.fault(kind, message, opStart, cursor.at)
  }
  const problem = scheme.listProblem?.(type, list)
  if (problem !== undefined) throw cursor.fault('unusable-list', problem, start, cursor.at)
  return { op: 'in-list', list }
}

function readWildcard(cursor: Cursor, isStrict: boolean, limits: Limits): Test {
  const start = cursor.at
  const pattern = readString(cursor)
  const wildcard = parseWildcard(pattern, isStrict, limits.maxWildcardStars)
  if (typeof wildcard === 'string') throw cursor.fault('parse-wildcard', wildcard, start)
  return { op: 'wildcard', pattern, isStrict }
}

function readRegex(cursor: Cursor, { limits, used }: RightSideRules): string {
  const { pattern, span } = readPattern(cursor)
  const regex = parseRegex(pattern, limits.maxRegexBytes)
  if (typeof regex === 'string') throw cursor.fault('parse-regex', regex, span.start, span.end)
  used.regexes += 1
  used.regexBytes += regex.sizeBytes
  if (used.regexes > limits.maxRegexes || used.regexBytes > limits.maxRegexBytes) {
    const bounds = `${limits.maxRegexes} patterns, ${limits.maxRegexBytes} bytes together`
    const message = `too many regular expressions (limits: ${bounds})`
    throw cursor.fault('regex-limit-exceeded', message, span.start, span.end)
  }
  return pattern
}

/** Reads the literal that a value of the type is compared with. */
function readLiteral(cursor: Cursor, type: Type): Literal {
  if (type.kind === 'int') return { kind: 'int', value: readInt(cursor) }
  if (type.kind === 'ip') return { kind: 'ip', value: readIp(cursor) }
  return { kind: 'bytes', value: readBytes(cursor) }
}

/** Reads `{ … }`: items of one type, separated by spaces, no commas. */
function readSet(cursor: Cursor, type: Type): LiteralSet {
  cursor.expect('{')
  if (type.kind === 'int') return { kind: 'int', items: readItems(cursor, readIntRange) }
  if (type.kind === 'ip') return { kind: 'ip', items: readItems(cursor, readIpRange) }
  return { kind: 'bytes', items: readItems(cursor, readBytes) }
}

function readItems<T>(cursor: Cursor, read: (cursor: Cursor) => T): readonly T[] {
  const items: T[] = []
  for (;;) {
    cursor.skipSpace()
    if (cursor.take('}')) return items
    items.push(read(cursor))
  }
}
