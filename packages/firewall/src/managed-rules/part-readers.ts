// The texts of each part of a request, read when they are needed.
import {
  asciiLower,
  type Bytes,
  type Pair,
  percentDecode,
  type RequestFacts,
  splitAt,
  splitQuery,
} from '@zonereeve/expr'
import { type BodyStrings, decodePair, MAX_STRINGS, MOST_READ, readBody } from './body-strings.ts'
import { MAX_DIGITS, textInBase64 } from './encoded-text.ts'
import { NamedText } from './named-text.ts'
import type { PartText, RequestPart } from './request-parts.ts'

export const MAX_TARGET_BYTES = 32 * 1024
export const MAX_HEADER_BYTES = 16 * 1024
/** Values of one kind that are decoded. */
export const MAX_DECODED = 100

const NONE: readonly PartText[] = []

/** Most requests are asked for nearly all parts: fields cost less than a function for each. */
export class PartReaders {
  /** The headers with their names in lower case. */
  private readonly lines: readonly NamedText[]
  private readonly facts: RequestFacts
  private readonly target: Bytes
  private readonly path: Bytes
  private readonly query: Bytes
  private readQueryPairs: readonly Pair[] | undefined
  private readCookiePairs: readonly Pair[] | undefined
  private readCookieValues: DecodedValues | undefined
  private readBodyStrings: BodyStrings | undefined
  private readArgs: DecodedValues | undefined
  private headersByName: ReadonlyMap<Bytes, readonly PartText[]> | undefined
  private argsByName: ReadonlyMap<Bytes, readonly PartText[]> | undefined

  constructor(facts: RequestFacts) {
    this.facts = facts
    this.target = facts.target.slice(0, MAX_TARGET_BYTES)
    const [path, query] = splitAt(this.target, this.target.indexOf('?'))
    this.path = path
    this.query = query
    this.lines = facts.headers.map(
      ([name, value]) =>
        new NamedText('http.request.headers', asciiLower(name), value.slice(0, MAX_HEADER_BYTES), false),
    )
  }

  partOf(part: RequestPart): readonly PartText[] {
    const { facts } = this
    switch (part) {
      case 'method':
        return one('http.request.method', facts.method)
      case 'version':
        return one('http.request.version', facts.version)
      case 'host':
        return one('http.host', facts.host)
      case 'uri':
        return one('http.request.uri', this.target)
      case 'path':
        return one('http.request.uri.path', this.path)
      case 'query':
        return this.query === '' ? [] : one('http.request.uri.query', this.query)
      case 'args':
        return this.args().values
      case 'arg-names':
        return [...namesOfQuery(this.queryPairs()), ...this.body().names]
      case 'cookies':
        return this.cookieValues().values
      case 'cookie-names':
        return this.cookies().map(([text]) => ({ field: 'http.cookie', text, isOfBody: false }))
      case 'headers':
        return this.lines.filter(({ name }) => !OTHER_HEADERS.has(name))
      case 'header-names':
        return this.lines.map(({ name: text }) => ({
          field: 'http.request.headers.names',
          text,
          isOfBody: false,
        }))
      case 'user-agent':
      case 'referer':
      case 'content-type':
        return this.headersNamed(part)
      case 'filenames':
        return this.body().filenames
      case 'files':
        return this.body().files
      case 'body':
        return this.body().raw
      default:
        return part.startsWith('header:')
          ? this.headersNamed(part.slice('header:'.length))
          : this.argsNamed(part.slice('arg:'.length))
    }
  }

  isBodyCut(): boolean {
    return this.body().isCut
  }

  /** A field with values in base64 that are not decoded, or not to their end; undefined if there is none. */
  undecodedField(): string | undefined {
    if (this.args().isCut) return 'http.request.uri.args'
    return this.cookieValues().isCut ? 'http.request.cookies' : undefined
  }

  named(kind: 'arg' | 'header'): readonly NamedText[] {
    return kind === 'header' ? this.lines : this.inspectedArgs()
  }

  /** @param name in lower case */
  hasHeader(name: Bytes): boolean {
    const { lines } = this
    if (lines.length > FEW_HEADERS) return this.headersNamed(name).length > 0
    for (let i = 0; i < lines.length; i += 1) if ((lines[i] as NamedText).name === name) return true // within the list
    return false
  }

  /** @param name in lower case */
  private headersNamed(name: Bytes): readonly PartText[] {
    const { lines } = this
    if (lines.length <= FEW_HEADERS) return linesNamed(lines, name)
    this.headersByName ??= groupByName(lines)
    return this.headersByName.get(name) ?? NONE // not sent
  }

  private argsNamed(name: Bytes): readonly PartText[] {
    this.argsByName ??= groupByName(this.inspectedArgs())
    return this.argsByName.get(name) ?? NONE // not sent
  }

  private queryPairs(): readonly Pair[] {
    return (this.readQueryPairs ??= splitQuery(this.query, MOST_READ).map(decodePair))
  }

  private cookies(): readonly Pair[] {
    return (this.readCookiePairs ??= this.headersNamed('cookie').flatMap(({ text }) => readCookies(text)))
  }

  private cookieValues(): DecodedValues {
    return (this.readCookieValues ??= withDecoded(this.cookies().map(cookieText)))
  }

  private body(): BodyStrings {
    if (this.readBodyStrings === undefined) {
      const bytes = this.facts.body?.bytes ?? '' // without a body there is nothing to parse
      const contentType = this.headersNamed('content-type')[0]?.text ?? '' // not sent
      this.readBodyStrings = readBody(bytes, contentType)
    }
    return this.readBodyStrings
  }

  private args(): DecodedValues {
    return (this.readArgs ??= withDecoded([...this.queryPairs().map(queryText), ...this.body().values]))
  }

  private inspectedArgs(): readonly NamedText[] {
    const { values } = this.args()
    return values.length > MAX_STRINGS ? values.slice(0, MAX_STRINGS) : values
  }
}

const one = (field: string, text: Bytes): readonly PartText[] => [{ field, text, isOfBody: false }]

const queryText = ([name, text]: Pair): NamedText => new NamedText('http.request.uri.args', name, text, false)

const cookieText = ([name, text]: Pair): NamedText => new NamedText('http.request.cookies', name, text, false)

const namesOfQuery = (pairs: readonly Pair[]): readonly PartText[] =>
  pairs.map(([text]) => ({ field: 'http.request.uri.args.names', text, isOfBody: false }))

/** @param name in lower case */
function linesNamed(lines: readonly NamedText[], name: Bytes): readonly PartText[] {
  let found: PartText[] | undefined
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] as NamedText // within the list
    if (line.name === name) (found ??= []).push(line)
  }
  return found ?? NONE // not sent
}

/** More are grouped before they are looked up. */
const FEW_HEADERS = 32

/** Headers with a part of their own, and those with credentials. */
const OTHER_HEADERS = new Set([
  'cookie',
  'user-agent',
  'referer',
  'content-type',
  'host',
  'authorization',
  'proxy-authorization',
])

interface DecodedValues {
  /** As sent, and after them the texts of those that are base64. */
  readonly values: readonly NamedText[]
  /** True if more would be decoded without the limits. */
  readonly isCut: boolean
}

function withDecoded(values: readonly NamedText[]): DecodedValues {
  const decoded: NamedText[] = []
  let isCut = false
  for (const value of values) {
    const text = textInBase64(value.text)
    if (text === undefined) continue
    if (decoded.length === MAX_DECODED) {
      isCut = true
      break
    }
    isCut ||= value.text.length > MAX_DIGITS
    decoded.push(value.withText(text))
  }
  return { values: decoded.length === 0 ? values : [...values, ...decoded], isCut }
}

/** In lower case, because applications differ in how they read names. */
function groupByName(strings: readonly NamedText[]): ReadonlyMap<Bytes, readonly PartText[]> {
  const groups = new Map<Bytes, PartText[]>()
  for (const string of strings) {
    const key = asciiLower(string.name)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [string])
    else group.push(string)
  }
  return groups
}

function readCookies(header: Bytes): readonly Pair[] {
  const pairs: Pair[] = []
  for (let at = 0; at < header.length;) {
    const found = header.indexOf(';', at)
    const end = found === -1 ? header.length : found
    const part = header.slice(at, end).trim()
    at = end + 1
    if (part === '') continue
    const [name, value] = splitAt(part, part.indexOf('='))
    pairs.push([percentDecode(name), percentDecode(value)])
  }
  return pairs
}
