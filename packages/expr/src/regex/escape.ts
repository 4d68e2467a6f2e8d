// Everything that starts with a backslash.
import type { PatternReader } from './reader.ts'
import type { Assertion, Ast, LiteralAst, PerlAst, PropertyAst } from './syntax.ts'

export type EscapeAst = LiteralAst | PerlAst | PropertyAst | Extract<Ast, { kind: 'assertion' }>

const CONTROL: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 }

const ASSERTIONS: Readonly<Record<string, Assertion>> = {
  A: 'start-text',
  z: 'end-text',
  B: 'not-word',
  '<': 'word-start',
  '>': 'word-end',
}

const SPECIAL_BOUNDARIES: Readonly<Record<string, Assertion>> = {
  start: 'word-start',
  end: 'word-end',
  'start-half': 'word-start-half',
  'end-half': 'word-end-half',
}

const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }

/** Reads an escape; the reader is at the backslash. */
export function readEscape(reader: PatternReader): EscapeAst {
  const start = reader.at
  if (!reader.step()) {
    throw reader.fault('incomplete escape sequence, reached end of pattern prematurely', start, reader.at)
  }
  const c = reader.peek()
  if (c >= '0' && c <= '9') throw reader.fault('backreferences are not supported', start, reader.at + 1)
  const digits = HEX_DIGITS[c]
  if (digits !== undefined) return readHex(reader, start, digits)
  if (c === 'p' || c === 'P') return readProperty(reader, start, c === 'P')
  const lower = c.toLowerCase()
  if (lower === 'd' || lower === 's' || lower === 'w') {
    reader.step()
    return { kind: 'perl', name: lower, negated: c !== lower, span: { start, end: reader.at } }
  }
  reader.step()
  const span = { start, end: reader.at }
  if (c === 'b') return { kind: 'assertion', assertion: readBoundary(reader, start), span }
  const assertion = ASSERTIONS[c]
  if (assertion !== undefined) return { kind: 'assertion', assertion, span }
  const point = CONTROL[c] ?? (isEscapable(c) ? c.charCodeAt(0) : undefined)
  if (point === undefined) throw reader.fault('unrecognized escape sequence', start, reader.at)
  return { kind: 'literal', point, isByte: false, span }
}

/** ASCII that means itself after a backslash: everything except letters and digits. */
const isEscapable = (c: string): boolean => c.charCodeAt(0) < 0x80 && !isWordCharacter(c)
const isWordCharacter = (c: string): boolean =>
  (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')

const isHex = (c: string): boolean => c !== '' && '0123456789abcdefABCDEF'.includes(c)

function readHex(reader: PatternReader, escapeStart: number, digits: number): LiteralAst {
  const isShort = digits === 2
  if (!reader.stepOver()) throw unfinishedFault(reader)
  if (reader.peek() === '{') return readBracedHex(reader, escapeStart)
  const start = reader.at
  let text = ''
  for (let i = 0; i < digits; i += 1) {
    if (i > 0 && !reader.stepOver()) throw unfinishedFault(reader)
    if (!isHex(reader.peek())) throw invalidDigit(reader)
    text += reader.peek()
  }
  reader.stepOver()
  return hexLiteral(reader, text, start, reader.at, escapeStart, isShort)
}

function readBracedHex(reader: PatternReader, escapeStart: number): LiteralAst {
  const brace = reader.at
  const start = brace + 1
  let text = ''
  while (reader.stepOver() && reader.peek() !== '}') {
    if (!isHex(reader.peek())) throw invalidDigit(reader)
    text += reader.peek()
  }
  if (reader.isAtEnd) throw unfinishedFault(reader, brace)
  const end = reader.at
  reader.stepOver()
  if (text === '') throw reader.fault('hexadecimal literal empty', brace, reader.at)
  return hexLiteral(reader, text, start, end, escapeStart, false)
}

function hexLiteral(
  reader: PatternReader,
  text: string,
  start: number,
  end: number,
  escapeStart: number,
  isByte: boolean,
): LiteralAst {
  const point = Number.parseInt(text, 16)
  if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
    throw reader.fault('hexadecimal literal is not a Unicode scalar value', start, end)
  }
  return { kind: 'literal', point, isByte, span: { start: escapeStart, end: reader.at } }
}

const invalidDigit = (reader: PatternReader) =>
  reader.fault('invalid hexadecimal digit', reader.at, reader.at + 1)

const unfinishedFault = (reader: PatternReader, start = reader.at) =>
  reader.fault('incomplete escape sequence, reached end of pattern prematurely', start, reader.at)

function readProperty(reader: PatternReader, start: number, negated: boolean): PropertyAst {
  if (!reader.stepOver()) throw unfinishedFault(reader)
  let name = ''
  if (reader.peek() === '{') {
    while (reader.stepOver() && reader.peek() !== '}') name += reader.peek()
    if (reader.isAtEnd) throw unfinishedFault(reader)
    reader.step()
  } else {
    if (reader.peek() === '\\') {
      throw reader.fault('invalid Unicode character class', reader.at, reader.at + 1)
    }
    name = reader.peek()
    reader.stepOver()
  }
  return { kind: 'property', name, negated, span: { start, end: reader.at } }
}

/** After `\b`: a name in braces makes it one-sided; a number in braces is a repetition and is not read here. */
function readBoundary(reader: PatternReader, boundaryStart: number): Assertion {
  if (reader.peek() !== '{') return 'word'
  const start = reader.at
  if (!reader.stepOver()) {
    throw reader.fault(
      'found either the beginning of a special word boundary or a bounded repetition on a \\b with an opening brace, but no closing brace',
      boundaryStart,
      reader.at,
    )
  }
  const nameStart = reader.at
  if (!isBoundaryCharacter(reader.peek())) {
    reader.at = start
    return 'word'
  }
  let name = ''
  while (isBoundaryCharacter(reader.peek())) {
    name += reader.peek()
    reader.stepOver()
  }
  if (reader.peek() !== '}') {
    const reason = 'special word boundary assertion is either unclosed or contains an invalid character'
    throw reader.fault(reason, start, reader.at)
  }
  const nameEnd = reader.at
  reader.step()
  const boundary = SPECIAL_BOUNDARIES[name]
  if (boundary === undefined) {
    const reason =
      'unrecognized special word boundary assertion, valid choices are: start, end, start-half or end-half'
    throw reader.fault(reason, nameStart, nameEnd)
  }
  return boundary
}

const isBoundaryCharacter = (c: string): boolean =>
  c === '-' || (isWordCharacter(c) && !(c >= '0' && c <= '9'))
