// The canonical text of a tree: words for operators, one space between tokens, parentheses only where needed. Parsing
// the text gives the same tree except for spans.
import type { ArgumentNode, Index, Literal, LiteralSet, LogicalNode, Test, ValueNode } from './ast.ts'
import { type Bytes, decodeScalarAt, sequenceLengthAt } from './bytes.ts'
import { addressBits, ipText, type IpRange, prefixOf } from './ip.ts'
import { Cursor, Fault } from './lexer.ts'
import { readPattern } from './literals/regex.ts'
import { PRECEDENCE } from './parser/operators.ts'

/** The text of a filter or of a value expression. It can be longer than the source it came from. */
export function print(node: LogicalNode | ValueNode): string {
  switch (node.kind) {
    case 'value':
      return printValue(node)
    case 'constant':
      return String(node.value)
    case 'not':
      return `not ${node.arg.kind === 'combine' ? inParentheses(node.arg) : print(node.arg)}`
    case 'quantifier':
      return `${node.op}(${printArgument(node.arg)})`
    case 'comparison':
      return printValue(node.lhs) + printTest(node.test)
    case 'combine':
      return node.items
        .map((item) =>
          item.kind === 'combine' && PRECEDENCE[item.op] <= PRECEDENCE[node.op]
            ? inParentheses(item)
            : print(item),
        )
        .join(` ${node.op} `)
  }
}

const inParentheses = (node: LogicalNode): string => `(${print(node)})`

function printValue({ base, indexes }: ValueNode): string {
  const head = base.kind === 'field' ? base.name : `${base.name}(${base.args.map(printArgument).join(', ')})`
  return head + indexes.map(printIndex).join('')
}

function printIndex(index: Index): string {
  if (index.kind === 'each') return '[*]'
  return index.kind === 'position' ? `[${index.position}]` : `[${printBytes(index.key)}]`
}

/** A bare Bool in parentheses is a condition; without them it is a value, which differs when it is missing. */
function printArgument(arg: ArgumentNode): string {
  if (arg.kind === 'literal') return printLiteral(arg.literal)
  const isBareCondition = arg.kind === 'comparison' && arg.test.op === 'is-true'
  return arg.kind === 'combine' || isBareCondition ? inParentheses(arg) : print(arg)
}

function printTest(test: Test): string {
  switch (test.op) {
    case 'is-true':
      return ''
    case 'in':
      return ` in {${printItems(test.set).join(' ')}}`
    case 'in-list':
      return ` in $${test.list}`
    case 'bitwise-and':
      return ` & ${test.mask}`
    case 'contains':
      return ` contains ${printBytes(test.part)}`
    case 'matches':
      return ` matches ${printPattern(test.pattern)}`
    case 'wildcard':
      return ` ${test.isStrict ? 'strict wildcard' : 'wildcard'} ${printBytes(test.pattern)}`
    default:
      return ` ${test.op} ${printLiteral(test.rhs)}`
  }
}

function printItems(set: LiteralSet): readonly string[] {
  switch (set.kind) {
    case 'bytes':
      return set.items.map(printBytes)
    case 'int':
      return set.items.map(({ first, last }) => (first === last ? `${first}` : `${first}..${last}`))
    case 'ip':
      return set.items.map(printRange)
  }
}

function printRange(range: IpRange): string {
  const prefix = prefixOf(range)
  if (prefix === undefined) return `${ipText(range.first)}..${ipText(range.last)}`
  return prefix === addressBits(range.first) ? ipText(range.first) : `${ipText(range.first)}/${prefix}`
}

function printLiteral(literal: Literal): string {
  if (literal.kind === 'bytes') return printBytes(literal.value)
  return literal.kind === 'int' ? String(literal.value) : ipText(literal.value)
}

/** Bytes in quotes: UTF-8 text unchanged, other bytes and control characters as \xHH. */
export function printBytes(bytes: Bytes): string {
  let out = ''
  for (let i = 0; i < bytes.length;) {
    const length = sequenceLengthAt(bytes, i)
    const byte = bytes.charCodeAt(i)
    if (byte === 0x22 || byte === 0x5c) out += `\\${bytes.charAt(i)}`
    else if (length === 0 || byte < 0x20 || byte === 0x7f) out += `\\x${byte.toString(16).padStart(2, '0')}`
    else out += String.fromCodePoint(decodeScalarAt(bytes, i, length))
    i += Math.max(1, length)
  }
  return `"${out}"`
}

/** A pattern in quotes if that parses to the same pattern, otherwise as a raw string. */
function printPattern(pattern: string): string {
  const inQuotes = `"${escapeQuotes(pattern)}"`
  if (readsAs(inQuotes, pattern)) return inQuotes
  let hashes = ''
  while (pattern.includes(`"${hashes}`)) hashes += '#'
  return `r${hashes}"${pattern}"${hashes}`
}

/** Escapes quotes outside character classes, as the parser recognizes classes. */
function escapeQuotes(pattern: string): string {
  let out = ''
  let isInClass = false
  for (let i = 0; i < pattern.length; i += 1) {
    const unit = pattern.charAt(i)
    if (unit === '\\') {
      out += unit + pattern.charAt(i + 1)
      i += 1
    } else {
      if (unit === '[') isInClass = true
      if (unit === ']') isInClass = false
      out += unit === '"' && !isInClass ? '\\"' : unit
    }
  }
  return out
}

function readsAs(text: string, pattern: string): boolean {
  const cursor = new Cursor(text, 0, text.length)
  try {
    return readPattern(cursor).pattern === pattern && cursor.isAtEnd
  } catch (error) {
    if (error instanceof Fault) return false
    throw error
  }
}
