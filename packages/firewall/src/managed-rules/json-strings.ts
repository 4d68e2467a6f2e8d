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
    const token = readToken(bytes, at)
    at = token.end
    if (token.text === undefined) continue
    const isName = token.isQuoted && /^\s*:/.test(bytes.slice(at, at + 16))
    if (isName) under = token.text
    out.push({ text: token.text, isName, under })
  }
  return out
}

interface Token {
  /** Undefined for punctuation, whitespace, and literals such as `true`. */
  readonly text: Bytes | undefined
  readonly isQuoted: boolean
  readonly end: number
}

const PUNCTUATION = '{}[]:, \t\r\n'

function readToken(bytes: Bytes, at: number): Token {
  const first = bytes.charAt(at)
  if (first === '"') return readQuoted(bytes, at + 1)
  if (PUNCTUATION.includes(first)) return { text: undefined, isQuoted: false, end: at + 1 }
  let end = at
  while (end < bytes.length && bytes[end] !== '"' && !PUNCTUATION.includes(bytes.charAt(end))) end += 1
  const word = bytes.slice(at, end)
  return { text: /^(?:true|false|null|-?[\d.eE+-]+)$/.test(word) ? undefined : word, isQuoted: false, end }
}

function readQuoted(bytes: Bytes, start: number): Token {
  let end = start
  let isEscaped = false
  while (end < bytes.length && bytes[end] !== '"') {
    if (bytes[end] === '\\') {
      isEscaped = true
      end += 1
    }
    end += 1
  }
  const raw = bytes.slice(start, end)
  return { text: isEscaped ? unescapeJson(raw) : raw, isQuoted: true, end: end + 1 }
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
