// The literal after `matches`: a quoted or raw string that keeps its backslashes.
import type { Span } from '../errors.ts'
import type { Cursor } from '../lexer.ts'
import { readRaw } from './bytes.ts'

/** A pattern, and the span for errors in it. */
export type PatternLiteral = { readonly pattern: string; readonly span: Span }

/** Reads a pattern. In quotes, `\"` is a quote unless inside a character class, where a bare quote may stand. */
export function readPattern(cursor: Cursor): PatternLiteral {
  if (cursor.isAtEnd) throw cursor.fault('unrecognised-input', 'unrecognised input')
  if (cursor.take('"')) return readQuotedPattern(cursor)
  if (cursor.take('r')) {
    const pattern = readRaw(cursor)
    // The reference reports a bad raw pattern at what follows it.
    return { pattern, span: { start: cursor.at, end: cursor.end } }
  }
  throw cursor.fault('expected-name', 'expected " or r')
}

function readQuotedPattern(cursor: Cursor): PatternLiteral {
  const start = cursor.at
  let pattern = ''
  let isInClass = false
  for (;;) {
    if (cursor.isAtEnd) throw cursor.fault('missing-ending-quote', 'could not find an ending quote', start)
    const character = cursor.character()
    cursor.at += character.length
    if (character === '"' && !isInClass) return { pattern, span: { start, end: cursor.at - 1 } }
    if (character === '\\') {
      const escaped = cursor.character()
      cursor.at += escaped.length
      pattern += escaped === '"' && !isInClass ? escaped : `\\${escaped}`
    } else {
      if (character === '[') isInClass = true
      if (character === ']') isInClass = false
      pattern += character
    }
  }
}
