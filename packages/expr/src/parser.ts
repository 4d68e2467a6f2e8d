// Parses an expression: one function per production, each leaving the cursor after its input. Types are checked at
// the same time, because the type on the left decides which literal may follow.
import {
  type ArgumentNode,
  type CallNode,
  type ComparisonNode,
  type Index,
  type Literal,
  type LogicalNode,
  type LogicalOperator,
  type ValueNode,
  eachCount,
} from './ast.ts'
import { isUtf8, utf8Length } from './bytes.ts'
import {
  allowsOperator,
  argumentType,
  callType,
  checkArgument,
  checkBare,
  checkCombination,
  checkQuantified,
  type Complaint,
  indexedType,
  isMapped,
  logicalType,
  mismatch,
  parameterAt,
  returnType,
  unsupportedType,
} from './checker.ts'
import { ExprError } from './errors.ts'
import type { FunctionDefinition } from './functions/definition.ts'
import { Cursor, Fault, isHexDigit, isNameUnit, readIdentifier, takeOperator, trimmedSpan } from './lexer.ts'
import { DEFAULT_LIMITS, type Limits } from './limits.ts'
import { readBytes } from './literals/bytes.ts'
import { readInt } from './literals/int.ts'
import { readIp } from './literals/ip.ts'
import { COMBINING, COMPARISONS, FAMILY, NEGATION, PRECEDENCE, QUANTIFIERS } from './parser/operators.ts'
import { readTest, type RightSideRules } from './parser/right-side.ts'
import type { Scheme } from './scheme.ts'
import { arrayOf, BOOL } from './types.ts'

export type ParseOptions = {
  readonly limits?: Partial<Limits>
  /** Allows a value expression with `[*]`, which returns an array. */
  readonly allowMapped?: boolean
}

/** Parses a filter: an expression of type Bool. @throws ExprError for the first error. */
export function parseExpression(source: string, scheme: Scheme, options: ParseOptions = {}): LogicalNode {
  return parseWhole(source, scheme, options, (parser, cursor) => {
    const node = parser.readLogical(0)
    const type = logicalType(node)
    if (type.kind !== 'bool') throw complain(cursor, mismatch(BOOL, type), cursor.at)
    return node
  })
}

/** Parses a value for rewrites: a field or call with indexes. @throws ExprError */
export function parseValue(source: string, scheme: Scheme, options: ParseOptions = {}): ValueNode {
  return parseWhole(source, scheme, options, (parser, cursor) => {
    const start = cursor.at
    const value = parser.readValue(0)
    if (eachCount(value) > 0 && options.allowMapped !== true) {
      throw complain(cursor, mismatch(value.type, arrayOf(value.type)), start)
    }
    return value
  })
}

function parseWhole<T>(
  source: string,
  scheme: Scheme,
  options: ParseOptions,
  read: (parser: Parser, cursor: Cursor) => T,
): T {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  if (utf8Length(source) > limits.maxExpressionBytes) throw tooLong(source, limits.maxExpressionBytes)
  const { start, end } = trimmedSpan(source)
  const cursor = new Cursor(source, start, end)
  try {
    const result = read(new Parser(cursor, scheme, limits), cursor)
    if (!cursor.isAtEnd) throw cursor.fault('unrecognised-input', 'unrecognised input')
    return result
  } catch (error) {
    if (error instanceof Fault) throw new ExprError(error.kind, error.message, source, error.span)
    throw error
  }
}

/** How much of a too long expression is shown. */
const SHOWN_UNITS = 120

/** The error contains only the beginning, so that it does not repeat a long input with as many carets. */
function tooLong(source: string, maxBytes: number): ExprError {
  const shown = `${source.slice(0, SHOWN_UNITS).toWellFormed()}…`
  const message = `expression is longer than ${maxBytes} bytes`
  return new ExprError('length-limit-exceeded', message, shown, { start: 0, end: shown.length })
}

const complain = (cursor: Cursor, { kind, message }: Complaint, start: number, end?: number): Fault =>
  cursor.fault(kind, message, start, end)

const isComplaint = (value: object): value is Complaint => 'message' in value

/** An operator seen after an operand, and the position after it. */
type LookAhead = { readonly op: LogicalOperator | undefined; readonly at: number }

/** Holds the state of the whole expression: the cursor, the regexes, the calls. */
class Parser {
  private readonly cursor: Cursor
  private readonly scheme: Scheme
  private readonly limits: Limits
  private readonly singleCalls = new Set<string>()
  /** The enclosing call that may occur only once; it must not contain another one. */
  private openSingleCall: string | undefined
  private readonly rules: RightSideRules

  constructor(cursor: Cursor, scheme: Scheme, limits: Limits) {
    this.cursor = cursor
    this.scheme = scheme
    this.limits = limits
    this.rules = { scheme, limits, used: { regexes: 0, regexBytes: 0 } }
  }

  /** logical = simple { op simple }, by precedence; runs of one operator become one node. */
  readLogical(depth: number): LogicalNode {
    const start = this.cursor.at
    const node = this.readSimple(depth)
    return this.readMore(node, 0, this.lookAhead(), depth, start)
  }

  private lookAhead(): LookAhead {
    const { cursor } = this
    const before = cursor.at
    cursor.skipSpace()
    const op = takeOperator(cursor, COMBINING)
    if (op === undefined) cursor.at = before
    else cursor.skipSpace()
    return { op, at: cursor.at }
  }

  /** Reads operators that bind at least as tightly as `least`. The cursor ends where the next token may start. */
  private readMore(
    first: LogicalNode,
    least: number,
    seen: LookAhead,
    depth: number,
    start: number,
  ): LogicalNode {
    const { cursor } = this
    let lhs = first
    /** Set once `lhs` is a run built here; a parenthesized operand is never merged. */
    let run: LogicalOperator | undefined
    let ahead = seen
    while (ahead.op !== undefined) {
      const op = ahead.op
      const precedence = PRECEDENCE[op]
      const rhsStart = cursor.at
      let rhs = this.readSimple(depth)
      let rhsEnd = cursor.at
      for (;;) {
        ahead = this.lookAhead()
        if (ahead.op === undefined || PRECEDENCE[ahead.op] <= precedence) break
        rhs = this.readMore(rhs, PRECEDENCE[ahead.op], ahead, depth, rhsStart)
        rhsEnd = cursor.at
      }
      const complaint = checkCombination(logicalType(lhs), logicalType(rhs))
      if (complaint !== undefined) throw complain(cursor, complaint, ahead.at)
      const before = run === op && lhs.kind === 'combine' ? lhs.items : [lhs]
      lhs = { kind: 'combine', op, items: [...before, rhs], span: { start, end: rhsEnd } }
      run = op
      if (ahead.op !== undefined && PRECEDENCE[ahead.op] < least) {
        cursor.at = rhsEnd
        break
      }
    }
    return lhs
  }

  /** simple = "(" logical ")" | not simple | quantifier | true | false | comparison */
  private readSimple(depth: number): LogicalNode {
    const { cursor } = this
    const start = cursor.at
    if (cursor.sees('(')) return this.readParenthesised(this.deeper(depth))
    if (takeOperator(cursor, NEGATION) !== undefined) {
      const inner = this.deeper(depth, start)
      cursor.skipSpace()
      const arg = this.readSimple(inner)
      return { kind: 'not', arg, span: { start, end: cursor.at } }
    }
    if (this.seesQuantifier()) return this.readQuantifier(depth)
    const constant = this.seesBoolean()
    if (constant !== undefined) {
      cursor.at += String(constant).length
      return { kind: 'constant', value: constant, span: { start, end: cursor.at } }
    }
    return this.readComparison(this.readValue(depth))
  }

  private readParenthesised(depth: number): LogicalNode {
    const { cursor } = this
    cursor.expect('(')
    cursor.skipSpace()
    const node = this.readLogical(depth)
    cursor.skipSpace()
    cursor.expect(')')
    return node
  }

  /** One nesting level deeper. @throws Fault from `start` on if the limit is exceeded. */
  private deeper(depth: number, start = this.cursor.at): number {
    const limit = this.limits.maxNestingDepth
    if (depth < limit) return depth + 1
    throw this.cursor.fault(
      'nesting-limit-exceeded',
      `maximum nesting depth exceeded (limit: ${limit})`,
      start,
    )
  }

  /** True before `any(` and `all(`; without the parenthesis these are ordinary names. */
  private seesQuantifier(): boolean {
    const { cursor } = this
    const before = cursor.at
    const name = takeOperator(cursor, QUANTIFIERS)
    cursor.skipSpace()
    const isCall = name !== undefined && cursor.sees('(')
    cursor.at = before
    return isCall
  }

  private readQuantifier(depth: number): LogicalNode {
    const { cursor } = this
    const start = cursor.at
    const op = takeOperator(cursor, QUANTIFIERS) ?? 'any'
    cursor.skipSpace()
    const inner = this.deeper(depth)
    cursor.expect('(')
    cursor.skipSpace()
    const argStart = cursor.at
    const arg = this.readArgument(inner)
    const complaint = checkQuantified(arg)
    if (complaint !== undefined || arg.kind === 'literal') {
      throw complain(cursor, complaint ?? mismatch(BOOL, argumentType(arg)), argStart, cursor.at)
    }
    cursor.skipSpace()
    cursor.expect(')')
    return { kind: 'quantifier', op, arg, span: { start, end: cursor.at } }
  }

  private seesBoolean(): boolean | undefined {
    if (!this.scheme.booleanLiterals) return undefined
    for (const value of [true, false]) {
      const text = String(value)
      const after = this.cursor.unit(text.length)
      if (this.cursor.sees(text) && !isNameUnit(after) && after !== 0x2e) return value
    }
    return undefined
  }

  /** value = identifier [ arguments ] { index }; an index follows without space. */
  readValue(depth: number): ValueNode {
    const { cursor } = this
    const start = cursor.at
    const base = this.readBase(depth)
    let type = base.kind === 'field' ? base.type : callType(base.returns, base.args)
    const indexes: Index[] = []
    for (;;) {
      const indexStart = cursor.at
      if (!cursor.take('[')) break
      cursor.skipSpace()
      const index = this.readIndex()
      cursor.skipSpace()
      cursor.expect(']')
      const inner = indexedType(type, index)
      if (isComplaint(inner)) throw complain(cursor, inner, indexStart, cursor.at)
      type = inner
      indexes.push(index)
    }
    return { kind: 'value', base, indexes, type, span: { start, end: cursor.at } }
  }

  private readBase(depth: number): ValueNode['base'] {
    const { cursor, scheme } = this
    const start = cursor.at
    const name = readIdentifier(cursor)
    const span = { start, end: cursor.at }
    const field = scheme.fields.get(name)
    if (field?.unavailable !== undefined) {
      const message = `field ${name} is not available: ${field.unavailable}`
      throw cursor.fault('unavailable-field', message, start, cursor.at)
    }
    if (field !== undefined) return { kind: 'field', name, type: field.type, span }
    const definition = scheme.functions.get(name)
    if (definition === undefined)
      throw cursor.fault('unknown-identifier', 'unknown identifier', start, cursor.at)
    if (definition.oncePerExpression !== true) return this.readDeeperCall(definition, depth, start)
    this.checkSingleCall(name, start)
    const outer = this.openSingleCall
    this.openSingleCall = name
    const call = this.readDeeperCall(definition, depth, start)
    this.openSingleCall = outer
    return call
  }

  private readDeeperCall(definition: FunctionDefinition, depth: number, start: number): CallNode {
    this.cursor.skipSpace()
    return this.readCall(definition, this.deeper(depth), start)
  }

  private checkSingleCall(name: string, start: number): void {
    const reject = (reason: string) =>
      this.cursor.fault('repeated-call', `function ${name} can be used ${reason}`, start, this.cursor.at)
    if (this.singleCalls.has(name)) throw reject('only once in an expression')
    if (this.openSingleCall !== undefined) throw reject(`only outside ${this.openSingleCall}`)
    this.singleCalls.add(name)
  }

  private readIndex(): Index {
    const { cursor } = this
    const start = cursor.at
    if (cursor.take('*')) return { kind: 'each' }
    const literalFault = (expected: string) =>
      cursor.fault('expected-literal', `expected literal "${expected}"`, start)
    if (cursor.sees('"')) {
      const key = readBytes(cursor)
      if (!isUtf8(key)) throw literalFault('expected utf8 string')
      return { kind: 'key', key }
    }
    const position = this.attempt(() => readInt(cursor))
    if (position === undefined) throw literalFault('expected quoted utf8 string or positive integer')
    if (position < 0 || position > 0xffffffff) throw literalFault('expected positive integer as index')
    return { kind: 'position', position: Number(position) }
  }

  /** The result of `read`, or undefined with the cursor reset. */
  private attempt<T>(read: () => T): T | undefined {
    const before = this.cursor.at
    try {
      return read()
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      this.cursor.at = before
      return undefined
    }
  }

  private readCall(definition: FunctionDefinition, depth: number, start: number): CallNode {
    const { cursor } = this
    const args: ArgumentNode[] = []
    const countFault = (at: number) =>
      cursor.fault('invalid-arguments-count', 'invalid number of arguments', at)
    cursor.expect('(')
    cursor.skipSpace()
    while (!cursor.isAtEnd && !cursor.sees(')')) {
      if (args.length > 0) cursor.expect(',')
      cursor.skipSpace()
      const argStart = cursor.at
      const arg = this.readArgument(depth)
      if (args.length > 0 && isMapped(arg)) {
        const message = 'invalid use of map each access operator'
        throw cursor.fault('invalid-map-each-access', message, argStart, cursor.at)
      }
      const parameter = parameterAt(definition, args.length)
      if (parameter === undefined) throw countFault(argStart)
      const firstType = args[0] === undefined ? undefined : argumentType(args[0])
      const complaint = checkArgument(parameter, arg, args.length, firstType)
      if (complaint !== undefined) throw complain(cursor, complaint, argStart, cursor.at)
      args.push(arg)
      cursor.skipSpace()
    }
    if (args.length < definition.parameters.length) throw countFault(cursor.at)
    cursor.expect(')')
    const returns = returnType(definition, args)
    return { kind: 'call', name: definition.name, args, returns, span: { start, end: cursor.at } }
  }

  /** argument = string | logical in parentheses, negated or quantified | value [comparison] | other literal */
  private readArgument(depth: number): ArgumentNode {
    const { cursor } = this
    const start = cursor.at
    if (this.seesString()) return this.literalArgument({ kind: 'bytes', value: readBytes(cursor) }, start)
    if (this.seesLogical()) return this.readLogical(depth)
    if (this.seesSurelyName()) return this.maybeCompared(this.readValue(depth))
    const value = this.seesKnownName() ? this.attempt(() => this.readValue(depth)) : undefined
    if (value !== undefined) return this.maybeCompared(value)
    const literal: Literal | undefined =
      this.attempt(() => ({ kind: 'ip', value: readIp(cursor) }) as const) ??
      this.attempt(() => ({ kind: 'int', value: readInt(cursor) }) as const) ??
      this.attempt(() => ({ kind: 'bytes', value: readBytes(cursor) }) as const)
    if (literal === undefined) throw cursor.fault('unrecognised-input', 'unrecognised input', start)
    return this.literalArgument(literal, start)
  }

  private literalArgument(literal: Literal, start: number): ArgumentNode {
    return { kind: 'literal', literal, span: { start, end: this.cursor.at } }
  }

  private seesString(): boolean {
    const { cursor } = this
    return cursor.sees('"') || cursor.sees('r"') || cursor.sees('r#')
  }

  private seesLogical(): boolean {
    const { cursor } = this
    const isMarked = cursor.sees('(') || NEGATION.some(([token]) => cursor.sees(token))
    return isMarked || this.seesQuantifier() || this.seesBoolean() !== undefined
  }

  /** Certainly a name: one of its first three characters cannot be in a number. */
  private seesSurelyName(): boolean {
    const { cursor } = this
    for (let i = 0; i < 3; i += 1) {
      const unit = cursor.unit(i)
      if (!isNameUnit(unit)) return false
      if (!isHexDigit(unit)) return true
    }
    return false
  }

  /** A name of hex digits that the scheme knows; it may still be a literal. */
  private seesKnownName(): boolean {
    const before = this.cursor.at
    const name = this.attempt(() => readIdentifier(this.cursor))
    this.cursor.at = before
    return name !== undefined && (this.scheme.fields.has(name) || this.scheme.functions.has(name))
  }

  private maybeCompared(value: ValueNode): ArgumentNode {
    const { cursor } = this
    const before = cursor.at
    cursor.skipSpace()
    const isCompared = takeOperator(cursor, COMPARISONS) !== undefined
    cursor.at = before
    return isCompared ? this.readComparison(value) : value
  }

  /** comparison = value [ op rhs ]; Bools stand alone. */
  private readComparison(lhs: ValueNode): ComparisonNode {
    const { cursor } = this
    const start = lhs.span.start
    const bare = checkBare(lhs)
    if (bare === 'is-true') return { kind: 'comparison', lhs, test: { op: 'is-true' }, span: lhs.span }
    if (bare !== undefined) throw complain(cursor, bare, cursor.at, cursor.at)
    cursor.skipSpace()
    const opStart = cursor.at
    const op = takeOperator(cursor, COMPARISONS)
    if (op === undefined) throw cursor.fault('expected-name', 'expected ComparisonOp')
    const opEnd = cursor.at
    cursor.skipSpace()
    if (!allowsOperator(lhs.type, FAMILY[op]))
      throw complain(cursor, unsupportedType(lhs.type), opStart, opEnd)
    const test = readTest(cursor, lhs.type, op, opStart, this.rules)
    return { kind: 'comparison', lhs, test, span: { start, end: cursor.at } }
  }
}
