// Splits a request into parts once, so that hundreds of rules can inspect them. No octets make it fail.
import {
  asciiLower,
  type Bytes,
  decodeUtf8,
  type EvaluationContext,
  isArray,
  type MultipartPart,
  type Pair,
  parseMultipart,
  percentDecode,
  requestContext,
  type RequestFacts,
  requestScheme,
  type Scheme,
  splitAt,
  splitQuery,
} from '@zonereeve/expr'
import { MAX_DIGITS, MIN_DIGITS, textInBase64 } from './encoded-text.ts'
import { type JsonText, looksLikeJson, readJsonStrings } from './json-strings.ts'
import type { PartText, RequestPart } from './request-parts.ts'
import { RequestWork } from './request-work.ts'
import { looksLikeXml, readXmlStrings, type XmlString } from './xml-strings.ts'

/** Characters created by one call: its arguments go on the stack. */
const LATIN1_CHUNK = 8_192

/** The rest of the body is not inspected. */
export const MAX_BODY_BYTES = 128 * 1024
const MAX_TARGET_BYTES = 32 * 1024
const MAX_HEADER_BYTES = 16 * 1024
/** Maximum texts of one part. */
const MAX_STRINGS = 2000
/** One more is read, so that it is known whether there are more. */
const MOST_READ = MAX_STRINGS + 1
/** Maximum parts of a multipart body. */
const MAX_PARTS = 1000
/** Maximum inspected octets of an uploaded file. */
const MAX_FILE_BYTES = 16 * 1024
const MAX_FIELD_NAME = 64
/** Values of one kind that are decoded. */
const MAX_DECODED = 100
/** Smaller requests have neither more texts than are inspected nor more values than are decoded. */
const SMALL_BYTES = Math.min(MAX_STRINGS - MAX_DECODED, MIN_DIGITS * (MAX_DECODED + 1))

export interface InspectedRequest {
  /** As given, with the inspected part of the body. */
  readonly facts: RequestFacts
  /** The fields of the expression language for the same request. */
  readonly context: EvaluationContext
  readonly stringsOf: (part: RequestPart) => readonly PartText[]
  /** All arguments, or headers, with their names. */
  readonly named: (kind: 'arg' | 'header') => readonly NamedText[]
  /** @param name in lower case */
  readonly hasHeader: (name: Bytes) => boolean
  /** A field of which a part is beyond a limit and is not inspected; undefined if there is none. */
  readonly cutField: () => string | undefined
  /** Of all managed rules together. */
  readonly work: RequestWork
}

/** The scheme of detections that are expressions. */
export const DETECTION_SCHEME: Scheme = requestScheme()

/** The value of a Bytes field of the language; empty if the request has none. */
export function fieldText({ context }: InspectedRequest, name: string): Bytes {
  const slot = DETECTION_SCHEME.fields.get(name)?.slot
  const value = slot === undefined ? undefined : context.read(slot)
  const first = isArray(value) ? value[0] : value
  return typeof first === 'string' ? first : ''
}

/**
 * Splits a request. Parts are computed on first use.
 * @param body the octets of the body as received, of any length; if it is empty, `facts.body` is used
 */
export function inspect(facts: RequestFacts, body: Uint8Array): InspectedRequest {
  const inspected = withBody(facts, body)
  const context = once(() => requestContext(DETECTION_SCHEME, inspected))
  // Many zones have no rule that inspects anything.
  const readers = once(() => partReaders(inspected))
  const known: (readonly PartText[] | undefined)[] = []
  /** Most parts are read once. */
  const readPart = (part: RequestPart): readonly PartText[] => {
    const counted = COUNTED_NAMES.indexOf(part)
    return counted === -1 ? readers().partOf(part) : (known[counted] ??= readers().partOf(part))
  }
  const cutField = (): string | undefined => {
    if (inspected.body?.isTruncated === true) return 'http.request.body.raw'
    if (isBelowLimits(inspected)) return undefined
    if (readers().isBodyCut()) return 'http.request.body.raw'
    if (inspected.target.length > MAX_TARGET_BYTES) return 'http.request.uri'
    if (inspected.headers.some(([, value]) => value.length > MAX_HEADER_BYTES)) return 'http.request.headers'
    return (
      COUNTED_PARTS.find(([part]) => readPart(part).length > MAX_STRINGS)?.[1] ?? readers().undecodedField()
    )
  }
  return {
    facts: inspected,
    get context() {
      return context()
    },
    stringsOf: (part) => firstOf(readPart(part)),
    named: (kind) => readers().named(kind),
    hasHeader: (name) => readers().headersNamed(name).length > 0,
    cutField,
    work: new RequestWork(),
  }
}

/**
 * Small requests need no split: each text is made of at least an octet, and each decoded one of `MIN_DIGITS` more, so
 * that there are too few of them for any limit.
 */
function isBelowLimits({ target, headers, body }: RequestFacts): boolean {
  let size = target.length + headers.length
  if (body !== undefined) size += body.bytes.length
  for (let i = 0; size < SMALL_BYTES && i < headers.length; i += 1) size += headers[i]?.[1].length ?? 0 // within the list
  return size < SMALL_BYTES
}

const firstOf = (strings: readonly PartText[]): readonly PartText[] =>
  strings.length > MAX_STRINGS ? strings.slice(0, MAX_STRINGS) : strings

/** Parts that can have many strings, and their fields. */
const COUNTED_PARTS: readonly (readonly [RequestPart, string])[] = [
  ['args', 'http.request.uri.args'],
  ['arg-names', 'http.request.uri.args.names'],
  ['cookies', 'http.request.cookies'],
  ['headers', 'http.request.headers'],
  ['files', 'http.request.body.multipart'],
]
const COUNTED_NAMES = COUNTED_PARTS.map(([part]) => part)

function withBody(facts: RequestFacts, body: Uint8Array): RequestFacts {
  if (body.length === 0) {
    const given = facts.body
    if (given === undefined || given.bytes.length <= MAX_BODY_BYTES) return facts
    return { ...facts, body: { ...given, bytes: given.bytes.slice(0, MAX_BODY_BYTES), isTruncated: true } }
  }
  const remaining = body.subarray(0, MAX_BODY_BYTES)
  const bytes = latin1(remaining)
  const isTruncated = remaining.length < body.length
  return { ...facts, body: { bytes, sizeBytes: body.length, isTruncated } }
}

/** Converts each byte to the character with its number. */
function latin1(bytes: Uint8Array): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += LATIN1_CHUNK)
    // Spread, the bytes would become an array first.
    text += String.fromCharCode.apply(
      null,
      bytes.subarray(start, start + LATIN1_CHUNK) as unknown as number[],
    ) // array-like
  return text
}

/** The body, parsed by its type or its appearance. */
interface BodyStrings {
  readonly values: readonly NamedText[]
  readonly names: readonly PartText[]
  readonly filenames: readonly PartText[]
  readonly files: readonly PartText[]
  readonly raw: readonly PartText[]
  /** True if there is more than is inspected. */
  readonly isCut: boolean
}

/** A value with the name it was sent under. The field is written when a rule matches. */
class NamedText implements PartText {
  readonly name: Bytes
  readonly text: Bytes
  readonly isOfBody: boolean
  private readonly kind: string

  constructor(kind: string, name: Bytes, text: Bytes, isOfBody: boolean) {
    this.kind = kind
    this.name = name
    this.text = text
    this.isOfBody = isOfBody
  }

  get field(): string {
    return fieldKey(this.kind, this.name)
  }

  withText(text: Bytes): NamedText {
    return new NamedText(this.kind, this.name, text, this.isOfBody)
  }
}

const NONE: readonly PartText[] = []

interface PartReaders {
  readonly isBodyCut: () => boolean
  /** A field with values in base64 that are not decoded, or not to their end; undefined if there is none. */
  readonly undecodedField: () => string | undefined
  readonly partOf: (part: RequestPart) => readonly PartText[]
  readonly named: InspectedRequest['named']
  readonly headersNamed: (name: Bytes) => readonly PartText[]
}

function partReaders(facts: RequestFacts): PartReaders {
  const target = facts.target.slice(0, MAX_TARGET_BYTES)
  const [path, query] = splitAt(target, target.indexOf('?'))
  const headers = facts.headers.map(
    ([name, value]) => [asciiLower(name), value.slice(0, MAX_HEADER_BYTES)] as const,
  )
  const lines = headers.map(([name, text]) => new NamedText('http.request.headers', name, text, false))
  const headersByName = once(() => groupByName(lines))
  const headersNamed = (name: Bytes): readonly PartText[] =>
    lines.length > FEW_HEADERS ? (headersByName().get(name) ?? NONE) : linesNamed(lines, name) // not sent
  const queryPairs = once(() => splitQuery(query, MOST_READ).map(decodePair))
  const cookies = once(() => headersNamed('cookie').flatMap(({ text }) => readCookies(text)))
  const cookieValues = once(() => withDecoded(cookies().map(cookieText)))
  // Without a body or a type there is nothing to parse.
  const body = once(() => readBody(facts.body?.bytes ?? '', headersNamed('content-type')[0]?.text ?? ''))
  const one = (field: string, text: Bytes): readonly PartText[] => [{ field, text, isOfBody: false }]
  const args = once(() =>
    withDecoded([
      ...queryPairs().map(([name, text]) => new NamedText('http.request.uri.args', name, text, false)),
      ...body().values,
    ]),
  )
  const inspectedArgs = once(() => {
    const { values } = args()
    return values.length > MAX_STRINGS ? values.slice(0, MAX_STRINGS) : values
  })
  const argsByName = once(() => groupByName(inspectedArgs()))

  const partOf = (part: RequestPart): readonly PartText[] => {
    switch (part) {
      case 'method':
        return one('http.request.method', facts.method)
      case 'version':
        return one('http.request.version', facts.version)
      case 'host':
        return one('http.host', facts.host)
      case 'uri':
        return one('http.request.uri', target)
      case 'path':
        return one('http.request.uri.path', path)
      case 'query':
        return query === '' ? [] : one('http.request.uri.query', query)
      case 'args':
        return args().values
      case 'arg-names':
        return [...namesOfQuery(queryPairs()), ...body().names]
      case 'cookies':
        return cookieValues().values
      case 'cookie-names':
        return cookies().map(([text]) => ({ field: 'http.cookie', text, isOfBody: false }))
      case 'headers':
        return lines.filter(({ name }) => !OTHER_HEADERS.has(name))
      case 'header-names':
        return headers.map(([text]) => ({ field: 'http.request.headers.names', text, isOfBody: false }))
      case 'user-agent':
      case 'referer':
      case 'content-type':
        return headersNamed(part)
      case 'filenames':
        return body().filenames
      case 'files':
        return body().files
      case 'body':
        return body().raw
      default:
        return part.startsWith('header:')
          ? headersNamed(part.slice('header:'.length))
          : (argsByName().get(part.slice('arg:'.length)) ?? NONE) // not sent
    }
  }
  return {
    partOf,
    isBodyCut: () => body().isCut,
    undecodedField: () =>
      args().isCut ? 'http.request.uri.args' : cookieValues().isCut ? 'http.request.cookies' : undefined,
    headersNamed,
    named: (kind) => (kind === 'header' ? lines : inspectedArgs()),
  }
}

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

const once = <T>(compute: () => T): (() => T) => {
  let known: { readonly result: T } | undefined
  return () => (known ??= { result: compute() }).result
}

/** Nearly all names need no decoding and no escapes. */
const PLAIN_NAME = /^[\w.-]{1,64}$/
const fieldKey = (field: string, key: Bytes): string =>
  PLAIN_NAME.test(key)
    ? `${field}["${key}"]`
    : `${field}[${JSON.stringify(decodeUtf8(key.slice(0, MAX_FIELD_NAME)))}]`

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

/** Decodes as in a form: a plus is a space. */
const decodeForm = (text: Bytes): Bytes =>
  percentDecode(text.includes('+') ? text.replaceAll('+', ' ') : text)
const decodePair = ([name, value]: Pair): Pair => [decodeForm(name), decodeForm(value)]

function readCookies(header: Bytes): readonly Pair[] {
  return header
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part): Pair => {
      const [name, value] = splitAt(part, part.indexOf('='))
      return [percentDecode(name), percentDecode(value)]
    })
}

const NO_STRINGS: BodyStrings = { values: [], names: [], filenames: [], files: [], raw: [], isCut: false }

function readBody(bytes: Bytes, contentType: Bytes): BodyStrings {
  if (bytes === '') return NO_STRINGS
  const type = asciiLower(contentType)
  if (type.startsWith('application/x-www-form-urlencoded')) return readForm(bytes)
  if (type.startsWith('multipart/')) {
    const parts = parseMultipart(bytes, contentType, MAX_PARTS + 1)
    if (parts.length > 0) return readMultipart(parts)
  }
  if (type.includes('json') || looksLikeJson(bytes)) return readJson(bytes)
  if (/[/+]xml\b/.test(type) || looksLikeXml(bytes)) return readXml(bytes)
  // Applications read forms of other types, too. The body as received is inspected beside its values.
  if (FORM_BEGINNING.test(bytes.slice(0, 128))) return { ...readForm(bytes), raw: rawBody(bytes) }
  return { ...NO_STRINGS, raw: rawBody(bytes) }
}

/** A name without whitespace and an equals sign. */
const FORM_BEGINNING = /^[\w.%[\]-]{1,64}=[^=]/

const rawBody = (bytes: Bytes): readonly PartText[] => [
  { field: 'http.request.body.raw', text: bytes, isOfBody: true },
]

function readForm(bytes: Bytes): BodyStrings {
  const pairs = splitQuery(bytes, MOST_READ).map(decodePair)
  return {
    ...NO_STRINGS,
    values: pairs.map(([name, text]) => new NamedText('http.request.body.form', name, text, true)),
    names: pairs.map(([text]) => ({ field: 'http.request.body.form.names', text, isOfBody: true })),
  }
}

function readMultipart(all: readonly MultipartPart[]): BodyStrings {
  const parts = all.slice(0, MAX_PARTS)
  const files = parts.flatMap(({ filename, ...part }) =>
    filename === undefined ? [] : [{ ...part, filename }],
  )
  const fields = parts.filter(({ filename }) => filename === undefined)
  return {
    raw: [],
    isCut: all.length > MAX_PARTS || files.some(({ value }) => value.length > MAX_FILE_BYTES),
    values: fields.map(
      ({ name = '', value }) => new NamedText('http.request.body.multipart', name, value, true),
    ),
    names: parts.map(({ name = '' }) => ({
      field: 'http.request.body.multipart.names',
      text: name,
      isOfBody: true,
    })),
    filenames: files.map(({ filename }) => ({
      field: 'http.request.body.multipart.filenames',
      text: filename,
      isOfBody: true,
    })),
    files: files.map(({ name = '', value }) => ({
      field: fieldKey('http.request.body.multipart', name),
      text: value.slice(0, MAX_FILE_BYTES),
      isOfBody: true,
    })),
  }
}

/** The document as received, too: markup is an attack elsewhere. */
function readXml(bytes: Bytes): BodyStrings {
  return { ...toBodyStrings(readXmlStrings(bytes, MOST_READ)), raw: rawBody(bytes) }
}

const readJson = (bytes: Bytes): BodyStrings => toBodyStrings(readJsonStrings(bytes, MOST_READ))

/** Names of a document repeat; each is inspected once. */
function toBodyStrings(strings: readonly (JsonText | XmlString)[]): BodyStrings {
  const values: NamedText[] = []
  const names = new Set<Bytes>()
  for (const { isName, under, text } of strings.slice(0, MAX_STRINGS)) {
    if (isName) names.add(text)
    else values.push(new NamedText('http.request.body.raw', under, text, true))
  }
  return {
    ...NO_STRINGS,
    values,
    isCut: strings.length > MAX_STRINGS,
    names: Array.from(names, (text) => ({ field: 'http.request.body.raw', text, isOfBody: true })),
  }
}
