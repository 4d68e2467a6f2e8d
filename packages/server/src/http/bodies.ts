// Request bodies: JSON, also without a Content-Type (some clients send none) and empty where none is needed; files,
// alone or in forms, for the operations that take them.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../platform/domain-error.ts'
import { readForm, type Form } from './forms.ts'

/** Bytes of a JSON body, at most. */
export const MAX_BODY_BYTES = 1_048_576

/** Lists and objects within each other in a JSON body, at most: what looks into deeper ones would run out of stack. */
export const MAX_JSON_DEPTH = 64

/** Bytes that a form may have beside its file. */
export const MAX_FORM_OVERHEAD_BYTES = 65_536

/** The file that a route takes, where it takes one. */
export interface TakenFile {
  readonly alone: readonly string[]
  readonly maxBytes: number
}

/** The configuration of a route. */
export interface RouteConfig {
  readonly file?: TakenFile
  /** True where members that nobody knows are refused: then those that would reach a prototype stay to be refused, too. */
  readonly keepsMembers?: boolean
}

export const takenFile = (request: FastifyRequest): TakenFile | undefined => configOf(request).file

const configOf = (request: FastifyRequest): RouteConfig => request.routeOptions.config as RouteConfig // as every route is configured

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
  const taken = takenFile(request)
  if (taken === undefined) return done(null, undefined)
  try {
    done(null, readFile(request, taken, body))
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)))
  }
}

/** @throws DomainError: request.form, request.content_type, request.file_too_large. */
function readFile({ headers }: FastifyRequest, taken: TakenFile, body: Buffer): Form {
  const type = headers['content-type'] ?? ''
  const name = type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new DomainError({ reason: 'request.content_type' })
  if (name !== 'multipart/form-data' && !taken.alone.includes(name)) {
    const also = taken.alone.length === 0 ? {} : { detail: `Or send the file alone as ${taken.alone[0]}.` }
    throw new DomainError({ reason: 'request.form', ...also })
  }
  const form = name === 'multipart/form-data' ? readForm(type, body) : { file: body }
  if ((form['file']?.length ?? 0) > taken.maxBytes) {
    const values = { limit: taken.maxBytes }
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
    else done(null, value)
  })
}

/** @param text of JSON that is known to be sound. */
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

/** JSON between systems is UTF-8 (RFC 8259 §8.1), and nothing is unpacked here. */
function isPlainUtf8(headers: FastifyRequest['headers']): boolean {
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8'
  return /^utf-?8$/i.test(charset) && (headers['content-encoding'] ?? 'identity') === 'identity'
}

/** Undefined for octets that are no UTF-8. GET and DELETE often announce JSON and send nothing; one client pads with NULs. */
function decode(body: Buffer): string | undefined {
  try {
    return utf8.decode(body).replace(/\0+$/, '')
  } catch {
    return undefined // the caller says what that means
  }
}
