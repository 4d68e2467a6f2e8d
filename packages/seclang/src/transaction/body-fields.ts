// Parses bodies into named values: forms, multipart, JSON and XML.
import { type Bytes, percentDecode, utf8Bytes } from '../bytes.ts'

export interface Field {
  readonly name: Bytes
  readonly value: Bytes
}

export interface ParsedBody {
  readonly args: readonly Field[]
  /** Uploaded files: the name of the field, and the file's name. */
  readonly files: readonly (Field & { readonly size: number })[]
  /** Header lines of the parts of multipart, by the name of the field. */
  readonly partHeaders: readonly Field[]
  /** The text of an XML document, and the values of its attributes. */
  readonly xml: { readonly text: Bytes; readonly attributes: readonly Bytes[] } | undefined
  /** What is wrong with the body; empty if nothing is. */
  readonly error: string
  /** True if a limit left out the rest. */
  readonly isCut: boolean
}

export const NO_BODY: ParsedBody = {
  args: [],
  files: [],
  partHeaders: [],
  xml: undefined,
  error: '',
  isCut: false,
}

export type BodyProcessor = 'URLENCODED' | 'MULTIPART' | 'JSON' | 'XML' | ''

/** The processor for a content type, as ModSecurity and its recommended settings choose it. */
export function processorFor(contentType: Bytes): BodyProcessor {
  const type = contentType.toLowerCase()
  if (type.startsWith('application/x-www-form-urlencoded')) return 'URLENCODED'
  if (type.startsWith('multipart/form-data')) return 'MULTIPART'
  if (/^application\/(?:[a-z0-9.-]+\+)?json/.test(type)) return 'JSON'
  if (/^(?:application(?:\/soap\+|\/)|text\/)xml/.test(type)) return 'XML'
  return ''
}

/** @param most the maximum number of values */
export function parseBody(
  processor: BodyProcessor,
  body: Bytes,
  contentType: Bytes,
  most: number,
): ParsedBody {
  switch (processor) {
    case 'URLENCODED':
      return { ...NO_BODY, ...readForm(body, most) }
    case 'MULTIPART':
      return readMultipart(body, contentType, most)
    case 'JSON':
      return readJson(body, most)
    case 'XML':
      return readXml(body)
    case '':
      return NO_BODY
  }
}

/** `a=1&b=2`, decoded. */
export function readForm(
  text: Bytes,
  most: number,
): { readonly args: readonly Field[]; readonly isCut: boolean } {
  // Empty parts do not count, or a client could hide an argument behind them.
  const parts = text.split('&').filter((part) => part !== '')
  const args = parts.slice(0, most).map((part) => {
    const equals = part.indexOf('=')
    return equals === -1
      ? { name: percentDecode(part), value: '' }
      : { name: percentDecode(part.slice(0, equals)), value: percentDecode(part.slice(equals + 1)) }
  })
  return { args, isCut: parts.length > most }
}

const DISPOSITION = /^content-disposition:/i

function readMultipart(body: Bytes, contentType: Bytes, most: number): ParsedBody {
  const boundary = /boundary=(?:"([^"]{1,200})"|([^\s;,]{1,200}))/i.exec(contentType)
  const delimiter = boundary?.[1] ?? boundary?.[2]
  if (delimiter === undefined) return { ...NO_BODY, error: 'multipart without a boundary' }
  const chunks = body.split(`--${delimiter}`, most + 2).slice(1)
  const args: Field[] = []
  const files: (Field & { size: number })[] = []
  const partHeaders: Field[] = []
  for (const chunk of chunks.slice(0, most)) {
    if (chunk.startsWith('--')) break
    const part = splitPart(chunk)
    const disposition = part.headers.find((line) => DISPOSITION.test(line))
    const name = disposition === undefined ? undefined : parameter(disposition, 'name')
    const filename = disposition === undefined ? undefined : parameter(disposition, 'filename')
    for (const line of part.headers) partHeaders.push({ name: name ?? '_charset_', value: line })
    if (name === undefined) continue
    if (filename === undefined) args.push({ name, value: part.content })
    else files.push({ name, value: filename, size: part.content.length })
  }
  const isClosed = body.includes(`--${delimiter}--`)
  return {
    ...NO_BODY,
    args,
    files,
    partHeaders,
    error: isClosed ? '' : 'multipart: the final boundary is missing',
    isCut: chunks.length > most,
  }
}

function splitPart(chunk: Bytes): { readonly headers: readonly Bytes[]; readonly content: Bytes } {
  const start = /^[ \t]*\r?\n/.exec(chunk)?.[0].length ?? 0 // without a line break the headers begin at once
  const text = chunk.slice(start)
  const gap = /\r?\n\r?\n/.exec(text)
  const head = gap === null ? text : text.slice(0, gap.index)
  const content = gap === null ? '' : text.slice(gap.index + gap[0].length).replace(/\r?\n$/, '')
  const headers = head
    .replaceAll(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .filter((line) => line !== '')
  return { headers, content }
}

/** A parameter of a header: quoted with escapes, in single quotes, or bare. */
function parameter(line: Bytes, name: string): Bytes | undefined {
  const pattern = new RegExp(
    `[;\\s]${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\[\\s\\S])*)"|'([^']*)'|([^\\s;"]*))`,
    'i',
  )
  const found = pattern.exec(line)
  return found === null ? undefined : (found[1]?.replaceAll(/\\(["\\])/g, '$1') ?? found[2] ?? found[3])
}

const MAX_JSON_DEPTH = 512

/** Values as `json.a.b`, and those of lists as `json.a.array_0`. */
function readJson(body: Bytes, most: number): ParsedBody {
  if (body.trim() === '') return NO_BODY
  const reader = new JsonReader(body, most)
  const error = reader.read()
  return { ...NO_BODY, args: reader.args, error, isCut: reader.args.length >= most }
}

class JsonReader {
  readonly args: Field[] = []
  private at = 0
  private readonly text: Bytes
  private readonly most: number

  constructor(text: Bytes, most: number) {
    this.text = text
    this.most = most
  }

  /** @returns what is wrong; empty if nothing is */
  read(): string {
    try {
      this.readValue('json', 0)
      this.skipWhitespace()
      return this.at < this.text.length && this.args.length < this.most ? 'JSON: text after the document' : ''
    } catch (error) {
      return error instanceof Error ? error.message : 'JSON: not readable'
    }
  }

  private skipWhitespace(): void {
    while (' \t\r\n'.includes(this.text.charAt(this.at)) && this.at < this.text.length) this.at += 1
  }

  private readValue(name: Bytes, depth: number): void {
    if (this.args.length >= this.most) return
    if (depth > MAX_JSON_DEPTH) throw new Error('JSON: nested too deeply')
    this.skipWhitespace()
    const first = this.text.charAt(this.at)
    if (first === '{') return this.readMembers(name, depth)
    if (first === '[') return this.readElements(name, depth)
    if (first === '"') {
      this.args.push({ name, value: this.readString() })
      return
    }
    const word = this.readWord()
    if (!/^(?:true|false|null|-?\d[\d.eE+-]*)$/.test(word)) throw new Error('JSON: a value is missing')
    this.args.push({ name, value: word === 'null' ? '' : word })
  }

  private readWord(): Bytes {
    const start = this.at
    while (this.at < this.text.length && !'{}[]:,"" \t\r\n'.includes(this.text.charAt(this.at))) this.at += 1
    return this.text.slice(start, this.at)
  }

  private readMembers(name: Bytes, depth: number): void {
    this.at += 1
    this.skipWhitespace()
    if (this.eat('}')) return
    do {
      this.skipWhitespace()
      if (this.text.charAt(this.at) !== '"') throw new Error('JSON: a name is missing')
      const key = this.readString()
      this.skipWhitespace()
      if (!this.eat(':')) throw new Error('JSON: a colon is missing')
      this.readValue(`${name}.${key}`, depth + 1)
      this.skipWhitespace()
    } while (this.eat(',') && this.args.length < this.most)
    if (this.args.length < this.most && !this.eat('}')) throw new Error('JSON: an object is not closed')
  }

  private readElements(name: Bytes, depth: number): void {
    this.at += 1
    this.skipWhitespace()
    if (this.eat(']')) return
    let index = 0
    do {
      this.readValue(`${name}.array_${index}`, depth + 1)
      index += 1
      this.skipWhitespace()
    } while (this.eat(',') && this.args.length < this.most)
    if (this.args.length < this.most && !this.eat(']')) throw new Error('JSON: a list is not closed')
  }

  private eat(character: string): boolean {
    if (this.text.charAt(this.at) !== character) return false
    this.at += 1
    return true
  }

  private readString(): Bytes {
    const start = this.at + 1
    let end = start
    while (end < this.text.length && this.text.charAt(end) !== '"')
      end += this.text.charAt(end) === '\\' ? 2 : 1
    if (end >= this.text.length) throw new Error('JSON: a string is not closed')
    this.at = end + 1
    return unescapeJson(this.text.slice(start, end))
  }
}

const JSON_CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

const unescapeJson = (text: Bytes): Bytes =>
  text.includes('\\')
    ? text.replaceAll(
        /\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|\\u([0-9a-fA-F]{4})|\\([\s\S])/g,
        (_, high?: string, low?: string, unit?: string, plain?: string) => {
          if (high !== undefined && low !== undefined) {
            const lead = Number.parseInt(high, 16) - 0xd800
            return utf8Bytes(0x10000 + (lead << 10) + Number.parseInt(low, 16) - 0xdc00)
          }
          if (unit !== undefined) return utf8Bytes(Number.parseInt(unit, 16))
          const character = String(plain)
          return JSON_CONTROLS[character] ?? character
        },
      )
    : text

const XML_TOKEN =
  /<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)|<!--[\s\S]*?(?:-->|$)|<[?!][^>]*>?|<\/[^>]*>?|<([^\s/>]+)([^>]*)>?|([^<]+)/g
const XML_ATTRIBUTE = /[^\s=/]+\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const XML_ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Lenient: no document is refused except one without an element. */
function readXml(body: Bytes): ParsedBody {
  let text = ''
  let elements = 0
  const attributes: Bytes[] = []
  for (const [, data, name, inside, plain] of body.matchAll(XML_TOKEN)) {
    if (data !== undefined) text += data
    else if (plain !== undefined) text += elements > 0 ? unescapeXml(plain) : ''
    else if (name !== undefined) {
      elements += 1
      for (const [, double, single] of String(inside).matchAll(XML_ATTRIBUTE)) {
        attributes.push(unescapeXml(String(double ?? single)))
      }
    }
  }
  const error = elements === 0 && body.trim() !== '' ? 'XML: no element' : ''
  return { ...NO_BODY, xml: { text, attributes }, error }
}

const unescapeXml = (text: Bytes): Bytes =>
  text.includes('&')
    ? text.replaceAll(
        /&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|([a-z]{2,4}));/g,
        (all: string, hex?: string, decimal?: string, name?: string) => {
          if (name !== undefined) return XML_ENTITIES[name] ?? all
          return utf8Bytes(Math.min(0x10ffff, hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)))
        },
      )
    : text
