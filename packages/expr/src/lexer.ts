// Reads tokens and literals off the source, one function a token. Which literal is read next is decided by the
// type on the left of the operator, so there is no token stream: the parser asks for what it expects.
import { type ExprErrorKind, quoted, type Span } from './errors.ts'

/** A refusal on its way up. Not an `Error`: arguments are read by trial, and traces would cost more than reading. */
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

/** A place in the source. Reading moves it; a fault leaves it anywhere. */
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

  /** The UTF-16 unit `ahead` places on, or NaN behind the end. */
  unit(ahead = 0): number {
    return this.at + ahead < this.end ? this.source.charCodeAt(this.at + ahead) : Number.NaN
  }

  /** The code point here as text, or nothing behind the end. */
  character(): string {
    if (this.isAtEnd) return ''
    const point = this.source.codePointAt(this.at) ?? 0
    return String.fromCodePoint(point)
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
    if (!this.take(token)) throw this.fault('expected-literal', `expected literal ${quoted(token)}`)
  }

  /** Moves past spaces, carriage returns and line feeds. A tab is not space inside an expression. */
  skipSpace(): void {
    while (this.at < this.end && isSpace(this.source.charCodeAt(this.at))) this.at += 1
  }

  /** Reads the longest run of fitting ASCII characters. @throws Fault: there is none. */
  takeWhile(name: string, fits: (unit: number) => boolean): string {
    const start = this.at
    while (this.at < this.end && fits(this.source.charCodeAt(this.at))) this.at += 1
    if (this.at === start) throw this.fault('expected-name', `expected ${name}`)
    return this.source.slice(start, this.at)
  }

  /** Reads exactly `count` code points. @throws Fault: the source ends before. */
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

  /** A fault here, or over the given span; without an end it runs to the end of the source. */
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

/** Reads the first of the spellings that is here; they are tried in order, without word boundaries. */
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
    throw cursor.fault('invalid-list-name', `invalid list name ${quoted(name)}`, start)
  }
  return name
}

const isListNameUnit = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) || isDigit(unit) || unit === 0x5f || unit === 0x2e

/** The bounds of the source without White_Space at either end (tabs and all of Unicode's); of blank text, its start. */
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
