// The collections of a request and its response that rules read, computed on first use.
import { type Bytes, percentDecode } from '../bytes.ts'
import {
  type BodyProcessor,
  type Field,
  NO_BODY,
  type ParsedBody,
  parseBody,
  processorFor,
  readForm,
} from './body-fields.ts'
import { type HttpRequest, type HttpResponse, headerValues } from './http-message.ts'

/** A value that a rule inspects. */
export interface Entry {
  /** The part behind the colon, as sent; empty for collections with one value. */
  readonly key: Bytes
  readonly value: Bytes
  /** True if it is a part of the body, which has less work than the rest. */
  readonly isOfBody?: true
}

/**
 * Where two versions of ModSecurity differ: version 3 decodes the target once before rules see it, and has a
 * `REQUEST_BODY` for every body; version 2 does neither.
 */
export type Dialect = 2 | 3

export const MAX_ARGUMENTS = 1000

type Reader = (from: RequestCollections) => readonly Entry[]

const one = (value: Bytes): readonly Entry[] => [{ key: '', value }]
const toEntries = (fields: readonly Field[]): readonly Entry[] =>
  fields.map(({ name, value }) => ({ key: name, value }))
const names = (fields: readonly Field[]): readonly Entry[] =>
  fields.map(({ name }) => ({ key: name, value: name }))
/** The same of a body. */
const bodyEntries = (fields: readonly Field[]): readonly Entry[] =>
  fields.map(({ name, value }) => ({ key: name, value, isOfBody: true }))
const bodyNames = (fields: readonly Field[]): readonly Entry[] =>
  fields.map(({ name }) => ({ key: name, value: name, isOfBody: true }))
const wholeBody = (value: Bytes): readonly Entry[] => [{ key: '', value, isOfBody: true }]
/** Work on the body is left out first, so that it comes last. */
const both = (query: readonly Entry[], body: readonly Entry[]): readonly Entry[] =>
  body.length === 0 ? query : [...query, ...body]
const sizeOf = (fields: readonly Field[]): number =>
  fields.reduce((sum, { name, value }) => sum + name.length + value.length, 0)

/** Each collection that is read from the messages. `TX` and the like belong to the run of the rules. */
const READERS: Readonly<Record<string, Reader>> = {
  ARGS: (from) => both(toEntries(from.query().args), bodyEntries(from.body().args)),
  ARGS_COMBINED_SIZE: (from) => one(String(sizeOf(from.args()))),
  ARGS_GET: (from) => toEntries(from.query().args),
  ARGS_GET_NAMES: (from) => names(from.query().args),
  ARGS_NAMES: (from) => both(names(from.query().args), bodyNames(from.body().args)),
  ARGS_POST: (from) => bodyEntries(from.body().args),
  ARGS_POST_NAMES: (from) => bodyNames(from.body().args),
  FILES: (from) => bodyEntries(from.body().files),
  FILES_COMBINED_SIZE: (from) => one(String(from.body().files.reduce((sum, { size }) => sum + size, 0))),
  FILES_NAMES: (from) => bodyNames(from.body().files),
  FILES_SIZES: (from) => from.body().files.map(({ name, size }) => ({ key: name, value: String(size) })),
  MULTIPART_FILENAME: (from) => bodyEntries(from.body().files),
  MULTIPART_NAME: (from) => bodyNames(from.body().files),
  MULTIPART_PART_HEADERS: (from) => bodyEntries(from.body().partHeaders),
  MULTIPART_STRICT_ERROR: (from) =>
    one(from.processor === 'MULTIPART' && from.body().error !== '' ? '1' : '0'),
  MULTIPART_UNMATCHED_BOUNDARY: () => one('0'),
  FULL_REQUEST: (from) => (from.request.body === '' ? one : wholeBody)(from.fullRequest()),
  FULL_REQUEST_LENGTH: (from) => one(String(from.fullRequest().length)),
  PATH_INFO: (from) => one(from.path()),
  QUERY_STRING: (from) => one(from.queryString()),
  REMOTE_ADDR: ({ request }) => one(request.remoteAddress),
  REMOTE_HOST: ({ request }) => one(request.remoteAddress),
  REQBODY_ERROR: (from) => one(from.body().error === '' ? '0' : '1'),
  REQBODY_ERROR_MSG: (from) => one(from.body().error),
  REQBODY_PROCESSOR: ({ processor }) => one(processor),
  REQBODY_PROCESSOR_ERROR: (from) => one(from.body().error === '' ? '0' : '1'),
  REQUEST_BASENAME: (from) => one(/[^/\\]*$/.exec(from.path())?.[0] ?? ''), // matches every path
  REQUEST_BODY: (from) => (from.hasRequestBody() ? wholeBody(from.request.body) : []),
  REQUEST_BODY_LENGTH: ({ request }) => one(String(request.body.length)),
  REQUEST_COOKIES: (from) => toEntries(from.cookies()),
  REQUEST_COOKIES_NAMES: (from) => names(from.cookies()),
  REQUEST_FILENAME: (from) => one(from.path()),
  REQUEST_HEADERS: ({ request }) => request.headers.map(([key, value]) => ({ key, value })),
  REQUEST_HEADERS_NAMES: ({ request }) => request.headers.map(([key]) => ({ key, value: key })),
  REQUEST_LINE: ({ request }) => one(`${request.method} ${request.target} ${request.version}`),
  REQUEST_METHOD: ({ request }) => one(request.method),
  REQUEST_PROTOCOL: ({ request }) => one(request.version),
  REQUEST_URI: (from) => one(from.uri()),
  REQUEST_URI_RAW: ({ request }) => one(request.target),
  RESPONSE_BODY: ({ response }) => (response === undefined ? [] : wholeBody(response.body)),
  RESPONSE_CONTENT_LENGTH: ({ response }) =>
    response === undefined ? [] : one(String(response.body.length)),
  RESPONSE_CONTENT_TYPE: ({ response }) =>
    response === undefined ? [] : headerValues(response.headers, 'content-type').flatMap(one),
  RESPONSE_HEADERS: ({ response }) =>
    response === undefined ? [] : response.headers.map(([key, value]) => ({ key, value })),
  RESPONSE_HEADERS_NAMES: ({ response }) =>
    response === undefined ? [] : response.headers.map(([key]) => ({ key, value: key })),
  RESPONSE_PROTOCOL: ({ response }) => (response === undefined ? [] : one(response.version)),
  RESPONSE_STATUS: ({ response }) => (response === undefined ? [] : one(String(response.status))),
  SERVER_NAME: ({ request }) => headerValues(request.headers, 'host').slice(0, 1).flatMap(one),
  STATUS_LINE: ({ response }) =>
    response === undefined ? [] : one(`${response.version} ${response.status}`),
  // An XPath that is neither of the two is reported when rules are compiled.
  XML: (from) => from.xml(),
}

export const isMessageCollection = (name: string): boolean => Object.hasOwn(READERS, name)

/** Collections whose values can be others once the body is there. */
const READ_FROM_BODY = /^(?:ARGS(?!_GET)|FILES|FULL_REQUEST|MULTIPART|REQBODY|REQUEST_BODY|XML)/

export const isReadFromBody = (name: string): boolean => READ_FROM_BODY.test(name)

/** The paths of `XML:` that are understood. */
export const XML_PATHS: ReadonlySet<string> = new Set(['/*', '//@*'])

export class RequestCollections {
  readonly request: HttpRequest
  readonly response: HttpResponse | undefined
  processor: BodyProcessor
  /** Set by `ctl:forceRequestBodyVariable`. */
  isBodyForced = false
  /** False in phase 1, where the body is not there yet. */
  isBodyReady = false
  private readonly dialect: Dialect
  private readonly known = new Map<string, readonly Entry[]>()
  private parsedBody: ParsedBody | undefined
  private parsedQuery: ReturnType<typeof readForm> | undefined

  constructor(request: HttpRequest, response: HttpResponse | undefined, dialect: Dialect) {
    this.request = request
    this.response = response
    this.dialect = dialect
    this.processor = processorFor(this.contentType())
  }

  /** Values of a collection; none if it is not known. */
  read(name: string): readonly Entry[] {
    let entries = this.known.get(name)
    if (entries === undefined) {
      entries = READERS[name]?.(this) ?? [] // unknown collections are reported when rules are compiled
      this.known.set(name, entries)
    }
    return entries
  }

  /** From here on the body can be read. */
  openBody(): void {
    this.isBodyReady = true
    for (const name of this.known.keys()) if (isReadFromBody(name)) this.known.delete(name)
  }

  /** True if there are more values than are inspected. */
  isCut(): boolean {
    return this.query().isCut || this.body().isCut || this.args().length > MAX_ARGUMENTS
  }

  query(): ReturnType<typeof readForm> {
    return (this.parsedQuery ??= readForm(this.queryString(), MAX_ARGUMENTS))
  }

  body(): ParsedBody {
    if (!this.isBodyReady) return NO_BODY
    return (this.parsedBody ??= parseBody(
      this.processor,
      this.request.body,
      this.contentType(),
      MAX_ARGUMENTS,
    ))
  }

  args(): readonly Field[] {
    const body = this.body().args
    return body.length === 0 ? this.query().args : [...this.query().args, ...body]
  }

  hasRequestBody(): boolean {
    if (!this.isBodyReady || this.request.body === '') return false
    if (this.dialect === 3 || this.processor === 'URLENCODED') return true
    return this.isBodyForced && this.processor === ''
  }

  /** The target without scheme and host. */
  uri(): Bytes {
    const { target } = this.request
    const local = target.startsWith('/') ? target : target.replace(/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/?#]*/, '')
    return this.dialect === 3 ? decodeTarget(local) : local
  }

  path(): Bytes {
    return /^[^?]*/.exec(this.uri())?.[0] ?? '' // matches every text
  }

  queryString(): Bytes {
    const { target } = this.request
    const start = target.indexOf('?')
    return start === -1 ? '' : target.slice(start + 1)
  }

  cookies(): readonly Field[] {
    return headerValues(this.request.headers, 'cookie').flatMap((header) =>
      header.split(';').flatMap((part): Field[] => {
        const text = part.trimStart()
        const equals = text.indexOf('=')
        if (text === '') return []
        return [
          equals === -1
            ? { name: text, value: '' }
            : { name: text.slice(0, equals), value: text.slice(equals + 1) },
        ]
      }),
    )
  }

  xml(): readonly Entry[] {
    const { xml } = this.body()
    if (xml === undefined) return []
    return [
      { key: '/*', value: xml.text, isOfBody: true },
      ...xml.attributes.map((value) => ({ key: '//@*', value, isOfBody: true as const })),
    ]
  }

  fullRequest(): Bytes {
    const { method, target, version, headers, body } = this.request
    const lines = headers.map(([name, value]) => `${name}: ${value}\n`)
    return `${method} ${target} ${version}\n${lines.join('')}\n${this.isBodyReady ? body : ''}`
  }

  private contentType(): Bytes {
    return headerValues(this.request.headers, 'content-type')[0] ?? '' // without a type there is nothing to parse
  }
}

/** A plus stays, unlike in a query. */
const decodeTarget = (target: Bytes): Bytes => percentDecode(target.replaceAll('+', '%2B'))
