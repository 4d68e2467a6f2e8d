// lookup_json_string(field, key…), lookup_json_integer(field, key…), and the reader behind them (RFC 8259).
import { type Bytes, decodeUtf8, utf8 } from '../bytes.ts'
import { toInt } from '../int.ts'
import { BYTES, INT } from '../types.ts'
import type { Maybe } from '../values.ts'
import { defineFunction, type Parameter } from './definition.ts'
import { fieldBytes } from './parameters.ts'

/** Deeper documents are invalid. */
const MAX_JSON_DEPTH = 128

type JsonText = { readonly kind: 'text'; readonly value: string }
/** Numbers keep their spelling: `42` is an integer and `42.0` is not. */
type JsonNumber = { readonly kind: 'number'; readonly spelling: string }
type Json =
  | JsonText
  | JsonNumber
  | { readonly kind: 'word' }
  | { readonly kind: 'array'; readonly items: readonly Json[] }
  | { readonly kind: 'object'; readonly entries: ReadonlyMap<string, Json> }

const NUMBER = '-0123456789+.eE'
const WORDS = ['true', 'false', 'null']

/** Parses one document; any error makes the whole invalid. */
class JsonReader {
  private readonly text: string
  private at = 0

  constructor(text: string) {
    this.text = text
  }

  /** The document, or undefined if it is not valid JSON. */
  read(): Json | undefined {
    const value = this.value(0)
    this.space()
    return this.at === this.text.length ? value : undefined
  }

  private space(): void {
    while (this.at < this.text.length && ' \t\n\r'.includes(this.text.charAt(this.at))) this.at += 1
  }

  private take(token: string): boolean {
    this.space()
    if (!this.text.startsWith(token, this.at)) return false
    this.at += token.length
    return true
  }

  private value(depth: number): Json | undefined {
    this.space()
    if (depth > MAX_JSON_DEPTH) return undefined
    if (this.take('{')) return this.object(depth)
    if (this.take('[')) return this.array(depth)
    if (this.text[this.at] === '"') return this.string()
    return WORDS.some((word) => this.take(word)) ? { kind: 'word' } : this.number()
  }

  private object(depth: number): Json | undefined {
    const entries = new Map<string, Json>()
    if (this.take('}')) return { kind: 'object', entries }
    do {
      this.space()
      const key = this.string()
      const value = key !== undefined && this.take(':') ? this.value(depth + 1) : undefined
      if (key === undefined || value === undefined) return undefined
      entries.set(key.value, value)
    } while (this.take(','))
    return this.take('}') ? { kind: 'object', entries } : undefined
  }

  private array(depth: number): Json | undefined {
    const items: Json[] = []
    if (this.take(']')) return { kind: 'array', items }
    do {
      const item = this.value(depth + 1)
      if (item === undefined) return undefined
      items.push(item)
    } while (this.take(','))
    return this.take(']') ? { kind: 'array', items } : undefined
  }

  private string(): JsonText | undefined {
    if (this.text[this.at] !== '"') return undefined
    let end = this.at + 1
    while (end < this.text.length && this.text[end] !== '"') end += this.text[end] === '\\' ? 2 : 1
    const value = parseScalar(this.text.slice(this.at, end + 1))
    this.at = end + 1
    return typeof value === 'string' ? { kind: 'text', value } : undefined
  }

  private number(): JsonNumber | undefined {
    const start = this.at
    while (this.at < this.text.length && NUMBER.includes(this.text.charAt(this.at))) this.at += 1
    const spelling = this.text.slice(start, this.at)
    return typeof parseScalar(spelling) === 'number' ? { kind: 'number', spelling } : undefined
  }
}

/** One string or number, parsed by the platform. */
function parseScalar(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not a scalar: the document is invalid.
    return undefined
  }
}

/** The value under the keys: names in objects, positions in arrays. */
function lookUp(document: Bytes, keys: readonly Maybe[]): Json | undefined {
  let at = new JsonReader(decodeUtf8(document)).read()
  for (const key of keys) {
    if (at?.kind === 'object' && typeof key === 'string') at = at.entries.get(decodeUtf8(key))
    else if (at?.kind === 'array' && typeof key === 'number') at = at.items[key]
    else return undefined
  }
  return at
}

const isPlainInteger = (spelling: string): boolean => !['.', 'e', 'E'].some((mark) => spelling.includes(mark))

const key: Parameter = { name: 'key', kind: 'any', types: [BYTES, INT] }

export const lookupJsonString = defineFunction({
  name: 'lookup_json_string',
  summary: 'The string at a path of names and positions in a JSON document.',
  parameters: [fieldBytes('field'), key],
  rest: key,
  returns: BYTES,
  implement:
    () =>
    ([document, ...keys]) => {
      const found = typeof document === 'string' ? lookUp(document, keys) : undefined
      return found?.kind === 'text' ? utf8(found.value) : undefined
    },
})

export const lookupJsonInteger = defineFunction({
  name: 'lookup_json_integer',
  summary: 'The integer at such a path; numbers with a fraction or an exponent are none.',
  parameters: [fieldBytes('field'), key],
  rest: key,
  returns: INT,
  implement:
    () =>
    ([document, ...keys]) => {
      const found = typeof document === 'string' ? lookUp(document, keys) : undefined
      return found?.kind === 'number' && isPlainInteger(found.spelling)
        ? toInt(BigInt(found.spelling))
        : undefined
    },
})
