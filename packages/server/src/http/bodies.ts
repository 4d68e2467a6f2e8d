// Request bodies: JSON, also without a Content-Type (some clients send none) and empty where no body is needed;
// files, alone or in forms, for operations that accept them.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError, escapePointer } from '@zonereeve/platform'
import { readForm, type Form } from '@zonereeve/platform'

/** Maximum size of a JSON body in bytes. */
export const MAX_BODY_BYTES = 1_048_576

/** Maximum nesting of arrays and objects in a JSON body: recursive code would overflow the stack on deeper ones. */
export const MAX_JSON_DEPTH = 64

/** Bytes that a form may have besides its file. */
export const MAX_FORM_OVERHEAD_BYTES = 65_536

/** The file that a route accepts, if any. */
export interface TakenFile {
  readonly alone: readonly string[]
  readonly maxBytes: number
}

/** The configuration of a route. */
export interface RouteConfig {
  readonly file?: TakenFile
  /**
   * True if unknown members are rejected: then members named like prototype properties are kept, so that they are
   * rejected too.
   */
  readonly keepsMembers?: boolean
  /** The Host header may name other sites. */
  readonly anyHost?: boolean
}

export const takenFile = (request: FastifyRequest): TakenFile | undefined => configOf(request).file

export const configOf = (request: FastifyRequest): RouteConfig => request.routeOptions.config as RouteConfig // as every route is configured

export function acceptBodies(app: FastifyInstance): void {
  const dropping = app.getDefaultJsonParser('remove', 'remove')
  const keeping = app.getDefaultJsonParser('ignore', 'ignore')
  const parse = (request: FastifyRequest, text: string, done: Done): unknown =>
    (configOf(request).keepsMembers === true ? keeping : dropping)(request, text, done)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (takenFile(request) !== undefined) return takeFile(request, Buffer.from(body), done)
    return readJson(request, Buffer.from(body), (text, finish) => parse(request, text, finish), done)
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    if (takenFile(request) !== undefined) return takeFile(request, Buffer.from(body), done)
    if (body.length === 0) return done(null, undefined)
    if (request.headers['content-type'] !== undefined)
      return done(new DomainError({ reason: 'request.content_type' }))
    return readJson(request, Buffer.from(body), (text, finish) => parse(request, text, finish), done)
  })
}

function takeFile(request: FastifyRequest, body: Buffer, done: Done): void {
  const upload = takenFile(request)
  if (upload === undefined) return done(null, undefined)
  try {
    done(null, readFile(request, upload, body))
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)))
  }
}

/** @throws DomainError: request.form, request.content_type, request.file_too_large. */
function readFile({ headers }: FastifyRequest, upload: TakenFile, body: Buffer): Form {
  const type = headers['content-type'] ?? '' // rejected below
  const name = type.replace(/;.*$/s, '').trim().toLowerCase()
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new DomainError({ reason: 'request.content_type' })
  if (name !== 'multipart/form-data' && !upload.alone.includes(name)) {
    const also = upload.alone.length === 0 ? {} : { detail: `Or send the file alone as ${upload.alone[0]}.` }
    throw new DomainError({ reason: 'request.form', ...also })
  }
  const form = name === 'multipart/form-data' ? readForm(type, body) : { file: body }
  const { file } = form
  if (file !== undefined && file.length > upload.maxBytes) {
    const values = { limit: upload.maxBytes }
    throw new DomainError({ reason: 'request.file_too_large', pointer: '/file', values })
  }
  return form
}

type Done = (error: Error | null, value?: unknown) => void

const utf8 = new TextDecoder('utf-8', { fatal: true })

function readJson(
  { headers }: FastifyRequest,
  body: Buffer,
  parse: (text: string, done: Done) => unknown,
  done: Done,
): void {
  if (!isPlainUtf8(headers)) return done(new DomainError({ reason: 'request.content_type' }))
  const text = decode(body)
  if (text === undefined) return done(new DomainError({ reason: 'request.malformed_json' }))
  if (text.trim() === '') return done(null, undefined)
  parse(text, (error, value) => {
    if (error) done(new DomainError({ reason: 'request.malformed_json' }))
    else if (isTooDeep(text))
      done(new DomainError({ reason: 'request.json_depth', values: { limit: MAX_JSON_DEPTH } }))
    else {
      // Checked before the schemas, because their messages repeat the input.
      const pointer = SURROGATE_ESCAPE.test(text) ? loneSurrogateAt(value, '') : undefined
      if (pointer === undefined) done(null, value)
      else done(new DomainError({ reason: 'request.surrogate', pointer }))
    }
  })
}

/** UTF-8 cannot encode surrogates: only escapes produce them. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/

/** The JSON pointer to the first string with a lone surrogate, or to the object with such a member name. */
function loneSurrogateAt(value: unknown, at: string): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : at
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    const found = name.isWellFormed() ? loneSurrogateAt(member, `${at}/${escapePointer(name)}`) : at
    if (found !== undefined) return found
  }
  return undefined
}

/** @param text valid JSON. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (isQuoted) {
      if (character === '\\') at += 1
      else if (character === '"') isQuoted = false
    } else if (character === '"') isQuoted = true
    else if (character === '[' || character === '{') {
      depth += 1
      if (depth > MAX_JSON_DEPTH) return true
    } else if (character === ']' || character === '}') depth -= 1
  }
  return false
}

/** JSON between systems is UTF-8 (RFC 8259 §8.1), and compressed bodies are not supported. */
function isPlainUtf8(headers: FastifyRequest['headers']): boolean {
  const charset = headers['content-type']?.match(/charset\s*=\s*"?([^";\s]+)/i)?.[1] ?? 'utf-8'
  return /^utf-?8$/i.test(charset) && (headers['content-encoding'] ?? 'identity') === 'identity'
}

/**
 * Returns undefined for invalid UTF-8. GET and DELETE often announce JSON and send nothing; one client pads with
 * NULs.
 */
function decode(body: Buffer): string | undefined {
  try {
    return utf8.decode(body).replace(/\0+$/, '')
  } catch {
    return undefined // the caller reports the error
  }
}
