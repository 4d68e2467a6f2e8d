// Errors in expressions: kind, position, and their presentation for users.
import { codePointAt } from './checked-reads.ts'
import { utf8Length } from './bytes.ts'

/** Start and end in UTF-16 units of the source text; the end is not included. */
export type Span = { readonly start: number; readonly end: number }

export type ExprErrorKind =
  | 'unrecognised-input'
  | 'expected-name'
  | 'expected-literal'
  | 'missing-ending-quote'
  | 'invalid-character-escape'
  | 'invalid-raw-string-hash-count'
  | 'count-mismatch'
  | 'parse-int'
  | 'parse-network'
  | 'incompatible-range-bounds'
  | 'parse-wildcard'
  | 'parse-regex'
  | 'invalid-list-name'
  | 'unusable-list'
  | 'unknown-identifier'
  | 'unavailable-field'
  | 'unsupported-op'
  | 'type-mismatch'
  | 'invalid-index-access'
  | 'invalid-map-each-access'
  | 'invalid-arguments-count'
  | 'invalid-argument-kind'
  | 'invalid-argument-type'
  | 'invalid-argument-value'
  | 'nesting-limit-exceeded'
  | 'length-limit-exceeded'
  | 'regex-limit-exceeded'
  | 'repeated-call'

/** The only error of the language. `message` is the sentence alone; `formatError` adds the frame. */
export class ExprError extends Error {
  readonly kind: ExprErrorKind
  readonly span: Span
  readonly source: string

  constructor(kind: ExprErrorKind, message: string, source: string, span: Span) {
    super(message)
    this.name = 'ExprError'
    this.kind = kind
    this.source = source
    this.span = span
  }
}

/** Where an error is shown. Columns and carets count bytes of UTF-8, lines and columns start at 1. */
export type ErrorPosition = {
  readonly line: number
  readonly column: number
  readonly carets: number
  readonly text: string
}

/** The line where an error starts, extracted from its source. A longer span is shown up to the end of that line. */
export function locateError({ source, span }: Pick<ExprError, 'source' | 'span'>): ErrorPosition {
  const lineStart = span.start === 0 ? 0 : source.lastIndexOf('\n', span.start - 1) + 1
  const newline = source.indexOf('\n', lineStart)
  const lineEnd = newline === -1 ? source.length : newline
  return {
    line: source.slice(0, lineStart).split('\n').length,
    column: utf8Length(source.slice(lineStart, span.start)) + 1,
    carets: Math.max(1, utf8Length(source.slice(span.start, Math.min(span.end, lineEnd)))),
    text: source.slice(lineStart, lineEnd),
  }
}

/**
 * The error frame: position, source line, carets, sentence, each line terminated. Byte for byte the format of the
 * filter language reference.
 */
export function formatError(error: ExprError): string {
  const { line, column, carets, text } = locateError(error)
  const marker = `${' '.repeat(column - 1)}${'^'.repeat(carets)}`
  return `Filter parsing error (${line}:${column}):\n${text}\n${marker} ${error.message}\n`
}

/** Text in double quotes, as the messages of the reference quote names and keys. */
export function quote(text: string): string {
  let out = ''
  for (const character of text) out += ESCAPES[character] ?? escapeUnprintable(character)
  return `"${out}"`
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\0': '\\0',
}

function escapeUnprintable(character: string): string {
  const point = codePointAt(character, 0)
  return point < 0x20 || (point >= 0x7f && point < 0xa0) ? `\\u{${point.toString(16)}}` : character
}
