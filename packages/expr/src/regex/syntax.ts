// The syntax tree of a regular expression in the Rust dialect, and the error for an invalid one.

/** Positions count characters (code points) of the pattern, from 0. */
export type PatternSpan = { readonly start: number; readonly end: number }

export type Flag = 'i' | 'm' | 's' | 'U' | 'u' | 'R' | 'x'

/** Flags switched on or off, in source order. */
export type FlagChanges = ReadonlyMap<Flag, boolean>

export type Assertion =
  | 'start-line'
  | 'end-line'
  | 'start-text'
  | 'end-text'
  | 'word'
  | 'not-word'
  | 'word-start'
  | 'word-end'
  | 'word-start-half'
  | 'word-end-half'

export type PerlClassName = 'd' | 's' | 'w'

export type LiteralAst = {
  readonly kind: 'literal'
  readonly point: number
  /** Written `\xHH`: one byte if Unicode is off, otherwise a code point. */
  readonly isByte: boolean
  readonly span: PatternSpan
}
export type PerlAst = {
  readonly kind: 'perl'
  readonly name: PerlClassName
  readonly negated: boolean
  readonly span: PatternSpan
}
export type PropertyAst = {
  readonly kind: 'property'
  readonly name: string
  readonly negated: boolean
  readonly span: PatternSpan
}
export type AsciiAst = {
  readonly kind: 'ascii'
  readonly name: string
  readonly negated: boolean
  readonly span: PatternSpan
}
export type RangeAst = {
  readonly kind: 'range'
  readonly first: LiteralAst
  readonly last: LiteralAst
  readonly span: PatternSpan
}
export type BracketAst = {
  readonly kind: 'bracket'
  readonly set: SetAst
  readonly negated: boolean
  readonly span: PatternSpan
}

export type SetOperator = '&&' | '--' | '~~'
export type SetAst =
  | { readonly kind: 'union'; readonly items: readonly SetItemAst[] }
  | { readonly kind: 'operation'; readonly op: SetOperator; readonly lhs: SetAst; readonly rhs: SetAst }
export type SetItemAst = LiteralAst | PerlAst | PropertyAst | AsciiAst | RangeAst | BracketAst

export type RepeatAst = {
  readonly kind: 'repeat'
  readonly item: Ast
  readonly min: number
  /** Infinity if unlimited. */
  readonly max: number
  readonly greedy: boolean
}

export type Ast =
  | { readonly kind: 'empty' }
  | { readonly kind: 'dot' }
  | LiteralAst
  | PerlAst
  | PropertyAst
  | BracketAst
  | { readonly kind: 'assertion'; readonly assertion: Assertion; readonly span: PatternSpan }
  | RepeatAst
  | { readonly kind: 'flags'; readonly changes: FlagChanges }
  | { readonly kind: 'group'; readonly item: Ast; readonly captures: boolean; readonly changes: FlagChanges }
  | { readonly kind: 'concat'; readonly items: readonly Ast[] }
  | { readonly kind: 'alternation'; readonly items: readonly Ast[] }

/** An invalid pattern. Not an `Error`: the parser of the language converts it. */
export class PatternFault {
  readonly reason: string
  readonly span: PatternSpan
  /** A second position for the error, such as the first of two equal names. */
  readonly other: PatternSpan | undefined

  constructor(reason: string, start: number, end: number, other?: PatternSpan) {
    this.reason = reason
    this.span = { start, end }
    this.other = other
  }
}

/** The text of an error: the pattern, a mark under the position, the reason. */
export function describeFault(pattern: string, fault: PatternFault): string {
  const lines = pattern.split('\n')
  const spans = fault.other === undefined ? [fault.span] : [fault.other, fault.span]
  const width = lines.length === 1 ? 0 : String(lines.length).length
  const body = lines.flatMap((line, i) => notedLine(line, i, lines, spans, width))
  const rule = '~'.repeat(79)
  const shown = width === 0 ? body : [rule, ...body, rule]
  return ['regex parse error:', ...shown, `error: ${fault.reason}`].join('\n')
}

function notedLine(
  line: string,
  number: number,
  lines: readonly string[],
  spans: readonly PatternSpan[],
  width: number,
): string[] {
  const start = lines.slice(0, number).reduce((sum, before) => sum + [...before].length + 1, 0)
  const end = start + [...line].length
  const here = spans
    .filter((span) => span.start >= start && span.start <= end)
    .toSorted((a, b) => a.start - b.start)
  const margin = width === 0 ? '    ' : `${String(number + 1).padStart(width)}: `
  if (here.length === 0) return [margin + line]
  let notes = ' '.repeat(margin.length)
  let column = start
  for (const span of here) {
    notes += ' '.repeat(Math.max(0, span.start - column)) + '^'.repeat(Math.max(1, span.end - span.start))
    column = Math.max(span.end, span.start + 1)
  }
  return [margin + line, notes]
}
