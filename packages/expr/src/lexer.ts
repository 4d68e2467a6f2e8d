// Reads tokens and literals from the source, one function per token. The type on the left of an operator decides
// which literal is read next, so there is no token stream: the parser requests what it expects.
import { codePointAt } from './checked-reads.ts'
import { type ExprErrorKind, quote, type Span } from './errors.ts'

/**
 * An error on its way up. Not an `Error`: arguments are parsed by trial, and stack traces would cost more than
 * parsing.
 */
export class Fault {
  readonly kind: ExprErrorKind
  readonly message: string
  readonly span: Span

  constructor(kind: ExprErrorKind, message: string, start: number, end: number) {
    this.kind = kind
    this.message = message
    this.span = { start, end }
  }
}

/** A position in the source. Reading moves it; after a fault it is undefined. */
export class Cursor {
  readonly source: string
  readonly end: number
  at: number

  constructor(source: string, start: number, end: number) {
    this.source = source
    this.at = start
    this.end = end
  }

  get isAtEnd(): boolean {
    return this.at >= this.end
  }

  /** The UTF-16 unit `ahead` positions on, or NaN beyond the end. */
  unit(ahead = 0): number {
    return this.at + ahead < this.end ? this.source.charCodeAt(this.at + ahead) : Number.NaN
  }

  /** The code point here as a string, or an empty string at the end. */
  character(): string {
    if (this.isAtEnd) return ''
    return String.fromCodePoint(codePointAt(this.source, this.at))
  }

  sees(token: string): boolean {
    return this.source.startsWith(token, this.at) && this.at + token.length <= this.end
  }

  /** Moves past the token if it is here. */
  take(token: string): boolean {
    if (!this.sees(token)) return false
    this.at += token.length
    return true
  }

  expect(token: string): void {
    if (!this.take(token)) throw this.fault('expected-literal', `expected literal ${quote(token)}`)
  }

  /** Moves past spaces, carriage returns and line feeds. A tab is not whitespace inside an expression. */
  skipSpace(): void {
    while (this.at < this.end && isSpace(this.source.charCodeAt(this.at))) this.at += 1
  }

  /** Reads the longest run of matching ASCII characters. @throws Fault if there is none. */
  takeWhile(name: string, fits: (unit: number) => boolean): string {
    const start = this.at
    while (this.at < this.end && fits(this.source.charCodeAt(this.at))) this.at += 1
    if (this.at === start) throw this.fault('expected-name', `expected ${name}`)
    return this.source.slice(start, this.at)
  }

  /** Reads exactly `count` code points. @throws Fault if the source ends before. */
  takeCharacters(count: number): string {
    const start = this.at
    for (let found = 0; found < count; found += 1) {
      if (this.isAtEnd) {
        const message = `expected ${count} characters, but found ${found}`
        throw this.fault('count-mismatch', message, start)
      }
      this.at += this.character().length
    }
    return this.source.slice(start, this.at)
  }

  /** A fault here, or over the given span; without an end it extends to the end of the source. */
  fault(kind: ExprErrorKind, message: string, start = this.at, end = this.end): Fault {
    return new Fault(kind, message, start, end)
  }
}

const isSpace = (unit: number): boolean => unit === 0x20 || unit === 0x0a || unit === 0x0d

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39
const isLetter = (unit: number): boolean => (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a)

/** 0-9, A-F, a-f. */
export const isHexDigit = (unit: number): boolean =>
  isDigit(unit) || (unit >= 0x41 && unit <= 0x46) || (unit >= 0x61 && unit <= 0x66)

/** Letters, digits and the underscore. */
export const isNameUnit = (unit: number): boolean => isLetter(unit) || isDigit(unit) || unit === 0x5f

/** Reads a dotted name. The name need not exist. */
export function readIdentifier(cursor: Cursor): string {
  const start = cursor.at
  do cursor.takeWhile('identifier character', isNameUnit)
  while (cursor.take('.'))
  return cursor.source.slice(start, cursor.at)
}

/** Reads the first spelling that matches; they are tried in order, without word boundaries. */
export function takeOperator<Name extends string>(
  cursor: Cursor,
  spellings: readonly (readonly [string, Name])[],
): Name | undefined {
  for (const [token, name] of spellings) if (cursor.take(token)) return name
  return undefined
}

/** Reads `$name`: lower-case letters, digits, `_`, and inner dots. */
export function readListName(cursor: Cursor): string {
  cursor.expect('$')
  const start = cursor.at
  while (isListNameUnit(cursor.unit())) cursor.at += 1
  const name = cursor.source.slice(start, cursor.at) || cursor.character()
  if (cursor.at === start || name.startsWith('.') || name.endsWith('.')) {
    throw cursor.fault('invalid-list-name', `invalid list name ${quote(name)}`, start)
  }
  return name
}

const isListNameUnit = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) || isDigit(unit) || unit === 0x5f || unit === 0x2e

/**
 * The bounds of the source without White_Space at either end (tabs and all of Unicode's); for a blank source, its
 * start.
 */
export function trimmedSpan(source: string): Span {
  let start = 0
  let end = source.length
  while (start < end && isWhiteSpace(source.charCodeAt(start))) start += 1
  if (start === end) return { start: 0, end: 0 }
  while (isWhiteSpace(source.charCodeAt(end - 1))) end -= 1
  return { start, end }
}

function isWhiteSpace(unit: number): boolean {
  if (unit <= 0x20) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d)
  if (unit < 0x1680) return unit === 0x85 || unit === 0xa0
  return unit === 0x1680 || (unit >= 0x2000 && unit <= 0x200a) || WIDE_SPACES.includes(unit)
}

const WIDE_SPACES: readonly number[] = [0x2028, 0x2029, 0x202f, 0x205f, 0x3000]
