// The texts of a JSON document, parsed leniently. A strict parser keeps only the last of two equal names and stops at
// the first error; what it does not see could still attack a server that parses differently.
import { type Bytes, utf8 } from '@zonereeve/expr'

export interface JsonText {
  readonly text: Bytes
  readonly isName: boolean
  /** The last name before it. */
  readonly under: Bytes
}

/** True if the first non-whitespace character opens an object or an array. */
export const looksLikeJson = (bytes: Bytes): boolean =>
  /^[\s\u00ef\u00bb\u00bf]*[[{]/.test(bytes.slice(0, 64))

/** Names, strings and bare words in order of appearance, at most `most`. Accepts any bytes and reads each once. */
export function readJsonStrings(bytes: Bytes, most: number): readonly JsonText[] {
  const out: JsonText[] = []
  let under = ''
  let at = 0
  while (at < bytes.length && out.length < most) {
    const kind = kindAt(bytes, at)
    if (kind === PUNCTUATION) {
      at += 1
      continue
    }
    if (kind === QUOTE) {
      const end = endOfQuoted(bytes, at + 1)
      const raw = bytes.slice(at + 1, end)
      const text = raw.includes('\\') ? unescapeJson(raw) : raw
      at = end + 1
      const isName = isColonNext(bytes, at)
      if (isName) under = text
      out.push({ text, isName, under })
      continue
    }
    const start = at
    let isNumber = true
    for (; at < bytes.length; at += 1) {
      const other = kindAt(bytes, at)
      if (other === PUNCTUATION || other === QUOTE) break
      if (other !== OF_NUMBER) isNumber = false
    }
    if (isNumber) continue
    const text = bytes.slice(start, at)
    if (!LITERALS.has(text)) out.push({ text, isName: false, under })
  }
  return out
}

/** What a byte is outside of quotes. */
const OTHER = 0
const PUNCTUATION = 1
const QUOTE = 2
/** In numbers; words of these bytes alone are none that are inspected. */
const OF_NUMBER = 3
const KINDS = new Uint8Array(256).fill(OTHER)
for (const byte of '{}[]:, \t\r\n') KINDS[byte.charCodeAt(0)] = PUNCTUATION
for (const byte of '0123456789.eE+-') KINDS[byte.charCodeAt(0)] = OF_NUMBER
KINDS['"'.charCodeAt(0)] = QUOTE

const kindAt = (bytes: Bytes, at: number): number => KINDS[bytes.charCodeAt(at)] ?? OTHER // every byte has a kind

const LITERALS: ReadonlySet<string> = new Set(['true', 'false', 'null'])

const QUOTE_UNIT = 0x22
const BACKSLASH_UNIT = 0x5c
const COLON_UNIT = 0x3a

/** The place of the quote that ends the string; at or behind the end of the bytes if there is none. */
function endOfQuoted(bytes: Bytes, start: number): number {
  let end = start
  for (; end < bytes.length; end += 1) {
    const unit = bytes.charCodeAt(end)
    if (unit === QUOTE_UNIT) break
    if (unit === BACKSLASH_UNIT) end += 1
  }
  return end
}

/** Whitespace before the colon of a name; after more of it, a string counts as a value. */
const MAX_BEFORE_COLON = 15
const WHITESPACE = /\s/

function isColonNext(bytes: Bytes, at: number): boolean {
  if (bytes.charCodeAt(at) === COLON_UNIT) return true
  let next = at
  while (next < at + MAX_BEFORE_COLON && WHITESPACE.test(bytes.charAt(next))) next += 1
  return next > at && bytes.charCodeAt(next) === COLON_UNIT
}

const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

function unescapeJson(text: Bytes): Bytes {
  return text.replaceAll(
    /\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g,
    (_, unit: string | undefined, character: string) =>
      unit === undefined
        ? (CONTROLS[character] ?? character)
        : utf8(String.fromCharCode(Number.parseInt(unit, 16))),
  )
}
