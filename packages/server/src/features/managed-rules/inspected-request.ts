// A request taken apart once, so that hundreds of rules can look at its parts. Nothing here fails on any octets.
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
import { looksLikeJson, readJsonTexts } from './json-texts.ts'
import type { PartText, RequestPart } from './request-parts.ts'

/** What follows is not looked at. */
export const MAX_BODY_BYTES = 128 * 1024
const MAX_TARGET_BYTES = 32 * 1024
const MAX_HEADER_BYTES = 16 * 1024
/** Texts of one part. */
const MAX_TEXTS = 2000
/** Of an uploaded file. */
const MAX_FILE_BYTES = 16 * 1024
const MAX_FIELD_NAME = 64

export interface InspectedRequest {
  /** As given, with the body as far as it is inspected. */
  readonly facts: RequestFacts
  /** The fields of the expression language over the same request. */
  readonly context: EvaluationContext
  readonly textsOf: (part: RequestPart) => readonly PartText[]
}

/** The scheme of detections that are expressions. */
export const DETECTION_SCHEME: Scheme = requestScheme()

/** The value of a field of the language that holds octets; empty where the request has none. */
export function fieldText({ context }: InspectedRequest, name: string): Bytes {
  const slot = DETECTION_SCHEME.fields.get(name)?.slot
  const value = slot === undefined ? undefined : context.read(slot)
  const first = isArray(value) ? value[0] : value
  return typeof first === 'string' ? first : ''
}

/**
 * Takes a request apart. Parts are read when they are first asked for.
 * @param body the octets of the body as received, however long; `facts.body` counts where this is empty
 */
export function inspect(facts: RequestFacts, body: Uint8Array): InspectedRequest {
  const inspected = withBody(facts, body)
  const context = requestContext(DETECTION_SCHEME, inspected)
  const readers = partReaders(inspected)
  const known = new Map<RequestPart, readonly PartText[]>()
  const textsOf = (part: RequestPart): readonly PartText[] => {
    let texts = known.get(part)
    if (texts === undefined) {
      texts = readers(part).slice(0, MAX_TEXTS)
      known.set(part, texts)
    }
    return texts
  }
  return { facts: inspected, context, textsOf }
}

function withBody(facts: RequestFacts, body: Uint8Array): RequestFacts {
  if (body.length === 0) {
    const given = facts.body
    if (given === undefined || given.bytes.length <= MAX_BODY_BYTES) return facts
    return { ...facts, body: { ...given, bytes: given.bytes.slice(0, MAX_BODY_BYTES), isTruncated: true } }
  }
  const kept = body.subarray(0, MAX_BODY_BYTES)
  const bytes = Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength).toString('latin1')
  const isTruncated = kept.length < body.length
  return { ...facts, body: { bytes, sizeBytes: body.length, isTruncated } }
}

/** The body in the form that its type, or its look, says. */
interface BodyTexts {
  readonly values: readonly NamedText[]
  readonly names: readonly PartText[]
  readonly filenames: readonly PartText[]
  readonly files: readonly PartText[]
  readonly raw: readonly PartText[]
}

/** A value with the name under which it was sent. */
interface NamedText extends PartText {
  readonly name: Bytes
}

const NONE: readonly PartText[] = []

type PartReader = (part: RequestPart) => readonly PartText[]

function partReaders(facts: RequestFacts): PartReader {
  const target = facts.target.slice(0, MAX_TARGET_BYTES)
  const [path, query] = splitAt(target, target.indexOf('?'))
  const headers = facts.headers.map(
    ([name, value]) => [asciiLower(name), value.slice(0, MAX_HEADER_BYTES)] as const,
  )
  const named = (wanted: Bytes) => headers.filter(([name]) => name === wanted)
  const headerTexts = (wanted: Bytes) =>
    named(wanted).map(([, text]) => ({ field: headerField(wanted), text }))
  const queryPairs = once(() => splitQuery(query).map(decodePair))
  const cookies = once(() => named('cookie').flatMap(([, value]) => readCookies(value)))
  const body = once(() => readBody(facts.body?.bytes ?? '', named('content-type')[0]?.[1] ?? ''))
  const one = (field: string, text: Bytes): readonly PartText[] => [{ field, text }]
  const args = once((): readonly NamedText[] => [
    ...queryPairs().map(([name, text]) => ({ field: keyed('http.request.uri.args', name), text, name })),
    ...body().values,
  ])
  const argsByName = once(() => groupByName(args()))

  return (part) => {
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
        return args()
      case 'arg-names':
        return [
          ...queryPairs().map(([text]) => ({ field: 'http.request.uri.args.names', text })),
          ...body().names,
        ]
      case 'cookies':
        return cookies().map(([name, text]) => ({ field: keyed('http.request.cookies', name), text }))
      case 'cookie-names':
        return cookies().map(([text]) => ({ field: 'http.cookie', text }))
      case 'headers':
        return headers
          .filter(([name]) => !OTHER_HEADERS.has(name))
          .map(([name, text]) => ({ field: headerField(name), text }))
      case 'header-names':
        return headers.map(([text]) => ({ field: 'http.request.headers.names', text }))
      case 'user-agent':
      case 'referer':
      case 'content-type':
        return headerTexts(part)
      case 'filenames':
        return body().filenames
      case 'files':
        return body().files
      case 'body':
        return body().raw
      default:
        return part.startsWith('header:')
          ? headerTexts(part.slice('header:'.length))
          : (argsByName().get(part.slice('arg:'.length)) ?? NONE)
    }
  }
}

/** Headers with a part of their own, and those that carry credentials. */
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

const headerField = (name: Bytes): string => keyed('http.request.headers', name)
const keyed = (field: string, key: Bytes): string =>
  `${field}[${JSON.stringify(decodeUtf8(key.slice(0, MAX_FIELD_NAME)))}]`

/** In lower case: applications read names as they like. */
function groupByName(texts: readonly NamedText[]): ReadonlyMap<Bytes, readonly PartText[]> {
  const groups = new Map<Bytes, PartText[]>()
  for (const { name, ...text } of texts) {
    const key = asciiLower(name)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [text])
    else group.push(text)
  }
  return groups
}

/** As a form is decoded: a plus is a space. */
const decodeForm = (text: Bytes): Bytes => percentDecode(text.replaceAll('+', ' '))
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

const NO_TEXTS: BodyTexts = { values: [], names: [], filenames: [], files: [], raw: [] }

function readBody(bytes: Bytes, contentType: Bytes): BodyTexts {
  if (bytes === '') return NO_TEXTS
  const type = asciiLower(contentType)
  if (type.startsWith('application/x-www-form-urlencoded')) return readForm(bytes)
  if (type.startsWith('multipart/')) {
    const parts = parseMultipart(bytes, contentType)
    if (parts.length > 0) return readMultipart(parts)
  }
  if (type.includes('json') || looksLikeJson(bytes)) return readJson(bytes)
  return { ...NO_TEXTS, raw: [{ field: 'http.request.body.raw', text: bytes }] }
}

function readForm(bytes: Bytes): BodyTexts {
  const pairs = splitQuery(bytes).map(decodePair)
  return {
    ...NO_TEXTS,
    values: pairs.map(([name, text]) => ({ field: keyed('http.request.body.form', name), text, name })),
    names: pairs.map(([text]) => ({ field: 'http.request.body.form.names', text })),
  }
}

function readMultipart(parts: readonly MultipartPart[]): BodyTexts {
  const files = parts.filter(({ filename }) => filename !== undefined)
  const fields = parts.filter(({ filename }) => filename === undefined)
  return {
    raw: [],
    values: fields.map(({ name, value }) => ({
      field: keyed('http.request.body.multipart', name ?? ''),
      text: value,
      name: name ?? '',
    })),
    names: parts.map(({ name }) => ({ field: 'http.request.body.multipart.names', text: name ?? '' })),
    filenames: files.map(({ filename }) => ({
      field: 'http.request.body.multipart.filenames',
      text: filename ?? '',
    })),
    files: files.map(({ name, value }) => ({
      field: keyed('http.request.body.multipart', name ?? ''),
      text: value.slice(0, MAX_FILE_BYTES),
    })),
  }
}

function readJson(bytes: Bytes): BodyTexts {
  const texts = readJsonTexts(bytes, MAX_TEXTS)
  return {
    ...NO_TEXTS,
    values: texts
      .filter(({ isName }) => !isName)
      .map(({ under, text }) => ({ field: keyed('http.request.body.raw', under), text, name: under })),
    names: texts.filter(({ isName }) => isName).map(({ text }) => ({ field: 'http.request.body.raw', text })),
  }
}
