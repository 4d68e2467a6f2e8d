// Zone-file text as tokens: quoting, escapes, comments and parentheses (RFC 1035 §5.1). Knows no record type.

import { codePointAt } from './checked-reads.ts'
import { NameError, TextError } from './errors.ts'
import { joinName } from './name-tree.ts'
import { parseName } from './name.ts'
import type { Name } from './name.ts'
import { utf8Octets } from './octets.ts'

/** A word or a quoted string of an entry. */
export interface Token {
  /** As written, escapes intact; without the quotes around a quoted string. */
  readonly text: string
  readonly quoted: boolean
  /** Code units from the start of the text to `text`. */
  readonly offset: number
}

/** One entry: the tokens up to a line end outside parentheses. */
export interface Entry {
  readonly tokens: readonly Token[]
  /** Whether the entry began with whitespace, which repeats the previous owner (RFC 1035 §5.1). */
  readonly indented: boolean
  /** Code units from the start of the text to the end of the entry. */
  readonly end: number
}

/** Reads the entry that begins at `start`; undefined if only whitespace and comments are left. @throws TextError */
export function readEntry(text: string, start = 0): Entry | undefined {
  if (start === 0 && !SPECIAL.test(text)) return readWords(text)
  const scan: Scan = { text, at: start, depth: 0, tokens: [], indented: /[ \t]/.test(text.charAt(start)) }
  while (scan.at < text.length) {
    const character = text.charAt(scan.at)
    if (character === '\n' && scan.depth === 0) {
      scan.at += 1
      if (scan.tokens.length > 0) break
      scan.indented = /[ \t]/.test(text.charAt(scan.at))
    } else if (WHITESPACE.includes(character)) scan.at += 1
    else if (character === ';') skipComment(scan)
    else if (character === '(' || character === ')') parenthesis(scan, character)
    else scan.tokens.push(character === '"' ? quotedToken(scan) : wordToken(scan))
  }
  if (scan.depth > 0) throw new TextError('text.parenthesis', scan.at, 'a parenthesis is not closed')
  return scan.tokens.length === 0 ? undefined : { tokens: scan.tokens, indented: scan.indented, end: scan.at }
}

/** Without any of these, a text is one entry of words. */
const SPECIAL = /["();\\\n]/

/** Most entries: several times as fast as looking for everything else at each character. */
function readWords(text: string): Entry | undefined {
  const tokens: Token[] = []
  for (let at = 0; at < text.length; at += 1) {
    if (isSpace(text.charCodeAt(at))) continue
    const offset = at
    while (at < text.length && !isSpace(text.charCodeAt(at))) at += 1
    tokens.push({ text: text.slice(offset, at), quoted: false, offset })
  }
  return tokens.length === 0 ? undefined : { tokens, indented: /^[ \t]/.test(text), end: text.length }
}

/** Space, tab or carriage return. */
const isSpace = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0d

/** The tokens of one entry, read in order. Errors say what was expected and where. */
export class TokenReader {
  readonly #tokens: readonly Token[]
  readonly #end: number
  #at = 0
  /** Names without a trailing dot are below it; without an origin they are absolute. */
  readonly origin: Name | undefined

  constructor(
    entry: Pick<Entry, 'tokens' | 'end'>,
    { origin, skip = 0 }: { origin?: Name | undefined; skip?: number } = {},
  ) {
    this.#tokens = entry.tokens
    this.#end = entry.end
    this.#at = skip
    this.origin = origin
  }

  /** Start of the next token, or the end of the entry. */
  get offset(): number {
    return this.#tokens[this.#at]?.offset ?? this.#end
  }

  /** Tokens left. */
  get remaining(): number {
    return this.#tokens.length - this.#at
  }

  /** The next token, without consuming it. */
  peek(): Token | undefined {
    return this.#tokens[this.#at]
  }

  /** The next token. @throws TextError `text.missing` */
  next(): Token {
    const token = this.#tokens[this.#at]
    if (token === undefined) throw new TextError('text.missing', this.#end, 'a field is missing')
    this.#at += 1
    return token
  }

  /** A decimal number without sign; the field checks its range. @throws TextError `text.number` */
  number(): number {
    const { text, quoted, offset } = this.next()
    if (quoted || !/^\d+$/.test(text)) throw new TextError('text.number', offset, `${text} is not a number`)
    return Number(text)
  }

  /** A domain name, relative to the origin if there is one. @throws TextError with the name's rule */
  name(): Name {
    const { text, quoted, offset } = this.next()
    if (quoted) throw new TextError('text.quoted-name', offset, 'a name must not be quoted')
    try {
      return this.origin === undefined ? parseName(text) : joinName(text, this.origin)
    } catch (error) {
      if (error instanceof NameError) throw new TextError(error.rule, offset + error.offset, error.message)
      throw error
    }
  }

  /** The octets of a word or quoted string, escapes resolved. @throws TextError `text.bad-escape` */
  octets(): Uint8Array {
    const { text, offset } = this.next()
    return unescapeOctets(text, offset)
  }

  /** @throws TextError `text.trailing` unless every token has been read. */
  done(): void {
    if (this.remaining > 0)
      throw new TextError('text.trailing', this.offset, 'nothing may follow the last field')
  }
}

/**
 * Octets of text with `\X` and `\DDD` escapes; other characters above 0x7f as UTF-8. `offset` is added to error positions.
 * @throws TextError `text.bad-escape`
 */
export function unescapeOctets(text: string, offset = 0): Uint8Array {
  const octets: number[] = []
  for (let at = 0; at < text.length;) {
    if (text[at] !== '\\') {
      const codePoint = codePointAt(text, at)
      octets.push(...utf8Octets(codePoint))
      at += codePoint > 0xffff ? 2 : 1
      continue
    }
    const escape = /^\\(?:([01]\d\d|2[0-4]\d|25[0-5])|[^\d\n])/u.exec(text.slice(at, at + 4))
    if (escape === null) throw new TextError('text.bad-escape', offset + at, 'bad escape after a backslash')
    const [whole, decimal] = escape
    octets.push(...(decimal === undefined ? utf8Octets(codePointAt(whole, 1)) : [Number(decimal)]))
    at += whole.length
  }
  return Uint8Array.from(octets)
}

/** A quoted string: `"` and `\` escaped, octets outside 0x20..0x7e as `\DDD`. Reads back to the same octets. */
export function quoteOctets(octets: Uint8Array): string {
  let text = '"'
  for (const octet of octets) text += escapedOctet(octet, '"\\', 0x20)
  return `${text}"`
}

/** A word without quotes where possible: `""` only for no octets. Reads back to the same octets. */
export function wordOctets(octets: Uint8Array): string {
  if (octets.length === 0) return '""'
  let text = ''
  for (const octet of octets) text += escapedOctet(octet, '"\\();', 0x21)
  return text
}

function escapedOctet(octet: number, special: string, lowest: number): string {
  if (octet < lowest || octet > 0x7e) return `\\${String(octet).padStart(3, '0')}`
  const character = String.fromCharCode(octet)
  return special.includes(character) ? `\\${character}` : character
}

interface Scan {
  readonly text: string
  readonly tokens: Token[]
  at: number
  depth: number
  indented: boolean
}

/** Whitespace between tokens; a line end counts only inside parentheses. */
const WHITESPACE = ' \t\r\n'

function skipComment(scan: Scan): void {
  const end = scan.text.indexOf('\n', scan.at)
  scan.at = end === -1 ? scan.text.length : end
}

/** Parentheses may nest in most implementations, though RFC 1035 §5.1 requires only one level. */
function parenthesis(scan: Scan, character: '(' | ')'): void {
  scan.depth += character === '(' ? 1 : -1
  if (scan.depth < 0) throw new TextError('text.parenthesis', scan.at, 'a parenthesis was not opened')
  scan.at += 1
}

function quotedToken(scan: Scan): Token {
  const offset = scan.at + 1
  skipQuoted(scan)
  return { text: scan.text.slice(offset, scan.at - 1), quoted: true, offset }
}

/**
 * A word ends at whitespace or a special character; a quoted part inside it belongs to it (`alpn="h2"`, RFC 9460
 * §2.1).
 */
function wordToken(scan: Scan): Token {
  const offset = scan.at
  while (scan.at < scan.text.length && !`${WHITESPACE};()`.includes(scan.text.charAt(scan.at))) {
    if (scan.text[scan.at] === '"') skipQuoted(scan)
    else scan.at += scan.text[scan.at] === '\\' ? 2 : 1
  }
  scan.at = Math.min(scan.at, scan.text.length)
  return { text: scan.text.slice(offset, scan.at), quoted: false, offset }
}

function skipQuoted(scan: Scan): void {
  const start = scan.at
  scan.at += 1
  while (scan.text[scan.at] !== '"') {
    if (scan.at >= scan.text.length || scan.text[scan.at] === '\n') {
      throw new TextError('text.unbalanced-quote', start, 'a quote is not closed')
    }
    scan.at += scan.text[scan.at] === '\\' ? 2 : 1
  }
  scan.at += 1
}
