// Bracketed character classes: ranges, nested classes, [:names:], and the operators &&, -- and ~~.
import { codePointAt } from '../checked-reads.ts'
import { readEscape } from './escape.ts'
import type { PatternReader } from './reader.ts'
import {
  type AsciiAst,
  type BracketAst,
  type LiteralAst,
  PatternFault,
  type PatternSpan,
  type SetAst,
  type SetItemAst,
  type SetOperator,
} from './syntax.ts'

/** Nested brackets; the reference counts them together with groups. */
export const MAX_PATTERN_NESTING = 250

const SET_OPERATORS: readonly SetOperator[] = ['&&', '--', '~~']

const ASCII_NAMES = new Set(
  'alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit'.split(' '),
)

/** Reads a class; the reader is at its `[`. */
export function readBracket(reader: PatternReader, depth = 0): BracketAst {
  const start = reader.at
  if (depth > MAX_PATTERN_NESTING) throw tooDeep(start, reader.at)
  const { negated, items, opening } = readOpening(reader)
  let lhs: SetAst | undefined
  let pending: SetOperator | undefined
  let union = items
  const close = (): SetAst => {
    const rhs: SetAst = { kind: 'union', items: union }
    return lhs === undefined || pending === undefined ? rhs : { kind: 'operation', op: pending, lhs, rhs }
  }
  for (;;) {
    reader.skipSpace()
    if (reader.isAtEnd) throw unclosedFault(opening)
    if (reader.peek() === ']') {
      reader.step()
      return { kind: 'bracket', set: close(), negated, span: { start, end: reader.at } }
    }
    const op = SET_OPERATORS.find((token) => reader.peek() === token[0] && reader.next === token[1])
    if (op !== undefined) {
      lhs = close()
      pending = op
      union = []
      reader.take(op)
    } else if (reader.peek() === '[') union.push(readAsciiName(reader) ?? readBracket(reader, depth + 1))
    else union.push(readRange(reader, opening))
  }
}

/** Reads `[`, `^`, and the `-` or `]` that are literal because they come first. */
function readOpening(reader: PatternReader): { negated: boolean; items: SetItemAst[]; opening: PatternSpan } {
  const start = reader.at
  if (!reader.stepOver()) throw unclosedFault({ start, end: reader.at })
  const negated = reader.peek() === '^'
  if (negated && !reader.stepOver()) throw unclosedFault({ start, end: reader.at })
  const items: SetItemAst[] = []
  while (reader.peek() === '-') {
    items.push(verbatim(reader))
    if (!reader.stepOver()) throw unclosedFault({ start, end: start })
  }
  if (items.length === 0 && reader.peek() === ']') {
    items.push(verbatim(reader))
    if (!reader.stepOver()) throw unclosedFault({ start, end: reader.at })
  }
  return { negated, items, opening: { start, end: reader.at } }
}

const verbatim = (reader: PatternReader): LiteralAst => ({
  kind: 'literal',
  point: codePointAt(reader.peek(), 0),
  isByte: false,
  span: reader.here,
})

function readRange(reader: PatternReader, opening: PatternSpan): SetItemAst {
  const first = readSetItem(reader)
  reader.skipSpace()
  if (reader.isAtEnd) throw unclosedFault(opening)
  const isRange = reader.peek() === '-' && reader.nextSignificant !== ']' && reader.nextSignificant !== '-'
  if (!isRange) return asItem(first)
  if (!reader.stepOver()) throw unclosedFault(opening)
  const last = readSetItem(reader)
  const span = { start: first.span.start, end: last.span.end }
  const range = { kind: 'range', first: asBound(first), last: asBound(last), span } as const
  if (range.first.point > range.last.point) {
    throw fault('invalid character class range, the start must be <= the end', span)
  }
  return range
}

type RawItem = ReturnType<typeof readEscape>

function readSetItem(reader: PatternReader): RawItem {
  if (reader.peek() === '\\') return readEscape(reader)
  const literal = verbatim(reader)
  reader.step()
  return literal
}

function asItem(item: RawItem): SetItemAst {
  if (item.kind === 'assertion') throw fault('invalid escape sequence found in character class', item.span)
  return item
}

function asBound(item: RawItem): LiteralAst {
  if (item.kind !== 'literal') throw fault('invalid range boundary, must be a literal', item.span)
  return item
}

/** `[:alpha:]` or `[:^alpha:]`; anything else is an ordinary nested class. */
function readAsciiName(reader: PatternReader): AsciiAst | undefined {
  const start = reader.at
  if (reader.take('[:')) {
    const negated = reader.take('^')
    let name = ''
    while (!reader.isAtEnd && reader.peek() !== ':') {
      name += reader.peek()
      reader.step()
    }
    if (reader.take(':]') && ASCII_NAMES.has(name)) {
      return { kind: 'ascii', name, negated, span: { start, end: reader.at } }
    }
  }
  reader.at = start
  return undefined
}

const fault = (reason: string, span: PatternSpan) => new PatternFault(reason, span.start, span.end)

const unclosedFault = (opening: PatternSpan) => fault('unclosed character class', opening)

/** The error for a pattern that nests deeper than the reference allows. */
export const tooDeep = (start: number, end: number) =>
  new PatternFault(
    `exceed the maximum number of nested parentheses/brackets (${MAX_PATTERN_NESTING})`,
    start,
    end,
  )
