// The texts of a JSON document, read leniently: a parser would keep only the last of two equal names and give up at the
// first fault, and what it does not see could still be an attack on a server that reads otherwise.
import { type Bytes, utf8 } from '@zonereeve/expr'

export interface JsonText {
  readonly text: Bytes
  readonly isName: boolean
  /** The name that was read last before it. */
  readonly under: Bytes
}

/** True if the first character that is not white space opens an object or a list. */
export const looksLikeJson = (bytes: Bytes): boolean =>
  /^[\s\u00ef\u00bb\u00bf]*[[{]/.test(bytes.slice(0, 64))

/** Names, texts and bare words in order of appearance, at most `most`. Reads any bytes, each once. */
export function readJsonTexts(bytes: Bytes, most: number): readonly JsonText[] {
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
  /** Undefined for punctuation, white space, and words that say nothing. */
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
  return { text: isEscaped ? unescaped(raw) : raw, isQuoted: true, end: end + 1 }
}

const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

function unescaped(text: Bytes): Bytes {
  return text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_, unit?: string, character?: string) =>
    character === undefined
      ? utf8(String.fromCharCode(Number.parseInt(unit ?? '', 16)))
      : (CONTROLS[character] ?? character),
  )
}
